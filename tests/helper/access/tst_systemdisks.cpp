// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/access/systemdisks.h"
#include "tests/helper/access/faketree.h"

#include <QTest>

#include <cerrno>

using namespace diskwright;
using Names = std::set<std::string>;

namespace {

/// One line of mountinfo.
std::string mount(const std::string &number, const std::string &target, const std::string &source,
                  const std::string &fstype = "ext4", const std::string &superOptions = "rw")
{
    static int id = 10;
    return std::to_string(++id) + " 1 " + number + " / " + target + " rw - " + fstype + ' ' + source + ' ' +
           superOptions + '\n';
}

} // namespace

class TestSystemDisks : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void throughAPartition()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.partition("sda", "sda1", "8:1");
        tree.disk("sdb", "8:16");
        tree.file("proc/self/mountinfo", mount("8:1", "/", "/dev/sda1") + mount("8:16", "/data", "/dev/sdb"));
        QCOMPARE(*systemDisks(tree.root()), Names{"sda"});
    }
    void everySystemTarget_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("counts");
        for (const char *target : {"/", "/usr", "/var", "/boot", "/boot/efi"})
            QTest::newRow(target) << QString::fromLatin1(target) << true;
        for (const char *target : {"/home", "/boot/firmware", "/usr/local", "/variable"})
            QTest::newRow(target) << QString::fromLatin1(target) << false;
    }
    void everySystemTarget()
    {
        QFETCH(QString, target);
        QFETCH(bool, counts);
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.file("proc/self/mountinfo", mount("8:0", target.toStdString(), "/dev/sda"));
        QCOMPARE(systemDisks(tree.root())->contains("sda"), counts);
    }
    void throughAPool()
    {
        const FakeTree tree;
        for (const char *name : {"sda", "sdb", "sdc", "zd0"})
            tree.disk(name, std::string(name) == "zd0"
                                ? "230:0"
                                : std::string("8:") + std::to_string((name[2] - 'a') * 16));
        tree.file("run/udev/data/b8:0", "E:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=rpool\n");
        tree.file("run/udev/data/b8:16", "E:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=rpool\n");
        tree.file("run/udev/data/b8:32", "E:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=other\n");
        tree.file("run/udev/data/b230:0", "S:zvol/other/swap\n");
        tree.file("proc/self/mountinfo", mount("0:30", "/", "rpool/ROOT/debian", "zfs"));
        QCOMPARE(*systemDisks(tree.root()), (Names{"sda", "sdb"}));
        tree.file("proc/swaps", "Filename\n/dev/zd0 partition 1 0 -2\n");
        QCOMPARE(*systemDisks(tree.root()), (Names{"sda", "sdb", "sdc", "zd0"}));
    }
    void throughTheWholeStack()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.partition("sda", "sda1", "8:1");
        tree.disk("sdb", "8:16");
        tree.partition("sdb", "sdb1", "8:17");
        tree.disk("sdc", "8:32");
        tree.disk("md0", "9:0", {{"md/level", "raid1\n"}});
        tree.slave("md0", "sda1");
        tree.slave("md0", "sdb1");
        tree.disk("dm-0", "254:0", {{"dm/name", "luks\n"}});
        tree.slave("dm-0", "md0");
        tree.disk("dm-1", "254:1", {{"dm/name", "vg-root\n"}});
        tree.slave("dm-1", "dm-0");
        tree.file("proc/self/mountinfo", mount("254:1", "/", "/dev/mapper/vg-root"));
        QCOMPARE(*systemDisks(tree.root()), (Names{"sda", "sdb"}));
        const auto found =
            systemDevices(tree.root(), readBlockGraph(tree.root()), readMountInfo(tree.root()).value(), {});
        QCOMPARE(found.all, (Names{"sda", "sda1", "sdb", "sdb1", "md0", "dm-0", "dm-1"}));
    }
    void btrfsOverSeveralDisks()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.partition("sdb", "sdb2", "8:18");
        tree.folder("sys/fs/btrfs/uuid/devices/sda");
        tree.folder("sys/fs/btrfs/uuid/devices/sdb2");
        tree.file("proc/self/mountinfo", mount("0:32", "/", "/dev/sda", "btrfs"));
        QCOMPARE(*systemDisks(tree.root()), (Names{"sda", "sdb"}));
    }
    void sourceThatIsALinkBelowDev()
    {
        const FakeTree tree;
        tree.disk("dm-3", "254:3", {{"dm/name", "vg-root\n"}});
        tree.link("dev/vg/root", "../dm-3");
        tree.file("proc/self/mountinfo", mount("0:40", "/", "/dev/vg/root", "btrfs"));
        QCOMPARE(*systemDisks(tree.root()), Names{"dm-3"});
    }
    void swapPartitionAndFile()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.disk("sdc", "8:32");
        tree.disk("zram0", "253:0");
        tree.file("proc/self/mountinfo",
                  mount("0:2", "/", "tmpfs", "tmpfs") + mount("8:16", "/data", "/dev/sdb"));
        tree.file("proc/swaps", "Filename Type\n/dev/sda partition 1 0 -2\n/data/swapfile file 1 0 -3\n"
                                "/dev/zram0 partition 1 0 100\n");
        QCOMPARE(*systemDisks(tree.root()), (Names{"sda", "sdb"}));
    }
    void liveSystemOnAStick()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.partition("sda", "sda1", "8:1");
        tree.disk("loop0", "7:0", {{"loop/backing_file", "/run/live/medium/live/filesystem.squashfs\n"}});
        tree.file(
            "proc/self/mountinfo",
            mount("8:1", "/run/live/medium", "/dev/sda1", "vfat") +
                mount("7:0", "/run/live/rootfs/filesystem.squashfs", "/dev/loop0", "squashfs") +
                mount("0:30", "/", "overlay", "overlay",
                      "rw,lowerdir=/run/live/rootfs/filesystem.squashfs/,upperdir=/run/live/overlay/rw"));
        QCOMPARE(*systemDisks(tree.root()), Names{"sda"});
    }
    void circlesAndDeadEndsDoNotHang()
    {
        const FakeTree tree;
        tree.disk("dm-0", "254:0");
        tree.disk("dm-1", "254:1");
        tree.slave("dm-0", "dm-1");
        tree.slave("dm-1", "dm-0");
        tree.disk("loop0", "7:0", {{"loop/backing_file", "/on/itself\n"}});
        tree.file("proc/self/mountinfo",
                  mount("254:0", "/", "/dev/dm-0") + mount("7:0", "/on", "/dev/loop0") +
                      mount("7:0", "/usr", "/dev/loop0") + mount("0:9", "/var", "/dev/../dev/sda") +
                      mount("0:9", "/boot", "/dev/none/there:/dev/:::"));
        QCOMPARE(*systemDisks(tree.root()), Names{});
    }
    void mountsThatCantBeReadAreNoEmptyList()
    {
        const FakeTree tree;
        QCOMPARE(systemDisks(tree.root()).error().code, Errc::Absent);
        tree.folder("proc/self/mountinfo");
        QCOMPARE(systemDisks(tree.root()).error().sysErrno, EISDIR);
    }
    void swapThatCantBeReadIsNoEmptyList()
    {
        const FakeTree tree;
        tree.file("proc/self/mountinfo", mount("8:0", "/data", "/dev/sda"));
        QCOMPARE(systemDisks(tree.root())->size(), std::size_t{0});
        tree.folder("proc/swaps");
        QCOMPARE(systemDisks(tree.root()).error().sysErrno, EISDIR);
    }
    void thisMachine()
    {
        const auto disks = systemDisks(SystemRoot::live().value());
        QVERIFY(disks.has_value());
        for (const std::string &disk : *disks)
            QVERIFY(SystemRoot::live()->blockDevice(disk).has_value());
    }
};

QTEST_APPLESS_MAIN(TestSystemDisks)
#include "tst_systemdisks.moc"
