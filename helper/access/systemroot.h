// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/error.h"
#include "../contract/limits.h"
#include "descriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// A directory opened once; everything below is reached through its descriptor and never through a path
/// again.
class Directory final
{
public:
    explicit Directory(Descriptor fd) noexcept
        : m_fd(std::move(fd))
    {
    }

    /// A small file's text, as one read. No link is followed and nothing above the directory is reached, but
    /// for a leading "bdi/" or "device/": these links of a disk's folder lead on within the same sysfs.
    /// Errors: Absent (ENOENT, ENODEV, ENOTDIR), else Kernel with errno (EACCES, EIO …).
    [[nodiscard]] Result<std::string> read(std::string_view relative,
                                           std::size_t limit = limits::attributeBytes) const;

    /// The whole decimal number that is all of a file's text; null for anything else.
    [[nodiscard]] std::optional<std::int64_t> readNumber(std::string_view relative) const;

    /// Opens a file for one write; same anchoring. Errors as read, ReadOnly on EACCES, EPERM and EROFS.
    [[nodiscard]] Result<Descriptor> openForWriting(std::string_view relative) const;

    /// Whether the file's mode lets its owner write, and the kernel's files are not mounted read-only;
    /// nothing is opened for writing.
    [[nodiscard]] bool isWritable(std::string_view relative) const;

    /// A directory below, same anchoring.
    [[nodiscard]] Result<Directory> below(std::string_view relative) const;

    /// Whether a directory entry exists (not followed).
    [[nodiscard]] bool has(std::string_view relative) const;

    /// Names of the entries, unsorted, without "." and "..", of this directory or of one below it. Errors as
    /// read.
    [[nodiscard]] Result<std::vector<std::string>> entries(std::string_view relative = ".") const;

    [[nodiscard]] int fd() const noexcept { return m_fd.get(); }

private:
    Descriptor m_fd;
};

/// The tree whose /sys, /proc, /run … are read: the live system's, or a folder that holds a copy of a
/// machine. The root programs only ever use the live one; on it every anchor is checked to be on sysfs or
/// procfs.
class SystemRoot final
{
public:
    [[nodiscard]] static Result<SystemRoot> live();
    /// Errors: UnknownTarget if \p path is no directory.
    [[nodiscard]] static Result<SystemRoot> at(const std::string &path);

    [[nodiscard]] bool isLive() const noexcept { return m_live; }

    /// /sys/block/NAME or a partition's /sys/class/block/NAME, resolved once and checked to lie below
    /// /sys/devices. Errors: UnknownTarget (not a kernel name, not there), Kernel.
    [[nodiscard]] Result<Directory> blockDevice(std::string_view name) const;

    /// /proc/sys/vm. Errors: Absent, Kernel.
    [[nodiscard]] Result<Directory> vm() const;

    /// Any directory of the tree by a path that this program wrote ("run/udev/data", "sys/block"); links are
    /// followed inside the tree. Errors as Directory::below.
    [[nodiscard]] Result<Directory> directory(std::string_view relative) const;

    /// A whole text file of the tree ("proc/self/mountinfo"), links followed inside the tree.
    [[nodiscard]] Result<std::string> readFile(std::string_view relative,
                                               std::size_t limit = std::size_t{4} * 1024 * 1024) const;

    [[nodiscard]] int fd() const noexcept { return m_fd.get(); }

private:
    SystemRoot(Descriptor fd, bool live) noexcept
        : m_fd(std::move(fd))
        , m_live(live)
    {
    }
    Descriptor m_fd;
    bool m_live = false;
};

} // namespace diskwright
