// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/diskfacts.h"
#include "bootset.h"

/// Rules for a class leave the disks alone that carry the system. Early in a boot only what is mounted by
/// then can be told, and a disk with /var or swap only is mounted after udev saw it: so the serial numbers of
/// such disks are remembered from one boot to the next.
namespace diskwright {

inline const std::string systemDisksName = "system-disks";

/// Whether anything is kept for a class.
[[nodiscard]] bool hasClasses(const BootSet &set) noexcept;

/// Notes the disks that carry the system now, and those that are remembered, below systemMarks, and then that
/// this is done: without that no class takes in any disk. Errors: StateFile, Kernel, Absent.
[[nodiscard]] Result<> markSystemDisks(const SystemRoot &root);

/// Remembers the disks that carry the system now in etc/diskwright/boot/system-disks, one serial number a
/// line. Under the caller's lock. Errors: StateFile.
[[nodiscard]] Result<> rememberSystemDisks(const SystemRoot &root);

/// For when nothing is kept for a class any more. Errors: StateFile.
[[nodiscard]] Result<> forgetSystemDisks(const SystemRoot &root);

} // namespace diskwright
