// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/stack.h"
#include "tests/helper/access/faketree.h"

#include <QString>
#include <QTest>

using namespace diskwright;

namespace {

DiskList machine(const char *name)
{
    const std::string path = std::string(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/") + name;
    return scanDisks(SystemRoot::at(path).value()).value();
}

/// "dm-3 >dm-2 >>sda1", an asterisk for what was met before.
std::string text(const std::vector<StackStep> &steps)
{
    std::string line;
    for (const StackStep &step : steps)
        line += (line.empty() ? "" : " ") + std::string(step.depth, '>') + step.node->name +
                (step.again ? "*" : "");
    return line;
}

std::string names(const std::vector<const BlockNode *> &nodes)
{
    std::string line;
    for (const BlockNode *node : nodes)
        line += (line.empty() ? "" : " ") + node->name;
    return line;
}

std::string targets(const std::vector<MountedOn> &mounts)
{
    std::string line;
    for (const MountedOn &mounted : mounts)
        line += (line.empty() ? "" : " ") + mounted.mount->target;
    return line;
}

} // namespace

class TestStack : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void encryptionOnVolumes()
    {
        const DiskList disks = machine("laptop-luks-on-lvm");
        QCOMPARE(text(stackBelow(disks, *disks.find("dm-3"))), std::string("dm-3 >dm-2 >>sda1 >>>sda"));
        QCOMPARE(text(stackAbove(disks, *disks.find("sda"))),
                 std::string("sda >sda1 >>dm-0 >>dm-1 >>>dm-4 >>dm-2 >>>dm-3"));
        QCOMPARE(names(leafDisks(disks, *disks.find("dm-4"))), std::string("sda"));
        QCOMPARE(targets(mountsAbove(disks, *disks.find("sda"))), std::string("/boot /"));
        QCOMPARE(names(mountedAt(disks, "/")), std::string("dm-3"));
        QCOMPARE(stackText(disks, *disks.find("dm-3")), std::string("ext4 on LUKS on LVM on sda1"));
        QCOMPARE(stackText(disks, *disks.find("dm-4")), std::string("swap on dm-crypt on LVM on sda1"));
    }
    void volumesOnAMirror()
    {
        const DiskList disks = machine("server-md-spare-lvm");
        QCOMPARE(text(stackBelow(disks, *disks.find("dm-2"))),
                 std::string("dm-2 >md0 >>sdb2 >>>sdb >>sdc2 >>>sdc"));
        QCOMPARE(names(leafDisks(disks, *disks.find("dm-2"))), std::string("sdb sdc"));
        QCOMPARE(stackText(disks, *disks.find("dm-2")), std::string("xfs on LVM on RAID on sdb2, sdc2"));
    }
    void oneFileSystemOnSeveralDevices()
    {
        const DiskList disks = machine("nas-btrfs-raid1-luks");
        QCOMPARE(names(mountedAt(disks, "/")), std::string("dm-0 dm-1"));
        QCOMPARE(targets(mountsAbove(disks, *disks.find("sdd"))), std::string("/boot/efi /boot / /home"));
        QVERIFY(disks.find("sdd")->system);
    }
    void twoDisksBehindOneCache()
    {
        const DiskList disks = machine("server-bcache");
        QCOMPARE(names(leafDisks(disks, *disks.find("bcache1"))), std::string("nvme4n1 sdb"));
        QCOMPARE(text(stackAbove(disks, *disks.find("nvme4n1"))), std::string("nvme4n1 >bcache0 >bcache1"));
    }
    void everythingMetTwiceIsWalkedOnce()
    {
        const DiskList disks = machine("server-lvm-thin-cache");
        QCOMPARE(text(stackBelow(disks, *disks.find("dm-10"))),
                 std::string("dm-10 >dm-7 >>sdc1 >>>sdc >dm-9 >>sdc1*"));
        QCOMPARE(names(leafDisks(disks, *disks.find("dm-6"))), std::string("sdb sda"));
    }
    void volumesOfAPoolAndFilesOfLoops()
    {
        const DiskList pool = machine("hypervisor-zfs-zram");
        QCOMPARE(names(leafDisks(pool, *pool.find("zd0p2"))), std::string("nvme0n1 nvme1n1"));
        QCOMPARE(names(mountedAt(pool, "/")), std::string("nvme0n1p3 nvme1n1p3"));
        QVERIFY(pool.find("nvme1n1")->system);
        QCOMPARE(stackText(pool, *pool.find("zd16")), std::string("ZFS volume on nvme0n1p3, nvme1n1p3"));
        const DiskList loop = machine("cloud-virtio-zram");
        QCOMPARE(names(leafDisks(loop, *loop.find("loop0"))), std::string("vda"));
        QCOMPARE(targets(mountsAbove(loop, *loop.find("vda"))), std::string("/boot/efi / /opt/tools"));
        QCOMPARE(names(leafDisks(loop, *loop.find("zram0"))), std::string("vda"));
        QCOMPARE(stackText(loop, *loop.find("loop0")), std::string("squashfs on loop on vda2"));
    }
    void severalPathsOfOneDisk()
    {
        const DiskList disks = machine("server-sas-multipath");
        QCOMPARE(stackText(disks, *disks.find("dm-1")), std::string("xfs on multipath on sda, sdj"));
        QCOMPARE(names(leafDisks(disks, *disks.find("dm-1"))), std::string("sda sdj"));
        const DiskList nvme = machine("server-nvme-multipath");
        QCOMPARE(names(leafDisks(nvme, *nvme.find("nvme6n1"))), std::string("nvme6n1"));
        QCOMPARE(stackText(nvme, *nvme.find("nvme0n1p2")), std::string("xfs on nvme0n1p2"));
    }
    void coveredMountsAreNotSeen()
    {
        const DiskList disks = machine("cloud-scsi-unpartitioned");
        QVERIFY(mountedAt(disks, "/mnt").empty());
        QCOMPARE(targets(mountsAbove(disks, *disks.find("sdb"))), std::string(""));
        QCOMPARE(targets(mountsAbove(disks, *disks.find("sdb"), true)), std::string("/mnt"));
        QCOMPARE(names(mountedAt(disks, "/hadoopfs/fs1")), std::string("sdc"));
    }
    void circlesEnd()
    {
        const FakeTree tree;
        tree.disk("dm-0", "254:0", {{"dm/uuid", "LVM-a\n"}});
        tree.disk("dm-1", "254:1", {{"dm/uuid", "CRYPT-a\n"}});
        tree.disk("dm-2", "254:2");
        tree.slave("dm-0", "dm-1");
        tree.slave("dm-1", "dm-0");
        tree.slave("dm-2", "dm-2");
        tree.slave("dm-2", "gone");
        const DiskList disks = scanDisks(tree.root()).value();
        QCOMPARE(text(stackBelow(disks, *disks.find("dm-0"))), std::string("dm-0 >dm-1 >>dm-0*"));
        QCOMPARE(text(stackAbove(disks, *disks.find("dm-0"))), std::string("dm-0 >dm-1 >>dm-0*"));
        QVERIFY(leafDisks(disks, *disks.find("dm-0")).empty());
        QCOMPARE(names(leafDisks(disks, *disks.find("dm-2"))), std::string("dm-2"));
        QCOMPARE(stackText(disks, *disks.find("dm-0")), std::string("LVM on dm-crypt on dm-0"));
        QCOMPARE(disks.find("dm-2")->slaves, (std::vector<std::string>{"dm-2", "gone"}));
    }
    void aSmallTreeOfAllWithAllDoesNotGrow()
    {
        const FakeTree tree;
        constexpr int count = 40;
        for (int upper = 0; upper < count; ++upper) {
            tree.disk("dm-" + std::to_string(upper), "254:" + std::to_string(upper));
            for (int lower = 0; lower < count; ++lower)
                tree.slave("dm-" + std::to_string(upper), "dm-" + std::to_string(lower));
        }
        const DiskList disks = scanDisks(tree.root()).value();
        QCOMPARE(stackBelow(disks, *disks.find("dm-0")).size(), std::size_t{1 + count * (count - 1)});
        QVERIFY(!stackText(disks, *disks.find("dm-0")).empty());
    }
};

QTEST_APPLESS_MAIN(TestStack)
#include "tst_stack.moc"
