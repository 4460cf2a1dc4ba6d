// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/catalogue.h"
#include "systemroot.h"

namespace diskwright {

/// The row with its range as this machine and this device take it, which is never wider than the catalogue's.
/// \p anchor is the disk's folder in sysfs or /proc/sys/vm; \p scheduler is the one that will be active when
/// the value is written. Errors, with the reason in words: ReadOnly (there is only one value, the present one
/// could not be put back, or this device or kernel does nothing with it), Internal (the machine's memory
/// can't be read).
[[nodiscard]] Result<SettingSpec> narrowed(const SystemRoot &root, const Directory &anchor,
                                           const SettingSpec &spec, std::string_view scheduler);

} // namespace diskwright
