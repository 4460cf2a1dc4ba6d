// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/mountinfo.h"

#include <string_view>
#include <vector>

namespace diskwright {

/// For each mount whether another one lies over its mount point or over a folder above it, so that no path
/// leads there any more.
[[nodiscard]] std::vector<bool> coveredMounts(const std::vector<MountEntry> &mounts);

/// The mount that is seen at the path: of those not covered the one with the longest mount point that is the
/// path or a folder above it. Null if there is none. \p covered belongs to \p mounts.
[[nodiscard]] const MountEntry *mountOfPath(const std::vector<MountEntry> &mounts,
                                            const std::vector<bool> &covered, std::string_view path);

} // namespace diskwright
