// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/statistics.h"

#include "app/bench/engine/random.h"
#include "app/bench/schedule.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

using namespace diskwright::bench;
using diskwright::engine::Random;

namespace {

double uniform(Random &random)
{
    return (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0;
}
double normal(Random &random)
{
    return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * std::numbers::pi * uniform(random));
}

/// A machine whose speed wanders: each run's noise is 0.9 of the run's before it plus something new, as was
/// measured on a real one, with a spread of \p spread.
class WanderingMachine
{
public:
    WanderingMachine(Random &random, double spread)
        : m_random(random)
        , m_spread(spread)
        , m_noise(spread * normal(random))
    {
    }
    double run(double speed)
    {
        m_noise = phi * m_noise + std::sqrt(1 - phi * phi) * m_spread * normal(m_random);
        return speed * std::exp(m_noise);
    }

private:
    static constexpr double phi = 0.9;
    Random &m_random;
    double m_spread;
    double m_noise;
};

std::vector<Pair> measure(WanderingMachine &machine, double wantedSpeed, std::size_t blocks,
                          std::uint64_t seed)
{
    std::vector<Pair> pairs;
    for (const Block &block : makeSchedule(2, blocks, seed)) {
        Pair pair;
        for (const std::size_t state : block)
            (state == 0 ? pair.now : pair.wanted) = machine.run(state == 0 ? 100 : wantedSpeed);
        pairs.push_back(pair);
    }
    return pairs;
}

/// How many of 1,000 comparisons give each verdict.
std::array<int, 5> verdictsOf(double wantedSpeed, double spread, std::size_t blocks)
{
    std::array<int, 5> counts{};
    Random random(20);
    for (std::uint64_t round = 0; round < 1000; ++round) {
        WanderingMachine machine(random, spread);
        const auto found = compare(measure(machine, wantedSpeed, blocks, round));
        ++counts[static_cast<std::size_t>(found.verdict)];
    }
    return counts;
}

} // namespace

class StatisticsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void medianOfOddAndEven()
    {
        QVERIFY(!median({}));
        QCOMPARE(*median(std::vector{3.0}), 3.0);
        QCOMPARE(*median(std::vector{9.0, 1.0, 5.0}), 5.0);
        QCOMPARE(*median(std::vector{4.0, 1.0, 3.0, 2.0}), 2.5);
    }

    void intervalsAreThePublishedOnes_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("rank");
        QTest::addColumn<double>("coverage");
        // Coverage of (x_k, x_{n-k+1}): 1 - 2 * sum_{i<k} C(n,i) / 2^n.
        QTest::newRow("6") << 6 << 1 << 1 - 2.0 / 64;
        QTest::newRow("8") << 8 << 1 << 1 - 2.0 / 256;
        QTest::newRow("10") << 10 << 2 << 1 - 2.0 * 11 / 1024;
        QTest::newRow("12") << 12 << 3 << 1 - 2.0 * 79 / 4096;
    }
    void intervalsAreThePublishedOnes()
    {
        QFETCH(int, count);
        QFETCH(int, rank);
        QFETCH(double, coverage);
        std::vector<double> samples(static_cast<std::size_t>(count));
        std::iota(samples.rbegin(), samples.rend(), 1.0);
        const auto found = medianEstimate(samples);
        QVERIFY(found.has_value());
        QCOMPARE(found->low, static_cast<double>(rank));
        QCOMPARE(found->high, static_cast<double>(count - rank + 1));
        QVERIFY(std::abs(found->coverage - coverage) < 1e-12);
    }
    void fiveSamplesCannotReach95Percent()
    {
        QVERIFY(!medianEstimate(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}));
        QVERIFY(medianEstimate(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}, 0.9));
        QVERIFY(!medianEstimate({}));
    }
    void intervalCoversTheMedianAsOftenAsItSays()
    {
        // A skewed distribution: the log-normal's median is 1.
        Random random(5);
        int covered = 0;
        for (int round = 0; round < 4000; ++round) {
            std::vector<double> samples(12);
            std::ranges::generate(samples, [&] { return std::exp(normal(random)); });
            const auto found = *medianEstimate(samples);
            covered += found.low <= 1 && 1 <= found.high ? 1 : 0;
            QVERIFY(found.low <= found.value && found.value <= found.high);
        }
        QVERIFY2(covered > 4000 * 0.95 && covered < 4000 * 0.972, qPrintable(QString::number(covered)));
    }

    void twelveRunsWithoutBestAndWorst()
    {
        // Worked by hand: kept 2 … 11, mean 6.5; winsorised 2,2,3 … 10,11,11; squares 122.5+… =
        // 2*(4.5²)+2*(4.5²)+…
        std::vector<double> samples(12);
        std::iota(samples.begin(), samples.end(), 1.0);
        const auto found = trimmedMean(samples);
        QVERIFY(found.has_value());
        QCOMPARE(found->value, 6.5);
        double squares = 0;
        for (const double value : {2., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 11.})
            squares += (value - 6.5) * (value - 6.5);
        const double error = std::sqrt(squares / 11) * std::sqrt(11.0) / std::sqrt(10.0 * 9);
        QVERIFY(std::abs(found->high - (6.5 + 2.262157 * error)) < 1e-5); // t, 9 degrees of freedom, 97.5 %
        samples[0] = -1e9;
        samples[11] = 1e9;
        QCOMPARE(trimmedMean(samples)->value, 6.5);
        QVERIFY(!trimmedMean(std::vector{1.0, 2.0, 3.0}));
    }

    void signFlipsAreExact()
    {
        QCOMPARE(signFlipProbability({}), 1.0);
        QCOMPARE(signFlipProbability(std::vector{1., 1., 1., 1., 1.}), 2.0 / 32);
        QCOMPARE(signFlipProbability(std::vector{1., 2., 3., 4., 5., 6.}), 2.0 / 64);
        QCOMPARE(signFlipProbability(std::vector{-1., -2., -3., -4., -5., -6., -7., -8.}), 2.0 / 256);
        QCOMPARE(signFlipProbability(std::vector{1., -1.}), 1.0);
        // 1+2+3 = 6 of 8 sign patterns: ±6 twice, ±4 twice, ±2 twice, 0 twice.
        QCOMPARE(signFlipProbability(std::vector{-1., 2., 3.}), 4.0 / 8);
    }
    void manyDifferencesAreDrawnAndRepeatable()
    {
        Random random(9);
        std::vector<double> differences(40);
        std::ranges::generate(differences, [&] { return normal(random); });
        const double found = signFlipProbability(differences);
        QCOMPARE(signFlipProbability(differences), found);
        QVERIFY(found > 0 && found <= 1);
        for (double &difference : differences)
            difference = std::abs(difference) + 0.5;
        QCOMPARE(signFlipProbability(differences), 1.0 / 65'536);
        // Whatever is drawn for 17 must be near what is counted for 16 alike.
        const std::vector<double> even(17, 1.0);
        QVERIFY(signFlipProbability(even) < 0.001);
    }

    void verdictDoesNotDependOnUnitOrSwap()
    {
        Random random(31);
        for (int round = 0; round < 200; ++round) {
            std::vector<Pair> blocks(8), scaled, swapped;
            for (Pair &block : blocks) {
                block = {100 * std::exp(0.03 * normal(random)),
                         (100 + round * 0.1) * std::exp(0.03 * normal(random))};
                scaled.push_back({block.now * 1024, block.wanted * 1024});
                swapped.push_back({block.wanted, block.now});
            }
            const auto found = compare(blocks), other = compare(scaled), reversed = compare(swapped);
            QCOMPARE(other.verdict, found.verdict);
            QVERIFY(std::abs(other.effect - found.effect) < 1e-9);
            QVERIFY(found.low <= found.effect && found.effect <= found.high);
            QVERIFY(std::abs((1 + found.effect) * (1 + reversed.effect) - 1) < 1e-9);
            QVERIFY(std::abs(found.probability - reversed.probability) < 1e-12);
            if (found.verdict == Verdict::Faster && std::abs(reversed.effect) >= 0.02)
                QCOMPARE(reversed.verdict, Verdict::Slower);
        }
    }

    void lessCanBeBetter()
    {
        const std::vector<Pair> blocks(6, Pair{100, 80});
        QCOMPARE(compare(blocks, {.better = Better::Less}).verdict, Verdict::Faster);
        QCOMPARE(compare(blocks).verdict, Verdict::Slower);
        QVERIFY(std::abs(compare(blocks).effect + 0.2) < 1e-9);
    }
    void fewerThanSixBlocksNeverTell()
    {
        for (std::size_t count = 0; count < leastBlocks; ++count) {
            const auto found = compare(std::vector<Pair>(count, Pair{100, 500}));
            QCOMPARE(found.verdict, Verdict::CannotTell);
            QCOMPARE(found.blocksNeeded, leastBlocks);
        }
        QVERIFY(!compare({}).hasEffect && compare(std::vector<Pair>(1, Pair{100, 500})).hasEffect);
        QCOMPARE(compare(std::vector<Pair>(leastBlocks, Pair{100, 500})).verdict, Verdict::Faster);
    }
    void smallButCertainIsSame()
    {
        QCOMPARE(compare(std::vector<Pair>(6, Pair{100, 101})).verdict, Verdict::Same);
        QCOMPARE(compare(std::vector<Pair>(6, Pair{100, 105}), {.noiseFloor = 0.08}).verdict, Verdict::Same);
        QCOMPARE(compare(std::vector<Pair>(6, Pair{100, 100})).verdict, Verdict::Same);
    }
    void nonsenseIsNotComparable()
    {
        for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
            std::vector<Pair> blocks(6, Pair{100, 100});
            blocks[3].wanted = bad;
            QCOMPARE(compare(blocks).verdict, Verdict::NotComparable);
            QVERIFY(!compare(blocks).hasEffect);
        }
    }

    void equalSettingsAreSeldomCalledDifferent()
    {
        // 1,000 comparisons of a setting with itself on a machine that wanders as much as a noisy one did
        // (8.7 % spread, 0.9 from run to run): at most 5 % may be called faster or slower.
        for (const std::size_t blocks : {std::size_t{6}, std::size_t{8}, std::size_t{12}}) {
            const auto counts = verdictsOf(100, 0.087, blocks);
            const int wrong = counts[0] + counts[1];
            QVERIFY2(wrong <= 50,
                     qPrintable(QStringLiteral("%1 of 1000 with %2 blocks").arg(wrong).arg(blocks)));
        }
    }
    void oneAfterTheOtherWouldBeWrong()
    {
        // The reason for blocks: the same noise, all of one side before all of the other, paired by number.
        Random random(20);
        int wrong = 0;
        for (int round = 0; round < 1000; ++round) {
            WanderingMachine machine(random, 0.087);
            std::vector<Pair> blocks(6);
            for (Pair &block : blocks)
                block.now = machine.run(100);
            for (Pair &block : blocks)
                block.wanted = machine.run(100);
            const auto verdict = compare(blocks).verdict;
            wrong += verdict == Verdict::Faster || verdict == Verdict::Slower ? 1 : 0;
        }
        QVERIFY2(wrong > 150, qPrintable(QString::number(wrong)));
    }
    void knownEffectsAreFound()
    {
        const auto counts = verdictsOf(115, 0.04, 12);
        QVERIFY2(counts[0] >= 950, qPrintable(QString::number(counts[0])));
        QCOMPARE(counts[1], 0);
        const auto slower = verdictsOf(85, 0.04, 12);
        QVERIFY2(slower[1] >= 950, qPrintable(QString::number(slower[1])));
        QCOMPARE(slower[0], 0);
        const auto large = verdictsOf(200, 0.087, 6);
        QVERIFY2(large[0] >= 950, qPrintable(QString::number(large[0])));
    }
    void itSaysHowManyBlocksWouldTell()
    {
        Random random(77);
        WanderingMachine machine(random, 0.2);
        const auto found = compare(measure(machine, 103, 6, 1));
        QCOMPARE(found.verdict, Verdict::CannotTell);
        QVERIFY(found.blocksNeeded.value_or(0) > 6);
    }
    void noiseFloorIsTheWorstOfEqualBlocks()
    {
        QVERIFY(!noiseFloor(std::vector<Pair>(5, Pair{100, 101})));
        std::vector<Pair> blocks(6, Pair{100, 100});
        blocks[2].wanted = 103;
        blocks[4].wanted = 98;
        QVERIFY(std::abs(*noiseFloor(blocks) - 0.03) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(StatisticsTest)
#include "tst_statistics.moc"
