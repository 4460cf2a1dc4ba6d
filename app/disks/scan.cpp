// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "disk.h"

#include "devicekind.h"
#include "names.h"
#include "scaninstead.h"

#include "helper/access/diskid.h"
#include "helper/access/mountinfo.h"
#include "helper/access/systemdisks.h"
#include "helper/access/udevdb.h"
#include "helper/contract/address.h"

#include <algorithm>
#include <charconv>

namespace diskwright {

namespace {

template <class Number>
std::optional<Number> parseNumber(std::string_view text)
{
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<std::string> readText(const Directory &folder, std::string_view file)
{
    auto text = folder.read(file);
    if (!text)
        return std::nullopt;
    if (text->ends_with('\n'))
        text->pop_back();
    return std::move(*text);
}

template <class Number>
std::optional<Number> readNumber(const Directory &folder, std::string_view file)
{
    const auto text = folder.read(file);
    return text ? parseNumber<Number>(*text) : std::nullopt;
}

std::optional<bool> readSwitch(const Directory &folder, std::string_view file)
{
    const auto value = readNumber<unsigned>(folder, file);
    return value && *value <= 1 ? std::optional(*value == 1) : std::nullopt;
}

std::optional<std::uint64_t> readSize(const Directory &folder, std::string_view file)
{
    constexpr std::uint64_t sectorBytes = 512; // whatever the disk's own sectors are
    const auto sectors = readNumber<std::uint64_t>(folder, file);
    if (!sectors || *sectors > UINT64_MAX / sectorBytes)
        return std::nullopt;
    return *sectors * sectorBytes;
}

/// Number and place in line of a device, from its uevent file or else from the single files.
struct Numbers {
    std::optional<std::uint32_t> major;
    std::optional<std::uint32_t> minor;
    std::optional<std::uint64_t> diskseq;
    std::optional<unsigned> partition;
};

void readUevent(std::string_view text, Numbers &numbers)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos)
            continue;
        const std::string_view key = line.substr(0, equals);
        const std::string_view value = line.substr(equals + 1);
        if (key == "MAJOR")
            numbers.major = parseNumber<std::uint32_t>(value);
        else if (key == "MINOR")
            numbers.minor = parseNumber<std::uint32_t>(value);
        else if (key == "DISKSEQ")
            numbers.diskseq = parseNumber<std::uint64_t>(value);
        else if (key == "PARTN")
            numbers.partition = parseNumber<unsigned>(value);
    }
}

Numbers readNumbers(const Directory &folder, const std::string &prefix, bool isPartition)
{
    Numbers numbers;
    if (const auto text = folder.read(prefix + "uevent"))
        readUevent(*text, numbers);
    if (!numbers.major || !numbers.minor) {
        const std::string text = readText(folder, prefix + "dev").value_or(std::string());
        const std::size_t colon = std::min(text.find(':'), text.size());
        numbers.major = parseNumber<std::uint32_t>(std::string_view(text).substr(0, colon));
        numbers.minor =
            parseNumber<std::uint32_t>(std::string_view(text).substr(std::min(colon + 1, text.size())));
    }
    if (isPartition && !numbers.partition)
        numbers.partition = readNumber<unsigned>(folder, prefix + "partition");
    if (!isPartition && !numbers.diskseq)
        numbers.diskseq = readNumber<std::uint64_t>(folder, prefix + "diskseq");
    return numbers;
}

std::optional<std::string> cleanProperty(const UdevEntry &entry, std::string_view key)
{
    const std::string *value = entry.property(key);
    std::string text = value ? cleanText(unescapeUdev(*value)) : std::string();
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

/// The word in brackets of "none [mq-deadline] kyber". A device that can have no scheduler says a bare
/// "none".
std::optional<std::string> activeScheduler(const Directory &disk)
{
    const std::string text = readText(disk, "queue/scheduler").value_or(std::string());
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open);
    if (open == std::string::npos || close == std::string::npos || close == open + 1)
        return std::nullopt;
    return cleanText(std::string_view(text).substr(open + 1, close - open - 1));
}

void addContents(const UdevEntry &entry, BlockNode &node)
{
    node.fstype = cleanProperty(entry, "ID_FS_TYPE");
    node.uuid = cleanProperty(entry, "ID_FS_UUID_ENC");
    if (!node.uuid)
        node.uuid = cleanProperty(entry, "ID_FS_UUID");
    node.label = cleanProperty(entry, "ID_FS_LABEL_ENC");
    if (!node.label)
        node.label = cleanProperty(entry, "ID_FS_LABEL");
}

class Scan
{
public:
    Scan(const SystemRoot &root, const InsteadOfDisk &instead)
        : m_root(root)
        , m_instead(instead)
        , m_udev(root)
    {
    }

    Result<DiskList> run()
    {
        const auto folder = m_root.directory("sys/block");
        if (!folder)
            return fail(folder.error().code, "sys/block", folder.error().reason,
                        "a Linux system with /sys mounted", folder.error().sysErrno);
        auto names = folder->entries();
        if (!names)
            return std::unexpected(names.error());
        std::ranges::sort(*names, deviceNameLess);
        m_disks.reserve(names->size());
        for (const std::string &name : *names)
            addDisk(name);
        addHolders();
        addMounts();
        addIds();
        return DiskList(std::move(m_disks));
    }

private:
    /// What stands in for a disk that is not read: what belongs to the device itself; all else is found anew.
    void adopt(BlockNode node)
    {
        const auto clean = [](BlockNode &part) {
            part.mounts.clear();
            part.holders.clear();
            part.system = false;
            std::erase_if(part.notes,
                          [](const std::string &note) { return note == "swap" || note == "twin-id"; });
        };
        clean(node);
        std::ranges::for_each(node.partitions, clean);
        if (node.mapperName)
            m_graph.byMapperName[*node.mapperName] = node.name;
        if (node.major != 0 || node.minor != 0) {
            if (const auto udev = m_udev.block(node.major, node.minor))
                m_ids.claim(node.name, *udev);
        }
        m_disks.push_back(std::move(node));
    }

    void addDisk(const std::string &name)
    {
        if (auto known = m_instead ? m_instead(name) : std::nullopt) {
            adopt(std::move(*known));
            return;
        }
        const auto folder = m_root.blockDevice(name);
        const auto entries = folder ? folder->entries() : std::unexpected(folder.error());
        if (!entries)
            return; // gone since the listing, or no device at all
        BlockNode node;
        node.name = name;
        const Numbers numbers = readNumbers(*folder, {}, false);
        node.major = numbers.major.value_or(0);
        node.minor = numbers.minor.value_or(0);
        node.diskseq = numbers.diskseq;
        const bool isHidden = !numbers.major || !numbers.minor;
        std::optional<UdevEntry> udev;
        if (!isHidden)
            udev = m_udev.block(node.major, node.minor);
        describe(*folder, *entries, udev ? &*udev : nullptr, node);
        if (isHidden) {
            node.hiddenByDefault = true;
            if (const std::string head = multipathHead(name); !head.empty())
                node.notes.push_back("path-of-" + head);
        }
        for (const std::string &entry : *entries) {
            if (isPartitionName(entry, name))
                addPartition(*folder, entry, node);
        }
        std::ranges::sort(node.partitions, deviceNameLess, &BlockNode::name);
        if (udev)
            m_ids.claim(name, *udev);
        m_disks.push_back(std::move(node));
    }

    void describe(const Directory &folder, const std::vector<std::string> &entries, const UdevEntry *udev,
                  BlockNode &node)
    {
        const DeviceKind kind = readDeviceKind(m_root, folder, entries, node.name, udev);
        node.type = kind.type;
        node.transport = kind.transport;
        node.model = kind.model;
        node.mapperName = kind.mapperName;
        node.sizeBytes = readSize(folder, "size");
        node.removable = readSwitch(folder, "removable");
        node.rotational = readSwitch(folder, "queue/rotational");
        node.scheduler = activeScheduler(folder);
        node.hiddenByDefault = isHiddenByDefault(node.name);
        if (readSwitch(folder, "ro").value_or(false))
            node.notes.emplace_back("read-only");
        if (node.sizeBytes == 0 && node.removable.value_or(false))
            node.notes.emplace_back("no-medium");
        if (udev) {
            node.table = cleanProperty(*udev, "ID_PART_TABLE_TYPE");
            addContents(*udev, node);
        }
        if (std::ranges::find(entries, "slaves") != entries.end()) {
            if (const auto slaves = folder.below("slaves"))
                node.slaves = slaves->entries().value_or(std::vector<std::string>{});
            std::erase_if(node.slaves, [](const std::string &slave) { return !isKernelName(slave); });
            std::ranges::sort(node.slaves, deviceNameLess);
        }
        if (kind.backingFile)
            m_graph.backingFile[node.name] = *kind.backingFile;
        if (kind.mapperName)
            m_graph.byMapperName[*kind.mapperName] = node.name;
    }

    void addPartition(const Directory &disk, const std::string &name, BlockNode &parent)
    {
        const Numbers numbers = readNumbers(disk, name + '/', true);
        if (!numbers.partition)
            return;
        BlockNode node;
        node.name = name;
        node.parent = parent.name;
        node.type = "part";
        node.major = numbers.major.value_or(0);
        node.minor = numbers.minor.value_or(0);
        node.diskseq = parent.diskseq;
        node.sizeBytes = readSize(disk, name + "/size");
        node.transport = parent.transport;
        node.rotational = parent.rotational;
        node.removable = parent.removable;
        node.hiddenByDefault = parent.hiddenByDefault;
        if (const auto udev = m_udev.block(node.major, node.minor))
            addContents(*udev, node);
        parent.partitions.push_back(std::move(node));
    }

    template <class Function>
    void forEach(Function function)
    {
        for (BlockNode &disk : m_disks) {
            function(disk);
            for (BlockNode &partition : disk.partitions)
                function(partition);
        }
    }

    /// Everything by name, and who stands on whom: the kernel's holders are its slaves read backwards.
    void addHolders()
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
        for (const BlockNode &disk : m_disks) {
            for (const std::string &slave : disk.slaves) {
                if (const auto found = m_byName.find(slave); found != m_byName.end())
                    found->second->holders.push_back(disk.name);
            }
        }
    }

    /// The device of a filesystem whose number is its own (btrfs), by the name it was mounted by.
    BlockNode *bySource(std::string_view source)
    {
        if (!source.starts_with("/dev/"))
            return nullptr;
        std::string name(source.substr(5));
        if (name.starts_with("mapper/")) {
            const auto mapped = m_graph.byMapperName.find(name.substr(7));
            name = mapped != m_graph.byMapperName.end() ? mapped->second : std::string();
        }
        std::ranges::replace(name, '/', '!');
        const auto found = m_byName.find(name);
        return found != m_byName.end() ? found->second : nullptr;
    }

    BlockNode *byNumber(std::uint32_t major, std::uint32_t minor)
    {
        const auto name = m_graph.byNumber.find(BlockGraph::numberKey(major, minor));
        return name != m_graph.byNumber.end() ? m_byName[name->second] : nullptr;
    }

    void addMounts()
    {
        const auto mounts = readMountInfo(m_root).value_or(std::vector<MountEntry>{});
        for (const MountEntry &mount : mounts) {
            BlockNode *node = mount.major != 0 ? byNumber(mount.major, mount.minor) : bySource(mount.source);
            if (!node)
                continue;
            node->mounts.push_back({mount.target, mount.options, mount.id});
            if (!node->fstype)
                node->fstype = cleanText(mount.fstype);
        }
        const auto swaps = readSwaps(m_root);
        for (const SwapEntry &swap : swaps) {
            if (BlockNode *node = swap.isFile ? nullptr : bySource(swap.path))
                node->notes.emplace_back("swap");
        }
        const SystemDevices system = systemDevices(m_root, m_graph, mounts, swaps);
        for (const std::string &name : system.all) {
            if (const auto found = m_byName.find(name); found != m_byName.end())
                found->second->system = true;
        }
    }

    void addIds()
    {
        for (BlockNode &disk : m_disks) {
            disk.id = m_ids.idOf(disk.name);
            if (m_ids.hasTwin(disk.name))
                disk.notes.emplace_back("twin-id");
        }
    }

    const SystemRoot &m_root;
    const InsteadOfDisk &m_instead;
    UdevDatabase m_udev;
    DiskIds m_ids;
    BlockGraph m_graph;
    std::vector<BlockNode> m_disks;
    std::unordered_map<std::string, BlockNode *> m_byName;
};

} // namespace

Result<DiskList> scanDisks(const SystemRoot &root)
{
    return scanDisks(root, {});
}

Result<DiskList> scanDisks(const SystemRoot &root, const InsteadOfDisk &instead)
{
    return Scan(root, instead).run();
}

} // namespace diskwright
