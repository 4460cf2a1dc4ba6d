// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/applysession.h"

#include "sessionrig.h"

#include "app/apply/describe.h"
#include "app/apply/random.h"

#include <QSignalSpy>
#include <QTimer>

using namespace Qt::StringLiterals;
using namespace diskwright;
using namespace diskwright::test;
using namespace std::chrono_literals;

class ApplySessionTest : public QObject, private SessionRig
{
    Q_OBJECT

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void joinsTheAnswerWithThePlan();
    void tokenIsOnDiskBeforeTheCall();
    void withoutATokenThereIsNoCall();
    void nothingToDoAsksNobody();
    void refusesWhatCantBeKept();
    void choosesTheAction();
    void systemDiskIsAlwaysATrial();
    void refusesImpossibleTrials();
    void trialIsRememberedUntilConfirmed();
    void aRefusedTrialIsNone();
    void endsATrial();
    void prolongsATrial();
    void forgetsATrialThatIsUnknownToTheHelper();
    void keepsTheTokenWhenTheHelperIsBusy();
    void settlesOnlyOnesOwn();
    void deadlinePasses();
    void saysHowMuchMoreTimeThereIs();
    void givesUpWaiting();
    void readsWhatIsStale();
    void undoesWithoutAReadableHistory();
    void lostAnswersAreUnknown();
    void deniedLeavesNothingBehind();
    void cancelClosesThePipe();
    void undoesFromHistory();
    void keepsAndForgets();
};

void ApplySessionTest::joinsTheAnswerWithThePlan()
{
    m_helper->setScript(
        [](const FakeHelper::Call &call) { return success(applied(call, Outcome::Adjusted)); });
    QSignalSpy changed(m_session.get(), &ApplySession::systemChanged);
    const ApplyReport report =
        wait([&](auto done) { m_session->apply(somePlan(), 0s, false, done, "Music"); });
    QVERIFY(report.call == CallState::Answered);
    QVERIFY(report.outcome == Outcome::Adjusted);
    QCOMPARE(report.steps.size(), 2U);
    QCOMPARE(toText(report.steps[0].address), "queue:sda:scheduler");
    QCOMPARE(report.steps[0].displayName, "870 EVO");
    QVERIFY(report.steps[0].before == word("none"));
    QVERIFY(report.steps[0].after == word("bfq"));
    QVERIFY(report.steps[1].result == StepResult::Adjusted);
    QVERIFY(report.steps[1].after == number(16));
    QCOMPARE(changed.count(), 1);
    QVERIFY(tokens().isEmpty());
    QVERIFY(!m_session->isRunning());

    const auto &request = *m_helper->calls().front().request;
    QCOMPARE(report.transaction, toHex(request.id));
    const auto &apply = std::get<ApplyRequest>(request.operation);
    QCOMPARE(apply.origin, "Music");
    QCOMPARE(apply.changes[0].setting, "queue/scheduler");
    QVERIFY(apply.changes[0].expected == word("none"));
    QVERIFY(!apply.changes[1].device);
}

void ApplySessionTest::tokenIsOnDiskBeforeTheCall()
{
    std::optional<TrialRecord> seen;
    m_helper->setScript([&](const FakeHelper::Call &call) {
        const auto loaded = m_store->load(call.request->id);
        if (loaded)
            seen = *loaded;
        return success(applied(call));
    });
    wait([&](auto done) { m_session->apply(somePlan(), 0s, false, done); });
    QVERIFY(seen);
    const auto &apply = std::get<ApplyRequest>(m_helper->calls().front().request->operation);
    QVERIFY(seen->token == apply.token);
    QVERIFY(seen->token != Token{});
    QCOMPARE(seen->bootId, currentBootId());
}

void ApplySessionTest::withoutATokenThereIsNoCall()
{
    write(u"state"_s, "in the way");
    const ApplyReport report = wait([&](auto done) { m_session->apply(somePlan(), 15s, false, done); });
    QVERIFY(report.tokenNotSaved);
    QVERIFY(report.outcome == Outcome::Refused);
    QVERIFY(report.why == Errc::StateFile);
    QVERIFY(report.sysErrno != 0);
    QVERIFY(m_helper->calls().empty());
}

void ApplySessionTest::nothingToDoAsksNobody()
{
    const ApplyReport report = wait([&](auto done) { m_session->apply({}, 0s, false, done); });
    QVERIFY(report.outcome == Outcome::Unchanged);
    QVERIFY(m_helper->calls().empty());
}

void ApplySessionTest::refusesWhatCantBeKept()
{
    const ApplyReport noSystemd = wait([&](auto done) { m_session->apply(somePlan(), 0s, true, done); });
    QVERIFY(noSystemd.outcome == Outcome::Refused);
    QVERIFY(noSystemd.why == Errc::NeedsSystemd);
    makeKeepable();
    Plan nameless = somePlan();
    nameless.steps[0].diskId.clear();
    const ApplyReport noId = wait([&](auto done) { m_session->apply(nameless, 0s, true, done); });
    QVERIFY(noId.why == Errc::NoStableId);
    QCOMPARE(noId.culprit.value(), 0U);
    QVERIFY(m_helper->calls().empty());
    QVERIFY(tokens().isEmpty());
}

void ApplySessionTest::choosesTheAction()
{
    makeKeepable();
    m_helper->setScript([](const FakeHelper::Call &call) { return success(applied(call)); });
    wait([&](auto done) { m_session->apply(somePlan(), 0s, false, done); });
    wait([&](auto done) { m_session->apply(somePlan(), 0s, true, done); });
    Plan mixed = somePlan();
    mixed.severalClasses = true;
    wait([&](auto done) { m_session->apply(mixed, 0s, false, done); });
    QCOMPARE(m_helper->calls()[0].action, u"org.diskwright.helper.tune"_s);
    QCOMPARE(m_helper->calls()[1].action, u"org.diskwright.helper.plan"_s);
    QVERIFY(std::get<ApplyRequest>(m_helper->calls()[1].request->operation).keep);
    QCOMPARE(m_helper->calls()[2].action, u"org.diskwright.helper.plan"_s);
}

void ApplySessionTest::systemDiskIsAlwaysATrial()
{
    answerTrial(15s);
    wait([&](auto done) { m_session->apply(somePlan(true), 0s, false, done); });
    QVERIFY(std::get<ApplyRequest>(m_helper->calls()[0].request->operation).trial == 15s);
}

void ApplySessionTest::refusesImpossibleTrials()
{
    for (const std::chrono::seconds trial : {4s, 601s, -1s}) {
        const ApplyReport report = wait([&](auto done) { m_session->apply(somePlan(), trial, false, done); });
        QVERIFY(report.outcome == Outcome::Refused);
        QVERIFY(report.why == Errc::OutOfRange);
    }
    QVERIFY(m_helper->calls().empty());
}

void ApplySessionTest::trialIsRememberedUntilConfirmed()
{
    answerTrial(60s);
    QSignalSpy trials(m_session.get(), &ApplySession::trialsChanged);
    const ApplyReport report = wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
    QVERIFY(report.outcome == Outcome::Trial);
    QCOMPARE(trials.count(), 1);
    const auto pending = m_session->pendingTrials();
    QCOMPARE(pending.size(), 1U);
    QVERIFY(pending[0].left() > 50s && pending[0].left() <= 60s);
    QVERIFY(pending[0].record.answered);
    QCOMPARE(pending[0].record.items.size(), 2U);
    QCOMPARE(pending[0].record.items[0].displayName, "870 EVO");

    m_helper->setScript(
        [](const FakeHelper::Call &call) { return success(applied(call, Outcome::Confirmed)); });
    const TransactionId id = pending[0].record.transaction;
    const ApplyReport confirmed = wait([&](auto done) { m_session->confirm(id, done); });
    QVERIFY(confirmed.outcome == Outcome::Confirmed);
    QCOMPARE(confirmed.transaction, report.transaction);
    QVERIFY(confirmed.steps[0].after == word("bfq"));
    QCOMPARE(m_helper->calls()[1].action, u"org.diskwright.helper.settle"_s);
    const auto &request = std::get<ConfirmRequest>(m_helper->calls()[1].request->operation);
    QVERIFY(request.token == pending[0].record.token);
    QVERIFY(m_helper->calls()[1].request->id != id);
    QVERIFY(m_session->pendingTrials().empty());
    QVERIFY(tokens().isEmpty());
}

void ApplySessionTest::aRefusedTrialIsNone()
{
    for (const Errc why : {Errc::Stale, Errc::Conflict, Errc::OutOfRange, Errc::StateFile}) {
        m_helper->setScript([why](const FakeHelper::Call &call) {
            Report report = applied(call, Outcome::Refused);
            report.why = why;
            return success(report);
        });
        const ApplyReport report = wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
        QCOMPARE(report.outcome, Outcome::Refused);
        QVERIFY(m_session->pendingTrials().empty());
        QVERIFY(tokens().isEmpty());
    }
}

void ApplySessionTest::endsATrial()
{
    answerTrial(60s);
    wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
    m_helper->setScript([](const FakeHelper::Call &call) { return success(applied(call, Outcome::Ended)); });
    const auto id = m_session->pendingTrials().front().record.transaction;
    const ApplyReport report = wait([&](auto done) { m_session->end(id, done); });
    QVERIFY(report.outcome == Outcome::Ended);
    QVERIFY(!std::get<EndRequest>(m_helper->calls()[1].request->operation).stay);
    QVERIFY(tokens().isEmpty());
}

void ApplySessionTest::prolongsATrial()
{
    answerTrial(10s);
    wait([&](auto done) { m_session->apply(somePlan(), 10s, false, done); });
    m_helper->setScript([](const FakeHelper::Call &call) {
        Report report = applied(call, Outcome::Prolonged);
        report.deadlineBoottimeNanoseconds = in(120s);
        return success(report);
    });
    const auto id = m_session->pendingTrials().front().record.transaction;
    wait([&](auto done) { m_session->prolong(id, 120s, done); });
    QVERIFY(std::get<ProlongRequest>(m_helper->calls()[1].request->operation).more == 120s);
    QVERIFY(m_session->pendingTrials().front().left() > 100s);
}

void ApplySessionTest::forgetsATrialThatIsUnknownToTheHelper()
{
    answerTrial(60s);
    wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
    const auto id = m_session->pendingTrials().front().record.transaction;
    m_helper->setScript([](const FakeHelper::Call &call) {
        return success(reportTo(call, Outcome::Refused, Errc::Expired));
    });
    const ApplyReport report = wait([&](auto done) { m_session->confirm(id, done); });
    QVERIFY(report.why == Errc::Expired);
    QVERIFY(tokens().isEmpty());
}

void ApplySessionTest::keepsTheTokenWhenTheHelperIsBusy()
{
    answerTrial(60s);
    wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
    const auto id = m_session->pendingTrials().front().record.transaction;
    m_helper->setScript([](const FakeHelper::Call &) { return kauthReply({}, 6, 0); });
    QVERIFY(wait([&](auto done) { m_session->confirm(id, done); }).call == CallState::Busy);
    QCOMPARE(tokens().size(), 1);
    m_helper->setScript([](const FakeHelper::Call &) { return kauthReply({}, 4, 0); });
    QVERIFY(wait([&](auto done) { m_session->confirm(id, done); }).call == CallState::NotAuthorized);
    QCOMPARE(tokens().size(), 1);
}

void ApplySessionTest::settlesOnlyOnesOwn()
{
    const ApplyReport unknown = wait([&](auto done) { m_session->confirm(randomId(), done); });
    QVERIFY(unknown.outcome == Outcome::Refused);
    QVERIFY(unknown.why == Errc::UnknownTransaction);
    TrialRecord old;
    old.transaction = randomId();
    old.bootId = "ffffffffffffffffffffffffffffffff";
    QVERIFY(m_store->save(old));
    const ApplyReport expired = wait([&](auto done) { m_session->end(old.transaction, done); });
    QVERIFY(expired.why == Errc::Expired);
    QVERIFY(m_helper->calls().empty());
}

void ApplySessionTest::deadlinePasses()
{
    answerTrial(300ms);
    wait([&](auto done) { m_session->apply(somePlan(), 5s, false, done); });
    QCOMPARE(m_session->pendingTrials().size(), 1U);
    const QByteArray hex =
        QByteArray::fromStdString(toHex(m_session->pendingTrials().front().record.transaction));
    write(u"var/lib/diskwright/history/"_s + QString::fromLatin1(hex) + u".json"_s,
          R"({"transaction":")" + hex +
              R"(","time":1,"boot_id":"","uid":0,"outcome":"rolled-back","lease":false,"kept":false,)"
              R"("undoable":false,"reason":"","steps":[]})");
    QSignalSpy changed(m_session.get(), &ApplySession::systemChanged);
    QVERIFY(changed.wait(5000));
    QVERIFY(m_session->pendingTrials().empty());
    QVERIFY(tokens().isEmpty());
}

void ApplySessionTest::saysHowMuchMoreTimeThereIs()
{
    answerTrial(60s);
    wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
    m_helper->setScript([](const FakeHelper::Call &call) {
        return success(reportTo(call, Outcome::Refused, Errc::OutOfRange));
    });
    const auto id = m_session->pendingTrials().front().record.transaction;
    const ApplyReport report = wait([&](auto done) { m_session->prolong(id, 1800s, done); });
    QVERIFY(report.mostMore && *report.mostMore > 1750s && *report.mostMore <= 1800s);
    const QString most = QString::number(report.mostMore->count());
    QVERIFY2(describe(report).contains(most) && describe(report).contains(u"30"_s),
             qPrintable(describe(report)));
    QCOMPARE(tokens().size(), 1);
}

void ApplySessionTest::givesUpWaiting()
{
    write(u"proc/sys/vm/dirty_ratio"_s, "20\n");
    std::vector<ApplyReport> answers;
    m_session->apply(somePlan(), 60s, false, [&](const ApplyReport &report) { answers.push_back(report); });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    m_session->cancel();
    m_session->giveUp();
    QCOMPARE(answers.size(), 1U);
    QVERIFY(answers[0].isUnknown() && answers[0].givenUp);
    QCOMPARE(exitCode(answers[0]), 6);
    QVERIFY(answers[0].steps[1].after == number(20));
    QCOMPARE(tokens().size(), 1);
    QVERIFY(!m_session->isRunning());
    // The answer comes after all, to nobody.
    m_helper->answer(success(applied(m_helper->calls()[0])));
    QTest::qWait(100);
    QCOMPARE(answers.size(), 1U);
}

void ApplySessionTest::readsWhatIsStale()
{
    write(u"proc/sys/vm/dirty_ratio"_s, "30\n");
    m_helper->setScript([](const FakeHelper::Call &call) {
        Report report = reportTo(call, Outcome::Refused, Errc::Stale);
        report.culprit = 1;
        report.steps = {{StepResult::NotAttempted, Errc::None, 0, {}, {}},
                        {StepResult::Stale, Errc::Stale, 0, {}, {}}};
        return success(report);
    });
    const ApplyReport report = wait([&](auto done) { m_session->apply(somePlan(), 0s, false, done); });
    QVERIFY2(describe(report.steps[1]).startsWith(u"Now 30"_s), qPrintable(describe(report.steps[1])));
}

// The helper undoes by its own record; the history is for reading.
void ApplySessionTest::undoesWithoutAReadableHistory()
{
    const TransactionId id = randomId();
    const QString folder = u"var/lib/diskwright/history/"_s;
    write(folder + QString::fromStdString(toHex(id)) + u".json"_s, "{");
    m_helper->setScript(
        [](const FakeHelper::Call &call) { return success(reportTo(call, Outcome::Undone)); });
    const ApplyReport report = wait([&](auto done) { m_session->undo(id, false, false, done); });
    QVERIFY(report.outcome == Outcome::Undone);
    QCOMPARE(report.transaction, toHex(id));
    QCOMPARE(m_helper->calls()[0].action, u"org.diskwright.helper.plan"_s);
}

void ApplySessionTest::lostAnswersAreUnknown()
{
    write(u"proc/sys/vm/dirty_ratio"_s, "15\n");
    m_helper->setScript([](const FakeHelper::Call &) { return QByteArray("garbage"); });
    QSignalSpy changed(m_session.get(), &ApplySession::systemChanged);
    const ApplyReport report = wait([&](auto done) { m_session->apply(somePlan(), 60s, false, done); });
    QVERIFY(report.isUnknown());
    QVERIFY(!report.steps[0].after);
    QVERIFY(report.steps[1].after == number(15));
    QVERIFY(report.steps[1].result == StepResult::NotAttempted);
    QCOMPARE(changed.count(), 1);
    // A trial may run: the user keeps the means to confirm or end it.
    QCOMPARE(m_session->pendingTrials().size(), 1U);
}

void ApplySessionTest::deniedLeavesNothingBehind()
{
    m_helper->setScript([](const FakeHelper::Call &) { return kauthReply({}, 4, 0); });
    const ApplyReport report = wait([&](auto done) { m_session->apply(somePlan(), 15s, false, done); });
    QVERIFY(report.call == CallState::NotAuthorized);
    QVERIFY(report.agentMayBeMissing);
    QVERIFY(tokens().isEmpty());
    m_helper.reset();
    QVERIFY(wait([&](auto done) { m_session->apply(somePlan(), 15s, false, done); }).call ==
            CallState::HelperMissing);
    QVERIFY(tokens().isEmpty());
}

void ApplySessionTest::cancelClosesThePipe()
{
    std::optional<ApplyReport> answer;
    m_session->apply(somePlan(), 0s, false, [&](const ApplyReport &report) { answer = report; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    QVERIFY(m_session->isRunning());
    const auto &call = m_helper->calls().front();
    const int readEnd = call.descriptors.value(u"cancel"_s).fileDescriptor();
    m_session->cancel();
    QVERIFY(isAtEnd(readEnd));
    Report report = reportTo(call, Outcome::RolledBack, Errc::Cancelled);
    m_helper->answer(success(report));
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QVERIFY(answer->outcome == Outcome::RolledBack);
    QVERIFY(answer->why == Errc::Cancelled);
}

void ApplySessionTest::undoesFromHistory()
{
    const TransactionId id = randomId();
    const ApplyReport unknown = wait([&](auto done) { m_session->undo(id, false, false, done); });
    QVERIFY(unknown.why == Errc::UnknownTransaction);
    QVERIFY(m_helper->calls().empty());

    const QByteArray hex = QByteArray::fromStdString(toHex(id));
    QByteArray text = R"({"transaction":")" + hex +
                      R"(","time":1,"boot_id":"","uid":0,"outcome":"applied","lease":false,"kept":false,)"
                      R"("undoable":true,"reason":"","steps":[{"setting":"vm::dirty_ratio","id":null,)"
                      R"("before":20,"requested":15,"after":15,"result":"applied","errno":0,"message":""}]})";
    const QString file = u"var/lib/diskwright/history/"_s + QString::fromLatin1(hex) + u".json"_s;
    write(file, text);
    m_helper->setScript([](const FakeHelper::Call &call) {
        Report report = reportTo(call, Outcome::Undone);
        report.steps = {{StepResult::Applied, Errc::None, 0, 15, 20}};
        return success(report);
    });
    const ApplyReport undone = wait([&](auto done) { m_session->undo(id, true, false, done); });
    QVERIFY(undone.outcome == Outcome::Undone);
    QVERIFY(undone.steps[0].after == number(20));
    QVERIFY(undone.steps[0].before == number(15) && undone.steps[0].requested == number(20));
    QCOMPARE(undone.transaction, hex.toStdString());
    QCOMPARE(m_helper->calls()[0].action, u"org.diskwright.helper.tune"_s);
    QVERIFY(std::get<UndoRequest>(m_helper->calls()[0].request->operation).force);

    write(file, text.replace("\"kept\":false", "\"kept\":true"));
    wait([&](auto done) { m_session->undo(id, false, false, done); });
    QCOMPARE(m_helper->calls()[1].action, u"org.diskwright.helper.plan"_s);
    QVERIFY(!std::get<UndoRequest>(m_helper->calls()[1].request->operation).staysKept);

    // Until the next start only: no file changes, so the values' own class is enough.
    m_helper->setScript([](const FakeHelper::Call &call) {
        Report report = reportTo(call, Outcome::Undone);
        report.kept = true;
        return success(report);
    });
    const ApplyReport forNow = wait([&](auto done) { m_session->undo(id, false, true, done); });
    QCOMPARE(m_helper->calls()[2].action, u"org.diskwright.helper.tune"_s);
    QVERIFY(std::get<UndoRequest>(m_helper->calls()[2].request->operation).staysKept);
    QVERIFY(!forNow.stopsKeeping && forNow.kept);
    QCOMPARE(describe(forNow), u"Undone until the next start, which sets it again."_s);
}

void ApplySessionTest::keepsAndForgets()
{
    m_helper->setScript([](const FakeHelper::Call &call) {
        return success(reportTo(call, std::holds_alternative<ForgetRequest>(call.request->operation)
                                          ? Outcome::Forgotten
                                          : Outcome::Kept));
    });
    const TransactionId id = randomId();
    QVERIFY(wait([&](auto done) { m_session->keep(id, {1}, done); }).outcome == Outcome::Kept);
    write(u"proc/sys/vm/dirty_ratio"_s, "20\n");
    KeptSet set;
    set.sha256[0] = 7;
    set.items.push_back({"queue/read_ahead_kb", "wwn-0x1", {}, {}, 0, number(256), "", "sda", 0});
    set.items.push_back({"vm/dirty_ratio", "", {}, {}, 0, number(10), "", "", 0});
    const ApplyReport forgotten = wait([&](auto done) { m_session->forget(set, {1}, done); });
    QVERIFY(forgotten.outcome == Outcome::Forgotten);
    QCOMPARE(forgotten.steps.size(), 1U);
    QCOMPARE(toText(forgotten.steps[0].address), "vm::dirty_ratio");
    QVERIFY(forgotten.steps[0].result == StepResult::Unchanged);
    QVERIFY(forgotten.steps[0].after == number(20));
    QCOMPARE(describe(forgotten.steps[0]), u"No longer set at every start."_s);
    wait([&](auto done) { m_session->useAtStart(false, done); });
    for (const auto &call : m_helper->calls())
        QCOMPARE(call.action, u"org.diskwright.helper.persist"_s);
    QVERIFY(std::get<ForgetRequest>(m_helper->calls()[1].request->operation).bootSetSha256 == set.sha256);
    QVERIFY(!std::get<UseAtStartRequest>(m_helper->calls()[2].request->operation).use);
}

QTEST_GUILESS_MAIN(ApplySessionTest)
#include "tst_applysession.moc"
