// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/currentreader.h"
#include "app/apply/helperclient.h"
#include "app/apply/history.h"
#include "app/apply/keepable.h"
#include "app/apply/restorepreview.h"
#include "app/apply/trialstore.h"
#include "app/plan/plan.h"

#include <QObject>
#include <QPointer>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace diskwright {

/// One step of what was asked, with what is known to have become of it.
struct AppliedStep {
    Address address; ///< target: kernel name, empty for vm
    std::string diskId;
    std::string displayName;
    std::optional<Value> before;
    std::optional<Value> requested; ///< none for an undo
    std::optional<Value> after;     ///< read back by the helper, or, if the outcome is unknown, by us
    StepResult result = StepResult::NotAttempted;
    Errc why = Errc::None;
    int sysErrno = 0;
    std::optional<Value> expected = {};    ///< what it should be if nobody else changed it; none: before
    std::optional<Value> exactBefore = {}; ///< rows that drift: the stored number behind before
    bool forgotten = false;                ///< it is no longer set at every start
    bool changedSince = false; ///< Stale: it was put back or confirmed, and changed only after that
};

/// The end of a call, for the window and the command line alike. Texts: describe().
struct ApplyReport {
    std::string transaction; ///< 32 hex digits; of the trial, undone or kept transaction, not of the call
    CallState call = CallState::Unknown;
    Outcome outcome = Outcome::Refused; ///< if call is Answered
    Errc why = Errc::None;
    int sysErrno = 0;
    std::optional<std::size_t> culprit; ///< index into steps
    std::vector<AppliedStep> steps;
    std::uint64_t deadlineBoottimeNanoseconds = 0; ///< of a trial that now runs; else 0
    std::chrono::seconds trial{0};
    bool restoresAll = false;  ///< it was asked to put everything back
    bool stopsKeeping = false; ///< it was asked to undo what was kept
    bool kept = false;
    std::optional<DiskClass> keptFor = {}; ///< kept for every disk of this class
    Errc keepWhy = Errc::None;             ///< applied but not kept, or undone but still kept, because
    Denial denial = Denial::Refused;       ///< if not authorized
    bool agentMayBeMissing = false;
    bool tokenNotSaved = false;  ///< the call was not made: the token could not be written (sysErrno)
    bool givenUp = false;        ///< Unknown, because nobody waited for the answer any longer
    bool endNotRecorded = false; ///< Unknown: the trial is over, and nothing says what became of it
    std::optional<std::chrono::seconds> mostMore = {}; ///< refused to prolong by more than this

    [[nodiscard]] bool isUnknown() const noexcept { return call == CallState::Unknown; }
};

/// A trial of this user that is not over.
struct PendingTrial {
    TrialRecord record;
    [[nodiscard]] std::chrono::milliseconds left() const;
};

/// A trial that ended while no program of the user was looking.
struct EndedTrial {
    TrialRecord record;
    Outcome outcome = Outcome::Ended; ///< as the history says; Ended if it says nothing
    bool isProven = true; ///< by the history, or by the values, which are as before; else only now is known
    std::vector<std::optional<Value>> now = {}; ///< by index of the record's items, if it is not proven
    std::vector<HistoryStep> steps = {};        ///< as the history says; empty if it says nothing

    /// Whether somebody else had changed something of it, which was left so then.
    [[nodiscard]] bool hasForeign() const;
};

/// What a trial changed, as far as its record tells.
[[nodiscard]] std::vector<AppliedStep> stepsOf(const TrialRecord &record);

/// Applies plans through the helper, and settles, keeps and takes back what was applied. Every call answers
/// exactly once through its Done, from the event loop; calls may be cancelled while they run.
class ApplySession final : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const ApplyReport &)>;

    /// \p client must outlive the session.
    ApplySession(HelperClient &client, TrialStore store, QObject *parent = nullptr);

    /// Applies \p plan. \p trial: 0, or limits::shortestTrial to limits::longestTrial; a plan that must be a
    /// trial gets limits::systemDiskTrial if it is 0. \p atStart: also at every start, after confirmation if
    /// it is a trial; what can't be kept here (whyNotKeepable) is refused. An empty plan is answered
    /// Unchanged without a call.
    void apply(const Plan &plan, std::chrono::seconds trial, AtStart atStart, Done done,
               const std::string &origin = {});

    void confirm(const TransactionId &transaction, Done done);
    void prolong(const TransactionId &transaction, std::chrono::seconds more, Done done);
    /// Puts a trial's or lease's changes back now.
    void end(const TransactionId &transaction, Done done);
    /// Puts back what \p transaction changed and stops setting it at every start, unless it \p staysKept.
    void undo(const TransactionId &transaction, bool force, bool staysKept, Done done);
    /// Puts everything back: ends every trial and lease, and keeps nothing. The report's steps are the
    /// helper's, or those of \p expected if the answer is lost. Reads no disk by itself.
    void restoreAll(const RestorePreview &expected, Done done);
    /// Keeps items (indexes of the transaction's steps) at every start.
    void keep(const TransactionId &transaction, const std::vector<std::uint16_t> &items, Done done,
              const std::string &origin = {}, bool replaceEdited = false,
              std::optional<DiskClass> forClass = {});
    /// Stops keeping the items with these indexes of \p keptSet; none: all.
    void forget(const KeptSet &keptSet, const std::vector<std::uint16_t> &items, Done done,
                bool replaceEdited = false);
    void useAtStart(bool use, Done done);

    /// Asks the helper to stop the running call and put everything back; the answer still comes.
    void cancel();
    /// Waits for no answer any longer: what runs is answered now, as Unknown.
    void giveUp();
    [[nodiscard]] bool isRunning() const noexcept { return m_running > 0; }

    /// The record of a trial as it is now: another program of the user may have prolonged it, or settled it,
    /// and then there is none.
    [[nodiscard]] std::optional<TrialRecord> trial(const TransactionId &transaction) const;
    /// Finds out what became of a trial that is over, but was not settled here: waits a moment for the
    /// helper's record, and reads the values. \p steps: what it changed. Unknown (endNotRecorded) if there is
    /// no record, and the values are not as before either.
    void awaitEnd(const TransactionId &transaction, const std::vector<AppliedStep> &steps, Done done);

    /// Trials of this user that run, soonest deadline first; one whose password is still asked for does not,
    /// one whose answer was lost may.
    [[nodiscard]] std::vector<PendingTrial> pendingTrials() const;
    /// At start: forgets what is over and says what ended unseen, to be told once.
    [[nodiscard]] std::vector<EndedTrial> resume();

    /// Folder tree whose history and settings are read; "/" unless a test says otherwise.
    void setRoot(const QString &root) { m_root = root; }
    /// How values are read; tests let a disk hang here.
    void setReader(CurrentReader reader) { m_reader = std::move(reader); }

Q_SIGNALS:
    /// A trial began, was prolonged or is over.
    void trialsChanged();
    /// Values in the system may differ from what was read before.
    void systemChanged();

private:
    struct Running {
        Request request;
        ApplyReport draft;
        Done done;
    };
    void send(HelperAction action, const Request &request, ApplyReport draft, Done done);
    void finish(const Request &request, ApplyReport report, const CallResult &result, const Done &done);
    void lookForEnd(const TransactionId &transaction, const std::vector<AppliedStep> &steps, int looksLeft,
                    Done done);
    [[nodiscard]] std::optional<HistoryEntry> endOf(const TransactionId &transaction) const;
    [[nodiscard]] bool isAsBefore(const TrialRecord &record) const;
    void readStale(ApplyReport &report) const;
    void readAgain(ApplyReport &report) const;
    void takeStepsFromHistory(ApplyReport &report, const std::string &transaction) const;
    void takeMostMore(const Request &request, ApplyReport &report) const;
    void settleRecord(const Request &request, const ApplyReport &report);
    [[nodiscard]] bool isCalledFor(const TransactionId &transaction) const;
    [[nodiscard]] bool mayStillBegin(const TransactionId &transaction) const;
    void watchDeadline(const TransactionId &transaction);
    void saveOpen(const Request &request, const TransactionId &transaction, const ApplyReport &report);
    [[nodiscard]] std::optional<TrialRecord> record(const TransactionId &transaction, const Done &done);
    void answerLater(ApplyReport report, Done done);

    HelperClient &m_client;
    TrialStore m_store;
    QString m_root = QStringLiteral("/");
    CurrentReader m_reader;
    std::vector<std::weak_ptr<CancelPipe>> m_pipes;
    std::vector<std::shared_ptr<Running>> m_calls;
    std::map<TransactionId, TrialRecord> m_records; ///< of calls that run, should the file be lost meanwhile
    int m_running = 0;
};

} // namespace diskwright
