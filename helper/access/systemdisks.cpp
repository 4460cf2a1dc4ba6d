// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemdisks.h"

#include "../contract/address.h"
#include "udevdb.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <optional>
#include <unistd.h>

namespace diskwright {

namespace {

constexpr std::array<std::string_view, 5> systemTargets{"/", "/usr", "/var", "/boot", "/boot/efi"};

std::string trimmed(std::string text)
{
    if (text.ends_with('\n'))
        text.pop_back();
    return text;
}

std::optional<std::uint64_t> readNumber(const Directory &folder, const std::string &file)
{
    const auto text = folder.read(file);
    if (!text)
        return std::nullopt;
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    const char *end = text->data() + text->size();
    const auto colon = std::from_chars(text->data(), end, major);
    if (colon.ec != std::errc{} || colon.ptr == end || *colon.ptr != ':' ||
        std::from_chars(colon.ptr + 1, end, minor).ec != std::errc{})
        return std::nullopt;
    return BlockGraph::numberKey(major, minor);
}

void readDisk(const SystemRoot &root, const std::string &name, BlockGraph &graph)
{
    const auto disk = root.blockDevice(name);
    const auto entries = disk ? disk->entries() : std::unexpected(disk.error());
    if (!entries)
        return;
    if (const auto number = readNumber(*disk, "dev"))
        graph.byNumber[*number] = name;
    auto &slaves = graph.slavesOf[name];
    for (const std::string &entry : *entries) {
        if (entry == "slaves") {
            slaves = disk->entries(entry).value_or(std::vector<std::string>{});
        } else if (entry == "dm") {
            if (auto mapperName = disk->read("dm/name"))
                graph.byMapperName[trimmed(std::move(*mapperName))] = name;
        } else if (entry == "loop") {
            if (auto file = disk->read("loop/backing_file"))
                graph.backingFile[name] = trimmed(std::move(*file));
        } else if (entry.starts_with(name) && isKernelName(entry) && disk->has(entry + "/partition")) {
            graph.parentOf[entry] = name;
            if (const auto number = readNumber(*disk, entry + "/dev"))
                graph.byNumber[*number] = entry;
        }
    }
}

/// Walks from mounts and swap down to the disks.
class Search
{
public:
    Search(const SystemRoot &root, const BlockGraph &graph, const std::vector<MountEntry> &mounts)
        : m_root(root)
        , m_graph(graph)
        , m_mounts(mounts)
    {
    }

    void mount(const MountEntry &mount)
    {
        const auto number = m_graph.byNumber.find(BlockGraph::numberKey(mount.major, mount.minor));
        if (number != m_graph.byNumber.end())
            device(number->second);
        else if (mount.fstype == "zfs")
            pool(mount.source.substr(0, mount.source.find('/')));
        else if (mount.fstype == "overlay")
            overlay(mount);
        else
            sources(mount.source);
    }

    /// The file's filesystem: the mount with the longest target that the path lies under.
    void file(std::string_view path)
    {
        const MountEntry *best = nullptr;
        for (const MountEntry &mount : m_mounts) {
            const bool lies = mount.target == "/" || path == mount.target ||
                              (path.starts_with(mount.target) && path[mount.target.size()] == '/');
            if (lies && (!best || mount.target.size() >= best->target.size()))
                best = &mount;
        }
        if (best && m_mountsSeen.insert(best->id).second)
            mount(*best);
    }

    /// A path below /dev, through one link there.
    void path(std::string_view text)
    {
        if (const auto found = nameOfPath(text)) {
            device(*found);
            return;
        }
        if (!text.starts_with("/dev/") || text.find("..") != std::string_view::npos)
            return;
        char target[PATH_MAX] = {};
        const std::string relative(text.substr(1));
        const ssize_t length = readlinkat(m_root.fd(), relative.c_str(), target, sizeof target - 1);
        const std::string_view link(target, length > 0 ? static_cast<std::size_t>(length) : 0);
        if (const auto found = nameOfPath("/dev/" + std::string(link.substr(link.rfind('/') + 1))))
            device(*found);
    }

    [[nodiscard]] SystemDevices result() && { return std::move(m_result); }

private:
    [[nodiscard]] bool isKnown(const std::string &name) const
    {
        return m_graph.slavesOf.contains(name) || m_graph.parentOf.contains(name);
    }

    [[nodiscard]] std::optional<std::string> nameOfPath(std::string_view text) const
    {
        if (!text.starts_with("/dev/"))
            return std::nullopt;
        std::string name(text.substr(5));
        if (name.starts_with("mapper/")) {
            const auto mapped = m_graph.byMapperName.find(name.substr(7));
            return mapped != m_graph.byMapperName.end() ? std::optional(mapped->second) : std::nullopt;
        }
        std::ranges::replace(name, '/', '!');
        return isKnown(name) ? std::optional(name) : std::nullopt;
    }

    /// One device, or several joined by colons (bcachefs).
    void sources(std::string_view text)
    {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find(':'), text.size());
            path(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    void pool(const std::string &name)
    {
        const auto members = m_graph.poolMembers.find(name);
        if (members == m_graph.poolMembers.end())
            return;
        for (const std::string &member : members->second)
            device(member);
    }

    /// The filesystems that hold the layers of a live system's root.
    void overlay(const MountEntry &mount)
    {
        std::string_view options = mount.superOptions;
        while (!options.empty()) {
            const std::size_t end = std::min(options.find(','), options.size());
            std::string_view option = options.substr(0, end);
            options.remove_prefix(std::min(end + 1, options.size()));
            if (!option.starts_with("lowerdir=") && !option.starts_with("upperdir="))
                continue;
            option.remove_prefix(option.find('=') + 1);
            while (!option.empty()) {
                const std::size_t part = std::min(option.find(':'), option.size());
                if (option.starts_with('/'))
                    file(option.substr(0, part));
                option.remove_prefix(std::min(part + 1, option.size()));
            }
        }
    }

    void device(const std::string &first)
    {
        std::vector<std::string> waiting{first};
        while (!waiting.empty()) {
            const std::string name = std::move(waiting.back());
            waiting.pop_back();
            // Memory that looks like a disk holds nothing that must survive.
            if (name.starts_with("zram") || name.starts_with("ram") || !m_result.all.insert(name).second)
                continue;
            addTogether(name, waiting);
            if (const auto parent = m_graph.parentOf.find(name); parent != m_graph.parentOf.end()) {
                waiting.push_back(parent->second);
                continue;
            }
            if (const auto volume = m_graph.poolOf.find(name); volume != m_graph.poolOf.end()) {
                if (const auto members = m_graph.poolMembers.find(volume->second);
                    members != m_graph.poolMembers.end())
                    waiting.insert(waiting.end(), members->second.begin(), members->second.end());
            }
            const auto slaves = m_graph.slavesOf.find(name);
            const auto backing = m_graph.backingFile.find(name);
            if (slaves != m_graph.slavesOf.end() && !slaves->second.empty())
                waiting.insert(waiting.end(), slaves->second.begin(), slaves->second.end());
            else if (backing != m_graph.backingFile.end())
                file(backing->second);
            else
                m_result.leaves.insert(name);
        }
    }

    /// The other devices of the same btrfs.
    void addTogether(const std::string &name, std::vector<std::string> &waiting)
    {
        if (!m_btrfsRead) {
            m_btrfsRead = true;
            readBtrfs();
        }
        for (const auto &members : m_btrfs) {
            if (std::ranges::find(members, name) != members.end())
                waiting.insert(waiting.end(), members.begin(), members.end());
        }
    }

    void readBtrfs()
    {
        const auto folder = m_root.directory("sys/fs/btrfs");
        const auto filesystems = folder ? folder->entries() : std::unexpected(folder.error());
        if (!filesystems)
            return;
        for (const std::string &filesystem : *filesystems) {
            if (auto devices = folder->entries(filesystem + "/devices"))
                m_btrfs.push_back(std::move(*devices));
        }
    }

    const SystemRoot &m_root;
    const BlockGraph &m_graph;
    const std::vector<MountEntry> &m_mounts;
    SystemDevices m_result;
    std::set<std::uint64_t> m_mountsSeen;
    std::vector<std::vector<std::string>> m_btrfs;
    bool m_btrfsRead = false;
};

void addPools(const SystemRoot &root, BlockGraph &graph)
{
    const UdevDatabase udev(root);
    for (const auto &[number, name] : graph.byNumber) {
        const auto entry =
            udev.block(static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number));
        if (!entry)
            continue;
        const std::string *type = entry->property("ID_FS_TYPE");
        const std::string *label = entry->property("ID_FS_LABEL");
        if (type && *type == "zfs_member" && label)
            graph.poolMembers[*label].push_back(name);
        for (const std::string &link : entry->links) {
            constexpr std::string_view volumes = "zvol/";
            if (name.starts_with("zd") && link.starts_with(volumes))
                graph.poolOf[name] =
                    link.substr(volumes.size(), link.find('/', volumes.size()) - volumes.size());
        }
    }
}

} // namespace

BlockGraph readBlockGraph(const SystemRoot &root)
{
    BlockGraph graph;
    const auto folder = root.directory("sys/block");
    const auto names = folder ? folder->entries() : std::unexpected(folder.error());
    for (const std::string &name : names.value_or(std::vector<std::string>{}))
        readDisk(root, name, graph);
    return graph;
}

SystemDevices systemDevices(const SystemRoot &root, const BlockGraph &graph,
                            const std::vector<MountEntry> &mounts, const std::vector<SwapEntry> &swaps)
{
    Search search(root, graph, mounts);
    for (const MountEntry &mount : mounts) {
        if (std::ranges::find(systemTargets, mount.target) != systemTargets.end())
            search.mount(mount);
    }
    for (const SwapEntry &swap : swaps) {
        if (swap.isFile)
            search.file(swap.path);
        else
            search.path(swap.path);
    }
    return std::move(search).result();
}

Result<std::set<std::string>> systemDisks(const SystemRoot &root)
{
    const auto mounts = readMountInfo(root);
    if (!mounts)
        return std::unexpected(mounts.error());
    const auto swaps = readSwaps(root);
    if (!swaps)
        return std::unexpected(swaps.error());
    BlockGraph graph = readBlockGraph(root);
    // Only udev tells a pool's members; without ZFS its records need not be read.
    if (std::ranges::contains(*mounts, "zfs", &MountEntry::fstype))
        addPools(root, graph);
    return systemDevices(root, graph, *mounts, *swaps).leaves;
}

} // namespace diskwright
