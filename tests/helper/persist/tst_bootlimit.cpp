// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/bootlimit.h"

#include "helper/persist/bootguard.h"
#include "helper/persist/bootstore.h"
#include "helper/persist/bootverify.h"
#include "helper/persist/bootwriter.h"
#include "helper/persist/stablematch.h"
#include "sampleset.h"
#include "testmachine.h"

#include <QTest>

using namespace diskwright;

/// Files here keep the bytes that are written, as a kernel with much memory would.
class TestBootLimit final : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t limit = 67108864;
    std::unique_ptr<TestMachine> m_machine;
    const TestMachine::Disk m_usb = TestMachine::usb();

    SystemRoot root() const { return std::move(*SystemRoot::at(m_machine->root())); }
    Directory disk() const { return std::move(*root().blockDevice("sdb")); }

    void keep(const Match &match, bool strict = true) const
    {
        BootSet set;
        set.items.push_back(sample::item("bdi/max_bytes", match, number(limit), number(0)));
        set.items.back().original = {"bdi/max_ratio_fine", number(1000000)};
        if (strict)
            set.items.push_back(sample::item("bdi/strict_limit", match, number(1), number(0)));
        QVERIFY(writeBootSet(root(), set, {.replaceEdited = false, .backInPlace = true}));
    }
    QByteArray bytes() const { return m_machine->read("sys/block/sdb/bdi/max_bytes"); }
    LimitState apply() const { return applyKeptLimit(root(), "sdb").value_or(LimitState::NothingKept); }

private Q_SLOTS:
    void init()
    {
        m_machine = std::make_unique<TestMachine>();
        m_machine->addDisk(m_usb);
    }

    void writesWhatIsKeptAndNotesIt()
    {
        keep(sample::usbDisk());
        QCOMPARE(apply(), LimitState::InForce);
        QCOMPARE(bytes(), QByteArray("67108864"));
        QCOMPARE(m_machine->read("sys/block/sdb/bdi/strict_limit"), QByteArray("1"));
        QCOMPARE(m_machine->read("run/diskwright/limits/12"), QByteArray("67108864 1000000 0 20\n"));
        QCOMPARE(apply(), LimitState::InForce);
    }

    void otherDisksAreLeftAlone()
    {
        keep(sample::ataDisk());
        QCOMPARE(apply(), LimitState::NothingKept);
        QCOMPARE(bytes(), QByteArray("1073741824\n"));
    }

    void aStrictLimitAloneNeedsNoUnit()
    {
        BootSet set;
        set.items.push_back(sample::item("bdi/strict_limit", sample::usbDisk(), number(1), number(0)));
        QVERIFY(writeBootSet(root(), set, {.replaceEdited = false, .backInPlace = true}));
        QCOMPARE(apply(), LimitState::NothingKept);
        QCOMPARE(m_machine->read("sys/block/sdb/bdi/strict_limit"), QByteArray("0\n"));
    }

    void aHeldDiskIsLeftAloneUntilItIsAnother()
    {
        keep(sample::usbDisk());
        m_machine->write("run/diskwright/hold/sdb", "12\n");
        QCOMPARE(apply(), LimitState::Held);
        QCOMPARE(bytes(), QByteArray("1073741824\n"));
        m_machine->write("run/diskwright/hold/sdb", "11\n");
        QCOMPARE(apply(), LimitState::InForce);
    }

    void offIsOff()
    {
        keep(sample::usbDisk());
        m_machine->write("proc/cmdline", "root=/dev/vda diskwright.off\n");
        QCOMPARE(apply(), LimitState::Off);
        m_machine->write("proc/cmdline", "root=/dev/vda\n");
        QVERIFY(BootStore::at(m_machine->root())->useAtStart(false));
        QCOMPARE(apply(), LimitState::Off);
        QCOMPARE(bytes(), QByteArray("1073741824\n"));
    }

    void namesThatAreNoDisks_data()
    {
        QTest::addColumn<QString>("disk");
        for (const char *disk : {"sdz", "..", "../block/sdb", "sdb/", "", "."})
            QTest::newRow(disk) << QString::fromLatin1(disk);
    }
    void namesThatAreNoDisks()
    {
        QFETCH(const QString, disk);
        keep(sample::usbDisk());
        QVERIFY(!applyKeptLimit(root(), disk.toStdString()));
        QCOMPARE(bytes(), QByteArray("1073741824\n"));
    }

    void aPartitionIsRefused()
    {
        keep(sample::usbDisk());
        m_machine->write("sys/block/sdb/partition", "1\n");
        QCOMPARE(applyKeptLimit(root(), "sdb").error().code, Errc::UnknownTarget);
    }

    void aKernelWithoutByteLimitsIsNamed()
    {
        keep(sample::usbDisk());
        m_machine->remove("sys/block/sdb/bdi/max_bytes");
        QCOMPARE(applyKeptLimit(root(), "sdb").error().code, Errc::Absent);
        QCOMPARE(applyKeptLimits(root()).size(), 1UZ);
    }

    void anUnreadableSetWritesNothing()
    {
        m_machine->write("etc/diskwright/boot-set.json", "{}");
        QVERIFY(!applyKeptLimit(root(), "sdb"));
        QCOMPARE(bytes(), QByteArray("1073741824\n"));
    }

    // The free memory moves what is read; the stored share and the dirty limits tell whether it is still so.
    void verificationFollowsTheStoredShare()
    {
        keep(sample::usbDisk());
        QCOMPARE(apply(), LimitState::InForce);
        const auto state = [&] { return verifyBoot(root())->items.front().state; };
        const VerifiedItem first = verifyBoot(root())->items.front();
        QCOMPARE(first.wanted, number(limit));
        QCOMPARE(first.state, ItemState::Holds);
        m_machine->write("sys/block/sdb/bdi/max_bytes", "41108864\n");
        QCOMPARE(state(), ItemState::Holds);
        m_machine->write("sys/block/sdb/bdi/max_ratio_fine", "4711\n");
        QCOMPARE(state(), ItemState::Differs);
        m_machine->write("sys/block/sdb/bdi/max_ratio_fine", "1000000\n");
        m_machine->write("proc/sys/vm/dirty_bytes", "268435456\n");
        QCOMPARE(state(), ItemState::Differs);
        m_machine->write("sys/block/sdb/bdi/max_bytes", "67108801\n");
        QCOMPARE(state(), ItemState::Holds);
    }

    void aClassTakesInItsDisksButNotTheSystem()
    {
        keep(DiskClass::UsbRemovable);
        QCOMPARE(apply(), LimitState::InForce);
        m_machine->write("sys/block/sdb/bdi/max_bytes", "1073741824\n");
        m_machine->write("run/diskwright/system/12", "");
        QCOMPARE(apply(), LimitState::NothingKept);
        QCOMPARE(bytes(), QByteArray("1073741824\n"));
        QCOMPARE(verifyBoot(root())->count(ItemState::NotYetSeen), 2UZ);
        QCOMPARE(classOf(*readDiskFacts(root(), "sdb")), std::optional<DiskClass>());
    }

    void theDisksOwnLimitWinsOverItsClass()
    {
        BootSet set;
        set.items.push_back(sample::item("bdi/max_bytes", sample::usbDisk(), number(1048576), number(0)));
        set.items.push_back(sample::item("bdi/max_bytes", DiskClass::UsbRemovable, number(limit), number(0)));
        for (BootItem &item : set.items)
            item.original = {"bdi/max_ratio_fine", number(1000000)};
        QVERIFY(writeBootSet(root(), set, {.replaceEdited = false, .backInPlace = true}));
        QCOMPARE(apply(), LimitState::InForce);
        QCOMPARE(bytes(), QByteArray("1048576"));
        QCOMPARE(verifyBoot(root())->items.size(), 1UZ);
        // Another view of the same number.
        set.items.front() = sample::item("bdi/max_ratio", sample::usbDisk(), number(5), number(100));
        QVERIFY(writeBootSet(root(), set, {.replaceEdited = false, .backInPlace = true}));
        QCOMPARE(apply(), LimitState::NothingKept);
    }
};

QTEST_APPLESS_MAIN(TestBootLimit)
#include "tst_bootlimit.moc"
