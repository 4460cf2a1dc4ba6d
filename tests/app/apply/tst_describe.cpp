// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/describe.h"

#include <QSet>
#include <QTest>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace diskwright;

namespace {

AppliedStep someStep(StepResult result)
{
    AppliedStep step;
    step.address = {Domain::Queue, "sda", "nr_requests"};
    step.before = number(64);
    step.requested = number(5000);
    step.after = number(4096);
    step.result = result;
    return step;
}

ApplyReport answered(Outcome outcome, Errc why = Errc::None)
{
    ApplyReport report;
    report.call = CallState::Answered;
    report.outcome = outcome;
    report.why = why;
    return report;
}

void isPlain(const QString &text)
{
    QVERIFY2(!text.isEmpty(), "a text is missing");
    QVERIFY2(text.endsWith(u'.') || text.endsWith(u')'), qPrintable(text));
    QVERIFY2(!text.contains(u'!') && !text.contains(u"please"_s, Qt::CaseInsensitive) &&
                 !text.contains(u"success"_s, Qt::CaseInsensitive) && !text.contains(u'%'),
             qPrintable(text));
}

} // namespace

class DescribeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyReasonHasAText();
    void everyOutcomeHasATextAndACode();
    void everyCallStateHasATextAndACode();
    void everyStepResultHasAText();
    void namesTheNumbers();
    void namesTheErrno();
    void hintsAtTheAgent();
    void eachFailureIsToldApart_data();
    void eachFailureIsToldApart();
    void noTwoFailuresReadTheSame();
    void silentDisks();
    void endedTrials();
    void saysWhatIsKept();
    void undoneButStillKept();
    void putBackExceptForOthers();
    void saysWhatNeedsARestart();
    void cautions();
};

void DescribeTest::everyReasonHasAText()
{
    QSet<QString> seen;
    QVERIFY(describe(Errc::None).isEmpty());
    for (int code = 1; code <= static_cast<int>(lastErrc); ++code) {
        const QString text = describe(static_cast<Errc>(code));
        isPlain(text);
        QVERIFY2(!seen.contains(text), qPrintable(text));
        seen.insert(text);
    }
}

void DescribeTest::everyOutcomeHasATextAndACode()
{
    const QHash<Outcome, int> codes{{Outcome::Refused, 3},
                                    {Outcome::NotAuthorized, 4},
                                    {Outcome::RolledBack, 5},
                                    {Outcome::RollbackFailed, 6},
                                    {Outcome::Busy, 7}};
    for (int number = 0; number <= static_cast<int>(Outcome::LeaseHeld); ++number) {
        const auto outcome = static_cast<Outcome>(number);
        isPlain(describe(answered(outcome)));
        QCOMPARE(exitCode(answered(outcome)), codes.value(outcome, 0));
        QCOMPARE(outcomeWord(answered(outcome)), name(outcome));
    }
}

void DescribeTest::everyCallStateHasATextAndACode()
{
    struct Row {
        CallState state;
        int code;
        const char *outcomeWord;
    };
    for (const Row &row :
         {Row{CallState::NotAuthorized, 4, "not-authorized"}, Row{CallState::Busy, 7, "busy"},
          Row{CallState::HelperMissing, 1, "refused"}, Row{CallState::Incompatible, 1, "refused"},
          Row{CallState::Unknown, 6, "unknown"}}) {
        ApplyReport report;
        report.call = row.state;
        report.outcome = row.state == CallState::Busy            ? Outcome::Busy
                         : row.state == CallState::NotAuthorized ? Outcome::NotAuthorized
                                                                 : Outcome::Refused;
        isPlain(describe(report));
        QCOMPARE(exitCode(report), row.code);
        QCOMPARE(outcomeWord(report), row.outcomeWord);
        // Only an unknown end may be a change.
        QCOMPARE(describe(report).contains(u"othing was changed"_s), row.state != CallState::Unknown);
    }
}

void DescribeTest::everyStepResultHasAText()
{
    for (int number = 0; number <= static_cast<int>(StepResult::NotAttempted); ++number) {
        isPlain(describe(someStep(static_cast<StepResult>(number))));
        AppliedStep bare;
        bare.result = static_cast<StepResult>(number);
        isPlain(describe(bare));
    }
}

void DescribeTest::namesTheNumbers()
{
    const QString adjusted = describe(someStep(StepResult::Adjusted));
    QVERIFY(adjusted.contains(QLocale().toString(5000)));
    QVERIFY(adjusted.contains(QLocale().toString(4096)));
    const SettingSpec *spec = findSetting("queue/read_ahead_kb");
    QCOMPARE(describe(*spec, number(128)), u"128\u00a0KiB"_s);
    QCOMPARE(describe(*findSetting("queue/scheduler"), word("bfq")), u"bfq"_s);
}

void DescribeTest::namesTheErrno()
{
    AppliedStep step = someStep(StepResult::Rejected);
    step.sysErrno = EINVAL;
    QVERIFY(describe(step).contains(u"Invalid argument"_s));
    QVERIFY(describe(Errc::StateFile, ENOSPC).contains(u"No space left"_s));
}

void DescribeTest::hintsAtTheAgent()
{
    ApplyReport report;
    report.call = CallState::NotAuthorized;
    report.outcome = Outcome::NotAuthorized;
    QVERIFY(!describe(report).contains(u"agent"_s));
    report.agentMayBeMissing = true;
    QVERIFY(describe(report).contains(u"agent"_s));
    QVERIFY(describe(report).contains(u"sudo diskwrightctl"_s));
}

namespace {

struct Failure {
    const char *name;
    ApplyReport report;
    int code;
    const char *says;
    const char *advises; ///< null: nothing to be done
};

ApplyReport called(CallState state, Denial denial = Denial::Refused, bool agentMayBeMissing = false)
{
    ApplyReport report;
    report.call = state;
    report.outcome = state == CallState::NotAuthorized ? Outcome::NotAuthorized
                     : state == CallState::Busy        ? Outcome::Busy
                                                       : Outcome::Refused;
    report.denial = denial;
    report.agentMayBeMissing = agentMayBeMissing;
    return report;
}

std::vector<Failure> failures()
{
    ApplyReport unsaved = answered(Outcome::Refused);
    unsaved.tokenNotSaved = true;
    unsaved.sysErrno = EROFS;
    ApplyReport full = answered(Outcome::Refused, Errc::StateFile);
    full.sysErrno = ENOSPC;
    ApplyReport unreadable = full;
    unreadable.sysErrno = EIO;
    ApplyReport fullAfter = full;
    fullAfter.outcome = Outcome::RolledBack;
    ApplyReport notRecorded = called(CallState::Unknown);
    notRecorded.endNotRecorded = true;
    ApplyReport givenUp = called(CallState::Unknown);
    givenUp.givenUp = true;
    ApplyReport overruled = answered(Outcome::Confirmed, Errc::Stale);
    overruled.steps.push_back(someStep(StepResult::Stale));
    ApplyReport tooFar = answered(Outcome::Refused, Errc::OutOfRange);
    tooFar.mostMore = std::chrono::seconds(90);
    return {
        {"refused or dismissed", called(CallState::NotAuthorized), 4, "Not authorized", "sudo"},
        {"no agent", called(CallState::NotAuthorized, Denial::Refused, true), 4, "sudo diskwrightctl",
         nullptr},
        {"no polkit", called(CallState::NotAuthorized, Denial::NoPolkit), 4, "polkit",
         "systemctl status polkit"},
        {"not answered", called(CallState::NotAuthorized, Denial::NotAnswered), 4, "two minutes", "password"},
        {"busy", called(CallState::Busy), 7, "running", "when it is over"},
        {"no helper", called(CallState::HelperMissing), 1, "can't be started", "package"},
        {"another version", called(CallState::Incompatible), 1, "another version", "start it again"},
        {"answer lost", called(CallState::Unknown), 6, "not known", "history"},
        {"stale", answered(Outcome::Refused, Errc::Stale), 3, "somebody else", "decide again"},
        {"device gone", answered(Outcome::Refused, Errc::DeviceChanged), 3, "plugged in again", "choose"},
        {"disk full", full, 3, "No space left", "Make room"},
        {"token not saved", unsaved, 3, "Read-only file system", "home folder"},
        {"state file unreadable", unreadable, 3, "Input/output error", "journalctl"},
        {"rolled back on a full disk", fullAfter, 5, "No space left", "Make room"},
        {"end not recorded", notRecorded, 6, "not recorded", "put back as soon as"},
        {"given up", givenUp, 6, "not waited for", "history"},
        {"confirmed, but changed", overruled, 8, "nothing of it is so", nullptr},
        {"prolonged too far", tooFar, 3, "by 90 seconds", nullptr},
        {"rolled back", answered(Outcome::RolledBack, Errc::Kernel), 5, "everything was put back", "without"},
        {"gone in mid-plan", answered(Outcome::RolledBack, Errc::DeviceChanged), 5, "plugged in again",
         "without"},
        {"stopped", answered(Outcome::RolledBack, Errc::Cancelled), 5, "stopped", nullptr},
        {"rollback failed", answered(Outcome::RollbackFailed, Errc::Kernel), 6, "not everything", "restart"},
    };
}

} // namespace

void DescribeTest::eachFailureIsToldApart_data()
{
    QTest::addColumn<int>("at");
    int at = 0;
    for (const Failure &failure : failures())
        QTest::newRow(failure.name) << at++;
}

void DescribeTest::eachFailureIsToldApart()
{
    QFETCH(int, at);
    const Failure failure = failures()[static_cast<std::size_t>(at)];
    const QString text = describe(failure.report);
    const QString advice = whatToDo(failure.report);
    isPlain(text);
    QVERIFY2(text.contains(QLatin1String(failure.says)), qPrintable(text));
    QCOMPARE(exitCode(failure.report), failure.code);
    QCOMPARE(advice.isEmpty(), failure.advises == nullptr);
    if (failure.advises)
        QVERIFY2(advice.contains(QLatin1String(failure.advises)), qPrintable(advice));
    // Whoever reads only this knows whether anything is different now.
    const bool isOpen = failure.code == 6 || failure.code == 8;
    QCOMPARE(text.contains(u"othing was changed"_s) || text.contains(u"put back."_s), !isOpen);
}

void DescribeTest::noTwoFailuresReadTheSame()
{
    QSet<QString> seen;
    for (const Failure &failure : failures()) {
        const QString text = describe(failure.report);
        QVERIFY2(!seen.contains(text), qPrintable(text));
        seen.insert(text);
    }
    QVERIFY(whatToDo(answered(Outcome::Applied)).isEmpty());
    QVERIFY(whatToDo(answered(Outcome::Trial)).isEmpty());
}

void DescribeTest::silentDisks()
{
    QVERIFY(describe(Errc::Kernel, ETIMEDOUT).contains(u"does not answer"_s));
    AppliedStep step = someStep(StepResult::Rejected);
    step.sysErrno = ETIMEDOUT;
    QCOMPARE(describe(step), describe(Errc::Kernel, ETIMEDOUT));
    step.result = StepResult::RollbackFailed;
    QVERIFY(describe(step).contains(u"put back when it does"_s));
}

void DescribeTest::endedTrials()
{
    EndedTrial trial;
    trial.record.deadlineBoottimeNanoseconds = boottimeNanoseconds();
    const QTime before = QTime::currentTime();
    trial.record.items.push_back(
        {{Domain::Queue, "sda", "read_ahead_kb"}, {}, {}, number(128), number(4096)});
    trial.record.items.push_back({{Domain::Vm, "", "swappiness"}, {}, {}, number(60), number(10)});
    const QString text = describe(trial);
    isPlain(text);
    QVERIFY2(text.contains(u"queue:sda:read_ahead_kb = 128"_s) && text.contains(u"vm::swappiness = 60"_s),
             qPrintable(text));
    const QString earlier = QLocale().toString(before, QLocale::ShortFormat);
    const QString later = QLocale().toString(QTime::currentTime(), QLocale::ShortFormat);
    QVERIFY2(text.contains(earlier) || text.contains(later), qPrintable(text));
    trial.outcome = Outcome::RollbackFailed;
    QVERIFY(describe(trial).contains(u"Not everything"_s));
    trial.outcome = Outcome::Confirmed;
    QVERIFY(describe(trial).isEmpty());
}

void DescribeTest::saysWhatIsKept()
{
    ApplyReport report = answered(Outcome::Applied);
    QVERIFY(!describe(report).contains(u"every start"_s));
    report.kept = true;
    QVERIFY(describe(report).contains(u"every start"_s));
    report.kept = false;
    QCOMPARE(exitCode(report), 0);
    report.keepWhy = Errc::NoStableId;
    QCOMPARE(exitCode(report), 1);
    QVERIFY(describe(report).contains(describe(Errc::NoStableId)));
}

void DescribeTest::undoneButStillKept()
{
    ApplyReport report = answered(Outcome::Undone);
    report.stopsKeeping = true;
    QCOMPARE(describe(report), u"Undone, and no longer set at every start."_s);
    report.kept = true;
    for (const Errc why : {Errc::FileChanged, Errc::StateFile}) {
        report.keepWhy = why;
        QCOMPARE(describe(report), u"Undone now, but it is still set at every start: "_s + describe(why));
        QCOMPARE(exitCode(report), 1);
    }
    report.sysErrno = ENOSPC;
    QVERIFY(whatToDo(report).contains(u"Make room"_s));
}

void DescribeTest::putBackExceptForOthers()
{
    ApplyReport report = answered(Outcome::Ended);
    report.steps = {someStep(StepResult::RolledBack), someStep(StepResult::RolledBack)};
    QCOMPARE(describe(report), u"Put back."_s);
    report.steps[1].result = StepResult::Stale;
    report.why = Errc::Stale;
    const QString text = describe(report);
    QVERIFY2(text.startsWith(u"Put back, except what somebody else has changed: queue:sda:nr_requests = "_s),
             qPrintable(text));
    isPlain(text);
    QCOMPARE(exitCode(report), 8);
    report.steps.erase(report.steps.begin());
    QVERIFY(describe(report).startsWith(u"Nothing was put back"_s));
    // What was put back and changed only after that was not left alone.
    report.steps[0].changedSince = true;
    QVERIFY2(describe(report).startsWith(
                 u"Put back. Changed again since by somebody else: queue:sda:nr_requests = "_s),
             qPrintable(describe(report)));
    report.steps = {someStep(StepResult::DeviceGone)};
    QCOMPARE(describe(report), u"Nothing was put back. Gone with its disk: queue:sda:nr_requests."_s);
    EndedTrial pulled;
    pulled.record.items = {{{Domain::Queue, "sda", "nr_requests"}, {}, "Stick", number(64), number(128)}};
    HistoryStep gone;
    gone.address = pulled.record.items[0].address;
    gone.result = StepResult::DeviceGone;
    pulled.steps = {gone};
    QVERIFY2(describe(pulled).endsWith(u"waiting for it. Gone with its disk: queue:sda:nr_requests."_s),
             qPrintable(describe(pulled)));
}

void DescribeTest::saysWhatNeedsARestart()
{
    for (const Errc why : {Errc::OutOfRange, Errc::NoStableId}) {
        AppliedStep step = someStep(StepResult::Unsupported);
        step.why = why;
        QVERIFY(describe(step).contains(u"needs a restart"_s));
        QVERIFY(describe(step).contains(describe(why)));
        isPlain(describe(step));
        QCOMPARE(describe(step), describeObstacle(why));
    }
    AppliedStep absent = someStep(StepResult::Unsupported);
    absent.why = Errc::Absent;
    QVERIFY(!describe(absent).contains(u"restart"_s));
}

void DescribeTest::cautions()
{
    for (const auto kind : {CautionKind::ResetsOthers, CautionKind::AfterReset, CautionKind::MustBeTrial,
                            CautionKind::MayBeAdjusted, CautionKind::RowRisk})
        QVERIFY(!describe(Caution{kind, {}}).isEmpty());
    const Caution pair{CautionKind::ResetsPair, {{Domain::Vm, "", "dirty_ratio"}}};
    QVERIFY(describe(pair).contains(u"dirty_ratio"_s));
    const Caution several{CautionKind::ResetsOthers, {{}, {}}};
    QVERIFY(describe(several).contains(u'2'));
}

QTEST_APPLESS_MAIN(DescribeTest)
#include "tst_describe.moc"
