// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collector.h"
#include "random.h"
#include "testfile.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace diskwright::engine {

enum class Pattern { Sequential, Random };
/// How I/O is handed to the kernel.
enum class Method { Automatic, Ring, Calls };

/// What a run does.
struct Workload {
    Pattern pattern = Pattern::Sequential;
    std::uint32_t blockBytes = 1024 * 1024; ///< 512 to 16 MiB, a power of two
    std::uint32_t depth = 1;                ///< outstanding reads, 1 to 1024
    bool direct = false;                    ///< past the page cache; buffered is depth 1 only
    std::int64_t warmUpNanoseconds = 0;     ///< not counted
    std::int64_t measuredNanoseconds = 2'000'000'000;
    std::uint64_t seed = 1;
    Method method = Method::Automatic;
};

/// What a read ended with that brought less than was asked for, where others have an errno.
inline constexpr int shortRead = -1;
/// The error of a read that ended with \p error: Conflict if the file became shorter while it was read, else
/// Kernel.
[[nodiscard]] std::unexpected<Error> readFailure(const TestFile &file, int error);

/// Errors: OutOfRange, naming the field.
[[nodiscard]] Result<void> check(const Workload &workload, const TestFile &file);

/// What a run did. The latencies are in the collector.
struct RunOutcome {
    std::int64_t measuredNanoseconds = 0;
    std::int64_t cpuNanoseconds = 0; ///< user and system of this process, in the measured time only
    std::string engine{};            ///< "io_uring", "preadv2" or "pread-threads"
    std::vector<std::string> engineDetails{};
    std::uint64_t movedBytes = 0;        ///< all that was read, what did not count included
    std::uint32_t passes = 1;            ///< over the file, buffered sequential only
    std::optional<double> cachedShare{}; ///< worst share found cached before a pass that had to be cold
    bool mayHaveBeenCached = false;      ///< a cold pass was wanted, and the kernel does not tell
};

/// Next place to read: random over all whole blocks, or one after the other and round again.
class Places final
{
public:
    Places(const Workload &workload, std::uint64_t fileBytes, std::uint64_t seed) noexcept
        : m_random(seed)
        , m_blocks(fileBytes / workload.blockBytes)
        , m_blockBytes(workload.blockBytes)
        , m_isRandom(workload.pattern == Pattern::Random)
    {
    }
    [[nodiscard]] std::uint64_t next() noexcept
    {
        if (m_isRandom)
            return m_random.below(m_blocks) * m_blockBytes;
        const std::uint64_t place = m_next * m_blockBytes;
        m_next = m_next + 1 == m_blocks ? 0 : m_next + 1;
        return place;
    }

private:
    Random m_random;
    std::uint64_t m_blocks;
    std::uint64_t m_blockBytes;
    std::uint64_t m_next = 0;
    bool m_isRandom;
};

/// CPU time of this process with all its threads, those that the kernel runs for its ring included.
[[nodiscard]] std::int64_t cpuNanoseconds() noexcept;

/// Depth above 1 through io_uring, one system call for each batch of completions. Errors: Absent if io_uring
/// is missing or forbidden here (then the calls are used), Kernel, Cancelled.
[[nodiscard]] Result<RunOutcome> runRing(const TestFile &file, const Workload &workload, Collector &collector,
                                         const std::atomic<bool> &stop);
/// Depth 1 by preadv2; above that a thread for each outstanding read, 256 at most.
[[nodiscard]] Result<RunOutcome> runCalls(const TestFile &file, const Workload &workload,
                                          Collector &collector, const std::atomic<bool> &stop);

} // namespace diskwright::engine
