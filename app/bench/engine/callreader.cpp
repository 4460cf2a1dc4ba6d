// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include "clock.h"
#include "memory.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <format>
#include <mutex>
#include <sys/resource.h>
#include <sys/uio.h>
#include <thread>

namespace diskwright::engine {
namespace {

constexpr std::uint32_t mostThreads = 256;

/// One read of a whole block; 0, an errno, or shortRead.
int readBlock(int fd, std::byte *into, std::uint32_t bytes, std::uint64_t place) noexcept
{
    for (;;) {
        const iovec block{into, bytes};
        const ssize_t count = preadv2(fd, &block, 1, static_cast<off_t>(place), 0);
        if (count == static_cast<ssize_t>(bytes))
            return 0;
        if (count < 0 && errno == EINTR)
            continue;
        return count < 0 ? errno : shortRead;
    }
}

/// Buffered reads from the start to the end of the file, cold, as often as the time asks for. The clock
/// stands still between passes, while the cache is dropped and the file opened again.
Result<RunOutcome> runColdPasses(const TestFile &file, const Workload &workload, Collector &collector,
                                 const std::atomic<bool> &stop)
{
    RunOutcome outcome{.engine = "preadv2", .passes = 0};
    const Memory memory(workload.blockBytes);
    if (!memory)
        return readFailure(file, ENOMEM);
    const std::int64_t start = now();
    const std::int64_t patience = start + 4 * workload.measuredNanoseconds + 10'000'000'000;
    // In active time, which begins at 0.
    const std::int64_t begin = workload.warmUpNanoseconds, end = begin + workload.measuredNanoseconds;
    Meter meter(collector, 0, begin, end);
    SharedTime measured(begin, end);
    std::int64_t active = 0;
    while (!meter.isOver(active) && now() < patience) {
        file.dropCache();
        if (const auto cached = file.cachedShare())
            outcome.cachedShare = std::max(outcome.cachedShare.value_or(0), *cached);
        else
            outcome.mayHaveBeenCached = true;
        auto fd = file.reopen(false);
        if (!fd)
            return std::unexpected(fd.error());
        ++outcome.passes;
        const std::int64_t cpuBefore = cpuNanoseconds();
        const std::int64_t offset = now() - active;
        std::int64_t before = active;
        for (std::uint64_t place = 0;
             place + workload.blockBytes <= file.sizeBytes() && !meter.isOver(active);
             place += workload.blockBytes) {
            if (stop)
                return fail(Errc::Cancelled, file.path(), "asked to stop");
            if (const int error = readBlock(fd->get(), memory.data(), workload.blockBytes, place); error != 0)
                return readFailure(file, error);
            active = now() - offset;
            outcome.movedBytes += workload.blockBytes;
            measured.add(before, active);
            if (meter.moveTo(active))
                meter.add(active - before);
            before = active;
        }
        outcome.cpuNanoseconds += cpuNanoseconds() - cpuBefore;
    }
    meter.flush();
    outcome.measuredNanoseconds = measured.nanoseconds();
    return outcome;
}

struct Shared {
    std::mutex mutex;
    int error = 0;
    std::int64_t cpuNanoseconds = 0;
    std::int64_t measuredNanoseconds = 0; ///< of the first worker
    std::atomic<std::uint64_t> movedBytes = 0;
};

/// One thread with one outstanding read.
void readInTurn(const TestFile &file, int fd, const Workload &workload, std::size_t worker,
                std::int64_t start, Collector &collector, const std::atomic<bool> &stop, Shared &shared)
{
    const auto giveUp = [&](int error) {
        const std::scoped_lock lock(shared.mutex);
        shared.error = error;
    };
    const Memory memory(workload.blockBytes);
    if (!memory)
        return giveUp(ENOMEM);
    const std::int64_t begin = start + workload.warmUpNanoseconds;
    Meter meter(collector, worker, begin, begin + workload.measuredNanoseconds);
    SharedTime measured(begin, begin + workload.measuredNanoseconds);
    Places places(workload, file.sizeBytes(), seedOf(workload.seed, worker));
    std::int64_t cpuBefore = -1;
    std::int64_t before = now();
    std::uint64_t moved = 0;
    while (!meter.isOver(before) && !stop) {
        if (const int error = readBlock(fd, memory.data(), workload.blockBytes, places.next()); error != 0) {
            giveUp(error);
            break;
        }
        moved += workload.blockBytes;
        const std::int64_t time = now();
        if (worker == 0 && cpuBefore < 0 && meter.hasBegun(time))
            cpuBefore = cpuNanoseconds();
        measured.add(before, time);
        if (meter.moveTo(time))
            meter.add(time - before);
        before = time;
    }
    shared.movedBytes += moved;
    if (worker == 0)
        shared.measuredNanoseconds = measured.nanoseconds();
    if (worker == 0 && cpuBefore >= 0)
        shared.cpuNanoseconds = cpuNanoseconds() - cpuBefore;
    meter.flush();
}

} // namespace

std::int64_t cpuNanoseconds() noexcept
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto nanoseconds = [](const timeval &time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000;
    };
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

std::unexpected<Error> readFailure(const TestFile &file, int error)
{
    if (error == shortRead && file.isShortened())
        return fail(Errc::Conflict, file.path(), "the file became shorter while it was read",
                    "a file that nothing changes meanwhile");
    const int number = error == shortRead ? EIO : error;
    return fail(Errc::Kernel, file.path(), std::format("reading: {}", std::strerror(number)), {}, number);
}

Result<void> check(const Workload &workload, const TestFile &file)
{
    const auto outOfRange = [](std::string_view field, auto value, std::string accepted) {
        return fail(Errc::OutOfRange, std::format("{}={}", field, value), "not a workload",
                    std::move(accepted));
    };
    const std::uint32_t block = workload.blockBytes;
    if (block < 512 || block > 16 * 1024 * 1024 || !std::has_single_bit(block) || block > file.sizeBytes())
        return outOfRange("block_bytes", block,
                          "a power of two from 512 to 16777216, not above the file's size");
    if (workload.direct && file.hasDirect() && block % file.directAlignment() != 0)
        return outOfRange(
            "block_bytes", block,
            std::format("a multiple of {} for direct reads of this file", file.directAlignment()));
    if (workload.depth < 1 || workload.depth > 1024 || (!workload.direct && workload.depth != 1))
        return outOfRange("depth", workload.depth, "1 to 1024; 1 for buffered reads");
    if (!workload.direct && workload.pattern == Pattern::Random)
        return outOfRange("pattern", "random", "sequential for buffered reads");
    if (workload.measuredNanoseconds < 100'000'000 || workload.measuredNanoseconds > 3'600'000'000'000)
        return outOfRange("duration_ms", workload.measuredNanoseconds / 1'000'000, "100 to 3600000");
    if (workload.warmUpNanoseconds < 0 || workload.warmUpNanoseconds > 60'000'000'000)
        return outOfRange("warm_up_ms", workload.warmUpNanoseconds / 1'000'000, "0 to 60000");
    return {};
}

Result<RunOutcome> runCalls(const TestFile &file, const Workload &workload, Collector &collector,
                            const std::atomic<bool> &stop)
{
    if (!workload.direct)
        return runColdPasses(file, workload, collector, stop);
    auto fd = file.reopen(true);
    if (!fd)
        return std::unexpected(fd.error());
    const std::size_t workers = std::min(workload.depth, mostThreads);
    collector.setWorkers(workers);
    Shared shared;
    const std::int64_t start = now();
    {
        std::vector<std::jthread> threads;
        for (std::size_t worker = 1; worker < workers; ++worker)
            threads.emplace_back([&, worker] {
                readInTurn(file, fd->get(), workload, worker, start, collector, stop, shared);
            });
        readInTurn(file, fd->get(), workload, 0, start, collector, stop, shared);
    }
    if (shared.error != 0)
        return readFailure(file, shared.error);
    if (stop)
        return fail(Errc::Cancelled, file.path(), "asked to stop");
    // With many under way as many reads lie across the begin as across the end.
    RunOutcome outcome{.measuredNanoseconds =
                           workers == 1 ? shared.measuredNanoseconds : workload.measuredNanoseconds,
                       .cpuNanoseconds = shared.cpuNanoseconds,
                       .engine = workers == 1 ? "preadv2" : "pread-threads",
                       .movedBytes = shared.movedBytes};
    if (workers > 1)
        outcome.engineDetails.push_back(std::format("{} threads", workers));
    return outcome;
}

} // namespace diskwright::engine
