// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/descriptor.h"
#include "helper/contract/error.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace diskwright::engine {

/// What is read during a run: a file of ours without a name, or somebody's file, which is never written.
class TestFile final
{
public:
    static constexpr std::uint64_t leastBytes = 1'048'576;
    static constexpr std::uint64_t mostBytes = std::uint64_t{64} << 30;

    /// Makes a file of \p sizeBytes random bytes in a folder and writes it through to the device. It has no
    /// name from the start (O_TMPFILE), or loses it before the first byte is written, so that nothing is left
    /// however this process ends. At least a quarter of the free space stays free.
    /// Errors: UnknownTarget (also not writable), OutOfRange (size, space), Cancelled, Kernel.
    [[nodiscard]] static Result<TestFile> make(const std::string &folder, std::uint64_t sizeBytes,
                                               const std::atomic<bool> &stop,
                                               const std::function<void(std::uint64_t)> &written);

    /// Opens somebody's regular file for reading; its first \p mostBytesUsed bytes (whole MiB) are used.
    /// Errors: UnknownTarget (also not readable), OutOfRange (below 1 MiB), Kernel.
    [[nodiscard]] static Result<TestFile> borrow(const std::string &path, std::uint64_t mostBytesUsed);

    /// The same file through a new open file description: read-ahead is copied from the device at open.
    /// Errors: ReadOnly never; Absent if \p direct and the file system has no direct reads; Kernel.
    [[nodiscard]] Result<Descriptor> reopen(bool direct) const;

    /// Writes back what is dirty and drops the file's pages from the cache.
    void dropCache() const;
    /// Part of the file that is in the page cache, 0 to 1; nothing if the kernel does not tell.
    [[nodiscard]] std::optional<double> cachedShare() const;

    [[nodiscard]] std::uint64_t sizeBytes() const noexcept { return m_sizeBytes; }
    [[nodiscard]] bool isMade() const noexcept { return m_made; }
    [[nodiscard]] bool hasHoles() const;
    /// Whether somebody made it shorter than what is used of it.
    [[nodiscard]] bool isShortened() const;
    /// What offsets and lengths of direct reads must be a multiple of.
    [[nodiscard]] std::uint32_t directAlignment() const noexcept { return m_directAlignment; }
    [[nodiscard]] bool hasDirect() const noexcept { return m_directAlignment != 0; }
    [[nodiscard]] const std::string &path() const noexcept { return m_path; }

private:
    TestFile(Descriptor fd, std::string path, std::uint64_t sizeBytes, bool made);
    [[nodiscard]] Result<void> fill(const std::atomic<bool> &stop,
                                    const std::function<void(std::uint64_t)> &written) const;

    Descriptor m_fd;
    std::string m_path; ///< as the user named it
    std::uint64_t m_sizeBytes = 0;
    std::uint32_t m_directAlignment = 0; ///< 0: no direct reads
    bool m_made = false;
};

} // namespace diskwright::engine
