// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/trialend.h"

#include "helper/contract/catalogue.h"

#include <QDateTime>

#include <algorithm>

namespace diskwright {

namespace {

// A trial that ran out was rolled back, says the helper's record; it did not fail.
Outcome outcomeOfTrial(const HistoryEntry &entry)
{
    return entry.outcome == Outcome::RolledBack ? Outcome::Ended : entry.outcome;
}

bool isAsBefore(const AppliedStep &step, const CurrentReader &reader, const QString &root)
{
    if (!step.before || !step.after)
        return false;
    const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
    if (!spec || !spec->drifts)
        return step.after == step.before;
    const SettingSpec *exact = findSetting(spec->exact);
    if (!step.exactBefore || !exact)
        return isAsWanted(*spec, *step.before, *step.after);
    return reader.read({exact->domain, step.address.target, std::string(exact->key)}, root) ==
           step.exactBefore;
}

} // namespace

void readNow(std::vector<AppliedStep> &steps, const CurrentReader &reader, const QString &root)
{
    std::vector<Address> addresses;
    addresses.reserve(steps.size());
    for (const AppliedStep &step : steps)
        addresses.push_back(step.address);
    const auto now = reader.read(addresses, root);
    for (std::size_t at = 0; at < steps.size(); ++at)
        steps[at].after = now[at];
}

bool areAsBefore(const std::vector<AppliedStep> &steps, const CurrentReader &reader, const QString &root)
{
    return std::ranges::all_of(steps,
                               [&](const AppliedStep &step) { return isAsBefore(step, reader, root); });
}

ApplyReport reportOfEnd(const HistoryEntry &entry, std::vector<AppliedStep> steps)
{
    ApplyReport report;
    report.call = CallState::Answered;
    report.outcome = outcomeOfTrial(entry);
    report.kept = entry.kept;
    report.keptFor = diskClassFromName(entry.keptFor);
    for (AppliedStep &step : steps) {
        const auto recorded = std::ranges::find(entry.steps, step.address, &HistoryStep::address);
        if (recorded != entry.steps.end()) {
            step.result = recorded->result;
            step.sysErrno = recorded->sysErrno;
        }
        // What somebody else had changed when it ended was left as it was.
        if (step.result == StepResult::Stale) {
            step.why = Errc::Stale;
            continue;
        }
        // What is so now was read, and it may have been changed since; a number that drifts does not tell.
        const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
        const auto &due = report.outcome == Outcome::Confirmed ? step.expected : step.before;
        if ((spec && spec->drifts) || step.result == StepResult::RollbackFailed || !step.after || !due ||
            step.after == due)
            continue;
        step.result = StepResult::Stale;
        step.why = Errc::Stale;
        step.expected = due;
        step.changedSince = true;
    }
    report.steps = std::move(steps);
    return report;
}

ApplyReport reportWithoutRecord(std::vector<AppliedStep> steps, bool isBack)
{
    ApplyReport report;
    if (isBack) {
        report.call = CallState::Answered;
        report.outcome = Outcome::Ended;
    } else {
        report.endNotRecorded = true;
    }
    for (AppliedStep &step : steps)
        step.result = isBack ? StepResult::RolledBack : StepResult::NotAttempted;
    report.steps = std::move(steps);
    return report;
}

// Without a record of the helper the values told that everything is as before.
TrialParts partsOf(const EndedTrial &trial)
{
    TrialParts parts;
    for (const TrialRecord::Item &item : trial.record.items) {
        const auto step = std::ranges::find(trial.steps, item.address, &HistoryStep::address);
        const bool isRecorded = step != trial.steps.end();
        if (isRecorded && step->result == StepResult::Stale)
            parts.left.push_back({&item, step->after});
        else if (isRecorded && step->result == StepResult::DeviceGone)
            parts.gone.push_back(&item);
        else if (trial.steps.empty() || (isRecorded && step->result == StepResult::RolledBack))
            parts.back.push_back(&item);
    }
    return parts;
}

QTime timeOfEnd(const EndedTrial &trial)
{
    const std::uint64_t now = boottimeNanoseconds();
    const std::uint64_t ago = now - std::min(trial.record.deadlineBoottimeNanoseconds, now);
    return QDateTime::currentDateTime().addMSecs(-static_cast<qint64>(ago / 1'000'000)).time();
}

void markOverruled(ApplyReport &report)
{
    const bool isSettled = report.outcome == Outcome::Confirmed || report.outcome == Outcome::Ended;
    if (report.call == CallState::Answered && isSettled &&
        std::ranges::contains(report.steps, StepResult::Stale, &AppliedStep::result))
        report.why = Errc::Stale;
}

} // namespace diskwright
