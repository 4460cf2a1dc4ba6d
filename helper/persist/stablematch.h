// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "../contract/request.h"
#include "bootset.h"

#include <optional>
#include <string>
#include <vector>

namespace diskwright {

/// What a udev rule could match on, of one whole disk that is there now.
struct DiskFacts {
    std::string name;
    std::string wwn;    ///< ID_WWN_WITH_EXTENSION
    std::string serial; ///< ID_SERIAL
    std::string bus;    ///< ID_BUS
    std::uint64_t sizeBytes = 0;
    std::uint64_t diskseq = 0;
    bool removable = false;
    bool rotational = false;
    bool knownToUdev = false; ///< udev has finished with it
};

/// Facts of one disk. Errors: UnknownTarget, Kernel.
[[nodiscard]] Result<DiskFacts> readDiskFacts(const SystemRoot &root, std::string_view kernelName);
/// Facts of all disks, sorted by name. A disk that goes away meanwhile is left out.
[[nodiscard]] std::vector<DiskFacts> readAllDiskFacts(const SystemRoot &root);

/// Whether the rule for \p match would apply to the disk, by the same keys as the rendered one.
[[nodiscard]] bool matches(const Match &match, const DiskFacts &facts) noexcept;

/// The keys that match this disk and no other one that is there. Nothing but the name, number, sequence
/// number and size is taken from the caller; the rest is looked up here. Errors: UnknownTarget,
/// DeviceChanged, NoStableId (no id, an id that no rule can hold safely, or a twin).
[[nodiscard]] Result<DiskMatch> stableMatch(const SystemRoot &root, const DeviceIdentity &device);

} // namespace diskwright
