// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"

#include <string>
#include <vector>

namespace diskwright {

/// What putting everything back did, in words for a rescue shell.
struct RestoreReport {
    std::vector<std::string> done;
    std::vector<std::string> failed; ///< each with the reason
};

/// Writes back the originals of all kept items, as recorded in the boot set, and removes the kept files.
/// Originals outside their row's range and disks that are absent or not unique are named, never guessed. A
/// kept file that somebody edited is backed up first; one without our marker stays and is named.
/// Remounts nothing and needs no bus.
[[nodiscard]] RestoreReport restoreKept(const SystemRoot &root);

} // namespace diskwright
