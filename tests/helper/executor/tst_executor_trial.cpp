// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/executor/deadline.h"
#include "machine.h"

#include <QTest>

#include <fcntl.h>
#include <unistd.h>

using namespace diskwright;
using namespace diskwright::test;

class TestTrial : public QObject
{
    Q_OBJECT

    static ApplyRequest trial(std::chrono::seconds seconds)
    {
        auto request = Machine::readAhead(4096);
        request.trial = seconds;
        return request;
    }

    struct Pipe {
        Pipe()
        {
            if (pipe2(ends, O_CLOEXEC) != 0)
                qFatal("no pipe");
        }
        ~Pipe()
        {
            ::close(ends[0]);
            ::close(ends[1]);
        }
        int ends[2] = {-1, -1};
    };

    static LeaseRequest lease()
    {
        LeaseRequest request;
        request.devices = {Machine::disk("sda")};
        request.settings = {{0, "queue/read_ahead_kb", number(128), number(128)},
                            {0, "queue/nr_requests", number(64), number(64)}};
        request.states = {{number(128), number(64)}, {number(4096), number(64)}, {number(8192), number(128)}};
        request.mostSwitches = 4;
        request.duration = std::chrono::seconds(60);
        request.token = Machine::token();
        return request;
    }

private Q_SLOTS:
    void theDeadlineIsKeptBeforeTheFirstWrite()
    {
        Machine machine;
        machine.keeper.refuses = true;
        const Report report = machine.run(trial(std::chrono::seconds(60)), Machine::tune());
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.why, Errc::Internal);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
    }

    void endsAtItsDeadlineOnly()
    {
        Machine machine;
        const std::uint64_t before = boottimeNanoseconds();
        const Report report = machine.run(trial(std::chrono::seconds(1)), Machine::tune());
        QCOMPARE(report.outcome, Outcome::Trial);
        QVERIFY(report.deadlineBoottimeNanoseconds >= before + 1'000'000'000);
        QCOMPARE(machine.keeper.started.size(), 1u);
        QCOMPARE(machine.keeper.started[0].afterNanoseconds, std::uint64_t{1'000'000'000});
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList{QStringLiteral("sda")});
        QVERIFY(machine.journals->recover().empty());
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
        QCOMPARE(endAtDeadline(*machine.journals, toHex(machine.lastId), -1), 0);
        QVERIFY(boottimeNanoseconds() >= report.deadlineBoottimeNanoseconds);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
        // Any number of times.
        QCOMPARE(endAtDeadline(*machine.journals, toHex(machine.lastId), -1), 0);
        const ConfirmRequest late{machine.lastId, Machine::token()};
        QCOMPARE(machine.run(late, Machine::settle()).why, Errc::Expired);
    }

    void endAtDeadlineRefusesOtherNames()
    {
        Machine machine;
        QCOMPARE(endAtDeadline(*machine.journals, "../../etc/passwd", -1), 1);
        QCOMPARE(endAtDeadline(*machine.journals, std::string(32, '0'), -1), 0);
    }

    void onlyTheOwnerConfirms()
    {
        Machine machine;
        QCOMPARE(machine.run(trial(std::chrono::seconds(60)), Machine::tune()).outcome, Outcome::Trial);
        const TransactionId id = machine.lastId;
        Token wrong = Machine::token();
        wrong.back() ^= 1;
        QCOMPARE(machine.run(ConfirmRequest{id, wrong}, Machine::settle()).why, Errc::WrongToken);
        QCOMPARE(machine.run(ConfirmRequest{id, Machine::token()}, Machine::settle(1001)).why,
                 Errc::WrongToken);
        QCOMPARE(machine.run(ConfirmRequest{TransactionId{9}, Machine::token()}, Machine::settle()).why,
                 Errc::UnknownTransaction);
        QCOMPARE(machine.run(ConfirmRequest{id, Machine::token()}, Machine::settle()).outcome,
                 Outcome::Confirmed);
        QCOMPARE(machine.run(ConfirmRequest{id, Machine::token()}, Machine::settle()).why, Errc::Expired);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::tune()).outcome, Outcome::Undone);
    }

    void prolongingIsBounded()
    {
        Machine machine;
        const Report started = machine.run(trial(std::chrono::seconds(60)), Machine::tune());
        const TransactionId id = machine.lastId;
        const auto prolong = [&](int seconds) {
            return machine.run(ProlongRequest{id, Machine::token(), std::chrono::seconds(seconds)},
                               Machine::settle());
        };
        const Report longer = prolong(600);
        QCOMPARE(longer.outcome, Outcome::Prolonged);
        QVERIFY(longer.deadlineBoottimeNanoseconds > started.deadlineBoottimeNanoseconds);
        QCOMPARE(prolong(1801).why, Errc::OutOfRange);
        // Never shorter.
        QCOMPARE(prolong(1).deadlineBoottimeNanoseconds, longer.deadlineBoottimeNanoseconds);
    }

    void endingLeavesForeignChangesAlone()
    {
        Machine machine;
        auto request = trial(std::chrono::seconds(60));
        request.changes.push_back({0, "queue/nr_requests", number(64), number(128)});
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Trial);
        machine.write("sys/block/sda/queue/read_ahead_kb", "512\n");
        const Report report =
            machine.run(EndRequest{machine.lastId, Machine::token(), std::nullopt}, Machine::settle());
        QCOMPARE(report.outcome, Outcome::Ended);
        QCOMPARE(report.why, Errc::Stale);
        QCOMPARE(report.steps[0].result, StepResult::Stale);
        QCOMPARE(report.steps[1].result, StepResult::RolledBack);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "512");
        QCOMPARE(machine.read("sys/block/sda/queue/nr_requests"), "64");
    }

    void theSystemDisksSchedulerIsAlwaysATrial()
    {
        Machine machine;
        ApplyRequest request;
        request.devices = {Machine::disk("sda")};
        request.changes = {{0, "queue/scheduler", word("mq-deadline"), word("bfq")}};
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Trial);
        QCOMPARE(machine.keeper.started.at(0).afterNanoseconds, std::uint64_t{15'000'000'000});
        request.devices = {Machine::disk("sdb")};
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Applied);
        Machine blind;
        QFile::remove(blind.path("proc/self/mountinfo"));
        QCOMPARE(blind.run(request, Machine::tune()).outcome, Outcome::Trial);
    }

    void aTrialHoldsItsDiskAndItsPairs()
    {
        Machine machine;
        auto request = trial(std::chrono::seconds(60));
        request.changes.push_back({std::nullopt, "vm/dirty_ratio", number(20), number(30)});
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Trial);
        QCOMPARE(machine.run(Machine::readAhead(128, 4096), Machine::tune()).outcome, Outcome::Busy);
        ApplyRequest pair;
        pair.changes = {{std::nullopt, "vm/dirty_bytes", number(0), number(std::int64_t{1} << 32)}};
        QCOMPARE(machine.run(pair, Machine::tune()).outcome, Outcome::Busy);
        ApplyRequest other;
        other.devices = {Machine::disk("sdb")};
        other.changes = {{0, "queue/read_ahead_kb", number(128), number(256)}};
        QCOMPARE(machine.run(other, Machine::tune()).outcome, Outcome::Applied);
    }

    void aLeaseMovesAmongItsStatesOnly()
    {
        Machine machine;
        Pipe pipe;
        QCOMPARE(machine.run(lease(), Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.keeper.started.at(0).pipe, pipe.ends[0]);
        const auto move = [&](std::uint8_t state) {
            return machine.run(SwitchRequest{id, Machine::token(), state}, Machine::settle());
        };
        QCOMPARE(move(2).outcome, Outcome::LeaseHeld);
        QCOMPARE(machine.read("sys/block/sda/queue/nr_requests"), "128");
        QCOMPARE(move(3).why, Errc::OutOfRange);
        QCOMPARE(move(0).outcome, Outcome::LeaseHeld);
        QCOMPARE(machine.read("sys/block/sda/queue/nr_requests"), "64");
        QCOMPARE(move(1).outcome, Outcome::LeaseHeld);
        QCOMPARE(move(2).outcome, Outcome::LeaseHeld);
        QCOMPARE(move(1).why, Errc::SwitchLimit);
        QCOMPARE(machine.run(ConfirmRequest{id, Machine::token()}, Machine::settle()).why, Errc::Conflict);
        QCOMPARE(machine.run(lease(), Machine::plan(pipe.ends[0])).why, Errc::Stale);
        QCOMPARE(machine.run(EndRequest{id, Machine::token(), std::nullopt}, Machine::settle()).outcome,
                 Outcome::Ended);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.read("sys/block/sda/queue/nr_requests"), "64");
        QCOMPARE(machine.list("var/lib/diskwright/history").size(), 1);
    }

    void aLeaseMayStayAndBeUndone()
    {
        Machine machine;
        Pipe pipe;
        QCOMPARE(machine.run(lease(), Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        const TransactionId id = machine.lastId;
        const Report stayed =
            machine.run(EndRequest{id, Machine::token(), std::uint8_t{1}}, Machine::settle());
        QCOMPARE(stayed.outcome, Outcome::Applied);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::tune()).outcome, Outcome::Undone);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void aForeignChangeEndsALeaseAndStays()
    {
        Machine machine;
        Pipe pipe;
        QCOMPARE(machine.run(lease(), Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 2}, Machine::settle()).outcome,
                 Outcome::LeaseHeld);
        machine.write("sys/block/sda/queue/read_ahead_kb", "512\n");
        const Report report = machine.run(SwitchRequest{id, Machine::token(), 1}, Machine::settle());
        QCOMPARE(report.outcome, Outcome::Ended);
        QCOMPARE(report.why, Errc::Stale);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "512");
        QCOMPARE(machine.read("sys/block/sda/queue/nr_requests"), "64");
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 1}, Machine::settle()).why, Errc::Expired);
    }

    void aLeaseNeedsALivingPipeAndIsOneAUser()
    {
        Machine machine;
        QCOMPARE(machine.run(lease(), Machine::plan()).why, Errc::Cancelled);
        Pipe pipe;
        QCOMPARE(machine.run(lease(), Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        LeaseRequest other = lease();
        other.devices = {Machine::disk("sdb")};
        QCOMPARE(machine.run(other, Machine::plan(pipe.ends[0])).outcome, Outcome::Busy);
    }

    void aLeaseEndsWithItsPipe()
    {
        Machine machine;
        Pipe pipe;
        QCOMPARE(machine.run(lease(), Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 2}, Machine::settle()).outcome,
                 Outcome::LeaseHeld);
        ::close(std::exchange(pipe.ends[1], -1));
        QCOMPARE(endAtDeadline(*machine.journals, toHex(id), pipe.ends[0]), 0);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
    }

    void theFirstStateIsAllThatWasSo()
    {
        Machine machine;
        machine.write("sys/block/sdb/queue/iosched/read_expire", "100\n");
        Pipe pipe;
        LeaseRequest request = lease();
        request.devices = {Machine::disk("sdb")};
        request.settings = {{0, "queue/scheduler", word("mq-deadline"), word("mq-deadline")}};
        request.states = {{word("mq-deadline")}, {word("none")}};
        QCOMPARE(machine.run(request, Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 1}, Machine::settle()).outcome,
                 Outcome::LeaseHeld);
        // As the kernel does.
        machine.write("sys/block/sdb/queue/nr_requests", "256\n");
        machine.write("sys/block/sdb/queue/iosched/read_expire", "500\n");
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 0}, Machine::settle()).outcome,
                 Outcome::LeaseHeld);
        QCOMPARE(machine.read("sys/block/sdb/queue/scheduler"), "mq-deadline");
        QCOMPARE(machine.read("sys/block/sdb/queue/nr_requests"), "64");
        QCOMPARE(machine.read("sys/block/sdb/queue/iosched/read_expire"), "100");
    }

    void aLeaseMayBeginOutsideTheBounds()
    {
        Machine machine;
        Pipe pipe;
        LeaseRequest request = lease();
        request.devices = {};
        request.settings = {{std::nullopt, "vm/dirty_bytes", number(0), number(0)}};
        request.states = {{number(0)}, {number(std::int64_t{1} << 32)}};
        QCOMPARE(machine.run(request, Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 1}, Machine::settle()).outcome,
                 Outcome::LeaseHeld);
        machine.write("proc/sys/vm/dirty_ratio", "0\n");
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 0}, Machine::settle()).outcome,
                 Outcome::LeaseHeld);
        QCOMPARE(machine.read("proc/sys/vm/dirty_ratio"), "20");
    }

    void stayingIsSeenFromTheBeginning()
    {
        Machine machine;
        Pipe pipe;
        LeaseRequest request = lease();
        request.states[2] = request.states[1];
        QCOMPARE(machine.run(request, Machine::plan(pipe.ends[0])).outcome, Outcome::LeaseHeld);
        const TransactionId id = machine.lastId;
        QCOMPARE(machine.run(SwitchRequest{id, Machine::token(), 1}, Machine::settle()).outcome,
                 Outcome::LeaseHeld);
        auto journal = loadJournal(*machine.state, Folder::Open, toHex(id)).value();
        journal.lease->mostSwitches = journal.lease->switches = limits::mostLeaseSwitches;
        QVERIFY(machine.journals->update(journal));
        QCOMPARE(machine.run(EndRequest{id, Machine::token(), std::uint8_t{2}}, Machine::settle()).outcome,
                 Outcome::Applied);
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::tune()).outcome, Outcome::Undone);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void leaseStatesAreValidatedAll()
    {
        Machine machine;
        Pipe pipe;
        LeaseRequest request = lease();
        request.states[2][0] = number(3);
        const Report report = machine.run(request, Machine::plan(pipe.ends[0]));
        QCOMPARE(report.why, Errc::NotAMultiple);
        QCOMPARE(report.culprit, std::optional<std::uint16_t>(0));
        request = lease();
        request.states[0][0] = number(256);
        QCOMPARE(machine.run(request, Machine::plan(pipe.ends[0])).why, Errc::Malformed);
    }
};

QTEST_APPLESS_MAIN(TestTrial)

#include "tst_executor_trial.moc"
