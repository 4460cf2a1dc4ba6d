// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/disk.h"
#include "app/disks/scaninstead.h"
#include "tests/helper/access/faketree.h"

#include <QElapsedTimer>
#include <QTest>

#include <sys/stat.h>

using namespace diskwright;
using Words = std::vector<std::string>;

class TestScan : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void joinsWhatThePartsSay()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0",
                  {{"queue/rotational", "1\n"},
                   {"queue/scheduler", "none [bfq]\n"},
                   {"removable", "0\n"},
                   {"ro", "1\n"}});
        tree.partition("sda", "sda1", "8:1");
        tree.partition("sda", "sda10", "8:10");
        tree.partition("sda", "sda2", "8:2");
        tree.disk("dm-0", "254:0", {{"dm/name", "x y\n"}, {"dm/uuid", "CRYPT-a\n"}});
        tree.slave("dm-0", "sda2");
        tree.file("run/udev/data/b8:0", "S:disk/by-id/ata-Disk_1\nE:ID_PART_TABLE_TYPE=gpt\n");
        tree.file("run/udev/data/b8:1",
                  "E:ID_FS_TYPE=ext4\nE:ID_FS_UUID_ENC=u-1\nE:ID_FS_LABEL_ENC=My\\x20Data\n");
        tree.file("proc/self/mountinfo", "30 31 8:1 / /a\\040b rw,noatime - ext4 /dev/sda1 rw\n"
                                         "31 1 254:0 / / rw - ext4 /dev/mapper/x rw\n");
        tree.file("proc/swaps", "Filename\n/dev/sda10 partition 1 0 -2\n");
        const DiskList list = scanDisks(tree.root()).value();
        const BlockNode &disk = *list.find("ata-Disk_1");
        QCOMPARE(disk.name, std::string("sda"));
        QCOMPARE(disk.sizeBytes, std::optional<std::uint64_t>(2048 * 512));
        QCOMPARE(disk.rotational, std::optional(true));
        QCOMPARE(disk.removable, std::optional(false));
        QCOMPARE(disk.scheduler, std::optional<std::string>("bfq"));
        QCOMPARE(disk.table, std::optional<std::string>("gpt"));
        QCOMPARE(disk.notes, Words{"read-only"});
        QVERIFY(disk.system);
        QCOMPARE(disk.partitions.size(), 3u);
        QCOMPARE(disk.partitions[2].name, std::string("sda10"));
        QCOMPARE(disk.partitions[2].notes, Words{"swap"});
        const BlockNode &partition = *list.find("sda1");
        QCOMPARE(partition.type, std::string("part"));
        QCOMPARE(partition.label, std::optional<std::string>("My Data"));
        QCOMPARE(partition.uuid, std::optional<std::string>("u-1"));
        QCOMPARE(partition.mounts, (std::vector<MountUse>{{"/a b", "rw,noatime", 30}}));
        QVERIFY(!partition.system);
        QCOMPARE(list.find("sda2")->holders, Words{"dm-0"});
        QCOMPARE(list.find("dm-0")->slaves, Words{"sda2"});
        QCOMPARE(list.find("dm-0")->type, std::string("crypt"));
        QVERIFY(list.find("dm-0")->system);
    }
    void aDiskThatIsNotReadStandsInForItself()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"queue/rotational", "1\n"}});
        tree.partition("sda", "sda1", "8:1");
        tree.disk("sdb", "8:16", {});
        tree.file("run/udev/data/b8:0", "S:disk/by-id/ata-Disk_1\n");
        tree.file("proc/self/mountinfo", "30 1 8:1 / /a rw - ext4 /dev/sda1 rw\n");
        const BlockNode seen = *scanDisks(tree.root()).value().find("sda");
        QCOMPARE(seen.rotational, std::optional(true));
        tree.file("proc/self/mountinfo", "31 1 8:1 / /b rw - ext4 /dev/sda1 rw\n");
        std::vector<std::string> asked;
        const DiskList list = scanDisks(tree.root(), [&](const std::string &name) {
                                  asked.push_back(name);
                                  return name == "sda" ? std::optional(seen) : std::nullopt;
                              }).value();
        QCOMPARE(asked, (Words{"sda", "sdb"}));
        QCOMPARE(list.find("ata-Disk_1")->name, std::string("sda"));
        QCOMPARE(list.find("sda")->rotational, std::optional(true));
        // What does not belong to the device itself is found anew.
        QCOMPARE(list.find("sda1")->mounts, (std::vector<MountUse>{{"/b", "rw", 31}}));
        QVERIFY(list.find("sdb"));
    }

    void unknownIsNull()
    {
        const FakeTree tree;
        tree.folder("sys/block/sda");
        const DiskList list = scanDisks(tree.root()).value();
        const BlockNode &disk = *list.find("sda");
        QCOMPARE(disk.type, std::string("disk"));
        QVERIFY(!disk.id && !disk.sizeBytes && !disk.model && !disk.transport && !disk.rotational);
        QVERIFY(!disk.removable && !disk.scheduler && !disk.table && !disk.fstype && !disk.uuid &&
                !disk.label);
        QVERIFY(!disk.diskseq && !disk.system && disk.mounts.empty());
    }
    void withoutUdevTheFilesystemIsWhatIsMounted()
    {
        const FakeTree tree;
        tree.disk("vda", "254:0");
        tree.file("proc/self/mountinfo", "30 1 254:0 / / rw - xfs /dev/vda rw\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("vda")->fstype, std::optional<std::string>("xfs"));
        QVERIFY(!list.find("vda")->uuid);
    }
    void aQueueWithoutChoiceHasNoScheduler()
    {
        const FakeTree tree;
        tree.disk("dm-0", "254:0", {{"queue/scheduler", "none\n"}});
        tree.disk("sda", "8:0", {{"queue/scheduler", "[]\n"}});
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(!list.find("dm-0")->scheduler);
        QVERIFY(!list.find("sda")->scheduler);
    }
    void singlePathsOfAMultipathDiskAreHidden()
    {
        const FakeTree tree;
        tree.disk("nvme0n1", "259:0");
        tree.file("sys/block/nvme0c0n1/size", "2048\n"); // the kernel gives these no number
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(list.find("nvme0c0n1")->hiddenByDefault);
        QCOMPARE(list.find("nvme0c0n1")->notes, Words{"path-of-nvme0n1"});
        tree.file("sys/block/sdz/hidden", "1\n");
        QVERIFY(scanDisks(tree.root()).value().find("sdz")->hiddenByDefault);
        QVERIFY(!list.find("nvme0n1")->hiddenByDefault);
    }
    void drivesWithoutAMedium()
    {
        const FakeTree tree;
        tree.disk("sr0", "11:0", {{"size", "2097151\n"}, {"removable", "1\n"}});
        tree.disk("sr1", "11:1", {{"size", "2097151\n"}, {"removable", "1\n"}});
        tree.disk("sdb", "8:16", {{"size", "0\n"}, {"removable", "1\n"}});
        tree.disk("fd0", "2:0", {{"size", "8\n"}, {"removable", "1\n"}});
        tree.disk("nbd0", "43:0", {{"size", "0\n"}});
        tree.disk("nbd1", "43:32");
        tree.file("run/udev/data/b11:0", "E:ID_CDROM=1\n");
        tree.file("run/udev/data/b11:1", "E:ID_CDROM=1\nE:ID_CDROM_MEDIA=1\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("sr0")->notes, Words{"no-medium"});
        QVERIFY(!list.find("sr0")->sizeBytes);
        QVERIFY(list.find("sr1")->notes.empty() && list.find("sr1")->sizeBytes);
        QCOMPARE(list.find("sdb")->notes, Words{"no-medium"});
        QVERIFY(list.find("fd0")->notes.empty() && !list.find("fd0")->hiddenByDefault);
        QCOMPARE(list.find("nbd0")->notes, Words{"not-connected"});
        QVERIFY(list.find("nbd0")->hiddenByDefault && !list.find("nbd1")->hiddenByDefault);
    }
    void mountsThatAreCoveredAreTold()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.file("proc/self/mountinfo",
                  "20 1 0:1 / / rw - tmpfs a rw\n21 20 8:0 / /x rw - ext4 /dev/sda rw\n"
                  "22 21 0:5 / /x rw - tmpfs b rw\n23 20 8:0 / /y rw - ext4 /dev/sda rw\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("sda")->mounts,
                 (std::vector<MountUse>{{"/x", "rw", 21, true}, {"/y", "rw", 23, false}}));
    }
    void twinsAreNamedSo()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.file("run/udev/data/b8:0", "S:disk/by-id/usb-Case_1-0:0\n");
        tree.file("run/udev/data/b8:16", "S:disk/by-id/usb-Case_1-0:0\n");
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(!list.find("usb-Case_1-0:0"));
        QCOMPARE(list.find("sda")->notes, Words{"twin-id"});
    }
    void noSysBlockIsAnError()
    {
        const FakeTree tree;
        std::filesystem::remove_all(tree.path() / "sys");
        const auto list = scanDisks(tree.root());
        QCOMPARE(list.error().code, Errc::Absent);
        QCOMPARE(list.error().input, std::string("sys/block"));
        QVERIFY(!list.error().accepted.empty());
    }
    void anEmptyMachineHasNoDisks() { QVERIFY(scanDisks(FakeTree().root()).value().disks().empty()); }
    void hostileAttributes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("newline") << QByteArray("\n");
        QTest::newRow("words") << QByteArray("many words here\n");
        QTest::newRow("negative") << QByteArray("-1\n");
        QTest::newRow("huge number") << QByteArray("99999999999999999999999\n");
        QTest::newRow("overflow in bytes") << QByteArray("18446744073709551615\n");
        QTest::newRow("binary") << QByteArray("\0\xff\xfe\x80\n", 5);
        QTest::newRow("huge text") << QByteArray(100000, 'x');
        QTest::newRow("brackets") << QByteArray("][\n");
        QTest::newRow("json") << QByteArray("\",\"\n{\n");
    }
    void hostileAttributes()
    {
        QFETCH(QByteArray, text);
        const FakeTree tree;
        const std::string value = text.toStdString();
        Files files;
        for (const char *file : {"dev", "size", "uevent", "diskseq", "removable", "ro", "queue/rotational",
                                 "queue/scheduler", "device/model", "dm/name", "dm/uuid", "md/level",
                                 "loop/backing_file", "sda1/dev", "sda1/size", "sda1/uevent"})
            files[file] = value;
        tree.disk("sda", "8:0", files);
        tree.file("sys/block/sda/sda1/partition", "1\n");
        for (const char *file :
             {"run/udev/data/b8:0", "proc/self/mountinfo", "proc/swaps", "proc/sys/kernel/osrelease"})
            tree.file(file, value);
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(list.find("sda"));
        QVERIFY(!list.find("sda")->sizeBytes);
        QVERIFY(!list.find("sda")->rotational);
        QVERIFY(list.find("sda1"));
    }
    void swapThatCantBeReadIsNotKnown()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.file("proc/self/mountinfo", "30 1 8:0 / / rw - ext4 /dev/sda rw\n");
        QVERIFY(scanDisks(tree.root()).value().mountsKnown());
        tree.folder("proc/swaps");
        QVERIFY(!scanDisks(tree.root()).value().mountsKnown());
    }
    void mountsThatCantBeReadAreNotKnown()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        QVERIFY(!scanDisks(tree.root()).value().mountsKnown());
        tree.file("proc/self/mountinfo", "30 1 8:0 / / rw - ext4 /dev/sda rw\n");
        QVERIFY(scanDisks(tree.root()).value().mountsKnown());
        // More than is read of any such file.
        tree.file("proc/self/mountinfo", std::string(33 * 1024 * 1024, '\n'));
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(!list.mountsKnown());
        QVERIFY(list.find("sda")->mounts.empty());
    }
    void hostileNames()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        for (const char *name : {"UPPER", "with blank", "a\nb", "-x", "..x", "\xff\xfe"})
            tree.folder(std::string("sys/block/") + name);
        tree.file("sys/block/sdb", "a file, not a folder");
        tree.folder("sys/block/sda/sda1x");
        tree.folder("sys/block/sda/sda7"); // no partition file
        tree.slave("sda", "bad name\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.disks().size(), 1u);
        QVERIFY(list.disks()[0].partitions.empty());
        QVERIFY(list.disks()[0].slaves.empty());
    }
    void neverLeavesTheTreeNorWaits()
    {
        const FakeTree tree;
        const FakeTree other;
        other.file("secret", "7\n");
        tree.link("sys/block/sdb", other.path().string());
        tree.disk("sda", "8:0");
        std::filesystem::remove(tree.path() / "sys/block/sda/size");
        tree.link("sys/block/sda/size", (other.path() / "secret").string());
        tree.folder("sys/block/sda/removable");
        std::filesystem::create_directories(tree.path() / "sys/block/sda/queue");
        QCOMPARE(mkfifo((tree.path() / "sys/block/sda/queue/rotational").c_str(), 0600), 0);
        QElapsedTimer timer;
        timer.start();
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(timer.elapsed() < 5000);
        QVERIFY(!list.find("sdb"));
        QVERIFY(!list.find("sda")->sizeBytes);
        QVERIFY(!list.find("sda")->removable);
        QVERIFY(!list.find("sda")->rotational);
    }
    void thisMachine()
    {
        const DiskList list = scanDisks(SystemRoot::live().value()).value();
        for (const BlockNode &disk : list.disks()) {
            QVERIFY(!disk.type.empty());
            QCOMPARE(list.find(disk.name)->name, disk.name);
        }
    }

private:
    using Files = std::map<std::string, std::string>;
};

QTEST_APPLESS_MAIN(TestScan)
#include "tst_scan.moc"
