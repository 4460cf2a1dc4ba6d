// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/access/diskid.h"
#include "tests/helper/access/faketree.h"

#include <QString>
#include <QTest>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

UdevEntry entryOf(std::initializer_list<const char *> names)
{
    UdevEntry entry;
    for (const char *name : names)
        entry.links.push_back(std::string("disk/by-id/") + name);
    return entry;
}

} // namespace

class TestDiskId : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void choosesByPrefixThenLengthThenBytes_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QString>("id");
        QTest::newRow("wwn first") << QStringList{u"ata-X_1"_s, u"wwn-0x5000"_s} << u"wwn-0x5000"_s;
        QTest::newRow("eui before model")
            << QStringList{u"nvme-A_1"_s, u"nvme-eui.00ab"_s} << u"nvme-eui.00ab"_s;
        QTest::newRow("shortest") << QStringList{u"nvme-A_1_1"_s, u"nvme-A_1"_s} << u"nvme-A_1"_s;
        QTest::newRow("bytewise") << QStringList{u"scsi-b"_s, u"scsi-a"_s} << u"scsi-a"_s;
        QTest::newRow("ata before scsi") << QStringList{u"scsi-SATA_X"_s, u"ata-X"_s} << u"ata-X"_s;
        QTest::newRow("usb") << QStringList{u"usb-Stick_1-0:0"_s} << u"usb-Stick_1-0:0"_s;
        QTest::newRow("virtio") << QStringList{u"virtio-root"_s} << u"virtio-root"_s;
        QTest::newRow("mmc") << QStringList{u"mmc-SC32G_0x01"_s} << u"mmc-SC32G_0x01"_s;
        QTest::newRow("zeros") << QStringList{u"nvme-eui.0000000000000000"_s, u"nvme-A_1"_s} << u"nvme-A_1"_s;
        QTest::newRow("zeros wwn") << QStringList{u"wwn-0x0000000000000000"_s} << u""_s;
        QTest::newRow("prefix only") << QStringList{u"ata-"_s} << u""_s;
        QTest::newRow("other families")
            << QStringList{u"dm-name-x"_s, u"lvm-pv-uuid-1"_s, u"md-uuid-2"_s} << u""_s;
        QTest::newRow("unsafe characters")
            << QStringList{u"ata-a b"_s, u"ata-\"x\""_s, u"ata-$x"_s, u"ata-*"_s} << u""_s;
        QTest::newRow("too long") << QStringList{u"ata-"_s + QString(126, u'x')} << u""_s;
        QTest::newRow("none") << QStringList{} << u""_s;
    }
    void choosesByPrefixThenLengthThenBytes()
    {
        QFETCH(QStringList, names);
        QFETCH(QString, id);
        UdevEntry entry;
        for (const QString &name : names)
            entry.links.push_back("disk/by-id/" + name.toStdString());
        entry.links.emplace_back("disk/by-path/ata-not-an-id");
        QCOMPARE(diskIdOf(entry).value_or(std::string()), id.toStdString());
    }
    void twinsHaveNone()
    {
        DiskIds ids;
        ids.claim("sda", entryOf({"usb-Case_123-0:0"}));
        ids.claim("sdb", entryOf({"usb-Case_123-0:0"}));
        ids.claim("sdc", entryOf({"ata-Own"}));
        QVERIFY(!ids.idOf("sda"));
        QVERIFY(!ids.idOf("sdb"));
        QVERIFY(ids.hasTwin("sda"));
        QVERIFY(!ids.hasTwin("sdc"));
        QVERIFY(!ids.nameOf("usb-Case_123-0:0"));
        QCOMPARE(ids.idOf("sdc").value(), std::string("ata-Own"));
        QCOMPARE(ids.nameOf("ata-Own").value(), std::string("sdc"));
    }
    void aLinkThatAnotherDiskClaimsToo()
    {
        // The second disk prefers another link, but udev may still point the first one at either.
        DiskIds ids;
        ids.claim("sda", entryOf({"ata-Same"}));
        ids.claim("sdb", entryOf({"wwn-0x1", "ata-Same"}));
        QVERIFY(!ids.idOf("sda"));
        QCOMPARE(ids.idOf("sdb").value(), std::string("wwn-0x1"));
    }
    void claimingTwiceIsNoTwin()
    {
        DiskIds ids;
        ids.claim("sda", entryOf({"ata-X", "ata-X"}));
        ids.claim("sda", entryOf({"ata-X"}));
        QCOMPARE(ids.idOf("sda").value(), std::string("ata-X"));
    }
    void readsATree()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.disk("sdc", "rubbish");
        tree.file("run/udev/data/b8:0", "S:disk/by-id/wwn-0x1\n");
        tree.file("run/udev/data/b8:16", "S:disk/by-id/usb-Y-0:0\n");
        const DiskIds ids = DiskIds::read(tree.root());
        QCOMPARE(ids.nameOf("wwn-0x1").value(), std::string("sda"));
        QCOMPARE(ids.idOf("sdb").value(), std::string("usb-Y-0:0"));
        QVERIFY(!ids.idOf("sdc"));
        QVERIFY(!DiskIds::read(FakeTree().root()).idOf("sda"));
    }
    void readsTheBootId_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("good");
        QTest::newRow("good") << QByteArray("11111111-2222-4333-8444-555555555555\n") << true;
        QTest::newRow("short") << QByteArray("11111111\n") << false;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("long") << QByteArray(65, '1') << false;
        QTest::newRow("control") << QByteArray("11111111-2222-4333-8444-5555555555\n\n") << false;
    }
    void readsTheBootId()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, good);
        const FakeTree tree;
        tree.file("proc/sys/kernel/random/boot_id", text.toStdString());
        QCOMPARE(bootId(tree.root()).has_value(), good);
    }
    void readsTheLiveBootId()
    {
        QCOMPARE(bootId(SystemRoot::live().value()).value().size(), 36u);
        QCOMPARE(bootId(FakeTree().root()).error().code, Errc::Absent);
    }
};

QTEST_APPLESS_MAIN(TestDiskId)
#include "tst_diskid.moc"
