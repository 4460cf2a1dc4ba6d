// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include "commandcontext.h"
#include "observationjson.h"
#include "table.h"

#include "app/disks/names.h"
#include "app/settings/observation.h"
#include "app/settings/texts.h"

#include <CLI/CLI.hpp>

#include <iterator>
#include <memory>

namespace diskwright {

namespace {

/// All settings that the words of the line name; nothing is named twice.
Result<std::vector<Observation>> collect(const SystemRoot &root, const DiskList &disks,
                                         const std::vector<std::string> &words, const Knowledge &knowledge)
{
    std::vector<Observation> all;
    const auto add = [&](std::vector<Observation> some) { std::ranges::move(some, std::back_inserter(all)); };
    if (words.empty()) {
        for (const BlockNode &disk : disks.disks()) {
            if (!disk.hiddenByDefault)
                add(observe(root, disk, knowledge));
        }
        add(observeVm(root, knowledge));
    }
    for (const std::string &text : words) {
        if (text == "vm") {
            add(observeVm(root, knowledge));
        } else if (text.find(':') == std::string::npos || disks.find(text)) {
            const auto disk = findDisk(disks, text, text);
            if (!disk) {
                Error error = disk.error();
                error.accepted += error.accepted.empty() ? "vm" : ", vm";
                return std::unexpected(error);
            }
            add(observe(root, **disk, knowledge));
        } else {
            const auto address = resolveAddress(disks, text);
            if (!address)
                return std::unexpected(address.error());
            auto seen = observeSetting(root, disks, *address, knowledge);
            if (!seen)
                return std::unexpected(seen.error());
            all.push_back(std::move(*seen));
        }
    }
    return all;
}

std::string withUnit(const SettingSpec &spec, const Value &value)
{
    const auto *range = std::get_if<Range>(&spec.accepts);
    const std::string_view unit = range ? name(range->unit) : std::string_view{};
    return unit.empty() ? toText(value) : toText(value) + ' ' + std::string(unit);
}

std::string acceptedOf(const Observation &seen)
{
    std::string text;
    for (const std::string &word : seen.offered)
        text += (text.empty() ? "" : " ") + word;
    if (!text.empty() || !seen.min || !seen.max)
        return text;
    text = std::to_string(*seen.min) + " to " + std::to_string(*seen.max);
    return seen.step.value_or(1) > 1 ? text + " by " + std::to_string(*seen.step) : text;
}

std::string tableOf(const std::vector<Observation> &all)
{
    Table table;
    table.addColumn("SETTING");
    table.addColumn("NOW", Table::Align::Right);
    table.addColumn("DEFAULT", Table::Align::Right);
    table.addColumn("ACCEPTED");
    table.addColumn("WHAT");
    for (const Observation &seen : all) {
        const SettingText *text = findText(seen.spec->id);
        const bool isCurrent = seen.state == ObservedState::Current;
        std::string what(text ? text->title : std::string_view{});
        if (!isCurrent)
            what += " (" + std::string(name(seen.state)) + ": " + cleanText(seen.reason) + ')';
        table.addRow({toText(seen.address()), seen.value ? withUnit(*seen.spec, *seen.value) : "-",
                      seen.defaultValue ? withUnit(*seen.spec, *seen.defaultValue) : "-",
                      isCurrent ? acceptedOf(seen) : std::string(), what});
    }
    return table.render();
}

ExitCode show(CommandContext &context, const std::vector<std::string> &words)
{
    const auto disks = context.disks();
    if (!disks)
        return context.fail(disks.error());
    const auto root = context.root();
    if (!root)
        return context.fail(root.error());
    const auto all = collect(**root, **disks, words, context.knowledge);
    if (!all)
        return context.fail(all.error());
    if (!context.json) {
        context.print(tableOf(*all));
        return ExitCode::Done;
    }
    JsonWriter json;
    json.beginObject();
    json.key("settings");
    json.beginArray();
    for (const Observation &seen : *all)
        writeObservation(json, seen);
    json.endArray();
    json.endObject();
    context.print(std::move(json));
    return ExitCode::Done;
}

} // namespace

void addShowCommands(CLI::App &app, CommandContext &context)
{
    CLI::App *command = app.add_subcommand("show", "show settings: value, default, what is accepted");
    const auto words = std::make_shared<std::vector<std::string>>();
    command
        ->add_option("what", *words,
                     "a disk by name or id, vm, or a setting like queue:sda:read_ahead_kb; without any: all")
        ->type_name("TARGET|SETTING");
    command->callback(
        [&context, words] { context.select([&context, words] { return show(context, *words); }); });
}

} // namespace diskwright
