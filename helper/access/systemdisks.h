// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mountinfo.h"
#include "systemroot.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace diskwright {

/// What stands on what among the block devices.
struct BlockGraph {
    std::unordered_map<std::uint64_t, std::string> byNumber; ///< numberKey() -> kernel name
    std::unordered_map<std::string, std::string> parentOf;   ///< partition -> its disk
    std::unordered_map<std::string, std::vector<std::string>> slavesOf;
    std::unordered_map<std::string, std::string> byMapperName; ///< dm/name -> dm-N
    std::unordered_map<std::string, std::string> backingFile;  ///< loopN -> path of its file
    std::unordered_map<std::string, std::vector<std::string>>
        poolMembers; ///< ZFS pool -> devices that bear its name; readBlockGraph leaves it empty
    std::unordered_map<std::string, std::string> poolOf; ///< ZFS volume (zdN) -> its pool; likewise

    [[nodiscard]] static constexpr std::uint64_t numberKey(std::uint32_t major, std::uint32_t minor) noexcept
    {
        return (std::uint64_t{major} << 32) | minor;
    }
};

/// Reads the graph of all block devices from sysfs. A tree without sys/block gives an empty one.
[[nodiscard]] BlockGraph readBlockGraph(const SystemRoot &root);

/// What the running system stands on.
struct SystemDevices {
    std::set<std::string> leaves; ///< the disks at the bottom
    std::set<std::string> all;    ///< the leaves, and every partition and layer on the way to them
};

/// Kernel names of every leaf disk under /, /usr, /var, /boot, /boot/efi and active disk swap, through
/// partitions, device mapper, md, multi-device btrfs, ZFS pools by what udev says of their members, loop
/// files and whatever else has slaves. Errors: those of readMountInfo; any disk may carry the system then.
[[nodiscard]] Result<std::set<std::string>> systemDisks(const SystemRoot &root);

/// The same from parts that were read already, with the layers.
[[nodiscard]] SystemDevices systemDevices(const SystemRoot &root, const BlockGraph &graph,
                                          const std::vector<MountEntry> &mounts,
                                          const std::vector<SwapEntry> &swaps);

} // namespace diskwright
