// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/systemmarks.h"

#include "helper/persist/bootguard.h"
#include "helper/persist/bootverify.h"
#include "helper/persist/bootwriter.h"
#include "sampleset.h"
#include "testmachine.h"

#include <QTest>

#include <cerrno>

using namespace diskwright;

class TestSystemMarks final : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<TestMachine> m_machine;

    SystemRoot root() const { return std::move(*SystemRoot::at(m_machine->root())); }
    std::optional<DiskClass> classNow(const char *name) const
    {
        return classOf(*readDiskFacts(root(), name));
    }
    QStringList marks() const
    {
        return QDir(m_machine->path("run/diskwright/system")).entryList(QDir::Files, QDir::Name);
    }
    void mountVar(bool mounted) const
    {
        m_machine->write("proc/self/mountinfo", mounted ? "30 1 8:0 / /var rw - ext4 /dev/sda rw\n" : "");
    }
    void keepForSolidState() const
    {
        BootSet set;
        set.items.push_back(
            sample::item("queue/read_ahead_kb", DiskClass::SataSolidState, number(512), number(128)));
        QVERIFY(writeBootSet(root(), set, {.replaceEdited = false, .backInPlace = true}));
    }

private Q_SLOTS:
    void init()
    {
        m_machine = std::make_unique<TestMachine>();
        m_machine->addDisk(TestMachine::ata());
        m_machine->addDisk(TestMachine::usb());
    }

    void whatIsMountedIsMarked()
    {
        QCOMPARE(classNow("sda"), std::optional(DiskClass::SataSolidState));
        mountVar(true);
        QVERIFY(markSystemDisks(root()));
        QCOMPARE(marks(), QStringList({QStringLiteral("9"), QStringLiteral("known")}));
        QCOMPARE(classNow("sda"), std::optional<DiskClass>());
        QCOMPARE(classNow("sdb"), std::optional(DiskClass::UsbRemovable));
    }

    // A disk with /var only is mounted after udev saw it: the next boot knows it by its serial number.
    void whatWillBeMountedIsRemembered()
    {
        keepForSolidState();
        mountVar(true);
        QVERIFY(rememberSystemDisks(root()));
        QCOMPARE(m_machine->read("etc/diskwright/boot/system-disks"), QByteArray("QEMU_SSD_A_ATA0001\n"));
        mountVar(false);
        m_machine->write("sys/block/sda/diskseq", "3\n");
        m_machine->setBootId('2');
        QVERIFY(guardBoot(root()).size() <= 1);
        QCOMPARE(marks(),
                 QStringList({QStringLiteral("known"), QStringLiteral("serial-QEMU_SSD_A_ATA0001")}));
        QCOMPARE(classNow("sda"), std::optional<DiskClass>());
        // The class has no disk then, and nobody waits for one.
        const auto report = verifyBoot(root());
        QCOMPARE(report->count(ItemState::NotYetSeen), 1UZ);
        QVERIFY(!report->waitsForDisks());
    }

    void theDiskIsFreeAgainWhenItCarriesNothing()
    {
        keepForSolidState();
        mountVar(true);
        QVERIFY(rememberSystemDisks(root()));
        mountVar(false);
        QVERIFY(rememberSystemDisks(root()));
        QCOMPARE(m_machine->read("etc/diskwright/boot/system-disks"), QByteArray());
    }

    void whatIsRememberedStaysWhereTheMountsCantBeRead()
    {
        keepForSolidState();
        mountVar(true);
        QVERIFY(rememberSystemDisks(root()));
        QVERIFY(QFile::remove(m_machine->path("proc/self/mountinfo")));
        QVERIFY(QDir().mkpath(m_machine->path("proc/self/mountinfo")));
        QCOMPARE(rememberSystemDisks(root()).error().sysErrno, EISDIR);
        QCOMPARE(m_machine->read("etc/diskwright/boot/system-disks"), QByteArray("QEMU_SSD_A_ATA0001\n"));
    }

    void nothingIsLeftWithTheLastClass()
    {
        keepForSolidState();
        mountVar(true);
        QVERIFY(rememberSystemDisks(root()));
        QVERIFY(writeBootSet(root(), {}, {.replaceEdited = false, .backInPlace = true}));
        QVERIFY(!m_machine->has("etc/diskwright/boot/system-disks"));
    }

    void withoutClassesTheGuardMarksNothing()
    {
        BootSet set;
        set.items.push_back(sample::item("queue/read_ahead_kb", sample::ataDisk(), number(512), number(128)));
        QVERIFY(writeBootSet(root(), set, {.replaceEdited = false, .backInPlace = true}));
        static_cast<void>(guardBoot(root()));
        QCOMPARE(marks(), QStringList());
    }

    // Without "known" no class rule touches any disk.
    void whoCanNotLookSaysNothingIsKnown()
    {
        m_machine->remove("proc/self/mountinfo");
        QVERIFY(!markSystemDisks(root()));
        QCOMPARE(marks(), QStringList());
    }

    void junkIsNotRemembered()
    {
        m_machine->write("etc/diskwright/boot/system-disks", "../../etc\n\nGOOD1\na b\n");
        QVERIFY(markSystemDisks(root()));
        QCOMPARE(marks(), QStringList({QStringLiteral("known"), QStringLiteral("serial-GOOD1")}));
    }
};

QTEST_APPLESS_MAIN(TestSystemMarks)
#include "tst_systemmarks.moc"
