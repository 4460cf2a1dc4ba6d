// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bypath.h"

#include "helper/access/udevdb.h"

#include <algorithm>
#include <string>

namespace diskwright {

namespace {

const BlockNode *byMapperName(const DiskList &disks, std::string_view name)
{
    const auto found = std::ranges::find_if(
        disks.disks(), [&](const BlockNode &disk) { return disk.mapperName && *disk.mapperName == name; });
    return found != disks.disks().end() ? &*found : nullptr;
}

const BlockNode *byLink(const SystemRoot &root, const DiskList &disks, std::string_view link)
{
    const UdevDatabase udev(root);
    const BlockNode *found = nullptr;
    bool isTwice = false;
    const auto ask = [&](const BlockNode &node) {
        const auto entry = udev.block(node.major, node.minor);
        if (!entry || !std::ranges::contains(entry->links, link))
            return;
        isTwice = found != nullptr;
        found = &node;
    };
    for (const BlockNode &disk : disks.disks()) {
        ask(disk);
        std::ranges::for_each(disk.partitions, ask);
        if (isTwice)
            return nullptr;
    }
    return found;
}

} // namespace

const BlockNode *deviceByPath(const SystemRoot &root, const DiskList &disks, std::string_view path)
{
    constexpr std::string_view folder = "/dev/";
    if (!path.starts_with(folder))
        return nullptr;
    path.remove_prefix(folder.size());
    constexpr std::string_view mapper = "mapper/";
    if (path.starts_with(mapper)) {
        if (const BlockNode *node = byMapperName(disks, path.substr(mapper.size())))
            return node;
    }
    // The kernel writes the slash of "cciss/c0d0" as an exclamation mark.
    std::string name(path);
    std::ranges::replace(name, '/', '!');
    if (const BlockNode *node = disks.find(name))
        return node;
    if (const BlockNode *node = disks.find("/dev/" + std::string(path)))
        return node;
    return byLink(root, disks, path);
}

} // namespace diskwright
