// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "keepingmachine.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::test;

class TestKeep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanKeepsAtOnce()
    {
        KeepingMachine machine;
        const Report report = machine.run(machine.keeping(), Machine::plan());
        QCOMPARE(report.outcome, Outcome::Applied);
        QCOMPARE(report.keepWhy, Errc::None);
        QVERIFY(report.kept);
        QCOMPARE(machine.items().size(), 2u);
        QVERIFY(machine.items()[0].value == number(4096));
        QVERIFY(machine.items()[0].original.value == number(128));
        QCOMPARE(machine.items()[0].origin, "Desktop");
        QVERIFY(machine.read("etc/udev/rules.d/80-diskwright.rules").contains("4096"));
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void aTrialKeepsWhenItIsConfirmed()
    {
        KeepingMachine machine;
        const Report started = machine.run(machine.keeping(std::chrono::seconds(60)), Machine::plan());
        QCOMPARE(started.outcome, Outcome::Trial);
        QVERIFY(!started.kept);
        QVERIFY(machine.items().empty());
        const Report confirmed =
            machine.run(ConfirmRequest{machine.lastId, Machine::token()}, Machine::settle());
        QCOMPARE(confirmed.outcome, Outcome::Confirmed);
        QVERIFY(confirmed.kept);
        QCOMPARE(machine.items().size(), 2u);
    }

    void aTrialKeepsOnlyWhatStillHolds()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(machine.keeping(std::chrono::seconds(60)), Machine::plan()).outcome,
                 Outcome::Trial);
        machine.write("proc/sys/vm/dirty_background_ratio", "7\n");
        const Report confirmed =
            machine.run(ConfirmRequest{machine.lastId, Machine::token()}, Machine::settle());
        QCOMPARE(confirmed.outcome, Outcome::Confirmed);
        QVERIFY(!confirmed.kept);
        QCOMPARE(confirmed.keepWhy, Errc::Stale);
        QCOMPARE(confirmed.culprit, std::optional<std::uint16_t>(1));
        QCOMPARE(confirmed.steps[0].result, StepResult::Applied);
        QCOMPARE(confirmed.steps[1].result, StepResult::Stale);
        QCOMPARE(confirmed.steps[1].after, std::optional<std::int64_t>(7));
        QVERIFY(machine.items().empty());
    }

    void aTrialThatEndsKeepsNothing()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(machine.keeping(std::chrono::seconds(60)), Machine::plan()).outcome,
                 Outcome::Trial);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(KeepRequest{id, {0}, {}, false}, Machine::persist()).why, Errc::Conflict);
        QCOMPARE(machine.run(EndRequest{id, Machine::token(), std::nullopt}, Machine::settle()).outcome,
                 Outcome::Ended);
        QCOMPARE(machine.run(KeepRequest{id, {0}, {}, false}, Machine::persist()).why, Errc::Conflict);
        QVERIFY(machine.items().empty());
    }

    void keepingLaterNeedsThatItStillHolds()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(KeepRequest{id, {1}, {}, false}, Machine::persist()).why, Errc::Malformed);
        QCOMPARE(machine.run(KeepRequest{id, {0, 0}, {}, false}, Machine::persist()).why, Errc::Malformed);
        QCOMPARE(machine.run(KeepRequest{TransactionId{9}, {0}, {}, false}, Machine::persist()).why,
                 Errc::UnknownTransaction);
        machine.write("sys/block/sda/queue/read_ahead_kb", "512\n");
        QCOMPARE(machine.run(KeepRequest{id, {0}, {}, false}, Machine::persist()).why, Errc::Stale);
        machine.write("sys/block/sda/queue/read_ahead_kb", "4096\n");
        const Report kept = machine.run(KeepRequest{id, {0}, "by hand", false}, Machine::persist());
        QCOMPARE(kept.outcome, Outcome::Kept);
        QVERIFY(kept.kept);
        QCOMPARE(machine.items().size(), 1u);
    }

    // What comes back when it is forgotten is what a start without it would bring.
    void theOriginalIsWhatThisBootSawFirst()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(Machine::readAhead(512), Machine::tune()).outcome, Outcome::Applied);
        ApplyRequest pair;
        pair.token = Machine::token();
        pair.changes = {{std::nullopt, "vm/dirty_background_bytes", number(0), number(33554432)}};
        QCOMPARE(machine.run(pair, Machine::tune()).outcome, Outcome::Applied);
        ApplyRequest keeping = Machine::readAhead(1024, 512);
        pair.changes[0].expected = number(33554432);
        pair.changes[0].wanted = number(67108864);
        keeping.changes.push_back(pair.changes[0]);
        keeping.keep = true;
        const Report report = machine.run(keeping, Machine::plan());
        QVERIFY(report.kept);
        const auto items = machine.items();
        QCOMPARE(items.size(), 2u);
        QCOMPARE(items[0].original.setting, "queue/read_ahead_kb");
        QVERIFY(items[0].original.value == number(128));
        QCOMPARE(items[1].original.setting, "vm/dirty_background_ratio");
        QVERIFY(items[1].original.value == number(10));
    }

    void keepingIsOfThisBootOnly()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId id = machine.lastId;
        machine.write("proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n");
        machine.reopen();
        QCOMPARE(machine.run(KeepRequest{id, {0}, {}, false}, Machine::persist()).why, Errc::Expired);
        QVERIFY(machine.items().empty());
    }

    void aDiskWithoutAnIdIsAppliedButNotKept()
    {
        KeepingMachine machine;
        ApplyRequest request;
        request.devices = {Machine::disk("sdb")};
        request.changes = {{0, "queue/read_ahead_kb", number(128), number(256)}};
        request.keep = true;
        const Report report = machine.run(request, Machine::plan());
        QCOMPARE(report.outcome, Outcome::Applied);
        QCOMPARE(report.keepWhy, Errc::NoStableId);
        QVERIFY(!report.kept);
        QCOMPARE(machine.read("sys/block/sdb/queue/read_ahead_kb"), "256");
    }

    void keepingNeedsItsAuthorization()
    {
        KeepingMachine machine;
        Caller caller = Machine::plan();
        caller.mayKeep = [] { return false; };
        QCOMPARE(machine.run(machine.keeping(), caller).outcome, Outcome::NotAuthorized);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void aDiskIsHeldWhileItDiffersFromWhatIsKept()
    {
        KeepingMachine machine;
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        QCOMPARE(machine.run(Machine::readAhead(512, 4096), Machine::tune()).outcome, Outcome::Applied);
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList{QStringLiteral("sda")});
        QCOMPARE(machine.read("run/diskwright/hold/sda"), "1");
        QCOMPARE(machine.run(Machine::readAhead(4096, 512), Machine::tune()).outcome, Outcome::Applied);
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void undoForgetsWhatWasKept()
    {
        KeepingMachine machine;
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::tune()).outcome, Outcome::NotAuthorized);
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::plan()).outcome, Outcome::Undone);
        QVERIFY(machine.items().empty());
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void undoForNowLeavesWhatIsKept()
    {
        KeepingMachine machine;
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        const TransactionId id = machine.lastId;
        const auto before = machine.items();
        // No file changes, so the class of the values is enough.
        const Report undone = machine.run(UndoRequest{id, false, true}, Machine::tune());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QVERIFY(undone.kept);
        QCOMPARE(undone.keepWhy, Errc::None);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QVERIFY(machine.items() == before);
        QVERIFY(machine.read("etc/udev/rules.d/80-diskwright.rules").contains("4096"));
        // The rule must not bring it back at the disk's next event.
        QCOMPARE(machine.read("run/diskwright/hold/sda"), "1");
        // It can still be undone for good.
        QCOMPARE(machine.run(UndoRequest{id, false, false}, Machine::plan()).outcome, Outcome::Undone);
        QVERIFY(machine.items().empty());
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
        QCOMPARE(machine.run(UndoRequest{id, false, true}, Machine::plan()).why, Errc::NotUndoable);
    }

    void whatIsNotKeptIsSimplyUndone()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId id = machine.lastId;
        const Report undone = machine.run(UndoRequest{id, false, true}, Machine::tune());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QVERIFY(!undone.kept);
        QCOMPARE(machine.run(UndoRequest{id, false, true}, Machine::tune()).why, Errc::NotUndoable);
    }

    void undoForgetsItsOwnOnly()
    {
        KeepingMachine machine;
        machine.write("run/udev/data/b8:16", "S:disk/by-id/ata-DISK_2\nE:ID_SERIAL=DISK_2\nE:ID_BUS=ata\n");
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        ApplyRequest second;
        second.devices = {Machine::disk("sdb"), Machine::disk("sda")};
        second.changes = {{0, "queue/read_ahead_kb", number(128), number(256)},
                          {1, "queue/nr_requests", number(64), number(128)}};
        second.keep = true;
        QVERIFY(machine.run(second, Machine::plan()).kept);
        QCOMPARE(machine.items().size(), 4u);
        QCOMPARE(machine.run(UndoRequest{machine.lastId, false}, Machine::plan()).outcome, Outcome::Undone);
        QCOMPARE(machine.items().size(), 2u);
        QCOMPARE(machine.items()[0].setting, "queue/read_ahead_kb");
        QVERIFY(machine.items()[0].value == number(4096));
    }

    void undoSaysWhatItCannotForget()
    {
        KeepingMachine machine;
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        const TransactionId id = machine.lastId;
        const char *rules = "etc/udev/rules.d/80-diskwright.rules";
        machine.write(rules, machine.read(rules) + "\n# mine\n");
        const Report undone = machine.run(UndoRequest{id, false}, Machine::plan());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QVERIFY(undone.kept);
        QCOMPARE(undone.keepWhy, Errc::FileChanged);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList{QStringLiteral("sda")});
        // It can be asked for again when the file is ours again.
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::plan()).keepWhy, Errc::FileChanged);
    }

    void keptIsNotedBeforeItIsSo()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId id = machine.lastId;
        // As on a full disk: the record can't be replaced.
        machine.write(("var/lib/diskwright/record/." + toHex(id) + ".new/file").c_str(), "in the way\n");
        const Report refused = machine.run(KeepRequest{id, {0}, {}, false, {}}, Machine::persist());
        QCOMPARE(refused.outcome, Outcome::Refused);
        QCOMPARE(refused.keepWhy, Errc::StateFile);
        QVERIFY(machine.items().empty());
        QVERIFY(!loadJournal(*machine.state, Folder::Record, toHex(id))->kept);
    }

    void aKeepThatFailsIsNotNoted()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId id = machine.lastId;
        machine.write("etc/udev/rules.d/80-diskwright.rules", "# somebody's own\n");
        QVERIFY(!machine.run(KeepRequest{id, {0}, {}, false, {}}, Machine::persist()).kept);
        QVERIFY(!loadJournal(*machine.state, Folder::Record, toHex(id))->kept);
    }

    // Killed after it was finished and before it was moved: what is kept then is moved with it.
    void whatIsKeptBeforeTheMoveIsNotForgottenByIt()
    {
        KeepingMachine machine;
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        const std::string id = toHex(machine.lastId);
        QVERIFY(machine.state->move(Folder::Record, Folder::Open, id));
        auto journal = loadJournal(*machine.state, Folder::Open, id).value();
        QVERIFY(machine.journals->updateRecord(journal));
        QVERIFY(!machine.state->has(Folder::Record, id));
        machine.journals->recover();
        QVERIFY(loadJournal(*machine.state, Folder::Record, id)->kept);
    }

    void forgettingChangesNoRunningValue()
    {
        KeepingMachine machine;
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        ForgetRequest request;
        QCOMPARE(machine.run(request, Machine::persist()).why, Errc::Stale);
        request.bootSetSha256 = machine.store->load().value().hash;
        QCOMPARE(machine.run(request, Machine::persist()).outcome, Outcome::Forgotten);
        QVERIFY(machine.items().empty());
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
    }

    void useAtStartIsASwitch()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(UseAtStartRequest{false}, Machine::persist()).outcome, Outcome::Refused);
        QVERIFY(machine.run(machine.keeping(), Machine::plan()).kept);
        QCOMPARE(machine.run(UseAtStartRequest{false}, Machine::persist()).outcome, Outcome::Applied);
        QCOMPARE(machine.list("etc/udev/rules.d"), QStringList());
        QCOMPARE(machine.run(UseAtStartRequest{true}, Machine::persist()).outcome, Outcome::Applied);
        QCOMPARE(machine.list("etc/udev/rules.d"), QStringList{QStringLiteral("80-diskwright.rules")});
    }
};

QTEST_APPLESS_MAIN(TestKeep)

#include "tst_executor_keep.moc"
