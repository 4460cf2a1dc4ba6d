// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disk.h"

#include <functional>
#include <optional>

namespace diskwright {

/// Asked before the files of a disk are read, with its kernel name. Answers with the node to take in its
/// place (a disk that does not answer, as it was last seen), or with none: then it is read.
using InsteadOfDisk = std::function<std::optional<BlockNode>(const std::string &name)>;

/// As scanDisks, without reading the disks that \p instead stands in for. It is called for every disk, right
/// before it is read: whoever waits learns from it which disk hangs.
[[nodiscard]] Result<DiskList> scanDisks(const SystemRoot &root, const InsteadOfDisk &instead);

} // namespace diskwright
