// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "../contract/request.h"

namespace diskwright {

/// One whole disk, opened and proven to be the device that was meant.
struct OpenDisk {
    DeviceIdentity identity;
    Directory directory;

    /// Reads the sequence number again through the open directory, which a device that takes over the name
    /// never shares. Errors: DeviceChanged; Kernel says nothing about the device.
    [[nodiscard]] Result<> verify() const;
};

/// What the opened directory of a whole disk says of itself. Errors: UnknownTarget (a partition),
/// DeviceChanged (gone meanwhile), Malformed, Kernel.
[[nodiscard]] Result<DeviceIdentity> readIdentity(const Directory &directory, const std::string &name);

/// Opens the disk by name and checks that it is the same device, of whatever size by now. Errors:
/// UnknownTarget (no kernel name, no whole disk), DeviceChanged, Kernel.
[[nodiscard]] Result<OpenDisk> openDisk(const SystemRoot &root, const DeviceIdentity &meant);

} // namespace diskwright
