// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace diskwright::engine {

/// One output of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014)
/// for this state.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t state) noexcept
{
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}
inline constexpr std::uint64_t splitMixStep = 0x9e3779b97f4a7c15u;

/// The seed of part \p number of what has the seed \p seed. The seed is mixed first, so that part n + 1 of
/// one seed is not part n of the next.
[[nodiscard]] constexpr std::uint64_t seedOf(std::uint64_t seed, std::uint64_t number) noexcept
{
    return mixed(mixed(seed + splitMixStep) + (number + 1) * splitMixStep);
}

/// xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by
/// splitmix64 so that any seed is good. Also a standard uniform random bit generator.
class Random final
{
public:
    using result_type = std::uint64_t;

    explicit constexpr Random(std::uint64_t seed) noexcept
    {
        for (auto &word : m_state) {
            seed += splitMixStep;
            word = mixed(seed);
        }
    }

    static constexpr std::uint64_t min() noexcept { return 0; }
    static constexpr std::uint64_t max() noexcept { return ~std::uint64_t{0}; }

    constexpr std::uint64_t operator()() noexcept
    {
        const std::uint64_t result = std::rotl(m_state[0] + m_state[3], 23) + m_state[0];
        const std::uint64_t shifted = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= shifted;
        m_state[3] = std::rotl(m_state[3], 45);
        return result;
    }

    /// A number below \p bound (not 0) by multiplication and shift; its bias is below bound / 2^64.
    constexpr std::uint64_t below(std::uint64_t bound) noexcept
    {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((Wide{(*this)()} * bound) >> 64);
    }

private:
    std::array<std::uint64_t, 4> m_state{};
};

} // namespace diskwright::engine
