// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "devicekind.h"

#include "names.h"

#include "helper/contract/address.h"

#include <algorithm>
#include <array>
#include <climits>
#include <unistd.h>

namespace diskwright {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool areDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isDigit);
}

/// Takes "PREFIX<digits>" from the front of \p text; false, and \p text as it was, if it is not there.
bool takeNumbered(std::string_view &text, std::string_view prefix)
{
    std::string_view rest = text;
    if (!rest.starts_with(prefix))
        return false;
    rest.remove_prefix(prefix.size());
    const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(rest, isDigit) - rest.begin());
    if (digits == 0)
        return false;
    text = rest.substr(digits);
    return true;
}

bool contains(const std::vector<std::string> &entries, std::string_view entry)
{
    return std::ranges::find(entries, entry) != entries.end();
}

std::optional<std::string> cleanFile(Result<std::string> text)
{
    std::string clean = text ? cleanText(*text) : std::string();
    return clean.empty() ? std::nullopt : std::optional(std::move(clean));
}

/// Where the kernel hangs the device in its tree, as text; empty in a copy without that link.
std::string devicePath(const SystemRoot &root, const std::string &name)
{
    char target[PATH_MAX] = {};
    const std::string link = "sys/block/" + name;
    const ssize_t length = readlinkat(root.fd(), link.c_str(), target, sizeof target - 1);
    return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

/// The first part of the path of the form PREFIX<digits>, or empty.
std::string numberedPart(std::string_view path, std::string_view prefix)
{
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        if (part.starts_with(prefix) && areDigits(part.substr(prefix.size())))
            return std::string(part);
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return {};
}

std::string_view ataWord(const SystemRoot &root, const std::string &path, const UdevEntry *udev)
{
    if (udev && udev->property("ID_ATA_SATA"))
        return "sata";
    const std::string host = numberedPart(path, "host");
    const std::string driver =
        host.empty()
            ? std::string()
            : root.readFile("sys/class/scsi_host/" + host + "/proc_name", 256).value_or(std::string());
    // libata's drivers for parallel ATA are called pata_… and ata_…; ahci and sata_… are serial.
    return driver.starts_with("ahci") || driver.starts_with("sata") ? "sata" : "ata";
}

/// What carries a disk of the SCSI layer, which is also that of USB and ATA.
std::optional<std::string> scsiTransport(const SystemRoot &root, const std::string &name,
                                         const UdevEntry *udev)
{
    const std::string path = devicePath(root, name);
    if (!numberedPart(path, "usb").empty())
        return "usb";
    if (!numberedPart(path, "ata").empty())
        return std::string(ataWord(root, path, udev));
    if (path.find("/end_device-") != std::string::npos)
        return "sas";
    if (path.find("/rport-") != std::string::npos)
        return "fc";
    if (!numberedPart(path, "session").empty())
        return "iscsi";
    const std::string *bus = udev ? udev->property("ID_BUS") : nullptr;
    if (bus && *bus == "usb")
        return "usb";
    if (bus && *bus == "ata" && path.empty())
        return std::string(ataWord(root, path, udev));
    if (!numberedPart(path, "host").empty() || (bus && *bus == "scsi"))
        return "scsi";
    return std::nullopt;
}

std::optional<std::string> transportOf(const SystemRoot &root, const std::string &name, const UdevEntry *udev)
{
    struct Prefix {
        std::string_view name;
        std::string_view transport;
    };
    static constexpr auto known = std::to_array<Prefix>({{"nvme", "nvme"},
                                                         {"vd", "virtio"},
                                                         {"mmcblk", "mmc"},
                                                         {"loop", "loop"},
                                                         {"dm-", "dm"},
                                                         {"md", "md"},
                                                         {"zram", "zram"}});
    for (const Prefix &prefix : known) {
        if (name.starts_with(prefix.name))
            return std::string(prefix.transport);
    }
    if (name.starts_with("sd") || name.starts_with("sr"))
        return scsiTransport(root, name, udev);
    return std::nullopt;
}

std::string lowered(std::string text)
{
    for (char &c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

/// lsblk's word for a device mapper target: what its creator put before the first dash of the UUID.
std::string mapperType(std::string_view uuid)
{
    const std::string prefix = lowered(std::string(uuid.substr(0, std::min(uuid.find('-'), uuid.size()))));
    if (prefix.starts_with("part") && areDigits(std::string_view(prefix).substr(4)))
        return "part";
    const bool isWord =
        !prefix.empty() && prefix.size() < uuid.size() && prefix.size() <= 16 &&
        std::ranges::all_of(prefix, [](char c) { return isDigit(c) || (c >= 'a' && c <= 'z'); });
    return isWord ? prefix : "dm";
}

std::string_view mapperLayer(std::string_view type, std::string_view uuid)
{
    if (type == "crypt")
        return uuid.starts_with("CRYPT-LUKS") ? "LUKS" : "dm-crypt";
    if (type == "lvm")
        return "LVM";
    return type == "mpath" ? "multipath" : type == "part" ? "partition" : "device mapper";
}

/// LVM marks the parts that a volume is made of (tdata, cmeta, rimage …) by a word after the two identifiers.
bool isInnerVolume(std::string_view uuid)
{
    constexpr std::size_t plainLength = 4 + 32 + 32; // "LVM-", of the group, of the volume
    return uuid.starts_with("LVM-") && uuid.size() > plainLength + 1 && uuid[plainLength] == '-';
}

void describeMapper(const Directory &folder, DeviceKind &kind)
{
    const std::string uuid = cleanFile(folder.read("dm/uuid")).value_or(std::string());
    kind.type = mapperType(uuid);
    kind.layer = mapperLayer(kind.type, uuid);
    kind.isInner = isInnerVolume(uuid);
    kind.mapperName = cleanFile(folder.read("dm/name"));
}

void describeLoop(const Directory &folder, DeviceKind &kind)
{
    auto file = folder.read("loop/backing_file");
    if (!file)
        return;
    if (file->ends_with('\n'))
        file->pop_back();
    kind.backingFile = std::move(*file);
}

/// The word for a SCSI peripheral type (SPC: 0 disk, 5 CD, 7 optical memory, 14 simplified disk …).
std::string_view scsiType(const SystemRoot &root, const std::string &name, const UdevEntry *udev)
{
    const std::string *known = udev ? udev->property("ID_TYPE") : nullptr;
    if (known && (*known == "disk" || *known == "cd"))
        return *known == "cd" ? "rom" : "disk";
    const auto number = cleanFile(root.readFile("sys/block/" + name + "/device/type", 16));
    if (number == "5")
        return "rom";
    if (number == "7")
        return "mo-disk";
    if (number == "14")
        return "rbc";
    return !number && name.starts_with("sr") ? "rom" : "disk";
}

void describeType(const SystemRoot &root, const Directory &folder, const std::vector<std::string> &entries,
                  const std::string &name, const UdevEntry *udev, DeviceKind &kind)
{
    kind.type = "disk";
    if (contains(entries, "dm")) {
        describeMapper(folder, kind);
    } else if (contains(entries, "md")) {
        const std::string level = cleanFile(folder.read("md/level")).value_or("md");
        kind.type = isKernelName(level) ? level : "md";
        kind.layer = "RAID";
    } else if (name.starts_with("loop")) {
        kind.type = "loop";
        kind.layer = "loop";
    } else if (name.starts_with("sd") || name.starts_with("sr")) {
        kind.type = scsiType(root, name, udev);
    } else if (name.starts_with("bcache")) {
        kind.layer = "bcache";
    } else if (std::string_view rest = name; takeNumbered(rest, "zd") && rest.empty()) {
        kind.layer = "ZFS volume";
    }
    if (contains(entries, "loop"))
        describeLoop(folder, kind);
}

std::optional<std::string> modelOf(const SystemRoot &root, const std::vector<std::string> &entries,
                                   const std::string &name, const UdevEntry *udev)
{
    for (const std::string_view key : {"ID_MODEL_ENC", "ID_MODEL"}) {
        const std::string *value = udev ? udev->property(key) : nullptr;
        std::string text = value ? cleanText(unescapeUdev(*value)) : std::string();
        if (!text.empty())
            return text;
    }
    if (!contains(entries, "device"))
        return std::nullopt;
    // "device" is a link to the controller's or the SCSI device's folder.
    for (const std::string_view file : {"model", "name"}) {
        if (auto text = cleanFile(root.readFile("sys/block/" + name + "/device/" + std::string(file), 4096)))
            return text;
    }
    return std::nullopt;
}

} // namespace

DeviceKind readDeviceKind(const SystemRoot &root, const Directory &folder,
                          const std::vector<std::string> &entries, const std::string &name,
                          const UdevEntry *udev)
{
    DeviceKind kind;
    describeType(root, folder, entries, name, udev, kind);
    kind.transport = transportOf(root, name, udev);
    kind.model = modelOf(root, entries, name, udev);
    return kind;
}

bool isHiddenByDefault(std::string_view name)
{
    std::string_view rest = name;
    if (takeNumbered(rest, "loop") || takeNumbered(rest, "zram") || takeNumbered(rest, "ram"))
        return rest.empty();
    const std::string_view area = cardArea(name);
    return area == "emmc-rpmb" || area == "emmc-boot";
}

std::string_view cardArea(std::string_view name)
{
    std::string_view rest = name;
    if (!takeNumbered(rest, "mmcblk") || rest.empty())
        return {};
    if (rest == "rpmb")
        return "emmc-rpmb";
    if (takeNumbered(rest, "boot") && rest.empty())
        return "emmc-boot";
    return takeNumbered(rest, "gp") && rest.empty() ? "emmc-general" : std::string_view{};
}

std::string multipathHead(std::string_view name)
{
    std::string_view rest = name;
    if (!takeNumbered(rest, "nvme"))
        return {};
    const std::string_view controller = name.substr(0, name.size() - rest.size());
    if (!takeNumbered(rest, "c"))
        return {};
    const std::string_view disk = rest;
    return takeNumbered(rest, "n") && rest.empty() ? std::string(controller) + std::string(disk)
                                                   : std::string();
}

} // namespace diskwright
