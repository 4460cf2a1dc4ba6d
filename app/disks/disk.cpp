// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "disk.h"

namespace diskwright {

DiskList::DiskList(std::vector<BlockNode> disks, bool mountsKnown)
    : m_disks(std::move(disks))
    , m_mountsKnown(mountsKnown)
{
    for (std::size_t disk = 0; disk < m_disks.size(); ++disk) {
        const BlockNode &node = m_disks[disk];
        m_places.try_emplace(node.name, Place{disk, std::nullopt});
        if (node.id)
            m_places.try_emplace(*node.id, Place{disk, std::nullopt});
        for (std::size_t partition = 0; partition < node.partitions.size(); ++partition)
            m_places.try_emplace(node.partitions[partition].name, Place{disk, partition});
    }
}

const BlockNode *DiskList::find(std::string_view nameOrId) const
{
    auto found = m_places.find(std::string(nameOrId));
    // What tools of the disk print and take: /dev/sda, /dev/disk/by-id/…
    for (const std::string_view folder : {"/dev/disk/by-id/", "/dev/"}) {
        if (found == m_places.end() && nameOrId.starts_with(folder))
            found = m_places.find(std::string(nameOrId.substr(folder.size())));
    }
    if (found == m_places.end())
        return nullptr;
    const BlockNode &disk = m_disks[found->second.disk];
    return found->second.partition ? &disk.partitions[*found->second.partition] : &disk;
}

const BlockNode *DiskList::wholeDisk(const BlockNode &node) const
{
    return find(node.parent.empty() ? node.name : node.parent);
}

DeviceIdentity identityOf(const BlockNode &disk)
{
    return {disk.name, disk.major, disk.minor, disk.diskseq.value_or(0), disk.sizeBytes.value_or(0)};
}

} // namespace diskwright
