// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/disk.h"
#include "app/disks/links.h"
#include "tests/helper/access/faketree.h"

#include <QTest>

using namespace diskwright;
using Words = std::vector<std::string>;

class TestLinks : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fillsInWhatDevicesSayOfEachOther()
    {
        const FakeTree tree;
        tree.file("proc/self/mountinfo", "20 1 8:0 / / rw - ext4 /dev/sda rw\n");
        ReadDevices devices;
        devices.disks.resize(2);
        devices.disks[0].name = "dm-0";
        devices.disks[0].slaves = {"sda"};
        devices.disks[1].name = "sda";
        devices.disks[1].major = 8;
        devices.memberNotes["sda"] = "failed-member";
        const SystemRoot root = tree.root();
        linkDevices(root, UdevDatabase(root), devices);
        QCOMPARE(devices.disks[1].holders, Words{"dm-0"});
        QCOMPARE(devices.disks[1].notes, Words{"failed-member"});
        QCOMPARE(devices.disks[1].mounts.size(), 1u);
        QVERIFY(devices.disks[1].system && !devices.disks[0].system);
    }
    void sourcesByAnyLinkOfUdev()
    {
        const FakeTree tree;
        tree.disk("dm-0", "254:0", {{"dm/name", "vg-data\n"}, {"dm/uuid", "LVM-x\n"}});
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.file("run/udev/data/b254:0", "S:vg/data\nS:disk/by-label/data\n");
        tree.file("run/udev/data/b8:0", "S:disk/by-label/two\n");
        tree.file("run/udev/data/b8:16", "S:disk/by-label/two\n");
        tree.file("proc/self/mountinfo", "20 1 0:30 / /a rw - btrfs /dev/vg/data rw\n"
                                         "21 1 0:31 / /b rw - btrfs /dev/disk/by-label/data rw\n"
                                         "22 1 0:32 / /c rw - btrfs /dev/disk/by-label/two rw\n"
                                         "23 1 0:33 / /d rw - btrfs /dev/disk/by-label/gone rw\n"
                                         "24 1 0:34 / /e rw - bcachefs /dev/sda:/dev/sdb rw\n"
                                         "25 1 0:35 / /f rw - tmpfs sda rw\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("dm-0")->mounts.size(), 2u);
        QCOMPARE(list.find("sda")->mounts.size(), 1u);
        QCOMPARE(list.find("sda")->mounts[0].target, std::string("/e"));
        QCOMPARE(list.find("sdb")->mounts[0].target, std::string("/e"));
    }
    void swapPaths()
    {
        const FakeTree tree;
        tree.disk("zram0", "252:0");
        tree.disk("dm-0", "254:0");
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.file("proc/swaps", "Filename\tType\n"
                                "/zram0 partition 1 0 -2\n"
                                "/dev/dm-0\\040(deleted) partition 1 0 -2\n"
                                "/sda file 1 0 -2\n"
                                "/dev/sdb\\040x partition 1 0 -2\n"
                                "sdb partition 1 0 -2\n"
                                "/ partition 1 0 -2\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("zram0")->notes, Words{"swap"});
        QCOMPARE(list.find("dm-0")->notes, Words{"swap"});
        QVERIFY(list.find("sda")->notes.empty());
        QVERIFY(list.find("sdb")->notes.empty());
    }
    void twoPoolsOfOneNameAreNotTold()
    {
        const FakeTree tree;
        for (const char *name : {"sda", "sdb", "sdc"})
            tree.disk(name, name[2] == 'a' ? "8:0" : name[2] == 'b' ? "8:16" : "8:32");
        tree.file("run/udev/data/b8:0", "E:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=tank\nE:ID_FS_UUID=1\n");
        tree.file("run/udev/data/b8:16", "E:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=tank\nE:ID_FS_UUID=2\n");
        tree.file("run/udev/data/b8:32", "E:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=pool\nE:ID_FS_UUID=3\n");
        tree.file("proc/self/mountinfo", "20 1 0:30 / / rw - zfs tank/root rw\n"
                                         "21 20 0:31 / /pool rw - zfs pool rw\n"
                                         "22 20 0:32 / /x rw - zfs nowhere rw\n");
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(list.find("sda")->mounts.empty());
        QCOMPARE(list.find("sdc")->mounts[0].target, std::string("/pool"));
        // Whichever of the two it is: a disk that may hold the system is treated as if it did.
        QVERIFY(list.find("sda")->system && list.find("sdb")->system && !list.find("sdc")->system);
    }
    void aLoopFileLiesWhereItsPathIsSeen()
    {
        const FakeTree tree;
        tree.disk("loop0", "7:0", {{"loop/backing_file", "/srv/x.img\n"}});
        tree.disk("loop1", "7:1", {{"loop/backing_file", "/x (deleted)\n"}});
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.file("proc/self/mountinfo", "20 1 8:0 / / rw - ext4 /dev/sda rw\n"
                                         "21 20 8:16 / /srv rw - ext4 /dev/sdb rw\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("loop0")->restsOn, Words{"sdb"});
        QCOMPARE(list.find("sdb")->carries, Words{"loop0"});
        QCOMPARE(list.find("sda")->carries, Words{"loop1"});
    }
    void pathsOfAMapAreNoTwins()
    {
        const FakeTree tree;
        tree.disk("dm-0", "254:0", {{"dm/uuid", "mpath-1\n"}});
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.slave("dm-0", "sda");
        tree.slave("dm-0", "sdb");
        for (const char *number : {"254:0", "8:0", "8:16"})
            tree.file(std::string("run/udev/data/b") + number, "S:disk/by-id/wwn-0x1\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("sda")->notes, Words{"path-of-dm-0"});
        QCOMPARE(list.find("sdb")->notes, Words{"path-of-dm-0"});
        QVERIFY(list.find("dm-0")->notes.empty());
        QVERIFY(!list.find("sda")->id && !list.find("dm-0")->id);
    }
};

QTEST_APPLESS_MAIN(TestLinks)
#include "tst_links.moc"
