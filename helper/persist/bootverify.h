// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "bootset.h"
#include "bootstate.h"

#include <optional>
#include <string>
#include <vector>

namespace diskwright {

enum class ItemState : std::uint8_t {
    Holds,
    Differs,
    NotYetSeen, ///< its disk has not appeared (or udev has not finished with it)
};
[[nodiscard]] std::string_view name(ItemState state) noexcept;

struct VerifiedItem {
    std::string setting; ///< address, with the kernel name if the disk is there, else with its id
    std::string id;      ///< the disk's, or empty
    Value wanted;
    std::optional<Value> current; ///< none: not there, or not readable
    ItemState state = ItemState::NotYetSeen;
    std::string ofClass = {}; ///< the class it is kept for, or empty
    bool operator==(const VerifiedItem &) const = default;
};

/// What of the boot set holds at this moment.
struct BootReport {
    std::string state; ///< stateName()
    std::vector<VerifiedItem> items;

    [[nodiscard]] std::size_t count(ItemState state) const noexcept;
    /// Whether a disk is missing that something is kept for; of a class there may be none at all.
    [[nodiscard]] bool waitsForDisks() const noexcept;
    /// Items of a disk that another one can't be told from: the rule sets both.
    [[nodiscard]] std::size_t onTwins() const noexcept;
    /// "12 of 12 settings hold", and how many are of disks that are not yet seen, or can't be told apart.
    [[nodiscard]] std::string summary() const;
};

/// Reads every item back. A class gives one item for each of its disks that no id rule overrides. Errors:
/// StateFile, Malformed.
[[nodiscard]] Result<BootReport> verifyBoot(const SystemRoot &root);

/// run/diskwright/boot.json, as "boot status --json" prints it.
[[nodiscard]] std::string encode(const BootReport &report);
[[nodiscard]] Result<> writeBootReport(const SystemRoot &root, const BootReport &report);

} // namespace diskwright
