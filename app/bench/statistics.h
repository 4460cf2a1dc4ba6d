// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Pure functions over samples. Samples are never thrown away here: what was disturbed is the caller's to
/// mark or repeat. Nothing depends on a clock or on chance: what needs random numbers takes them from a fixed
/// seed.
namespace diskwright::bench {

/// A value with an interval that holds the true one with at least the given probability.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;
    double coverage = 0; ///< reached, 0 to 1; at least the one asked for
    bool operator==(const Estimate &) const = default;
};

/// Middle value, or the mean of the two middle ones. Nothing for no samples.
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

/// Median with the narrowest interval between two order statistics, symmetric in rank, that covers the true
/// median with at least \p coverage, whatever the distribution. Exact: from the binomial distribution (David
/// and Nagaraja, Order Statistics, 3rd ed., 7.1). Nothing if so few samples can't reach it: six are needed
/// for 95 %.
[[nodiscard]] std::optional<Estimate> medianEstimate(std::span<const double> samples, double coverage = 0.95);

/// Mean without the \p dropEachSide lowest and highest, with the interval of Tukey and McLaughlin (Sankhya A
/// 25, 1963): winsorised deviation, t quantile with h - 1 degrees of freedom, h samples kept. Twelve runs
/// without the best and the worst is the classical figure. Nothing if fewer than two samples are kept.
[[nodiscard]] std::optional<Estimate> trimmedMean(std::span<const double> samples,
                                                  std::size_t dropEachSide = 1, double coverage = 0.95);

/// Two-sided probability that signs given by chance to \p differences make their sum at least as far from 0
/// (Fisher's randomisation test for pairs). Exact up to 16 differences; above, 65,536 draws from a fixed
/// seed, the observed one counted in (Phipson and Smyth 2010). 1 for none.
[[nodiscard]] double signFlipProbability(std::span<const double> differences);

/// Whether more of a metric is better (throughput) or less (latency, CPU time).
enum class Better { More, Less };

enum class Verdict {
    Faster,
    Slower,
    Same,          ///< within the threshold, shown, not assumed
    CannotTell,    ///< the samples allow neither
    NotComparable, ///< the two sides were not measured alike
};
/// "faster", "slower", "same", "cannot-tell", "not-comparable".
[[nodiscard]] std::string_view name(Verdict verdict) noexcept;

/// One block: both settings measured next to each other, in random order.
struct Pair {
    double now = 0;
    double wanted = 0;
};

struct CompareOptions {
    Better better = Better::More;
    double threshold = 0.02; ///< what matters in practice, as a part of the value
    double noiseFloor = 0;   ///< what this machine shows between equal settings; the larger of both counts
};

inline constexpr std::size_t leastBlocks = 6; ///< fewer can't reach 95 %, however clear they are

struct PairedComparison {
    Verdict verdict = Verdict::CannotTell;
    bool hasEffect = false; ///< whether there was anything to compare: else effect, low and high mean nothing
    double effect = 0;      ///< exp(median ln(wanted/now)) - 1: 0.12 is 12 % more
    double low = 0;         ///< 95 % interval of effect
    double high = 0;
    double probability = 1; ///< of such a sum of differences from equal settings (sign flips)
    double threshold = 0;   ///< that was used
    std::size_t blocks = 0;
    std::optional<std::size_t> blocksNeeded; ///< about so many would tell; only with CannotTell
};

/// Compares by blocks. Faster or slower needs all three: the 95 % interval of the median log ratio (by order
/// statistics, which is the sign test inverted and so exact whatever drifts, given that the order within
/// blocks was random) excludes 0, the sign flips say at most 5 %, and the effect reaches the threshold. Same
/// needs the 90 % interval within the threshold on both sides (two one-sided tests, Schuirmann 1987).
/// Otherwise it can't tell. Values that are not positive numbers are not comparable.
[[nodiscard]] PairedComparison compare(std::span<const Pair> blocks, const CompareOptions &options = {});

/// The smallest difference that this machine can see, from blocks in which both sides had the same setting:
/// the larger end of the 95 % interval of their effect. Nothing with fewer than six.
[[nodiscard]] std::optional<double> noiseFloor(std::span<const Pair> equalBlocks);

} // namespace diskwright::bench
