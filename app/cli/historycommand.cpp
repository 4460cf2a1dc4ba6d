// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/apply/describe.h"
#include "app/apply/history.h"
#include "app/apply/rescuenote.h"
#include "app/cli/commandcontext.h"
#include "app/cli/helperrun.h"
#include "app/cli/jsonwriter.h"
#include "app/cli/observationjson.h"
#include "app/cli/planning.h"
#include "app/cli/reportjson.h"
#include "app/cli/table.h"

#include <CLI/CLI.hpp>

#include <array>
#include <ctime>
#include <memory>

namespace diskwright {

namespace {

QString treeOf(const CommandContext &context)
{
    return context.rootPath.empty() ? QStringLiteral("/") : QString::fromStdString(context.rootPath);
}

AppliedStep stepOf(const HistoryStep &step)
{
    return {step.address, step.diskId, {},         step.before,  step.requested,
            step.after,   step.result, Errc::None, step.sysErrno};
}

std::string localTime(std::int64_t seconds)
{
    const std::time_t time = seconds;
    std::tm parts{};
    std::array<char, 64> text{};
    if (!::localtime_r(&time, &parts))
        return std::to_string(seconds);
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

void writeEntry(JsonWriter &json, const HistoryEntry &entry)
{
    json.beginObject();
    json.member("transaction", entry.transaction);
    json.member("time", entry.timeSeconds);
    json.member("boot_id", entry.bootId);
    json.member("uid", entry.uid);
    json.member("outcome", name(entry.outcome));
    json.key("steps");
    json.beginArray();
    for (const HistoryStep &step : entry.steps)
        writeStep(json, stepOf(step));
    json.endArray();
    json.member("kept", entry.kept);
    json.member("kept_for", entry.keptFor.empty() ? std::nullopt : std::optional(entry.keptFor));
    json.member("undoable", entry.undoable);
    json.member("reason", entry.reason.empty() ? std::nullopt : std::optional(entry.reason));
    json.endObject();
}

std::string textOf(const History &history)
{
    std::string text;
    for (const HistoryEntry &entry : history.entries) {
        text +=
            localTime(entry.timeSeconds) + "  " + entry.transaction + "  " + std::string(name(entry.outcome));
        if (entry.kept)
            text += ", kept" + (entry.keptFor.empty() ? "" : " for " + entry.keptFor);
        if (!entry.reason.empty())
            text += "  (" + entry.reason + ')';
        text += '\n';
        for (const HistoryStep &step : entry.steps) {
            const auto word = [](const std::optional<Value> &value) { return value ? toText(*value) : "?"; };
            text += "    " + printable(toText(step.address)) + "  " + word(step.before) + " -> " +
                    word(step.requested) + "  " + std::string(name(step.result)) + '\n';
        }
    }
    return text;
}

ExitCode showHistory(CommandContext &context)
{
    if (const auto tree = context.root(); !tree)
        return context.fail(tree.error());
    const History history = readHistory(treeOf(context));
    if (history.error)
        return context.fail(*history.error);
    for (const SkippedFile &file : history.skipped)
        context.message(file.name + ": left out: " + file.reason);
    if (requireLive(context)) {
        HelperRun run(HelperRun::Prompt::NeverAsks);
        for (const std::string &line : endedTrials(run.session()))
            context.message(line);
    }
    if (!context.json) {
        context.print(history.entries.empty() ? "Nothing was changed yet.\n" : textOf(history));
        return ExitCode::Done;
    }
    JsonWriter json;
    json.beginObject();
    json.key("transactions");
    json.beginArray();
    for (const HistoryEntry &entry : history.entries)
        writeEntry(json, entry);
    json.endArray();
    json.endObject();
    context.print(std::move(json));
    return ExitCode::Done;
}

std::string textOf(const StartStatus &status)
{
    if (status.state == StartState::None)
        return "Nothing is kept.\n";
    Table table;
    for (const char *heading : {"SETTING", "WANTED", "NOW", "STATE", "KEPT FOR"})
        table.addColumn(heading);
    for (const StartStatusItem &item : status.items)
        table.addRow({item.setting, item.wanted ? toText(*item.wanted) : "?",
                      item.current ? toText(*item.current) : "?", std::string(name(item.state)),
                      item.forClass ? std::string(name(*item.forClass)) : std::string()});
    return std::string(name(status.state)) + ": " + std::to_string(status.holds) + " of " +
           std::to_string(status.total) + " kept settings hold\n" + table.render();
}

ExitCode showStartStatus(CommandContext &context)
{
    if (const auto tree = context.root(); !tree)
        return context.fail(tree.error());
    const auto status = readStartStatus(treeOf(context));
    if (!status)
        return context.fail(status.error());
    const bool differs =
        std::ranges::contains(status->items, StartItemState::Differs, &StartStatusItem::state);
    const ExitCode code = differs ? ExitCode::Difference : ExitCode::Done;
    if (!context.json) {
        context.print(textOf(*status));
        return code;
    }
    const auto writeValueOrNull = [](JsonWriter &json, const char *key, const std::optional<Value> &value) {
        json.key(key);
        if (value)
            writeValue(json, *value);
        else
            json.null();
    };
    JsonWriter json;
    json.beginObject();
    json.member("state", name(status->state));
    json.member("total", status->total);
    json.member("holds", status->holds);
    json.key("items");
    json.beginArray();
    for (const StartStatusItem &item : status->items) {
        json.beginObject();
        json.member("setting", item.setting);
        writeValueOrNull(json, "wanted", item.wanted);
        writeValueOrNull(json, "current", item.current);
        json.member("state", name(item.state));
        json.member("kept_for",
                    item.forClass ? std::optional(std::string(name(*item.forClass))) : std::nullopt);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    context.print(std::move(json));
    return code;
}

ExitCode printRescueNote(CommandContext &context)
{
    if (const auto tree = context.root(); !tree)
        return context.fail(tree.error());
    const auto note = rescueNote(treeOf(context));
    if (!note)
        return context.fail(note.error());
    if (!context.json) {
        context.print(note->toStdString());
        return ExitCode::Done;
    }
    JsonWriter json;
    json.beginObject();
    json.member("note", note->toStdString());
    json.endObject();
    context.print(std::move(json));
    return ExitCode::Done;
}

ExitCode useAtStart(CommandContext &context, const std::string &word)
{
    if (word != "on" && word != "off")
        return refuse(context, {Errc::OutOfRange, named(word), "neither on nor off", "on, off", 0});
    if (auto live = requireLive(context); !live)
        return refuse(context, live.error());
    // What can't be read is the helper's to say.
    if (const auto status = readStartStatus(treeOf(context)); status && status->state == StartState::None)
        return refuse(context, {Errc::Absent, named(word), "nothing is kept for the next start",
                                "after a change with --keep", 0});
    HelperRun run(HelperRun::Prompt::MayAsk);
    return printReport(context, run.wait([&](ApplySession::Done done) {
        run.session().useAtStart(word == "on", std::move(done));
    }));
}

} // namespace

void addHistoryCommands(CLI::App &app, CommandContext &context)
{
    app.add_subcommand("history", "list what was changed, newest first")->callback([&context] {
        context.select([&context] { return showHistory(context); });
    });

    CLI::App *boot = app.add_subcommand("boot", "what is kept for the next start");
    boot->require_subcommand(1);
    boot->add_subcommand("status", "whether the kept settings hold")->callback([&context] {
        context.select([&context] { return showStartStatus(context); });
    });
    boot->add_subcommand("note", "a page to print: what to do if a start fails")->callback([&context] {
        context.select([&context] { return printRescueNote(context); });
    });
    const auto word = std::make_shared<std::string>();
    CLI::App *use = boot->add_subcommand("use", "use the kept settings at the next start, or leave them out");
    use->add_option("switch", *word, "on or off")->type_name("on|off")->required();
    use->callback(
        [&context, word] { context.select([&context, word] { return useAtStart(context, *word); }); });
    for (CLI::App *command : boot->get_subcommands({}))
        command->fallthrough();
}

} // namespace diskwright
