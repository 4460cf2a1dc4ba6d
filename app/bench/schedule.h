// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace diskwright::bench {

/// One block: every state once, in random order.
using Block = std::vector<std::size_t>;

/// \p blocks blocks over the states 0 … states - 1, each an independent random permutation: that independence
/// is what makes the comparison exact whatever drifts, and a fixed pattern (A B B A …) would not have it. The
/// same seed gives the same schedule.
[[nodiscard]] std::vector<Block> makeSchedule(std::size_t states, std::size_t blocks, std::uint64_t seed);

/// The seed of a run's round \p number, from 0. Each round reads other places, so that none is served from a
/// cache inside the drive that the one before has filled.
[[nodiscard]] std::uint64_t roundSeed(std::uint64_t seed, std::uint64_t number) noexcept;

} // namespace diskwright::bench
