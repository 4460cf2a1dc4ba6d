// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/devicekind.h"
#include "tests/helper/access/faketree.h"

#include <QString>
#include <QTest>

using namespace diskwright;
using namespace Qt::StringLiterals;
using Files = std::map<std::string, std::string>;

namespace {

DeviceKind kindOf(const FakeTree &tree, const std::string &name, const UdevEntry *udev = nullptr)
{
    const SystemRoot root = tree.root();
    const Directory folder = root.blockDevice(name).value();
    return readDeviceKind(root, folder, folder.entries().value(), name, udev);
}

/// A disk below \p path in sys/devices, linked from sys/block as the kernel does it.
void hang(const FakeTree &tree, const std::string &path, const std::string &name)
{
    tree.file("sys/devices/" + path + '/' + name + "/dev", "8:0\n");
    tree.link("sys/block/" + name, "../devices/" + path + '/' + name);
}

} // namespace

class TestDeviceKind : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void typesByWhatTheKernelShows_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("transport");
        QTest::newRow("nvme") << u"nvme0n1"_s << u"size"_s << u"1"_s << u"disk"_s << u"nvme"_s;
        QTest::newRow("virtio") << u"vda"_s << u"size"_s << u"1"_s << u"disk"_s << u"virtio"_s;
        QTest::newRow("eMMC") << u"mmcblk0"_s << u"size"_s << u"1"_s << u"disk"_s << u"mmc"_s;
        QTest::newRow("loop") << u"loop0"_s << u"loop/backing_file"_s << u"/a"_s << u"loop"_s << u"loop"_s;
        QTest::newRow("zram") << u"zram0"_s << u"size"_s << u"1"_s << u"disk"_s << u"zram"_s;
        QTest::newRow("optical") << u"sr0"_s << u"size"_s << u"1"_s << u"rom"_s << u""_s;
        QTest::newRow("ram") << u"ram0"_s << u"size"_s << u"1"_s << u"disk"_s << u""_s;
        QTest::newRow("bcache") << u"bcache0"_s << u"bcache/state"_s << u"clean"_s << u"disk"_s << u""_s;
        QTest::newRow("network") << u"nbd0"_s << u"size"_s << u"1"_s << u"disk"_s << u""_s;
        QTest::newRow("plain sd") << u"sda"_s << u"size"_s << u"1"_s << u"disk"_s << u""_s;
        QTest::newRow("raid1") << u"md0"_s << u"md/level"_s << u"raid1\n"_s << u"raid1"_s << u"md"_s;
        QTest::newRow("raid10") << u"md127"_s << u"md/level"_s << u"raid10\n"_s << u"raid10"_s << u"md"_s;
        QTest::newRow("md without a level") << u"md0"_s << u"md/level"_s << u"\n"_s << u"md"_s << u"md"_s;
        QTest::newRow("odd level") << u"md0"_s << u"md/level"_s << u"\"x\"\n"_s << u"md"_s << u"md"_s;
        QTest::newRow("LUKS") << u"dm-0"_s << u"dm/uuid"_s << u"CRYPT-LUKS2-0-x"_s << u"crypt"_s << u"dm"_s;
        QTest::newRow("LVM") << u"dm-0"_s << u"dm/uuid"_s << u"LVM-abc"_s << u"lvm"_s << u"dm"_s;
        QTest::newRow("multipath") << u"dm-0"_s << u"dm/uuid"_s << u"mpath-3600"_s << u"mpath"_s << u"dm"_s;
        QTest::newRow("partition of a map")
            << u"dm-0"_s << u"dm/uuid"_s << u"part2-mpath-3600"_s << u"part"_s << u"dm"_s;
        QTest::newRow("map without UUID") << u"dm-0"_s << u"dm/uuid"_s << u"\n"_s << u"dm"_s << u"dm"_s;
        QTest::newRow("map with an odd UUID")
            << u"dm-0"_s << u"dm/uuid"_s << u"no dash\n"_s << u"dm"_s << u"dm"_s;
        QTest::newRow("hostile UUID") << u"dm-0"_s << u"dm/uuid"_s << u"\"},{-x"_s << u"dm"_s << u"dm"_s;
    }
    void typesByWhatTheKernelShows()
    {
        QFETCH(QString, name);
        QFETCH(QString, file);
        QFETCH(QString, text);
        QFETCH(QString, type);
        QFETCH(QString, transport);
        const FakeTree tree;
        tree.disk(name.toStdString(), "8:0", {{file.toStdString(), text.toStdString()}});
        const DeviceKind kind = kindOf(tree, name.toStdString());
        QCOMPARE(kind.type, type.toStdString());
        QCOMPARE(kind.transport.value_or(std::string()), transport.toStdString());
    }
    void carriersByThePath_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("transport");
        QTest::newRow("usb") << u"pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block"_s
                             << u"usb"_s;
        QTest::newRow("sas") << u"pci0000:00/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0/block"_s
                             << u"sas"_s;
        QTest::newRow("scsi") << u"pci0000:00/virtio3/host6/target6:0:0/6:0:0:0/block"_s << u"scsi"_s;
        QTest::newRow("ahci") << u"pci0000:00/ata1/host1/target1:0:0/1:0:0:0/block"_s << u"sata"_s;
        QTest::newRow("sata driver") << u"pci0000:00/ata2/host2/target2:0:0/2:0:0:0/block"_s << u"sata"_s;
        QTest::newRow("old ATA") << u"pci0000:00/ata3/host3/target3:0:0/3:0:0:0/block"_s << u"ata"_s;
        QTest::newRow("unknown ATA") << u"pci0000:00/ata9/host9/target9:0:0/9:0:0:0/block"_s << u"ata"_s;
        QTest::newRow("no carrier") << u"virtual/block"_s << u""_s;
        QTest::newRow("misleading folder") << u"virtual/usbx/atab/block"_s << u""_s;
    }
    void carriersByThePath()
    {
        QFETCH(QString, path);
        QFETCH(QString, transport);
        const FakeTree tree;
        hang(tree, path.toStdString(), "sda");
        tree.file("sys/class/scsi_host/host1/proc_name", "ahci\n");
        tree.file("sys/class/scsi_host/host2/proc_name", "sata_nv\n");
        tree.file("sys/class/scsi_host/host3/proc_name", "ata_piix\n");
        QCOMPARE(kindOf(tree, "sda").transport.value_or(std::string()), transport.toStdString());
    }
    void carriersByUdevWhereThePathIsMissing()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        UdevEntry udev;
        udev.properties = {{"ID_BUS", "usb"}};
        QCOMPARE(kindOf(tree, "sda", &udev).transport.value(), std::string("usb"));
        udev.properties = {{"ID_BUS", "ata"}, {"ID_ATA_SATA", "1"}};
        QCOMPARE(kindOf(tree, "sda", &udev).transport.value(), std::string("sata"));
        udev.properties = {{"ID_BUS", "ata"}};
        QCOMPARE(kindOf(tree, "sda", &udev).transport.value(), std::string("ata"));
        udev.properties = {{"ID_BUS", "mystery"}};
        QVERIFY(!kindOf(tree, "sda", &udev).transport);
    }
    void modelsFromUdevThenSysfs()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"device/model", "Samsung SSD 860 \n"}});
        QCOMPARE(kindOf(tree, "sda").model.value(), std::string("Samsung SSD 860"));
        UdevEntry udev;
        udev.properties = {{"ID_MODEL_ENC", "Samsung\\x20SSD\\x20860\\x20EVO\\x20\\x20"},
                           {"ID_MODEL", "other"}};
        QCOMPARE(kindOf(tree, "sda", &udev).model.value(), std::string("Samsung SSD 860 EVO"));
        udev.properties = {{"ID_MODEL_ENC", "\\x20\\x20"}, {"ID_MODEL", ""}};
        QCOMPARE(kindOf(tree, "sda", &udev).model.value(), std::string("Samsung SSD 860"));
        tree.disk("sdb", "8:16", {{"device/model", "bad\nname\x1b[0m\n"}});
        QCOMPARE(kindOf(tree, "sdb").model.value(), std::string("bad\xEF\xBF\xBDname\xEF\xBF\xBD[0m"));
        tree.disk("sdc", "8:32", {{"device/model", "   \n"}});
        QVERIFY(!kindOf(tree, "sdc").model);
    }
    void hidesByName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("hidden");
        for (const char *name :
             {"loop0", "loop12", "zram0", "ram15", "mmcblk0boot0", "mmcblk1boot1", "mmcblk0rpmb"})
            QTest::newRow(name) << QString::fromLatin1(name) << true;
        for (const char *name : {"sda", "loop", "loopy0", "mmcblk0", "mmcblk0boot", "ramses", "zram0x", ""})
            QTest::newRow(*name ? name : "empty") << QString::fromLatin1(name) << false;
    }
    void hidesByName()
    {
        QFETCH(QString, name);
        QFETCH(bool, hidden);
        QCOMPARE(isHiddenByDefault(name.toStdString()), hidden);
    }
    void knowsPartitionsByName()
    {
        QVERIFY(isPartitionName("sda1", "sda"));
        QVERIFY(isPartitionName("nvme0n1p12", "nvme0n1"));
        QVERIFY(isPartitionName("mmcblk0p1", "mmcblk0"));
        QVERIFY(!isPartitionName("nvme0n12", "nvme0n1"));
        QVERIFY(!isPartitionName("sda", "sda"));
        QVERIFY(!isPartitionName("sdap1", "sda"));
        QVERIFY(!isPartitionName("sdab1", "sda"));
        QVERIFY(!isPartitionName("mmcblk0boot0", "mmcblk0"));
    }
    void knowsThePathsOfAMultipathDisk()
    {
        QCOMPARE(multipathHead("nvme0c1n1"), std::string("nvme0n1"));
        QCOMPARE(multipathHead("nvme12c34n5"), std::string("nvme12n5"));
        for (const char *name : {"nvme0n1", "nvme0c0", "nvmec0n1", "nvme0c0n1p1", "sda", ""})
            QCOMPARE(multipathHead(name), std::string());
    }
};

QTEST_APPLESS_MAIN(TestDeviceKind)
#include "tst_devicekind.moc"
