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

    /// Reads number, sequence number and size again through the open directory, which a device that takes
    /// over the name never shares. Errors: DeviceChanged.
    [[nodiscard]] Result<> verify() const;
};

/// What the opened directory of a whole disk says of itself. Errors: UnknownTarget (a partition),
/// DeviceChanged (gone meanwhile), Malformed.
[[nodiscard]] Result<DeviceIdentity> readIdentity(const Directory &directory, const std::string &name);

/// Opens the disk by name and compares its identity. Errors: UnknownTarget (no kernel name, no whole disk),
/// DeviceChanged.
[[nodiscard]] Result<OpenDisk> openDisk(const SystemRoot &root, const DeviceIdentity &meant);

} // namespace diskwright
