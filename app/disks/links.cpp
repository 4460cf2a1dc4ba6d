// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "links.h"

#include "mounts.h"
#include "names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace diskwright {

namespace {

using Nodes = std::vector<BlockNode *>;

std::string_view poolOf(std::string_view dataset)
{
    return dataset.substr(0, std::min(dataset.find('/'), dataset.size()));
}

class Links
{
public:
    Links(const SystemRoot &root, const UdevDatabase &udev, ReadDevices &devices)
        : m_root(root)
        , m_udev(udev)
        , m_devices(devices)
        , m_graph(devices.graph)
    {
    }

    void run()
    {
        addNames();
        addHolders();
        addPools();
        auto mounts = readMountInfo(m_root);
        m_devices.mountsKnown = mounts.has_value();
        if (mounts)
            m_mounts = std::move(*mounts);
        m_covered = coveredMounts(m_mounts);
        addMounts();
        addSwaps();
        addHiddenLinks();
    }

private:
    template <class Function>
    void forEach(Function function)
    {
        for (BlockNode &disk : m_devices.disks) {
            function(disk);
            for (BlockNode &partition : disk.partitions)
                function(partition);
        }
    }

    BlockNode *byName(const std::string &name)
    {
        const auto found = m_byName.find(name);
        return found != m_byName.end() ? found->second : nullptr;
    }

    BlockNode *byNumber(std::uint32_t major, std::uint32_t minor)
    {
        const auto name = m_graph.byNumber.find(BlockGraph::numberKey(major, minor));
        return name != m_graph.byNumber.end() ? byName(name->second) : nullptr;
    }

    void addNames()
    {
        forEach([&](BlockNode &node) {
            m_byName[node.name] = &node;
            if (node.major != 0 || node.minor != 0)
                m_graph.byNumber[BlockGraph::numberKey(node.major, node.minor)] = node.name;
            if (!node.parent.empty())
                m_graph.parentOf[node.name] = node.parent;
            else
                m_graph.slavesOf[node.name] = node.slaves;
        });
    }

    /// The kernel's holders are its slaves read backwards.
    void addHolders()
    {
        for (const BlockNode &disk : m_devices.disks) {
            const bool isMultipath = disk.type == "mpath";
            for (const std::string &slave : disk.slaves) {
                BlockNode *node = byName(slave);
                if (!node || node->name == disk.name)
                    continue;
                node->holders.push_back(disk.name);
                if (isMultipath)
                    node->notes.push_back("path-of-" + disk.name);
            }
        }
        for (const auto &[name, note] : m_devices.memberNotes) {
            if (BlockNode *node = byName(name))
                node->notes.emplace_back(note);
        }
    }

    /// Members of ZFS pools, as far as udev tells: their label is the pool's name, their UUID the pool's.
    void addPools()
    {
        std::map<std::string, std::set<std::string>> identities;
        forEach([&](BlockNode &node) {
            if (node.fstype == "zfs_member" && node.label) {
                m_graph.poolMembers[*node.label].push_back(node.name);
                identities[*node.label].insert(node.uuid.value_or(std::string()));
            }
            if (node.volume)
                m_graph.poolOf[node.name] = poolOf(*node.volume);
        });
        // Two pools of one name: which of them is imported can't be told from here.
        for (const auto &[pool, uuids] : identities) {
            if (uuids.size() == 1)
                m_knownPools.insert(pool);
        }
    }

    Nodes poolNodes(const std::string &pool)
    {
        Nodes nodes;
        if (!m_knownPools.contains(pool))
            return nodes;
        for (const std::string &member : m_graph.poolMembers[pool])
            nodes.push_back(byName(member));
        return nodes;
    }

    /// A device by a path below /dev, by its own name or a link's.
    BlockNode *byPath(std::string_view path)
    {
        if (!path.starts_with("/dev/"))
            return nullptr;
        std::string name(path.substr(5));
        if (name.starts_with("mapper/")) {
            const auto mapped = m_graph.byMapperName.find(name.substr(7));
            return mapped != m_graph.byMapperName.end() ? byName(mapped->second) : nullptr;
        }
        std::ranges::replace(name, '/', '!');
        if (BlockNode *node = byName(name))
            return node;
        const auto link = links().find(std::string(path.substr(5)));
        return link != links().end() ? byName(link->second) : nullptr;
    }

    /// udev's links, read only when a path is no device's own name. Where one leads that two devices claim is
    /// not known.
    const std::unordered_map<std::string, std::string> &links()
    {
        if (m_links)
            return *m_links;
        m_links.emplace();
        std::set<std::string> twice;
        forEach([&](const BlockNode &node) {
            const auto entry = m_udev.block(node.major, node.minor);
            if (!entry)
                return;
            for (const std::string &link : entry->links) {
                if (!m_links->try_emplace(link, node.name).second)
                    twice.insert(link);
            }
        });
        for (const std::string &link : twice)
            m_links->erase(link);
        return *m_links;
    }

    /// The devices of a btrfs by one of them.
    const std::vector<std::string> *together(const std::string &name)
    {
        if (!m_btrfsRead) {
            m_btrfsRead = true;
            const auto folder = m_root.directory("sys/fs/btrfs");
            const auto systems = folder ? folder->entries() : std::unexpected(folder.error());
            for (const std::string &system : systems.value_or(std::vector<std::string>{})) {
                if (auto devices = folder->entries(system + "/devices"))
                    m_btrfs.push_back(std::move(*devices));
            }
        }
        const auto found = std::ranges::find_if(m_btrfs, [&](const std::vector<std::string> &members) {
            return std::ranges::find(members, name) != members.end();
        });
        return found != m_btrfs.end() ? &*found : nullptr;
    }

    /// The devices that a mount's file system lies on.
    Nodes nodesOf(const MountEntry &mount)
    {
        if (mount.major != 0) {
            BlockNode *node = byNumber(mount.major, mount.minor);
            return node ? Nodes{node} : Nodes{};
        }
        if (mount.fstype == "zfs")
            return poolNodes(std::string(poolOf(mount.source)));
        Nodes nodes;
        const auto add = [&](BlockNode *node) {
            if (node && std::ranges::find(nodes, node) == nodes.end())
                nodes.push_back(node);
        };
        // bcachefs joins its devices by colons.
        std::string_view sources = mount.source;
        while (!sources.empty()) {
            const std::size_t end = std::min(sources.find(':'), sources.size());
            add(byPath(sources.substr(0, end)));
            sources.remove_prefix(std::min(end + 1, sources.size()));
        }
        if (mount.fstype == "btrfs" && nodes.size() == 1) {
            if (const auto *members = together(nodes.front()->name)) {
                for (const std::string &member : *members)
                    add(byName(member));
            }
        }
        return nodes;
    }

    void addMounts()
    {
        for (std::size_t index = 0; index < m_mounts.size(); ++index) {
            const MountEntry &mount = m_mounts[index];
            for (BlockNode *node : nodesOf(mount)) {
                node->mounts.push_back({mount.target, mount.options, mount.id, m_covered[index]});
                if (!node->fstype)
                    node->fstype = cleanText(mount.fstype);
            }
        }
    }

    void addSwaps()
    {
        const Result<std::vector<SwapEntry>> read = readSwaps(m_root);
        m_devices.mountsKnown = m_devices.mountsKnown && read.has_value();
        const auto swaps = read.value_or(std::vector<SwapEntry>{});
        for (const SwapEntry &swap : swaps) {
            if (BlockNode *node = swap.isFile ? nullptr : swapNode(swap.path))
                node->notes.emplace_back("swap");
        }
        for (const std::string &name : systemDevices(m_root, m_graph, m_mounts, swaps).all) {
            if (BlockNode *node = byName(name))
                node->system = true;
        }
    }

    /// Swap that was started before the root was switched shows as "/zram0" or "/dm-1", without its /dev.
    BlockNode *swapNode(std::string_view path)
    {
        constexpr std::string_view deleted = " (deleted)";
        if (path.ends_with(deleted))
            path.remove_suffix(deleted.size());
        if (path.starts_with("/dev/"))
            return byPath(path);
        return path.starts_with('/') ? byName(std::string(path.substr(1))) : nullptr;
    }

    void link(BlockNode &upper, const Nodes &lower)
    {
        for (BlockNode *node : lower) {
            if (!node || node == &upper)
                continue;
            upper.restsOn.push_back(node->name);
            node->carries.push_back(upper.name);
        }
    }

    /// What stands on what without a slave link of the kernel.
    void addHiddenLinks()
    {
        for (BlockNode &disk : m_devices.disks) {
            if (disk.backingFile) {
                if (const MountEntry *mount = mountOfPath(m_mounts, m_covered, *disk.backingFile))
                    link(disk, nodesOf(*mount));
            } else if (disk.volume) {
                link(disk, poolNodes(std::string(poolOf(*disk.volume))));
            } else if (const auto zram = m_devices.zramBacking.find(disk.name);
                       zram != m_devices.zramBacking.end()) {
                link(disk, {byPath(zram->second)});
            }
        }
    }

    const SystemRoot &m_root;
    const UdevDatabase &m_udev;
    ReadDevices &m_devices;
    BlockGraph &m_graph;
    std::unordered_map<std::string, BlockNode *> m_byName;
    std::set<std::string> m_knownPools;
    std::optional<std::unordered_map<std::string, std::string>> m_links;
    std::vector<std::vector<std::string>> m_btrfs;
    bool m_btrfsRead = false;
    std::vector<MountEntry> m_mounts;
    std::vector<bool> m_covered;
};

} // namespace

void linkDevices(const SystemRoot &root, const UdevDatabase &udev, ReadDevices &devices)
{
    Links(root, udev, devices).run();
}

} // namespace diskwright
