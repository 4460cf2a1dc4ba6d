// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pulse.h"

#include <QSignalSpy>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace std::chrono_literals;

class TestPulse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countersAreBytes()
    {
        const auto disks = parseDiskStats("   8       0 sda 10 2 2048 30 5 1 4096 7 0 9 9 0 0 0 0 0 0\n"
                                          " 259       0 nvme0n1 1 0 8 0 0 0 0 0 0 0 0\n"
                                          " 104       0 cciss/c0d0 1 0 16 0 0 0 0 0 0 0 0\n"
                                          "   8      16 sdb 10 2\n"
                                          "rubbish\n\n");
        QCOMPARE(disks.size(), std::size_t{3});
        QCOMPARE(disks.at("sda").readBytes, std::uint64_t{2048} * 512);
        QCOMPARE(disks.at("sda").writtenBytes, std::uint64_t{4096} * 512);
        QVERIFY(disks.contains("cciss!c0d0"));
    }

    void ratesComeFromDifferences()
    {
        Throughput throughput;
        const auto start = std::chrono::steady_clock::now();
        throughput.add({1000, 1000}, start);
        QVERIFY(throughput.rates().empty());
        throughput.add({5000, 3000}, start + 2s);
        QCOMPARE(throughput.rates().back(), 3000.0);
        // Another disk of the name counts from zero: no rate is negative.
        throughput.add({10, 10}, start + 4s);
        QCOMPARE(throughput.rates().back(), 0.0);
        for (int i = 0; i < 200; ++i)
            throughput.add({}, start + 6s + std::chrono::seconds(i));
        QCOMPARE(throughput.rates().size(), Throughput::length);
    }

    void countersThatAreOffAreNoRest()
    {
        Observation counters;
        counters.settingId = "queue/iostats";
        counters.value = Value(std::int64_t{0});
        QVERIFY(!isCounted({counters}));
        counters.value = Value(std::int64_t{1});
        QVERIFY(isCounted({counters}));
        counters.value.reset();
        QVERIFY(isCounted({counters}));
        QVERIFY(isCounted({}));
    }

    void theReaderStopsWhenNobodyLooks()
    {
        PulseReader reader(QStringLiteral("/"), 20ms);
        QSignalSpy beats(&reader, &PulseReader::beat);
        reader.start();
        QVERIFY(beats.wait());
        QVERIFY(QTest::qWaitFor([&] { return beats.count() >= 3; }));
        reader.stop();
        QTest::qWait(100);
        const auto count = beats.count();
        QTest::qWait(200);
        QCOMPARE(beats.count(), count);
    }
};

QTEST_GUILESS_MAIN(TestPulse)
#include "tst_pulse.moc"
