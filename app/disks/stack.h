// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disk.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// One device met on a walk through the stack.
struct StackStep {
    const BlockNode *node = nullptr; ///< belongs to the list that was walked
    std::size_t depth = 0;           ///< 0 where the walk began
    bool again = false;              ///< met before: what lies beyond it is not walked a second time
};

/// One mount of a device.
struct MountedOn {
    const BlockNode *node = nullptr;
    const MountUse *mount = nullptr;
};

// The links are the kernel's (partitions, slaves) and those that follow from what is known besides: the file
// of a loop device, the members of a volume's pool. A device that a damaged tree names but does not hold is
// passed over, and a circle ends where it closes.

/// What the device stands on directly: a partition on its disk, LUKS on a partition, a mirror on its members.
[[nodiscard]] std::vector<const BlockNode *> directlyBelow(const DiskList &disks, const BlockNode &node);
/// What stands on the device directly: its partitions, its holders, loop devices whose file it holds.
[[nodiscard]] std::vector<const BlockNode *> directlyAbove(const DiskList &disks, const BlockNode &node);

/// Everything that the device stands on, itself first, each branch down to its leaf disk before the next one.
[[nodiscard]] std::vector<StackStep> stackBelow(const DiskList &disks, const BlockNode &node);
/// Everything that stands on the device, itself first, in the same order.
[[nodiscard]] std::vector<StackStep> stackAbove(const DiskList &disks, const BlockNode &node);

/// The disks at the bottom, each once; a device that stands on nothing is its own leaf.
[[nodiscard]] std::vector<const BlockNode *> leafDisks(const DiskList &disks, const BlockNode &node);

/// What is mounted on the device and on everything above it. Mounts that another one covers are left out
/// unless \p covered.
[[nodiscard]] std::vector<MountedOn> mountsAbove(const DiskList &disks, const BlockNode &node,
                                                 bool covered = false);

/// The devices of the file system that is seen at the mount point (a btrfs or a ZFS pool has several), empty
/// if nothing of the list is mounted exactly there.
[[nodiscard]] std::vector<const BlockNode *> mountedAt(const DiskList &disks, std::string_view target);

/// "ext4 on LUKS on LVM on RAID on sda2, sdb2": the file system if one is known, the layers, then the
/// partitions or disks that the lowest layer stands on. Proper names and kernel names only, nothing to
/// translate but "on".
[[nodiscard]] std::string stackText(const DiskList &disks, const BlockNode &node);

} // namespace diskwright
