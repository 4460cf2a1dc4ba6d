// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disk.h"

#include <string_view>

namespace diskwright {

/// The device that a path below /dev names: by its kernel name, its name in /dev/mapper, its id or one of
/// udev's links. Nothing in /dev is touched. Null if there is none, or if two devices claim the link.
[[nodiscard]] const BlockNode *deviceByPath(const SystemRoot &root, const DiskList &disks,
                                            std::string_view path);

} // namespace diskwright
