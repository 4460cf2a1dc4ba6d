// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/disks/disk.h"
#include "helper/access/systemroot.h"
#include "helper/contract/catalogue.h"

#include <optional>
#include <string>
#include <string_view>

namespace diskwright {

/// Major and minor of a kernel release ("6.12.117+deb13-amd64" -> 6, 12).
struct KernelVersion {
    int major = 0;
    int minor = 0;
    auto operator<=>(const KernelVersion &) const = default;
};
[[nodiscard]] std::optional<KernelVersion> parseKernelVersion(std::string_view release);

/// Requests that the driver takes at once (mq/0/nr_tags), null where the device has no such queue.
[[nodiscard]] std::optional<std::int64_t> hardwareTags(const Directory &device);

/// The value that the kernel gives this setting of this disk by itself, by a rule that is known for sure;
/// null otherwise. Says nothing of what a distribution's udev rules make of it.
[[nodiscard]] std::optional<Value> kernelDefault(const SystemRoot &root, const Directory &device,
                                                 const BlockNode &disk, const SettingSpec &spec);
/// The same for a vm setting.
[[nodiscard]] std::optional<Value> kernelDefault(const SettingSpec &spec);

} // namespace diskwright
