// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "histogram.h"

#include <cmath>

namespace diskwright::engine {

void Histogram::merge(const Histogram &other) noexcept
{
    for (std::size_t bucket = 0; bucket < bucketCount; ++bucket)
        m_counts[bucket] += other.m_counts[bucket];
    m_count += other.m_count;
    m_sum += other.m_sum;
    m_max = std::max(m_max, other.m_max);
}

void Histogram::clear() noexcept
{
    std::ranges::fill(m_counts, 0);
    m_count = 0;
    m_sum = 0;
    m_max = 0;
}

std::optional<std::uint64_t> Histogram::percentile(double part) const noexcept
{
    // The small allowance keeps 1,000 values enough for p99: 1000 * (1 - 0.99) is 10.000000000000009 or
    // 9.99… depending on the literal.
    if (!(part > 0 && part < 1) || static_cast<double>(m_count) * (1 - part) < 10 - 1e-6)
        return std::nullopt;
    const auto rank = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(m_count) - 1e-6));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < bucketCount; ++bucket) {
        seen += m_counts[bucket];
        if (seen >= rank)
            return std::min(valueOf(bucket), m_max);
    }
    return m_max;
}

} // namespace diskwright::engine
