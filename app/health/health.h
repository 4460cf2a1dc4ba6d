// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "message.h"

#include "app/disks/disk.h"
#include "helper/access/systemroot.h"
#include "helper/contract/error.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright::health {

/// How much a finding matters.
enum class Severity : std::uint8_t {
    Problem, ///< data or the disk itself may be at risk
    Slow,    ///< makes the disk clearly slower than it could be
    Hint,    ///< may make it slower, or soon will
};
/// "problem", "slow", "hint".
[[nodiscard]] std::string_view name(Severity severity) noexcept;

/// One thing that was read, in the kernel's own words.
struct Fact {
    std::string_view id; ///< stable, "sata.speed"
    std::string device;  ///< kernel name of what it is about; empty: of all disks together
    std::string value;   ///< valid UTF-8 without control characters
    std::string source;  ///< the file that was read, or the D-Bus property
};

/// One reason why the disk may be slow.
struct Finding {
    std::string_view id; ///< stable, "sata-link-slow"
    Severity severity = Severity::Hint;
    std::string device; ///< kernel name of what it is about; empty: of all disks together
    Message text;       ///< what is so, and what it means
    Message help;       ///< what can be done
    std::string fact;   ///< the numbers it rests on: "sata_spd = 1.5 Gbps, drive: 6.0 Gbps"
    std::string source; ///< where they were read
};

/// Something that would have been worth knowing.
struct Unknown {
    std::string_view id;
    std::string device;
    Message text; ///< what is not known, and why
};

/// The answer to "Why is this disk slow?".
struct Health {
    std::string disk;               ///< what was asked for, kernel name
    std::vector<std::string> disks; ///< the whole disks at the bottom
    std::vector<Fact> facts;
    std::vector<Finding> findings; ///< what helps most first
    std::vector<Unknown> unknown;
};

/// What UDisks2 has stored about one drive; it was read from the drive at \p updated, not by us.
struct DriveHealth {
    enum class State : std::uint8_t {
        Known,
        NotAsked,   ///< a copy of a machine, or nobody asked
        NotRunning, ///< no such service, or it is not running; it is never started by us
        NotListed,  ///< it does not know this disk, or means another device by this name
        NoAnswer,   ///< none within the patience
    };
    State state = State::NotAsked;
    std::string object;                  ///< D-Bus path of the drive
    std::optional<std::int64_t> updated; ///< seconds since 1970; null: never read
    std::optional<bool> failing;         ///< the drive's own SMART verdict
    std::optional<std::int64_t> badSectors;
    std::optional<std::int64_t> failingAttributes;
    std::optional<std::string> selftest; ///< "success", "error_read", …
    std::optional<double> celsius;
    std::optional<std::int64_t> rotationRate;  ///< rpm; 0: does not rotate; null: unknown
    std::vector<std::string> criticalWarnings; ///< NVMe: spare temperature degraded readonly …
    bool hasSmart = false;                     ///< the drive reports health at all
};

/// Longest that one thing which could hang (a file system, a controller, a service) is waited for.
inline constexpr std::chrono::milliseconds patience{1500};

struct Options {
    std::chrono::milliseconds sample{400}; ///< how long the disk's load is watched; zero: not at all
    std::stop_token stop;                  ///< ends the reading early; what was found until then is returned
    /// Stored health of a whole disk by kernel name; unset: not asked.
    std::function<DriveHealth(const BlockNode &disk)> drive;
};

/// A disk, a partition or a layer by kernel name, id or path below /dev, or by another path what is mounted
/// there. Errors: UnknownTarget naming what there is.
[[nodiscard]] Result<const BlockNode *> findTarget(const SystemRoot &root, const DiskList &disks,
                                                   std::string_view text);

/// Looks at everything that may slow \p target: the whole disks at its bottom and what stands on them. Text
/// files only: no device is opened, none is sent a command that would wake it, no service is started, no
/// privilege is needed. Takes the sample's time and at most a few times the patience; call it from a worker.
[[nodiscard]] Health examine(const SystemRoot &root, const DiskList &disks, const BlockNode &target,
                             const Options &options);

/// Opens the tree at \p root ("/" is the live system), lists its disks and examines one of them. Errors: as
/// SystemRoot, scanDisks, findTarget.
[[nodiscard]] Result<Health> readHealth(const std::string &root, std::string_view target,
                                        const Options &options);

/// The findings of the level Problem that a few text files of the kernel tell of one whole disk: its state, a
/// lock on writing, an array that lacks members. Quick; what UDisks2 knows is not asked for.
[[nodiscard]] std::vector<Finding> problemsOf(const SystemRoot &root, const DiskList &disks,
                                              const BlockNode &disk);
/// The same of what UDisks2 has stored about the drive.
[[nodiscard]] std::vector<Finding> problemsOf(const SystemRoot &root, const BlockNode &disk,
                                              const DriveHealth &drive);

/// Whether anything of the disk itself could be read: without that, no finding does not mean that all is
/// well.
[[nodiscard]] bool wasLookedAt(const Health &health) noexcept;

/// English name of a fact, marked for translation in messageContext: "SATA speed".
[[nodiscard]] const char *factTitle(std::string_view id) noexcept;

} // namespace diskwright::health
