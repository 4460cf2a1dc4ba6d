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
        QTest::newRow("fibre channel")
            << u"pci0000:00/host7/rport-7:0-1/target7:0:0/7:0:0:0/block"_s << u"fc"_s;
        QTest::newRow("iscsi") << u"platform/host8/session1/target8:0:0/8:0:0:0/block"_s << u"iscsi"_s;
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
    void knowsTheAreasOfACard()
    {
        QCOMPARE(cardArea("mmcblk0boot0"), std::string_view("emmc-boot"));
        QCOMPARE(cardArea("mmcblk12boot1"), std::string_view("emmc-boot"));
        QCOMPARE(cardArea("mmcblk0rpmb"), std::string_view("emmc-rpmb"));
        QCOMPARE(cardArea("mmcblk0gp3"), std::string_view("emmc-general"));
        for (const char *name : {"mmcblk0", "mmcblk0p1", "mmcblk0boot", "mmcblkrpmb", "sda", ""})
            QVERIFY(cardArea(name).empty());
    }
    void namesWhatALayerAdds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("layer");
        QTest::addColumn<bool>("inner");
        const QString plain = u"LVM-"_s + QString(64, u'a');
        QTest::newRow("LUKS") << u"dm-0"_s << u"dm/uuid"_s << u"CRYPT-LUKS2-1-root\n"_s << u"LUKS"_s << false;
        QTest::newRow("plain") << u"dm-0"_s << u"dm/uuid"_s << u"CRYPT-PLAIN-swap\n"_s << u"dm-crypt"_s
                               << false;
        QTest::newRow("volume") << u"dm-0"_s << u"dm/uuid"_s << plain + u'\n' << u"LVM"_s << false;
        for (const char *part : {"-real", "-cow", "-tpool", "-tdata", "-cmeta", "-rimage"})
            QTest::newRow(part) << u"dm-0"_s << u"dm/uuid"_s << plain + QLatin1StringView(part) + u'\n'
                                << u"LVM"_s << true;
        QTest::newRow("cut off") << u"dm-0"_s << u"dm/uuid"_s << plain + u"-\n"_s << u"LVM"_s << false;
        QTest::newRow("paths") << u"dm-0"_s << u"dm/uuid"_s << u"mpath-3600\n"_s << u"multipath"_s << false;
        QTest::newRow("map") << u"dm-0"_s << u"dm/uuid"_s << u"\n"_s << u"device mapper"_s << false;
        QTest::newRow("mirror") << u"md0"_s << u"md/level"_s << u"raid1\n"_s << u"RAID"_s << false;
        QTest::newRow("loop") << u"loop0"_s << u"loop/backing_file"_s << u"/a\n"_s << u"loop"_s << false;
        QTest::newRow("cache") << u"bcache3"_s << u"bcache/state"_s << u"clean\n"_s << u"bcache"_s << false;
        QTest::newRow("volume of a pool") << u"zd16"_s << u"size"_s << u"1\n"_s << u"ZFS volume"_s << false;
        for (const char *name : {"sda", "zda", "fd0", "nbd0", "pmem0", "dasda", "nvme0n1", "zram0"})
            QTest::newRow(name) << QString::fromLatin1(name) << u"size"_s << u"1\n"_s << u""_s << false;
    }
    void namesWhatALayerAdds()
    {
        QFETCH(QString, name);
        QFETCH(QString, file);
        QFETCH(QString, text);
        QFETCH(QString, layer);
        QFETCH(bool, inner);
        const FakeTree tree;
        tree.disk(name.toStdString(), "8:0", {{file.toStdString(), text.toStdString()}});
        const DeviceKind kind = kindOf(tree, name.toStdString());
        QCOMPARE(std::string(kind.layer), layer.toStdString());
        QCOMPARE(kind.isInner, inner);
    }
    void scsiTypesInLsblksWords_data()
    {
        QTest::addColumn<QString>("number");
        QTest::addColumn<QString>("type");
        QTest::newRow("disk") << u"0\n"_s << u"disk"_s;
        QTest::newRow("drive") << u"5\n"_s << u"rom"_s;
        QTest::newRow("optical memory") << u"7\n"_s << u"mo-disk"_s;
        QTest::newRow("simplified") << u"14\n"_s << u"rbc"_s;
        QTest::newRow("zoned") << u"20\n"_s << u"disk"_s;
        QTest::newRow("hostile") << u"5 5\n"_s << u"disk"_s;
    }
    void scsiTypesInLsblksWords()
    {
        QFETCH(QString, number);
        QFETCH(QString, type);
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"device/type", number.toStdString()}});
        QCOMPARE(kindOf(tree, "sda").type, type.toStdString());
        UdevEntry udev;
        udev.properties = {{"ID_TYPE", "cd"}};
        QCOMPARE(kindOf(tree, "sda", &udev).type, std::string("rom"));
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
