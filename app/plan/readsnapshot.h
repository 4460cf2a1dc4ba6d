// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/disks/disk.h"
#include "app/plan/changeset.h"
#include "app/plan/snapshot.h"

#include <vector>

namespace diskwright {

/// Reads what a plan for these targets (kernel names of whole disks, empty for vm) is checked against. A
/// target that is not there is left out: makePlan names it.
[[nodiscard]] PlanSnapshot readSnapshot(const SystemRoot &root, const DiskList &disks,
                                        const std::vector<std::string> &targets);

} // namespace diskwright
