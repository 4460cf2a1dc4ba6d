// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/applier.h"

#include <QTimer>

namespace diskwright::ui {

/// Answers from a script and notes what it was asked for. Every answer comes later, as the real one's does.
class FakeApplier final : public Applier
{
    Q_OBJECT

public:
    using Applier::Applier;

    std::optional<Plan> plan;
    std::chrono::seconds trial{0};
    bool keep = false;
    std::optional<DiskClass> keepFor;
    Errc keepWhy = Errc::None; ///< of the next apply
    int replaced = 0;
    int confirmed = 0;
    int ended = 0;
    std::vector<PendingTrial> trials;
    /// Becomes the answer to the next apply; steps are filled in from the plan.
    Outcome outcome = Outcome::Applied;
    StepResult result = StepResult::Applied;
    std::vector<StepResult> results; ///< of the single steps, where they differ
    int sysErrno = 0;                ///< of steps that were refused
    bool kept = false;
    std::vector<EndedTrial> over;
    CallState call = CallState::Answered;

    void apply(const Plan &asked, std::chrono::seconds seconds, AtStart atStart, Done done) override
    {
        plan = asked;
        trial = seconds;
        keep = atStart.keep;
        keepFor = atStart.forClass;
        ApplyReport report;
        report.call = call;
        report.outcome = outcome;
        report.kept = kept;
        report.transaction = std::string(32, 'a');
        report.keepWhy = keepWhy;
        for (const PlanStep &step : asked.steps) {
            const std::size_t at = report.steps.size();
            const StepResult came = at < results.size() ? results[at] : result;
            const bool isIn = came == StepResult::Applied || came == StepResult::RollbackFailed;
            const bool failed = came == StepResult::Rejected || came == StepResult::RollbackFailed;
            report.steps.push_back(
                {step.address, step.diskId, step.displayName, step.before, step.wanted,
                 came == StepResult::NotAttempted ? std::nullopt : (isIn ? step.wanted : step.before), came,
                 Errc::None, failed ? sysErrno : 0});
        }
        later(std::move(done), report);
    }
    void confirm(const TransactionId &, Done done) override
    {
        ++confirmed;
        settle(std::move(done), Outcome::Confirmed);
    }
    void prolong(const TransactionId &, std::chrono::seconds, Done done) override
    {
        later(std::move(done), answer(Outcome::Prolonged));
    }
    void end(const TransactionId &, Done done) override
    {
        ++ended;
        settle(std::move(done), Outcome::Ended);
    }
    int undos = 0;
    bool undoForced = false;
    bool undoStaysKept = false;
    void undo(const TransactionId &, bool force, bool staysKept, Done done) override
    {
        ++undos;
        undoForced = force;
        undoStaysKept = staysKept;
        later(std::move(done), answer(Outcome::Undone));
    }
    void keepReplacing(const TransactionId &, const std::vector<std::uint16_t> &,
                       std::optional<DiskClass> forClass, Done done) override
    {
        ++replaced;
        ApplyReport report = answer(Outcome::Kept);
        report.kept = true;
        report.keptFor = forClass;
        later(std::move(done), report);
    }
    RestorePreview preview;
    ApplyReport restored;
    int restores = 0;
    void restoreAll(Done done) override
    {
        ++restores;
        later(std::move(done), restored);
    }
    Result<RestorePreview> previewRestore() override { return preview; }
    void forget(const KeptSet &, const std::vector<std::uint16_t> &, Done done) override
    {
        later(std::move(done), answer(Outcome::Forgotten));
    }
    void cancel() override {}
    std::unique_ptr<bench::LeaseHolder> createLease(Identify) override { return nullptr; }
    std::vector<PendingTrial> pendingTrials() const override { return trials; }
    std::vector<EndedTrial> resume() override { return over; }
    ApplyReport becameOfIt = answer(Outcome::Ended); ///< of a trial that was settled elsewhere or ran out
    int awaited = 0;
    void awaitEnd(const TrialRecord &, Done done) override
    {
        ++awaited;
        later(std::move(done), becameOfIt);
    }

private:
    static ApplyReport answer(Outcome how)
    {
        ApplyReport report;
        report.call = CallState::Answered;
        report.outcome = how;
        return report;
    }
    void settle(Done done, Outcome end)
    {
        trials.clear();
        later(std::move(done), answer(end));
    }
    void later(Done done, const ApplyReport &report)
    {
        QTimer::singleShot(0, this, [done = std::move(done), report] { done(report); });
    }
};

} // namespace diskwright::ui
