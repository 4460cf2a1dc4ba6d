// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "keptplaces.h"

#include "../access/diskfacts.h"
#include "../access/limitnote.h"
#include "../contract/limits.h"
#include "atomicfile.h"
#include "sysctlrenderer.h"
#include "udevrenderer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace diskwright {

namespace {

std::unexpected<Error> placeError(const std::string &path, int number)
{
    return fail(Errc::StateFile, printable(path), std::strerror(number), {}, number);
}

constexpr mode_t modeOf(Place place)
{
    return place == Place::Backup ? 0700 : 0755;
}

Result<Descriptor> openPath(const SystemRoot &root, const std::string &path)
{
    const auto directory = root.directory(path);
    if (!directory && directory.error().sysErrno == ENOENT)
        return Descriptor();
    if (!directory)
        return placeError(path, directory.error().sysErrno);
    // The anchored open gives a handle that can neither be listed nor made durable.
    Descriptor readable(openat(directory->fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!readable.isOpen())
        return placeError(path, errno);
    return readable;
}

Result<Descriptor> makePath(const SystemRoot &root, const std::string &path, mode_t mode)
{
    auto found = openPath(root, path);
    if (!found || found->isOpen())
        return found;
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos)
        return placeError(path, ENOENT);
    const auto parent = makePath(root, path.substr(0, slash), 0755);
    if (!parent)
        return std::unexpected(parent.error());
    const std::string last = path.substr(slash + 1);
    if (mkdirat(parent->get(), last.c_str(), mode) != 0 && errno != EEXIST)
        return placeError(path, errno);
    if (fsync(parent->get()) != 0)
        return placeError(path, errno);
    return openPath(root, path);
}

} // namespace

std::string pathOf(Place place)
{
    switch (place) {
    case Place::Settings: return "etc/diskwright";
    case Place::Boot: return "etc/diskwright/boot";
    case Place::Udev: return "etc/udev/rules.d";
    case Place::Sysctl: return "etc/sysctl.d";
    case Place::Backup: return "var/lib/diskwright/backup";
    case Place::Runtime: return "run/diskwright";
    case Place::Ours: return "run/diskwright/ours";
    case Place::Limits: return std::string(limitNotes);
    case Place::System: return std::string(systemMarks);
    }
    return {};
}

Result<Descriptor> openPlace(const SystemRoot &root, Place place)
{
    return openPath(root, pathOf(place));
}

Result<Descriptor> makePlace(const SystemRoot &root, Place place)
{
    return makePath(root, pathOf(place), modeOf(place));
}

const std::array<KeptFile, 2> &keptFiles()
{
    static const std::array<KeptFile, 2> files{KeptFile{Place::Udev, "80-diskwright.rules", renderUdevRules},
                                               KeptFile{Place::Sysctl, "80-diskwright.conf", renderSysctl}};
    return files;
}

Result<> backUp(const SystemRoot &root, const std::string &name, std::string_view text)
{
    const auto folder = makePlace(root, Place::Backup);
    if (!folder)
        return std::unexpected(folder.error());
    char stamp[32] = {};
    const std::time_t now = std::time(nullptr);
    std::tm utc = {};
    gmtime_r(&now, &utc);
    std::strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    // The hash keeps two versions of one second apart and makes a repeated copy the same file.
    const std::string copy = std::string(stamp) + '-' + toHex(sha256(text)).substr(0, 8) + '-' + name;
    if (const auto written = replaceFile(folder->get(), copy, text, 0600); !written)
        return written;
    auto copies = Directory(Descriptor(dup(folder->get()))).entries();
    if (!copies)
        return std::unexpected(copies.error());
    std::ranges::sort(*copies);
    for (std::size_t at = 0; at + limits::backups < copies->size(); ++at)
        unlinkat(folder->get(), (*copies)[at].c_str(), 0);
    return {};
}

Result<Descriptor> takeLock(const SystemRoot &root)
{
    const auto folder = makePlace(root, Place::Runtime);
    if (!folder)
        return std::unexpected(folder.error());
    Descriptor file(openat(folder->get(), "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return placeError("run/diskwright/lock", errno);
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? fail(Errc::Busy, "lock", "another change is being carried out")
                                    : placeError("run/diskwright/lock", errno);
    return file;
}

} // namespace diskwright
