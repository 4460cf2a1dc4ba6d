// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include "commandcontext.h"
#include "jsonwriter.h"
#include "table.h"

#include "app/disks/disk.h"
#include "app/disks/names.h"
#include "app/disks/stack.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_set>

namespace diskwright {

namespace {

/// What of a list is written.
struct Wanted {
    bool all = false; ///< what is hidden by default too
    bool mountsKnown = true;
};

void writeNodes(JsonWriter &json, const std::vector<BlockNode> &nodes, Wanted wanted);

void writeMounts(JsonWriter &json, const BlockNode &node)
{
    json.beginArray();
    for (const MountUse &mount : node.mounts) {
        json.beginObject();
        json.member("target", mount.target);
        json.member("options", mount.options);
        json.member("mount_id", mount.mountId);
        json.member("covered", mount.covered);
        json.endObject();
    }
    json.endArray();
}

void writeNode(JsonWriter &json, const BlockNode &node, Wanted wanted)
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
    // Swap tells of a system disk without the mounts too.
    json.member("system", wanted.mountsKnown || node.system ? std::optional(node.system) : std::nullopt);
    json.member("scheduler", node.scheduler);
    json.member("table", node.table);
    json.member("fstype", node.fstype);
    json.member("uuid", node.uuid);
    json.member("label", node.label);
    json.key("mounts");
    if (wanted.mountsKnown)
        writeMounts(json, node);
    else
        json.null();
    json.key("partitions");
    writeNodes(json, node.partitions, wanted);
    json.member("holders", node.holders);
    json.member("slaves", node.slaves);
    json.member("notes", node.notes);
    json.endObject();
}

void writeNodes(JsonWriter &json, const std::vector<BlockNode> &nodes, Wanted wanted)
{
    json.beginArray();
    for (const BlockNode &node : nodes) {
        if (wanted.all || !node.hiddenByDefault)
            writeNode(json, node, wanted);
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

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// What a person knows it by. The name of a map says more than a label, which a snapshot shares with its
/// origin.
std::string nameOf(const BlockNode &node)
{
    for (const std::optional<std::string> *name : {&node.model, &node.mapperName, &node.volume}) {
        if (*name)
            return **name;
    }
    return node.backingFile ? cleanText(*node.backingFile) : node.label.value_or(std::string());
}

/// The devices as a tree: what stands on something is below it and further in. What stands on several has its
/// row below the first of them; the others point to it.
class Tree
{
public:
    Tree(const DiskList &disks, bool all, Table &table)
        : m_disks(disks)
        , m_all(all)
        , m_table(table)
    {
    }

    void run()
    {
        for (const BlockNode &disk : m_disks.disks()) {
            if (directlyBelow(m_disks, disk).empty())
                add(disk, 0);
        }
        // What is left stands only on itself, in a damaged tree, or on what is not shown.
        for (const BlockNode &disk : m_disks.disks()) {
            if (!m_shown.contains(&disk))
                add(disk, 0);
        }
    }

private:
    void add(const BlockNode &node, std::size_t depth)
    {
        if (!m_shown.insert(&node).second)
            return;
        const bool isHidden = node.hiddenByDefault && !m_all;
        const auto above = directlyAbove(m_disks, node);
        if (!isHidden)
            addRow(node, depth, above);
        for (const BlockNode *next : above)
            add(*next, isHidden ? depth : depth + 1);
    }

    void addRow(const BlockNode &node, std::size_t depth, const std::vector<const BlockNode *> &above)
    {
        std::string uses = m_disks.mountsKnown() ? "" : "not known";
        for (const MountUse &mount : node.mounts)
            uses +=
                (uses.empty() ? "" : ", ") + cleanText(mount.target) + (mount.covered ? " (covered)" : "");
        std::string elsewhere;
        for (const BlockNode *next : above) {
            if (m_shown.contains(next))
                elsewhere += (elsewhere.empty() ? "-> " : ", ") + next->name;
        }
        if (!elsewhere.empty())
            uses += (uses.empty() ? "" : "  ") + elsewhere;
        m_table.addRow({std::string(2 * std::min(depth, deepestIndent), ' ') + node.name,
                        node.sizeBytes ? decimalSize(*node.sizeBytes) : std::string(), kindOf(node),
                        node.parent.empty() ? node.transport.value_or(std::string()) : std::string(),
                        node.scheduler.value_or(std::string()), node.fstype.value_or(std::string()),
                        node.system ? "system" : "", uses, nameOf(node), joined(node.notes)});
    }

    static constexpr std::size_t deepestIndent = 16;
    const DiskList &m_disks;
    const bool m_all;
    Table &m_table;
    std::unordered_set<const BlockNode *> m_shown;
};

ExitCode listDisks(CommandContext &context, bool all)
{
    const auto disks = context.disks();
    if (!disks)
        return context.fail(disks.error());
    if (context.json) {
        constexpr std::size_t usualBytesPerDisk = 4096; // with four partitions
        JsonWriter json;
        json.reserve((*disks)->disks().size() * usualBytesPerDisk);
        json.beginObject();
        json.key("disks");
        writeNodes(json, (*disks)->disks(), {all, (*disks)->mountsKnown()});
        json.endObject();
        context.print(std::move(json));
        return ExitCode::Done;
    }
    Table table;
    table.addColumn("NAME");
    table.addColumn("SIZE", Table::Align::Right);
    for (const char *heading : {"KIND", "BUS", "SCHEDULER", "FILESYSTEM", "USE"})
        table.addColumn(heading);
    for (const char *heading : {"MOUNTS", "MODEL"})
        table.addColumn(heading, Table::Align::Left, Table::Fit::Shorten);
    table.addColumn("NOTES");
    Tree(**disks, all, table).run();
    context.print(table.render(context.width));
    return ExitCode::Done;
}

} // namespace

void addDisksCommands(CLI::App &app, CommandContext &context)
{
    CLI::App *command =
        app.add_subcommand("disks", "list disks and partitions with what the kernel says of them");
    const auto all = std::make_shared<bool>(false);
    command->add_flag(
        "--all", *all,
        "also loop, zram, ram, eMMC boot areas, single paths, inner parts of volumes, idle nbd");
    command->callback(
        [&context, all] { context.select([&context, all] { return listDisks(context, *all); }); });
}

} // namespace diskwright
