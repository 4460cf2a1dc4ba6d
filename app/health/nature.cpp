// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include "app/disks/devicekind.h"
#include "app/disks/names.h"

#include <algorithm>
#include <array>

namespace diskwright::health {

namespace {

/// How the makers of virtual machines and of storage servers name their disks: the SCSI vendor, or the front
/// of the model.
bool isVirtualName(std::string_view name)
{
    static constexpr auto known = std::to_array<std::string_view>({"QEMU",
                                                                   "VBOX",
                                                                   "VMware",
                                                                   "Virtual disk",
                                                                   "Virtual Disk",
                                                                   "Virtual HD",
                                                                   "Virtual_Disk",
                                                                   "Virtual_disk",
                                                                   "Msft",
                                                                   "MSFT",
                                                                   "Google",
                                                                   "nvme_card",
                                                                   "Amazon Elastic Block Store",
                                                                   "Amazon EC2",
                                                                   "Parallels",
                                                                   "Virtuozzo",
                                                                   "XENSRC",
                                                                   "Xen",
                                                                   "scsi_debug",
                                                                   "File-Stor Gadget",
                                                                   "File-CD Gadget",
                                                                   "LIO-ORG",
                                                                   "SCST_FIO",
                                                                   "SCST_BIO"});
    return std::ranges::any_of(known, [&](std::string_view front) { return name.starts_with(front); });
}

/// Hyper-V, virtio (its SCSI too) and Xen hang their disks below buses of their own.
bool isVirtualBus(std::string_view segment)
{
    return segment == "VMBUS:00" || segment.starts_with("VMBUS") || isNumbered(segment, "virtio") ||
           isNumbered(segment, "vbd-");
}

bool isVirtual(const SystemRoot &root, const BlockNode &disk, const DevicePath &path)
{
    const auto &transport = disk.transport;
    if (transport == "virtio" || transport == "iscsi" || transport == "fc" || disk.name.starts_with("xvd") ||
        disk.name.starts_with("rbd"))
        return true;
    if (std::ranges::any_of(path.segments(), isVirtualBus))
        return true;
    if (disk.model && isVirtualName(*disk.model))
        return true;
    const auto vendor = root.readFile(path.text() + "/device/vendor", 256);
    return vendor && isVirtualName(cleanText(*vendor));
}

Nature cardNature(const SystemRoot &root, const BlockNode &disk, const DevicePath &path)
{
    const auto type = root.readFile(path.text() + "/device/type", 256);
    const bool isChip = !cardArea(disk.name).empty() || (type && cleanText(*type) == "MMC");
    return isChip ? Nature::Chip : Nature::Card;
}

} // namespace

Nature natureOf(const SystemRoot &root, const BlockNode &disk, const DevicePath &path)
{
    if (disk.type == "rom")
        return Nature::Optical;
    if (disk.transport == "zram" || isNumbered(disk.name, "ram"))
        return Nature::Memory;
    if (disk.transport == "mmc")
        return cardNature(root, disk, path);
    // The kernel keeps what it makes itself in a folder of its own, apart from NVMe disks with several paths.
    const bool isMade = path.text().starts_with("sys/devices/virtual/block/");
    static constexpr std::array<std::string_view, 3> transports{"loop", "dm", "md"};
    static constexpr std::array<std::string_view, 5> names{"zd", "nbd", "bcache", "drbd", "nullb"};
    if (isMade || std::ranges::contains(transports, disk.transport.value_or(std::string())) ||
        std::ranges::any_of(names, [&](std::string_view name) { return isNumbered(disk.name, name); }))
        return Nature::Layer;
    return isVirtual(root, disk, path) ? Nature::Virtual : Nature::Drive;
}

} // namespace diskwright::health
