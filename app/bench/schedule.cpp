// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "schedule.h"

#include "engine/random.h"

#include <numeric>
#include <utility>

namespace diskwright::bench {

std::vector<Block> makeSchedule(std::size_t states, std::size_t blocks, std::uint64_t seed)
{
    engine::Random random(seed);
    std::vector<Block> schedule;
    for (std::size_t count = 0; count < blocks; ++count) {
        Block block(states);
        std::iota(block.begin(), block.end(), std::size_t{0});
        for (std::size_t left = states; left > 1; --left)
            std::swap(block[left - 1], block[random.below(left)]);
        schedule.push_back(std::move(block));
    }
    return schedule;
}

std::uint64_t roundSeed(std::uint64_t seed, std::uint64_t number) noexcept
{
    return engine::seedOf(seed, number);
}

} // namespace diskwright::bench
