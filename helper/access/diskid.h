// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemroot.h"
#include "udevdb.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace diskwright {

/// The disk id among udev's links of one whole disk: the /dev/disk/by-id base name with the first of the
/// prefixes wwn- nvme-eui. nvme- ata- scsi- usb- virtio- mmc-; of several with one prefix the shortest, then
/// the bytewise first. Links that do not fit a rule unescaped (isSafeDiskId) and numbers of nothing but zeros
/// don't count. Null if none is left. Does not see twins: use DiskIds for that.
[[nodiscard]] std::optional<std::string> diskIdOf(const UdevEntry &entry);

/// Ids of all disks of the machine: an id that two disks claim names neither.
class DiskIds final
{
public:
    DiskIds() = default;
    /// Reads sys/block and the udev database.
    [[nodiscard]] static DiskIds read(const SystemRoot &root);

    /// Records what the disk claims. Every disk once.
    void claim(std::string name, const UdevEntry &entry);

    /// The id that is this disk's alone, or null.
    [[nodiscard]] std::optional<std::string> idOf(std::string_view name) const;
    /// Whether the disk has an id that another one claims too, so that neither can be told by it.
    [[nodiscard]] bool hasTwin(std::string_view name) const;
    /// The only disk with this id, or null.
    [[nodiscard]] std::optional<std::string> nameOf(std::string_view id) const;

private:
    std::unordered_map<std::string, std::string> m_idByName;
    std::unordered_map<std::string, std::vector<std::string>>
        m_claims; ///< any by-id name -> disks claiming it
};

/// proc/sys/kernel/random/boot_id, 36 characters. Errors: Absent, Malformed, Kernel.
[[nodiscard]] Result<std::string> bootId(const SystemRoot &root);

} // namespace diskwright
