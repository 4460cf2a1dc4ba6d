// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/apply/describe.h"
#include "app/cli/commandcontext.h"
#include "app/cli/helperrun.h"
#include "app/cli/jsonwriter.h"
#include "app/cli/planning.h"
#include "app/cli/reportjson.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace diskwright {

namespace {

constexpr std::chrono::seconds previewPatience{1};

AppliedStep plannedStep(const RestoreStep &step)
{
    AppliedStep planned;
    planned.address = step.address;
    planned.diskId = step.diskId;
    planned.before = step.now;
    planned.requested = step.target;
    if (step.obstacle != Errc::None) {
        planned.result = StepResult::Unsupported;
        planned.why = step.obstacle;
    } else if (step.foreign) {
        planned.why = Errc::Stale;
    }
    return planned;
}

std::string count(std::size_t number, const char *one, const char *several)
{
    return std::to_string(number) + ' ' + (number == 1 ? one : several);
}

std::string textOf(const RestorePreview &preview)
{
    std::string text;
    const auto word = [](const std::optional<Value> &value) { return value ? toText(*value) : "?"; };
    for (const RestoreStep &step : preview.steps) {
        text += toText(step.address) + "  " + word(step.now) + " -> " + word(step.target);
        if (step.obstacle != Errc::None)
            text += "  " + describeObstacle(step.obstacle).toStdString();
        else if (step.foreign)
            text += "  somebody else has set this value since";
        text += '\n';
    }
    if (preview.trials > 0)
        text += count(preview.trials, "trial ends\n", "trials end\n");
    if (preview.kept > 0)
        text += count(preview.kept, "setting is kept no more\n", "settings are kept no more\n");
    return text + "Trials of other users end too; they can't be seen from here.\n";
}

ExitCode printPreview(CommandContext &context, const RestorePreview &preview)
{
    if (!context.json) {
        context.print((preview.isEmpty() ? "There is nothing to put back.\n" : "") + textOf(preview));
        return ExitCode::Done;
    }
    ApplyReport planned;
    planned.restoresAll = true;
    planned.call = CallState::Answered;
    for (const RestoreStep &step : preview.steps)
        planned.steps.push_back(plannedStep(step));
    JsonWriter json;
    json.beginObject();
    writePlanned(json, planned, preview.isEmpty() ? "unchanged" : "planned");
    json.member("trials", static_cast<std::int64_t>(preview.trials));
    json.member("forgets", static_cast<std::int64_t>(preview.kept));
    json.endObject();
    context.print(std::move(json));
    return ExitCode::Done;
}

ExitCode restoreAll(CommandContext &context, bool dryRun)
{
    if (dryRun) {
        const QString root =
            context.rootPath.empty() ? QStringLiteral("/") : QString::fromStdString(context.rootPath);
        std::vector<TrialRecord> trials;
        if (context.rootPath.empty())
            trials = TrialStore().running();
        const auto preview = previewRestore(root, trials);
        return preview ? printPreview(context, *preview) : refuse(context, preview.error());
    }
    if (auto live = requireLive(context); !live)
        return refuse(context, live.error());
    HelperRun run(HelperRun::Prompt::MayAsk);
    // Said before anything is done; a damaged list of what is kept, or a disk that hangs, is no reason not to
    // put it back.
    const auto preview = previewRestoreWithin(previewPatience, TrialStore().running());
    if (preview && !context.json)
        context.print(textOf(*preview));
    if (!preview)
        context.message("what is put back can't be listed beforehand: " + preview.error().reason);
    return printReport(context, run.wait([&](ApplySession::Done done) {
        run.session().restoreAll(preview.value_or(RestorePreview()), std::move(done));
    }));
}

} // namespace

void addRestoreCommands(CLI::App &app, CommandContext &context)
{
    const auto dryRun = std::make_shared<bool>(false);
    CLI::App *command = app.add_subcommand(
        "restore-all", "put everything back: end trials, undo every change of this boot, keep nothing");
    command->add_flag("--dry-run", *dryRun, "say what would be done, and do nothing");
    command->callback(
        [&context, dryRun] { context.select([&context, dryRun] { return restoreAll(context, *dryRun); }); });
}

} // namespace diskwright
