// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "histogram.h"

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

} // namespace diskwright::engine
