// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bootset.h"

#include <string>

namespace diskwright {

/// The set's vm items as /etc/sysctl.d/80-diskwright.conf, marker included; empty if there are none. Of a
/// pair only the half that was kept is written: the kernel resets the other. Precondition as
/// renderUdevRules().
[[nodiscard]] std::string renderSysctl(const BootSet &set);

} // namespace diskwright
