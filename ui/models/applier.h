// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/applysession.h"

#include "app/bench/leaseholder.h"

#include <QObject>

#include <functional>

namespace diskwright::ui {

/// The door through which the window changes the system. The real one is SessionApplier; tests script it.
/// Each call answers exactly once through its Done, from the event loop.
class Applier : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    using Done = std::function<void(const ApplyReport &)>;

    /// Why nothing can be applied here, as a sentence; empty if it can.
    [[nodiscard]] virtual QString whyNot() const { return {}; }
    virtual void apply(const Plan &plan, std::chrono::seconds trial, AtStart atStart, Done done) = 0;
    virtual void confirm(const TransactionId &transaction, Done done) = 0;
    virtual void prolong(const TransactionId &transaction, std::chrono::seconds more, Done done) = 0;
    virtual void end(const TransactionId &transaction, Done done) = 0;
    /// \p staysKept: what is set at every start is set again at the next.
    virtual void undo(const TransactionId &transaction, bool force, bool staysKept, Done done) = 0;
    /// Keeps what a change of this boot did, in the place of files that somebody edited.
    virtual void keepReplacing(const TransactionId &transaction, const std::vector<std::uint16_t> &items,
                               std::optional<DiskClass> forClass, Done done) = 0;
    /// \p expected: what is told if the answer is lost.
    virtual void restoreAll(const RestorePreview &expected, Done done) = 0;
    /// What that would do, as far as it is known here. It reads files of disks, aside: where one hangs, \p
    /// done is never called.
    using PreviewDone = std::function<void(const Result<RestorePreview> &)>;
    virtual void previewRestore(PreviewDone done) = 0;
    /// Stops setting items at every start. Indexes of \p keptSet. \p replaceEdited: also where somebody
    /// edited the files.
    virtual void forget(const KeptSet &keptSet, const std::vector<std::uint16_t> &items, bool replaceEdited,
                        Done done) = 0;
    virtual void cancel() = 0;
    /// The lease that a comparison runs on. \p identify finds the disk that an address names, as the user saw
    /// it.
    using Identify = std::function<Result<DeviceIdentity>(const std::string &kernelName)>;
    [[nodiscard]] virtual std::unique_ptr<bench::LeaseHolder> createLease(Identify identify) = 0;

    [[nodiscard]] virtual std::vector<PendingTrial> pendingTrials() const = 0;
    /// What became of a trial that is over and was not settled through this; as ApplySession::awaitEnd.
    virtual void awaitEnd(const TrialRecord &trial, Done done) = 0;
    /// Once, after the window is shown: trials that ended while nobody looked.
    [[nodiscard]] virtual std::vector<EndedTrial> resume() = 0;

Q_SIGNALS:
    void trialsChanged();
    void systemChanged();
};

} // namespace diskwright::ui
