// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace diskwright::engine {

/// Counters of the machine at one moment.
struct Moment {
    std::int64_t time = 0;       ///< CLOCK_MONOTONIC nanoseconds
    std::uint64_t readBytes = 0; ///< of all watched disks
    std::uint64_t writtenBytes = 0;
    bool disksKnown = false;  ///< all watched disks are in /proc/diskstats and count, and there are any
    bool countersOff = false; ///< one of them does not count (queue/iostats is 0)
    std::optional<std::uint64_t> cpuWaitMicroseconds;    ///< /proc/pressure/cpu, some
    std::optional<std::uint64_t> memoryWaitMicroseconds; ///< /proc/pressure/memory, some
    std::uint64_t stolenTicks = 0;                       ///< CPU time that the hypervisor gave to others
    std::uint64_t allTicks = 0;
};

/// \p disks: kernel names. \p root: an empty string for this machine, or the folder of a recorded one.
[[nodiscard]] Moment look(const std::vector<std::string> &disks, const std::string &root = {});

/// What else happened between two moments of a run that read \p ownBytes itself.
struct Disturbance {
    std::vector<std::string> reasons; ///< closed list of words, see docs/measuring.md
    std::optional<std::uint64_t> foreignReadBytes;
    std::optional<std::uint64_t> foreignWrittenBytes;
    std::optional<double> cpuWaitShare;
    std::optional<double> memoryWaitShare;
    std::optional<double> stolenShare;
};

/// \p toleranceBytes: what the kernel may have read ahead for us and not delivered.
/// \p direct: every byte must have come from the device.
[[nodiscard]] Disturbance judge(const Moment &before, const Moment &after, std::uint64_t ownBytes,
                                std::uint64_t toleranceBytes, bool direct);

} // namespace diskwright::engine
