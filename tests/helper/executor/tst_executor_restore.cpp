// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/executor/deadline.h"
#include "helper/executor/rescue.h"
#include "helper/executor/restoreall.h"
#include "helper/persist/bootstore.h"
#include "machine.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::test;

namespace {

constexpr const char *readAheadOfA = "sys/block/sda/queue/read_ahead_kb";
constexpr const char *background = "proc/sys/vm/dirty_background_ratio";

// A machine whose first disk has an id, under systemd and udev.
struct RestoringMachine : Machine {
    RestoringMachine()
    {
        for (const char *folder : {"etc/udev/rules.d", "etc/sysctl.d", "run/systemd/system"})
            QDir().mkpath(path(folder));
        giveId("b8:0", "DISK_1", "0x5000c50015ea71ac");
        write("sys/block/sda/removable", "0\n");
        write("sys/block/sda/queue/rotational", "0\n");
        store.emplace(BootStore::at(path(".").toStdString()).value());
        kept = &*store;
        reopen();
    }
    void giveId(const char *number, const QByteArray &serial, const QByteArray &wwn)
    {
        write(QStringLiteral("run/udev/data/") + QLatin1String(number),
              "S:disk/by-id/wwn-" + wwn + "\nE:ID_WWN_WITH_EXTENSION=" + wwn + "\nE:ID_SERIAL=" + serial +
                  "\nE:ID_BUS=ata\n");
    }
    void apply(const ApplyRequest &request, Outcome outcome = Outcome::Applied)
    {
        const Report report = run(request, plan());
        if (report.outcome != outcome)
            qFatal("apply: %s", std::string(name(report.outcome)).c_str());
    }
    static ApplyRequest keeping(const ApplyRequest &what)
    {
        ApplyRequest request = what;
        request.keep = true;
        return request;
    }
    static ApplyRequest vm(std::int64_t from, std::int64_t to)
    {
        ApplyRequest request;
        request.changes = {{std::nullopt, "vm/dirty_background_ratio", number(from), number(to)}};
        request.token = token();
        return request;
    }
    // Something kept in an earlier boot: now its value is in force, and only the boot set knows what was
    // before.
    void restart()
    {
        write("proc/sys/kernel/random/boot_id", "22222222-2222-3333-4444-555555555555\n");
        reopen();
    }
    Report restoreAll() { return run(RestoreAllRequest{}, plan()); }
    Journal record(const TransactionId &id) { return loadJournal(*state, Folder::Record, toHex(id)).value(); }
    QByteArray history() { return read(("var/lib/diskwright/history/" + toHex(lastId) + ".json").c_str()); }
    std::optional<BootStore> store;
};

} // namespace

class TestRestore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyUnderPlanAndAllItsClasses()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        for (const Caller &caller : {Machine::tune(), Machine::persist(), Machine::settle()})
            QCOMPARE(machine.run(RestoreAllRequest{}, caller).outcome, Outcome::NotAuthorized);
        Caller mayNotTune = Machine::plan();
        mayNotTune.mayChange = [](ActionClass) { return false; };
        QCOMPARE(machine.run(RestoreAllRequest{}, mayNotTune).outcome, Outcome::NotAuthorized);
        Caller mayNotKeep = Machine::plan();
        mayNotKeep.mayKeep = [] { return false; };
        QCOMPARE(machine.run(RestoreAllRequest{}, mayNotKeep).outcome, Outcome::NotAuthorized);
        QCOMPARE(machine.read(readAheadOfA), "4096");
        QCOMPARE(machine.store->load().value().set.items.size(), 1u);
    }

    void withoutAnythingToPutBackNothingIsWritten()
    {
        RestoringMachine machine;
        QCOMPARE(machine.restoreAll().outcome, Outcome::Unchanged);
        QCOMPARE(machine.list("var/lib/diskwright/record"), QStringList());
        // What was put back already does not count, even if somebody sets another value later.
        machine.apply(Machine::readAhead(4096));
        const TransactionId applied = machine.lastId;
        QCOMPARE(machine.run(UndoRequest{applied, false}, Machine::tune()).outcome, Outcome::Undone);
        machine.write(readAheadOfA, "256\n");
        QCOMPARE(machine.restoreAll().outcome, Outcome::Unchanged);
        QCOMPARE(machine.read(readAheadOfA), "256");
    }

    void theFirstValuesOfThisBootComeBack()
    {
        RestoringMachine machine;
        machine.apply(Machine::readAhead(4096));
        const TransactionId first = machine.lastId;
        machine.apply(Machine::readAhead(512, 4096));
        machine.apply(RestoringMachine::vm(10, 5));
        // Somebody else's value goes too: that is what "everything" says.
        machine.write(background, "7\n");
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::Undone);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "10");
        QCOMPARE(report.steps.size(), 2u);
        QCOMPARE(report.steps[0].before, std::optional<std::int64_t>(512));
        QCOMPARE(report.steps[0].after, std::optional<std::int64_t>(128));
        QCOMPARE(report.steps[0].result, StepResult::Applied);
        QCOMPARE(report.steps[1].before, std::optional<std::int64_t>(7));
        QVERIFY(machine.record(first).undone);
        const QByteArray history = machine.history();
        QVERIFY(history.contains("\"before\":512"));
        QVERIFY(history.contains("\"requested\":128"));
        QVERIFY(history.contains("\"outcome\":\"undone\""));
        QVERIFY(history.contains("\"undoable\":false"));
        // Once more: nothing of ours is in force.
        QCOMPARE(machine.restoreAll().outcome, Outcome::Unchanged);
        QCOMPARE(machine.run(UndoRequest{machine.lastId, false}, Machine::plan()).why,
                 Errc::UnknownTransaction);
    }

    // A number with a rounded view, one with another half and one that resets others, in one go.
    void roundedNumbersAndPairsComeBackTogether()
    {
        RestoringMachine machine;
        machine.write("sys/block/sdb/bdi/max_ratio", "100\n");
        machine.write("sys/block/sdb/bdi/max_ratio_fine", "1000000\n");
        ApplyRequest request = RestoringMachine::vm(10, 5);
        request.devices = {Machine::disk("sdb")};
        request.changes.insert(request.changes.begin(), {0, "bdi/max_ratio", number(100), number(50)});
        request.changes.push_back({0, "queue/scheduler", word("mq-deadline"), word("none")});
        machine.apply(request);
        machine.write("sys/block/sdb/queue/scheduler", "[none] mq-deadline\n");
        machine.write("sys/block/sdb/bdi/max_ratio_fine", "500000\n");
        const Report report = machine.restoreAll();
        QCOMPARE(machine.read("sys/block/sdb/bdi/max_ratio"), "100");
        QCOMPARE(machine.read(background), "10");
        QCOMPARE(machine.read("sys/block/sdb/queue/scheduler"), "mq-deadline");
        QCOMPARE(report.steps.size(), 4u);
    }

    void valuesOutsideTheRangesComeBack()
    {
        RestoringMachine machine;
        machine.write(readAheadOfA, "65536\n");
        machine.apply(Machine::readAhead(4096, 65536));
        QCOMPARE(machine.restoreAll().outcome, Outcome::Undone);
        QCOMPARE(machine.read(readAheadOfA), "65536");
    }

    void aSchedulerComesBackWithWhatHangsOnIt()
    {
        RestoringMachine machine;
        ApplyRequest request;
        request.devices = {Machine::disk("sdb")};
        request.changes = {{0, "queue/scheduler", word("mq-deadline"), word("bfq")},
                           {0, "queue/nr_requests", number(64), number(256)}};
        request.token = Machine::token();
        machine.apply(request);
        machine.write("sys/block/sdb/queue/scheduler", "none mq-deadline kyber [bfq]\n");
        machine.write("sys/block/sdb/queue/iosched/slice_idle", "8\n");
        ApplyRequest idle;
        idle.devices = {Machine::disk("sdb")};
        idle.changes = {{0, "iosched/bfq/slice_idle", number(8), number(0)}};
        idle.token = Machine::token();
        machine.apply(idle);
        const Report report = machine.restoreAll();
        // The folder is no kernel: the word is written, and the file is not the list that one would show.
        QCOMPARE(machine.read("sys/block/sdb/queue/scheduler"), "mq-deadline");
        QCOMPARE(machine.read("sys/block/sdb/queue/nr_requests"), "64");
        const auto steps = machine.record(machine.lastId).items;
        QVERIFY(std::ranges::none_of(
            steps, [](const JournalItem &item) { return item.setting == "iosched/bfq/slice_idle"; }));
        QCOMPARE(machine.read("sys/block/sdb/queue/iosched/slice_idle"), "0");
        QCOMPARE(report.outcome, Outcome::Undone);
    }

    void trialsAndLeasesEndFirst()
    {
        RestoringMachine machine;
        auto trial = Machine::readAhead(4096);
        trial.trial = std::chrono::seconds(60);
        machine.apply(trial, Outcome::Trial);
        const TransactionId id = machine.lastId;
        machine.apply(RestoringMachine::vm(10, 5));
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::Undone);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "10");
        QCOMPARE(machine.record(id).outcome, Outcome::Ended);
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.run(ConfirmRequest{id, Machine::token()}, Machine::settle()).why, Errc::Expired);
    }

    void whatSomebodySetDuringATrialGoesToo()
    {
        RestoringMachine machine;
        auto trial = Machine::readAhead(4096);
        trial.trial = std::chrono::seconds(60);
        machine.apply(trial, Outcome::Trial);
        machine.write(readAheadOfA, "1024\n");
        QCOMPARE(machine.restoreAll().outcome, Outcome::Undone);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.restoreAll().outcome, Outcome::Unchanged);
    }

    void whatIsKeptGoesBackToItsOriginal()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        const TransactionId id = machine.lastId;
        machine.apply(RestoringMachine::keeping(RestoringMachine::vm(10, 5)));
        machine.restart();
        // In this boot a change on top of what was kept: its first value is not the original one.
        machine.apply(Machine::readAhead(2048, 4096));
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::Undone);
        QVERIFY(!report.kept);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "10");
        QVERIFY(machine.store->load().value().set.items.empty());
        QCOMPARE(machine.read("etc/udev/rules.d/80-diskwright.rules"), "(absent)");
        QCOMPARE(machine.read("etc/sysctl.d/80-diskwright.conf"), "(absent)");
        QVERIFY(!machine.record(id).kept);
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void twinsAreNamedNotGuessed()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        machine.restart();
        machine.giveId("b8:16", "DISK_1", "0x5000c50015ea71ac");
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::RollbackFailed);
        QCOMPARE(report.steps.size(), 2u);
        for (const StepReport &step : report.steps) {
            QCOMPARE(step.result, StepResult::Unsupported);
            QCOMPARE(step.why, Errc::NoStableId);
        }
        QCOMPARE(machine.read(readAheadOfA), "4096");
        // Kept no more all the same.
        QVERIFY(machine.store->load().value().set.items.empty());
    }

    void anAbsentDiskHasNothingToPutBack()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        machine.restart();
        machine.giveId("b8:0", "DISK_2", "0x5000c50015ea71ad");
        machine.write("run/diskwright/hold/sda", "9\n");
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::Undone);
        QCOMPARE(report.steps.size(), 1u);
        QCOMPARE(report.steps[0].result, StepResult::DeviceGone);
        QCOMPARE(machine.read(readAheadOfA), "4096");
        QVERIFY(machine.history().contains("wwn-0x5000c50015ea71ac"));
    }

    void itGoesOnAfterAFailureAndNamesIt()
    {
        RestoringMachine machine;
        machine.apply(Machine::readAhead(4096));
        const TransactionId first = machine.lastId;
        machine.apply(RestoringMachine::vm(10, 5));
        const TransactionId second = machine.lastId;
        // Neither file nor folder can be written where a folder is.
        QVERIFY(QFile::remove(machine.path(readAheadOfA)));
        QDir().mkpath(machine.path(readAheadOfA));
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::RollbackFailed);
        QCOMPARE(report.steps[0].result, StepResult::RollbackFailed);
        QCOMPARE(report.culprit, std::optional<std::uint16_t>(0));
        QCOMPARE(report.steps[1].result, StepResult::Applied);
        QCOMPARE(machine.read(background), "10");
        QVERIFY(!machine.record(first).undone);
        QVERIFY(machine.record(second).undone);
    }

    void keptFilesThatStayAreSaid()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        machine.write("etc/udev/rules.d/80-diskwright.rules", "# somebody's own\n");
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::RollbackFailed);
        QVERIFY(report.kept);
        QCOMPARE(report.keepWhy, Errc::FileChanged);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read("etc/udev/rules.d/80-diskwright.rules"), "# somebody's own");
    }

    void aLimitThatDriftedIsNobodysChange()
    {
        RestoringMachine machine;
        const char *bytes = "sys/block/sda/bdi/max_bytes";
        machine.write(bytes, "900000000\n");
        machine.write("sys/block/sda/bdi/max_ratio_fine", "1000000\n");
        ApplyRequest request;
        request.devices = {Machine::disk("sda")};
        request.changes = {{0, "bdi/max_bytes", number(900000000), number(67108864)}};
        request.token = Machine::token();
        machine.apply(request);
        const TransactionId limited = machine.lastId;
        // What the kernel would have shown behind it; then the undoing, and other free memory.
        machine.write(bytes, "880000000\n");
        QCOMPARE(machine.run(UndoRequest{limited, true}, Machine::tune()).outcome, Outcome::Undone);
        machine.write(bytes, "700000000\n");
        QCOMPARE(machine.restoreAll().outcome, Outcome::Unchanged);
        QCOMPARE(machine.read(bytes), "700000000");
    }

    // With a trial ended, "nothing was changed" would not be true.
    void whatHasBegunGoesOn()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::vm(10, 5));
        ApplyRequest trial = Machine::readAhead(4096);
        trial.trial = std::chrono::seconds(60);
        QCOMPARE(machine.run(trial, Machine::tune()).outcome, Outcome::Trial);
        TransactionId next = machine.lastId;
        ++next.back();
        const std::string inTheWay = "var/lib/diskwright/txn/." + toHex(next) + ".new/file";
        machine.write(inTheWay.c_str(), "no journal can be begun\n");
        const Report report = machine.restoreAll();
        QCOMPARE(machine.lastId, next);
        QVERIFY2(report.outcome != Outcome::Refused, "a trial was ended");
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "10");
    }

    void aDamagedRecordIsSaidEachTime()
    {
        RestoringMachine machine;
        machine.apply(Machine::readAhead(4096));
        const TransactionId damaged = machine.lastId;
        machine.apply(RestoringMachine::vm(10, 5));
        QVERIFY(machine.state->replace(Folder::Record, toHex(damaged), "half a record"));
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::RollbackFailed);
        QCOMPARE(report.why, Errc::StateFile);
        QCOMPARE(machine.read(background), "10");
        QCOMPARE(machine.restoreAll().outcome, Outcome::RollbackFailed);
        // One of an earlier boot says nothing about this one.
        const QString lock = machine.path("run/diskwright/lock");
        QVERIFY(QFile::remove(lock));
        QTest::qSleep(20);
        machine.write("run/diskwright/lock", "");
        QVERIFY(QFile::setPermissions(lock, QFile::ReadOwner | QFile::WriteOwner));
        QCOMPARE(machine.restoreAll().outcome, Outcome::Unchanged);
    }

    void whatWasSetAsideIsSaidEachTime()
    {
        RestoringMachine machine;
        ApplyRequest trial = Machine::readAhead(4096);
        trial.trial = std::chrono::seconds(60);
        machine.apply(trial, Outcome::Trial);
        const TransactionId damaged = machine.lastId;
        machine.apply(RestoringMachine::vm(10, 5));
        QVERIFY(machine.state->replace(Folder::Open, toHex(damaged), "half a journal"));
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::RollbackFailed);
        QCOMPARE(report.why, Errc::StateFile);
        QCOMPARE(machine.read(background), "10");
        QCOMPARE(machine.read(readAheadOfA), "4096");
        QCOMPARE(machine.restoreAll().outcome, Outcome::RollbackFailed);
        QCOMPARE(restoreInRescueShell(*machine.journals, machine.nextId()).failed.size(), 1u);
    }

    void aDiskThatLostItsIdToATwinIsOneDisk()
    {
        RestoringMachine machine;
        machine.apply(Machine::readAhead(256));
        machine.giveId("b8:16", "DISK_1", "0x5000c50015ea71ac");
        machine.apply(Machine::readAhead(512, 256));
        const Report report = machine.restoreAll();
        QCOMPARE(report.outcome, Outcome::Undone);
        QCOMPARE(report.steps.size(), 1u);
        QCOMPARE(machine.read(readAheadOfA), "128");
    }

    void disksThatAreGoneFillNoJournal()
    {
        RestoringMachine machine;
        for (const std::uint64_t diskseq : {10U, 11U, 12U}) {
            machine.write("sys/block/sda/diskseq", QByteArray::number(qulonglong{diskseq}) + '\n');
            machine.write(readAheadOfA, "128\n");
            ApplyRequest request = Machine::readAhead(256);
            request.devices[0].diskseq = diskseq;
            machine.apply(request);
        }
        machine.apply(RestoringMachine::vm(10, 5));
        const auto plan = planRestore(*machine.journals).value();
        QCOMPARE(plan.devices.size(), 1u);
        QCOMPARE(plan.devices[0].identity.diskseq, 12u);
        QCOMPARE(machine.restoreAll().outcome, Outcome::Undone);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "10");
    }

    void aDiskThatTookTheNameIsLeftAlone()
    {
        RestoringMachine machine;
        machine.apply(Machine::readAhead(4096));
        machine.write("sys/block/sda/diskseq", "9\n");
        QCOMPARE(machine.restoreAll().outcome, Outcome::Unchanged);
        QCOMPARE(machine.read(readAheadOfA), "4096");
    }

    void killedWhilePuttingBackItGoesOn()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        machine.apply(RestoringMachine::vm(10, 5));
        const auto plan = planRestore(*machine.journals).value();
        Journal journal;
        journal.id = machine.nextId();
        journal.kind = TransactionKind::RestoreAll;
        journal.state = JournalState::Ending;
        journal.bootId = machine.journals->bootId();
        journal.startBoottimeNanoseconds = boottimeNanoseconds();
        journal.kept = true;
        journal.devices = plan.devices;
        journal.items = plan.items;
        QVERIFY(machine.journals->begin(journal));
        // Half of it was done.
        machine.write(background, "10\n");
        QCOMPARE(recoverAtStart(*machine.journals), 0);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "10");
        QVERIFY(machine.store->load().value().set.items.empty());
        QCOMPARE(machine.record(journal.id).outcome, Outcome::Undone);
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
    }

    void inARescueShellWhatCameOfEachIsSaid()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        auto trial = RestoringMachine::vm(10, 5);
        trial.trial = std::chrono::seconds(60);
        machine.apply(trial, Outcome::Trial);
        const RestoreReport report = restoreInRescueShell(*machine.journals, machine.nextId());
        QCOMPARE(report.failed, std::vector<std::string>());
        QCOMPARE(report.done,
                 (std::vector<std::string>{"queue:sda:read_ahead_kb=128 (was 4096)", "kept files removed"}));
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "10");
        QVERIFY(machine.store->load().value().set.items.empty());
    }

    void inARescueShellAnUnwritableRecordStopsNothing()
    {
        RestoringMachine machine;
        machine.apply(Machine::readAhead(4096));
        // An id that was used before is refused as a full disk would be.
        const RestoreReport report = restoreInRescueShell(*machine.journals, machine.lastId);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(report.done, std::vector<std::string>{"queue:sda:read_ahead_kb=128 (was 4096)"});
    }

    void inARescueShellUnreadableRecordsLeaveNothingKept()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        auto trial = RestoringMachine::vm(10, 5);
        trial.trial = std::chrono::seconds(60);
        machine.apply(trial, Outcome::Trial);
        // A folder in a record's place: what is in it can't be read.
        const QString records = machine.path("var/lib/diskwright/record/");
        QVERIFY(QDir().mkpath(records + QString(32, u'0')));
        const RestoreReport report = restoreInRescueShell(*machine.journals, machine.nextId());
        QVERIFY(!report.failed.empty());
        QCOMPARE(machine.read(background), "10");
        QVERIFY(machine.store->load().value().set.items.empty());
        QVERIFY(!machine.store->hasAny());
    }

    void whatAnEarlierBootKeptIsUndone()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        const TransactionId id = machine.lastId;
        machine.apply(RestoringMachine::keeping(RestoringMachine::vm(10, 5)));
        machine.restart();
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::tune()).outcome, Outcome::NotAuthorized);
        machine.write(readAheadOfA, "1024\n");
        const Report stale = machine.run(UndoRequest{id, false}, Machine::plan());
        QCOMPARE(stale.why, Errc::Stale);
        QCOMPARE(stale.culprit, std::optional<std::uint16_t>(0));
        QCOMPARE(machine.store->load().value().set.items.size(), 2u);
        const Report undone = machine.run(UndoRequest{id, true}, Machine::plan());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QVERIFY(!undone.kept);
        QCOMPARE(undone.steps.size(), 1u);
        QCOMPARE(undone.steps[0].after, std::optional<std::int64_t>(128));
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.read(background), "5");
        QCOMPARE(machine.store->load().value().set.items.size(), 1u);
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::plan()).why, Errc::NotUndoable);
    }

    void whatAnEarlierBootKeptIsUndoneForNow()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        const TransactionId id = machine.lastId;
        machine.restart();
        const Report undone = machine.run(UndoRequest{id, false, true}, Machine::tune());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QVERIFY(undone.kept);
        QCOMPARE(machine.read(readAheadOfA), "128");
        QCOMPARE(machine.store->load().value().set.items.size(), 1u);
        QCOMPARE(machine.read("run/diskwright/hold/sda"), "1");
        QCOMPARE(machine.run(UndoRequest{id, false, false}, Machine::plan()).outcome, Outcome::Undone);
        QVERIFY(machine.store->load().value().set.items.empty());
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void anEarlierBootsValueOutOfRangeNeedsARestart()
    {
        RestoringMachine machine;
        machine.write(readAheadOfA, "65536\n");
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096, 65536)));
        const TransactionId id = machine.lastId;
        machine.restart();
        const Report undone = machine.run(UndoRequest{id, false}, Machine::plan());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QCOMPARE(undone.steps[0].result, StepResult::Unsupported);
        QCOMPARE(undone.steps[0].why, Errc::OutOfRange);
        QCOMPARE(machine.read(readAheadOfA), "4096");
        QVERIFY(machine.store->load().value().set.items.empty());
    }

    void anEarlierBootsChangeOfAnAbsentDiskIsKeptNoMore()
    {
        RestoringMachine machine;
        machine.apply(RestoringMachine::keeping(Machine::readAhead(4096)));
        const TransactionId id = machine.lastId;
        machine.restart();
        machine.giveId("b8:0", "DISK_2", "0x5000c50015ea71ad");
        const Report undone = machine.run(UndoRequest{id, false}, Machine::plan());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QCOMPARE(undone.steps[0].result, StepResult::DeviceGone);
        QCOMPARE(machine.read(readAheadOfA), "4096");
        QVERIFY(machine.store->load().value().set.items.empty());
    }

    void theJournalComesFirst()
    {
        RestoringMachine machine;
        machine.apply(Machine::readAhead(4096));
        TransactionId used = machine.lastId;
        const Report report = machine.executor->run({used, RestoreAllRequest{}}, Machine::plan());
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.why, Errc::DuplicateId);
        QCOMPARE(machine.read(readAheadOfA), "4096");
    }
};

QTEST_APPLESS_MAIN(TestRestore)
#include "tst_executor_restore.moc"
