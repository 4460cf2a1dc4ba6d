// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"
#include "value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace diskwright {

/// First part of an address, and the place a row lives.
enum class Domain : std::uint8_t {
    Queue = 0,
    IoSched = 1,
    Bdi = 2,
    Vm = 3,
    Mount = 4,
    Ata = 5,
    Link = 6,
    Nvme = 7
};

enum class Unit : std::uint8_t {
    None,
    Count,
    KiB,
    Bytes,
    Percent,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    Centiseconds,
    Seconds
};

/// 0 or 1.
struct Toggle {
};

/// Whole numbers from min to max on a grid of step that starts at 0 (step 4: 0, 4, 8 …).
struct Range {
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::int64_t step = 1;
    Unit unit = Unit::Count;
};

/// One of a closed list of words. What a device offers is intersected with it.
struct Choice {
    std::span<const std::string_view> words;
};

using Accepts = std::variant<Toggle, Range, Choice>;

/// How kernel text becomes a value.
enum class Codec : std::uint8_t {
    Decimal,         ///< "128\n"
    BracketedChoice, ///< "none [mq-deadline] kyber\n": the current one in brackets, all are offered
};

enum class Risk : std::uint8_t { Safe, Caution, DataLoss };

/// Which polkit action covers a row when it is changed by itself (org.diskwright.helper.*).
enum class ActionClass : std::uint8_t { Tune, Remount, Ata };

/// How a row is kept across restarts.
enum class KeptBy : std::uint8_t {
    Nothing,
    UdevRule,
    Sysctl,
    LimitUnit, ///< a unit that udev starts for the disk: what is stored depends on the moment of writing
};

/// One row of the allow-list. The row alone decides what root will ever write for this setting.
struct SettingSpec {
    std::string_view id; ///< "queue/read_ahead_kb", "iosched/mq-deadline/read_expire", "vm/dirty_bytes"
    Domain domain;
    std::string_view key;       ///< last part of the address: "read_ahead_kb", "mq-deadline/read_expire"
    std::string_view attribute; ///< file below the disk's folder in sysfs ("queue/read_ahead_kb",
                                ///< "queue/iosched/read_expire", "bdi/max_ratio", "device/queue_depth")
                                ///< or below /proc/sys/vm ("dirty_bytes")
    Accepts accepts;
    Codec codec = Codec::Decimal;
    Risk risk = Risk::Safe;
    ActionClass action = ActionClass::Tune;
    KeptBy keptBy = KeptBy::Nothing;
    std::int16_t order = 0;     ///< place in a plan; lower is applied first
    std::string_view scheduler; ///< iosched rows: exists only while this scheduler is active; else empty
    std::string_view pair;  ///< id of the row that writing this one resets to 0 (vm dirty pairs); else empty
    std::string_view exact; ///< id of the row that has the number as the kernel stores it, where this row
                            ///< shows it rounded or converted; else empty. What is put back is that one.
    bool drifts = false; ///< what is read moves by itself (a share of the free memory), so it is not compared
    bool readableBack = true;
    bool undoable = true;
};

/// All rows, sorted by id.
[[nodiscard]] std::span<const SettingSpec> catalogue() noexcept;

/// The row with this id, or null.
[[nodiscard]] const SettingSpec *findSetting(std::string_view id) noexcept;

/// Whether both rows set one and the same thing: the same row, the halves of a pair, or two views of one
/// number. One plan holds one of them at most.
[[nodiscard]] bool isSameValue(const SettingSpec &one, const SettingSpec &other) noexcept;

/// Whether the row can be kept for a class of disks: one of a disk, and none that classes go by (rotational
/// tells two of them apart, so a rule that sets it would move the disk into another class).
[[nodiscard]] bool isForClasses(const SettingSpec &spec) noexcept;

/// Whether \p current is \p wanted, as far as the kernel can store it: a byte limit is kept as a millionth of
/// a limit that moves with the free memory, so what is read back differs a little even at once.
[[nodiscard]] bool isAsWanted(const SettingSpec &spec, const Value &wanted, const Value &current) noexcept;

/// Whether the kernel sets \p row of the same disk to a value of its own when \p cause is written, as it is
/// meant to: a scheduler switch starts with fresh tunables and depths (block/elevator.c, bfq also rules
/// wbt_lat_usec), another number of requests brings its own depth for asynchronous ones
/// (block/mq-deadline.c), strict guarantees need some idling (block/bfq-iosched.c).
[[nodiscard]] bool resets(const SettingSpec &cause, const SettingSpec &row) noexcept;

/// Whether writing \p cause can change \p row of the same disk though the two have nothing to do with each
/// other: kernels compute the read-ahead anew when a request limit is written (block/blk-settings.c,
/// blk_apply_bdi_limits; before 6.16 they lose what was set). It is put back at once.
[[nodiscard]] bool disturbs(const SettingSpec &cause, const SettingSpec &row) noexcept;

/// The row for an address's domain and key, or null.
[[nodiscard]] const SettingSpec *findSetting(Domain domain, std::string_view key) noexcept;

[[nodiscard]] std::string_view name(Domain domain) noexcept;
[[nodiscard]] std::optional<Domain> domainFromName(std::string_view name) noexcept;
[[nodiscard]] std::string_view name(Unit unit) noexcept; ///< "KiB", "ms", "" …
[[nodiscard]] std::string_view name(Risk risk) noexcept; ///< safe, caution, data-loss

/// Whether the row targets one disk (true) or the machine (false).
[[nodiscard]] constexpr bool isPerDisk(Domain domain) noexcept
{
    return domain != Domain::Vm;
}

/// I/O schedulers in the order that numbers them on the wire; never reordered.
[[nodiscard]] std::span<const std::string_view> knownSchedulers() noexcept;

} // namespace diskwright
