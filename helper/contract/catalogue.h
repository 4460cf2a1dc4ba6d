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
enum class KeptBy : std::uint8_t { Nothing, UdevRule, Sysctl };

/// One row of the allow-list. The row alone decides what root will ever write for this setting.
struct SettingSpec {
    std::string_view id; ///< "queue/read_ahead_kb", "iosched/mq-deadline/read_expire", "vm/dirty_bytes"
    Domain domain;
    std::string_view key;       ///< last part of the address: "read_ahead_kb", "mq-deadline/read_expire"
    std::string_view attribute; ///< file below the anchor: "queue/read_ahead_kb",
                                ///< "queue/iosched/read_expire", "dirty_bytes"
    Accepts accepts;
    Codec codec = Codec::Decimal;
    Risk risk = Risk::Safe;
    ActionClass action = ActionClass::Tune;
    KeptBy keptBy = KeptBy::Nothing;
    std::int16_t order = 0;     ///< place in a plan; lower is applied first
    std::string_view scheduler; ///< iosched rows: exists only while this scheduler is active; else empty
    std::string_view pair; ///< id of the row that writing this one resets to 0 (vm dirty pairs); else empty
    bool readableBack = true;
    bool undoable = true;
};

/// All rows, sorted by id.
[[nodiscard]] std::span<const SettingSpec> catalogue() noexcept;

/// The row with this id, or null.
[[nodiscard]] const SettingSpec *findSetting(std::string_view id) noexcept;

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
