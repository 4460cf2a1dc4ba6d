// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemroot.h"

#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// Known I/O schedulers that this kernel has: those in \p listed (what queue/scheduler names; only loaded
/// ones are there), and those whose module is installed for the running kernel and would be loaded by the
/// kernel itself when chosen (lib/modules/RELEASE/modules.dep and modules.builtin). In the order of
/// knownSchedulers(), each once. A queue that lists "none" alone takes no scheduler module at all when the
/// driver has no request queue; such devices have no scheduler file, so \p listed is empty and so is the answer.
[[nodiscard]] std::vector<std::string> offeredSchedulers(const SystemRoot &root,
                                                         const std::vector<std::string> &listed);

/// Known schedulers that are modules or built in for kernel \p release. Empty if that is unknown.
[[nodiscard]] std::vector<std::string> installedSchedulers(const SystemRoot &root);

/// proc/sys/kernel/osrelease ("6.12.117+deb13-amd64"), empty if unreadable or not one path component.
[[nodiscard]] std::string kernelRelease(const SystemRoot &root);

} // namespace diskwright
