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
    int answers = 0; ///< that were given
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
    std::vector<AppliedStep> settledSteps; ///< of the next confirm or end
    void confirm(const TransactionId &transaction, Done done) override
    {
        ++confirmed;
        settle(transaction, std::move(done), Outcome::Confirmed);
    }
    void prolong(const TransactionId &transaction, std::chrono::seconds, Done done) override
    {
        ++prolonged;
        settledLast = transaction;
        later(std::move(done), answer(Outcome::Prolonged));
    }
    void end(const TransactionId &transaction, Done done) override
    {
        ++ended;
        settle(transaction, std::move(done), Outcome::Ended);
    }
    int prolonged = 0;
    std::optional<TransactionId> settledLast; ///< confirmed, prolonged or ended
    int undos = 0;
    bool undoForced = false;
    bool undoStaysKept = false;
    ApplyReport undone = answer(Outcome::Undone);
    void undo(const TransactionId &, bool force, bool staysKept, Done done) override
    {
        ++undos;
        undoForced = force;
        undoStaysKept = staysKept;
        later(std::move(done), undone);
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
    RestorePreview expectedLast; ///< of the last restoreAll
    void restoreAll(const RestorePreview &expected, Done done) override
    {
        expectedLast = expected;
        ++restores;
        later(std::move(done), restored);
    }
    std::optional<Error> noPreview; ///< instead of a preview
    bool previewHangs = false;
    void previewRestore(PreviewDone done) override
    {
        if (!previewHangs)
            QTimer::singleShot(0, this, [this, done = std::move(done)] {
                done(noPreview ? Result<RestorePreview>(std::unexpected(*noPreview)) : preview);
            });
    }
    ApplyReport forgotten = answer(Outcome::Forgotten); ///< unless edited files are replaced
    std::vector<std::uint16_t> forgets;                 ///< of the last call
    int forgetsReplacing = 0;
    void forget(const KeptSet &, const std::vector<std::uint16_t> &items, bool replaceEdited,
                Done done) override
    {
        forgets = items;
        forgetsReplacing += replaceEdited ? 1 : 0;
        later(std::move(done), replaceEdited ? answer(Outcome::Forgotten) : forgotten);
    }
    int cancelled = 0;
    void cancel() override { ++cancelled; }
    std::function<std::unique_ptr<bench::LeaseHolder>()> makeLease;
    std::unique_ptr<bench::LeaseHolder> createLease(Identify) override
    {
        return makeLease ? makeLease() : nullptr;
    }
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
    void settle(const TransactionId &transaction, Done done, Outcome end)
    {
        settledLast = transaction;
        std::erase_if(trials,
                      [&](const PendingTrial &pending) { return pending.record.transaction == transaction; });
        ApplyReport report = answer(end);
        report.transaction = toHex(transaction);
        report.steps = settledSteps;
        later(std::move(done), report);
    }
    void later(Done done, const ApplyReport &report)
    {
        QTimer::singleShot(0, this, [this, done = std::move(done), report] {
            done(report);
            ++answers;
        });
    }
};

} // namespace diskwright::ui
