// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QElapsedTimer>
#include <QTest>

#include <unistd.h>

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
            "28 1 8:1 / /data rw - ext4 /dev/sda1 rw\n29 28 8:9 / /data/x rw - ext4 /dev/sdz rw\n";
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
    void swapThatWasStartedBeforeTheRootWasSwitched()
    {
        // Without its /dev it looks like a file on the root.
        const std::string root = "28 1 8:1 / / rw - ext4 /dev/sda1 rw\n";
        const auto withSwap = [&](const std::string &line) {
            return ids(seen({{"proc/self/mountinfo", root}, {"proc/swaps", swaps(line)}}));
        };
        QCOMPARE(withSwap("/zram0 partition 1000 512 100"), Words{});
        QCOMPARE(withSwap("/zram0\\040(deleted) partition 1000 512 100"), Words{});
        QCOMPARE(withSwap("/sda1 partition 1000 512 -2"), Words{"swap-on-hard-disk"});
        QCOMPARE(withSwap("/dev/sda1\\040(deleted) partition 1000 512 -2"), Words{"swap-on-hard-disk"});
        QCOMPARE(withSwap("/swapfile file 1000 512 -2"), Words{"swap-on-hard-disk"});
        QCOMPARE(withSwap("/swapfile\\040(deleted) file 1000 512 -2"), Words{"swap-on-hard-disk"});
        QCOMPARE(withSwap("/dev/shm/swapfile file 1000 512 -2"), Words{"swap-on-hard-disk"});
    }
    void swapOnALayerIsThatLayers()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"queue/rotational", "1"}});
        tree.disk("sdb", "8:16", {{"queue/rotational", "1"}});
        tree.disk("dm-4", "254:4", {{"dm/name", "vg-swap"}, {"dm/uuid", "LVM-abc"}});
        tree.slave("dm-4", "sdb");
        tree.file("run/udev/data/b254:4", "S:vg/swap\n");
        tree.file("proc/self/mountinfo", "28 1 8:0 / / rw - ext4 /dev/sda rw\n");
        for (const char *path : {"/dm-4", "/dev/dm-4", "/dev/mapper/vg-swap", "/dev/vg/swap"}) {
            tree.file("proc/swaps", swaps(std::string(path) + " partition 1000 512 -2"));
            QCOMPARE(ids(look(tree, "sda")), Words{});
            QCOMPARE(ids(look(tree, "sdb")), Words{"swap-on-hard-disk"});
            QCOMPARE(finding(look(tree, "sdb"), "swap-on-hard-disk")->device, std::string("dm-4"));
        }
    }
    void recordedMachinesSwapElsewhere()
    {
        const std::string machines = DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/";
        // A partition and four zram devices, two of them without their /dev.
        Words swapping;
        for (const Fact &one : look(machines + "handheld-nvme-sd-zram", "/").facts) {
            if (one.id == "swap.used")
                swapping.push_back(one.device);
        }
        QCOMPARE(swapping, Words{"nvme0n1p3"});
        const Health layers = look(machines + "laptop-luks-on-lvm", "dm-4");
        QCOMPARE(std::ranges::find(layers.facts, "swap.used", &Fact::id)->device, std::string("dm-4"));
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
        const Health busy = look(tree, "md0");
        QCOMPARE(ids(busy), (Words{"raid-degraded", "raid-busy"}));
        QVERIFY(english(finding(busy, "raid-busy")->text).contains("(check, 1 MB a second)"));
        for (const char *speed : {"none\n", "0\n", "-1\n", "\n"}) {
            tree.file("sys/block/md0/md/sync_speed", speed);
            QVERIFY(english(finding(look(tree, "md0"), "raid-busy")->text).contains("now (check): "));
        }
        tree.file("sys/block/md0/md/sync_completed", "delayed\n");
        const Health waits = look(tree, "md0");
        QVERIFY(english(finding(waits, "raid-busy")->text).contains("waits with work on itself (check)"));
        QCOMPARE(finding(waits, "raid-busy")->severity, Severity::Hint);
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
    void anArrayThatDoesNotRun()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.disk("md0", "9:0", {{"md/array_state", "inactive\n"}, {"md/raid_disks", "2\n"}});
        tree.slave("md0", "sda");
        QCOMPARE(ids(look(tree, "md0")), Words{"raid-inactive"});
        // The box of a firmware RAID.
        tree.file("sys/block/md0/md/raid_disks", "0\n");
        QCOMPARE(ids(look(tree, "md0")), Words{});
    }
    void unwrittenData()
    {
        constexpr std::int64_t mebi = 1024 * 1024;
        const auto pages = [](std::int64_t bytes) { return std::to_string(bytes / sysconf(_SC_PAGESIZE)); };
        const auto with = [&](const char *memory, std::int64_t background, std::int64_t limit) {
            return seen({{"proc/meminfo", memory},
                         {"proc/vmstat", "nr_dirty 1\nnr_dirty_threshold " + pages(limit) +
                                             "\nnr_dirty_background_threshold " + pages(background) + '\n'}});
        };
        const char *much = "Dirty:  500000 kB\nWriteback:  100000 kB\n";
        // What is far from the limits keeps nobody waiting, however much it is.
        QCOMPARE(ids(with(much, 1600 * mebi, 3200 * mebi)), Words{});
        const Health written = with(much, 400 * mebi, 1600 * mebi);
        QCOMPARE(ids(written), Words{"unwritten-data"});
        QVERIFY(english(finding(written, "unwritten-data")->text).contains("writes them now"));
        const Health full = with(much, 200 * mebi, 800 * mebi);
        QVERIFY(english(finding(full, "unwritten-data")->text).contains("586 MiB of data wait"));
        QVERIFY(english(finding(full, "unwritten-data")->text).contains("800 MiB are allowed"));
        QVERIFY(english(finding(full, "unwritten-data")->text).contains("have to queue"));
        // It is no single disk's.
        QCOMPARE(finding(full, "unwritten-data")->device, std::string());
        QCOMPARE(std::ranges::find(full.facts, "memory.unwritten", &Fact::id)->device, std::string());
        const Health unlimited = seen({{"proc/meminfo", much}});
        QCOMPARE(ids(unlimited), Words{});
        QVERIFY(std::ranges::contains(unknownIds(unlimited), "memory.limit"));
        QCOMPARE(fact(seen({{"proc/meminfo", "NotDirty: 900000 kB\n"}}), "memory.unwritten"), std::string());
        QCOMPARE(fact(seen({{"proc/meminfo", "Dirty:  many kB\nWriteback:  0 kB\n"}}), "memory.unwritten"),
                 std::string());
    }
    void mountsThatCantBeReadAreNotKnown()
    {
        QVERIFY(std::ranges::contains(unknownIds(seen({})), "mounts"));
        QVERIFY(!std::ranges::contains(unknownIds(seen({{"proc/self/mountinfo", "\n"}})), "mounts"));
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
    // Counters that stand still are no sign of rest.
    void aDiskWithoutCountersIsNotCalledIdle()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"stat", "1 0 8 1 1 0 8 1 0 1 1 0 0 0 0 0 0\n"}, {"queue/iostats", "0\n"}});
        const Health health = look(tree, "sda", quiet());
        const auto load = std::ranges::find(health.unknown, "load", &Unknown::id);
        QVERIFY(load != health.unknown.end());
        QVERIFY2(english(load->text).contains("iostats"), english(load->text).c_str());
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
