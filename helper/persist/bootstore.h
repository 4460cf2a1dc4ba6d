// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "../contract/request.h"
#include "bootset.h"
#include "bootstate.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace diskwright {

/// One item to keep: what a transaction of this boot applied, read back and had confirmed.
struct KeepItem {
    const SettingSpec *spec = nullptr;
    std::optional<DeviceIdentity> device;    ///< none for vm
    Value value;                             ///< the effective value, as read back
    Value original;                          ///< before the transaction
    std::optional<Value> exactOriginal = {}; ///< rows that drift: the stored number before the transaction
    std::optional<DiskClass> forClass = {};  ///< keep it for this class, which the device must be of
    std::optional<Value> pairOriginal;       ///< rows with a pair: the pair's value before the transaction
};

/// An item of the set that a keep took the place of.
struct Replaced {
    std::uint16_t item = 0; ///< index into the items given to keep()
    BootItem previous;
};

struct KeepOutcome {
    std::vector<Replaced> replaced;
};

struct KeepFailure {
    Error error;
    std::optional<std::uint16_t> culprit; ///< index into the items given to keep()
};

struct LoadedBootSet {
    BootSet set;
    Sha256 hash{}; ///< of the file's bytes; of no bytes if there is no file
};

/// The kept files and their state. Callers hold the helper's lock; nothing here locks. Nothing lives in
/// memory between calls.
///
/// Files (below \c root): etc/diskwright/boot-set.json, etc/udev/rules.d/80-diskwright.rules,
/// etc/sysctl.d/80-diskwright.conf, etc/diskwright/boot/{state.json, files set aside},
/// var/lib/diskwright/backup.
class BootStore final
{
public:
    /// The live system's store. Errors: Kernel.
    [[nodiscard]] static Result<BootStore> live();
    /// A store below another folder, for tests. Errors: UnknownTarget.
    [[nodiscard]] static Result<BootStore> at(const std::string &root);

    /// The boot set; an empty one if there is no file. Errors: StateFile (with errno), Malformed, …
    [[nodiscard]] Result<LoadedBootSet> load() const;

    /// Adds or replaces items and puts the set on probation. All or nothing. Setting aside and "use at start:
    /// off" end with it. Errors: NeedsSystemd, NoStableId (no id, unsafe id or a twin), DeviceChanged,
    /// FileChanged (edited by somebody else and not \p replaceEdited), StateFile with errno (read-only,
    /// immutable, full …), OutOfRange, Conflict (same item twice, set full).
    [[nodiscard]] std::expected<KeepOutcome, KeepFailure>
    keep(std::span<const KeepItem> items, const std::string &origin, bool replaceEdited) const;

    /// Removes items by index in the set that hashes to \p expected; no indexes: all of them. Running values
    /// stay as they are. Errors: Stale (another set by now), UnknownTarget (no such index), FileChanged,
    /// StateFile.
    [[nodiscard]] Result<> forget(const Sha256 &expected, std::span<const std::uint16_t> items,
                                  bool replaceEdited) const;

    /// Removes every item of \p origin. Errors as forget(), UnknownTarget if there is none.
    [[nodiscard]] Result<> forgetOrigin(const std::string &origin, bool replaceEdited) const;

    /// Whether something is kept: a set, or files rendered from one.
    [[nodiscard]] bool hasAny() const;

    /// Keeps nothing any more, also where the set does not decode. Files that somebody edited are copied to
    /// the backups first. Errors: FileChanged if a file without our marker is left, StateFile.
    [[nodiscard]] Result<> removeAll() const;

    /// Turns the whole set off (the files are set aside) or on again, without deleting. Also returns files
    /// that the guard had set aside, and puts the set on probation. Errors: Absent (nothing is kept),
    /// StateFile, Malformed.
    [[nodiscard]] Result<> useAtStart(bool use) const;

    /// Finishes or tidies what a crash interrupted: stale temporary files, files that do not agree with a
    /// boot set whose writing was not completed. To be called when the helper starts. Errors: StateFile …
    [[nodiscard]] Result<> repair() const;

    [[nodiscard]] Result<BootState> state() const;

    /// The kept items that are in force on this disk: itemsOn(). Errors: UnknownTarget.
    [[nodiscard]] Result<std::vector<BootItem>> itemsFor(std::string_view kernelName) const;

    /// The kept value of a vm row, if any.
    [[nodiscard]] Result<std::optional<Value>> keptMachineValue(std::string_view setting) const;

    [[nodiscard]] const SystemRoot &root() const noexcept { return m_root; }

private:
    explicit BootStore(SystemRoot root) noexcept
        : m_root(std::move(root))
    {
    }
    [[nodiscard]] Result<> write(const BootSet &next, bool replaceEdited) const;

    SystemRoot m_root;
};

} // namespace diskwright
