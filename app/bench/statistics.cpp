// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "statistics.h"

#include "engine/random.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace diskwright::bench {
namespace {

constexpr std::size_t mostExact = 16;
constexpr int draws = 65'536;
constexpr std::uint64_t seed = 0x6469736b77726967; // any; fixed so that a result can be had again
constexpr double significance = 0.05;

std::vector<double> sorted(std::span<const double> samples)
{
    std::vector<double> result(samples.begin(), samples.end());
    std::ranges::sort(result);
    return result;
}

double middle(std::span<const double> ordered)
{
    const std::size_t half = ordered.size() / 2;
    return ordered.size() % 2 == 1 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}

} // namespace

std::optional<double> median(std::span<const double> samples)
{
    if (samples.empty())
        return std::nullopt;
    return middle(sorted(samples));
}

std::optional<Estimate> medianEstimate(std::span<const double> samples, double coverage)
{
    const std::size_t count = samples.size();
    if (count == 0 || !(coverage > 0 && coverage < 1))
        return std::nullopt;
    // Between the k-th lowest and k-th highest lies the median unless fewer than k samples fall on one side
    // of it.
    const boost::math::binomial side(static_cast<double>(count), 0.5);
    const auto covered = [&](std::size_t rank) {
        return 1 - 2 * boost::math::cdf(side, static_cast<double>(rank - 1));
    };
    std::size_t rank = 0;
    while (rank + 1 <= count / 2 && covered(rank + 1) >= coverage)
        ++rank;
    if (rank == 0)
        return std::nullopt;
    const auto ordered = sorted(samples);
    return Estimate{middle(ordered), ordered[rank - 1], ordered[count - rank], covered(rank)};
}

std::optional<Estimate> trimmedMean(std::span<const double> samples, std::size_t dropEachSide,
                                    double coverage)
{
    if (samples.size() < 2 * dropEachSide + 2 || !(coverage > 0 && coverage < 1))
        return std::nullopt;
    auto ordered = sorted(samples);
    const auto count = static_cast<double>(samples.size());
    const std::size_t keptCount = samples.size() - 2 * dropEachSide;
    const auto kept = static_cast<double>(keptCount);
    const auto first = ordered.begin() + static_cast<std::ptrdiff_t>(dropEachSide);
    const double mean = std::accumulate(first, first + static_cast<std::ptrdiff_t>(keptCount), 0.0) / kept;
    for (std::size_t index = 0; index < dropEachSide; ++index) {
        ordered[index] = ordered[dropEachSide];
        ordered[samples.size() - 1 - index] = ordered[samples.size() - 1 - dropEachSide];
    }
    const double centre = std::accumulate(ordered.begin(), ordered.end(), 0.0) / count;
    double squares = 0;
    for (const double value : ordered)
        squares += (value - centre) * (value - centre);
    const double deviation = std::sqrt(squares / (count - 1));
    const double error = deviation * std::sqrt(count - 1) / std::sqrt(kept * (kept - 1));
    const double quantile = boost::math::quantile(boost::math::students_t(kept - 1), (1 + coverage) / 2);
    return Estimate{mean, mean - quantile * error, mean + quantile * error, coverage};
}

double signFlipProbability(std::span<const double> differences)
{
    if (differences.empty())
        return 1;
    const double observed = std::abs(std::accumulate(differences.begin(), differences.end(), 0.0));
    double scale = 0;
    for (const double difference : differences)
        scale += std::abs(difference);
    const double reached = observed - 1e-12 * scale; // sums that differ by rounding only are equal
    const auto sumWith = [&](std::uint64_t signs) {
        double sum = 0;
        for (std::size_t index = 0; index < differences.size(); ++index)
            sum += (signs >> (index % 64) & 1) != 0 ? differences[index] : -differences[index];
        return std::abs(sum);
    };
    if (differences.size() <= mostExact) {
        const std::uint64_t all = std::uint64_t{1} << differences.size();
        std::uint64_t extreme = 0;
        for (std::uint64_t signs = 0; signs < all; ++signs)
            extreme += sumWith(signs) >= reached ? 1 : 0;
        return static_cast<double>(extreme) / static_cast<double>(all);
    }
    engine::Random random(seed);
    int extreme = 1;
    for (int draw = 1; draw < draws; ++draw) {
        double sum = 0;
        std::uint64_t signs = 0;
        for (std::size_t index = 0; index < differences.size(); ++index) {
            if (index % 64 == 0)
                signs = random();
            sum += (signs >> (index % 64) & 1) != 0 ? differences[index] : -differences[index];
        }
        extreme += std::abs(sum) >= reached ? 1 : 0;
    }
    return static_cast<double>(extreme) / draws;
}

std::string_view name(Verdict verdict) noexcept
{
    switch (verdict) {
    case Verdict::Faster: return "faster";
    case Verdict::Slower: return "slower";
    case Verdict::Same: return "same";
    case Verdict::CannotTell: return "cannot-tell";
    case Verdict::NotComparable: return "not-comparable";
    }
    return "not-comparable";
}

namespace {

std::optional<std::vector<double>> logRatios(std::span<const Pair> blocks)
{
    std::vector<double> ratios;
    for (const Pair &block : blocks) {
        if (!std::isfinite(block.now) || !std::isfinite(block.wanted) || block.now <= 0 || block.wanted <= 0)
            return std::nullopt;
        ratios.push_back(std::log(block.wanted / block.now));
    }
    return ratios;
}

/// Blocks after which a difference of the threshold would show with 80 % power, normal approximation.
std::size_t blocksFor(std::span<const double> ratios, double threshold)
{
    const auto count = static_cast<double>(ratios.size());
    const double mean = std::accumulate(ratios.begin(), ratios.end(), 0.0) / count;
    double squares = 0;
    for (const double ratio : ratios)
        squares += (ratio - mean) * (ratio - mean);
    const double deviation = std::sqrt(squares / (count - 1));
    const boost::math::normal normal;
    const double reach = boost::math::quantile(normal, 0.975) + boost::math::quantile(normal, 0.8);
    const double needed = std::ceil(std::pow(reach * deviation / std::log1p(threshold), 2));
    return std::max(ratios.size() + 2, static_cast<std::size_t>(std::min(needed, 1e6)));
}

} // namespace

PairedComparison compare(std::span<const Pair> blocks, const CompareOptions &options)
{
    PairedComparison result{.threshold = std::max(options.threshold, options.noiseFloor),
                            .blocks = blocks.size(),
                            .blocksNeeded = {}};
    const auto ratios = logRatios(blocks);
    if (!ratios) {
        result.verdict = Verdict::NotComparable;
        return result;
    }
    if (ratios->empty()) {
        result.blocksNeeded = leastBlocks;
        return result;
    }
    result.hasEffect = true;
    result.effect = std::expm1(*median(*ratios));
    result.probability = signFlipProbability(*ratios);
    const auto wide = medianEstimate(*ratios, 0.95);
    const auto [least, most] = std::ranges::minmax(*ratios);
    result.low = std::expm1(wide ? wide->low : least);
    result.high = std::expm1(wide ? wide->high : most);
    if (!wide) {
        result.blocksNeeded = leastBlocks;
        return result;
    }
    const bool clear = (wide->low > 0 || wide->high < 0) && result.probability <= significance;
    const auto narrow = medianEstimate(*ratios, 0.90);
    if (clear && std::abs(result.effect) >= result.threshold)
        result.verdict =
            (result.effect > 0) == (options.better == Better::More) ? Verdict::Faster : Verdict::Slower;
    else if (std::expm1(narrow->low) > -result.threshold && std::expm1(narrow->high) < result.threshold)
        result.verdict = Verdict::Same;
    else
        result.blocksNeeded = blocksFor(*ratios, result.threshold);
    return result;
}

std::optional<double> noiseFloor(std::span<const Pair> equalBlocks)
{
    const auto ratios = logRatios(equalBlocks);
    if (!ratios)
        return std::nullopt;
    const auto interval = medianEstimate(*ratios, 0.95);
    if (!interval)
        return std::nullopt;
    return std::max(std::abs(std::expm1(interval->low)), std::abs(std::expm1(interval->high)));
}

} // namespace diskwright::bench
