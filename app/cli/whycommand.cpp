// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include "commandcontext.h"
#include "jsonwriter.h"
#include "table.h"

#include "app/health/health.h"
#include "app/health/udisks.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>

#include <memory>
#include <optional>

namespace diskwright {

namespace {

/// Null for what is of all disks together.
std::optional<std::string> nameOrNull(const std::string &device)
{
    return device.empty() ? std::nullopt : std::optional(device);
}

void writeHealth(JsonWriter &json, const health::Health &health)
{
    json.beginObject();
    json.member("disk", health.disk);
    json.member("disks", health.disks);
    json.key("facts");
    json.beginArray();
    for (const health::Fact &fact : health.facts) {
        json.beginObject();
        json.member("id", fact.id);
        json.member("device", nameOrNull(fact.device));
        json.member("value", fact.value);
        json.member("source", fact.source);
        json.endObject();
    }
    json.endArray();
    json.key("findings");
    json.beginArray();
    for (const health::Finding &finding : health.findings) {
        json.beginObject();
        json.member("id", finding.id);
        json.member("severity", name(finding.severity));
        json.member("device", nameOrNull(finding.device));
        json.member("text", english(finding.text));
        json.member("fact", finding.fact);
        json.member("help", english(finding.help));
        json.member("source", finding.source);
        json.endObject();
    }
    json.endArray();
    json.key("not_known");
    json.beginArray();
    for (const health::Unknown &unknown : health.unknown) {
        json.beginObject();
        json.member("id", unknown.id);
        json.member("device", unknown.device);
        json.member("text", english(unknown.text));
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

std::string_view word(health::Severity severity)
{
    switch (severity) {
    case health::Severity::Problem: return "Problem";
    case health::Severity::Slow: return "Slow";
    case health::Severity::Hint: return "Hint";
    }
    return {};
}

std::string deviceOf(const health::Finding &finding)
{
    return finding.device.empty() ? "all disks" : finding.device;
}

std::string textOf(const health::Health &health)
{
    std::string text;
    for (const health::Finding &finding : health.findings) {
        text += std::string(word(finding.severity)) + ": " + english(finding.text) + "\n  " +
                english(finding.help) + "\n  " + deviceOf(finding) + ": " + finding.fact + "\n  read from " +
                finding.source + "\n\n";
    }
    if (health.findings.empty())
        text += wasLookedAt(health) ? "Nothing found that slows this disk.\n\n"
                                    : "Nothing of this disk could be looked at.\n\n";
    if (!health.unknown.empty())
        text += "Not known:\n";
    for (const health::Unknown &unknown : health.unknown)
        text += "  " + unknown.device + ": " + english(unknown.text) + '\n';
    text += health.unknown.empty() ? "Looked at:\n" : "\nLooked at:\n";
    Table table;
    table.addColumn("DEVICE");
    table.addColumn("WHAT");
    table.addColumn("VALUE");
    table.addColumn("READ FROM");
    for (const health::Fact &fact : health.facts)
        table.addRow(
            {fact.device.empty() ? "all" : fact.device, health::factTitle(fact.id), fact.value, fact.source});
    return text + table.render();
}

ExitCode why(CommandContext &context, const std::string &name)
{
    const auto disks = context.disks();
    if (!disks)
        return context.fail(disks.error());
    const auto root = context.root();
    if (!root)
        return context.fail(root.error());
    const auto target = health::findTarget(**root, **disks, name);
    if (!target)
        return context.fail(target.error());
    health::Options options;
    std::unique_ptr<QCoreApplication> application;
    static int argumentCount = 1;
    static char programName[] = "diskwrightctl";
    static char *arguments[] = {programName, nullptr};
    if ((*root)->isLive() && !QCoreApplication::instance())
        application = std::make_unique<QCoreApplication>(argumentCount, arguments);
    // A copy of a machine is not this machine: its disks are not asked for here.
    if ((*root)->isLive())
        options.drive = [](const BlockNode &disk) {
            return health::readDriveHealth(QDBusConnection::systemBus(), disk);
        };
    const health::Health health = examine(**root, **disks, **target, options);
    if (context.json) {
        JsonWriter json;
        writeHealth(json, health);
        context.print(std::move(json));
    } else {
        context.print(textOf(health));
    }
    return ExitCode::Done;
}

} // namespace

void addWhyCommands(CLI::App &app, CommandContext &context)
{
    CLI::App *command =
        app.add_subcommand("why", "why a disk may be slow: findings, what they rest on, what helps");
    const auto name = std::make_shared<std::string>();
    command
        ->add_option("disk", *name,
                     "a disk, partition or layer by name or path, a disk by id, or a mount point")
        ->type_name("DISK")
        ->required();
    command->callback([&context, name] { context.select([&context, name] { return why(context, *name); }); });
}

} // namespace diskwright
