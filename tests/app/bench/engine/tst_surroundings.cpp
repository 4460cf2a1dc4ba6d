// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engine/surroundings.h"

#include <QFile>
#include <QTest>

using namespace diskwright::engine;

class SurroundingsTest : public QObject
{
    Q_OBJECT

    static constexpr std::uint64_t mebibyte = 1024 * 1024;

    static Moment quiet(std::uint64_t read, std::uint64_t written, std::int64_t time)
    {
        Moment moment;
        moment.time = time;
        moment.readBytes = read;
        moment.writtenBytes = written;
        moment.disksKnown = true;
        moment.cpuWaitMicroseconds = 0;
        moment.memoryWaitMicroseconds = 0;
        moment.allTicks = static_cast<std::uint64_t>(time / 10'000'000);
        return moment;
    }

private Q_SLOTS:
    void quietRunHasNoReason()
    {
        const auto found =
            judge(quiet(0, 0, 0), quiet(500 * mebibyte, 0, 2'000'000'000), 500 * mebibyte, 0, true);
        QVERIFY(found.reasons.empty());
        QCOMPARE(found.foreignReadBytes, 0u);
    }
    void foreignIoIsSeen()
    {
        const Moment before = quiet(0, 0, 0);
        const Moment after = quiet(520 * mebibyte, 20 * mebibyte, 2'000'000'000);
        const auto direct = judge(before, after, 500 * mebibyte, 0, true);
        QCOMPARE(direct.reasons, (std::vector<std::string>{"foreign-reads", "foreign-writes"}));
        QCOMPARE(direct.foreignReadBytes, 20 * mebibyte);
        // The same surplus can be our own read-ahead.
        const auto buffered = judge(before, after, 500 * mebibyte, 16 * mebibyte, false);
        QCOMPARE(buffered.reasons, (std::vector<std::string>{"foreign-writes"}));
    }
    void readsThatTheDeviceDidNotServeAreSeen()
    {
        const auto found =
            judge(quiet(0, 0, 0), quiet(100 * mebibyte, 0, 1'000'000'000), 500 * mebibyte, 0, true);
        QCOMPARE(found.reasons, (std::vector<std::string>{"not-served-by-device"}));
    }
    void unknownDisksGiveNoNumbers()
    {
        Moment before = quiet(0, 0, 0);
        before.disksKnown = false;
        const auto found = judge(before, quiet(0, 0, 1'000'000'000), 500 * mebibyte, 0, true);
        QVERIFY(!found.foreignReadBytes && !found.foreignWrittenBytes);
        QVERIFY(found.reasons.empty());
    }
    void processorsAndMemory()
    {
        Moment after = quiet(mebibyte, 0, 1'000'000'000);
        after.cpuWaitMicroseconds = 300'000;
        after.memoryWaitMicroseconds = 50'000;
        after.stolenTicks = 10;
        const auto found = judge(quiet(0, 0, 0), after, mebibyte, 0, true);
        QCOMPARE(found.reasons, (std::vector<std::string>{"cpu-busy", "memory-short", "cpu-stolen"}));
        QCOMPARE(found.cpuWaitShare, 0.3);
    }
    void looksAtTheRunningKernel()
    {
        QFile file(QStringLiteral("/proc/diskstats"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray first = file.readLine().simplified().split(' ').value(2);
        QVERIFY(!first.isEmpty());
        QVERIFY(look({first.toStdString()}).disksKnown);
        QVERIFY(!look({first.toStdString(), "nosuchdisk"}).disksKnown);
        QVERIFY(!look({}).disksKnown);
        QVERIFY(look({}).allTicks > 0);
    }
};

QTEST_APPLESS_MAIN(SurroundingsTest)
#include "tst_surroundings.moc"
