// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "stablematch.h"

#include "../access/diskid.h"
#include "../access/udevdb.h"
#include "../contract/address.h"

#include <algorithm>
#include <charconv>

namespace diskwright {

namespace {

std::optional<std::uint64_t> readNumber(const Directory &directory, std::string_view attribute)
{
    const auto text = directory.read(attribute);
    if (!text)
        return std::nullopt;
    std::uint64_t value = 0;
    const char *end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    const bool isWhole = error == std::errc{} && (stop == end || (*stop == '\n' && stop + 1 == end));
    return isWhole ? std::optional(value) : std::nullopt;
}

struct DeviceNumber {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
};

std::optional<DeviceNumber> readDeviceNumber(const Directory &directory)
{
    const auto text = directory.read("dev");
    if (!text)
        return std::nullopt;
    DeviceNumber number;
    const char *end = text->data() + text->size();
    const auto first = std::from_chars(text->data(), end, number.major);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ':')
        return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, number.minor);
    return second.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

DiskFacts factsOf(const UdevDatabase &database, const Directory &directory, std::string name)
{
    DiskFacts facts{.name = std::move(name), .wwn = {}, .serial = {}, .bus = {}};
    facts.sizeBytes = readNumber(directory, "size").value_or(0) * 512;
    facts.diskseq = readNumber(directory, "diskseq").value_or(0);
    facts.removable = readNumber(directory, "removable") == 1;
    facts.rotational = readNumber(directory, "queue/rotational") == 1;
    const auto number = readDeviceNumber(directory);
    const auto entry = number ? database.block(number->major, number->minor) : std::nullopt;
    if (!entry)
        return facts;
    facts.knownToUdev = true;
    const auto take = [&](std::string_view key, std::string &into) {
        if (const std::string *value = entry->property(key))
            into = *value;
    };
    take("ID_WWN_WITH_EXTENSION", facts.wwn);
    take("ID_SERIAL", facts.serial);
    take("ID_BUS", facts.bus);
    return facts;
}

bool matchesClass(DiskClass kind, const DiskFacts &facts) noexcept
{
    const bool isSd = facts.name.starts_with("sd");
    switch (kind) {
    case DiskClass::UsbRemovable: return isSd && facts.bus == "usb" && facts.removable;
    case DiskClass::SataRotational: return isSd && facts.bus == "ata" && facts.rotational;
    case DiskClass::SataSolidState: return isSd && facts.bus == "ata" && !facts.rotational;
    case DiskClass::Nvme: return facts.name.starts_with("nvme") && !facts.rotational;
    case DiskClass::Mmc:
        return facts.name.starts_with("mmcblk") && !facts.name.contains("boot") &&
               !facts.name.contains("rpmb");
    }
    return false;
}

Result<> checkIdentity(const Directory &directory, const DeviceIdentity &device)
{
    const auto number = readDeviceNumber(directory);
    const bool isSame = number && number->major == device.major && number->minor == device.minor &&
                        readNumber(directory, "diskseq") == device.diskseq &&
                        readNumber(directory, "size").value_or(0) * 512 == device.sizeBytes;
    return isSame ? Result<>() : fail(Errc::DeviceChanged, printable(device.name), "is another disk by now");
}

std::unexpected<Error> noStableId(const std::string &name, std::string reason)
{
    return fail(Errc::NoStableId, printable(name), std::move(reason));
}

} // namespace

Result<DiskFacts> readDiskFacts(const SystemRoot &root, std::string_view kernelName)
{
    const auto directory = root.blockDevice(kernelName);
    if (!directory)
        return std::unexpected(directory.error());
    return factsOf(UdevDatabase(root), *directory, std::string(kernelName));
}

std::vector<DiskFacts> readAllDiskFacts(const SystemRoot &root)
{
    std::vector<DiskFacts> all;
    const UdevDatabase database(root);
    const auto folder = root.directory("sys/block");
    auto names = folder ? folder->entries() : std::unexpected(folder.error());
    if (!names)
        return all;
    std::ranges::sort(*names);
    for (std::string &name : *names) {
        if (const auto directory = root.blockDevice(name))
            all.push_back(factsOf(database, *directory, std::move(name)));
    }
    return all;
}

bool matches(const Match &match, const DiskFacts &facts) noexcept
{
    if (const auto *kind = std::get_if<DiskClass>(&match))
        return matchesClass(*kind, facts);
    const auto *disk = std::get_if<DiskMatch>(&match);
    return disk && (disk->wwn.empty() || disk->wwn == facts.wwn) &&
           (disk->serial.empty() || disk->serial == facts.serial) && disk->sizeBytes == facts.sizeBytes;
}

Result<DiskMatch> stableMatch(const SystemRoot &root, const DeviceIdentity &device)
{
    const auto directory = root.blockDevice(device.name);
    if (!directory)
        return std::unexpected(directory.error());
    if (const auto same = checkIdentity(*directory, device); !same)
        return std::unexpected(same.error());
    const DiskIds ids = DiskIds::read(root);
    const auto id = ids.idOf(device.name);
    if (!id)
        return noStableId(device.name, ids.hasTwin(device.name) ? "another disk has the same id"
                                                                : "has no id that a rule can hold safely");
    const DiskFacts facts = factsOf(UdevDatabase(root), *directory, device.name);
    const auto safe = [](const std::string &text) { return isSafeDiskId(text) ? text : std::string(); };
    const DiskMatch match{.id = *id,
                          .wwn = safe(facts.wwn),
                          .serial = safe(facts.serial),
                          .sizeBytes = facts.sizeBytes,
                          .name = device.name};
    if (match.wwn.empty() && match.serial.empty())
        return noStableId(device.name,
                          "udev reports no serial number or world wide name that a rule can hold");
    if (match.sizeBytes == 0)
        return noStableId(device.name, "has no size (no medium)");
    for (const DiskFacts &other : readAllDiskFacts(root)) {
        if (other.name != device.name && matches(match, other))
            return noStableId(device.name, "cannot be told from " + other.name);
    }
    return match;
}

} // namespace diskwright
