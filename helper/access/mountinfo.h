// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemroot.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// One line of /proc/self/mountinfo (proc_pid_mountinfo(5)), escapes (\040 …) undone.
struct MountEntry {
    std::uint64_t id = 0;
    std::uint64_t parent = 0;
    std::uint32_t major = 0; ///< 0 for filesystems without a device of their own (btrfs, overlay …)
    std::uint32_t minor = 0;
    std::string root;    ///< path inside the filesystem that is mounted
    std::string target;  ///< mount point
    std::string options; ///< options of the mount: "rw,relatime"
    std::string fstype;
    std::string source;       ///< "/dev/sda1", "/dev/mapper/x", "tmpfs", "host:/path"
    std::string superOptions; ///< options of the filesystem: "rw,commit=5"
};

/// One line of /proc/swaps.
struct SwapEntry {
    std::string path;
    bool isFile = false; ///< a swap file, else a partition or disk
};

/// Lines that do not have the shape of a mount are left out; the rest is kept.
[[nodiscard]] std::vector<MountEntry> parseMountInfo(std::string_view text);
[[nodiscard]] std::vector<SwapEntry> parseSwaps(std::string_view text);

/// \p text with \ooo (three octal digits) replaced by the byte, as the kernel writes mount points.
[[nodiscard]] std::string unescapeOctal(std::string_view text);

/// The mounts this process sees. Only text is read; no mount point is ever opened or examined, so a hanging
/// network or FUSE mount can't block it. Errors: Absent, Kernel.
[[nodiscard]] Result<std::vector<MountEntry>> readMountInfo(const SystemRoot &root);

/// Active swap areas; empty where the kernel has none, or no swap at all. Errors: Kernel.
[[nodiscard]] Result<std::vector<SwapEntry>> readSwaps(const SystemRoot &root);

} // namespace diskwright
