// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "histogram.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace diskwright::engine {

/// One tenth of a second of a run.
struct Slot {
    std::uint64_t number = 0; ///< counted from the start of the measured time
    std::uint64_t bytes = 0;
    std::uint64_t ios = 0;
    std::uint64_t latencySumNanoseconds = 0;
    std::uint64_t latencyMaxNanoseconds = 0;
    std::optional<std::uint64_t> p50Nanoseconds{}; ///< none when too few for it
    std::optional<std::uint64_t> p99Nanoseconds{};
};

/// Brings the workers' tenths of seconds together. Workers call it ten times a second each, never for an I/O.
class Collector final
{
public:
    static constexpr std::int64_t slotNanoseconds = 100'000'000;

    explicit Collector(std::uint64_t blockBytes)
        : m_blockBytes(blockBytes)
    {
    }

    /// How many workers there are; before the first of them finishes a slot.
    void setWorkers(std::size_t count);

    /// \p worker has finished slot \p number with these latencies, and will not come back to it.
    void finish(std::size_t worker, std::uint64_t number, const Histogram &latencies);

    /// The measured time is over, and so are the first \p count slots for all workers, also those in which no
    /// read came back.
    void finishAll(std::uint64_t count);

    /// Slots that all workers have finished, each given once, in order and without gaps. With \p everything
    /// also those that only some have finished: for the end of a run.
    [[nodiscard]] std::vector<Slot> take(bool everything = false);

    /// All latencies so far.
    [[nodiscard]] Histogram total() const;

private:
    mutable std::mutex m_mutex;
    std::vector<std::uint64_t> m_progress{0}; ///< for each worker the first slot that it has not finished
    std::map<std::uint64_t, Histogram> m_open;
    Histogram m_total;
    std::uint64_t m_next = 0;
    std::uint64_t m_blockBytes;
};

/// One worker's view: latencies in, slots out. Not shared between threads.
class Meter final
{
public:
    /// The measured time is from \p begin to \p end, CLOCK_MONOTONIC nanoseconds.
    Meter(Collector &collector, std::size_t worker, std::int64_t begin, std::int64_t end)
        : m_collector(collector)
        , m_worker(worker)
        , m_begin(begin)
        , m_end(end)
    {
    }

    /// To be called before the completions of one moment are added. Whether that moment counts.
    [[nodiscard]] bool moveTo(std::int64_t time)
    {
        if (time < m_begin || time >= m_end)
            return false;
        const auto slot = static_cast<std::uint64_t>((time - m_begin) / Collector::slotNanoseconds);
        if (slot != m_slot) {
            flush();
            m_slot = slot;
        }
        return true;
    }
    void add(std::int64_t latency) noexcept { m_current.add(static_cast<std::uint64_t>(latency)); }
    void flush();

    [[nodiscard]] bool isOver(std::int64_t time) const noexcept { return time >= m_end; }
    [[nodiscard]] bool hasBegun(std::int64_t time) const noexcept { return time >= m_begin; }

private:
    Collector &m_collector;
    std::size_t m_worker;
    std::int64_t m_begin;
    std::int64_t m_end;
    std::uint64_t m_slot = 0;
    Histogram m_current;
};

/// The measured time of reads that one reader makes one after the other. Of a read across the begin or the
/// end only a part lies within, so whole reads over the whole time would be wrong by up to one read; and the
/// time up to the last read that counts would hide a disk that hangs. So the time is shared among all reads
/// by their parts within it, and those that count have their share.
class SharedTime final
{
public:
    SharedTime(std::int64_t begin, std::int64_t end) noexcept
        : m_begin(begin)
        , m_end(end)
    {
    }

    void add(std::int64_t from, std::int64_t to) noexcept
    {
        const std::int64_t within = std::min(to, m_end) - std::max(from, m_begin);
        if (to <= from || within < 0)
            return;
        m_within += within;
        m_reads += static_cast<double>(within) / static_cast<double>(to - from);
        if (to >= m_begin && to < m_end)
            ++m_counted;
    }

    /// Nanoseconds; 0 if no read counts.
    [[nodiscard]] std::int64_t nanoseconds() const noexcept
    {
        if (m_counted == 0 || m_reads <= 0)
            return 0;
        return static_cast<std::int64_t>(static_cast<double>(m_within) * static_cast<double>(m_counted) /
                                         m_reads);
    }

private:
    std::int64_t m_begin;
    std::int64_t m_end;
    std::int64_t m_within = 0;
    double m_reads = 0; ///< whole ones and parts
    std::uint64_t m_counted = 0;
};

} // namespace diskwright::engine
