// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/executor/deadline.h"
#include "helper/executor/transaction.h"
#include "machine.h"

#include <QTest>

#include <sys/resource.h>
#include <unistd.h>

using namespace diskwright;
using namespace diskwright::test;

namespace {

// A machine on which a trial runs; its journal can be set to any moment of its life.
struct OnTrial : Machine {
    OnTrial()
    {
        auto request = readAhead(4096);
        request.trial = std::chrono::seconds(60);
        if (run(request, tune()).outcome != Outcome::Trial)
            qFatal("no trial");
        id = toHex(lastId);
    }
    Journal journal() { return loadJournal(*state, Folder::Open, id).value(); }
    void set(const Journal &journal)
    {
        if (!state->replace(Folder::Open, id, encodeJournal(journal)))
            qFatal("can't write the journal");
    }
    QString file() { return path("var/lib/diskwright/txn/") + QString::fromStdString(id); }
    QByteArray readAheadNow() { return read("sys/block/sda/queue/read_ahead_kb"); }
    std::string id;
};

// While it lives, nothing can be opened.
struct NoDescriptors {
    NoDescriptors()
    {
        getrlimit(RLIMIT_NOFILE, &usual);
        const rlimit none{.rlim_cur = 0, .rlim_max = usual.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &usual); }
    rlimit usual{};
};

} // namespace

class TestRecovery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void journalsTravel()
    {
        OnTrial machine;
        Journal journal = machine.journal();
        journal.lease = JournalLease{.states = {{number(1)}, {word("bfq")}}, .mostSwitches = 3};
        journal.kind = TransactionKind::Lease;
        const std::string bytes = encodeJournal(journal);
        QVERIFY(decodeJournal(bytes).value() == journal);
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(!decodeJournal(std::string_view(bytes).substr(0, size)));
        for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
            std::string flipped = bytes;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
            const auto decoded = decodeJournal(flipped);
            QVERIFY(!decoded || encodeJournal(*decoded) == flipped);
        }
    }

    void whatWasBeingWrittenIsPutBack_data()
    {
        QTest::addColumn<int>("state");
        QTest::newRow("writing") << static_cast<int>(JournalState::Writing);
        QTest::newRow("ending") << static_cast<int>(JournalState::Ending);
    }
    void whatWasBeingWrittenIsPutBack()
    {
        QFETCH(int, state);
        OnTrial machine;
        Journal journal = machine.journal();
        journal.state = static_cast<JournalState>(state);
        machine.set(journal);
        QCOMPARE(recoverAtStart(*machine.journals), 0);
        QCOMPARE(machine.readAheadNow(), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QVERIFY(machine.journals->recover().empty());
    }

    void theNextRequestRecoversFirst()
    {
        OnTrial machine;
        Journal journal = machine.journal();
        journal.state = JournalState::Writing;
        machine.set(journal);
        QCOMPARE(machine.run(Machine::readAhead(512), Machine::tune()).outcome, Outcome::Applied);
        QCOMPARE(machine.readAheadNow(), "512");
    }

    void aPassedDeadlineEndsATrial()
    {
        OnTrial machine;
        Journal journal = machine.journal();
        journal.deadlineBoottimeNanoseconds = boottimeNanoseconds();
        machine.set(journal);
        QCOMPARE(machine.journals->recover().size(), 1u);
        QCOMPARE(machine.readAheadNow(), "128");
    }

    void aFinishedJournalIsOnlyFiled()
    {
        OnTrial machine;
        Journal journal = machine.journal();
        journal.state = JournalState::Done;
        journal.outcome = Outcome::Confirmed;
        machine.set(journal);
        machine.journals->recover();
        QCOMPARE(machine.readAheadNow(), "4096");
        QCOMPARE(machine.list("var/lib/diskwright/record").size(), 1);
        QCOMPARE(machine.list("var/lib/diskwright/history").size(), 1);
    }

    void valuesOfAnotherBootAreDiscarded()
    {
        for (const JournalState state :
             {JournalState::Writing, JournalState::Pending, JournalState::Ending}) {
            OnTrial machine;
            Journal journal = machine.journal();
            journal.state = state;
            machine.set(journal);
            machine.write("proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n");
            machine.reopen();
            machine.journals->recover();
            QCOMPARE(machine.readAheadNow(), "4096"); // whatever it is, it is this boot's
            QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
            const QString name =
                QStringLiteral("var/lib/diskwright/history/%1.json").arg(QString::fromStdString(machine.id));
            QVERIFY(machine.read(qPrintable(name)).contains("ended by restart"));
        }
    }

    void aDeviceThatWasReplacedIsNotTouched()
    {
        OnTrial machine;
        Journal journal = machine.journal();
        journal.state = JournalState::Writing;
        machine.set(journal);
        machine.write("sys/block/sda/diskseq", "77\n");
        machine.journals->recover();
        QCOMPARE(machine.readAheadNow(), "4096");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void aDiskThatHasGrownIsPutBackAndHeld()
    {
        OnTrial machine;
        machine.write("sys/block/sda/size", "4096\n");
        auto other = Machine::readAhead(256, 4096);
        other.devices[0].sizeBytes = 4096 * 512;
        QCOMPARE(machine.run(other, Machine::tune()).outcome, Outcome::Busy);
        Journal journal = machine.journal();
        QVERIFY(machine.journals->end(journal));
        QCOMPARE(journal.outcome, Outcome::Ended);
        QCOMPARE(machine.readAheadNow(), "128");
    }

    void aLackOfDescriptorsIsNotADeviceThatIsGone()
    {
        OnTrial machine;
        Journal journal = machine.journal();
        {
            const NoDescriptors none;
            QCOMPARE(Targets(*machine.root, journal).read(journal.items[0]).error().code, Errc::Kernel);
            QVERIFY(!machine.journals->end(journal));
        }
        QCOMPARE(journal.outcome, Outcome::RollbackFailed);
        QCOMPARE(journal.state, JournalState::Ending);
        // The next one goes on with it.
        machine.set(journal);
        machine.journals->recover();
        QCOMPARE(machine.readAheadNow(), "128");
        const auto record = loadJournal(*machine.state, Folder::Record, machine.id).value();
        QCOMPARE(record.outcome, Outcome::Ended);
        QCOMPARE(record.items[0].result, StepResult::RolledBack);
        QCOMPARE(record.items[0].sysErrno, 0);
    }

    void withoutABootIdNothingIsCalledAnotherBoots()
    {
        OnTrial machine;
        QFile::remove(machine.path("proc/sys/kernel/random/boot_id"));
        machine.reopen();
        QCOMPARE(recoverAtStart(*machine.journals), 1);
        QCOMPARE(endAtDeadline(*machine.journals, machine.id, -1), 1);
        QCOMPARE(machine.run(Machine::readAhead(128, 4096), Machine::tune()).why, Errc::StateFile);
        QCOMPARE(machine.journal().state, JournalState::Pending);
    }

    void aForeignHalfProtectsItsPair()
    {
        Machine machine;
        Journal journal;
        journal.items = {{.device = {},
                          .setting = "vm/dirty_bytes",
                          .asked = true,
                          .before = number(0),
                          .wanted = number(1 << 20),
                          .after = number(1 << 20)},
                         {.device = {},
                          .setting = "vm/dirty_ratio",
                          .before = number(20),
                          .wanted = {},
                          .after = number(0)}};
        machine.write("proc/sys/vm/dirty_bytes", "777777152\n");
        machine.write("proc/sys/vm/dirty_ratio", "0\n");
        const Targets targets(*machine.root, journal);
        QVERIFY(markForeign(targets, journal));
        QVERIFY(putBack(targets, journal));
        // The kernel would reset the bytes.
        QCOMPARE(machine.read("proc/sys/vm/dirty_ratio"), "0");
        QCOMPARE(journal.items[0].result, StepResult::Stale);
    }

    void damagedJournalsAreSetAsideUnread_data()
    {
        using Damage = std::function<void(OnTrial &)>;
        QTest::addColumn<Damage>("damage");
        const auto row = [](const char *name, Damage damage) { QTest::newRow(name) << std::move(damage); };
        row("truncated", [](OnTrial &m) { QFile(m.file()).resize(20); });
        row("empty", [](OnTrial &m) { QFile(m.file()).resize(0); });
        row("newer", [](OnTrial &m) {
            std::string bytes = encodeJournal(m.journal());
            bytes[2] = '\2';
            QVERIFY(m.state->replace(Folder::Open, m.id, bytes));
        });
        row("longer", [](OnTrial &m) {
            QVERIFY(m.state->replace(Folder::Open, m.id, encodeJournal(m.journal()) + '\0'));
        });
        row("unknown row", [](OnTrial &m) {
            Journal journal = m.journal();
            journal.items[0].setting = "queue/write_cache";
            m.set(journal);
        });
        row("mode", [](OnTrial &m) {
            QFile::setPermissions(m.file(), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
        });
        row("hard link",
            [](OnTrial &m) { QCOMPARE(::link(qPrintable(m.file()), qPrintable(m.path("other"))), 0); });
        row("a link", [](OnTrial &m) {
            QFile::rename(m.file(), m.path("elsewhere"));
            QCOMPARE(::symlink(qPrintable(m.path("elsewhere")), qPrintable(m.file())), 0);
        });
        row("endless", [](OnTrial &m) { QFile(m.file()).resize(2 * limits::journalBytes); });
        row("another's name", [](OnTrial &m) {
            QFile::rename(m.file(), m.path("var/lib/diskwright/txn/00000000000000000000000000000000"));
        });
        row("no id", [](OnTrial &m) { QFile::rename(m.file(), m.path("var/lib/diskwright/txn/notes")); });
    }
    void damagedJournalsAreSetAsideUnread()
    {
        QFETCH(std::function<void(OnTrial &)>, damage);
        OnTrial machine;
        damage(machine);
        QCOMPARE(machine.journals->recover().size(), 1u);
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.list("var/lib/diskwright/txn/quarantine").size(), 1);
        QCOMPARE(machine.readAheadNow(), "4096");
        QVERIFY(machine.journals->recover().empty());
        QCOMPARE(machine.run(Machine::readAhead(128, 4096), Machine::tune()).outcome, Outcome::Applied);
    }

    void aLinkInPlaceOfAJournalIsNotFollowed()
    {
        OnTrial machine;
        QFile::rename(machine.file(), machine.path("elsewhere"));
        QCOMPARE(::symlink(qPrintable(machine.path("elsewhere")), qPrintable(machine.file())), 0);
        machine.journals->recover();
        QCOMPARE(machine.readAheadNow(), "4096");
        QVERIFY(QFile::exists(machine.path("elsewhere")));
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
    }

    void statesFoldersMustBeOurs()
    {
        Machine machine;
        const std::string runtime = machine.path("run/diskwright").toStdString();
        QCOMPARE(::symlink("/tmp", qPrintable(machine.path("var/lib/link"))), 0);
        QVERIFY(!StateDirectory::open(machine.path("var/lib/link").toStdString(), runtime));
        QDir().mkpath(machine.path("var/lib/open"));
        QFile::setPermissions(machine.path("var/lib/open"), QFile::Permissions::fromInt(0x7777));
        QVERIFY(!StateDirectory::open(machine.path("var/lib/open").toStdString(), runtime));
    }

    void leftoversOfInterruptedWritesAreSwept()
    {
        Machine machine;
        machine.write("var/lib/diskwright/txn/.0123.new", "half");
        machine.write("var/lib/diskwright/history/.0123.json.new", "half");
        QCOMPARE(recoverAtStart(*machine.journals), 0);
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.list("var/lib/diskwright/history"), QStringList());
    }

    void openTransactionsAreBounded()
    {
        Machine machine;
        auto request = Machine::readAhead(4096);
        for (std::size_t at = 0; at < limits::journals; ++at) {
            machine.write(QStringLiteral("sys/block/sd%1/x").arg(at), "");
            Journal journal;
            journal.id = machine.nextId();
            journal.bootId = machine.journals->bootId();
            journal.state = JournalState::Pending;
            journal.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 60'000'000'000;
            journal.items = {{.device = {},
                              .setting = "vm/dirty_ratio",
                              .asked = true,
                              .before = number(20),
                              .wanted = number(20),
                              .after = number(20)}};
            QVERIFY(machine.journals->begin(journal));
        }
        QCOMPARE(machine.run(request, Machine::tune()).why, Errc::StateFile);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }
};

QTEST_APPLESS_MAIN(TestRecovery)

#include "tst_executor_recovery.moc"
