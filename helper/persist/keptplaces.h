// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "bootset.h"

#include <array>
#include <string>
#include <sys/types.h>

namespace diskwright {

/// Folders in which kept files lie, and nothing else of ours does.
enum class Place : std::uint8_t {
    Settings, ///< etc/diskwright
    Boot,     ///< etc/diskwright/boot: state and files set aside, on the root file system on purpose
    Udev,     ///< etc/udev/rules.d
    Sysctl,   ///< etc/sysctl.d
    Backup,   ///< var/lib/diskwright/backup
    Runtime,  ///< run/diskwright
    Ours,     ///< run/diskwright/ours: edited files as they would be without the edit, to compare
    Limits,   ///< run/diskwright/limits: what became of byte limits, one file for each disk
    System,   ///< run/diskwright/system: disks that class rules leave alone
};

/// Below the root, without leading slash.
[[nodiscard]] std::string pathOf(Place place);

/// The folder, readable; a closed descriptor if it is not there. Errors: StateFile with errno.
[[nodiscard]] Result<Descriptor> openPlace(const SystemRoot &root, Place place);
/// Makes the folder, and those above it, when they are missing. Errors: StateFile with errno.
[[nodiscard]] Result<Descriptor> makePlace(const SystemRoot &root, Place place);

/// A file that is rendered from the boot set.
struct KeptFile {
    Place place;
    std::string name;
    std::string (*render)(const BootSet &);
};
[[nodiscard]] const std::array<KeptFile, 2> &keptFiles();

inline const std::string bootSetName = "boot-set.json";
inline const std::string bootStateName = "state.json";
inline const std::string bootReportName = "boot.json";

/// Copies a file that is about to be replaced to var/lib/diskwright/backup (0600), and removes the oldest
/// beyond limits::backups. Errors: StateFile.
[[nodiscard]] Result<> backUp(const SystemRoot &root, const std::string &name, std::string_view text);

/// The lock that helper and diskwright-boot share (run/diskwright/lock), held until the descriptor closes.
/// Errors: Busy, StateFile.
[[nodiscard]] Result<Descriptor> takeLock(const SystemRoot &root);

} // namespace diskwright
