// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "testfile.h"

#include "memory.h"
#include "random.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <format>
#include <linux/magic.h>
#include <linux/stat.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace diskwright::engine {
namespace {

constexpr std::uint64_t chunkBytes = 1'048'576;
constexpr std::uint32_t commonAlignment = 4096;

// As the kernel defines them; C libraries of supported systems may not.
struct CacheStatRange {
    std::uint64_t offset, length;
};
struct CacheStat {
    std::uint64_t cached, dirty, writeback, evicted, recentlyEvicted;
};
constexpr long cacheStatCall = 451;

std::unexpected<Error> failure(const std::string &path, std::string_view what, int error)
{
    // "Not authorized" is polkit's word: a path that this user can't use is the wrong target.
    static constexpr std::array wrongTarget{ENOENT, ENOTDIR, ELOOP, EACCES, EPERM, EROFS};
    const Errc code = std::ranges::contains(wrongTarget, error) ? Errc::UnknownTarget : Errc::Kernel;
    return fail(code, path, std::format("{}: {}", what, std::strerror(error)), {}, error);
}

/// 0 if the file has no direct reads. Kernels before 6.1 and some file systems do not tell: then it is tried.
std::uint32_t directAlignmentOf(int fd)
{
    struct statx status{};
    if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) == 0 && (status.stx_mask & STATX_DIOALIGN) != 0)
        return status.stx_dio_offset_align;
    // tmpfs accepts O_DIRECT and reads its page cache all the same.
    struct statfs system{};
    if (fstatfs(fd, &system) == 0 && (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC))
        return 0;
    const std::string self = std::format("/proc/self/fd/{}", fd);
    const Descriptor probe(open(self.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
    return probe.isOpen() ? commonAlignment : 0;
}

/// A file in \p folder that has no name, or none any more.
Descriptor openNameless(const std::string &folder)
{
    Descriptor fd(open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    if (fd.isOpen() || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
        return fd;
    std::string name = folder + "/.diskwright-XXXXXX";
    fd = Descriptor(mkostemp(name.data(), O_CLOEXEC));
    if (fd.isOpen())
        unlink(name.c_str());
    return fd;
}

Result<void> checkSpace(const std::string &folder, int fd, std::uint64_t sizeBytes)
{
    struct statvfs space{};
    if (fstatvfs(fd, &space) != 0)
        return failure(folder, "reading the free space", errno);
    const std::uint64_t available = std::uint64_t{space.f_bavail} * space.f_frsize;
    if (sizeBytes > available / 4 * 3)
        return fail(
            Errc::OutOfRange, folder,
            std::format("a test file of {} bytes would leave too little of the {} bytes that are free",
                        sizeBytes, available),
            std::format("at most {} bytes here (a quarter stays free)", available / 4 * 3), ENOSPC);
    return {};
}

void fillRandom(std::byte *data, std::size_t bytes, Random &random)
{
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
        const std::uint64_t value = random();
        std::memcpy(data + at, &value, sizeof value);
    }
}

} // namespace

TestFile::TestFile(Descriptor fd, std::string path, std::uint64_t sizeBytes, bool made)
    : m_fd(std::move(fd))
    , m_path(std::move(path))
    , m_sizeBytes(sizeBytes)
    , m_directAlignment(directAlignmentOf(m_fd.get()))
    , m_made(made)
{
}

Result<TestFile> TestFile::make(const std::string &folder, std::uint64_t sizeBytes,
                                const std::atomic<bool> &stop,
                                const std::function<void(std::uint64_t)> &written)
{
    if (sizeBytes < leastBytes || sizeBytes > mostBytes || sizeBytes % chunkBytes != 0)
        return fail(Errc::OutOfRange, std::to_string(sizeBytes), "not a size for a test file",
                    std::format("{} to {} bytes, whole MiB", leastBytes, mostBytes));
    Descriptor fd = openNameless(folder);
    if (!fd.isOpen())
        return failure(folder, "making a test file", errno);
    if (auto enough = checkSpace(folder, fd.get(), sizeBytes); !enough)
        return std::unexpected(enough.error());
    TestFile file(std::move(fd), folder, sizeBytes, true);
    if (auto filled = file.fill(stop, written); !filled)
        return std::unexpected(filled.error());
    return file;
}

Result<void> TestFile::fill(const std::atomic<bool> &stop,
                            const std::function<void(std::uint64_t)> &written) const
{
    // Direct writes leave no dirty pages behind that a cancel would have to wait for.
    Descriptor direct;
    if (hasDirect() && chunkBytes % m_directAlignment == 0) {
        const std::string self = std::format("/proc/self/fd/{}", m_fd.get());
        direct = Descriptor(open(self.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC));
    }
    const int out = direct.isOpen() ? direct.get() : m_fd.get();
    std::uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        return failure(m_path, "asking for a seed", errno);
    Random random(seed);
    const Memory buffer(chunkBytes);
    if (!buffer)
        return failure(m_path, "asking for memory", ENOMEM);
    for (std::uint64_t at = 0; at < m_sizeBytes; at += chunkBytes) {
        fillRandom(buffer.data(), chunkBytes, random);
        for (std::uint64_t done = 0; done < chunkBytes;) {
            if (stop)
                return fail(Errc::Cancelled, m_path, "asked to stop");
            const ssize_t count =
                pwrite(out, buffer.data() + done, chunkBytes - done, static_cast<off_t>(at + done));
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                return failure(m_path, "writing the test file", count == 0 ? EIO : errno);
            done += static_cast<std::uint64_t>(count);
        }
        if (!direct.isOpen())
            sync_file_range(out, static_cast<off_t>(at), static_cast<off_t>(chunkBytes),
                            SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
        written(at + chunkBytes);
    }
    if (fsync(m_fd.get()) != 0)
        return failure(m_path, "writing the test file through", errno);
    return {};
}

Result<TestFile> TestFile::borrow(const std::string &path, std::uint64_t mostBytesUsed)
{
    Descriptor fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!fd.isOpen())
        return failure(path, "opening it for reading", errno);
    struct stat status{};
    if (fstat(fd.get(), &status) != 0)
        return failure(path, "looking at it", errno);
    if (!S_ISREG(status.st_mode))
        return fail(Errc::UnknownTarget, path, "neither a folder nor a regular file",
                    "a folder that you can write, or a file that you can read");
    const std::uint64_t usable =
        std::min(static_cast<std::uint64_t>(status.st_size), mostBytesUsed) / chunkBytes * chunkBytes;
    if (usable < leastBytes)
        return fail(Errc::OutOfRange, path, std::format("the file has {} bytes", status.st_size),
                    std::format("a file of at least {} bytes", leastBytes));
    return TestFile(std::move(fd), path, usable, false);
}

Result<Descriptor> TestFile::reopen(bool direct) const
{
    if (direct && !hasDirect())
        return fail(Errc::Absent, m_path,
                    "this file system has no direct reads, so its page cache would be measured",
                    "a folder on another file system, or a buffered test");
    const std::string self = std::format("/proc/self/fd/{}", m_fd.get());
    Descriptor fd(open(self.c_str(), O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0)));
    if (!fd.isOpen())
        return failure(m_path, direct ? "opening it for direct reads" : "opening it again", errno);
    return fd;
}

void TestFile::dropCache() const
{
    // Dirty pages would stay, so they are written first. A file of somebody else may refuse fsync: its
    // cached share then tells the truth.
    fsync(m_fd.get());
    posix_fadvise(m_fd.get(), 0, static_cast<off_t>(m_sizeBytes), POSIX_FADV_DONTNEED);
}

std::optional<double> TestFile::cachedShare() const
{
    const auto pageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const double pages = static_cast<double>(m_sizeBytes) / static_cast<double>(pageBytes);
    CacheStatRange range{0, m_sizeBytes};
    CacheStat found{};
    if (syscall(cacheStatCall, m_fd.get(), &range, &found, 0) == 0)
        return static_cast<double>(found.cached) / pages;
    // Before Linux 6.5. mincore calls everything resident for a file that one may not write, so it is only
    // asked about a file of our own.
    if (!m_made)
        return std::nullopt;
    void *at = mmap(nullptr, m_sizeBytes, PROT_READ, MAP_SHARED, m_fd.get(), 0);
    if (at == MAP_FAILED)
        return std::nullopt;
    std::vector<unsigned char> resident((m_sizeBytes + pageBytes - 1) / pageBytes);
    const bool known = mincore(at, m_sizeBytes, resident.data()) == 0;
    munmap(at, m_sizeBytes);
    if (!known)
        return std::nullopt;
    std::uint64_t cached = 0;
    for (const unsigned char page : resident)
        cached += page & 1u;
    return static_cast<double>(cached) / pages;
}

bool TestFile::isShortened() const
{
    struct stat status{};
    return fstat(m_fd.get(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) < m_sizeBytes;
}

bool TestFile::hasHoles() const
{
    const off_t hole = lseek(m_fd.get(), 0, SEEK_HOLE);
    return hole >= 0 && static_cast<std::uint64_t>(hole) < m_sizeBytes;
}

} // namespace diskwright::engine
