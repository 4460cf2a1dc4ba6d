// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "disk.h"

#include "array.h"
#include "devicekind.h"
#include "links.h"
#include "names.h"
#include "scaninstead.h"

#include "helper/access/diskid.h"
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
    // The kernel counts bytes in a signed number: more is no size.
    if (!sectors || *sectors > INT64_MAX / sectorBytes)
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
        m_devices.disks.reserve(names->size());
        for (const std::string &name : *names)
            addDisk(name);
        addPaths();
        linkDevices(m_root, m_udev, m_devices);
        addIds();
        return DiskList(std::move(m_devices.disks), m_devices.mountsKnown);
    }

private:
    /// What stands in for a disk that is not read: what belongs to the device itself; all else is found anew.
    void adopt(BlockNode node)
    {
        const auto isOfOthers = [](const std::string &note) {
            return note == "swap" || note == "twin-id" || note.ends_with("-member") ||
                   note.starts_with("path-of-");
        };
        const auto clean = [&](BlockNode &part) {
            part.mounts.clear();
            part.holders.clear();
            part.restsOn.clear();
            part.carries.clear();
            part.system = false;
            std::erase_if(part.notes, isOfOthers);
        };
        clean(node);
        std::ranges::for_each(node.partitions, clean);
        if (node.mapperName)
            m_devices.graph.byMapperName[*node.mapperName] = node.name;
        if (node.backingFile)
            m_devices.graph.backingFile[node.name] = *node.backingFile;
        if (node.major != 0 || node.minor != 0) {
            if (const auto udev = m_udev.block(node.major, node.minor))
                m_ids.claim(node.name, *udev);
        }
        m_devices.disks.push_back(std::move(node));
    }

    void addDisk(const std::string &name)
    {
        if (auto known = m_instead ? m_instead(name) : std::nullopt) {
            adopt(std::move(*known));
            return;
        }
        const auto folder = m_root.blockDevice(name);
        const auto entries = folder ? folder->entries() : std::unexpected(folder.error());
        if (!entries && entries.error().code != Errc::Kernel)
            return; // gone since the listing, or no device at all
        BlockNode node;
        node.name = name;
        if (!entries) {
            // It is there, and that is all that can be said.
            node.type = "disk";
            node.hiddenByDefault = isHiddenByDefault(name);
            node.notes.emplace_back("unreadable");
            m_devices.disks.push_back(std::move(node));
            return;
        }
        const Numbers numbers = readNumbers(*folder, {}, false);
        node.major = numbers.major.value_or(0);
        node.minor = numbers.minor.value_or(0);
        node.diskseq = numbers.diskseq;
        const bool hasNumber = numbers.major && numbers.minor;
        std::optional<UdevEntry> udev;
        if (hasNumber)
            udev = m_udev.block(node.major, node.minor);
        describe(*folder, *entries, udev ? &*udev : nullptr, node);
        // The kernel gives a single path of a multipath disk no number, and newer ones say so too.
        if (!hasNumber && (!multipathHead(name).empty() || readSwitch(*folder, "hidden").value_or(false)))
            node.hiddenByDefault = true;
        addPartitions(*folder, *entries, node);
        if (udev)
            m_ids.claim(name, *udev);
        m_devices.disks.push_back(std::move(node));
    }

    void describe(const Directory &folder, const std::vector<std::string> &entries, const UdevEntry *udev,
                  BlockNode &node)
    {
        const DeviceKind kind = readDeviceKind(m_root, folder, entries, node.name, udev);
        node.type = kind.type;
        node.layer = kind.layer;
        node.transport = kind.transport;
        node.model = kind.model;
        node.mapperName = kind.mapperName;
        node.backingFile = kind.backingFile;
        node.sizeBytes = readSize(folder, "size");
        node.removable = readSwitch(folder, "removable");
        node.rotational = readSwitch(folder, "queue/rotational");
        node.scheduler = activeScheduler(folder);
        node.hiddenByDefault = isHiddenByDefault(node.name) || kind.isInner;
        if (udev) {
            node.table = cleanProperty(*udev, "ID_PART_TABLE_TYPE");
            addContents(*udev, node);
        }
        addNotes(folder, kind, udev, node);
        if (std::ranges::find(entries, "slaves") != entries.end()) {
            node.slaves = folder.entries("slaves").value_or(std::vector<std::string>{});
            std::erase_if(node.slaves, [](const std::string &slave) { return !isKernelName(slave); });
            std::ranges::sort(node.slaves, deviceNameLess);
        }
        if (kind.backingFile)
            m_devices.graph.backingFile[node.name] = *kind.backingFile;
        if (kind.mapperName)
            m_devices.graph.byMapperName[*kind.mapperName] = node.name;
    }

    void addNotes(const Directory &folder, const DeviceKind &kind, const UdevEntry *udev, BlockNode &node)
    {
        if (readSwitch(folder, "ro").value_or(false))
            node.notes.emplace_back("read-only");
        addMediumNote(udev, node);
        if (kind.isInner)
            node.notes.emplace_back("lvm-inner");
        if (node.layer == "RAID")
            addArray(folder, node);
        if (node.name.starts_with("mmcblk"))
            addCardNotes(node);
        else if (node.name.starts_with("zd") && udev)
            addVolume(*udev, node);
        else if (node.name.starts_with("zram"))
            addZramBacking(folder, node);
    }

    /// An empty card reader has size 0. An empty optical drive shows a made-up gigabyte; udev has looked.
    void addMediumNote(const UdevEntry *udev, BlockNode &node)
    {
        const bool isEmptyDrive =
            node.type == "rom" && udev && udev->property("ID_CDROM") && !udev->property("ID_CDROM_MEDIA");
        if (isEmptyDrive)
            node.sizeBytes.reset();
        if (isEmptyDrive || (node.sizeBytes == 0 && node.removable.value_or(false)))
            node.notes.emplace_back("no-medium");
        if (node.sizeBytes == 0 && node.name.starts_with("nbd")) {
            node.notes.emplace_back("not-connected");
            node.hiddenByDefault = true;
        }
    }

    void addArray(const Directory &folder, BlockNode &node)
    {
        const ArrayState state = readArray(folder);
        node.notes.insert(node.notes.end(), state.notes.begin(), state.notes.end());
        for (const ArrayMember &member : state.members)
            m_devices.memberNotes[member.name] = member.note;
    }

    void addCardNotes(BlockNode &node)
    {
        if (const std::string_view area = cardArea(node.name); !area.empty()) {
            node.notes.emplace_back(area);
            return;
        }
        const auto type = m_root.readFile("sys/block/" + node.name + "/device/type", 16);
        if (type && (*type == "SD\n" || *type == "MMC\n"))
            node.notes.emplace_back(*type == "SD\n" ? "sd-card" : "emmc");
    }

    void addVolume(const UdevEntry &udev, BlockNode &node)
    {
        constexpr std::string_view folder = "zvol/";
        const auto link = std::ranges::find_if(
            udev.links, [&](const std::string &name) { return name.starts_with(folder); });
        if (link != udev.links.end())
            node.volume = cleanText(std::string_view(*link).substr(folder.size()));
    }

    void addZramBacking(const Directory &folder, const BlockNode &node)
    {
        const auto device = readText(folder, "backing_dev");
        if (device && *device != "none")
            m_devices.zramBacking[node.name] = *device;
    }

    /// A partition is a folder in that of its disk that has a number among them.
    void addPartitions(const Directory &folder, const std::vector<std::string> &entries, BlockNode &disk)
    {
        // The kernel begins its name with the disk's; that spares looking into queue, power and the like.
        const auto mayBePartition = [&](const std::string &entry) {
            return entry.starts_with(disk.name) && entry != disk.name && isKernelName(entry);
        };
        disk.partitions.reserve(static_cast<std::size_t>(std::ranges::count_if(entries, mayBePartition)));
        for (const std::string &entry : entries) {
            if (mayBePartition(entry))
                addPartition(folder, entry, disk);
        }
        std::ranges::sort(disk.partitions, deviceNameLess, &BlockNode::name);
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
        if (numbers.major && numbers.minor) {
            if (const auto udev = m_udev.block(node.major, node.minor))
                addContents(*udev, node);
        }
        parent.partitions.push_back(std::move(node));
    }

    /// The single paths of a multipath NVMe disk are no slaves of it.
    void addPaths()
    {
        for (BlockNode &disk : m_devices.disks) {
            if (const std::string head = multipathHead(disk.name); !head.empty() && disk.hiddenByDefault)
                disk.notes.push_back("path-of-" + head);
        }
    }

    void addIds()
    {
        for (BlockNode &disk : m_devices.disks) {
            disk.id = m_ids.idOf(disk.name);
            // The paths of one disk and what joins them bear its name by right.
            const bool isOneOfSeveralPaths =
                disk.type == "mpath" || std::ranges::any_of(disk.notes, [](const std::string &note) {
                    return note.starts_with("path-of-");
                });
            if (m_ids.hasTwin(disk.name) && !isOneOfSeveralPaths)
                disk.notes.emplace_back("twin-id");
        }
    }

    const SystemRoot &m_root;
    const InsteadOfDisk &m_instead;
    UdevDatabase m_udev;
    DiskIds m_ids;
    ReadDevices m_devices;
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
