// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/applysession.h"

#include "app/apply/random.h"
#include "app/apply/trialend.h"

#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

#include <unistd.h>

namespace diskwright {

namespace {

using namespace std::chrono_literals;

// The deadline's timer and the writing back take a moment; only then is "over" worth looking for.
constexpr std::chrono::milliseconds graceAfterDeadline = 1500ms;
constexpr std::chrono::milliseconds endInterval = 200ms;
constexpr int endLooks = 15;

std::uint64_t nanoseconds(std::chrono::seconds seconds)
{
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(seconds).count());
}

std::chrono::milliseconds until(std::uint64_t boottimeNanoseconds_)
{
    const std::uint64_t now = boottimeNanoseconds();
    return boottimeNanoseconds_ <= now ? 0ms
                                       : std::chrono::milliseconds((boottimeNanoseconds_ - now) / 1'000'000U);
}

ApplyRequest makeRequest(const Plan &plan, std::chrono::seconds trial, AtStart atStart,
                         const std::string &origin)
{
    ApplyRequest request;
    request.devices = plan.devices;
    for (const PlanStep &step : plan.steps)
        // What can't be read before a scheduler switch is not compared by the helper either.
        request.changes.push_back(
            {step.device, std::string(step.spec->id), step.before.value_or(step.wanted), step.wanted});
    request.trial = trial;
    request.keep = atStart.keep;
    request.keepFor = atStart.keep ? atStart.forClass : std::nullopt;
    request.origin = origin;
    request.token = randomToken();
    return request;
}

std::vector<AppliedStep> stepsOf(const Plan &plan)
{
    std::vector<AppliedStep> steps;
    steps.reserve(plan.steps.size());
    for (const PlanStep &step : plan.steps)
        steps.push_back({step.address,
                         step.diskId,
                         step.displayName,
                         step.before,
                         step.wanted,
                         {},
                         StepResult::NotAttempted,
                         Errc::None,
                         0});
    return steps;
}

std::vector<AppliedStep> stepsOf(const HistoryEntry &entry)
{
    std::vector<AppliedStep> steps;
    steps.reserve(entry.steps.size());
    for (const HistoryStep &step : entry.steps)
        steps.push_back({step.address,
                         step.diskId,
                         {},
                         step.before,
                         step.requested,
                         step.after,
                         StepResult::NotAttempted,
                         Errc::None,
                         0,
                         step.after});
    return steps;
}

// The way back: from what the change left to what was before it.
std::vector<AppliedStep> stepsBack(const HistoryEntry &entry)
{
    std::vector<AppliedStep> steps = stepsOf(entry);
    for (AppliedStep &step : steps) {
        step.expected = step.after ? step.after : step.requested;
        step.requested = step.before;
        step.before = step.expected;
        step.after.reset();
    }
    return steps;
}

TrialRecord recordOf(const Plan &plan, const Request &request, const ApplyRequest &apply)
{
    TrialRecord record;
    record.transaction = request.id;
    record.token = apply.token;
    record.bootId = currentBootId();
    record.keep = apply.keep;
    record.keepFor = apply.keepFor;
    record.clientPid = ::getpid();
    record.clientStartTicks = startOfProcess(record.clientPid);
    record.startedBoottimeNanoseconds = boottimeNanoseconds();
    record.deadlineBoottimeNanoseconds = record.startedBoottimeNanoseconds + nanoseconds(apply.trial);
    for (const PlanStep &step : plan.steps)
        record.items.push_back(
            {step.address, step.diskId, step.displayName, step.before, step.wanted, {}, step.exactBefore});
    return record;
}

ApplyReport refused(Errc why, int sysErrno = 0)
{
    ApplyReport report;
    report.call = CallState::Answered;
    report.outcome = Outcome::Refused;
    report.why = why;
    report.sysErrno = sysErrno;
    return report;
}

std::optional<Value> valueOf(const SettingSpec *spec, const std::optional<std::int64_t> &travelled)
{
    if (!spec || !travelled)
        return std::nullopt;
    const auto value = fromReportNumber(*spec, *travelled);
    return value ? std::optional(*value) : std::nullopt;
}

// The helper's answer carries indexes and numbers only; what they speak of is what was asked.
void join(ApplyReport &report, const Report &answer)
{
    report.outcome = answer.outcome;
    report.why = answer.why;
    report.sysErrno = answer.sysErrno;
    report.kept = answer.kept;
    report.keepWhy = answer.keepWhy;
    report.deadlineBoottimeNanoseconds = answer.deadlineBoottimeNanoseconds;
    if (answer.culprit && *answer.culprit < report.steps.size())
        report.culprit = *answer.culprit;
    const std::size_t count = std::min(report.steps.size(), answer.steps.size());
    for (std::size_t at = 0; at < count; ++at) {
        AppliedStep &step = report.steps[at];
        const StepReport &reported = answer.steps[at];
        const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
        step.result = reported.result;
        step.why = reported.why;
        step.sysErrno = reported.sysErrno;
        if (const auto before = valueOf(spec, reported.before))
            step.before = before;
        step.after = valueOf(spec, reported.after);
    }
}

bool isOver(Outcome outcome, Errc why)
{
    switch (outcome) {
    case Outcome::Trial:
    case Outcome::Prolonged:
    case Outcome::LeaseHeld: return false;
    case Outcome::Refused: return why == Errc::UnknownTransaction || why == Errc::Expired;
    case Outcome::Busy:
    case Outcome::NotAuthorized:
    // Not everything is back: the helper keeps its journal, and the token may still be asked for.
    case Outcome::RollbackFailed: return false;
    case Outcome::Applied:
    case Outcome::Adjusted:
    case Outcome::Unchanged:
    case Outcome::RolledBack:
    case Outcome::Confirmed:
    case Outcome::Ended:
    case Outcome::Kept:
    case Outcome::Forgotten:
    case Outcome::Undone: return true;
    }
    return true;
}

/// The trial that a request begins or settles; none: it is about something else.
std::optional<TransactionId> subjectOf(const Request &request)
{
    if (std::holds_alternative<ApplyRequest>(request.operation))
        return request.id;
    if (const auto *confirmed = std::get_if<ConfirmRequest>(&request.operation))
        return confirmed->transaction;
    if (const auto *prolonged = std::get_if<ProlongRequest>(&request.operation))
        return prolonged->transaction;
    if (const auto *ended = std::get_if<EndRequest>(&request.operation))
        return ended->transaction;
    return std::nullopt;
}

// No value of a kept setting changes when it is forgotten.
void markForgotten(ApplyReport &report)
{
    for (AppliedStep &step : report.steps) {
        step.result = StepResult::Unchanged;
        step.forgotten = true;
    }
}

} // namespace

std::vector<AppliedStep> stepsOf(const TrialRecord &record)
{
    std::vector<AppliedStep> steps;
    steps.reserve(record.items.size());
    for (const TrialRecord::Item &item : record.items)
        steps.push_back({item.address,
                         item.diskId,
                         item.displayName,
                         item.before,
                         item.wanted,
                         {},
                         StepResult::NotAttempted,
                         Errc::None,
                         0,
                         item.after ? *item.after : item.wanted,
                         item.exactBefore});
    return steps;
}

bool EndedTrial::hasForeign() const
{
    return std::ranges::contains(steps, StepResult::Stale, &HistoryStep::result);
}

std::chrono::milliseconds PendingTrial::left() const
{
    return until(record.deadlineBoottimeNanoseconds);
}

ApplySession::ApplySession(HelperClient &client, TrialStore store, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_store(std::move(store))
{
}

void ApplySession::answerLater(ApplyReport report, Done done)
{
    ++m_running;
    QTimer::singleShot(0, this, [this, report = std::move(report), done = std::move(done)] {
        --m_running;
        done(report);
    });
}

void ApplySession::apply(const Plan &plan, std::chrono::seconds trial, AtStart atStart, Done done,
                         const std::string &origin)
{
    if (plan.mustBeTrial && trial == 0s)
        trial = limits::systemDiskTrial;
    Request request{randomId(), makeRequest(plan, trial, atStart, origin)};
    ApplyReport draft;
    draft.transaction = toHex(request.id);
    draft.steps = stepsOf(plan);
    draft.trial = trial;
    draft.keptFor = atStart.keep ? atStart.forClass : std::nullopt;
    if (plan.isEmpty()) {
        draft.transaction.clear();
        draft.call = CallState::Answered;
        draft.outcome = Outcome::Unchanged;
        answerLater(std::move(draft), std::move(done));
        return;
    }
    if (trial != 0s && (trial < limits::shortestTrial || trial > limits::longestTrial)) {
        answerLater(refused(Errc::OutOfRange), std::move(done));
        return;
    }
    // Better nothing than half of what was asked for.
    if (const auto obstacle = atStart.keep ? whyNotKeepable(plan, m_root, atStart.forClass) : std::nullopt) {
        ApplyReport report = refused(obstacle->why);
        report.steps = std::move(draft.steps);
        report.culprit = obstacle->step;
        answerLater(std::move(report), std::move(done));
        return;
    }
    // The token is on disk before the helper knows it: a trial that nobody can confirm is never begun.
    const TrialRecord record = recordOf(plan, request, std::get<ApplyRequest>(request.operation));
    if (const auto saved = m_store.save(record); !saved) {
        ApplyReport report = refused(Errc::StateFile, saved.error().sysErrno);
        report.tokenNotSaved = true;
        report.steps = std::move(draft.steps);
        answerLater(std::move(report), std::move(done));
        return;
    }
    m_records[request.id] = record;
    const bool isTuneOnly = !atStart.keep && !plan.severalClasses && plan.action == ActionClass::Tune;
    send(isTuneOnly ? HelperAction::Tune : HelperAction::Plan, request, std::move(draft), std::move(done));
}

std::optional<TrialRecord> ApplySession::record(const TransactionId &transaction, const Done &done)
{
    const auto loaded = m_store.load(transaction);
    if (loaded && loaded->bootId == currentBootId()) {
        m_records[transaction] = *loaded;
        return *loaded;
    }
    ApplyReport report =
        loaded ? refused(Errc::Expired) : refused(loaded.error().code, loaded.error().sysErrno);
    report.transaction = toHex(transaction);
    answerLater(std::move(report), done);
    return std::nullopt;
}

void ApplySession::confirm(const TransactionId &transaction, Done done)
{
    const auto found = record(transaction, done);
    if (!found)
        return;
    ApplyReport draft;
    draft.transaction = toHex(transaction);
    draft.steps = stepsOf(*found);
    draft.keptFor = found->keepFor;
    send(HelperAction::Settle, {randomId(), ConfirmRequest{transaction, found->token}}, std::move(draft),
         std::move(done));
}

void ApplySession::prolong(const TransactionId &transaction, std::chrono::seconds more, Done done)
{
    const auto found = record(transaction, done);
    if (!found)
        return;
    ApplyReport draft;
    draft.transaction = toHex(transaction);
    draft.steps = stepsOf(*found);
    draft.trial = more;
    send(HelperAction::Settle, {randomId(), ProlongRequest{transaction, found->token, more}},
         std::move(draft), std::move(done));
}

void ApplySession::end(const TransactionId &transaction, Done done)
{
    const auto found = record(transaction, done);
    if (!found)
        return;
    ApplyReport draft;
    draft.transaction = toHex(transaction);
    draft.steps = stepsOf(*found);
    send(HelperAction::Settle, {randomId(), EndRequest{transaction, found->token, std::nullopt}},
         std::move(draft), std::move(done));
}

void ApplySession::undo(const TransactionId &transaction, bool force, bool staysKept, Done done)
{
    const auto entry = readHistoryEntry(toHex(transaction), m_root);
    if (!entry && entry.error().code == Errc::UnknownTransaction) {
        ApplyReport report = refused(entry.error().code, entry.error().sysErrno);
        report.transaction = toHex(transaction);
        answerLater(std::move(report), std::move(done));
        return;
    }
    ApplyReport draft;
    draft.transaction = toHex(transaction);
    if (!entry) {
        // The history is for reading; the helper undoes by a record of its own, which may be sound.
        send(HelperAction::Plan, {randomId(), UndoRequest{transaction, force, staysKept}}, std::move(draft),
             std::move(done));
        return;
    }
    draft.steps = stepsBack(*entry);
    draft.stopsKeeping = entry->kept && !staysKept;
    const bool isTuneOnly =
        !draft.stopsKeeping && std::ranges::all_of(entry->steps, [](const HistoryStep &step) {
            const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
            return spec && spec->action == ActionClass::Tune;
        });
    send(isTuneOnly ? HelperAction::Tune : HelperAction::Plan,
         {randomId(), UndoRequest{transaction, force, staysKept}}, std::move(draft), std::move(done));
}

void ApplySession::restoreAll(const RestorePreview &expected, Done done)
{
    const Request request{randomId(), RestoreAllRequest{}};
    ApplyReport draft;
    draft.transaction = toHex(request.id);
    draft.restoresAll = true;
    for (const RestoreStep &step : expected.steps) {
        AppliedStep draftStep;
        draftStep.address = step.address;
        draftStep.diskId = step.diskId;
        draftStep.before = step.now;
        draftStep.requested = step.target;
        draft.steps.push_back(std::move(draftStep));
    }
    send(HelperAction::Plan, request, std::move(draft), std::move(done));
}

void ApplySession::keep(const TransactionId &transaction, const std::vector<std::uint16_t> &items, Done done,
                        const std::string &origin, bool replaceEdited, std::optional<DiskClass> forClass)
{
    ApplyReport draft;
    draft.transaction = toHex(transaction);
    draft.keptFor = forClass;
    if (const auto entry = readHistoryEntry(draft.transaction, m_root))
        draft.steps = stepsOf(*entry);
    send(HelperAction::Persist,
         {randomId(), KeepRequest{transaction, items, origin, replaceEdited, forClass}}, std::move(draft),
         std::move(done));
}

void ApplySession::forget(const KeptSet &keptSet, const std::vector<std::uint16_t> &items, Done done,
                          bool replaceEdited)
{
    ApplyReport draft;
    std::uint16_t index = 0;
    for (const KeptItem &item : keptSet.items) {
        const SettingSpec *spec = findSetting(item.settingId);
        const bool wanted = items.empty() || std::ranges::contains(items, index);
        ++index;
        if (!spec || !wanted)
            continue;
        AppliedStep step;
        step.address = {spec->domain, item.kernelName.empty() ? item.target : item.kernelName,
                        std::string(spec->key)};
        step.diskId = item.target;
        step.before = item.value;
        draft.steps.push_back(std::move(step));
    }
    send(HelperAction::Persist, {randomId(), ForgetRequest{keptSet.sha256, items, replaceEdited}},
         std::move(draft), std::move(done));
}

void ApplySession::useAtStart(bool use, Done done)
{
    send(HelperAction::Persist, {randomId(), UseAtStartRequest{use}}, {}, std::move(done));
}

void ApplySession::cancel()
{
    for (const auto &pipe : m_pipes) {
        if (const auto alive = pipe.lock())
            alive->close();
    }
}

void ApplySession::send(HelperAction action, const Request &request, ApplyReport draft, Done done)
{
    ++m_running;
    std::erase_if(m_pipes, [](const auto &pipe) { return pipe.expired(); });
    // The client may be gone before the answer, but it outlives this object; the other way round is guarded.
    const QPointer<ApplySession> self(this);
    m_calls.push_back(std::make_shared<Running>(request, std::move(draft), std::move(done)));
    m_pipes.push_back(
        m_client.call(action, request, [self, running = m_calls.back()](const CallResult &result) {
            // Nobody waits for it any longer if it was given up.
            if (self && std::erase(self->m_calls, running) != 0)
                self->finish(running->request, running->draft, result, running->done);
        }));
}

void ApplySession::giveUp()
{
    for (const auto &running : std::vector(m_calls)) {
        // What was called only since, when an answer was told, is waited for.
        if (std::erase(m_calls, running) == 0)
            continue;
        running->draft.givenUp = true;
        finish(running->request, running->draft, {}, running->done);
    }
}

void ApplySession::finish(const Request &request, ApplyReport report, const CallResult &result,
                          const Done &done)
{
    --m_running;
    report.call = result.state;
    report.denial = result.denial;
    report.agentMayBeMissing = result.agentMayBeMissing;
    switch (result.state) {
    case CallState::Answered:
        if (report.restoresAll)
            takeStepsFromHistory(report, report.transaction);
        else if (report.steps.empty() && std::holds_alternative<UndoRequest>(request.operation))
            // The entry of the change does not decode; that of undoing it was just written.
            takeStepsFromHistory(report, toHex(request.id));
        join(report, result.report);
        if (report.outcome == Outcome::Forgotten) {
            readAgain(report);
            markForgotten(report);
        }
        readStale(report);
        markOverruled(report);
        break;
    case CallState::NotAuthorized: report.outcome = Outcome::NotAuthorized; break;
    case CallState::Busy: report.outcome = Outcome::Busy; break;
    case CallState::HelperMissing:
    case CallState::Incompatible: report.outcome = Outcome::Refused; break;
    case CallState::Unknown: readAgain(report); break;
    }
    if (!report.kept)
        report.keptFor.reset();
    takeMostMore(request, report);
    settleRecord(request, report);
    if (result.state == CallState::Answered || result.state == CallState::Unknown)
        Q_EMIT systemChanged();
    done(report);
}

// The answer is lost. The values tell what is so now; they do not tell who made it so, nor whether more is to
// come, so the outcome stays unknown.
void ApplySession::readAgain(ApplyReport &report) const
{
    readNow(report.steps, m_reader, m_root);
}

// The helper names no number; when the trial began and how long it may last is known here.
void ApplySession::takeMostMore(const Request &request, ApplyReport &report) const
{
    const auto *prolonged = std::get_if<ProlongRequest>(&request.operation);
    if (!prolonged || report.call != CallState::Answered || report.why != Errc::OutOfRange)
        return;
    const auto known = m_records.find(prolonged->transaction);
    if (known == m_records.end() || !known->second.answered)
        return;
    report.mostMore = std::chrono::floor<std::chrono::seconds>(
        until(known->second.startedBoottimeNanoseconds + nanoseconds(limits::longestProlongedTrial)));
}

// A refusal says what is not as expected, but not what it is instead.
void ApplySession::readStale(ApplyReport &report) const
{
    const auto isUnread = [](const AppliedStep &step) {
        return step.result == StepResult::Stale && !step.after;
    };
    if (std::ranges::none_of(report.steps, isUnread))
        return;
    std::vector<AppliedStep> now = report.steps;
    readNow(now, m_reader, m_root);
    for (std::size_t at = 0; at < now.size(); ++at) {
        if (isUnread(report.steps[at]))
            report.steps[at].after = now[at].after;
    }
}

// Only the helper's record says which settings the answer's numbers belong to.
void ApplySession::takeStepsFromHistory(ApplyReport &report, const std::string &transaction) const
{
    const auto entry = readHistoryEntry(transaction, m_root);
    report.steps = entry ? stepsOf(*entry) : std::vector<AppliedStep>();
    if (!entry && report.restoresAll)
        report.transaction.clear();
}

void ApplySession::settleRecord(const Request &request, const ApplyReport &report)
{
    if (report.restoresAll && report.call == CallState::Answered &&
        (report.outcome == Outcome::Undone || report.outcome == Outcome::RollbackFailed)) {
        for (const PendingTrial &trial : pendingTrials())
            m_store.remove(trial.record.transaction);
        Q_EMIT trialsChanged();
        return;
    }
    const auto subject = subjectOf(request);
    if (!subject)
        return;
    const TransactionId &transaction = *subject;
    const bool isApply = std::holds_alternative<ApplyRequest>(request.operation);
    // An id that was used before is one that may be running.
    const bool neverBegan = isApply && report.call == CallState::Answered &&
                            report.outcome == Outcome::Refused && report.why != Errc::DuplicateId;
    const bool isStillOpen =
        !neverBegan &&
        (report.isUnknown() ||
         (report.call == CallState::Answered ? !isOver(report.outcome, report.why) : !isApply));
    if (isStillOpen) {
        saveOpen(request, transaction, report);
        watchDeadline(transaction);
    } else if (isApply || !mayStillBegin(transaction)) {
        m_store.remove(transaction);
    }
    if (!isCalledFor(transaction))
        m_records.erase(transaction);
    Q_EMIT trialsChanged();
}

bool ApplySession::isCalledFor(const TransactionId &transaction) const
{
    return std::ranges::any_of(
        m_calls, [&](const auto &running) { return subjectOf(running->request) == transaction; });
}

// Its password may still be asked for, here or in another program of the user: the helper knows it only after
// that, and without its token nobody could confirm it.
bool ApplySession::mayStillBegin(const TransactionId &transaction) const
{
    const bool isBegun = std::ranges::any_of(m_calls, [&](const auto &running) {
        return std::holds_alternative<ApplyRequest>(running->request.operation) &&
               running->request.id == transaction;
    });
    const auto stored = m_store.load(transaction);
    return isBegun || (stored && !stored->lease && !stored->answered && !stored->answerLost &&
                       isClientThere(*stored) && until(latestEnd(*stored)) > 0ms);
}

void ApplySession::saveOpen(const Request &request, const TransactionId &transaction,
                            const ApplyReport &report)
{
    const bool isApply = std::holds_alternative<ApplyRequest>(request.operation);
    const bool isRunning = report.call == CallState::Answered && report.deadlineBoottimeNanoseconds != 0;
    const auto known = m_records.find(transaction);
    if (known == m_records.end() || (!isRunning && !(isApply && report.isUnknown())))
        return;
    const auto stored = m_store.load(transaction);
    // Without its file a trial that runs could not be confirmed.
    TrialRecord record = stored ? *stored : known->second;
    record.answerLost = !isRunning;
    if (isRunning) {
        record.answered = true;
        record.deadlineBoottimeNanoseconds = report.deadlineBoottimeNanoseconds;
    }
    if (isRunning && isApply) {
        record.startedBoottimeNanoseconds =
            record.deadlineBoottimeNanoseconds -
            std::min(record.deadlineBoottimeNanoseconds, nanoseconds(report.trial));
        for (std::size_t at = 0; at < std::min(record.items.size(), report.steps.size()); ++at)
            record.items[at].after = report.steps[at].after;
    }
    static_cast<void>(m_store.save(record));
}

void ApplySession::watchDeadline(const TransactionId &transaction)
{
    const auto record = m_store.load(transaction);
    if (!record)
        return;
    QTimer::singleShot(until(latestEnd(*record)) + graceAfterDeadline, this, [this, transaction] {
        // Another program of the user may have settled or prolonged it meanwhile.
        const auto now = m_store.load(transaction);
        if (now && until(latestEnd(*now)) > 0ms) {
            watchDeadline(transaction);
            return;
        }
        // What nothing is known of is told by the next program that looks.
        if (now && !isCalledFor(transaction) && (endOf(transaction) || isAsBefore(*now)))
            m_store.remove(transaction);
        Q_EMIT trialsChanged();
        Q_EMIT systemChanged();
    });
}

std::vector<PendingTrial> ApplySession::pendingTrials() const
{
    std::vector<PendingTrial> pending;
    for (TrialRecord &record : m_store.running())
        pending.push_back({std::move(record)});
    return pending;
}

std::optional<TrialRecord> ApplySession::trial(const TransactionId &transaction) const
{
    const auto loaded = m_store.load(transaction);
    return loaded ? std::optional(*loaded) : std::nullopt;
}

std::optional<HistoryEntry> ApplySession::endOf(const TransactionId &transaction) const
{
    const auto entry = readHistoryEntry(toHex(transaction), m_root);
    return entry && entry->outcome != Outcome::Trial ? std::optional(*entry) : std::nullopt;
}

bool ApplySession::isAsBefore(const TrialRecord &record) const
{
    std::vector<AppliedStep> now = stepsOf(record);
    readNow(now, m_reader, m_root);
    return areAsBefore(now, m_reader, m_root);
}

void ApplySession::awaitEnd(const TransactionId &transaction, const std::vector<AppliedStep> &steps,
                            Done done)
{
    ++m_running;
    QTimer::singleShot(0, this, [this, transaction, steps, done = std::move(done)] {
        lookForEnd(transaction, steps, endLooks, done);
    });
}

void ApplySession::lookForEnd(const TransactionId &transaction, const std::vector<AppliedStep> &steps,
                              int looksLeft, Done done)
{
    const auto entry = endOf(transaction);
    if (!entry && looksLeft > 0) {
        QTimer::singleShot(endInterval, this, [this, transaction, steps, looksLeft, done = std::move(done)] {
            lookForEnd(transaction, steps, looksLeft - 1, done);
        });
        return;
    }
    --m_running;
    std::vector<AppliedStep> now = steps;
    readNow(now, m_reader, m_root);
    // A trial that the helper never spoke of may still begin: values as before prove nothing then.
    const auto stored = m_store.load(transaction);
    const bool isBack =
        !entry && (!stored || stored->lease || stored->answered) && areAsBefore(now, m_reader, m_root);
    ApplyReport report =
        entry ? reportOfEnd(*entry, std::move(now)) : reportWithoutRecord(std::move(now), isBack);
    report.transaction = toHex(transaction);
    markOverruled(report);
    if (!report.isUnknown())
        m_store.remove(transaction);
    Q_EMIT trialsChanged();
    Q_EMIT systemChanged();
    done(report);
}

std::vector<EndedTrial> ApplySession::resume()
{
    std::vector<EndedTrial> ended;
    for (TrialRecord &record : m_store.all(currentBootId())) {
        if (isCalledFor(record.transaction))
            continue;
        const auto entry = endOf(record.transaction);
        // A trial that nobody answered for may wait for its password, in another program of the user.
        if (!entry && until(latestEnd(record)) > 0ms) {
            watchDeadline(record.transaction);
            continue;
        }
        // A record without a trial is the token of a call whose answer was lost; it has no deadline to tell
        // of.
        const bool isTrial = record.deadlineBoottimeNanoseconds > record.startedBoottimeNanoseconds;
        if (entry || !isTrial || isAsBefore(record)) {
            m_store.remove(record.transaction);
            // Without a word of the helper it may never have begun.
            if (isTrial && (entry || record.answered))
                ended.push_back({record,
                                 entry ? entry->outcome : Outcome::Ended,
                                 true,
                                 {},
                                 entry ? entry->steps : std::vector<HistoryStep>()});
            continue;
        }
        // It may still be open: only a helper that runs again puts it back, and then it can be asked for.
        if (std::exchange(record.told, true))
            continue;
        static_cast<void>(m_store.save(record));
        std::vector<AppliedStep> now = stepsOf(record);
        readNow(now, m_reader, m_root);
        EndedTrial trial{record, Outcome::Ended, false, {}};
        for (const AppliedStep &step : now)
            trial.now.push_back(step.after);
        ended.push_back(std::move(trial));
    }
    return ended;
}

} // namespace diskwright
