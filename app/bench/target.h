// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/disks/disk.h"
#include "helper/contract/error.h"

#include <QString>
#include <QStringList>

#include <span>

namespace diskwright::bench {

/// Where a test reads, and what lies below.
struct Target {
    QString path;          ///< absolute, links resolved
    bool isFolder = false; ///< a folder gets a nameless test file; a file is only read
    quint64 freeBytes = 0; ///< that the user may fill, folders only
    QString fileSystem;    ///< "ext4"
    QStringList stack;     ///< below the file system, top first: "dm-0 (LUKS)", "nvme0n1p2", "nvme0n1"
    QStringList disks;     ///< leaf disks, kernel names; empty if the file system has none (tmpfs, network)

    /// "file → ext4 → nvme0n1p2 → nvme0n1"
    [[nodiscard]] QString stackText() const;
    /// Whether its files lie on that device: a disk, a partition or a layer between; a kernel name.
    [[nodiscard]] bool liesOn(const QString &device) const;
    bool operator==(const Target &) const = default;
};

// The disks are those of this machine, as they were read last.

/// A folder that the user can write or a regular file that he can read.
/// Errors: UnknownTarget (not there, no permission, or something else).
[[nodiscard]] Result<Target> resolveTarget(const QString &path, const DiskList &disks);

/// A folder on that disk that the user can write: the home folder if it lies there, then /var/tmp, then the
/// mount points themselves, largest free space first. \p disk is a name or id, with or without /dev/.
/// Errors: UnknownTarget (no such disk, or no such folder on it: name one).
[[nodiscard]] Result<Target> targetOnDisk(const QString &disk, const DiskList &disks);

/// Puts all devices of one file system below the target, each device and leaf disk once.
void layOn(Target &target, const DiskList &disks, std::span<const BlockNode *const> devices);

/// A block device's stack down to its leaf disks, top first, each device once.
[[nodiscard]] QStringList stackLabels(const DiskList &disks, const BlockNode &node);

} // namespace diskwright::bench
