// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/systemroot.h"
#include "helper/contract/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace diskwright {

/// One place where a block device's filesystem is mounted.
struct MountUse {
    std::string target;
    std::string options;
    std::uint64_t mountId = 0;
    bool covered = false; ///< another mount lies over it: files are not reached through this mount point
    bool operator==(const MountUse &) const = default;
};

/// One block device, disk or partition. Unknown is null, never a guess. Model and label are what the device
/// or its owner wrote: made valid UTF-8 without control characters, otherwise not to be trusted. Mount points
/// are the kernel's bytes.
struct BlockNode {
    std::string name;              ///< kernel name: "sda", "nvme0n1p2", "cciss!c0d0"
    std::optional<std::string> id; ///< the disk id (design: /dev/disk/by-id base name); whole disks only
    std::string type;              ///< lsblk's words: disk part rom loop crypt lvm dm mpath raid1 …
    std::string layer; ///< proper name of what it adds to the stack: "LUKS", "LVM", "RAID"; plain ones: empty
    std::optional<std::uint64_t> sizeBytes;
    std::optional<std::string> model;
    std::optional<std::string> transport; ///< sata ata nvme usb scsi sas fc iscsi virtio mmc loop dm md zram
    std::optional<bool> rotational;
    std::optional<bool> removable;
    bool system =
        false; ///< a leaf disk, or a layer on the way, under /, /usr, /var, /boot, /boot/efi or swap
    std::optional<std::string> scheduler; ///< the active one; null if the device has none to choose
    std::optional<std::string> table;     ///< partition table: gpt, dos
    std::optional<std::string> fstype;
    std::optional<std::string> uuid;
    std::optional<std::string> label;
    std::vector<MountUse> mounts;
    std::vector<BlockNode> partitions; ///< in order of partition number
    std::vector<std::string> holders;  ///< kernel names of what stands on it
    std::vector<std::string> slaves;   ///< kernel names of what it stands on
    std::vector<std::string> notes;    ///< stable words, see docs/seeing.md: "read-only", "degraded" …

    // What the kernel shows no link for, kernel names.
    std::vector<std::string> restsOn; ///< holds its loop file, its volume's pool, or what it pushes out
    std::vector<std::string> carries; ///< the same seen from below

    std::uint32_t major = 0; ///< 0:0 if the kernel shows no number
    std::uint32_t minor = 0;
    std::optional<std::uint64_t> diskseq;   ///< of the whole disk; null on kernels before 5.15
    std::optional<std::string> mapperName;  ///< device mapper: the name below /dev/mapper
    std::optional<std::string> backingFile; ///< loop: path of its file, the kernel's bytes
    std::optional<std::string> volume;      ///< ZFS volume: "pool/name"
    std::string parent;                     ///< partitions: name of their disk; else empty
    bool hiddenByDefault = false; ///< loop, zram, ram, boot0/boot1/rpmb, single paths of a multipath NVMe
                                  ///< disk, inner parts of LVM volumes, nbd that is not connected
};

/// All block devices, sorted by name (numbers in names by value).
class DiskList final
{
public:
    DiskList() = default;
    explicit DiskList(std::vector<BlockNode> disks, bool mountsKnown = true);

    [[nodiscard]] const std::vector<BlockNode> &disks() const noexcept { return m_disks; }

    /// False if the list of mounts, or that of swap, could not be read: no mounts of a device then means
    /// nothing, nor does it that a device carries no system.
    [[nodiscard]] bool mountsKnown() const noexcept { return m_mountsKnown; }

    /// A disk or partition by kernel name, or a disk by id, each also as the path in /dev; null if there is
    /// none. An id that two disks claim finds neither.
    [[nodiscard]] const BlockNode *find(std::string_view nameOrId) const;

    /// The whole disk that \p node is or lies on.
    [[nodiscard]] const BlockNode *wholeDisk(const BlockNode &node) const;

private:
    struct Place {
        std::size_t disk = 0;
        std::optional<std::size_t> partition;
    };
    std::vector<BlockNode> m_disks;
    std::unordered_map<std::string, Place> m_places;
    bool m_mountsKnown = true;
};

/// Reads the machine (or the tree) once, from sysfs, /proc and udev's database: no child process, no root, no
/// device is opened, so none is woken. A missing part makes values unknown. Errors: Absent or Kernel if there
/// is no sys/block.
[[nodiscard]] Result<DiskList> scanDisks(const SystemRoot &root);

/// What a request says about a whole disk. diskseq and size are 0 where unknown.
[[nodiscard]] DeviceIdentity identityOf(const BlockNode &disk);

} // namespace diskwright
