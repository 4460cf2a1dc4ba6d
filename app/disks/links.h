// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disk.h"

#include "helper/access/systemdisks.h"
#include "helper/access/udevdb.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace diskwright {

/// What reading the single devices has gathered, before they know of each other.
struct ReadDevices {
    std::vector<BlockNode> disks; ///< sorted by name
    BlockGraph graph;             ///< byMapperName and backingFile are filled
    std::unordered_map<std::string, std::string>
        zramBacking; ///< zramN -> path of the device it pushes out to
    std::unordered_map<std::string, std::string_view> memberNotes; ///< member of an MD array -> its note
    bool mountsKnown = true; ///< false: the list of mounts, or that of swap, could not be read
};

/// Fills in what follows from all devices and mounts together: holders, mounts, swap, restsOn and carries,
/// system, and the notes of members and paths.
void linkDevices(const SystemRoot &root, const UdevDatabase &udev, ReadDevices &devices);

} // namespace diskwright
