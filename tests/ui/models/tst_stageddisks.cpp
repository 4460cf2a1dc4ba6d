// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/machinecopy.h"

#include "ui/models/sidebarmodel.h"
#include "ui/models/stageddisks.h"

#include <QSignalSpy>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

struct Desk {
    MachineCopy copy;
    Machine machine{copy.root()};
    StagedChanges staged;
    StagedDisks disks{machine, staged};

    Desk()
    {
        machine.setKeepsGone([this](const std::string &target) { return disks.isStaged(target); });
        look();
    }
    void look()
    {
        ReadingWish wish;
        wish.allDisks = true;
        machine.take(readMachine(machine.root(), wish));
    }
    void stage(const char *text)
    {
        const Address address = *parseAddress(text);
        QVERIFY(staged.stage(address, machine.setting(address)->value, number(4096)));
    }
    [[nodiscard]] QStringList lines() const
    {
        const SidebarModel model(machine, staged);
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row)
            all << model.index(row).data(Qt::AccessibleTextRole).toString();
        return all;
    }
};

} // namespace

class TestStagedDisks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEditWaitsForItsDisk()
    {
        Desk desk;
        desk.stage("queue:sdb:read_ahead_kb");
        desk.stage("queue:sda:read_ahead_kb");
        QVERIFY(desk.disks.whyNot("sdb").isEmpty());
        desk.copy.pull(u"sdb"_s);
        desk.look();
        QCOMPARE(desk.staged.set().count(), std::size_t{2});
        QVERIFY2(desk.disks.whyNot("sdb").contains(u"is gone"_s), qPrintable(desk.disks.whyNot("sdb")));
        QCOMPARE(desk.disks.applicable().targets(), std::vector<std::string>{"sda"});
        QVERIFY2(desk.lines().filter(u"is gone"_s).size() == 1, qPrintable(desk.lines().join(u'\n')));
        desk.copy.plug(u"sdb"_s, u"sdb"_s);
        desk.copy.changeUevent(u"sdb"_s, "DISKSEQ=2", "DISKSEQ=7");
        desk.look();
        QVERIFY(desk.disks.whyNot("sdb").isEmpty());
        QCOMPARE(desk.disks.applicable().count(), std::size_t{2});
        QVERIFY(desk.lines().filter(u"is gone"_s).isEmpty());
    }

    void itFollowsItsDiskToAnotherName()
    {
        Desk desk;
        QSignalSpy moved(&desk.disks, &StagedDisks::moved);
        desk.stage("queue:sdb:read_ahead_kb");
        desk.copy.pull(u"sdb"_s);
        desk.look();
        desk.copy.plug(u"sdb"_s, u"sdc"_s);
        desk.look();
        QCOMPARE(moved.count(), 1);
        QCOMPARE(moved[0][0].value<std::string>(), "sdb");
        QCOMPARE(moved[0][1].value<std::string>(), "sdc");
        QCOMPARE(desk.staged.set().targets(), std::vector<std::string>{"sdc"});
        QVERIFY(desk.disks.whyNot("sdc").isEmpty());
        QVERIFY(desk.lines().filter(u"is gone"_s).isEmpty());
        // Earlier states went along: taking back and staging again meet the right disk.
        desk.staged.undoLast();
        QVERIFY(desk.staged.set().isEmpty());
    }

    void anotherDiskOfTheNameGetsNothing()
    {
        Desk desk;
        desk.stage("queue:sdb:read_ahead_kb");
        // Same name, another device: other numbers, and none of the old one's identity.
        desk.copy.changeUevent(u"sdb"_s, "MINOR=16", "MINOR=96");
        desk.copy.changeUevent(u"sdb"_s, "DISKSEQ=2", "DISKSEQ=8");
        desk.look();
        QVERIFY(desk.machine.disks().find("sdb"));
        QCOMPARE(desk.machine.presence("sdb"), Presence::Here);
        QVERIFY(desk.staged.set().forTarget("sdb").empty());
        QCOMPARE(desk.staged.set().count(), std::size_t{1});
        const std::string key = desk.staged.set().targets().front();
        QVERIFY(!desk.disks.whyNot(key).isEmpty());
        QVERIFY(desk.disks.applicable().isEmpty());
        QCOMPARE(desk.machine.presence(key), Presence::Gone);
        QVERIFY2(desk.lines().filter(u"is gone"_s).size() == 1, qPrintable(desk.lines().join(u'\n')));
        // The old one is back, the edit is alive again.
        desk.copy.changeUevent(u"sdb"_s, "MINOR=96", "MINOR=16");
        desk.copy.changeUevent(u"sdb"_s, "DISKSEQ=8", "DISKSEQ=9");
        desk.look();
        QCOMPARE(desk.staged.set().targets(), std::vector<std::string>{"sdb"});
        QVERIFY(desk.disks.whyNot("sdb").isEmpty());
    }

    void anotherSizeIsAnotherDisk()
    {
        Desk desk;
        desk.stage("queue:sdb:read_ahead_kb");
        desk.copy.pull(u"sdb"_s);
        desk.look();
        desk.copy.plug(u"sdb"_s, u"sdb"_s);
        desk.copy.write(u"sdb"_s, u"size"_s, "2048\n");
        desk.copy.changeUevent(u"sdb"_s, "DISKSEQ=2", "DISKSEQ=7");
        desk.look();
        QVERIFY(desk.disks.applicable().isEmpty());
        const std::string key = desk.staged.set().targets().front();
        QVERIFY2(desk.disks.whyNot(key).contains(u"another size"_s), qPrintable(desk.disks.whyNot(key)));
    }
};

QTEST_GUILESS_MAIN(TestStagedDisks)
#include "tst_stageddisks.moc"
