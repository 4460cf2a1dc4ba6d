// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executor.h"

#include "../access/limitnote.h"
#include "../persist/bootlimit.h"
#include "../persist/bootstore.h"
#include "firstseen.h"
#include "keptundo.h"
#include "restoreall.h"
#include "transaction.h"

#include <QCryptographicHash>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <poll.h>
#include <set>
#include <syslog.h>
#include <utility>

namespace diskwright {

namespace {

TokenHash hashOf(const Token &token)
{
    const QByteArrayView bytes(token.data(), static_cast<qsizetype>(token.size()));
    TokenHash hash{};
    std::ranges::copy(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256), hash.begin());
    return hash;
}

// Takes the same time wherever the first difference is.
bool isSame(const TokenHash &one, const TokenHash &other)
{
    unsigned int difference = 0;
    for (std::size_t at = 0; at < one.size(); ++at)
        difference |= static_cast<unsigned int>(one[at] ^ other[at]);
    return difference == 0;
}

Report refused(const Refusal &refusal, std::size_t steps = 0)
{
    Report report;
    report.outcome = refusal.why == Errc::Busy            ? Outcome::Busy
                     : refusal.why == Errc::NotAuthorized ? Outcome::NotAuthorized
                                                          : Outcome::Refused;
    report.why = refusal.why;
    report.sysErrno = refusal.sysErrno;
    report.culprit = refusal.culprit;
    report.steps.resize(steps);
    if (refusal.culprit && *refusal.culprit < steps) {
        StepReport &step = report.steps[*refusal.culprit];
        step.result = refusal.why == Errc::Stale                                     ? StepResult::Stale
                      : refusal.why == Errc::DeviceChanged                           ? StepResult::DeviceGone
                      : refusal.why == Errc::Absent || refusal.why == Errc::ReadOnly ? StepResult::Unsupported
                                                                                     : StepResult::Rejected;
        step.why = refusal.why;
        step.sysErrno = refusal.sysErrno;
    }
    return report;
}

Report refused(const Error &error, std::size_t steps = 0)
{
    return refused(Refusal{error.code, {}, error.sysErrno}, steps);
}

std::optional<std::int64_t> travelling(const JournalItem &item, const std::optional<Value> &value)
{
    const auto number = value ? toReportNumber(*findSetting(item.setting), *value) : fail(Errc::Absent);
    return number ? std::optional(*number) : std::nullopt;
}

Report reportOf(const Journal &journal)
{
    Report report;
    report.outcome = journal.outcome;
    report.why = journal.why;
    report.kept = journal.kept;
    const bool restores = journal.kind == TransactionKind::RestoreAll;
    if (restores && journal.kept)
        report.keepWhy = journal.why;
    if (journal.state == JournalState::Pending)
        report.deadlineBoottimeNanoseconds = journal.deadlineBoottimeNanoseconds;
    for (const JournalItem &item : journal.items) {
        if (!item.asked)
            break;
        if (item.why != Errc::None && !report.culprit) {
            report.culprit = static_cast<std::uint16_t>(report.steps.size());
            report.why = item.why;
            report.sysErrno = item.sysErrno;
        }
        report.steps.push_back({item.result, item.why, item.sysErrno,
                                travelling(item, restores ? item.wanted : item.before),
                                travelling(item, item.after)});
    }
    return report;
}

Outcome outcomeOf(const Journal &journal)
{
    const auto any = [&](StepResult result) {
        return std::ranges::any_of(
            journal.items, [&](const JournalItem &item) { return item.asked && item.result == result; });
    };
    return any(StepResult::Adjusted)  ? Outcome::Adjusted
           : any(StepResult::Applied) ? Outcome::Applied
                                      : Outcome::Unchanged;
}

// After a change of the dirty limits a kept byte limit is written again, and then it is another share: that
// is nobody else's change.
bool isOurLimit(const SystemRoot &root, const Directory *disk, const Journal &record,
                const JournalItem &stored)
{
    return record.kept && disk && std::ranges::any_of(record.items, [&](const JournalItem &item) {
               const SettingSpec &spec = *findSetting(item.setting);
               return item.device == stored.device && spec.drifts && spec.exact == stored.setting &&
                      item.wanted && isLimitAsNoted(root, *disk, *item.wanted);
           });
}

bool isChangeNeeded(const std::vector<JournalItem> &items)
{
    return std::ranges::any_of(
        items, [](const JournalItem &item) { return item.wanted && item.before != item.wanted; });
}

Journal journalFor(const TransactionId &id, const Caller &caller, const std::string &bootId, CheckedPlan plan)
{
    Journal journal;
    journal.id = id;
    journal.uid = caller.uid;
    journal.bootId = bootId;
    journal.timeSeconds = static_cast<std::uint64_t>(std::time(nullptr));
    journal.startBoottimeNanoseconds = boottimeNanoseconds();
    journal.devices = std::move(plan.devices);
    journal.items = std::move(plan.items);
    return journal;
}

std::uint64_t nanoseconds(std::chrono::seconds duration)
{
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(duration).count());
}

// Which action each operation may come under.
bool isUnderItsAction(const Operation &operation, Action action)
{
    if (std::holds_alternative<ApplyRequest>(operation) || std::holds_alternative<UndoRequest>(operation))
        return action == Action::Tune || action == Action::Plan;
    if (std::holds_alternative<LeaseRequest>(operation) ||
        std::holds_alternative<RestoreAllRequest>(operation))
        return action == Action::Plan;
    if (std::holds_alternative<KeepRequest>(operation) || std::holds_alternative<ForgetRequest>(operation) ||
        std::holds_alternative<UseAtStartRequest>(operation))
        return action == Action::Persist;
    return action == Action::Settle;
}

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

} // namespace

Report Executor::run(const Request &request, const Caller &caller)
{
    Report report;
    if (!isUnderItsAction(request.operation, caller.action)) {
        report = refused(Refusal{.why = Errc::NotAuthorized, .culprit = {}});
    } else if (const auto lock = m_journals.lock(); !lock) {
        report = refused(lock.error());
    } else {
        for (const std::string &line : m_journals.recover())
            syslog(LOG_WARNING, "recovered %s", line.c_str());
        report = std::visit(
            Overloaded{[&](const ApplyRequest &apply) { return this->apply(request.id, apply, caller); },
                       [&](const LeaseRequest &lease) { return this->lease(request.id, lease, caller); },
                       [&](const ConfirmRequest &confirm) { return this->confirm(confirm, caller); },
                       [&](const ProlongRequest &prolong) { return this->prolong(prolong, caller); },
                       [&](const EndRequest &end) { return this->end(end, caller); },
                       [&](const SwitchRequest &change) { return switchTo(change, caller); },
                       [&](const KeepRequest &keep) { return this->keep(keep); },
                       [&](const ForgetRequest &forget) { return this->forget(forget); },
                       [&](const UseAtStartRequest &start) { return useAtStart(start); },
                       [&](const UndoRequest &undo) { return this->undo(request.id, undo, caller); },
                       [&](const RestoreAllRequest &) { return restoreAll(request.id, caller); }},
            request.operation);
    }
    report.request = request.id;
    return report;
}

bool Executor::covers(const Caller &caller, const std::vector<JournalItem> &items) const
{
    std::set<ActionClass> classes;
    for (const JournalItem &item : items)
        classes.insert(findSetting(item.setting)->action);
    return std::ranges::all_of(classes, [&](ActionClass needed) {
        return caller.action == Action::Plan ? caller.mayChange(needed)
                                             : caller.action == Action::Tune && needed == ActionClass::Tune;
    });
}

// Something open that touches what the plan does. Where that can't be told, nothing is begun.
std::optional<Refusal> Executor::whyHeld(const CheckedPlan &plan) const
{
    const auto pending = m_journals.pending();
    if (!pending)
        return Refusal{pending.error().code, {}, pending.error().sysErrno};
    const auto overlaps = [&](const JournalItem &held) {
        return std::ranges::any_of(plan.items, [&](const JournalItem &item) {
            return !held.device && held.setting == item.setting;
        });
    };
    const bool isHeld = std::ranges::any_of(*pending, [&](const Journal &open) {
        // The items of a pair's both halves are always listed, so rows are enough to compare.
        return std::ranges::any_of(open.items, overlaps) ||
               std::ranges::any_of(plan.devices, [&](const JournalDevice &device) {
                   return std::ranges::any_of(open.devices, [&](const JournalDevice &held) {
                       return held.identity.isSameDevice(device.identity);
                   });
               });
    });
    return isHeld ? std::optional(Refusal{.why = Errc::Busy, .culprit = {}}) : std::nullopt;
}

Report Executor::apply(const TransactionId &id, const ApplyRequest &request, const Caller &caller)
{
    const std::size_t count = request.changes.size();
    auto plan = checkPlan(m_journals.root(), request.devices, request.changes);
    if (!plan)
        return refused(plan.error(), count);
    if (!covers(caller, plan->items) ||
        (request.keep && (caller.action != Action::Plan || !caller.mayKeep())))
        return refused(Refusal{.why = Errc::NotAuthorized, .culprit = {}}, count);
    if (const auto held = whyHeld(*plan))
        return refused(*held, count);
    auto trial = request.trial;
    if (plan->switchesSystemDisk && trial.count() == 0)
        trial = limits::systemDiskTrial;
    if (!isChangeNeeded(plan->items))
        trial = {};

    Journal journal = journalFor(id, caller, m_journals.bootId(), std::move(*plan));
    journal.token = hashOf(request.token);
    journal.keep = request.keep;
    journal.keepFor = request.keepFor;
    journal.origin = request.origin;
    if (trial.count() != 0) {
        journal.kind = TransactionKind::Trial;
        journal.deadlineBoottimeNanoseconds = journal.startBoottimeNanoseconds + nanoseconds(trial);
    }
    if (const auto begun = m_journals.begin(journal); !begun)
        return refused(begun.error(), count);
    if (trial.count() != 0) {
        if (const auto kept = m_deadlines.start(toHex(id), nanoseconds(trial), -1); !kept) {
            m_journals.rollBack(journal);
            return refused(kept.error(), count);
        }
    }
    Report report = carryOutPlan(journal, caller);
    if (journal.keep && journal.state == JournalState::Done && outcomeOf(journal) == journal.outcome)
        keepAll(journal, report);
    return report;
}

Report Executor::carryOutPlan(Journal &journal, const Caller &caller)
{
    const Targets targets(m_journals.root(), journal);
    const Outcome success = journal.outcome;
    bool done = carryOut(targets, journal, caller.cancel) && recordAfter(targets, journal);
    if (done) {
        journal.outcome = success == Outcome::Undone ? Outcome::Undone : outcomeOf(journal);
        if (journal.kind == TransactionKind::Trial) {
            journal.outcome = Outcome::Trial;
            journal.state = JournalState::Pending;
            done = m_journals.update(journal).has_value();
            if (done)
                m_journals.refreshLimits(journal);
        } else {
            done = m_journals.finish(journal).has_value();
        }
        if (!done)
            journal.why = Errc::StateFile;
    }
    if (!done) {
        markChangedMeanwhile(targets, journal);
        m_journals.rollBack(journal);
    }
    return reportOf(journal);
}

Report Executor::lease(const TransactionId &id, const LeaseRequest &request, const Caller &caller)
{
    const std::size_t count = request.settings.size();
    std::optional<CheckedPlan> first;
    for (const auto &state : request.states) {
        auto changes = request.settings;
        for (std::size_t at = 0; at < count; ++at) {
            changes[at].wanted = state[at];
            if (!first && changes[at].wanted != changes[at].expected)
                return refused(Refusal{Errc::Malformed, static_cast<std::uint16_t>(at)}, count);
        }
        auto plan = checkPlan(m_journals.root(), request.devices, changes);
        if (!plan)
            return refused(plan.error(), count);
        if (!first)
            first = std::move(*plan);
    }
    if (!covers(caller, first->items))
        return refused(Refusal{.why = Errc::NotAuthorized, .culprit = {}}, count);
    if (const auto held = whyHeld(*first))
        return refused(*held, count);
    const auto pending = m_journals.pending();
    if (!pending)
        return refused(pending.error(), count);
    const bool hasOne = std::ranges::any_of(*pending, [&](const Journal &open) {
        return open.kind == TransactionKind::Lease && open.uid == caller.uid;
    });
    if (hasOne)
        return refused(Refusal{.why = Errc::Busy, .culprit = {}}, count);
    pollfd pipe{.fd = caller.cancel, .events = POLLIN, .revents = 0};
    if (caller.cancel < 0 || poll(&pipe, 1, 0) != 0)
        return refused(Refusal{.why = Errc::Cancelled, .culprit = {}}, count);

    Journal journal = journalFor(id, caller, m_journals.bootId(), std::move(*first));
    journal.kind = TransactionKind::Lease;
    journal.outcome = Outcome::LeaseHeld;
    journal.token = hashOf(request.token);
    journal.deadlineBoottimeNanoseconds = journal.startBoottimeNanoseconds + nanoseconds(request.duration);
    journal.lease = JournalLease{.states = request.states, .mostSwitches = request.mostSwitches};
    for (JournalItem &item : journal.items) {
        item.after = item.before;
        item.result = item.asked ? StepResult::Unchanged : StepResult::NotAttempted;
    }
    if (const auto begun = m_journals.begin(journal); !begun)
        return refused(begun.error(), count);
    auto begun = m_deadlines.start(toHex(id), nanoseconds(request.duration), caller.cancel);
    // In force only now: nobody would end a lease whose deadline is not kept.
    journal.state = JournalState::Pending;
    if (begun)
        begun = m_journals.update(journal);
    if (!begun) {
        m_journals.rollBack(journal);
        return refused(begun.error(), count);
    }
    return reportOf(journal);
}

Result<Journal> Executor::owned(const TransactionId &transaction, const Token &token,
                                const Caller &caller) const
{
    const std::string id = toHex(transaction);
    auto journal = loadJournal(m_journals.state(), Folder::Open, id);
    const bool isOpen = journal.has_value();
    if (!isOpen)
        journal = loadJournal(m_journals.state(), Folder::Record, id);
    if (!journal)
        return fail(Errc::UnknownTransaction, id, "no such transaction");
    if (journal->uid != caller.uid || !isSame(journal->token, hashOf(token)))
        return fail(Errc::WrongToken, id, "another user's, or the wrong token");
    if (!isOpen || journal->state != JournalState::Pending)
        return fail(Errc::Expired, id, "is over");
    return journal;
}

Report Executor::confirm(const ConfirmRequest &request, const Caller &caller)
{
    auto journal = owned(request.transaction, request.token, caller);
    if (!journal)
        return refused(journal.error());
    if (journal->kind != TransactionKind::Trial)
        return refused(Refusal{.why = Errc::Conflict, .culprit = {}});
    journal->outcome = Outcome::Confirmed;
    if (const auto finished = m_journals.finish(*journal); !finished)
        return refused(finished.error());
    Report report = reportOf(*journal);
    if (journal->keep)
        keepAll(*journal, report);
    const Targets targets(m_journals.root(), *journal);
    for (std::size_t at = 0; at < report.steps.size(); ++at) {
        const JournalItem &item = journal->items[at];
        const auto same = isAsLeft(targets, *journal, item);
        if (same && *same)
            continue;
        const auto now = targets.read(item);
        const bool isGone = !same && same.error().code == Errc::DeviceChanged;
        report.steps[at].result = isGone ? StepResult::DeviceGone : StepResult::Stale;
        report.steps[at].why = same ? Errc::Stale : same.error().code;
        report.steps[at].after = travelling(item, now ? std::optional(*now) : std::nullopt);
    }
    return report;
}

Report Executor::prolong(const ProlongRequest &request, const Caller &caller)
{
    auto journal = owned(request.transaction, request.token, caller);
    if (!journal)
        return refused(journal.error());
    if (journal->kind != TransactionKind::Trial)
        return refused(Refusal{.why = Errc::Conflict, .culprit = {}});
    const std::uint64_t latest =
        journal->startBoottimeNanoseconds + nanoseconds(limits::longestProlongedTrial);
    const std::uint64_t next = boottimeNanoseconds() + nanoseconds(request.more);
    if (next > latest)
        return refused(Refusal{.why = Errc::OutOfRange, .culprit = {}});
    // Whoever keeps the deadline looks here when it comes, and waits on.
    journal->deadlineBoottimeNanoseconds = std::max(next, journal->deadlineBoottimeNanoseconds);
    if (const auto updated = m_journals.update(*journal); !updated)
        return refused(updated.error());
    Report report = reportOf(*journal);
    report.outcome = Outcome::Prolonged;
    return report;
}

Report Executor::end(const EndRequest &request, const Caller &caller)
{
    auto journal = owned(request.transaction, request.token, caller);
    if (!journal)
        return refused(journal.error());
    if (!request.stay)
        return putBack(*journal);
    if (!journal->lease)
        return refused(Refusal{.why = Errc::Conflict, .culprit = {}});
    Report moved = moveLease(*journal, *request.stay, caller);
    if (moved.outcome != Outcome::LeaseHeld)
        return moved;
    // Seen from the lease's beginning, not from its last state.
    for (JournalItem &item : journal->items) {
        if (item.asked)
            item.result = item.after == item.before   ? StepResult::Unchanged
                          : item.after == item.wanted ? StepResult::Applied
                                                      : StepResult::Adjusted;
    }
    journal->outcome = outcomeOf(*journal);
    if (const auto finished = m_journals.finish(*journal); !finished)
        return refused(finished.error());
    return reportOf(*journal);
}

Report Executor::switchTo(const SwitchRequest &request, const Caller &caller)
{
    auto journal = owned(request.transaction, request.token, caller);
    if (!journal)
        return refused(journal.error());
    if (!journal->lease)
        return refused(Refusal{.why = Errc::Conflict, .culprit = {}});
    if (journal->lease->switches >= journal->lease->mostSwitches)
        return refused(Refusal{.why = Errc::SwitchLimit, .culprit = {}});
    ++journal->lease->switches;
    return moveLease(*journal, request.state, caller);
}

// What became of the values is the answer, also where the journal can't be closed.
Report Executor::putBack(Journal &journal) const
{
    if (!m_journals.end(journal) && journal.why == Errc::None)
        journal.why = Errc::StateFile;
    return reportOf(journal);
}

Report Executor::moveLease(Journal &journal, std::uint8_t state, const Caller &caller)
{
    if (state >= journal.lease->states.size())
        return refused(Refusal{.why = Errc::OutOfRange, .culprit = {}});
    const Targets targets(m_journals.root(), journal);
    Errc lost = Errc::None;
    for (const JournalItem &item : journal.items) {
        const auto same = item.asked ? isAsLeft(targets, journal, item) : Result<bool>(true);
        if (!same && same.error().code == Errc::Kernel)
            lost = Errc::Kernel;
        else if (!same.value_or(false))
            lost = Errc::Stale;
    }
    if (lost != Errc::None) {
        // Whatever somebody else set is left alone; the rest goes back to the first state.
        journal.why = lost;
        return putBack(journal);
    }
    const auto &values = journal.lease->states[state];
    for (std::size_t at = 0; at < journal.items.size(); ++at) {
        JournalItem &item = journal.items[at];
        item.result = StepResult::NotAttempted;
        // The first state is all that was so, with what the other states reset on their way.
        item.wanted = at < values.size()                         ? std::optional(values[at])
                      : state == 0 || isDisturbed(journal, item) ? item.before
                                                                 : std::nullopt;
    }
    journal.state = JournalState::Writing;
    if (const auto updated = m_journals.update(journal); !updated)
        return refused(updated.error());
    bool done = carryOut(targets, journal, caller.cancel) && recordAfter(targets, journal);
    if (done) {
        journal.state = JournalState::Pending;
        journal.lease->current = state;
        done = m_journals.update(journal).has_value();
    }
    if (!done) {
        markChangedMeanwhile(targets, journal);
        m_journals.rollBack(journal);
    }
    return reportOf(journal);
}

void Executor::keepItems(Journal &journal, const KeepRequest &request, Report &report) const
{
    const Targets targets(m_journals.root(), journal);
    const FirstSeen firstSeen(m_journals, journal);
    std::vector<KeepItem> wanted;
    for (const std::uint16_t index : request.items) {
        const JournalItem &item = journal.items[index];
        const auto same = isAsLeft(targets, journal, item);
        const bool asApplied = item.result == StepResult::Applied || item.result == StepResult::Adjusted ||
                               item.result == StepResult::Unchanged;
        // A start must never bring what is not in force now.
        if (!asApplied || !same || !*same) {
            report.keepWhy = same ? Errc::Stale : same.error().code;
            report.culprit = index;
            return;
        }
        const SettingSpec &spec = *findSetting(item.setting);
        const auto device =
            item.device ? std::optional(journal.devices[*item.device].identity) : std::nullopt;
        const auto first = firstSeen.valueOf(device, spec.id);
        const JournalItem &stored = storedBehind(journal, item);
        wanted.push_back({.spec = &spec,
                          .device = device,
                          .value = spec.drifts ? *item.wanted : *item.after,
                          .original = first.value_or(item.before.value_or(*item.after)),
                          .exactOriginal = spec.drifts && &stored != &item
                                               ? firstSeen.valueOf(device, stored.setting)
                                               : std::nullopt,
                          .forClass = item.device ? request.keepFor : std::nullopt,
                          .pairOriginal = firstSeen.valueOf(device, spec.pair)});
    }
    const bool wasKept = std::exchange(journal.kept, true);
    const auto wasKeptFor = std::exchange(journal.keepFor, request.keepFor);
    // Noted first: an undo that looks for something kept and finds nothing does no harm, one that does not
    // look leaves it there.
    const auto noted =
        m_journals.kept() ? m_journals.updateRecord(journal) : Result<>(fail(Errc::NeedsSystemd));
    const auto done = noted ? m_journals.kept()->keep(wanted, request.origin, request.replaceEdited)
                            : std::expected<KeepOutcome, KeepFailure>(
                                  std::unexpect, KeepFailure{noted.error(), std::nullopt});
    if (!done) {
        // A report has no room for the file's name.
        syslog(LOG_WARNING, "not kept: %s: %s", printable(done.error().error.input).c_str(),
               printable(done.error().error.reason).c_str());
        journal.kept = wasKept;
        journal.keepFor = wasKeptFor;
        if (noted)
            static_cast<void>(m_journals.updateRecord(journal));
        report.keepWhy = done.error().error.code;
        report.sysErrno = done.error().error.sysErrno;
        if (done.error().culprit && *done.error().culprit < request.items.size())
            report.culprit = request.items[*done.error().culprit];
        return;
    }
    for (const KeepItem &item : wanted) {
        const auto disk =
            item.spec->drifts ? m_journals.root().blockDevice(item.device->name) : fail(Errc::Absent);
        if (disk)
            // Without a note the limit is judged by its bytes alone.
            static_cast<void>(noteLimit(m_journals.root(), *disk, item.value));
    }
    report.kept = true;
    m_journals.releaseHolds();
}

void Executor::keepAll(Journal &journal, Report &report) const
{
    std::vector<std::uint16_t> all(journal.askedCount());
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    keepItems(journal, {journal.id, all, journal.origin, false, journal.keepFor}, report);
}

Report Executor::keep(const KeepRequest &request)
{
    auto record = loadJournal(m_journals.state(), Folder::Record, toHex(request.transaction));
    if (!record)
        return refused(m_journals.state().has(Folder::Open, toHex(request.transaction))
                           ? Refusal{.why = Errc::Conflict, .culprit = {}}
                           : Refusal{.why = record.error().code, .culprit = {}});
    if (record->bootId != m_journals.bootId())
        return refused(Refusal{.why = Errc::Expired, .culprit = {}});
    const bool inForce = isUndoable(*record) || record->outcome == Outcome::Unchanged;
    for (const std::uint16_t index : request.items) {
        if (!inForce || index >= record->askedCount() || std::ranges::count(request.items, index) != 1)
            return refused(Refusal{.why = inForce ? Errc::Malformed : Errc::Conflict, .culprit = index});
    }
    Report report = reportOf(*record);
    report.outcome = Outcome::Kept;
    keepItems(*record, request, report);
    if (!report.kept || report.keepWhy != Errc::None) {
        report.outcome = Outcome::Refused;
        report.why = report.keepWhy;
    }
    return report;
}

Report Executor::forget(const ForgetRequest &request)
{
    if (!m_journals.kept())
        return refused(Refusal{.why = Errc::NeedsSystemd, .culprit = {}});
    if (const auto done =
            m_journals.kept()->forget(request.bootSetSha256, request.items, request.replaceEdited);
        !done)
        return refused(done.error());
    m_journals.releaseHolds();
    Report report;
    report.outcome = Outcome::Forgotten;
    return report;
}

Report Executor::useAtStart(const UseAtStartRequest &request)
{
    if (!m_journals.kept())
        return refused(Refusal{.why = Errc::NeedsSystemd, .culprit = {}});
    if (const auto done = m_journals.kept()->useAtStart(request.use); !done)
        return refused(done.error());
    Report report;
    report.outcome = Outcome::Applied;
    return report;
}

Report Executor::undo(const TransactionId &id, const UndoRequest &request, const Caller &caller)
{
    auto record = loadJournal(m_journals.state(), Folder::Record, toHex(request.transaction));
    if (!record)
        return refused(m_journals.state().has(Folder::Open, toHex(request.transaction))
                           ? Refusal{.why = Errc::Conflict, .culprit = {}}
                           : Refusal{.why = record.error().code, .culprit = {}});
    const std::size_t count = record->askedCount();
    if (isUndoable(*record) && record->bootId != m_journals.bootId() && record->kept && m_journals.kept())
        return undoKept(id, request, *record, caller);
    if (!isUndoable(*record) || record->bootId != m_journals.bootId())
        return refused(Refusal{.why = Errc::NotUndoable, .culprit = {}}, count);
    const bool stopsKeeping = record->kept && !request.staysKept;
    if (!covers(caller, record->items) ||
        (stopsKeeping && (caller.action != Action::Plan || !caller.mayKeep())))
        return refused(Refusal{.why = Errc::NotAuthorized, .culprit = {}}, count);

    const Targets targets(m_journals.root(), *record);
    CheckedPlan plan{.devices = record->devices, .items = {}};
    for (std::size_t at = 0; at < record->items.size(); ++at) {
        const JournalItem &then = record->items[at];
        const JournalItem &stored = storedBehind(*record, then);
        const auto now = targets.read(then);
        const auto storedNow = targets.read(stored);
        if (!now && now.error().code == Errc::DeviceChanged) {
            // Its values went with it; what was done to others is undone all the same.
            JournalItem gone = then;
            gone.before = gone.wanted = gone.after = std::nullopt;
            gone.result = StepResult::DeviceGone;
            gone.why = Errc::DeviceChanged;
            plan.items.push_back(std::move(gone));
            continue;
        }
        const bool foreign =
            storedNow && stored.after != *storedNow && stored.before != *storedNow &&
            !isOurLimit(m_journals.root(), targets.directory(stored.device), *record, stored);
        if (foreign && then.asked && !request.force)
            return refused(Refusal{Errc::Stale, static_cast<std::uint16_t>(at)}, count);
        const bool isWritten = then.before && &stored == &then && (!foreign || request.force);
        plan.items.push_back({.device = then.device,
                              .setting = then.setting,
                              .asked = then.asked,
                              .before = now ? std::optional(*now) : std::nullopt,
                              .wanted = isWritten ? then.before : std::nullopt,
                              .after = {},
                              .result = isWritten ? StepResult::NotAttempted : StepResult::Applied});
    }
    if (std::ranges::all_of(plan.items, [](const JournalItem &item) {
            return item.result == StepResult::DeviceGone || !item.asked;
        }))
        return refused(Refusal{Errc::DeviceChanged, std::uint16_t{0}}, count);
    addSideEffects(plan.items,
                   [&](std::optional<std::uint16_t> device) { return targets.directory(device); });
    if (const auto held = whyHeld(plan))
        return refused(*held, count);
    Journal journal = journalFor(id, caller, m_journals.bootId(), std::move(plan));
    journal.outcome = Outcome::Undone;
    if (const auto begun = m_journals.begin(journal); !begun)
        return refused(begun.error(), count);
    Report report = carryOutPlan(journal, caller);
    if (report.outcome != Outcome::Undone)
        return report;
    // A disk that is gone is told at its step; nothing failed.
    report.culprit.reset();
    report.why = Errc::None;
    report.sysErrno = 0;
    const auto forgotten = stopsKeeping ? forgetKept(m_journals, *record) : Result<>();
    if (!forgotten) {
        report.keepWhy = forgotten.error().code;
        report.sysErrno = forgotten.error().sysErrno;
    }
    report.kept = record->kept && (request.staysKept || !forgotten || isStillKept(m_journals, *record));
    // What comes again with the next start stays undoable.
    record->undone = !report.kept;
    record->kept = report.kept;
    static_cast<void>(m_journals.updateRecord(*record));
    return report;
}

// Runtime values of another boot are gone; what the transaction keeps is not.
Report Executor::undoKept(const TransactionId &id, const UndoRequest &request, Journal &record,
                          const Caller &caller)
{
    const std::size_t count = record.askedCount();
    auto undo = planKeptUndo(m_journals, record, request.force);
    if (!undo)
        return refused(undo.error(), count);
    if (!covers(caller, record.items) ||
        (!request.staysKept && (caller.action != Action::Plan || !caller.mayKeep())))
        return refused(Refusal{.why = Errc::NotAuthorized, .culprit = {}}, count);
    if (const auto held = whyHeld(undo->plan))
        return refused(*held, count);
    Journal journal = journalFor(id, caller, m_journals.bootId(), std::move(undo->plan));
    journal.outcome = Outcome::Undone;
    if (const auto begun = m_journals.begin(journal); !begun)
        return refused(begun.error(), count);
    Report report = carryOutPlan(journal, caller);
    if (report.outcome != Outcome::Undone)
        return report;
    if (request.staysKept) {
        report.kept = true;
        return report;
    }
    const auto forgotten = m_journals.kept()->forget(undo->hash, undo->kept, false);
    m_journals.releaseHolds();
    report.kept = !forgotten;
    if (!forgotten) {
        report.keepWhy = forgotten.error().code;
        report.sysErrno = forgotten.error().sysErrno;
    }
    record.undone = forgotten.has_value();
    record.kept = !forgotten;
    static_cast<void>(m_journals.updateRecord(record));
    return report;
}

Report Executor::restoreAll(const TransactionId &id, const Caller &caller)
{
    const auto plan = planRestore(m_journals);
    if (!plan)
        return refused(plan.error());
    if (!covers(caller, plan->items) || (plan->keeps && !caller.mayKeep()))
        return refused(Refusal{.why = Errc::NotAuthorized, .culprit = {}});
    if (plan->isEmpty()) {
        Report report;
        report.outcome = Outcome::Unchanged;
        return report;
    }
    const auto journal = restoreEverything(m_journals, id, caller.uid);
    return journal ? reportOf(*journal) : refused(journal.error());
}

} // namespace diskwright
