// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include "commandcontext.h"
#include "jsonwriter.h"
#include "table.h"

#include "app/disks/disk.h"
#include "app/disks/names.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace diskwright {

namespace {

void writeNodes(JsonWriter &json, const std::vector<BlockNode> &nodes, bool all);

void writeNode(JsonWriter &json, const BlockNode &node, bool all)
{
    json.beginObject();
    json.member("name", node.name);
    json.member("id", node.id);
    json.member("type", node.type);
    json.member("size_bytes", node.sizeBytes);
    json.member("model", node.model);
    json.member("transport", node.transport);
    json.member("rotational", node.rotational);
    json.member("removable", node.removable);
    json.member("system", node.system);
    json.member("scheduler", node.scheduler);
    json.member("table", node.table);
    json.member("fstype", node.fstype);
    json.member("uuid", node.uuid);
    json.member("label", node.label);
    json.key("mounts");
    json.beginArray();
    for (const MountUse &mount : node.mounts) {
        json.beginObject();
        json.member("target", mount.target);
        json.member("options", mount.options);
        json.member("mount_id", mount.mountId);
        json.endObject();
    }
    json.endArray();
    json.key("partitions");
    writeNodes(json, node.partitions, all);
    json.member("holders", node.holders);
    json.member("slaves", node.slaves);
    json.member("notes", node.notes);
    json.endObject();
}

void writeNodes(JsonWriter &json, const std::vector<BlockNode> &nodes, bool all)
{
    json.beginArray();
    for (const BlockNode &node : nodes) {
        if (all || !node.hiddenByDefault)
            writeNode(json, node, all);
    }
    json.endArray();
}

std::string kindOf(const BlockNode &node)
{
    std::string text = node.type;
    if (node.type == "disk" && node.rotational)
        text = *node.rotational ? "disk, rotating" : "disk, solid state";
    return node.removable.value_or(false) ? text + ", removable" : text;
}

void addRows(Table &table, const std::vector<BlockNode> &nodes, bool all, const std::string &indent)
{
    for (const BlockNode &node : nodes) {
        if (node.hiddenByDefault && !all)
            continue;
        std::string mounts;
        for (const MountUse &mount : node.mounts)
            mounts += (mounts.empty() ? "" : ", ") + cleanText(mount.target);
        if (mounts.empty() && !node.holders.empty()) {
            for (const std::string &holder : node.holders)
                mounts += (mounts.empty() ? "-> " : ", ") + holder;
        }
        std::string what = node.model ? *node.model : node.label.value_or(std::string());
        if (what.empty() && node.mapperName)
            what = *node.mapperName;
        table.addRow({indent + node.name, node.sizeBytes ? decimalSize(*node.sizeBytes) : std::string(),
                      kindOf(node),
                      node.parent.empty() ? node.transport.value_or(std::string()) : std::string(),
                      node.scheduler.value_or(std::string()), node.fstype.value_or(std::string()),
                      node.system ? "system" : "", mounts, what});
        addRows(table, node.partitions, all, indent + "  ");
    }
}

ExitCode listDisks(CommandContext &context, bool all)
{
    const auto disks = context.disks();
    if (!disks)
        return context.fail(disks.error());
    if (context.json) {
        JsonWriter json;
        json.beginObject();
        json.key("disks");
        writeNodes(json, (*disks)->disks(), all);
        json.endObject();
        context.print(std::move(json));
        return ExitCode::Done;
    }
    Table table;
    for (const char *heading :
         {"NAME", "SIZE", "KIND", "BUS", "SCHEDULER", "FILESYSTEM", "USE", "MOUNTS", "MODEL"})
        table.addColumn(heading,
                        std::string_view(heading) == "SIZE" ? Table::Align::Right : Table::Align::Left);
    addRows(table, (*disks)->disks(), all, {});
    context.print(table.render());
    return ExitCode::Done;
}

} // namespace

void addDisksCommands(CLI::App &app, CommandContext &context)
{
    CLI::App *command =
        app.add_subcommand("disks", "list disks and partitions with what the kernel says of them");
    const auto all = std::make_shared<bool>(false);
    command->add_flag("--all", *all, "also loop, zram, ram, eMMC boot areas and single paths");
    command->callback(
        [&context, all] { context.select([&context, all] { return listDisks(context, *all); }); });
}

} // namespace diskwright
