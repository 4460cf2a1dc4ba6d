// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// The review while its changes are on trial: it speaks of its own trial only, and may be closed at any time.
#include "tests/ui/rig.h"

#include "ui/dialogs/reviewdialog.h"
#include "ui/frame/bars.h"

#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

PendingTrial trialOf(std::uint8_t id, const char *address, std::uint64_t seconds)
{
    PendingTrial trial;
    trial.record.transaction.fill(id);
    trial.record.bootId = currentBootId();
    trial.record.answered = true;
    trial.record.startedBoottimeNanoseconds = boottimeNanoseconds();
    trial.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + seconds * 1'000'000'000;
    trial.record.items = {{*parseAddress(address), {}, {}, number(128), number(4096)}};
    return trial;
}

QPushButton *button(const QWidget *where, const QString &text)
{
    for (QPushButton *candidate : where->findChildren<QPushButton *>()) {
        if (candidate->text().remove(u'&') == text && candidate->isVisibleTo(where))
            return candidate;
    }
    return nullptr;
}

bool says(const QWidget *where, const QString &text)
{
    return std::ranges::any_of(where->findChildren<QLabel *>(), [&](const QLabel *label) {
        return label->isVisible() && label->text().contains(text);
    });
}

/// A review whose change is on trial; the fake gives it a transaction of 32 times "a".
struct Desk {
    static constexpr std::uint8_t mine = 0xaa;
    static constexpr std::uint8_t others = 0x11;
    Rig rig;
    QPointer<ReviewDialog> dialog;
    TrialBar *bar = nullptr;

    Desk()
    {
        rig.window->go({Place::Kind::Disk, "sda"});
        rig.stage("queue:sda:read_ahead_kb", number(4096));
        Q_EMIT rig.window->findChild<StagedBar *>()->reviewWanted();
        dialog = rig.window->findChild<ReviewDialog *>();
        bar = dialog->findChild<TrialBar *>();
        rig.applier.outcome = Outcome::Trial;
    }
    void apply()
    {
        const QSignalSpy applied(dialog, &ReviewDialog::applied);
        button(dialog, u"Apply"_s)->click();
        if (!QTest::qWaitFor([&] { return !applied.isEmpty(); }))
            qFatal("nothing was applied");
    }
    void setTrials(std::vector<PendingTrial> trials)
    {
        rig.applier.trials = std::move(trials);
        Q_EMIT rig.applier.trialsChanged();
    }
    void beginTrial()
    {
        apply();
        setTrials({trialOf(mine, "queue:sda:read_ahead_kb", 40)});
    }
    void tellSteps(StepResult result, std::int64_t after)
    {
        AppliedStep step;
        step.address = *parseAddress("queue:sda:read_ahead_kb");
        step.before = number(128);
        step.requested = number(4096);
        step.after = number(after);
        step.result = result;
        rig.applier.settledSteps = {step};
    }
};

} // namespace

class TestTrial : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void theReviewMayBeClosedWhileTheHelperAnswers_data()
    {
        QTest::addColumn<QString>("pressed");
        for (const char *text : {"It works", "More time", "Put back now"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void theReviewMayBeClosedWhileTheHelperAnswers()
    {
        QFETCH(QString, pressed);
        Desk desk;
        desk.beginTrial();
        button(desk.bar, pressed)->click();
        delete desk.dialog.data();
        // The answer of the fake comes now.
        QVERIFY(QTest::qWaitFor([&] { return desk.rig.applier.answers > 1; }));
        QVERIFY(!desk.dialog);
    }

    void anotherTrialIsNotItsOwn()
    {
        Desk desk;
        const PendingTrial other = trialOf(Desk::others, "queue:sdb:read_ahead_kb", 20);
        desk.setTrials({other});
        QVERIFY2(desk.bar->isHidden(), "nothing of this plan is on trial yet");
        desk.apply();
        desk.setTrials({other, trialOf(Desk::mine, "queue:sda:read_ahead_kb", 40)});
        QVERIFY(!desk.bar->isHidden());
        QVERIFY(says(desk.bar, u"0:4"_s) || says(desk.bar, u"0:3"_s));
        button(desk.bar, u"It works"_s)->click();
        TransactionId mine{};
        mine.fill(Desk::mine);
        QCOMPARE(desk.rig.applier.settledLast, std::optional(mine));
    }

    void theEndOfAnotherTrialIsNotReportedHere()
    {
        Desk desk;
        const PendingTrial own = trialOf(Desk::mine, "queue:sda:read_ahead_kb", 40);
        desk.apply();
        desk.setTrials({trialOf(Desk::others, "queue:sdb:read_ahead_kb", 20), own});
        QVERIFY(says(desk.dialog, u"On trial"_s));
        const QSignalSpy settled(desk.bar, &TrialBar::settled);
        // Another program of the user has ended it.
        desk.setTrials({own});
        QVERIFY(
            QTest::qWaitFor([&] { return desk.rig.applier.awaited > 0 && desk.rig.applier.answers > 1; }));
        QVERIFY(settled.isEmpty());
        QVERIFY(says(desk.dialog, u"On trial"_s));
    }

    void whatWasPutBackIsNotCalledApplied()
    {
        Desk desk;
        desk.beginTrial();
        QVERIFY(says(desk.dialog, u"4,096\u00a0KiB applied."_s));
        desk.tellSteps(StepResult::RolledBack, 128);
        button(desk.bar, u"Put back now"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return says(desk.dialog, u"✓ Put back to 128"_s); }));
        QVERIFY(!says(desk.dialog, u"applied."_s));
    }

    void whatCouldNotBePutBackIsAnAlarm()
    {
        Desk desk;
        desk.beginTrial();
        desk.tellSteps(StepResult::RollbackFailed, 4096);
        button(desk.bar, u"Put back now"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return says(desk.dialog, u"⚠ Could not be put back"_s); }));
    }

    void whatIsConfirmedStaysListed()
    {
        Desk desk;
        desk.beginTrial();
        desk.tellSteps(StepResult::Applied, 4096);
        button(desk.bar, u"It works"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return says(desk.dialog, u"Confirmed"_s); }));
        QVERIFY(says(desk.dialog, u"✓ 4,096\u00a0KiB applied."_s));
    }

    void afterStopItCanBeStoppedAgain()
    {
        Desk desk;
        desk.rig.applier.call = CallState::NotAuthorized;
        button(desk.dialog, u"Apply"_s)->click();
        button(desk.dialog, u"Stop"_s)->click();
        QCOMPARE(desk.rig.applier.cancelled, 1);
        QVERIFY(says(desk.dialog, u"Stopping…"_s));
        QVERIFY2(!says(desk.dialog, u"put back"_s), "nothing was written, perhaps");
        QVERIFY(QTest::qWaitFor([&] { return button(desk.dialog, u"Cancel"_s) != nullptr; }));
        QVERIFY(button(desk.dialog, u"Cancel"_s)->isEnabled());
        button(desk.dialog, u"Cancel"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return !desk.dialog; }));
    }
};

QTEST_MAIN(TestTrial)
#include "tst_reviewdialog_trial.moc"
