// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/executor/patience.h"
#include "helper/executor/writemarks.h"
#include "keepingmachine.h"

#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>

using namespace diskwright;
using namespace diskwright::test;

namespace {

/// A file that whoever opens it for writing waits for, in the kernel, as for a disk that does not answer.
class Stuck final
{
public:
    explicit Stuck(const QString &path)
        : m_fd(::open(qPrintable(path), O_RDONLY | O_CLOEXEC))
    {
        if (fcntl(m_fd.get(), F_SETLEASE, F_RDLCK) != 0)
            qFatal("no lease on %s", qPrintable(path));
    }
    void answer() const { fcntl(m_fd.get(), F_SETLEASE, F_UNLCK); }

private:
    Descriptor m_fd;
};

ApplyRequest twoDisks(std::int64_t ahead)
{
    ApplyRequest request = Machine::readAhead(ahead);
    request.devices.push_back(Machine::disk("sdb"));
    request.changes.push_back({1, "queue/nr_requests", number(64), number(32)});
    return request;
}

} // namespace

class TestPatience : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        std::signal(SIGIO, SIG_IGN);
        setPatience(std::chrono::milliseconds(150));
    }
    void cleanup()
    {
        QVERIFY(QTest::qWaitFor([] { return !isAnyDiskSilent(); }));
    }

    void doneInTime()
    {
        Machine machine;
        bool done = false;
        QVERIFY(isDoneInTime(machine.root->fd(), [&] { done = true; }).value());
        QVERIFY(done);
        QVERIFY(!isAnyDiskSilent());
        QVERIFY(!isDoneInTime(-1, [] {}));
    }

    void aSilentDiskHoldsUpNobodyElse()
    {
        Machine machine;
        const Stuck stuck(machine.path("sys/block/sda/queue/read_ahead_kb"));
        const Report report = machine.run(twoDisks(4096), Machine::tune());
        QCOMPARE(report.outcome, Outcome::RollbackFailed);
        QCOMPARE(report.sysErrno, ETIMEDOUT);
        QCOMPARE(report.steps[0].result, StepResult::RollbackFailed);
        QCOMPARE(report.steps[0].sysErrno, ETIMEDOUT);
        QCOMPARE(machine.read("sys/block/sdb/queue/nr_requests"), "64");
        QVERIFY(isAnyDiskSilent());
        QCOMPARE(machine.list("var/lib/diskwright/txn").size(), 1);
        QVERIFY(machine.state->lock());

        // The other disk is served as ever; the silent one is refused at once, and what is open stays so.
        ApplyRequest other;
        other.devices = {Machine::disk("sdb")};
        other.changes = {{0, "queue/read_ahead_kb", number(128), number(256)},
                         {0, "queue/nr_requests", number(64), number(48)}};
        other.token = Machine::token();
        QCOMPARE(machine.run(other, Machine::tune()).outcome, Outcome::Applied);
        const Report refused = machine.run(Machine::readAhead(256), Machine::tune());
        QCOMPARE(refused.outcome, Outcome::Refused);
        QCOMPARE(refused.why, Errc::Kernel);
        QCOMPARE(refused.sysErrno, ETIMEDOUT);
        QCOMPARE(machine.list("var/lib/diskwright/txn").size(), 1);

        // It answers, and takes what it was told so long ago; whoever comes next puts that back.
        stuck.answer();
        QVERIFY(QTest::qWaitFor([] { return !isAnyDiskSilent(); }));
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
        QCOMPARE(machine.journals->recover().size(), 1u);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        // What was set on the other one since then stays.
        QCOMPARE(machine.read("sys/block/sdb/queue/nr_requests"), "48");
    }

    void puttingEverythingBackWaitsForTheSilentDiskAlone()
    {
        KeepingMachine machine;
        QCOMPARE(machine.run(twoDisks(4096), Machine::tune()).outcome, Outcome::Applied);
        const Stuck stuck(machine.path("sys/block/sda/queue/read_ahead_kb"));
        QCOMPARE(machine.run(RestoreAllRequest{}, Machine::plan()).outcome, Outcome::RollbackFailed);
        QCOMPARE(machine.read("sys/block/sdb/queue/nr_requests"), "64");
        QCOMPARE(machine.list("var/lib/diskwright/txn").size(), 1);

        ApplyRequest later;
        later.changes = {{std::nullopt, "vm/dirty_background_ratio", number(10), number(5)}};
        later.keep = true;
        QVERIFY(machine.run(later, Machine::plan()).kept);
        const TransactionId kept = machine.lastId;
        ApplyRequest requests;
        requests.devices = {Machine::disk("sdb")};
        requests.changes = {{0, "queue/nr_requests", number(64), number(48)}};
        QCOMPARE(machine.run(requests, Machine::tune()).outcome, Outcome::Applied);

        stuck.answer();
        QVERIFY(QTest::qWaitFor([] { return !isAnyDiskSilent(); }));
        machine.journals->recover();
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.read("sys/block/sdb/queue/nr_requests"), "48");
        QCOMPARE(machine.read("proc/sys/vm/dirty_background_ratio"), "5");
        QCOMPARE(machine.items().size(), 1u);
        QVERIFY(loadJournal(*machine.state, Folder::Record, toHex(kept))->kept);
    }

    void aWriteThatWaitsInAnotherProgramIsKnown()
    {
        Machine machine;
        ApplyRequest request = Machine::readAhead(4096);
        request.trial = std::chrono::seconds(60);
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Trial);
        machine.write("sys/block/sda/queue/read_ahead_kb", "128\n");
        {
            // What is there looks as if it were back already, but somebody's write has not arrived.
            const WriteMarks marks(*machine.root);
            const auto mark = marks.set(Machine::disk("sda").diskseq);
            QVERIFY(mark);
            QVERIFY(marks.isSet(1));
            QVERIFY(!marks.isSet(2));
            QCOMPARE(marks.set(1).error().sysErrno, ETIMEDOUT);
            auto open = machine.journals->pending().value();
            QVERIFY(!machine.journals->end(open.at(0)));
            QCOMPARE(machine.list("var/lib/diskwright/txn").size(), 1);
        }
        machine.write("sys/block/sda/queue/read_ahead_kb", "4096\n");
        QCOMPARE(machine.journals->recover().size(), 1u);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        struct stat file = {};
        QCOMPARE(::stat(qPrintable(machine.path("run/diskwright/writes")), &file), 0);
        QCOMPARE(file.st_mode & 07777, mode_t{0600});
    }

    void aTrialOnASilentDiskStaysOpen()
    {
        Machine machine;
        ApplyRequest request = Machine::readAhead(4096);
        request.trial = std::chrono::seconds(60);
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Trial);
        const TransactionId trial = machine.lastId;
        const Stuck stuck(machine.path("sys/block/sda/queue/read_ahead_kb"));
        const Report report = machine.run(EndRequest{trial, Machine::token(), {}}, Machine::settle());
        QCOMPARE(report.outcome, Outcome::RollbackFailed);
        QCOMPARE(report.why, Errc::Kernel);
        QCOMPARE(machine.list("var/lib/diskwright/txn").size(), 1);
        stuck.answer();
        QVERIFY(QTest::qWaitFor([] { return !isAnyDiskSilent(); }));
        machine.journals->recover();
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
    }
};

QTEST_APPLESS_MAIN(TestPatience)
#include "tst_patience.moc"
