// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/access/bounds.h"
#include "faketree.h"

#include <QTest>

using namespace diskwright;

namespace {

Result<SettingSpec> onDisk(const FakeTree &tree, std::string_view id, std::string_view scheduler = "none")
{
    const auto root = tree.root();
    return narrowed(root, root.blockDevice("sda").value(), *findSetting(id), scheduler);
}

Result<SettingSpec> onMachine(const FakeTree &tree, std::string_view id)
{
    const auto root = tree.root();
    return narrowed(root, root.vm().value(), *findSetting(id), {});
}

Range rangeOf(const Result<SettingSpec> &spec)
{
    return spec ? std::get<Range>(spec->accepts) : Range{.min = -1, .max = -1};
}

} // namespace

class TestBounds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requestsAreTheDriversOwnWithoutAScheduler()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"mq/0/nr_tags", "32\n"}});
        QCOMPARE(rangeOf(onDisk(tree, "queue/nr_requests", "none")).max, 32);
        QCOMPARE(rangeOf(onDisk(tree, "queue/nr_requests", "bfq")).max, 2048);
        tree.file("sys/block/sda/mq/0/nr_tags", "1\n");
        QCOMPARE(onDisk(tree, "queue/nr_requests", "none").error().code, Errc::ReadOnly);
        QVERIFY(onDisk(tree, "queue/nr_requests", "mq-deadline"));
    }

    void requestsAreNoLargerThanTheHardwares()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"queue/max_hw_sectors_kb", "512\n"}});
        QCOMPARE(rangeOf(onDisk(tree, "queue/max_sectors_kb")).max, 512);
        QCOMPARE(rangeOf(onDisk(tree, "queue/max_sectors_kb")).min, 4);
        tree.file("sys/block/sda/queue/max_hw_sectors_kb", "2147483647\n");
        QCOMPARE(rangeOf(onDisk(tree, "queue/max_sectors_kb")).max, 65536);
    }

    void discardsAreOnTheDevicesGrid()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"queue/discard_max_bytes", "2147450880\n"}});
        QCOMPARE(onDisk(tree, "queue/discard_max_bytes").error().code, Errc::ReadOnly);
        tree.file("sys/block/sda/queue/discard_max_hw_bytes", "0\n");
        QCOMPARE(onDisk(tree, "queue/discard_max_bytes").error().code, Errc::ReadOnly);
        tree.file("sys/block/sda/queue/discard_max_hw_bytes", "2147450880\n");
        tree.file("sys/block/sda/queue/discard_granularity", "4096\n");
        QCOMPARE(rangeOf(onDisk(tree, "queue/discard_max_bytes")).max, 2147450880);
        QCOMPARE(rangeOf(onDisk(tree, "queue/discard_max_bytes")).step, 4096);
        // Off the grid, it could be changed once and never put back.
        tree.file("sys/block/sda/queue/discard_max_bytes", "2199023255040\n");
        QCOMPARE(onDisk(tree, "queue/discard_max_bytes").error().code, Errc::ReadOnly);
    }

    void laptopModeWhereTheKernelHeedsIt()
    {
        const FakeTree tree;
        tree.folder("proc/sys/vm");
        tree.file("proc/sys/kernel/osrelease", "6.12.117+deb13-amd64\n");
        QVERIFY(onMachine(tree, "vm/laptop_mode"));
        tree.file("proc/sys/kernel/osrelease", "7.1.0\n");
        QCOMPARE(onMachine(tree, "vm/laptop_mode").error().code, Errc::ReadOnly);
    }

    void reserveFollowsTheMemory_data()
    {
        QTest::addColumn<qint64>("totalKiB");
        QTest::addColumn<int>("zones");
        QTest::addColumn<QByteArray>("hugePages");
        QTest::addColumn<qint64>("least");
        QTest::addColumn<qint64>("most");
        const QByteArray on("always [madvise] never\n");
        QTest::newRow("16 GiB, as on most desktops")
            << qint64{16000000} << 3 << on << qint64{16000} << qint64{270336};
        QTest::newRow("no huge pages") << qint64{16000000} << 3 << QByteArray("always madvise [never]\n")
                                       << qint64{16000} << qint64{64000};
        QTest::newRow("unknown") << qint64{16000000} << 3 << QByteArray() << qint64{16000} << qint64{64000};
        QTest::newRow("1 GiB: a twentieth at most")
            << qint64{1000000} << 2 << on << qint64{4000} << qint64{50000};
        QTest::newRow("16 MiB: the default alone")
            << qint64{16000} << 1 << QByteArray() << qint64{505} << qint64{800};
        QTest::newRow("8 TiB") << qint64{8000000000} << 3 << on << qint64{262144} << qint64{1048576};
    }
    void reserveFollowsTheMemory()
    {
        QFETCH(qint64, totalKiB);
        QFETCH(int, zones);
        QFETCH(QByteArray, hugePages);
        QFETCH(qint64, least);
        QFETCH(qint64, most);
        const FakeTree tree;
        tree.folder("proc/sys/vm");
        tree.file("proc/meminfo", "MemTotal:    " + std::to_string(totalKiB) + " kB\nMemFree: 5 kB\n");
        std::string buddies = "Node 0, zone  Movable      1      0\nNode 0, zone   Device      1      0\n";
        for (int zone = 0; zone < zones; ++zone)
            buddies += "Node 0, zone      DMA      1      0\n";
        tree.file("proc/buddyinfo", buddies);
        if (!hugePages.isEmpty()) {
            tree.file("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
            tree.file("sys/kernel/mm/transparent_hugepage/enabled", hugePages.toStdString());
        }
        const Range range = rangeOf(onMachine(tree, "vm/min_free_kbytes"));
        QCOMPARE(range.min, least);
        QCOMPARE(range.max, most);
    }
    void reserveNeedsToKnowTheMemory()
    {
        const FakeTree tree;
        tree.folder("proc/sys/vm");
        for (const char *text : {"", "MemTotal:", "MemTotal: none\n", "MemTotal: 0 kB\n"}) {
            tree.file("proc/meminfo", text);
            QCOMPARE(onMachine(tree, "vm/min_free_kbytes").error().code, Errc::Internal);
        }
    }

    void theRestStaysAsItIs()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        for (const std::string_view id : {"queue/read_ahead_kb", "queue/scheduler", "bdi/max_ratio"}) {
            const auto spec = onDisk(tree, id);
            QVERIFY(spec);
            QCOMPARE(spec->id, id);
        }
        QCOMPARE(rangeOf(onDisk(tree, "queue/read_ahead_kb")).max, 32768);
    }

    // Never wider than the catalogue, whatever a device claims.
    void neverWider()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0",
                  {{"mq/0/nr_tags", "999999\n"},
                   {"queue/max_hw_sectors_kb", "-1\n"},
                   {"queue/discard_max_hw_bytes", "9223372036854775807\n"}});
        QCOMPARE(rangeOf(onDisk(tree, "queue/nr_requests")).max, 2048);
        QCOMPARE(onDisk(tree, "queue/max_sectors_kb").error().code, Errc::ReadOnly);
        QCOMPARE(rangeOf(onDisk(tree, "queue/discard_max_bytes")).max, std::int64_t{1} << 41);
    }
};

QTEST_APPLESS_MAIN(TestBounds)

#include "tst_bounds.moc"
