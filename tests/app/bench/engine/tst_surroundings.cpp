// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engine/surroundings.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
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

    static void write(const QString &path, const QByteArray &text)
    {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    /// A machine with the disks sda (sda1) and cciss!c0d0; sda counts as told.
    static void recordMachine(const QString &root, const QByteArray &iostats)
    {
        write(root + QStringLiteral("/proc/diskstats"), "   8       0 sda 10 0 2048 5 7 0 4096 5 0 5 5\n"
                                                        "   8       1 sda1 10 0 1024 5 7 0 0 5 0 5 5\n"
                                                        " 104       0 cciss/c0d0 1 0 16 5 1 0 32 5 0 5 5\n");
        write(root + QStringLiteral("/sys/devices/sda/queue/iostats"), iostats);
        write(root + QStringLiteral("/sys/devices/sda/sda1/partition"), "1\n");
        write(root + QStringLiteral("/sys/devices/cciss!c0d0/queue/iostats"), "1\n");
        QVERIFY(QDir().mkpath(root + QStringLiteral("/sys/class/block")));
        for (const char *device : {"sda", "sda/sda1", "cciss!c0d0"}) {
            const QString path = QString::fromLatin1(device);
            QVERIFY(QFile::link(QStringLiteral("../../devices/") + path,
                                root + QStringLiteral("/sys/class/block/") + path.section(u'/', -1)));
        }
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
        // Memory may have answered, and nobody would have seen it.
        QCOMPARE(found.reasons, (std::vector<std::string>{"device-unknown"}));
        // A disk that came back meanwhile counts from 0 again.
        const auto again = judge(quiet(mebibyte, 0, 0), quiet(0, 0, 1'000'000'000), 500 * mebibyte, 0, true);
        QCOMPARE(again.reasons, (std::vector<std::string>{"device-unknown"}));
    }
    void countersThatAreOffAreNoProofOfMemory()
    {
        for (const char *disk : {"sda", "sda1"}) {
            QTemporaryDir root;
            recordMachine(root.path(), "0\n");
            const Moment moment = look({disk}, root.path().toStdString());
            QVERIFY(!moment.disksKnown && moment.countersOff);
            const auto found = judge(moment, moment, 500 * mebibyte, 0, true);
            QCOMPARE(found.reasons, (std::vector<std::string>{"counters-off"}));
            QVERIFY(!found.foreignReadBytes);
        }
        QTemporaryDir root;
        recordMachine(root.path(), "1\n");
        const Moment moment = look({"sda"}, root.path().toStdString());
        QVERIFY(moment.disksKnown && !moment.countersOff);
        QCOMPARE(moment.readBytes, 2048u * 512);
        QCOMPARE(moment.writtenBytes, 4096u * 512);
    }
    void namesWithASlash()
    {
        QTemporaryDir root;
        recordMachine(root.path(), "1\n");
        const Moment moment = look({"cciss!c0d0", "sda"}, root.path().toStdString());
        QVERIFY(moment.disksKnown);
        QCOMPARE(moment.readBytes, (2048u + 16) * 512);
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
