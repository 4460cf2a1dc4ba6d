// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemroot.h"

#include "../contract/address.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <memory>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace diskwright {

namespace {

// glibc 2.41 has no wrapper for openat2(2).
int openat2(int directory, const char *path, std::uint64_t flags, std::uint64_t resolve)
{
    const open_how how{.flags = flags | O_CLOEXEC, .mode = 0, .resolve = resolve};
    // A rename or a mount anywhere in the system while ".." is walked: the kernel can't tell whether it led
    // out, and asks to be asked again.
    constexpr int mostTries = 1000;
    int fd = -1;
    for (int tries = 0; tries < mostTries; ++tries) {
        fd = static_cast<int>(syscall(SYS_openat2, directory, path, &how, sizeof how));
        if (fd >= 0 || errno != EAGAIN)
            break;
    }
    return fd;
}

constexpr std::uint64_t anchored =
    RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;

Error errorOf(int number, std::string_view what, bool forWriting = false)
{
    Errc code = Errc::Kernel;
    if (number == ENOENT || number == ENODEV || number == ENOTDIR || number == ENXIO)
        code = Errc::Absent;
    else if (forWriting && (number == EACCES || number == EPERM || number == EROFS))
        code = Errc::ReadOnly;
    return {code, printable(what), std::strerror(number), {}, number};
}

Result<Descriptor> openBelow(int directory, std::string_view relative, std::uint64_t flags,
                             std::uint64_t resolve = anchored)
{
    const std::string path(relative);
    const int fd = openat2(directory, path.c_str(), flags, resolve);
    if (fd < 0)
        return std::unexpected(errorOf(errno, relative, (flags & O_ACCMODE) == O_WRONLY));
    return Descriptor(fd);
}

/// Where a text ends: an attribute and a file on a disk are there whole, so that a read that gives less than
/// asked for was the last; a list in /proc comes in pieces.
enum class End { ShortRead, EmptyRead };

Result<std::string> readAll(int fd, std::string_view what, std::size_t limit, End end)
{
    std::string text;
    char buffer[16 * 1024];
    while (text.size() <= limit) {
        const std::size_t asked = std::min(sizeof buffer, limit + 1 - text.size());
        const ssize_t got = ::read(fd, buffer, asked);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return std::unexpected(errorOf(errno, what));
        text.append(buffer, static_cast<std::size_t>(got));
        if (got == 0 || (end == End::ShortRead && static_cast<std::size_t>(got) < asked))
            break;
    }
    if (text.size() <= limit)
        return text;
    return fail(Errc::Malformed, printable(what), "longer than " + std::to_string(limit) + " bytes");
}

std::string pathOf(int fd)
{
    char target[PATH_MAX] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    return readlink(link.c_str(), target, sizeof target - 1) > 0 ? target : std::string();
}

// A disk's folder links to two others with settings of it: its device's, and that of its data in memory. Only
// these are followed, and only to what lies in the same sysfs.
constexpr std::array<std::string_view, 2> followed{"bdi/", "device/"};

Result<Descriptor> openAttribute(int directory, std::string_view relative, std::uint64_t flags)
{
    const auto link =
        std::ranges::find_if(followed, [&](std::string_view folder) { return relative.starts_with(folder); });
    if (link == followed.end())
        return openBelow(directory, relative, flags);
    auto folder = openBelow(directory, link->substr(0, link->size() - 1), O_PATH | O_DIRECTORY,
                            RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV);
    if (!folder)
        return folder;
    constexpr std::string_view sysfs = "/sys/";
    const std::string here = pathOf(directory);
    const std::size_t root = here.find(sysfs);
    if (root == std::string::npos || !pathOf(folder->get()).starts_with(here.substr(0, root + sysfs.size())))
        return fail(Errc::Absent, printable(relative), "leads out of sysfs");
    return openBelow(folder->get(), relative.substr(link->size()), flags);
}

// As in a container, whose root may not write what the kernel's modes would let it.
bool isReadOnlyKernelFile(int fd)
{
    struct statfs information = {};
    return fstatfs(fd, &information) == 0 &&
           (information.f_type == SYSFS_MAGIC || information.f_type == PROC_SUPER_MAGIC) &&
           (information.f_flags & ST_RDONLY) != 0;
}

bool isOn(int fd, long magic)
{
    struct statfs information = {};
    return fstatfs(fd, &information) == 0 && information.f_type == magic;
}

} // namespace

int Descriptor::close() noexcept
{
    return m_fd >= 0 ? ::close(std::exchange(m_fd, -1)) : 0;
}

Result<std::string> Directory::read(std::string_view relative, std::size_t limit) const
{
    const auto file = openAttribute(m_fd.get(), relative, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (!file)
        return std::unexpected(file.error());
    return readAll(file->get(), relative, limit, End::ShortRead);
}

std::optional<std::int64_t> Directory::readNumber(std::string_view relative) const
{
    const auto text = read(relative);
    if (!text)
        return std::nullopt;
    std::int64_t value = 0;
    const char *end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    const bool isWhole = stop == end || (stop + 1 == end && *stop == '\n');
    return error == std::errc{} && isWhole ? std::optional(value) : std::nullopt;
}

Result<Descriptor> Directory::openForWriting(std::string_view relative) const
{
    // Kernel attributes ignore O_TRUNC, which a shell's > sets too; a copy of a machine needs it.
    auto file = openAttribute(m_fd.get(), relative, O_WRONLY | O_TRUNC | O_NOCTTY);
    struct stat information = {};
    if (file && (fstat(file->get(), &information) != 0 || !S_ISREG(information.st_mode)))
        return fail(Errc::Absent, printable(relative), "not a regular file");
    return file;
}

bool Directory::isWritable(std::string_view relative) const
{
    const auto file = openAttribute(m_fd.get(), relative, O_PATH);
    struct stat information = {};
    return file && fstat(file->get(), &information) == 0 && (information.st_mode & S_IWUSR) != 0 &&
           !isReadOnlyKernelFile(file->get());
}

Result<Directory> Directory::below(std::string_view relative) const
{
    auto directory = openBelow(m_fd.get(), relative, O_PATH | O_DIRECTORY);
    if (!directory)
        return std::unexpected(directory.error());
    return Directory(std::move(*directory));
}

bool Directory::has(std::string_view relative) const
{
    return openAttribute(m_fd.get(), relative, O_PATH).has_value();
}

Result<std::vector<std::string>> Directory::entries(std::string_view relative) const
{
    const auto folder = openBelow(m_fd.get(), relative, O_RDONLY | O_DIRECTORY);
    if (!folder)
        return std::unexpected(folder.error());
    // A thousand disks have two thousand folders: opendir(3) takes three more calls and 32 KiB for each.
    std::vector<std::string> names;
    alignas(dirent64) char buffer[8 * 1024];
    ssize_t got = 0;
    while ((got = getdents64(folder->get(), buffer, sizeof buffer)) > 0) {
        for (const char *at = buffer; at < buffer + got;) {
            const auto *entry = reinterpret_cast<const dirent64 *>(at);
            at += entry->d_reclen;
            if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
                names.emplace_back(entry->d_name);
        }
    }
    if (got < 0)
        return std::unexpected(errorOf(errno, relative));
    return names;
}

Result<SystemRoot> SystemRoot::live()
{
    const int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return std::unexpected(errorOf(errno, "/"));
    return SystemRoot(Descriptor(fd), true);
}

Result<SystemRoot> SystemRoot::at(const std::string &path)
{
    const int fd = open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail(Errc::UnknownTarget, printable(path), std::strerror(errno),
                    "a folder with sys, proc, etc, run, dev", errno);
    return SystemRoot(Descriptor(fd), false);
}

Result<Directory> SystemRoot::blockDevice(std::string_view name) const
{
    if (!isKernelName(name))
        return fail(Errc::UnknownTarget, printable(name), "not a block device name");
    // The entry is a link into /sys/devices: resolved once here, inside the tree, and nowhere below.
    auto directory = openBelow(m_fd.get(), "sys/class/block/" + std::string(name), O_PATH | O_DIRECTORY,
                               RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
    if (!directory && directory.error().code == Errc::Absent)
        directory = openBelow(m_fd.get(), "sys/block/" + std::string(name), O_PATH | O_DIRECTORY,
                              RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
    if (!directory && directory.error().code == Errc::Absent)
        return fail(Errc::UnknownTarget, printable(name), "no such block device");
    if (!directory)
        return std::unexpected(directory.error());
    if (m_live) {
        if (!pathOf(directory->get()).starts_with("/sys/devices/") || !isOn(directory->get(), SYSFS_MAGIC))
            return fail(Errc::UnknownTarget, printable(name), "does not lead into /sys/devices");
    }
    return Directory(std::move(*directory));
}

Result<Directory> SystemRoot::vm() const
{
    auto found = directory("proc/sys/vm");
    if (found && m_live && !isOn(found->fd(), PROC_SUPER_MAGIC))
        return fail(Errc::Absent, "vm", "/proc/sys/vm is not the kernel's");
    return found;
}

Result<Directory> SystemRoot::directory(std::string_view relative) const
{
    auto found =
        openBelow(m_fd.get(), relative, O_PATH | O_DIRECTORY, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
    if (!found)
        return std::unexpected(found.error());
    return Directory(std::move(*found));
}

Result<std::string> SystemRoot::readFile(std::string_view relative, std::size_t limit) const
{
    // /proc/self is a magic link, so only here they are allowed; the paths are this program's own.
    const auto file = openBelow(m_fd.get(), relative, O_RDONLY | O_NOCTTY | O_NONBLOCK, RESOLVE_IN_ROOT);
    if (!file)
        return std::unexpected(file.error());
    return readAll(file->get(), relative, limit, End::EmptyRead);
}

} // namespace diskwright
