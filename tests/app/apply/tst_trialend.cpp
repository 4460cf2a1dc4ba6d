// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/trialend.h"

#include "sessionrig.h"

#include "app/apply/describe.h"
#include "app/apply/random.h"

#include <QSignalSpy>
#include <QTimer>

#include <latch>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace diskwright;
using namespace diskwright::test;
using namespace std::chrono_literals;

class TrialEndTest : public QObject, private SessionRig
{
    Q_OBJECT

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void resumesAfterACrash();
    void waitsForAnAuthorization();
    void asksForAPasswordAndTriesNothing();
    void settlingDoesNotLoseWhatMayBegin();
    void aTrialThatNobodySpokeOfHasNoEnd();
    void whatIsNotRecordedIsNotPutBack();
    void tellsWhatWasLeftToOthers();
    void eachItemHasOneEnd();
    void limitsThatDriftAreNoChange_data();
    void limitsThatDriftAreNoChange();
    void aDiskThatHangsHoldsNobody();
    void awaitsWhatBecameOfATrial_data();
    void awaitsWhatBecameOfATrial();
    void confirmedIsNotWhatSomebodyChanged();
};

void TrialEndTest::resumesAfterACrash()
{
    const auto record = [](std::uint64_t deadline) {
        TrialRecord trial;
        trial.transaction = randomId();
        trial.bootId = currentBootId();
        trial.startedBoottimeNanoseconds = 1;
        trial.deadlineBoottimeNanoseconds = deadline;
        trial.answered = true;
        return trial;
    };
    const TrialRecord running = record(in(60s));
    const TrialRecord over = record(2);
    TrialRecord noTrial = record(1);
    noTrial.startedBoottimeNanoseconds = 1;
    for (const TrialRecord &trial : {running, over, noTrial})
        QVERIFY(m_store->save(trial));
    const auto ended = m_session->resume();
    QCOMPARE(ended.size(), 1U);
    QVERIFY(ended[0].record == over);
    QVERIFY(ended[0].outcome == Outcome::Ended && ended[0].isProven);
    QCOMPARE(m_session->pendingTrials().size(), 1U);
    QVERIFY(m_session->pendingTrials().front().record == running);
    QVERIFY(m_session->resume().empty());
}

// The password prompt is open, longer than the trial shall take; another program of the user looks meanwhile.
void TrialEndTest::waitsForAnAuthorization()
{
    std::optional<ApplyReport> answer;
    m_session->apply(somePlan(), 5s, false, [&](const ApplyReport &report) { answer = report; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    const TransactionId id = m_helper->calls()[0].request->id;
    TrialRecord record = *m_store->load(id);
    record.startedBoottimeNanoseconds -= 6'000'000'000U;
    record.deadlineBoottimeNanoseconds -= 6'000'000'000U;
    QVERIFY(m_store->save(record));
    QVERIFY(ApplySession(*m_client, *m_store).resume().empty());
    QVERIFY(m_store->load(id));
    // And should it be lost all the same, it comes back with the answer.
    m_store->remove(id);
    Report report = applied(m_helper->calls()[0], Outcome::Trial);
    report.deadlineBoottimeNanoseconds = in(5s);
    m_helper->answer(success(report));
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    const auto saved = m_store->load(id);
    QVERIFY(saved && saved->answered && saved->token == record.token);
    QCOMPARE(saved->deadlineBoottimeNanoseconds, report.deadlineBoottimeNanoseconds);
    QCOMPARE(saved->startedBoottimeNanoseconds + 5'000'000'000U, report.deadlineBoottimeNanoseconds);
    QVERIFY(saved->items[1].after == number(16));
    m_helper->setScript(
        [](const FakeHelper::Call &call) { return success(applied(call, Outcome::Confirmed)); });
    QVERIFY(wait([&](auto done) { m_session->confirm(id, done); }).outcome == Outcome::Confirmed);
    // Nobody will answer for it any more once the prompt can't be open any longer.
    record.deadlineBoottimeNanoseconds = 2;
    record.startedBoottimeNanoseconds = 1;
    record.items.clear();
    QVERIFY(m_store->save(record));
    QVERIFY(m_session->resume().empty() || boottimeNanoseconds() < 132'000'000'000U);
}

void TrialEndTest::asksForAPasswordAndTriesNothing()
{
    std::optional<ApplyReport> answer;
    m_session->apply(somePlan(), 60s, false, [&](const ApplyReport &report) { answer = report; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    ApplySession other(*m_client, *m_store);
    QCOMPARE(tokens().size(), 1);
    QVERIFY(m_session->pendingTrials().empty() && other.pendingTrials().empty());
    Report report = applied(m_helper->calls()[0], Outcome::Trial);
    report.deadlineBoottimeNanoseconds = in(60s);
    m_helper->answer(success(report));
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QCOMPARE(m_session->pendingTrials().size(), 1U);
    QCOMPARE(other.pendingTrials().size(), 1U);
}

void TrialEndTest::settlingDoesNotLoseWhatMayBegin()
{
    std::optional<ApplyReport> answer;
    m_session->apply(somePlan(), 60s, false, [&](const ApplyReport &report) { answer = report; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    const FakeHelper::Call begun = m_helper->calls()[0];
    const TransactionId id = begun.request->id;
    // The helper does not know it yet, whichever program asks.
    m_helper->setScript([](const FakeHelper::Call &call) {
        return success(reportTo(call, Outcome::Refused, Errc::UnknownTransaction));
    });
    ApplySession other(*m_client, *m_store);
    QVERIFY(wait([&](auto done) { other.confirm(id, done); }).why == Errc::UnknownTransaction);
    QCOMPARE(tokens().size(), 1);
    QVERIFY(wait([&](auto done) { m_session->confirm(id, done); }).why == Errc::UnknownTransaction);
    QCOMPARE(tokens().size(), 1);
    m_store->remove(id);
    Report report = applied(begun, Outcome::Trial);
    report.deadlineBoottimeNanoseconds = in(60s);
    m_helper->answer(success(report));
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QVERIFY(m_store->load(id) && m_store->load(id)->answered);
    // Now it is known; what is over then is over.
    QVERIFY(wait([&](auto done) { m_session->confirm(id, done); }).why == Errc::UnknownTransaction);
    QVERIFY(tokens().isEmpty());
    // Of a program that was killed nothing begins any more.
    TrialRecord left;
    left.transaction = randomId();
    left.bootId = currentBootId();
    left.deadlineBoottimeNanoseconds = in(60s);
    left.clientPid = ::getpid();
    left.clientStartTicks = startOfProcess(left.clientPid) + 1;
    QVERIFY(m_store->save(left));
    QVERIFY(wait([&](auto done) { m_session->confirm(left.transaction, done); }).why ==
            Errc::UnknownTransaction);
    QVERIFY(tokens().isEmpty());
}

static TrialRecord endedTrial()
{
    TrialRecord record;
    record.transaction = randomId();
    record.bootId = currentBootId();
    record.answered = true;
    record.startedBoottimeNanoseconds = 1;
    record.deadlineBoottimeNanoseconds = 2;
    record.items.push_back({{Domain::Vm, "", "dirty_ratio"}, {}, {}, number(20), number(15), number(16)});
    return record;
}

void TrialEndTest::aTrialThatNobodySpokeOfHasNoEnd()
{
    write(u"proc/sys/vm/dirty_ratio"_s, "20\n");
    TrialRecord record = endedTrial();
    record.answered = false;
    record.answerLost = true;
    QVERIFY(m_store->save(record));
    const ApplyReport report =
        wait([&](auto done) { m_session->awaitEnd(record.transaction, stepsOf(record), done); });
    QVERIFY2(report.isUnknown() && report.endNotRecorded, qPrintable(describe(report)));
    QCOMPARE(tokens().size(), 1);
}

static QByteArray recordedStep(const QByteArray &setting, const QByteArray &numbers, const QByteArray &result)
{
    return R"({"setting":")" + setting + R"(","id":null,)" + numbers + R"(,"result":")" + result +
           R"(","errno":0,"message":""})";
}

static QByteArray recordedTrial(const TransactionId &id, const QByteArray &outcome, const QByteArray &steps)
{
    return R"({"transaction":")" + QByteArray::fromStdString(toHex(id)) +
           R"(","time":1,"boot_id":"","uid":0,"outcome":")" + outcome +
           R"(","lease":false,"kept":false,"undoable":true,"reason":"","steps":[)" + steps + "]}";
}

static QString historyFile(const TransactionId &id)
{
    return u"var/lib/diskwright/history/"_s + QString::fromStdString(toHex(id)) + u".json"_s;
}

void TrialEndTest::tellsWhatWasLeftToOthers()
{
    TrialRecord record = endedTrial();
    record.items.push_back({{Domain::Vm, "", "swappiness"}, {}, {}, number(60), number(10), number(10)});
    QVERIFY(m_store->save(record));
    write(historyFile(record.transaction),
          recordedTrial(
              record.transaction, "rolled-back",
              recordedStep("vm::dirty_ratio", R"("before":20,"requested":15,"after":30)", "stale") + ',' +
                  recordedStep("vm::swappiness", R"("before":60,"requested":10,"after":60)", "rolled-back")));
    const auto ended = m_session->resume();
    QCOMPARE(ended.size(), 1U);
    QVERIFY(ended[0].hasForeign());
    const QString text = describe(ended[0]);
    QVERIFY2(text.contains(u"Put back: vm::swappiness = 60. Left"_s), qPrintable(text));
    QVERIFY2(text.contains(u"vm::dirty_ratio = 30"_s) && !text.contains(u"dirty_ratio = 20"_s),
             qPrintable(text));
}

static const Address limit{Domain::Bdi, "sdb", "max_bytes"};

void TrialEndTest::eachItemHasOneEnd()
{
    EndedTrial trial;
    for (const char *disk : {"sda", "sdb", "sdc", "sdd"})
        trial.record.items.push_back({{Domain::Queue, disk, "nr_requests"},
                                      {},
                                      {},
                                      Value(std::int64_t{64}),
                                      Value(std::int64_t{128})});
    // Nothing is recorded of a trial that the values proved: all is as before.
    QCOMPARE(partsOf(trial).back.size(), 4U);
    const std::vector results{StepResult::RolledBack, StepResult::Stale, StepResult::DeviceGone};
    for (std::size_t at = 0; at < results.size(); ++at) {
        HistoryStep step;
        step.address = trial.record.items[at].address;
        step.after = Value(static_cast<std::int64_t>(100 + at));
        step.result = results[at];
        trial.steps.push_back(step);
    }
    // Of the last one the record says nothing: it is not called put back.
    const TrialParts parts = partsOf(trial);
    QVERIFY(parts.back == std::vector<const TrialRecord::Item *>{&trial.record.items[0]});
    QVERIFY(parts.left.size() == 1 && parts.left[0].item == &trial.record.items[1]);
    QVERIFY(parts.left[0].now == Value(std::int64_t{101}));
    QVERIFY(parts.gone == std::vector<const TrialRecord::Item *>{&trial.record.items[2]});
}

void TrialEndTest::limitsThatDriftAreNoChange_data()
{
    QTest::addColumn<QByteArray>("recorded");
    QTest::addColumn<QByteArray>("share");
    QTest::addColumn<int>("code");
    QTest::newRow("put back") << QByteArray("rolled-back") << QByteArray("20000") << 0;
    QTest::newRow("confirmed") << QByteArray("confirmed") << QByteArray("40000") << 0;
    QTest::newRow("not recorded, but back") << QByteArray() << QByteArray("20000") << 0;
    QTest::newRow("not recorded") << QByteArray() << QByteArray("40000") << 6;
}

// The bytes are a share of a limit that moves with the free memory: here they read a tenth higher.
void TrialEndTest::limitsThatDriftAreNoChange()
{
    QFETCH(QByteArray, recorded);
    QFETCH(QByteArray, share);
    QFETCH(int, code);
    TrialRecord record = endedTrial();
    record.items = {
        {limit, {}, {}, number(30'000'000), number(67'108'864), number(67'100'000), number(20'000)}};
    QVERIFY(m_store->save(record));
    write(u"sys/block/sdb/bdi/max_bytes"_s, share == "20000" ? "33000000\n" : "73000000\n");
    write(u"sys/block/sdb/bdi/max_ratio_fine"_s, share + '\n');
    if (!recorded.isEmpty())
        write(historyFile(record.transaction),
              recordedTrial(record.transaction, recorded,
                            recordedStep("bdi:sdb:max_bytes",
                                         R"("before":30000000,"requested":67108864,"after":30000000)",
                                         recorded == "confirmed" ? "applied" : recorded)));
    const ApplyReport report =
        wait([&](auto done) { m_session->awaitEnd(record.transaction, stepsOf(record), done); });
    QVERIFY(report.steps[0].after.has_value());
    QVERIFY2(exitCode(report) == code, qPrintable(describe(report)));
}

void TrialEndTest::aDiskThatHangsHoldsNobody()
{
    TrialRecord record = endedTrial();
    record.items.push_back(
        {{Domain::Queue, "sda", "nr_requests"}, {}, {}, number(64), number(128), number(128)});
    QVERIFY(m_store->save(record));
    write(u"proc/sys/vm/dirty_ratio"_s, "20\n");
    // It ends with the test; the session has gone on long before.
    const auto hangs = std::make_shared<std::latch>(1);
    m_session->setReader(CurrentReader(
        [hangs](const Address &address, const QString &root) {
            if (address.target == "sda")
                hangs->wait();
            return readCurrent(address, root);
        },
        20ms));
    const ApplyReport report =
        wait([&](auto done) { m_session->awaitEnd(record.transaction, stepsOf(record), done); });
    QVERIFY(report.isUnknown() && report.endNotRecorded);
    QVERIFY(report.steps[0].after == number(20));
    QVERIFY(!report.steps[1].after);
    const auto told = m_session->resume();
    QCOMPARE(told.size(), 1U);
    QVERIFY(!told[0].isProven && !told[0].now.at(1));
    hangs->count_down();
}

void TrialEndTest::whatIsNotRecordedIsNotPutBack()
{
    write(u"proc/sys/vm/dirty_ratio"_s, "16\n");
    const TrialRecord record = endedTrial();
    QVERIFY(m_store->save(record));
    const auto told = m_session->resume();
    QCOMPARE(told.size(), 1U);
    QVERIFY(!told[0].isProven);
    QVERIFY(told[0].now.at(0) == number(16));
    QVERIFY2(describe(told[0]).contains(u"not recorded"_s) &&
                 describe(told[0]).contains(u"dirty_ratio = 16"_s) &&
                 !describe(told[0]).contains(u"ut back"_s),
             qPrintable(describe(told[0])));
    // It may be open still: the token stays, but it is told once.
    QVERIFY(m_session->resume().empty());
    QVERIFY(m_store->load(record.transaction));
    write(u"proc/sys/vm/dirty_ratio"_s, "20\n");
    const auto back = m_session->resume();
    QCOMPARE(back.size(), 1U);
    QVERIFY(back[0].isProven && back[0].outcome == Outcome::Ended);
    QVERIFY(tokens().isEmpty());
}

void TrialEndTest::awaitsWhatBecameOfATrial_data()
{
    QTest::addColumn<QByteArray>("recorded");
    QTest::addColumn<int>("now");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("ran out") << QByteArray("rolled-back") << 20 << 0 << u"Put back."_s;
    QTest::newRow("ran out, left to others")
        << QByteArray("stale") << 30 << 8 << u"Nothing was put back, since somebody else"_s;
    QTest::newRow("confirmed") << QByteArray("confirmed") << 16 << 0 << u"Confirmed: it stays"_s;
    QTest::newRow("confirmed, then changed") << QByteArray("confirmed") << 30 << 8 << u"nothing of it"_s;
    QTest::newRow("not put back") << QByteArray("rollback-failed") << 16 << 6 << u"not everything"_s;
    QTest::newRow("not recorded") << QByteArray() << 16 << 6 << u"not recorded"_s;
    QTest::newRow("not recorded, but back") << QByteArray() << 20 << 0 << u"Put back."_s;
}

void TrialEndTest::awaitsWhatBecameOfATrial()
{
    QFETCH(QByteArray, recorded);
    QFETCH(int, now);
    QFETCH(int, code);
    QFETCH(QString, says);
    const TrialRecord record = endedTrial();
    QVERIFY(m_store->save(record));
    write(u"proc/sys/vm/dirty_ratio"_s, QByteArray::number(now) + '\n');
    if (!recorded.isEmpty()) {
        const QByteArray result = recorded == "confirmed" ? "adjusted" : recorded;
        const QByteArray outcome = recorded == "stale" ? "rolled-back" : recorded;
        QTimer::singleShot(300, this, [this, id = record.transaction, outcome, result] {
            write(historyFile(id),
                  recordedTrial(
                      id, outcome,
                      recordedStep("vm::dirty_ratio", R"("before":20,"requested":15,"after":16)", result)));
        });
    }
    const ApplyReport report =
        wait([&](auto done) { m_session->awaitEnd(record.transaction, stepsOf(record), done); });
    QVERIFY2(describe(report).contains(says), qPrintable(describe(report)));
    QCOMPARE(exitCode(report), code);
    QVERIFY(report.steps[0].after == number(now));
    QCOMPARE(tokens().size(), report.isUnknown() ? 1 : 0);
}

void TrialEndTest::confirmedIsNotWhatSomebodyChanged()
{
    answerTrial(60s);
    wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
    const auto id = m_session->pendingTrials().front().record.transaction;
    m_helper->setScript([](const FakeHelper::Call &call) {
        Report report = reportTo(call, Outcome::Confirmed);
        report.steps = {{StepResult::Applied, Errc::None, 0, 0, 3},
                        {StepResult::Stale, Errc::Stale, 0, 20, 30}};
        return success(report);
    });
    const ApplyReport report = wait([&](auto done) { m_session->confirm(id, done); });
    QVERIFY2(describe(report).contains(u"not everything"_s), qPrintable(describe(report)));
    QCOMPARE(exitCode(report), 8);
    // It was left at what the kernel kept, not at what was so before the trial or asked for.
    QCOMPARE(describe(report.steps[1]),
             u"Now 30\u00a0%, and no longer 16\u00a0%: somebody else changed it."_s);
}

QTEST_GUILESS_MAIN(TrialEndTest)
#include "tst_trialend.moc"
