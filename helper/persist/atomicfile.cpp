// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "atomicfile.h"

#include "../access/currentfile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace diskwright {

namespace {

std::unexpected<Error> fileError(const std::string &name, int number, std::string reason = {})
{
    if (reason.empty())
        reason = std::strerror(number);
    return fail(Errc::StateFile, printable(name), std::move(reason), {}, number);
}

std::string temporaryName(const std::string &name)
{
    return '.' + name + ".diskwright-new";
}

/// Opens the file that is there, if it is one that we would replace; a closed descriptor if there is none.
Result<Descriptor> openExisting(int directory, const std::string &name, struct stat &information)
{
    auto current = openCurrent(directory, name);
    if (!current && current.error() == ENOENT)
        return Descriptor();
    if (!current)
        return fileError(name, current.error(), current.error() == ELOOP ? "is a symbolic link" : "");
    information = current->information;
    if (!S_ISREG(information.st_mode))
        return fileError(name, EINVAL, "is not a regular file");
    if (information.st_nlink != 1)
        return fileError(name, EMLINK, "has more than one name");
    return std::move(current->file);
}

/// rename(2) would refuse these only at the end, after other files of the set took their places.
Result<> checkReplaceable(int file, int directory, const std::string &name)
{
    int flags = 0;
    if (ioctl(file, FS_IOC_GETFLAGS, &flags) == 0 && (flags & (FS_IMMUTABLE_FL | FS_APPEND_FL)) != 0)
        return fileError(name, EPERM, "is immutable or append-only");
    struct statx information = {};
    if (statx(directory, name.c_str(), AT_SYMLINK_NOFOLLOW, STATX_TYPE, &information) == 0 &&
        (information.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
        return fileError(name, EBUSY, "is a mount point");
    return {};
}

Result<> writeAll(int file, const std::string &name, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fileError(name, written < 0 ? errno : EIO);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

/// Labels and access lists of the old file; a file system without such attributes has none to lose.
Result<> copyAttributes(int from, int to, const std::string &name)
{
    const ssize_t length = flistxattr(from, nullptr, 0);
    if (length < 0)
        return errno == ENOTSUP ? Result<>() : fileError(name, errno);
    std::vector<char> names(static_cast<std::size_t>(length) + 1, '\0');
    const ssize_t listed = flistxattr(from, names.data(), static_cast<std::size_t>(length));
    if (listed < 0)
        return fileError(name, errno);
    std::vector<char> value(XATTR_SIZE_MAX);
    for (const char *key = names.data(); key < names.data() + listed; key += std::strlen(key) + 1) {
        const ssize_t size = fgetxattr(from, key, value.data(), value.size());
        if (size < 0 || fsetxattr(to, key, value.data(), static_cast<std::size_t>(size), 0) != 0)
            return fileError(name, errno, std::string("its attribute ") + key + " can't be copied");
    }
    return {};
}

Result<> dressAs(int file, int existing, const struct stat *old, const std::string &name, mode_t modeIfNew)
{
    const mode_t mode = old ? old->st_mode & 07777 : modeIfNew;
    // The owner comes first: chown clears bits that chmod sets.
    if (old && fchown(file, old->st_uid, old->st_gid) != 0)
        return fileError(name, errno, "its owner can't be kept");
    if (fchmod(file, mode) != 0)
        return fileError(name, errno);
    return old ? copyAttributes(existing, file, name) : Result<>();
}

Result<> syncDirectory(int directory, const std::string &name)
{
    return fsync(directory) == 0 ? Result<>() : fileError(name, errno, "its folder can't be made durable");
}

} // namespace

Result<PendingFile> PendingFile::prepare(int directory, std::string name, std::string_view bytes,
                                         mode_t modeIfNew)
{
    struct stat old = {};
    const auto existing = openExisting(directory, name, old);
    if (!existing)
        return std::unexpected(existing.error());
    if (existing->isOpen()) {
        if (const auto free = checkReplaceable(existing->get(), directory, name); !free)
            return std::unexpected(free.error());
    }
    const std::string temporary = temporaryName(name);
    removeStaleTemporary(directory, name);
    Descriptor file(
        openat(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return fileError(name, errno);
    PendingFile pending(directory, std::move(name));
    pending.m_hasTemporary = true;
    if (const auto written = writeAll(file.get(), pending.m_name, bytes); !written)
        return std::unexpected(written.error());
    const struct stat *oldOrNone = existing->isOpen() ? &old : nullptr;
    if (const auto dressed = dressAs(file.get(), existing->get(), oldOrNone, pending.m_name, modeIfNew);
        !dressed)
        return std::unexpected(dressed.error());
    if (fsync(file.get()) != 0 || file.close() != 0)
        return fileError(pending.m_name, errno);
    return pending;
}

PendingFile::PendingFile(PendingFile &&other) noexcept
    : m_directory(other.m_directory)
    , m_name(std::move(other.m_name))
    , m_hasTemporary(std::exchange(other.m_hasTemporary, false))
    , m_inPlace(other.m_inPlace)
{
}

PendingFile::~PendingFile()
{
    if (m_hasTemporary)
        unlinkat(m_directory, temporaryName(m_name).c_str(), 0);
}

Result<> PendingFile::commit()
{
    if (renameat(m_directory, temporaryName(m_name).c_str(), m_directory, m_name.c_str()) != 0)
        return fileError(m_name, errno);
    m_hasTemporary = false;
    m_inPlace = true;
    return syncDirectory(m_directory, m_name);
}

Result<> replaceFile(int directory, const std::string &name, std::string_view bytes, mode_t modeIfNew)
{
    auto pending = PendingFile::prepare(directory, name, bytes, modeIfNew);
    return pending ? pending->commit() : std::unexpected(pending.error());
}

Result<> removeFile(int directory, const std::string &name)
{
    struct stat information = {};
    const auto existing = openExisting(directory, name, information);
    if (!existing)
        return std::unexpected(existing.error());
    if (!existing->isOpen())
        return {};
    if (unlinkat(directory, name.c_str(), 0) != 0)
        return fileError(name, errno);
    return syncDirectory(directory, name);
}

Result<std::optional<std::string>> readFileIn(int directory, const std::string &name, std::size_t limit)
{
    struct stat information = {};
    const auto file = openExisting(directory, name, information);
    if (!file)
        return std::unexpected(file.error());
    if (!file->isOpen())
        return std::nullopt;
    std::string text;
    char buffer[16 * 1024];
    while (true) {
        const ssize_t got = ::read(file->get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fileError(name, errno);
        if (got == 0)
            return text;
        text.append(buffer, static_cast<std::size_t>(got));
        if (text.size() > limit)
            return fileError(name, EFBIG, "is longer than " + std::to_string(limit) + " bytes");
    }
}

Result<> moveFile(int from, int to, const std::string &name, std::size_t limit)
{
    if (renameat(from, name.c_str(), to, name.c_str()) == 0) {
        const auto arrived = syncDirectory(to, name);
        return arrived ? syncDirectory(from, name) : arrived;
    }
    if (errno != EXDEV)
        return fileError(name, errno);
    const auto text = readFileIn(from, name, limit);
    if (!text)
        return std::unexpected(text.error());
    if (!*text)
        return fileError(name, ENOENT);
    const auto copied = replaceFile(to, name, **text, 0644);
    return copied ? removeFile(from, name) : copied;
}

void removeStaleTemporary(int directory, const std::string &name) noexcept
{
    unlinkat(directory, temporaryName(name).c_str(), 0);
}

} // namespace diskwright
