// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector.h"

#include <algorithm>

namespace diskwright::engine {

void Collector::setWorkers(std::size_t count)
{
    const std::scoped_lock lock(m_mutex);
    m_progress.assign(count, 0);
}

void Collector::finish(std::size_t worker, std::uint64_t number, const Histogram &latencies)
{
    const std::scoped_lock lock(m_mutex);
    m_open[number].merge(latencies);
    m_total.merge(latencies);
    m_progress[worker] = std::max(m_progress[worker], number + 1);
}

void Collector::finishAll(std::uint64_t count)
{
    const std::scoped_lock lock(m_mutex);
    for (std::uint64_t &progress : m_progress)
        progress = std::max(progress, count);
}

std::vector<Slot> Collector::take(bool everything)
{
    const std::scoped_lock lock(m_mutex);
    const auto [least, most] = std::ranges::minmax(m_progress);
    const std::uint64_t end = everything ? most : least;
    std::vector<Slot> slots;
    for (; m_next < end; ++m_next) {
        Slot slot{.number = m_next};
        if (const auto found = m_open.find(m_next); found != m_open.end()) {
            const Histogram &latencies = found->second;
            slot.ios = latencies.count();
            slot.bytes = slot.ios * m_blockBytes;
            slot.latencySumNanoseconds = latencies.sum();
            slot.latencyMaxNanoseconds = latencies.max();
            slot.p50Nanoseconds = latencies.percentile(0.5);
            slot.p99Nanoseconds = latencies.percentile(0.99);
            m_open.erase(found);
        }
        slots.push_back(slot);
    }
    return slots;
}

Histogram Collector::total() const
{
    const std::scoped_lock lock(m_mutex);
    return m_total;
}

void Meter::flush()
{
    m_collector.finish(m_worker, m_slot, m_current);
    m_current.clear();
}

} // namespace diskwright::engine
