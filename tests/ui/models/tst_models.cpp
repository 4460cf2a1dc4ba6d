// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/historymodel.h"
#include "ui/models/reviewmodel.h"
#include "ui/models/settinglistmodel.h"
#include "ui/models/sidebarmodel.h"
#include "ui/models/writeback.h"
#include "ui/text/format.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

static QString machineFolder(const QString &name)
{
    return QStringLiteral(DISKWRIGHT_SOURCE_DIR) + u"/tests/fixtures/machines/"_s + name;
}

// Every line of a model with the given roles: what a page would show, as text.
static QStringList printed(const QAbstractItemModel &model, const QList<int> &roles)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (const int role : roles)
            cells << model.data(model.index(row, 0), role).toString();
        lines << cells.join(u" | "_s);
    }
    return lines;
}

class TestModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void numbersAreReadByPeople()
    {
        const SettingSpec &bytes = *findSetting("vm/dirty_bytes");
        QCOMPARE(valueText(bytes, number(268435456)), u"256\u202fMiB"_s);
        QCOMPARE(valueText(bytes, number(12288)), u"12\u202fKiB"_s);
        QCOMPARE(valueText(*findSetting("queue/scheduler"), word("bfq")), u"bfq"_s);
        QCOMPARE(diskSizeText(1000204886016), u"1.00\u202fTB"_s);
        QCOMPARE(throughputText(561.3e6), u"561\u202fMB/s"_s);
        QCOMPARE(throughputText(3.52e9), u"3.52\u202fGB/s"_s);
        QCOMPARE(latencyText(82'400), u"82.4\u202fµs"_s);
        QCOMPARE(clockText(75), u"1:15"_s);
        QCOMPARE(clockText(-3), u"0:00"_s);
    }

    void sidebarListsDisksAndPages()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        StagedChanges staged;
        SidebarModel model(machine, staged);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        machine.take(readMachine(machine.root(), {"sda"}));
        const QStringList lines = printed(model, {Qt::DisplayRole, SidebarModel::DetailRole});
        QVERIFY2(lines.filter(u"| sda"_s).size() == 1, qPrintable(lines.join(u'\n')));
        QCOMPARE(lines.first(), u"Overview | "_s);
        QVERIFY(lines.contains(u"Memory and writeback | "_s));
        QVERIFY(lines.contains(u"History | "_s));
        QVERIFY2(lines.filter(u"Profiles"_s).isEmpty(),
                 "an entry whose function does not exist is not shown");
        for (int row = 0; row < model.rowCount(); ++row) {
            const bool heading = model.index(row).data(SidebarModel::HeadingRole).toBool();
            QCOMPARE(model.flags(model.index(row)).testFlag(Qt::ItemIsSelectable), !heading);
        }
    }

    void namesInTipsAreNoMarkup()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        const StagedChanges staged;
        const SidebarModel model(machine, staged);
        Reading reading = readMachine(machine.root(), {"sda"});
        std::vector<BlockNode> disks = reading.disks.disks();
        for (BlockNode &disk : disks)
            disk.model = "<b>Ultra</b> & more";
        reading.disks = DiskList(std::move(disks));
        machine.take(std::move(reading));
        const QStringList tips = printed(model, {Qt::ToolTipRole});
        QCOMPARE(tips.filter(u"<b>"_s), QStringList());
        QVERIFY2(!tips.filter(u"&lt;b&gt;Ultra"_s).isEmpty(), qPrintable(tips.join(u'\n')));
        QVERIFY2(tips.contains(u"Overview"_s), "what can't be mistaken is left as it is");
    }

    void stagingIsShownAndNeverAsApplied()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        machine.take(readMachine(machine.root(), {"sda", ""}));
        StagedChanges staged;
        SettingListModel model(machine, staged, "sda");
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const int row = rowOf(model, u"read_ahead_kb"_s);
        QVERIFY(row >= 0);
        const QString now = model.index(row).data(SettingListModel::NowRole).toString();
        QVERIFY(model.stage(row, 0, number(4096)));
        QCOMPARE(model.index(row).data(SettingListModel::ValueRole).toString(), u"4,096\u202fKiB"_s);
        QCOMPARE(model.index(row).data(SettingListModel::NowRole).toString(), now);
        QVERIFY(model.index(row).data(SettingListModel::StagedRole).toBool());
        QVERIFY(!model.stage(row, 0, number(3)));
        QVERIFY(!model.stage(row, 0, number(999'999)));
        QCOMPARE(model.index(row).data(SettingListModel::ValueRole).toString(), u"4,096\u202fKiB"_s);
        staged.undoLast();
        QVERIFY(!model.index(row).data(SettingListModel::StagedRole).toBool());
    }

    void twoDisksOfOneModelAreToldApart()
    {
        Machine machine(machineFolder(u"usb-enclosure-twins"_s));
        machine.take(readMachine(machine.root(), std::vector<std::string>{}));
        QCOMPARE(machine.distinctTitle("sda"), u"Go To Final Lap (sda)"_s);
        QCOMPARE(machine.distinctTitle("sdb"), u"Go To Final Lap (sdb)"_s);
        QCOMPARE(machine.distinctTitle("mmcblk0"), machine.diskTitle("mmcblk0"));
    }

    void whatStandsOnDisksHasTheNameOfItsMaker()
    {
        Machine machine(machineFolder(u"laptop-nvme-luks-lvm"_s));
        machine.take(readMachine(machine.root(), {"dm-0"}));
        const BlockNode *layer = machine.disks().find("dm-0");
        QVERIFY(layer && layer->mapperName);
        QCOMPARE(machine.diskTitle("dm-0"), QString::fromStdString(*layer->mapperName));
        // A disk without any name but the kernel's is not called by it twice.
        Machine plain(machineFolder(u"guest-virtio-ahci-usb"_s));
        plain.take(readMachine(plain.root(), std::vector<std::string>{}));
        StagedChanges staged;
        const SidebarModel model(plain, staged);
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex index = model.index(row);
            QVERIFY(index.data().toString() != index.data(SidebarModel::DetailRole).toString());
        }
    }

    void whatVanishedIsListedOnItsPage()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        machine.take(readMachine(machine.root(), {"sda", ""}));
        StagedChanges staged;
        const auto idsOn = [&](const std::string &target) {
            const SettingListModel model(machine, staged, target);
            QStringList ids;
            for (const VanishedSetting *vanished : model.vanished())
                ids << QString::fromUtf8(vanished->id.data(), static_cast<qsizetype>(vanished->id.size()));
            return ids;
        };
        const QStringList disk = idsOn("sda");
        for (const QString &id : {u"scheduler/noop"_s, u"scheduler/cfq"_s, u"scheduler/cfq-slice_sync"_s})
            QVERIFY2(disk.contains(id), qPrintable(disk.join(u' ')));
        QVERIFY(disk.filter(u"vm/"_s).isEmpty());
        const QStringList memory = idsOn("");
        for (const QString &id : {u"vm/pdflush"_s, u"vm/block_dump"_s, u"vm/swap_token_timeout"_s})
            QVERIFY2(memory.contains(id), qPrintable(memory.join(u' ')));
        QVERIFY(memory.filter(u"scheduler/"_s).isEmpty());
    }

    void aPairIsOneSetting()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        machine.take(readMachine(machine.root(), {""}));
        StagedChanges staged;
        SettingListModel model(machine, staged, {});
        const int row = model.rowOf(*parseAddress("vm::dirty_bytes"));
        QVERIFY(row >= 0);
        QCOMPARE(row, model.rowOf(*parseAddress("vm::dirty_ratio")));
        QCOMPARE(model.entry(row).units.size(), std::size_t{2});
        const std::size_t other = 1 - model.entry(row).active;
        const bool bytes = std::get<Range>(model.entry(row).units[other].spec->accepts).unit == Unit::Bytes;
        QVERIFY(model.stage(row, other, number(bytes ? 268435456 : 10)));
        QCOMPARE(staged.set().count(), std::size_t{1});
        QVERIFY(model.stage(row, model.entry(row).active, number(bytes ? 7 : 134217728)));
        QCOMPARE(staged.set().count(), std::size_t{1});
    }

    void reviewIsInTheOrderOfApplying()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        machine.take(readMachine(machine.root(), {"sda"}));
        StagedChanges staged;
        SettingListModel model(machine, staged, "sda");
        QVERIFY(model.stage(rowOf(model, u"read_ahead_kb"_s), 0, number(512)));
        QVERIFY(model.stage(rowOf(model, u"nr_requests"_s), 0, number(32)));
        const auto plan = makePlan(staged.set(), machine.snapshot());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().reason.c_str());
        ReviewModel review(*plan);
        QAbstractItemModelTester tester(&review, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(review.rowCount(), 2);
        QCOMPARE(review.index(0).data(ReviewModel::WantedRole).toString(), u"32"_s);
        QCOMPARE(review.index(1).data(ReviewModel::WantedRole).toString(), u"512\u202fKiB"_s);
        QVERIFY(review.commands().contains(u"/sys/block/sda/queue/read_ahead_kb"_s));
        QVERIFY(review.index(0).data(ReviewModel::ResultRole).toString().isEmpty());
        ApplyReport report;
        report.call = CallState::Answered;
        report.steps.push_back({(*plan).steps[0].address,
                                {},
                                {},
                                number(64),
                                number(32),
                                number(48),
                                StepResult::Adjusted,
                                Errc::None,
                                0});
        review.setReport(report);
        const QString result = review.index(0).data(ReviewModel::ResultRole).toString();
        QVERIFY2(result.contains(u"32"_s) && result.contains(u"48"_s), qPrintable(result));
    }

    void historyIsATree()
    {
        Machine machine(machineFolder(u"desktop-sata-ssd-hdd"_s));
        HistoryModel model(machine);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Reading reading = readMachine(machine.root(), ReadingWish());
        HistoryEntry entry;
        entry.transaction = std::string(32, 'a');
        entry.timeSeconds = QDateTime::currentSecsSinceEpoch();
        entry.outcome = Outcome::Applied;
        entry.steps.push_back({*parseAddress("queue:sda:nr_requests"),
                               {},
                               number(64),
                               number(256),
                               number(256),
                               StepResult::Applied,
                               0});
        entry.steps.push_back({*parseAddress("vm::dirty_ratio"),
                               {},
                               number(20),
                               number(10),
                               number(10),
                               StepResult::Applied,
                               0});
        History history;
        history.entries.push_back(entry);
        reading.records = makeRecords(std::move(history), {});
        machine.take(std::move(reading));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.rowCount(model.index(0, 0)), 2);
        const QString what = model.index(0, HistoryModel::WhatColumn).data().toString();
        QVERIFY2(what.contains(u"64 → 256"_s), qPrintable(what));
        model.setTarget("sdb");
        QCOMPARE(model.rowCount(), 0);
        model.setTarget("");
        QCOMPARE(model.rowCount(), 1);
    }

private:
    static int rowOf(const SettingListModel &model, const QString &key)
    {
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row).data(SettingListModel::KernelNameRole).toString() == key)
                return row;
        }
        return -1;
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"
