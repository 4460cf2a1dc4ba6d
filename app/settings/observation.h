// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/disks/disk.h"
#include "helper/access/systemroot.h"
#include "helper/contract/address.h"
#include "helper/contract/catalogue.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

enum class ObservedState : std::uint8_t {
    Current,    ///< read, and settable
    Absent,     ///< not on this kernel, device or under the active scheduler; reason says which
    Unreadable, ///< there, but this user may not read it
    Unparsable, ///< there, but the text is not what the catalogue expects
    ReadOnly,   ///< read, but the kernel does not let anyone write it
};
[[nodiscard]] std::string_view name(ObservedState state) noexcept; ///< "current", "read-only" …

enum class DefaultSource : std::uint8_t { Unknown, KernelRule, SawBeforeFirstChange, DistributionFile };
[[nodiscard]] std::string_view name(DefaultSource source) noexcept; ///< "kernel-rule" …

/// What is known of one setting of one target at the moment of reading.
struct Observation {
    const SettingSpec *spec = nullptr; ///< row of the catalogue; null for what is only shown
    std::string settingId; ///< "queue/read_ahead_kb"; findText or findShown may know it, or neither
    Domain domain = Domain::Queue;
    std::string key; ///< last part of the address
    Unit unit = Unit::None;
    std::string target;            ///< kernel name; empty for vm
    std::optional<std::string> id; ///< disk id of the target
    ObservedState state = ObservedState::Absent;
    std::optional<Value> value;       ///< set when state is Current or ReadOnly; actions have none
    std::string rawText;              ///< what the kernel said, one trailing newline removed
    std::vector<std::string> offered; ///< choices: what this kernel and device take
    std::optional<std::int64_t> min;  ///< ranges and switches, narrowed to the device
    std::optional<std::int64_t> max;
    std::optional<std::int64_t> step;
    std::optional<Value> defaultValue;
    DefaultSource defaultSource = DefaultSource::Unknown;
    std::string reason; ///< English; why the state is not Current. Empty otherwise
    std::optional<Value> kept;
    std::optional<DiskClass> keptFor; ///< it is kept for every disk of this class
    std::size_t keptItem = 0;         ///< of what is kept: its place in the kept set
    std::optional<std::string> setBy;

    [[nodiscard]] Address address() const;
    /// A known default and another value.
    [[nodiscard]] bool differsFromDefault() const noexcept;
};

/// What others know of a setting; each may be empty. \p target is the kernel name, empty for vm.
struct Knowledge {
    using Lookup = std::function<std::optional<Value>(const SettingSpec &, std::string_view target,
                                                      const std::string *id)>;
    Lookup beforeFirstChange; ///< the value before our first change, from history
    struct Kept {
        Value value;
        std::optional<DiskClass> forClass = {};
        std::size_t item = 0; ///< its place in the kept set
    };
    /// What is kept for the next start.
    std::function<std::optional<Kept>(const SettingSpec &, std::string_view target)> kept;
};

/// Every catalogue row for this disk, in catalogue order, absent ones too.
[[nodiscard]] std::vector<Observation> observe(const SystemRoot &root, const BlockNode &disk,
                                               const Knowledge &knowledge = {});
/// Every vm row.
[[nodiscard]] std::vector<Observation> observeVm(const SystemRoot &root, const Knowledge &knowledge = {});

/// What is only shown of this disk: facts and settings of the kernel that are no row of the catalogue, by
/// shown.h, and files that nobody described. All are ReadOnly or Unreadable, with the reason; what this
/// kernel does not have is left out. Names and values are cleaned, and their number and length bounded.
[[nodiscard]] std::vector<Observation> observeShown(const SystemRoot &root, const BlockNode &disk);
/// The same for vm.
[[nodiscard]] std::vector<Observation> observeShownVm(const SystemRoot &root);

/// One row of a resolved address, also of what is only shown. Errors: UnknownTarget, UnknownSetting.
[[nodiscard]] Result<Observation> observeSetting(const SystemRoot &root, const DiskList &disks,
                                                 const Address &address, const Knowledge &knowledge = {});

/// The whole disk that a user's text names by kernel name or id; \p input is what a refusal shall cite.
/// Errors: UnknownTarget (none, or a partition), naming what there is.
[[nodiscard]] Result<const BlockNode *> findDisk(const DiskList &disks, std::string_view target,
                                                 std::string_view input);

/// A user's address with the kernel name as target and the long iosched form. The target may be a kernel name
/// or a disk id; a short iosched key is looked for under the active scheduler. It names a row of the
/// catalogue. Errors, each with input, reason and accepted: Malformed, UnknownSetting (naming what is spelt
/// nearly so), UnknownTarget, Absent (short form without an active scheduler), ReadOnly (only shown; the
/// reason says why it can't be set).
[[nodiscard]] Result<Address> resolveAddress(const DiskList &disks, std::string_view text);
/// The same, where what is only shown and files that nobody described are fine too: only observeSetting can
/// tell whether they exist. Errors: as above, without ReadOnly.
[[nodiscard]] Result<Address> resolveShownAddress(const DiskList &disks, std::string_view text);

} // namespace diskwright
