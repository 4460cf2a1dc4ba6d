// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/catalogue.h"
#include "../contract/diskclass.h"
#include "../contract/limits.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What is kept across restarts: one list, from which every kept file is rendered.
namespace diskwright {

using Sha256 = std::array<std::uint8_t, 32>;

[[nodiscard]] Sha256 sha256(std::string_view bytes);
[[nodiscard]] std::string toHex(const Sha256 &hash);

/// One physical disk, wherever it is plugged in. wwn and serial are what udev says
/// (ID_WWN_WITH_EXTENSION, ID_SERIAL); at least one is there, and each that is there must match.
struct DiskMatch {
    std::string id; ///< base name in /dev/disk/by-id
    std::string wwn;
    std::string serial;
    std::uint64_t sizeBytes = 0; ///< a multiple of 512
    std::string name;            ///< kernel name when it was kept: for display only, never matched

    bool operator==(const DiskMatch &) const = default;
};

/// The machine itself: vm settings.
struct MachineMatch {
    bool operator==(const MachineMatch &) const = default;
};

using Match = std::variant<MachineMatch, DiskMatch, DiskClass>;

/// Whether two matches mean the same thing: the name when kept does not count.
[[nodiscard]] bool isSameTarget(const Match &one, const Match &other) noexcept;

/// What was so before the first change. For a dirty byte limit of 0 it is the percentage that was in
/// force, since 0 can't be written back; therefore it names its row.
struct Original {
    std::string setting;
    Value value;
    bool operator==(const Original &) const = default;
};

/// One kept setting of one target.
struct BootItem {
    std::string setting; ///< catalogue row id
    Match match;
    Value value;             ///< as the kernel read it back when it was kept
    Original original;       ///< first recorded; a later keep of the same item leaves it alone
    std::string origin;      ///< a profile's name, or empty for "by hand"; printable ASCII
    std::int64_t keptAt = 0; ///< seconds since 1970, UTC
    std::string bootId;      ///< of the boot in which it was kept

    bool operator==(const BootItem &) const = default;
};

/// At most limits::bootItems, in the order they were kept; at most one for a setting (or its pair) of a
/// target.
struct BootSet {
    std::vector<BootItem> items;
    bool operator==(const BootSet &) const = default;
};

/// Whether both set the same thing (isSameValue()) of the same target.
[[nodiscard]] bool isSameSlot(const BootItem &one, const BootItem &other) noexcept;

/// The middle part of an address: the kernel name if one is known now, else the disk's id or the class's
/// name.
[[nodiscard]] std::string addressTarget(const Match &match, std::string_view kernelName = {});

/// Most bytes that a boot set file may have.
inline constexpr std::size_t bootSetBytes = std::size_t{1024} * 1024;

/// Whether an item is one that may be in a set: a row that can be kept, a value in its range, a target that
/// fits and that a rule can match safely. Errors: UnknownSetting, OutOfRange …, Malformed.
[[nodiscard]] Result<> checkItem(const BootItem &item);

/// The file's text: JSON, one item a line, canonical (docs/boot.md).
[[nodiscard]] std::string encode(const BootSet &set);

/// Strict: exactly what encode() writes, byte for byte, with rows of the catalogue that can be kept, values
/// inside their rows' ranges, safe ids, no item twice. Errors: Malformed, UnsupportedVersion, OutOfRange …
[[nodiscard]] Result<BootSet> decodeBootSet(std::string_view text);

} // namespace diskwright
