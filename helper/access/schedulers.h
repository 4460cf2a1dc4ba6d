// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemroot.h"

#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// Known I/O schedulers that the device can take: those in \p listed (the words of its queue/scheduler file;
/// the kernel lists loaded ones only), and those of \p installed, which the kernel loads itself when they are
/// chosen. In the order of knownSchedulers(), each once. Empty if \p listed is: a device without the file
/// takes none.
[[nodiscard]] std::vector<std::string> offeredSchedulers(const std::vector<std::string> &installed,
                                                         const std::vector<std::string> &listed);
/// The same for one device, with what is installed read at once.
[[nodiscard]] std::vector<std::string> offeredSchedulers(const SystemRoot &root,
                                                         const std::vector<std::string> &listed);

/// Known schedulers that the running kernel has as modules or built in, by lib/modules/RELEASE/modules.dep
/// and modules.builtin. Empty if these can't be read.
[[nodiscard]] std::vector<std::string> installedSchedulers(const SystemRoot &root);

/// proc/sys/kernel/osrelease ("6.12.117+deb13-amd64"), empty if unreadable or not one path component.
[[nodiscard]] std::string kernelRelease(const SystemRoot &root);

} // namespace diskwright
