// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/bootverify.h"

#include "helper/persist/bootstore.h"
#include "helper/persist/bootwriter.h"
#include "helper/persist/restore.h"
#include "sampleset.h"
#include "testmachine.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace diskwright;

class TestBootVerify final : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<TestMachine> m_machine;
    const TestMachine::Disk m_ata = TestMachine::ata();
    const TestMachine::Disk m_usb = TestMachine::usb();

    SystemRoot root() const { return std::move(*SystemRoot::at(m_machine->root())); }
    BootReport report() const { return verifyBoot(root()).value_or(BootReport{}); }
    ItemState stateOf(const char *setting) const
    {
        for (const VerifiedItem &item : report().items) {
            if (item.setting == setting)
                return item.state;
        }
        QTest::qFail("no such item", __FILE__, __LINE__);
        return ItemState::NotYetSeen;
    }

private Q_SLOTS:
    void init()
    {
        m_machine = std::make_unique<TestMachine>();
        QVERIFY(writeBootSet(root(), sample::mixedSet(), {.replaceEdited = false, .backInPlace = true}));
    }

    void absentDisksAreNotYetSeen()
    {
        const BootReport seen = report();
        QCOMPARE(seen.state, std::string("probation"));
        QCOMPARE(seen.items.size(), 8UZ);
        QCOMPARE(seen.count(ItemState::NotYetSeen), 6UZ);
        QCOMPARE(seen.count(ItemState::Differs), 2UZ);
        QCOMPARE(stateOf("queue:wwn-0x5000c50015ea71ac:read_ahead_kb"), ItemState::NotYetSeen);
        QCOMPARE(stateOf("queue:usb-removable:scheduler"), ItemState::NotYetSeen);
        QCOMPARE(seen.summary(), std::string("0 of 8 settings hold, 6 not yet seen"));
    }

    void valuesAreReadBack()
    {
        m_machine->addDisk(m_ata);
        m_machine->addDisk(m_usb);
        m_machine->write("sys/block/sda/queue/read_ahead_kb", "1024\n");
        m_machine->write("sys/block/sda/queue/iosched/read_expire", "224\n");
        m_machine->write("proc/sys/vm/dirty_bytes", "268435456\n");
        QCOMPARE(stateOf("queue:sda:read_ahead_kb"), ItemState::Holds);
        QCOMPARE(stateOf("iosched:sda:mq-deadline/read_expire"), ItemState::Holds);
        QCOMPARE(stateOf("queue:sda:scheduler"), ItemState::Holds);
        QCOMPARE(stateOf("queue:sda:nr_requests"), ItemState::Differs);
        QCOMPARE(stateOf("vm::dirty_bytes"), ItemState::Holds);
        QCOMPARE(stateOf("queue:sdb:scheduler"), ItemState::Differs);
        QCOMPARE(report().summary(), std::string("4 of 8 settings hold"));
    }

    void anotherSchedulersFileDoesNotCount()
    {
        m_machine->addDisk(m_ata);
        m_machine->write("sys/block/sda/queue/iosched/read_expire", "224\n");
        m_machine->write("sys/block/sda/queue/scheduler", "none mq-deadline [bfq]\n");
        QCOMPARE(stateOf("iosched:sda:mq-deadline/read_expire"), ItemState::Differs);
    }

    void swappedNamesFollowTheDisk()
    {
        TestMachine::Disk swapped = m_ata;
        swapped.name = "sdz";
        swapped.minor = 400;
        m_machine->addDisk(swapped);
        m_machine->write("sys/block/sdz/queue/read_ahead_kb", "1024\n");
        QCOMPARE(stateOf("queue:sdz:read_ahead_kb"), ItemState::Holds);
    }

    void twinsAreNamed()
    {
        m_machine->addDisk(m_ata);
        QCOMPARE(report().onTwins(), 0UZ);
        TestMachine::Disk twin = m_ata;
        twin.name = "sdz";
        twin.minor = 400;
        m_machine->addDisk(twin);
        QCOMPARE(report().onTwins(), 8UZ);
        QCOMPARE(stateOf("queue:sda:read_ahead_kb"), ItemState::Differs);
        QCOMPARE(stateOf("queue:sdz:read_ahead_kb"), ItemState::Differs);
        QVERIFY2(report().summary().ends_with(", 8 on disks that can't be told apart"),
                 report().summary().c_str());
        twin.sizeBytes *= 2;
        m_machine->addDisk(twin);
        QVERIFY2(report().onTwins() == 0, "its size tells it");
    }

    void aDiskThatUdevDoesNotKnowYetIsNotSeen()
    {
        m_machine->addDisk(m_ata);
        m_machine->remove("run/udev/data/b8:0");
        QCOMPARE(stateOf("queue:wwn-0x5000c50015ea71ac:read_ahead_kb"), ItemState::NotYetSeen);
    }

    void anIdRuleOverridesAClass()
    {
        BootSet set = sample::mixedSet();
        set.items.push_back(
            sample::item("queue/scheduler", sample::usbDisk(), word("none"), word("mq-deadline")));
        QVERIFY(writeBootSet(root(), set, {.replaceEdited = false, .backInPlace = true}));
        m_machine->addDisk(m_usb);
        std::vector<std::string> wanted;
        for (const VerifiedItem &item : report().items) {
            if (item.setting == "queue:sdb:scheduler")
                wanted.push_back(toText(item.wanted));
        }
        QCOMPARE(wanted, std::vector<std::string>{"none"});
    }

    void theReportIsJson()
    {
        m_machine->addDisk(m_ata);
        QVERIFY(writeBootReport(root(), report()));
        const QJsonObject json =
            QJsonDocument::fromJson(m_machine->read("run/diskwright/boot.json")).object();
        QCOMPARE(json[QLatin1String("state")].toString(), QStringLiteral("probation"));
        QCOMPARE(json[QLatin1String("total")].toInteger(), 8);
        QCOMPARE(json[QLatin1String("holds")].toInteger(), 1);
        const QJsonObject first = json[QLatin1String("items")].toArray()[0].toObject();
        QCOMPARE(first.keys(),
                 QStringList({QStringLiteral("current"), QStringLiteral("id"), QStringLiteral("kept_for"),
                              QStringLiteral("setting"), QStringLiteral("state"), QStringLiteral("wanted")}));
        QCOMPARE(first[QLatin1String("setting")].toString(), QStringLiteral("queue:sda:read_ahead_kb"));
        QCOMPARE(first[QLatin1String("current")].toInteger(), 128);
    }

    void restoringPutsOriginalsBack()
    {
        m_machine->addDisk(m_ata);
        m_machine->write("sys/block/sda/queue/read_ahead_kb", "1024\n");
        m_machine->write("sys/block/sda/queue/nr_requests", "64\n");
        m_machine->write("proc/sys/vm/dirty_ratio", "0\n");
        const RestoreReport restored = restoreKept(root());
        // Written without truncation, as to a kernel attribute.
        QVERIFY(m_machine->read("sys/block/sda/queue/read_ahead_kb").startsWith("128"));
        QVERIFY(m_machine->read("sys/block/sda/queue/nr_requests").startsWith("32"));
        QVERIFY(m_machine->read("proc/sys/vm/dirty_ratio").startsWith("20"));
        QVERIFY(!m_machine->has("etc/diskwright/boot-set.json"));
        QVERIFY(!m_machine->has("etc/udev/rules.d/80-diskwright.rules"));
        bool absentIsNamed = false;
        for (const std::string &line : restored.failed)
            absentIsNamed |=
                line.starts_with("queue:usb-QEMU_QEMU_HARDDISK_USB01-0:0:read_ahead_kb=128: is not there");
        QVERIFY(absentIsNamed);
    }

    void restoringLeavesForeignFiles()
    {
        const QByteArray sysctl = "etc/sysctl.d/80-diskwright.conf";
        const QByteArray rules = "etc/udev/rules.d/80-diskwright.rules";
        m_machine->write(sysctl, "vm.swappiness = 10\n");
        const QByteArray edited = m_machine->read(rules) + "# mine\n";
        m_machine->write(rules, edited);
        const RestoreReport restored = restoreKept(root());
        QCOMPARE(m_machine->read(sysctl), QByteArray("vm.swappiness = 10\n"));
        QVERIFY(std::ranges::contains(
            restored.failed,
            "/etc/sysctl.d/80-diskwright.conf: was not written by this program and is left as it is"));
        QVERIFY(!m_machine->has(rules));
        QVERIFY(!m_machine->has("etc/diskwright/boot-set.json"));
        QVERIFY(!m_machine->has("etc/diskwright/boot/state.json"));
        const QDir backup(m_machine->path("var/lib/diskwright/backup"));
        QCOMPARE(backup.entryList(QDir::Files).size(), 1);
        QCOMPARE(m_machine->read("var/lib/diskwright/backup/" + backup.entryList(QDir::Files)[0].toLatin1()),
                 edited);
    }

    void repairAfterARestoreLeavesForeignFiles()
    {
        const QByteArray sysctl = "etc/sysctl.d/80-diskwright.conf";
        QVERIFY(writeBootSet(root(), {}, {.replaceEdited = true, .backInPlace = true}));
        m_machine->write(sysctl, "vm.swappiness = 10\n");
        QVERIFY(writeBootState(root(), BootState{.writing = true, .replacing = true}));
        QVERIFY(repairKeptFiles(root()));
        QCOMPARE(m_machine->read(sysctl), QByteArray("vm.swappiness = 10\n"));
    }

    void restoringADamagedSetStillRemovesTheFiles()
    {
        m_machine->write("etc/diskwright/boot-set.json", "garbage");
        const RestoreReport restored = restoreKept(root());
        QCOMPARE(restored.failed.size(), 1UZ);
        QVERIFY(!m_machine->has("etc/diskwright/boot-set.json"));
        QVERIFY(!m_machine->has("etc/sysctl.d/80-diskwright.conf"));
    }
};

QTEST_APPLESS_MAIN(TestBootVerify)
#include "tst_bootverify.moc"
