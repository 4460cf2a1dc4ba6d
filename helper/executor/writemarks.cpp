// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "writemarks.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace diskwright {

namespace {

struct flock byteOf(std::uint64_t diskseq)
{
    struct flock byte = {};
    byte.l_type = F_WRLCK;
    byte.l_whence = SEEK_SET;
    byte.l_start = static_cast<off_t>(diskseq);
    byte.l_len = 1;
    return byte;
}

} // namespace

WriteMarks::WriteMarks(const SystemRoot &root)
    : m_folder(root.directory("run/diskwright"))
    , m_file(open())
{
}

Result<Descriptor> WriteMarks::open() const
{
    if (!m_folder)
        return std::unexpected(m_folder.error());
    const int fd = openat(m_folder->fd(), "writes", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(Errc::Kernel, "writes", std::strerror(errno), {}, errno);
    return Descriptor(fd);
}

bool WriteMarks::isSet(std::uint64_t diskseq) const
{
    struct flock byte = byteOf(diskseq);
    return m_file && fcntl(m_file->get(), F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

Result<std::shared_ptr<const void>> WriteMarks::set(std::uint64_t diskseq) const
{
    // Opened anew: the lock belongs to whoever shares this opening, and ends with it.
    auto file = open();
    if (!file)
        return std::unexpected(file.error());
    struct flock byte = byteOf(diskseq);
    if (fcntl(file->get(), F_OFD_SETLK, &byte) == 0)
        return std::make_shared<const Descriptor>(std::move(*file));
    const bool isTaken = errno == EAGAIN || errno == EACCES;
    return fail(Errc::Kernel, "writes", "an earlier write is not over", {}, isTaken ? ETIMEDOUT : errno);
}

} // namespace diskwright
