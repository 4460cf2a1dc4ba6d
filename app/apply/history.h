// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/diskfacts.h"
#include "helper/contract/address.h"
#include "helper/contract/catalogue.h"
#include "helper/contract/diskclass.h"
#include "helper/contract/report.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace diskwright {

struct HistoryStep {
    Address address; ///< target: the kernel name then
    std::string diskId;
    std::optional<Value> before;
    std::optional<Value> requested;
    std::optional<Value> after;
    StepResult result = StepResult::NotAttempted;
    int sysErrno = 0;
};

/// One transaction as the helper recorded it.
struct HistoryEntry {
    std::string transaction;           ///< 32 lowercase hex digits
    std::int64_t timeSeconds = 0;      ///< since 1970, UTC
    std::int64_t startNanoseconds = 0; ///< on CLOCK_BOOTTIME
    std::string bootId;
    std::uint32_t uid = 0;
    Outcome outcome = Outcome::Refused;
    bool lease = false;
    bool restoresAll = false; ///< it put everything back
    bool kept = false;
    std::string keptFor; ///< the class of disks that it is kept for, or empty
    bool undoable = false;
    std::string reason; ///< why it can't be undone; English, stable: "ended by restart", "already undone" …
    std::vector<HistoryStep> steps;

    /// Whether what it changed was put back later by an undo or by putting everything back.
    [[nodiscard]] bool isUndone() const { return reason == "already undone"; }
};

/// A file that was left out, with the reason.
struct SkippedFile {
    std::string name; ///< printable
    std::string reason;
};

struct History {
    std::vector<HistoryEntry> entries; ///< newest first
    std::vector<SkippedFile> skipped;
    std::optional<Error> error =
        {}; ///< the folder is there, but can't be read: what was changed is not known
};

/// Reads DIR/var/lib/diskwright/history strictly: regular files of at most limits::journalBytes with the name
/// of their transaction, owned by root on the live system. A missing folder is an empty history. Errors:
/// StateFile with errno, in the history.
[[nodiscard]] History readHistory(const QString &root = QStringLiteral("/"));
/// One entry. Errors: UnknownTransaction, StateFile.
[[nodiscard]] Result<HistoryEntry> readHistoryEntry(const std::string &transaction,
                                                    const QString &root = QStringLiteral("/"));

/// One item that is kept across restarts.
struct KeptItem {
    std::string settingId; ///< catalogue row
    std::string target;    ///< disk id, class name, or empty for vm
    std::string wwn = {};  ///< these three are matched: as udev says; one that is empty is not
    std::string serial = {};
    std::uint64_t sizeBytes = 0;
    Value value;
    std::string origin;             ///< profile name; empty: by hand
    std::string kernelName;         ///< of the disk when it was kept; empty for a class and vm
    std::int64_t keptAtSeconds = 0; ///< since 1970, UTC
    std::string originalSetting =
        {}; ///< row of what was so before it was kept: the other half of a pair, perhaps
    std::optional<Value> original = {};
    std::string bootId = {}; ///< of the boot in which it was kept, without dashes
    std::optional<DiskClass> forClass = {};
};

struct KeptSet {
    bool present = false;
    bool useAtStart = true;
    std::vector<KeptItem> items;
    std::array<std::uint8_t, 32> sha256{}; ///< of the file, as a forget request names it
};

/// Whether the start sets the item on this disk, by the keys of its udev rule: the id alone proves nothing.
[[nodiscard]] bool isKeptOn(const KeptItem &item, const DiskFacts &disk);

/// The item that is kept for this setting and in force at the next start: of a disk its own, else its
/// class's. \p disk is null for vm.
[[nodiscard]] const KeptItem *findKept(const KeptSet &set, const SettingSpec &spec, const DiskFacts *disk);

/// Errors: StateFile if it is there but does not decode.
[[nodiscard]] Result<KeptSet> readKeptSet(const QString &root = QStringLiteral("/"));

/// The boot id of the tree, without dashes; empty if it can't be read.
[[nodiscard]] std::string bootIdOf(const QString &root = QStringLiteral("/"));

enum class StartState : std::uint8_t { None, Probation, Proven, SetAside, Off };
enum class StartItemState : std::uint8_t { Holds, Differs, NotYetSeen };

struct StartStatusItem {
    std::string setting; ///< address with the kernel name where it is known, else the id
    std::optional<Value> wanted;
    std::optional<Value> current;
    StartItemState state = StartItemState::NotYetSeen;
    std::optional<DiskClass> forClass = {}; ///< kept for it; setting names a disk of it, or the class
};

/// Whether what is kept is in force.
struct StartStatus {
    StartState state = StartState::None;
    int total = 0;
    int holds = 0;
    std::vector<StartStatusItem> items;
};

/// What holds now, read here: the verifier's report (/run/diskwright/boot.json) tells what held at the start,
/// and something may have been changed, kept or forgotten since. Errors: StateFile if the kept set, or what
/// the guard of the start noted, is there but can't be read or does not decode.
[[nodiscard]] Result<StartStatus> readStartStatus(const QString &root = QStringLiteral("/"));

[[nodiscard]] std::string_view name(StartState state) noexcept;
[[nodiscard]] std::string_view name(StartItemState state) noexcept;

} // namespace diskwright
