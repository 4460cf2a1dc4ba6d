// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "statedirectory.h"

#include "../access/currentfile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace diskwright {

namespace {

std::unexpected<Error> stateFailure(std::string_view what, int number = errno)
{
    return fail(Errc::StateFile, printable(what), std::strerror(number), {}, number);
}

constexpr bool isPublic(Folder folder)
{
    return folder == Folder::History || folder == Folder::Hold;
}

constexpr mode_t fileMode(Folder folder)
{
    return isPublic(folder) ? 0644 : 0600;
}

bool isOurs(const struct stat &information)
{
    return information.st_uid == geteuid() && (information.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Result<Descriptor> openFolder(int parent, const std::string &name, mode_t mode)
{
    if (mkdirat(parent, name.c_str(), mode) != 0 && errno != EEXIST)
        return stateFailure(name);
    Descriptor folder(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat information = {};
    if (!folder.isOpen() || fstat(folder.get(), &information) != 0)
        return stateFailure(name);
    if (!isOurs(information))
        return stateFailure(name, EPERM);
    return folder;
}

bool writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

Result<StateDirectory> StateDirectory::open(const std::string &state, const std::string &runtime)
{
    auto stateRoot = openFolder(AT_FDCWD, state, 0755);
    if (!stateRoot)
        return std::unexpected(stateRoot.error());
    auto runtimeRoot = openFolder(AT_FDCWD, runtime, 0755);
    if (!runtimeRoot)
        return std::unexpected(runtimeRoot.error());
    StateDirectory directory;
    const int top = stateRoot->get();
    for (const auto &[folder, parent, name] :
         {std::tuple{Folder::Open, top, "txn"}, std::tuple{Folder::Quarantine, top, "txn/quarantine"},
          std::tuple{Folder::Record, top, "record"}, std::tuple{Folder::History, top, "history"},
          std::tuple{Folder::Hold, runtimeRoot->get(), "hold"}}) {
        auto opened = openFolder(parent, name, isPublic(folder) ? 0755 : 0700);
        if (!opened)
            return std::unexpected(opened.error());
        directory.m_folders[static_cast<std::size_t>(folder)] = std::move(*opened);
    }
    directory.m_runtime = std::move(*runtimeRoot);
    return directory;
}

int StateDirectory::fd(Folder folder) const noexcept
{
    return m_folders[static_cast<std::size_t>(folder)].get();
}

Result<Descriptor> StateDirectory::lock() const
{
    Descriptor file(openat(m_runtime.get(), "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return stateFailure("lock");
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? fail(Errc::Busy, "lock", "another plan is being carried out")
                                    : stateFailure("lock");
    return file;
}

Result<> StateDirectory::write(Folder folder, const std::string &name, std::string_view bytes,
                               unsigned int renameFlags) const
{
    const std::string temporary = '.' + name + ".new";
    const auto giveUp = [&](int number) {
        unlinkat(fd(folder), temporary.c_str(), 0);
        return number == EEXIST ? fail(Errc::DuplicateId, name, "is there already")
                                : stateFailure(name, number);
    };
    if (unlinkat(fd(folder), temporary.c_str(), 0) != 0 && errno != ENOENT)
        return stateFailure(name);
    Descriptor file(openat(fd(folder), temporary.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, fileMode(folder)));
    if (!file.isOpen())
        return stateFailure(name);
    if (fchmod(file.get(), fileMode(folder)) != 0 || !writeAll(file.get(), bytes) || fsync(file.get()) != 0 ||
        file.close() != 0)
        return giveUp(errno);
    if (renameat2(fd(folder), temporary.c_str(), fd(folder), name.c_str(), renameFlags) != 0)
        return giveUp(errno);
    if (fsync(fd(folder)) != 0)
        return stateFailure(name);
    return {};
}

Result<> StateDirectory::create(Folder folder, const std::string &name, std::string_view bytes) const
{
    return write(folder, name, bytes, RENAME_NOREPLACE);
}

Result<> StateDirectory::replace(Folder folder, const std::string &name, std::string_view bytes) const
{
    return write(folder, name, bytes, 0);
}

Result<> StateDirectory::move(Folder from, Folder to, const std::string &name) const
{
    if (renameat(fd(from), name.c_str(), fd(to), name.c_str()) != 0 || fsync(fd(to)) != 0 ||
        fsync(fd(from)) != 0)
        return stateFailure(name);
    return {};
}

Result<> StateDirectory::remove(Folder folder, const std::string &name) const
{
    if ((unlinkat(fd(folder), name.c_str(), 0) != 0 && errno != ENOENT) || fsync(fd(folder)) != 0)
        return stateFailure(name);
    return {};
}

Result<std::string> StateDirectory::read(Folder folder, const std::string &name, std::size_t limit) const
{
    const auto current = openCurrent(fd(folder), name);
    if (!current && current.error() == ENOENT)
        return fail(Errc::UnknownTransaction, name, "no such file");
    const bool isLinkOrSocket = !current && (current.error() == ELOOP || current.error() == ENXIO);
    if (!current && !isLinkOrSocket)
        return stateFailure(name, current.error());
    const auto isAsExpected = [&](const struct stat &information) {
        return S_ISREG(information.st_mode) && information.st_nlink == 1 && information.st_uid == geteuid() &&
               (information.st_mode & 07777) == fileMode(folder) &&
               static_cast<std::size_t>(information.st_size) <= limit;
    };
    if (!current || !isAsExpected(current->information))
        return fail(Errc::StateFile, name,
                    "not a regular file of the expected owner, mode, link count, size");
    std::string bytes(static_cast<std::size_t>(current->information.st_size), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::read(current->file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return stateFailure(name, got < 0 ? errno : EIO);
        filled += static_cast<std::size_t>(got);
    }
    return bytes;
}

bool StateDirectory::has(Folder folder, const std::string &name) const
{
    return faccessat(fd(folder), name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool StateDirectory::isOfThisBoot(Folder folder, const std::string &name) const
{
    struct stat file = {};
    struct stat lock = {};
    if (fstatat(fd(folder), name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0 ||
        fstatat(m_runtime.get(), "lock", &lock, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    return std::pair(file.st_mtim.tv_sec, file.st_mtim.tv_nsec) >=
           std::pair(lock.st_mtim.tv_sec, lock.st_mtim.tv_nsec);
}

Result<std::vector<std::string>> StateDirectory::names(Folder folder) const
{
    std::vector<std::string> found;
    const int copy = openat(fd(folder), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR *)> stream(copy < 0 ? nullptr : fdopendir(copy), closedir);
    if (!stream)
        return stateFailure("journals");
    while (true) {
        errno = 0; // readdir(3) tells the end from an error by it alone
        const dirent *entry = readdir(stream.get());
        if (!entry)
            return errno == 0 ? Result<std::vector<std::string>>(std::move(found)) : stateFailure("journals");
        const std::string_view name = entry->d_name;
        if (!name.starts_with('.') && !(folder == Folder::Open && name == "quarantine"))
            found.emplace_back(name);
    }
}

void StateDirectory::prune(Folder folder, std::size_t most) const
{
    const auto all = names(folder);
    if (!all || all->size() <= most)
        return;
    std::vector<std::pair<std::int64_t, std::string>> byAge;
    for (const std::string &name : *all) {
        struct stat information = {};
        if (fstatat(fd(folder), name.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0)
            byAge.emplace_back(information.st_mtim.tv_sec, name);
    }
    std::ranges::sort(byAge);
    for (std::size_t at = 0; at + most < byAge.size(); ++at)
        unlinkat(fd(folder), byAge[at].second.c_str(), 0);
}

void StateDirectory::sweep() const
{
    for (const Descriptor &folder : m_folders) {
        const int copy = openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const std::unique_ptr<DIR, int (*)(DIR *)> stream(copy < 0 ? nullptr : fdopendir(copy), closedir);
        while (const dirent *entry = stream ? readdir(stream.get()) : nullptr) {
            const std::string_view name = entry->d_name;
            if (name.starts_with('.') && name.ends_with(".new"))
                unlinkat(folder.get(), entry->d_name, 0);
        }
    }
}

} // namespace diskwright
