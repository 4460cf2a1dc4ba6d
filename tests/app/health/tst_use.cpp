// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QElapsedTimer>
#include <QTest>

using namespace diskwright;
using namespace diskwright::health;
using Files = std::map<std::string, std::string>;

namespace {

Health seen(const Files &files, const char *rotational = "1")
{
    const FakeTree tree;
    tree.disk("sda", "8:0", {{"queue/rotational", rotational}});
    tree.partition("sda", "sda1", "8:1");
    for (const auto &[file, text] : files)
        tree.file(file, text);
    return look(tree, "sda");
}

std::string swaps(const std::string &line)
{
    return "Filename Type Size Used Priority\n" + line + '\n';
}

} // namespace

class TestUse : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void swapOnARotatingDisk()
    {
        const Health used = seen({{"proc/swaps", swaps("/dev/sda1 partition 1000 512 -2")}});
        QCOMPARE(ids(used), Words{"swap-on-hard-disk"});
        QCOMPARE(finding(used, "swap-on-hard-disk")->severity, Severity::Slow);
        QCOMPARE(fact(used, "swap.used"), std::string("524 kB"));
        const Health unused = seen({{"proc/swaps", swaps("/dev/sda1 partition 1000 0 -2")}});
        QCOMPARE(finding(unused, "swap-on-hard-disk")->severity, Severity::Hint);
        QCOMPARE(ids(seen({{"proc/swaps", swaps("/dev/sda1 partition 1000 512 -2")}}, "0")), Words{});
        QCOMPARE(ids(seen({{"proc/swaps", swaps("/dev/sdb1 partition 1000 512 -2")}})), Words{});
        QCOMPARE(ids(seen({{"proc/swaps", swaps("/dev/sda1 partition")}})), Words{});
        QCOMPARE(ids(seen({{"proc/swaps", swaps("/dev/sda1 partition 1000 9223372036854775807 -2")}})),
                 Words{});
    }
    void whatAHostCallsRotatingIsNotKnownToRotate()
    {
        const FakeTree tree;
        placeDisk(tree, "pci0000:00/0000:00:02.0/virtio1", "vda", {{"queue/rotational", "1\n"}});
        tree.file("proc/swaps", swaps("/dev/vda partition 1000 512 -2"));
        const Health found = look(tree, "vda");
        QCOMPARE(ids(found), Words{});
        QCOMPARE(fact(found, "swap.used"), std::string("524 kB"));
    }
    void swapInAFile()
    {
        const std::string mounts =
            "28 1 8:1 / /data rw - ext4 /dev/sda1 rw\n29 1 8:9 / /data/x rw - ext4 /dev/sdz rw\n";
        QCOMPARE(ids(seen({{"proc/swaps", swaps("/data/swap\\040file file 1000 512 -2")},
                           {"proc/self/mountinfo", mounts}})),
                 Words{"swap-on-hard-disk"});
        QCOMPARE(ids(seen({{"proc/swaps", swaps("/data/x/swap file 1000 512 -2")},
                           {"proc/self/mountinfo", mounts}})),
                 Words{});
        QCOMPARE(ids(seen({{"proc/swaps", swaps("/database/swap file 1000 512 -2")},
                           {"proc/self/mountinfo", mounts}})),
                 Words{});
    }
    void arrays()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.disk("md0", "9:0",
                  {{"md/degraded", "1\n"}, {"md/sync_action", "check\n"}, {"md/sync_speed", "1000\n"}});
        tree.slave("md0", "sda");
        tree.slave("md0", "sdb");
        // Found with both members, said once.
        QCOMPARE(ids(look(tree, "md0")), (Words{"raid-degraded", "raid-busy"}));
        tree.file("sys/block/md0/md/raid_disks", "2\n");
        for (const char *more : {"3\n", "-1\n"}) {
            tree.file("sys/block/md0/md/degraded", more);
            QCOMPARE(ids(look(tree, "md0")), Words{"raid-busy"});
            QVERIFY(std::ranges::contains(unknownIds(look(tree, "md0")), "raid.missing"));
        }
        tree.file("sys/block/md0/md/degraded", "0\n");
        tree.file("sys/block/md0/md/sync_action", "idle\n");
        QCOMPARE(ids(look(tree, "md0")), Words{});
        tree.file("sys/block/md0/md/degraded", "none\n");
        QCOMPARE(ids(look(tree, "md0")), Words{});
    }
    void unwrittenData()
    {
        QCOMPARE(ids(seen({{"proc/meminfo", "Dirty:  500000 kB\nWriteback:  0 kB\n"}})),
                 Words{"unwritten-data"});
        QCOMPARE(ids(seen({{"proc/meminfo", "Dirty:  50000 kB\nWriteback:  0 kB\n"}})), Words{});
        QCOMPARE(ids(seen({{"proc/meminfo", "Dirty:  many kB\nWriteback:  0 kB\n"}})), Words{});
        QCOMPARE(ids(seen({{"proc/meminfo", "NotDirty: 900000 kB\n"}})), Words{});
    }
    void mountedWithSync()
    {
        QCOMPARE(ids(seen({{"proc/self/mountinfo", "28 1 8:1 / /data rw,sync - ext4 /dev/sda1 rw\n"}})),
                 Words{"mounted-sync"});
        QCOMPARE(
            ids(seen({{"proc/self/mountinfo", "28 1 8:1 / /data rw,nosync - ext4 /dev/sda1 rw,syncx\n"}})),
            Words{});
    }
    void aCopyIsNeitherWatchedNorMeasured()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"stat", "1 0 8 1 1 0 8 1 0 1 1 0 0 0 0 0 0\n"}});
        tree.file("proc/self/mountinfo", "28 1 8:0 / / rw - ext4 /dev/sda rw\n");
        QElapsedTimer timer;
        timer.start();
        Options options = quiet();
        options.sample = std::chrono::seconds(5);
        const Health health = look(tree, "sda", options);
        QVERIFY(timer.elapsed() < 2000);
        QCOMPARE(fact(health, "fs.free"), std::string());
        QCOMPARE(fact(health, "load.busy"), std::string());
    }
    void thisMachineIsRead()
    {
        // Whatever it has: it answers in time and without a failure.
        const auto root = SystemRoot::live().value();
        const auto disks = scanDisks(root);
        QVERIFY(disks.has_value());
        for (const BlockNode &disk : disks->disks()) {
            if (disk.hiddenByDefault)
                continue;
            QElapsedTimer timer;
            timer.start();
            const Health health = examine(root, *disks, disk, {});
            QVERIFY2(timer.elapsed() < 10'000, disk.name.c_str());
            QVERIFY(!health.disks.empty());
        }
    }
};

QTEST_APPLESS_MAIN(TestUse)
#include "tst_use.moc"
