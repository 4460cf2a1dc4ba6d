// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/limitnote.h"
#include "bootset.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Kept byte limits of a disk's unwritten data. A rule could only name the share that the kernel stores,
/// which is something else than what was asked for. They are written by a unit that udev starts for each
/// disk, after sysctl, and again after this program changes the dirty limits.
namespace diskwright {

enum class LimitState : std::uint8_t {
    NothingKept, ///< no byte limit is kept for this disk
    Off,         ///< kept settings are set aside or this boot goes without them
    Held,        ///< a trial or lease has the disk: nothing is touched
    InForce,     ///< written and read back, or so already
};
[[nodiscard]] std::string_view name(LimitState state) noexcept;

/// Writes what is kept for the disk, each value once and with what makes it count (strict_limit), and reads
/// it back. Doing it again changes nothing. Errors: UnknownTarget, DeviceChanged, Absent, StateFile,
/// Malformed, Kernel (refused, or another value than asked for was read back).
[[nodiscard]] Result<LimitState> applyKeptLimit(const SystemRoot &root, std::string_view kernelName);

/// The same for every disk, for when the dirty limits have changed. One line for each that failed.
[[nodiscard]] std::vector<std::string> applyKeptLimits(const SystemRoot &root);

/// Notes that what is stored now is what \p wanted means on this disk. Errors: Absent, StateFile.
[[nodiscard]] Result<> noteLimit(const SystemRoot &root, const Directory &disk, const Value &wanted);

} // namespace diskwright
