// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/disk.h"

#include <QTest>

using namespace diskwright;

class TestDisk : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsByNameAndId()
    {
        BlockNode partition;
        partition.name = "sda1";
        partition.parent = "sda";
        BlockNode disk;
        disk.name = "sda";
        disk.id = "wwn-0x1";
        disk.partitions.push_back(partition);
        const DiskList list({disk});
        QCOMPARE(list.find("sda"), &list.disks()[0]);
        QCOMPARE(list.find("wwn-0x1"), &list.disks()[0]);
        QCOMPARE(list.find("/dev/sda"), &list.disks()[0]);
        QCOMPARE(list.find("/dev/disk/by-id/wwn-0x1"), &list.disks()[0]);
        QVERIFY(!list.find("/dev/"));
        QVERIFY(!list.find("/sda"));
        QCOMPARE(list.find("sda1"), &list.disks()[0].partitions[0]);
        QCOMPARE(list.wholeDisk(*list.find("sda1")), &list.disks()[0]);
        QCOMPARE(list.wholeDisk(*list.find("sda")), &list.disks()[0]);
        QVERIFY(!list.find("sdb"));
        QVERIFY(!list.find(""));
        QVERIFY(!DiskList().find("sda"));
    }
    void copiesKeepTheirPlaces()
    {
        BlockNode disk;
        disk.name = "sda";
        DiskList copy;
        {
            const DiskList list({disk});
            copy = list;
        }
        QCOMPARE(copy.find("sda")->name, std::string("sda"));
    }
    void identifiesADisk()
    {
        BlockNode disk;
        disk.name = "sda";
        disk.major = 8;
        disk.minor = 16;
        QCOMPARE(identityOf(disk), (DeviceIdentity{"sda", 8, 16, 0, 0}));
        disk.diskseq = 7;
        disk.sizeBytes = 512;
        QCOMPARE(identityOf(disk), (DeviceIdentity{"sda", 8, 16, 7, 512}));
    }
};

QTEST_APPLESS_MAIN(TestDisk)
#include "tst_disk.moc"
