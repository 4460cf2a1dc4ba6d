// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include "commandcontext.h"
#include "commands.h"
#include "jsonwriter.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>

#include <sys/ioctl.h>
#include <unistd.h>

namespace diskwright {

namespace {

constexpr const char *usageNote =
    "Exit codes: 0 done, 1 internal error, 2 the line does not parse, 3 refused (nothing changed), 4 not\n"
    "authorized, 5 failed and put back, 6 outcome unknown, 7 busy, 8 a difference was found.";

/// What a usage error of the parser is about: the first word that it could not place, where it says so.
Error usageError(const CLI::ParseError &error, const CLI::App &app)
{
    std::string input;
    if (const std::vector<std::string> rest = app.remaining(true); !rest.empty())
        input = printable(rest.front());
    std::string reason = printable(error.what(), 1024);
    if (dynamic_cast<const CLI::ExtrasError *>(&error))
        reason = input.starts_with('-') ? "unknown option" : "unknown command or argument";
    const CLI::App *innermost = &app;
    std::string words;
    while (!innermost->get_subcommands().empty()) {
        innermost = innermost->get_subcommands().front();
        words += innermost->get_name() + ' ';
    }
    // Of "boot nope" too it is a command that is missing.
    const auto choice = innermost->get_subcommands({});
    if (dynamic_cast<const CLI::RequiredError *>(&error) && !choice.empty())
        reason = input.empty() ? "no command given" : "unknown command";
    std::string accepted;
    for (const CLI::App *command : choice)
        accepted += (accepted.empty() ? "" : ", ") + words + command->get_name();
    const bool isInCommand = !app.get_subcommands().empty();
    if (choice.empty())
        accepted = "see diskwrightctl " + app.get_subcommands().front()->get_name() + " --help";
    if (isInCommand && app.get_subcommands().front()->get_name() == "show" && input.starts_with('-')) {
        const std::string tool = input.starts_with("--") ? "blockdev " : "hdparm ";
        reason = "unknown option; those of another tool go between quotes or behind --";
        accepted = "diskwrightctl show \"" + tool + input + "\", diskwrightctl show -- " + input;
    }
    return {Errc::Malformed, input, reason, accepted, 0};
}

/// Whether --json stands on the line; needed where the parser gave up before it came to it.
bool asksForJson(const std::vector<std::string> &arguments)
{
    const auto end = std::ranges::find(arguments, "--");
    return std::any_of(arguments.begin(), end, [](const std::string &word) {
        return word == "--json" || (word.starts_with("--json=") && word != "--json=false");
    });
}

/// Words that the parser has a meaning of its own for, which no document of ours names: "[a,b]" is a list and
/// "{}" an empty one, so that a word becomes no word ("forget '[]'" would forget all); "++" ends a command;
/// "--command.option" runs the command.
std::optional<Error> magicWord(const std::vector<std::string> &arguments)
{
    bool isOption = true;
    for (const std::string &word : arguments) {
        isOption = isOption && word != "--";
        const bool isList = word.starts_with('[') && word.ends_with(']');
        if (isList || word == "{}")
            return Error{Errc::Malformed, printable(word), "a word in brackets, which is no list here",
                         "the words by themselves; a folder of this name as ./" + printable(word), 0};
        if (word == "++")
            return Error{Errc::Malformed, word, "unknown command or argument", "words without it", 0};
        const std::string name = word.substr(0, word.find('='));
        if (isOption && name.starts_with("--") && name.contains('.'))
            return Error{Errc::Malformed, printable(word), "unknown option", "see diskwrightctl --help", 0};
    }
    return std::nullopt;
}

/// An unset variable must not read as if the option were not there: "--try ''" would change without a trial.
void refuseEmptyValues(CLI::App &app)
{
    for (CLI::Option *option : app.get_options()) {
        if (option->nonpositional() && option->get_items_expected_max() > 0)
            option->check([](const std::string &value) { return value.empty() ? "has an empty value" : ""; });
    }
    for (CLI::App *command : app.get_subcommands({}))
        refuseEmptyValues(*command);
}

// 0 where standard output is no terminal, or one that does not tell.
std::size_t terminalWidth()
{
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// What a person asked to read, which with --json is one document too.
ExitCode printText(CommandContext &context, const std::vector<std::string> &arguments, std::string_view key,
                   const std::string &text)
{
    if (context.json || asksForJson(arguments)) {
        JsonWriter json;
        json.beginObject();
        json.member("program", "diskwrightctl");
        json.member(key, text);
        json.endObject();
        context.print(std::move(json));
    } else {
        context.print(key == "version" ? "diskwrightctl " + text + '\n' : text);
    }
    return ExitCode::Done;
}

ExitCode run(const std::vector<std::string> &arguments, CommandContext &context)
{
    CLI::App app("Read and tune the disks of this machine.", "diskwrightctl");
    app.set_version_flag("--version", std::string("diskwrightctl ") + DISKWRIGHT_VERSION);
    app.add_flag("--json", context.json, "print one JSON document");
    app.add_option("--root", context.rootPath,
                   "read the copy of a machine in this folder (DIR/sys, DIR/proc …)")
        ->type_name("DIR");
    app.footer(usageNote);
    app.require_subcommand(1);
    addDisksCommands(app, context);
    addShowCommands(app, context);
    addWhyCommands(app, context);
    addSetCommands(app, context);
    addSettleCommands(app, context);
    addRestoreCommands(app, context);
    addHistoryCommands(app, context);
    addBenchCommands(app, context);
    // Options of the whole line may also stand behind the command.
    for (CLI::App *command : app.get_subcommands({}))
        command->fallthrough();
    refuseEmptyValues(app);
    if (const auto magic = magicWord(arguments)) {
        context.json = asksForJson(arguments);
        return context.fail(*magic, ExitCode::Usage);
    }
    try {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp &) {
        const auto chosen = app.get_subcommands();
        return printText(context, arguments, "help", chosen.empty() ? app.help() : chosen.front()->help());
    } catch (const CLI::CallForAllHelp &) {
        return printText(context, arguments, "help", app.help("", CLI::AppFormatMode::All));
    } catch (const CLI::CallForVersion &) {
        return printText(context, arguments, "version", DISKWRIGHT_VERSION);
    } catch (const CLI::ParseError &error) {
        context.json = context.json || asksForJson(arguments);
        return context.fail(usageError(error, app), ExitCode::Usage);
    }
    if (!context.selected())
        return context.fail({Errc::Internal, {}, "the command has nothing to run", {}, 0});
    return context.selected()();
}

} // namespace

int runCommandLine(const std::vector<std::string> &arguments, std::ostream &out, std::ostream &err)
{
    CommandContext context(out, err);
    context.width = &out == &std::cout ? terminalWidth() : 0;
    ExitCode code = ExitCode::Internal;
    try {
        code = run(arguments, context);
    } catch (const std::exception &exception) {
        context.json = context.json || asksForJson(arguments);
        code = context.fail({Errc::Internal, {}, printable(exception.what()), {}, 0});
    }
    if (!context.isOutputSound()) {
        context.message("standard output could not be written");
        code = code == ExitCode::Done ? ExitCode::Internal : code;
    }
    return static_cast<int>(code);
}

} // namespace diskwright
