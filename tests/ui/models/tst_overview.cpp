// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/machinecopy.h"

#include "ui/models/overview.h"
#include "ui/text/diskwords.h"
#include "ui/text/format.h"

#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include <utility>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

static QString machineFolder(const QString &name)
{
    return QStringLiteral(DISKWRIGHT_SOURCE_DIR) + u"/tests/fixtures/machines/"_s + name;
}

static Reading readAll(const QString &root)
{
    ReadingWish wish;
    wish.targets.emplace_back();
    wish.allDisks = true;
    wish.problems = true;
    return readMachine(root, wish);
}

static WritebackSample allowed(double bytes)
{
    WritebackSample sample;
    sample.limit = bytes;
    return sample;
}

static QStringList texts(const std::vector<OverviewFinding> &findings)
{
    QStringList all;
    for (const OverviewFinding &finding : findings)
        all << finding.text;
    return all;
}

class TestOverview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void atFirstNothingNeedsAnybody()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        machine.take(readAll(machine.root()));
        const QStringList said = texts(overviewFindings(machine, std::nullopt));
        QCOMPARE(said.size(), 2);
        QCOMPARE(said[0], u"Nothing needs you."_s);
        QCOMPARE(said[1], u"Diskwright changes nothing until you review and apply."_s);
    }

    void nothingIsClaimedBeforeItWasLooked()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        Reading reading = readAll(machine.root());
        const auto problems = std::exchange(reading.problems, std::nullopt);
        machine.take(reading);
        QVERIFY(!texts(overviewFindings(machine, std::nullopt)).contains(u"Nothing needs you."_s));
        reading.problems = problems;
        machine.take(reading);
        QVERIFY(texts(overviewFindings(machine, std::nullopt)).contains(u"Nothing needs you."_s));
        // A page that does not ask for it leaves what is known.
        reading.problems.reset();
        machine.take(reading);
        QVERIFY(texts(overviewFindings(machine, std::nullopt)).contains(u"Nothing needs you."_s));
    }

    void problemsOfDisksLeadToTheirPage()
    {
        Machine machine(machineFolder(u"server-md-failed-member"_s));
        machine.take(readAll(machine.root()));
        const auto findings = overviewFindings(machine, std::nullopt);
        QCOMPARE(findings.size(), std::size_t{2});
        QVERIFY2(findings[0].text.startsWith(u"The RAID md1 misses disks (1)"_s),
                 qPrintable(findings[0].text));
        QCOMPARE(findings[0].place, (Place{Place::Kind::Disk, "md1"}));
        // Of a partition it is its disk's page.
        QVERIFY2(findings[1].text.contains(u"has thrown sda3 out"_s), qPrintable(findings[1].text));
        QCOMPARE(findings[1].place, (Place{Place::Kind::Disk, "sda"}));
        for (const OverviewFinding &finding : findings)
            QVERIFY(finding.isProblem && !finding.action.isEmpty());

        Machine degraded(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/health/raid-degraded"));
        degraded.take(readAll(degraded.root()));
        QVERIFY(overviewFindings(degraded, std::nullopt)[0].isProblem);
    }

    void whatAServiceStoredIsAProblemToo()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        machine.take(readAll(machine.root()));
        const std::string disk = machine.disks().disks().front().name;
        health::Finding failing;
        failing.id = "smart-failing";
        failing.severity = health::Severity::Problem;
        failing.device = disk;
        failing.text = {"The drive itself expects to fail soon (SMART).", {}};
        const auto findings = overviewFindings(machine, std::nullopt, {failing});
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY(findings[0].text.contains(QString::fromStdString(disk)));
        QCOMPARE(findings[0].place, (Place{Place::Kind::Disk, disk}));
        // Many do not push the cards out of the window.
        const auto many = overviewFindings(machine, std::nullopt, std::vector<health::Finding>(40, failing));
        QCOMPARE(many.size(), std::size_t{13});
        QVERIFY2(many.back().text.contains(u"28"_s) || many.back().text.contains(u"%n"_s),
                 qPrintable(many.back().text));
    }

    void aFolderWithoutAMachineIsAnError()
    {
        Machine machine(u"/nowhere/at/all"_s);
        machine.take(readAll(machine.root()));
        const auto findings = overviewFindings(machine, std::nullopt);
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY(findings[0].isProblem);
        QVERIFY2(findings[0].text.contains(u"/nowhere/at/all"_s), qPrintable(findings[0].text));
        const QTemporaryDir empty;
        Machine without(empty.path());
        without.take(readAll(without.root()));
        QVERIFY2(overviewFindings(without, std::nullopt)[0].text.contains(u"sys/block"_s),
                 qPrintable(overviewFindings(without, std::nullopt)[0].text));
    }

    void mountsThatAreNotKnownAreNotDenied()
    {
        BlockNode disk;
        disk.name = "sda";
        QVERIFY(mountWords(disk, DiskList({disk}, false)).contains(u"not known"_s));
        QVERIFY(mountWords(disk, DiskList({disk}, true)).contains(u"Nothing on it"_s));
    }

    void opticalDrivesAreNoSticks()
    {
        BlockNode disk;
        disk.type = "rom";
        disk.removable = true;
        disk.transport = "usb";
        QCOMPARE(SidebarModel::diskIcon(disk), u"drive-optical-symbolic"_s);
        disk.type = "disk";
        QCOMPARE(SidebarModel::diskIcon(disk), u"drive-removable-media-symbolic"_s);
    }

    void durationsNameTheirUnit()
    {
        QCOMPARE(durationText(-1).simplified().right(1), u"s"_s);
        QVERIFY(durationText(59).contains(u"59"_s));
        QVERIFY(durationText(481).startsWith(u"9"_s) && durationText(481).endsWith(u"min"_s));
        QVERIFY(durationText(3600).startsWith(u"1"_s) && durationText(3600).endsWith(u"h"_s));
        QVERIFY(durationText(3900).contains(u"h"_s) && durationText(3900).endsWith(u"min"_s));
    }

    void whatIsKeptAndHoldsIsSaid()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        Reading reading = readAll(machine.root());
        reading.start = StartStatus{StartState::Proven, 12, 12, {}};
        machine.take(std::move(reading));
        const auto findings = overviewFindings(machine, std::nullopt);
        QCOMPARE(texts(findings), (QStringList{u"Nothing needs you."_s, u"12 of 12 kept settings hold."_s}));
        QVERIFY(!findings[1].action.isEmpty());
    }

    void whatWasForgottenHoldsNoMore()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        Reading reading = readAll(machine.root());
        reading.start = StartStatus{StartState::Proven, 1, 1, {}};
        machine.take(std::move(reading));
        // A page that does not ask leaves what is known.
        machine.take(readAll(machine.root()));
        QVERIFY(texts(overviewFindings(machine, std::nullopt)).contains(u"1 of 1 kept settings hold."_s));
        ReadingWish wish;
        wish.startStatus = true;
        machine.take(readMachine(machine.root(), wish));
        QVERIFY(!texts(overviewFindings(machine, std::nullopt)).contains(u"1 of 1 kept settings hold."_s));
        // That nothing is kept is known without the disk that hangs.
        machine.take([&] {
            Reading again = readAll(machine.root());
            again.start = StartStatus{StartState::Proven, 1, 1, {}};
            return again;
        }());
        BlockNode silent;
        silent.name = "sdb";
        wish.silent.emplace("sdb", silent);
        machine.take(readMachine(machine.root(), wish));
        QVERIFY(machine.startStatus() && machine.startStatus()->total == 0);
    }

    void whatCanNotBeReadIsSaid()
    {
        const MachineCopy copy;
        const auto write = [&](const QString &name, const QByteArray &text) {
            QFile file(copy.root() + name);
            return QDir().mkpath(QFileInfo(file).path()) && file.open(QFile::WriteOnly | QFile::Truncate) &&
                   file.write(text) == text.size();
        };
        // A file where the folder should be.
        QVERIFY(write(u"/var/lib/diskwright/history"_s, "no folder"));
        QVERIFY(
            write(u"/etc/diskwright/boot-set.json"_s,
                  R"({"version":1,"items":[{"setting":"vm/swappiness","machine":true,"value":10,"origin":"",)"
                  R"("kept_at":1,"original":{"setting":"vm/swappiness","value":60}}]})"));
        QVERIFY(write(u"/etc/diskwright/boot/state.json"_s, "{ damaged"));
        Machine machine(copy.root());
        ReadingWish wish;
        wish.startStatus = true;
        machine.take(readMachine(machine.root(), wish));
        const QStringList said = texts(overviewFindings(machine, std::nullopt));
        QVERIFY2(!said.filter(u"history can't be read: what was changed is not known."_s).isEmpty(),
                 qPrintable(said.join(u'\n')));
        QVERIFY2(!said.filter(u"holds is not known."_s).isEmpty(), qPrintable(said.join(u'\n')));
        // A page that does not ask forgets nothing.
        machine.take(readAll(machine.root()));
        QVERIFY(machine.startError().has_value());
    }

    void aSetThatCanNotBeReadIsNotAnEmptyOne()
    {
        const MachineCopy copy;
        QVERIFY(QDir().mkpath(copy.root() + u"/etc/diskwright"_s));
        const auto write = [&](const QByteArray &text) {
            QFile kept(copy.root() + u"/etc/diskwright/boot-set.json"_s);
            return kept.open(QFile::WriteOnly | QFile::Truncate) && kept.write(text) == text.size();
        };
        QVERIFY(
            write(R"({"version":1,"items":[{"setting":"vm/swappiness","machine":true,"value":10,"origin":"",)"
                  R"("kept_at":1,"original":{"setting":"vm/swappiness","value":60}}]})"));
        Machine machine(copy.root());
        machine.take(readAll(machine.root()));
        QVERIFY(!machine.keptError());
        QCOMPARE(machine.kept().items.size(), std::size_t{1});
        QVERIFY(write("{ damaged"));
        machine.readAgain();
        QVERIFY(QTest::qWaitFor([&] { return machine.keptError().has_value(); }));
        QCOMPARE(machine.kept().items.size(), std::size_t{1});
        const auto findings = overviewFindings(machine, std::nullopt);
        QVERIFY(findings[0].isProblem);
        QVERIFY2(findings[0].text.contains(u"boot-set.json can't be read"_s), qPrintable(findings[0].text));
        QCOMPARE(findings[0].place.kind, Place::Kind::History);
        QVERIFY(QFile::remove(copy.root() + u"/etc/diskwright/boot-set.json"_s));
        machine.readAgain();
        QVERIFY(QTest::qWaitFor([&] { return !machine.keptError(); }));
        QVERIFY(machine.kept().items.empty());
    }

    void whatDiffersLeadsToItsRow()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        Reading reading = readAll(machine.root());
        reading.start =
            StartStatus{StartState::Proven,
                        2,
                        1,
                        {{"queue:sda:read_ahead_kb", number(4096), number(128), StartItemState::Differs},
                         {"vm::dirty_ratio", number(5), number(5), StartItemState::Holds}}};
        machine.take(std::move(reading));
        const auto findings = overviewFindings(machine, std::nullopt);
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY(findings[0].isProblem);
        QCOMPARE(findings[0].text, u"1 of 2 kept settings differ now."_s);
        QVERIFY(findings[0].setting.has_value());
        QCOMPARE(findings[0].setting->target, "sda");
    }

    void aSetThatWasSetAsideIsAProblem()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        Reading reading = readAll(machine.root());
        reading.start = StartStatus{StartState::SetAside, 3, 0, {}};
        machine.take(std::move(reading));
        const auto findings = overviewFindings(machine, std::nullopt);
        QVERIFY(findings[0].isProblem);
        QVERIFY2(findings[0].text.contains(u"set aside"_s), qPrintable(findings[0].text));
    }

    void muchUnwrittenDataMattersForASlowStickOnly()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        machine.take(readAll(machine.root()));
        QVERIFY(!overviewFindings(machine, allowed(4e9))[0].isProblem);

        Reading reading = readAll(machine.root());
        std::vector<BlockNode> disks = reading.disks.disks();
        BlockNode stick;
        stick.name = "sdz";
        stick.type = "disk";
        stick.model = "Ultra";
        stick.removable = true;
        stick.transport = "usb";
        stick.mounts.push_back({"/media/ultra", "rw", 99});
        disks.push_back(stick);
        reading.disks = DiskList(std::move(disks));
        machine.take(std::move(reading));
        const auto findings = overviewFindings(machine, allowed(4e9));
        QVERIFY2(findings[0].isProblem && findings[0].text.contains(u"Ultra"_s),
                 qPrintable(findings[0].text));
        QCOMPARE(findings[0].place.kind, Place::Kind::Memory);
        QVERIFY(!findings[0].action.isEmpty());
        QVERIFY(!overviewFindings(machine, allowed(64e6))[0].isProblem);
    }

    void atMostThreeProblems()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        Reading reading = readAll(machine.root());
        reading.start = StartStatus{StartState::SetAside, 3, 0, {}};
        machine.take(std::move(reading));
        QVERIFY(overviewFindings(machine, allowed(4e9)).size() <= 3);
    }

    void cardsAreForDisksNotForWhatStandsOnThem()
    {
        Machine machine(machineFolder(u"laptop-nvme-luks-lvm"_s));
        machine.take(readAll(machine.root()));
        QStringList names;
        for (const BlockNode *disk : overviewDisks(machine))
            names << QString::fromStdString(disk->name);
        QCOMPARE(names, QStringList{u"nvme0n1"_s});
    }

    void theBarIsTheWholeDisk_data()
    {
        QTest::addColumn<QString>("machine");
        for (const char *name : {"desktop-sata-ssd-hdd", "laptop-nvme-luks-lvm", "guest-virtio-ahci-usb"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void theBarIsTheWholeDisk()
    {
        QFETCH(QString, machine);
        const Reading reading = readAll(machineFolder(machine));
        int bars = 0;
        for (const BlockNode &disk : reading.disks.disks()) {
            const auto stretches = stretchesOf(disk);
            if (stretches.empty())
                continue;
            ++bars;
            double whole = 0;
            for (const DiskStretch &stretch : stretches) {
                QVERIFY(stretch.share > 0);
                whole += stretch.share;
            }
            QVERIFY2(whole > 0.99 && whole <= 1.0001, disk.name.c_str());
        }
        QVERIFY(bars > 0);
    }

    void aTableThatClaimsTooMuchDoesNotOverflow()
    {
        BlockNode disk;
        disk.name = "sdx";
        disk.sizeBytes = 1000;
        for (const char *name : {"sdx1", "sdx2"}) {
            BlockNode partition;
            partition.name = name;
            partition.sizeBytes = 900;
            disk.partitions.push_back(partition);
        }
        double whole = 0;
        for (const DiskStretch &stretch : stretchesOf(disk))
            whole += stretch.share;
        QVERIFY(whole <= 1.0001);
        QVERIFY(!partitionWords(disk).isEmpty());
    }

    void onlyKnownDefaultsAreCompared()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        QVERIFY(differingWords(machine, "sda").isEmpty());
        machine.take(readAll(machine.root()));
        QVERIFY(!differingWords(machine, "sda").isEmpty());
        Reading reading = readAll(machine.root());
        for (Observation &seen : reading.settings["sda"]) {
            seen.defaultValue.reset();
            seen.defaultSource = DefaultSource::Unknown;
        }
        machine.take(std::move(reading));
        QCOMPARE(differingWords(machine, "sda"), u"Its defaults are not known"_s);
    }
};

QTEST_GUILESS_MAIN(TestOverview)
#include "tst_overview.moc"
