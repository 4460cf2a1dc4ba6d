// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/systemroot.h"
#include "helper/access/udevdb.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// What sort of device one entry of /sys/block is.
struct DeviceKind {
    std::string type;       ///< lsblk's words
    std::string_view layer; ///< as in BlockNode
    bool isInner = false;   ///< a part that an LVM volume is made of: not to be used by itself
    std::optional<std::string> transport;
    std::optional<std::string> model;
    std::optional<std::string> mapperName;  ///< device mapper
    std::optional<std::string> backingFile; ///< loop, its path as the kernel shows it
};

/// \p folder is the device's, \p entries what lies in it, \p udev its record or null.
[[nodiscard]] DeviceKind readDeviceKind(const SystemRoot &root, const Directory &folder,
                                        const std::vector<std::string> &entries, const std::string &name,
                                        const UdevEntry *udev);

/// loop, zram, ram and the small areas of eMMC (boot0, boot1, rpmb).
[[nodiscard]] bool isHiddenByDefault(std::string_view name);

/// "emmc-boot", "emmc-rpmb" or "emmc-general" for the areas that an eMMC has beside its main one, else empty.
[[nodiscard]] std::string_view cardArea(std::string_view name);

/// "nvme0n1" for the single path "nvme0c1n1" of a multipath NVMe disk, else empty.
[[nodiscard]] std::string multipathHead(std::string_view name);

} // namespace diskwright
