// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/diskclass.h"
#include "systemroot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// Where the disks are noted that carry the system: by sequence number for this boot, by serial number as
/// "serial-…" from one boot to the next. The rules for classes look for both.
inline constexpr std::string_view systemMarks = "run/diskwright/system";
inline constexpr std::string_view serialMark = "serial-";
inline constexpr std::string_view marksAreMade = "known";

/// What a udev rule could match on, of one whole disk that is there now.
struct DiskFacts {
    std::string name;
    std::string wwn;    ///< ID_WWN_WITH_EXTENSION
    std::string serial; ///< ID_SERIAL
    std::string bus;    ///< ID_BUS
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    std::uint64_t sizeBytes = 0;
    std::uint64_t diskseq = 0;
    bool removable = false;
    bool rotational = false;
    bool carriesSystem = false; ///< it is noted below systemMarks: no class takes it in
    bool knownToUdev = false;   ///< udev has finished with it
};

/// Facts of one disk. Errors: UnknownTarget, Kernel.
[[nodiscard]] Result<DiskFacts> readDiskFacts(const SystemRoot &root, std::string_view kernelName);
/// Facts of all disks, sorted by name. A disk that goes away meanwhile is left out.
[[nodiscard]] std::vector<DiskFacts> readAllDiskFacts(const SystemRoot &root);

/// Whether the class takes the disk in, by the same keys as its udev rule.
[[nodiscard]] bool isOfClass(DiskClass kind, const DiskFacts &facts) noexcept;
/// The class that takes the disk in, if one does.
[[nodiscard]] std::optional<DiskClass> classOf(const DiskFacts &facts) noexcept;

} // namespace diskwright
