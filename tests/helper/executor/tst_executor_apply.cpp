// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>

using namespace diskwright;
using namespace diskwright::test;
using namespace Qt::StringLiterals;

class TestApply : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesReadsBackAndRecords()
    {
        Machine machine;
        auto request = Machine::readAhead(4096);
        request.changes.push_back({std::nullopt, "vm/dirty_background_ratio", number(10), number(5)});
        request.changes.push_back({0, "queue/scheduler", word("mq-deadline"), word("mq-deadline")});
        const Report report = machine.run(request, Machine::tune());
        QCOMPARE(report.outcome, Outcome::Applied);
        QVERIFY(report.request == machine.lastId);
        QCOMPARE(report.steps.size(), 3u);
        QVERIFY(report.steps[0] == (StepReport{StepResult::Applied, Errc::None, 0, 128, 4096}));
        QVERIFY(report.steps[1] == (StepReport{StepResult::Applied, Errc::None, 0, 10, 5}));
        QVERIFY(report.steps[2] == (StepReport{StepResult::Unchanged, Errc::None, 0, 1, 1}));
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
        QCOMPARE(machine.read("proc/sys/vm/dirty_background_ratio"), "5");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.list("var/lib/diskwright/record").size(), 1);
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
        QVERIFY(machine.keeper.started.empty());
    }

    void historyIsReadableAndComplete()
    {
        Machine machine;
        auto request = Machine::readAhead(4096);
        request.changes.push_back({0, "iosched/mq-deadline/read_expire", number(500), number(224)});
        QCOMPARE(machine.run(request, Machine::tune(1234)).outcome, Outcome::Applied);
        const QString name =
            u"var/lib/diskwright/history/"_s + QString::fromStdString(toHex(machine.lastId)) + u".json"_s;
        const QString path = machine.path(qPrintable(name));
        QCOMPARE(QFile::permissions(path).toInt(), 0x6644);
        const auto entry = QJsonDocument::fromJson(machine.read(qPrintable(name))).object();
        QCOMPARE(entry[u"transaction"].toString().toStdString(), toHex(machine.lastId));
        QCOMPARE(entry[u"uid"].toInt(), 1234);
        QCOMPARE(entry[u"boot_id"].toString(), u"11111111-2222-3333-4444-555555555555"_s);
        QCOMPARE(entry[u"outcome"].toString(), u"applied"_s);
        QVERIFY(entry[u"undoable"].toBool());
        const auto steps = entry[u"steps"].toArray();
        QCOMPARE(steps.size(), 2);
        QCOMPARE(steps[0][u"setting"].toString(), u"queue:sda:read_ahead_kb"_s);
        QCOMPARE(steps[0][u"before"].toInt(), 128);
        QCOMPARE(steps[0][u"requested"].toInt(), 4096);
        QCOMPARE(steps[0][u"after"].toInt(), 4096);
        QVERIFY(steps[0][u"id"].isNull());
        QCOMPARE(steps[1][u"setting"].toString(), u"iosched:sda:mq-deadline/read_expire"_s);
        QVERIFY(!QJsonDocument::fromJson(machine.read(qPrintable(name))).toJson().contains("token"));
    }

    void tokensAreStoredHashedOnly()
    {
        Machine machine;
        auto request = Machine::readAhead(4096);
        request.trial = std::chrono::seconds(60);
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Trial);
        const QByteArray token(reinterpret_cast<const char *>(Machine::token().data()), 32);
        const QString name = u"var/lib/diskwright/txn/"_s + QString::fromStdString(toHex(machine.lastId));
        QVERIFY(!machine.read(qPrintable(name)).contains(token.left(8)));
        QCOMPARE(QFile::permissions(machine.path(qPrintable(name))),
                 QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser);
    }

    void refusals_data()
    {
        using Change_ = std::function<void(ApplyRequest &)>;
        QTest::addColumn<Change_>("change");
        QTest::addColumn<int>("why");
        QTest::addColumn<int>("culprit");
        const auto row = [](const char *name, Errc why, int culprit, Change_ change) {
            QTest::newRow(name) << std::move(change) << static_cast<int>(why) << culprit;
        };
        row("stale", Errc::Stale, 0, [](auto &r) { r.changes[0].expected = number(256); });
        row("out of range", Errc::OutOfRange, 0, [](auto &r) { r.changes[0].wanted = number(32772); });
        row("4294967295", Errc::OutOfRange, 0, [](auto &r) { r.changes[0].wanted = number(4294967295); });
        row("negative", Errc::OutOfRange, 0, [](auto &r) { r.changes[0].wanted = number(-1); });
        row("not a multiple", Errc::NotAMultiple, 0, [](auto &r) { r.changes[0].wanted = number(3); });
        row("a word for a number", Errc::Malformed, 0, [](auto &r) { r.changes[0].wanted = word("128"); });
        for (const char *setting : {"queue/write_cache", "../../power/control", "queue/../ro", "",
                                    "SCHEDULER", "vm/drop_caches", "../kernel/core_pattern",
                                    "kernel.core_pattern", "vm/../kernel/modprobe", "queue/read_ahead_kb "}) {
            row(qPrintable(u"setting %1"_s.arg(QLatin1String(setting))), Errc::UnknownSetting, 0,
                [setting](auto &r) { r.changes[0].setting = setting; });
        }
        for (const char *name :
             {"", ".", "..", "/", "sda/../sdb", "../../kernel", "/dev/sda", "sda\n", "sdz"}) {
            row(qPrintable(u"disk %1"_s.arg(QLatin1String(name))), Errc::UnknownTarget, 0,
                [name](auto &r) { r.devices[0].name = name; });
        }
        row("a partition", Errc::UnknownTarget, 0, [](auto &r) { r.devices[0].name = "sda1"; });
        row("other diskseq", Errc::DeviceChanged, 0, [](auto &r) { r.devices[0].diskseq = 7; });
        row("other size", Errc::DeviceChanged, 0, [](auto &r) { r.devices[0].sizeBytes = 1; });
        row("other number", Errc::DeviceChanged, 0, [](auto &r) { r.devices[0].minor = 1; });
        row("other disk", Errc::DeviceChanged, 0, [](auto &r) { r.devices[0].name = "sdb"; });
        row("no such device index", Errc::Malformed, 0, [](auto &r) { r.changes[0].device = 1; });
        row("no device", Errc::Malformed, 0, [](auto &r) { r.changes[0].device.reset(); });
        row("unused device", Errc::Malformed, -1, [](auto &r) { r.devices.push_back(Machine::disk("sdb")); });
        row("vm with a device", Errc::Malformed, 0, [](auto &r) { r.changes[0].setting = "vm/dirty_ratio"; });
        row("twice", Errc::Conflict, 1, [](auto &r) { r.changes.push_back(r.changes[0]); });
        row("both halves of a pair", Errc::Conflict, 2, [](auto &r) {
            r.changes.push_back({std::nullopt, "vm/dirty_ratio", number(20), number(30)});
            r.changes.push_back({std::nullopt, "vm/dirty_bytes", number(0), number(1 << 20)});
        });
        row("background above dirty", Errc::Conflict, 1, [](auto &r) {
            r.changes.push_back({std::nullopt, "vm/dirty_background_ratio", number(10), number(20)});
        });
        row("bytes below the background's percentage", Errc::Conflict, 1, [](auto &r) {
            r.changes.push_back({std::nullopt, "vm/dirty_bytes", number(0), number(256 << 20)});
        });
        row("dirty_bytes 4096", Errc::OutOfRange, 1,
            [](auto &r) { r.changes.push_back({std::nullopt, "vm/dirty_bytes", number(0), number(4096)}); });
        for (const char *scheduler : {"nosuch", "NONE", " none", "none\nmq-deadline", "bfq;reboot", ""}) {
            row(qPrintable(u"scheduler %1"_s.arg(QLatin1String(scheduler))), Errc::OutOfRange, 1,
                [scheduler](auto &r) {
                    r.changes.push_back({0, "queue/scheduler", word("mq-deadline"), word(scheduler)});
                });
        }
        row("scheduler not offered", Errc::NotOffered, 1,
            [](auto &r) { r.changes.push_back({0, "queue/scheduler", word("mq-deadline"), word("adios")}); });
        row("tunable of another scheduler", Errc::Absent, 2, [](auto &r) {
            r.changes.push_back({0, "queue/scheduler", word("mq-deadline"), word("bfq")});
            r.changes.push_back({0, "iosched/mq-deadline/read_expire", number(500), number(100)});
        });
        row("keep under .tune", Errc::NotAuthorized, -1, [](auto &r) { r.keep = true; });
    }
    void refusals()
    {
        QFETCH(std::function<void(ApplyRequest &)>, change);
        QFETCH(int, why);
        QFETCH(int, culprit);
        Machine machine;
        ApplyRequest request = Machine::readAhead(4096);
        change(request);
        const Report report = machine.run(request, Machine::tune());
        QCOMPARE(static_cast<int>(report.why), why);
        QCOMPARE(report.culprit ? int{*report.culprit} : -1, culprit);
        QCOMPARE(report.outcome,
                 report.why == Errc::NotAuthorized ? Outcome::NotAuthorized : Outcome::Refused);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.read("proc/sys/vm/dirty_ratio"), "20");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
        QCOMPARE(machine.list("var/lib/diskwright/history"), QStringList());
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void readOnlyAttributesAreFoundBeforeAnythingIsWritten()
    {
        Machine machine;
        QFile::setPermissions(machine.path("sys/block/sda/queue/nr_requests"), QFile::ReadOwner);
        auto request = Machine::readAhead(4096);
        request.changes.push_back({0, "queue/nr_requests", number(64), number(128)});
        const Report report = machine.run(request, Machine::tune());
        QCOMPARE(report.why, Errc::ReadOnly);
        QCOMPARE(report.steps[1].result, StepResult::Unsupported);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void dirtyPairsGoThereAndBack()
    {
        Machine machine;
        ApplyRequest request;
        request.changes = {{std::nullopt, "vm/dirty_bytes", number(0), number(1 << 20)},
                           {std::nullopt, "vm/dirty_background_bytes", number(0), number(1 << 19)}};
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Applied);
        const TransactionId applied = machine.lastId;
        // The kernel sets the other halves to 0; here the test does.
        machine.write("proc/sys/vm/dirty_ratio", "0\n");
        machine.write("proc/sys/vm/dirty_background_ratio", "0\n");
        auto record = loadJournal(*machine.state, Folder::Record, toHex(applied)).value();
        for (JournalItem &item : record.items)
            item.after = item.asked ? item.after : std::optional(number(0));
        QVERIFY(machine.journals->updateRecord(record));
        const Report undone = machine.run(UndoRequest{applied, false}, Machine::tune());
        QCOMPARE(machine.read("proc/sys/vm/dirty_ratio"), "20");
        QCOMPARE(machine.read("proc/sys/vm/dirty_background_ratio"), "10");
        // Only the kernel zeroes the other half; 0 itself is never written there.
        QCOMPARE(machine.read("proc/sys/vm/dirty_bytes"), "1048576");
        QCOMPARE(undone.outcome, Outcome::Undone);
        QCOMPARE(undone.steps[0].result, StepResult::Adjusted);
    }

    void anIdIsUsedOnce()
    {
        Machine machine;
        const Request request{machine.nextId(), Machine::readAhead(4096)};
        QCOMPARE(machine.executor->run(request, Machine::tune()).outcome, Outcome::Applied);
        machine.write("sys/block/sda/queue/read_ahead_kb", "128\n");
        const Report again = machine.executor->run(request, Machine::tune());
        QCOMPARE(again.outcome, Outcome::Refused);
        QCOMPARE(again.why, Errc::DuplicateId);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void theSecondOneIsBusy()
    {
        Machine machine;
        const auto lock = machine.state->lock();
        QVERIFY(lock);
        const Report report = machine.run(Machine::readAhead(4096), Machine::tune());
        QCOMPARE(report.outcome, Outcome::Busy);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void aClientThatIsGoneGetsEverythingPutBack()
    {
        Machine machine;
        int ends[2];
        QCOMPARE(pipe2(ends, O_CLOEXEC), 0);
        ::close(ends[1]);
        auto caller = Machine::tune();
        caller.cancel = ends[0];
        const Report report = machine.run(Machine::readAhead(4096), caller);
        ::close(ends[0]);
        QCOMPARE(report.outcome, Outcome::RolledBack);
        QCOMPARE(report.why, Errc::Cancelled);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.list("var/lib/diskwright/txn"), QStringList());
    }

    void onlyTheRightActionCoversAnOperation()
    {
        Machine machine;
        for (const Caller &caller : {Machine::settle(), Machine::persist()})
            QCOMPARE(machine.run(Machine::readAhead(4096), caller).outcome, Outcome::NotAuthorized);
        Caller refusing = Machine::plan();
        refusing.mayChange = [](ActionClass) { return false; };
        QCOMPARE(machine.run(Machine::readAhead(4096), refusing).outcome, Outcome::NotAuthorized);
        for (const Caller &caller : {Machine::tune(), Machine::plan(), Machine::persist()})
            QCOMPARE(machine.run(ConfirmRequest{}, caller).outcome, Outcome::NotAuthorized);
        for (const Caller &caller : {Machine::tune(), Machine::settle()}) {
            QCOMPARE(machine.run(KeepRequest{{}, {0}, {}, false}, caller).outcome, Outcome::NotAuthorized);
            QCOMPARE(machine.run(ForgetRequest{}, caller).outcome, Outcome::NotAuthorized);
            QCOMPARE(machine.run(UseAtStartRequest{}, caller).outcome, Outcome::NotAuthorized);
            QCOMPARE(machine.run(LeaseRequest{}, caller).outcome, Outcome::NotAuthorized);
        }
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void undoRestoresOnce()
    {
        Machine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId applied = machine.lastId;
        const Report undone = machine.run(UndoRequest{applied, false}, Machine::tune());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QVERIFY(undone.steps.at(0) == (StepReport{StepResult::Applied, Errc::None, 0, 4096, 128}));
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.run(UndoRequest{applied, false}, Machine::tune()).why, Errc::NotUndoable);
        QCOMPARE(machine.run(UndoRequest{TransactionId{}, false}, Machine::tune()).why,
                 Errc::UnknownTransaction);
    }

    void undoNamesForeignChangesFirst()
    {
        Machine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId applied = machine.lastId;
        machine.write("sys/block/sda/queue/read_ahead_kb", "512\n");
        const Report refused = machine.run(UndoRequest{applied, false}, Machine::tune());
        QCOMPARE(refused.why, Errc::Stale);
        QCOMPARE(refused.culprit, std::optional<std::uint16_t>(0));
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "512");
        QCOMPARE(machine.run(UndoRequest{applied, true}, Machine::tune()).outcome, Outcome::Undone);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
    }

    void undoGoesOnWithoutADiskThatIsGone()
    {
        Machine machine;
        auto request = Machine::readAhead(4096);
        request.devices.push_back(Machine::disk("sdb"));
        request.changes.push_back({1, "queue/read_ahead_kb", number(128), number(1024)});
        QCOMPARE(machine.run(request, Machine::tune()).outcome, Outcome::Applied);
        const TransactionId applied = machine.lastId;
        machine.write("sys/block/sdb/diskseq", "9\n");
        const Report undone = machine.run(UndoRequest{applied, false}, Machine::tune());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QCOMPARE(undone.why, Errc::None);
        QCOMPARE(undone.steps.at(0).result, StepResult::Applied);
        QCOMPARE(undone.steps.at(1).result, StepResult::DeviceGone);
        QCOMPARE(undone.steps.at(1).why, Errc::DeviceChanged);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.read("sys/block/sdb/queue/read_ahead_kb"), "1024");
        // With all of them gone there is nothing to undo.
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId second = machine.lastId;
        machine.write("sys/block/sda/diskseq", "8\n");
        const Report refused = machine.run(UndoRequest{second, false}, Machine::tune());
        QCOMPARE(refused.outcome, Outcome::Refused);
    }

    // Between the check and the write lie the authorization and the journal: seconds, perhaps.
    void whatChangesMeanwhileIsNotWrittenOver()
    {
        Machine machine;
        auto request = Machine::readAhead(4096);
        request.changes.push_back({0, "queue/nr_requests", number(64), number(32)});
        Caller caller = Machine::plan();
        caller.mayChange = [&](ActionClass) {
            machine.write("sys/block/sda/queue/read_ahead_kb", "2048\n");
            return true;
        };
        const Report report = machine.run(request, caller);
        QCOMPARE(report.outcome, Outcome::RolledBack);
        QCOMPARE(report.steps.at(0).result, StepResult::Stale);
        QCOMPARE(report.steps.at(0).after, std::optional<std::int64_t>(2048));
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "2048");
        QCOMPARE(machine.read("sys/block/sda/queue/nr_requests"), "64");
    }

    void undoAcceptsARecordedValueOutsideTheRange()
    {
        Machine machine;
        machine.write("sys/block/sda/queue/read_ahead_kb", "65537\n");
        QCOMPARE(machine.run(Machine::readAhead(4096, 65537), Machine::tune()).outcome, Outcome::Applied);
        QCOMPARE(machine.run(UndoRequest{machine.lastId, false}, Machine::tune()).outcome, Outcome::Undone);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "65537");
    }

    void undoEndsWithTheBoot()
    {
        Machine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        const TransactionId applied = machine.lastId;
        machine.write("proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n");
        machine.reopen();
        QCOMPARE(machine.run(UndoRequest{applied, false}, Machine::tune()).why, Errc::NotUndoable);
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
    }

    void aThousandTransactionsAreRemembered()
    {
        Machine machine;
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        for (int at = 0; at < 1010; ++at)
            machine.write(u"var/lib/diskwright/history/old%1.json"_s.arg(at), "{}");
        QCOMPARE(machine.run(Machine::readAhead(128, 4096), Machine::tune()).outcome, Outcome::Applied);
        QCOMPARE(machine.list("var/lib/diskwright/history").size(), 1000);
    }
};

QTEST_APPLESS_MAIN(TestApply)

#include "tst_executor_apply.moc"
