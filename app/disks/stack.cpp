// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "stack.h"

#include <algorithm>
#include <unordered_set>

namespace diskwright {

namespace {

using Nodes = std::vector<const BlockNode *>;

void addByName(const DiskList &disks, const std::vector<std::string> &names, Nodes &nodes)
{
    for (const std::string &name : names) {
        const BlockNode *node = disks.find(name);
        // An id can be asked for too, which no name in a link is.
        if (node && node->name == name && std::ranges::find(nodes, node) == nodes.end())
            nodes.push_back(node);
    }
}

template <class Function>
std::vector<StackStep> walk(const DiskList &disks, const BlockNode &from, Function next)
{
    std::vector<StackStep> steps;
    std::unordered_set<const BlockNode *> seen;
    std::vector<StackStep> waiting{{&from, 0, false}};
    while (!waiting.empty()) {
        StackStep step = waiting.back();
        waiting.pop_back();
        step.again = !seen.insert(step.node).second;
        steps.push_back(step);
        if (step.again)
            continue;
        const Nodes beyond = next(disks, *step.node);
        for (auto node = beyond.rbegin(); node != beyond.rend(); ++node)
            waiting.push_back({*node, step.depth + 1, false});
    }
    return steps;
}

std::string joined(const Nodes &nodes)
{
    std::string text;
    for (const BlockNode *node : nodes)
        text += (text.empty() ? "" : ", ") + node->name;
    return text;
}

} // namespace

std::vector<const BlockNode *> directlyBelow(const DiskList &disks, const BlockNode &node)
{
    Nodes nodes;
    if (!node.parent.empty())
        addByName(disks, {node.parent}, nodes);
    addByName(disks, node.slaves, nodes);
    addByName(disks, node.restsOn, nodes);
    std::erase(nodes, &node);
    return nodes;
}

std::vector<const BlockNode *> directlyAbove(const DiskList &disks, const BlockNode &node)
{
    Nodes nodes;
    for (const BlockNode &partition : node.partitions)
        nodes.push_back(&partition);
    addByName(disks, node.holders, nodes);
    addByName(disks, node.carries, nodes);
    std::erase(nodes, &node);
    return nodes;
}

std::vector<StackStep> stackBelow(const DiskList &disks, const BlockNode &node)
{
    return walk(disks, node, directlyBelow);
}

std::vector<StackStep> stackAbove(const DiskList &disks, const BlockNode &node)
{
    return walk(disks, node, directlyAbove);
}

std::vector<const BlockNode *> leafDisks(const DiskList &disks, const BlockNode &node)
{
    Nodes leaves;
    for (const StackStep &step : stackBelow(disks, node)) {
        if (!step.again && directlyBelow(disks, *step.node).empty())
            leaves.push_back(step.node);
    }
    return leaves;
}

std::vector<MountedOn> mountsAbove(const DiskList &disks, const BlockNode &node, bool covered)
{
    std::vector<MountedOn> mounts;
    for (const StackStep &step : stackAbove(disks, node)) {
        if (step.again)
            continue;
        for (const MountUse &mount : step.node->mounts) {
            if (covered || !mount.covered)
                mounts.push_back({step.node, &mount});
        }
    }
    return mounts;
}

std::vector<const BlockNode *> mountedAt(const DiskList &disks, std::string_view target)
{
    Nodes nodes;
    const auto consider = [&](const BlockNode &node) {
        if (std::ranges::any_of(
                node.mounts, [&](const MountUse &mount) { return !mount.covered && mount.target == target; }))
            nodes.push_back(&node);
    };
    for (const BlockNode &disk : disks.disks()) {
        consider(disk);
        std::ranges::for_each(disk.partitions, consider);
    }
    return nodes;
}

std::string stackText(const DiskList &disks, const BlockNode &node)
{
    std::string text;
    const auto add = [&](std::string_view word) {
        text += text.empty() ? "" : " on ";
        text += word;
    };
    if (node.fstype)
        add(*node.fstype);
    std::unordered_set<const BlockNode *> seen;
    Nodes level{&node};
    while (!level.empty()) {
        // Several devices beside each other are the end of what one line can say, and so is a plain one.
        const BlockNode &first = *level.front();
        Nodes below = level.size() == 1 && !first.layer.empty() && seen.insert(&first).second
                          ? directlyBelow(disks, first)
                          : Nodes{};
        if (below.empty()) {
            add(joined(level));
            break;
        }
        if (first.layer != "partition")
            add(first.layer);
        level = std::move(below);
    }
    return text;
}

} // namespace diskwright
