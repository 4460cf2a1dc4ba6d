// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskfacts.h"

#include "../contract/address.h"
#include "udevdb.h"

#include <algorithm>
#include <charconv>

namespace diskwright {

namespace {

bool readDeviceNumber(const Directory &directory, DiskFacts &facts)
{
    const auto text = directory.read("dev");
    if (!text)
        return false;
    const char *end = text->data() + text->size();
    const auto first = std::from_chars(text->data(), end, facts.major);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ':')
        return false;
    return std::from_chars(first.ptr + 1, end, facts.minor).ec == std::errc{};
}

DiskFacts factsOf(const SystemRoot &root, const UdevDatabase &database, const Directory &directory,
                  std::string name)
{
    DiskFacts facts{.name = std::move(name), .wwn = {}, .serial = {}, .bus = {}};
    facts.sizeBytes = static_cast<std::uint64_t>(directory.readNumber("size").value_or(0)) * 512;
    facts.diskseq = static_cast<std::uint64_t>(directory.readNumber("diskseq").value_or(0));
    facts.removable = directory.readNumber("removable") == 1;
    facts.rotational = directory.readNumber("queue/rotational") == 1;
    const auto entry =
        readDeviceNumber(directory, facts) ? database.block(facts.major, facts.minor) : std::nullopt;
    facts.knownToUdev = entry.has_value();
    const auto take = [&](std::string_view key, std::string &into) {
        if (const std::string *value = entry ? entry->property(key) : nullptr)
            into = *value;
    };
    take("ID_WWN_WITH_EXTENSION", facts.wwn);
    take("ID_SERIAL", facts.serial);
    take("ID_BUS", facts.bus);
    const auto marks = root.directory(systemMarks);
    facts.carriesSystem =
        marks && (marks->has(std::to_string(facts.diskseq)) ||
                  (isSafeDiskId(facts.serial) && marks->has(std::string(serialMark) + facts.serial)));
    return facts;
}

} // namespace

Result<DiskFacts> readDiskFacts(const SystemRoot &root, std::string_view kernelName)
{
    const auto directory = root.blockDevice(kernelName);
    if (!directory)
        return std::unexpected(directory.error());
    return factsOf(root, UdevDatabase(root), *directory, std::string(kernelName));
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
            all.push_back(factsOf(root, database, *directory, std::move(name)));
    }
    return all;
}

bool isOfClass(DiskClass kind, const DiskFacts &facts) noexcept
{
    if (facts.carriesSystem)
        return false;
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

std::optional<DiskClass> classOf(const DiskFacts &facts) noexcept
{
    for (const DiskClass kind : {DiskClass::UsbRemovable, DiskClass::SataRotational,
                                 DiskClass::SataSolidState, DiskClass::Nvme, DiskClass::Mmc}) {
        if (isOfClass(kind, facts))
            return kind;
    }
    return std::nullopt;
}

} // namespace diskwright
