// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engine/collector.h"

#include <QTest>

using namespace diskwright::engine;

class CollectorTest : public QObject
{
    Q_OBJECT

    static constexpr std::int64_t slot = Collector::slotNanoseconds;

private Q_SLOTS:
    void onlyTheMeasuredTimeCounts()
    {
        Collector collector(4096);
        Meter meter(collector, 0, 10 * slot, 12 * slot);
        QVERIFY(!meter.moveTo(10 * slot - 1));
        QVERIFY(!meter.hasBegun(10 * slot - 1));
        QVERIFY(meter.moveTo(10 * slot));
        meter.add(100);
        QVERIFY(meter.moveTo(12 * slot - 1));
        meter.add(200);
        QVERIFY(!meter.moveTo(12 * slot));
        QVERIFY(meter.isOver(12 * slot));
        meter.flush();
        const auto slots = collector.take();
        QCOMPARE(slots.size(), 2u);
        QCOMPARE(slots[0].ios, 1u);
        QCOMPARE(slots[1].latencySumNanoseconds, 200u);
        QCOMPARE(slots[1].bytes, 4096u);
        QCOMPARE(collector.total().count(), 2u);
    }

    void aStallLeavesEmptySlotsAndNoGap()
    {
        Collector collector(1);
        Meter meter(collector, 0, 0, 100 * slot);
        QVERIFY(meter.moveTo(0));
        meter.add(5);
        QVERIFY(meter.moveTo(7 * slot));
        meter.add(6);
        QCOMPARE(collector.take().size(), 1u);
        meter.flush();
        const auto slots = collector.take();
        QCOMPARE(slots.size(), 7u);
        QCOMPARE(slots.front().number, 1u);
        QCOMPARE(slots.front().ios, 0u);
        QCOMPARE(slots.back().ios, 1u);
        QVERIFY(collector.take().empty());
    }

    void aSlotWaitsForTheSlowestWorker()
    {
        Collector collector(1);
        collector.setWorkers(2);
        Histogram one;
        one.add(1);
        collector.finish(0, 0, one);
        collector.finish(0, 1, one);
        QVERIFY(collector.take().empty());
        collector.finish(1, 0, one);
        auto slots = collector.take();
        QCOMPARE(slots.size(), 1u);
        QCOMPARE(slots[0].ios, 2u);
        slots = collector.take(true);
        QCOMPARE(slots.size(), 1u);
        QCOMPARE(slots[0].ios, 1u);
        QCOMPARE(collector.total().count(), 3u);
    }

    void theEndFinishesEverySlot()
    {
        Collector collector(1);
        collector.setWorkers(2);
        Histogram one;
        one.add(1);
        collector.finish(0, 0, one);
        collector.finishAll(20);
        const auto slots = collector.take();
        QCOMPARE(slots.size(), 20u);
        QCOMPARE(slots.front().ios, 1u);
        QCOMPARE(slots.back().number, 19u);
        QCOMPARE(slots.back().ios, 0u);
        QVERIFY(collector.take(true).empty());
        // What went on beyond is not taken back.
        collector.finishAll(3);
        QVERIFY(collector.take(true).empty());
    }

    void readsAcrossTheEndsHaveTheirShareOfTheTime()
    {
        // Ten reads a tenth each, the last one half beyond the end: nine tenths were measured, not nine and a
        // half.
        SharedTime even(0, 950);
        for (std::int64_t at = 0; at < 1000; at += 100)
            even.add(at, at + 100);
        QCOMPARE(even.nanoseconds(), 900);
        // The same with a read across the begin, which counts and lies within by half.
        SharedTime warmedUp(50, 950);
        for (std::int64_t at = 0; at < 1000; at += 100)
            warmedUp.add(at, at + 100);
        QCOMPARE(warmedUp.nanoseconds(), 900);
        // A disk that hangs in the middle is not as fast as one that does not.
        SharedTime hung(0, 1000);
        for (std::int64_t at = 0; at < 500; at += 100)
            hung.add(at, at + 100);
        hung.add(500, 10'500);
        QVERIFY(hung.nanoseconds() > 980 && hung.nanoseconds() < 1000);
        SharedTime nothing(0, 1000);
        nothing.add(0, 4000);
        QCOMPARE(nothing.nanoseconds(), 0);
        QCOMPARE(SharedTime(0, 1000).nanoseconds(), 0);
        // Time that the reader spent elsewhere, here between 100 and 300, is not the disk's.
        SharedTime paused(0, 1000);
        paused.add(0, 100);
        paused.add(300, 400);
        QCOMPARE(paused.nanoseconds(), 200);
    }

    void noPercentileOfTooFew()
    {
        Collector collector(1);
        Histogram few;
        for (int count = 0; count < 20; ++count)
            few.add(1000);
        collector.finish(0, 0, few);
        const auto slots = collector.take();
        QVERIFY(slots[0].p50Nanoseconds.has_value());
        QVERIFY(!slots[0].p99Nanoseconds.has_value());
    }
};

QTEST_APPLESS_MAIN(CollectorTest)
#include "tst_collector.moc"
