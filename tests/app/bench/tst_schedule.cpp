// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/schedule.h"

#include "app/bench/engine/random.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace diskwright::bench;

class ScheduleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyBlockHoldsEveryStateOnce()
    {
        for (std::size_t states = 1; states <= 16; ++states) {
            for (Block block : makeSchedule(states, 20, states)) {
                std::ranges::sort(block);
                for (std::size_t state = 0; state < states; ++state)
                    QCOMPARE(block.at(state), state);
                QCOMPARE(block.size(), states);
            }
        }
        QCOMPARE(makeSchedule(2, 0, 1).size(), 0u);
    }
    void theSeedDecides()
    {
        QCOMPARE(makeSchedule(3, 50, 4), makeSchedule(3, 50, 4));
        QVERIFY(makeSchedule(3, 50, 4) != makeSchedule(3, 50, 5));
    }
    void everyOrderIsAsLikely()
    {
        std::map<Block, int> counts;
        for (const Block &block : makeSchedule(3, 6000, 12))
            ++counts[block];
        QCOMPARE(counts.size(), 6u);
        for (const auto &[block, count] : counts)
            QVERIFY2(count > 880 && count < 1120, qPrintable(QString::number(count)));
    }
    void noTwoRoundsReadTheSamePlaces()
    {
        // The engine takes 63 bits. Seeds that people choose lie side by side, and so do rounds.
        std::set<std::uint64_t> seeds;
        for (std::uint64_t seed = 0; seed < 40; ++seed)
            for (std::uint64_t round = 0; round < 40; ++round)
                seeds.insert(roundSeed(seed, round) >> 1);
        QCOMPARE(seeds.size(), 1600u);
        QCOMPARE(roundSeed(7, 3), roundSeed(7, 3));
        // Nor do two workers of one round, or of neighbouring seeds.
        std::set<std::uint64_t> workers;
        for (std::uint64_t seed = 1; seed <= 40; ++seed)
            for (std::uint64_t worker = 0; worker < 40; ++worker)
                workers.insert(diskwright::engine::Random(diskwright::engine::seedOf(seed, worker))());
        QCOMPARE(workers.size(), 1600u);
    }
    void whatCameBeforeDoesNotMatter()
    {
        const auto schedule = makeSchedule(2, 4000, 99);
        int alike = 0;
        for (std::size_t index = 1; index < schedule.size(); ++index)
            alike += schedule[index] == schedule[index - 1] ? 1 : 0;
        QVERIFY2(alike > 1850 && alike < 2150, qPrintable(QString::number(alike)));
    }
};

QTEST_APPLESS_MAIN(ScheduleTest)
#include "tst_schedule.moc"
