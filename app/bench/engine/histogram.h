// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace diskwright::engine {

/// Counts of latencies in nanoseconds on a log-linear scale: 128 buckets an octave, so that a bucket's middle
/// is at most 0.39 % (1 in 2^8) away from any value in it, over the whole range of 64 bits. Values below 256
/// are exact. Histograms of threads and slots merge by addition.
class Histogram final
{
public:
    static constexpr unsigned bits = 7;
    static constexpr std::size_t bucketCount = (64 - bits + 1) << bits;

    Histogram()
        : m_counts(bucketCount, 0)
    {
    }

    [[nodiscard]] static constexpr std::size_t bucketOf(std::uint64_t value) noexcept
    {
        if (value < (1u << bits))
            return value;
        const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - bits;
        return (std::size_t{shift + 1} << bits) + ((value >> shift) & ((1u << bits) - 1));
    }
    /// Middle of a bucket.
    [[nodiscard]] static constexpr std::uint64_t valueOf(std::size_t bucket) noexcept
    {
        if (bucket < (1u << bits))
            return bucket;
        const auto shift = static_cast<unsigned>(bucket >> bits) - 1;
        const std::uint64_t low = (std::uint64_t{1} << bits | (bucket & ((1u << bits) - 1))) << shift;
        return low + ((std::uint64_t{1} << shift) >> 1);
    }

    void add(std::uint64_t nanoseconds) noexcept
    {
        ++m_counts[bucketOf(nanoseconds)];
        ++m_count;
        m_sum += nanoseconds;
        m_max = std::max(m_max, nanoseconds);
    }
    void merge(const Histogram &other) noexcept;
    void clear() noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return m_count; }
    [[nodiscard]] std::uint64_t sum() const noexcept { return m_sum; }
    [[nodiscard]] std::uint64_t max() const noexcept { return m_max; }

    /// The value that \p part of all are not above, 0 < part < 1; nothing when fewer than ten values lie
    /// beyond it (count * (1 - part) < 10): a guess about a tail that was not seen is no measurement.
    [[nodiscard]] std::optional<std::uint64_t> percentile(double part) const noexcept;

private:
    std::vector<std::uint64_t> m_counts;
    std::uint64_t m_count = 0;
    std::uint64_t m_sum = 0;
    std::uint64_t m_max = 0;
};

} // namespace diskwright::engine
