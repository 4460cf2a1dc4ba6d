// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/apply/describe.h"
#include "app/apply/keepable.h"
#include "app/cli/commandcontext.h"
#include "app/cli/countdown.h"
#include "app/cli/helperrun.h"
#include "app/cli/observationjson.h"
#include "app/cli/planning.h"
#include "app/cli/reportjson.h"
#include "app/disks/names.h"
#include "helper/contract/codec.h"
#include "helper/contract/limits.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace diskwright {

namespace {

struct SetOptions {
    std::vector<std::string> assignments;
    std::optional<std::string> trial;
    bool dryRun = false;
    bool keep = false;
    bool forClass = false;
};

/// What was asked for and is so already: the plan left it out, the user asked for it all the same.
std::vector<AppliedStep> unchangedSteps(const RequestedPlan &requested)
{
    std::vector<AppliedStep> steps;
    for (const StagedEdit &edit : requested.changes.edits()) {
        const bool isPlanned = std::ranges::any_of(
            requested.plan.steps, [&](const PlanStep &step) { return step.address == edit.address; });
        if (isPlanned)
            continue;
        const PlanDisk *disk = requested.snapshot.disk(edit.address.target);
        steps.push_back({edit.address, disk ? disk->id : std::string(),
                         disk ? disk->displayName : std::string(), edit.wanted, edit.wanted, edit.wanted,
                         StepResult::Unchanged, Errc::None, 0});
    }
    return steps;
}

QString treeOf(const CommandContext &context)
{
    return context.rootPath.empty() ? QStringLiteral("/") : QString::fromStdString(context.rootPath);
}

Error errorOf(const NotKeepable &obstacle, const Plan &plan)
{
    return {obstacle.why,
            obstacle.step ? toText(plan.steps[*obstacle.step].address) : "--keep",
            obstacle.reason.empty() ? describe(obstacle.why).toStdString() : obstacle.reason,
            {},
            0};
}

std::string lineOf(const KeptBefore &kept, const Plan &plan)
{
    Address address = plan.steps[kept.step].address;
    address.key = kept.spec->key;
    return toText(address) + '=' + toText(kept.value) +
           (kept.origin.empty() ? std::string() : " (" + cleanText(kept.origin) + ')');
}

ExitCode printPlan(CommandContext &context, const RequestedPlan &requested, std::chrono::seconds trial,
                   AtStart atStart)
{
    const auto &forClass = atStart.forClass;
    const auto replaced = atStart.keep ? replacedByKeeping(requested.plan, treeOf(context), forClass)
                                       : std::vector<KeptBefore>();
    const std::vector<AppliedStep> unchanged = unchangedSteps(requested);
    if (!context.json) {
        std::string text;
        if (!context.rootPath.empty() && !requested.plan.isEmpty())
            text += "For the machine recorded in " + printable(context.rootPath) + ", not for this one:\n";
        for (const PlanStep &step : requested.plan.steps) {
            text += toText(step.address) + "  " + (step.before ? toText(*step.before) : "?") + " -> " +
                    toText(step.wanted);
            for (const Caution &caution : step.cautions)
                text += "  (" + describe(caution).toStdString() + ')';
            text += "\n    " + step.command + '\n';
        }
        for (const AppliedStep &step : unchanged)
            text += toText(step.address) + "  " + describe(step).toStdString() + '\n';
        if (trial.count() > 0)
            text += "a trial of " + std::to_string(trial.count()) + " s\n";
        if (atStart.keep)
            text += std::string(trial.count() > 0 ? "once confirmed, " : "") + "at every start" +
                    (forClass ? ", for " + everyDiskOf(*forClass).toStdString() : std::string()) + '\n';
        for (const KeptBefore &kept : replaced)
            text += "    in place of " + lineOf(kept, requested.plan) + ", kept now\n";
        context.print(text);
        return ExitCode::Done;
    }
    JsonWriter json;
    json.beginObject();
    json.key("transaction");
    json.null();
    json.member("outcome", requested.plan.isEmpty() ? "unchanged" : "planned");
    json.key("steps");
    json.beginArray();
    for (const PlanStep &step : requested.plan.steps)
        writeStep(json, {step.address, step.diskId, step.displayName, step.before, step.wanted, std::nullopt,
                         StepResult::NotAttempted, Errc::None, 0});
    for (const AppliedStep &step : unchanged)
        writeStep(json, step);
    json.endArray();
    json.key("trial");
    if (trial.count() > 0) {
        json.beginObject();
        json.key("deadline");
        json.null();
        json.member("seconds_left", static_cast<std::int64_t>(trial.count()));
        json.endObject();
    } else {
        json.null();
    }
    json.member("kept", false);
    json.member("would_keep", atStart.keep);
    json.member("kept_for", forClass ? std::optional(std::string(name(*forClass))) : std::nullopt);
    json.key("replaces_kept");
    json.beginArray();
    for (const KeptBefore &kept : replaced) {
        Address address = requested.plan.steps[kept.step].address;
        address.key = kept.spec->key;
        json.beginObject();
        json.member("setting", toText(address));
        json.key("value");
        writeValue(json, kept.value);
        json.member("origin", kept.origin);
        json.endObject();
    }
    json.endArray();
    json.key("commands");
    json.beginArray();
    for (const std::string &line : equivalentCommands(requested.plan))
        json.text(line);
    json.endArray();
    // Pasted here they would change another machine than the one that was looked at.
    json.member("commands_for", context.rootPath.empty() ? std::nullopt : std::optional(context.rootPath));
    json.endObject();
    context.print(std::move(json));
    return ExitCode::Done;
}

ExitCode set(CommandContext &context, const SetOptions &options)
{
    std::chrono::seconds trial{0};
    if (options.trial) {
        const auto seconds = parseSeconds(*options.trial, limits::shortestTrial, limits::longestTrial);
        if (!seconds)
            return refuse(context, seconds.error());
        trial = *seconds;
    }
    const auto requested =
        requestPlan(context, options.assignments, options.keep ? NoOps::Include : NoOps::Drop);
    if (!requested) {
        const bool isUsage = requested.error().accepted == "SETTING=VALUE";
        return isUsage ? context.fail(requested.error(), ExitCode::Usage)
                       : refuse(context, requested.error());
    }
    if (requested->plan.mustBeTrial && trial.count() == 0)
        trial = limits::systemDiskTrial;
    std::optional<DiskClass> forClass;
    if (options.forClass) {
        const auto found = classFor(context, *requested);
        if (!found)
            return refuse(context, found.error());
        forClass = *found;
    }
    if (options.dryRun) {
        // What would be refused as a whole is no plan.
        const auto obstacle =
            options.keep ? whyNotKeepable(requested->plan, treeOf(context), forClass) : std::nullopt;
        // A copy of a machine does not hold what tells that systemd runs there.
        const bool isJudged = obstacle && (context.rootPath.empty() || obstacle->why != Errc::NeedsSystemd);
        return isJudged ? refuse(context, errorOf(*obstacle, requested->plan))
                        : printPlan(context, *requested, trial, {options.keep, forClass});
    }
    if (auto live = requireLive(context); !live)
        return refuse(context, live.error());

    HelperRun run(requested->plan.isEmpty() ? HelperRun::Prompt::NeverAsks : HelperRun::Prompt::MayAsk);
    for (const std::string &line : endedTrials(run.session()))
        context.message(line);
    if (options.keep) {
        for (const KeptBefore &kept : replacedByKeeping(requested->plan, treeOf(context), forClass))
            context.message(lineOf(kept, requested->plan) + " is kept now; this change takes its place");
    }
    ApplyReport report = run.wait([&](ApplySession::Done done) {
        run.session().apply(requested->plan, trial, {options.keep, forClass}, std::move(done));
    });
    std::ranges::copy(unchangedSteps(*requested), std::back_inserter(report.steps));
    const bool isOnTrial = report.call == CallState::Answered && report.outcome == Outcome::Trial;
    const ExitCode code = printReport(context, report);
    if (!context.json && code == ExitCode::NotAuthorized) {
        context.message("The same by hand, as whoever may use sudo:");
        for (const std::string &line : equivalentCommands(requested->plan))
            context.message("    " + line);
    }
    return isOnTrial && !context.json && isInteractive() ? askWhetherItWorks(context, run, report) : code;
}

} // namespace

void addSetCommands(CLI::App &app, CommandContext &context)
{
    CLI::App *command = app.add_subcommand("set", "change settings, all or none of them");
    const auto options = std::make_shared<SetOptions>();
    command->add_option("assignments", options->assignments, "for example queue:sda:read_ahead_kb=1024")
        ->type_name("SETTING=VALUE")
        ->required();
    command->add_flag("--dry-run", options->dryRun, "say what would be done, and do nothing");
    command
        ->add_option("--try", options->trial,
                     "put everything back after this time unless confirmed (5 to 600)")
        ->type_name("SECONDS");
    CLI::Option *keep = command->add_flag("--keep", options->keep,
                                          "also at every start (after confirmation, if it is a trial)");
    command
        ->add_flag(
            "--class", options->forClass,
            "with --keep: for every disk of the same class, not for this disk alone; the classes are " +
                std::string(diskClassNames()))
        ->needs(keep);
    command->callback(
        [&context, options] { context.select([&context, options] { return set(context, *options); }); });
}

} // namespace diskwright
