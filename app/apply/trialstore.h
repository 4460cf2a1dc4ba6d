// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/address.h"
#include "helper/contract/request.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace diskwright {

/// What a user must remember to confirm, prolong or end a trial, also after a crash.
struct TrialRecord {
    struct Item {
        Address address;
        std::string diskId;
        std::string displayName;
        std::optional<Value> before;
        Value wanted;
        std::optional<Value> after = {};       ///< read back when the trial began
        std::optional<Value> exactBefore = {}; ///< rows that drift: the stored number behind before
        bool operator==(const Item &) const = default;
    };
    TransactionId transaction{};
    Token token{};
    std::string bootId;
    bool lease = false;
    bool keep = false;
    std::optional<DiskClass> keepFor = {};
    std::uint64_t startedBoottimeNanoseconds = 0;
    std::uint64_t deadlineBoottimeNanoseconds = 0; ///< before the answer: an estimate
    int clientPid = 0;                             ///< who asked for it
    std::uint64_t clientStartTicks = 0;            ///< when that process began, clock ticks since the boot
    bool answered = false;                         ///< the helper has reported the trial
    bool answerLost = false;                       ///< the call is over without its answer: the trial may run
    bool told = false;       ///< the user knows that the end of the trial was not recorded
    std::vector<Item> items; ///< by index of the request's changes
    bool operator==(const TrialRecord &) const = default;
};

/// When a process began, in clock ticks since the boot (proc(5), field 22 of stat); 0: there is none.
[[nodiscard]] std::uint64_t startOfProcess(int pid);

/// Whether the process that asked for it still runs, so that its answer may be noted yet.
[[nodiscard]] bool isClientThere(const TrialRecord &record);

/// The latest time at which the trial may end, on CLOCK_BOOTTIME: it begins only when it is authorized.
[[nodiscard]] std::uint64_t latestEnd(const TrialRecord &record);

/// Files $XDG_STATE_HOME/diskwright/trials/ID, 0600, on disk before a call is made.
class TrialStore
{
public:
    /// The user's own folder.
    TrialStore();
    explicit TrialStore(QString folder);

    [[nodiscard]] const QString &folder() const noexcept { return m_folder; }

    /// Writes or replaces a record: file and folder are synced when it returns. Errors: StateFile with errno.
    [[nodiscard]] Result<> save(const TrialRecord &record) const;
    /// Errors: UnknownTransaction, StateFile (not ours, unreadable, does not decode).
    [[nodiscard]] Result<TrialRecord> load(const TransactionId &transaction) const;
    void remove(const TransactionId &transaction) const;
    /// Records of this boot, oldest first; those of other boots are deleted, what does not decode is left
    /// out.
    [[nodiscard]] std::vector<TrialRecord> all(const std::string &bootId) const;
    /// Those of this boot that run, as far as is known, soonest deadline first: a trial whose password is
    /// still asked for has not begun.
    [[nodiscard]] std::vector<TrialRecord> running() const;

private:
    [[nodiscard]] QString path(const TransactionId &transaction) const;

    QString m_folder;
};

/// This boot's id, 32 lowercase hex digits without dashes; empty if it can't be read.
[[nodiscard]] std::string currentBootId();
/// CLOCK_BOOTTIME, which counts sleep.
[[nodiscard]] std::uint64_t boottimeNanoseconds();

} // namespace diskwright
