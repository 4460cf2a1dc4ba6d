// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "target.h"

#include "app/disks/stack.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <format>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace diskwright::bench {
namespace {

struct Mount {
    QString id;
    QString device; ///< "8:1"
    QString point;
    QString fileSystem;
    QString source;
    bool readOnly = false;
};

/// Space, tab, line feed and backslash are written \ooo in mountinfo.
QString unescaped(const QByteArray &field)
{
    QByteArray result;
    for (qsizetype at = 0; at < field.size(); ++at) {
        bool isOctal = false;
        const int value = field[at] == '\\' ? field.mid(at + 1, 3).toInt(&isOctal, 8) : 0;
        if (isOctal)
            at += 3;
        result += isOctal ? static_cast<char>(value) : field[at];
    }
    return QFile::decodeName(result);
}

QList<Mount> mounts()
{
    QFile file(QStringLiteral("/proc/self/mountinfo"));
    QList<Mount> result;
    if (!file.open(QIODevice::ReadOnly))
        return result;
    const auto lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        const auto fields = line.split(' ');
        const qsizetype separator = fields.indexOf("-");
        if (separator < 6 || fields.size() < separator + 3)
            continue;
        result.append({.id = QString::fromLatin1(fields[0]),
                       .device = QString::fromLatin1(fields[2]),
                       .point = unescaped(fields[4]),
                       .fileSystem = unescaped(fields[separator + 1]),
                       .source = unescaped(fields[separator + 2]),
                       .readOnly = fields[5].split(',').contains("ro")});
    }
    return result;
}

/// The kernel name of a mount's block device, or nothing. Some file systems (btrfs) show a number of their
/// own: then the source is asked.
QString deviceOf(const Mount &mount)
{
    QString numbers = mount.device;
    if (numbers.startsWith(u"0:")) {
        struct stat status{};
        if (stat(QFile::encodeName(mount.source).constData(), &status) != 0 || !S_ISBLK(status.st_mode))
            return {};
        numbers =
            QStringLiteral("%1:%2").arg(gnu_dev_major(status.st_rdev)).arg(gnu_dev_minor(status.st_rdev));
    }
    return QFileInfo(QFileInfo(QStringLiteral("/sys/dev/block/") + numbers).canonicalFilePath()).fileName();
}

std::optional<Mount> mountOf(const QByteArray &path)
{
    struct statx status{};
    if (statx(AT_FDCWD, path.constData(), 0, STATX_MNT_ID, &status) != 0 ||
        (status.stx_mask & STATX_MNT_ID) == 0)
        return std::nullopt;
    const QString id = QString::number(status.stx_mnt_id);
    const auto all = mounts();
    const auto found = std::ranges::find(all, id, &Mount::id);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

/// The block devices that hold a mount's files: several for a btrfs or a pool, none in memory or on a
/// network.
std::vector<const BlockNode *> devicesOf(const Mount &mount, const DiskList &disks)
{
    auto devices = mountedAt(disks, QFile::encodeName(mount.point).toStdString());
    // Mounted after the disks were read.
    if (devices.empty()) {
        if (const BlockNode *device = disks.find(deviceOf(mount).toStdString()))
            devices.push_back(device);
    }
    return devices;
}

/// "dm-0 (LUKS)", "md127 (RAID)", "sda".
QString labelled(const BlockNode &node)
{
    const QString name = QString::fromStdString(node.name);
    return node.layer.empty() || node.layer == "partition"
               ? name
               : QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(node.layer));
}

std::unexpected<Error> refusal(const QString &path, int error)
{
    return fail(Errc::UnknownTarget, printable(path.toStdString()), std::strerror(error),
                "a folder that you can write, or a file that you can read", error);
}

} // namespace

QString Target::stackText() const
{
    QStringList parts{QStringLiteral("file")};
    if (!fileSystem.isEmpty())
        parts << fileSystem;
    return (parts + stack).join(QStringLiteral(" → "));
}

bool Target::liesOn(const QString &device) const
{
    return std::ranges::any_of(stack,
                               [&](const QString &label) { return label.section(u' ', 0, 0) == device; });
}

void layOn(Target &target, const DiskList &disks, std::span<const BlockNode *const> devices)
{
    for (const BlockNode *device : devices) {
        target.stack += stackLabels(disks, *device);
        for (const BlockNode *leaf : leafDisks(disks, *device))
            target.disks << QString::fromStdString(leaf->name);
    }
    target.stack.removeDuplicates();
    target.disks.removeDuplicates();
}

QStringList stackLabels(const DiskList &disks, const BlockNode &node)
{
    QStringList labels;
    for (const StackStep &step : stackBelow(disks, node)) {
        if (!step.again)
            labels << labelled(*step.node);
    }
    return labels;
}

Result<Target> resolveTarget(const QString &path, const DiskList &disks)
{
    const QByteArray name = QFile::encodeName(path);
    struct stat status{};
    if (path.isEmpty() || path.contains(QChar::Null))
        return refusal(path, ENOENT);
    if (stat(name.constData(), &status) != 0)
        return refusal(path, errno);
    Target target;
    target.path = QFileInfo(path).canonicalFilePath();
    target.isFolder = S_ISDIR(status.st_mode);
    if (!target.isFolder && !S_ISREG(status.st_mode))
        return fail(Errc::UnknownTarget, printable(path.toStdString()), "neither a folder nor a regular file",
                    "a folder that you can write, or a file that you can read");
    if (faccessat(AT_FDCWD, name.constData(), target.isFolder ? W_OK | X_OK : R_OK, AT_EACCESS) != 0)
        return refusal(path, errno);
    struct statvfs space{};
    if (target.isFolder && statvfs(name.constData(), &space) == 0)
        target.freeBytes = quint64{space.f_bavail} * space.f_frsize;
    if (const auto mount = mountOf(name)) {
        target.fileSystem = mount->fileSystem;
        layOn(target, disks, devicesOf(*mount, disks));
    }
    return target;
}

Result<Target> targetOnDisk(const QString &disk, const DiskList &disks)
{
    const BlockNode *node = disks.find(disk.toStdString());
    if (!node)
        return fail(Errc::UnknownTarget, printable(disk.toStdString()), "no such disk",
                    "a disk, folder or file");
    const QString name = QString::fromStdString(node->name);
    QList<Target> places;
    const auto consider = [&](const QString &path) {
        const auto target = resolveTarget(path, disks);
        // On a partition's name only what lies on that partition will do.
        if (target && target->isFolder && target->liesOn(name))
            places.append(*target);
    };
    consider(QDir::homePath());
    consider(QStringLiteral("/var/tmp"));
    const qsizetype preferred = places.size();
    const auto all = mounts();
    for (const Mount &mount : all) {
        // What lies elsewhere is not touched: another disk may hang.
        Target below;
        layOn(below, disks, devicesOf(mount, disks));
        if (!mount.readOnly && below.liesOn(name))
            consider(mount.point);
    }
    if (places.isEmpty())
        return fail(Errc::UnknownTarget, printable(disk.toStdString()),
                    "no folder on this disk that you can write",
                    "--target with a folder that you can write, or a file on it that you can read");
    if (preferred > 0)
        return places.first();
    return *std::ranges::max_element(places, {}, &Target::freeBytes);
}

} // namespace diskwright::bench
