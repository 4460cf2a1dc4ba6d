// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// What a person reads after something was tried: all of it, part of it, none of it.
#include "tests/ui/pictures.h"
#include "tests/ui/rig.h"

#include "ui/dialogs/editeddialog.h"
#include "ui/dialogs/restoredialog.h"
#include "ui/dialogs/reviewdialog.h"
#include "ui/frame/bars.h"

#include <KMessageWidget>

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

QString allTexts(const QWidget *where)
{
    QStringList texts;
    for (const QLabel *label : where->findChildren<QLabel *>()) {
        if (label->isVisible())
            texts << label->text();
    }
    for (const KMessageWidget *bar : where->findChildren<KMessageWidget *>())
        texts << bar->text();
    return texts.join(u'\n');
}

QPushButton *defaultButton(const QDialog *dialog)
{
    for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
        if (button->isDefault())
            return button;
    }
    return nullptr;
}

PendingTrial runningTrial()
{
    PendingTrial trial;
    trial.record.bootId = currentBootId();
    trial.record.answered = true;
    trial.record.startedBoottimeNanoseconds = boottimeNanoseconds();
    trial.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 42'000'000'000;
    trial.record.items = {
        {*parseAddress("queue:sda:scheduler"), {}, "Samsung SSD 870 EVO 1TB", word("none"), word("bfq")},
        {*parseAddress("vm::swappiness"), {}, {}, number(60), number(10)}};
    return trial;
}

} // namespace

class TestResults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        prepareLook();
        m_isEnglish = !qEnvironmentVariable("DISKWRIGHT_LOOK").contains(u"pseudo"_s);
    }

    void allApplied()
    {
        Rig rig;
        ReviewDialog *dialog = apply(rig);
        QVERIFY(says(dialog, u"Applied."_s));
        takePicture(dialog, "result-applied");
    }

    void partFailedAndWasPutBack()
    {
        Rig rig;
        rig.applier.outcome = Outcome::RolledBack;
        rig.applier.results = {StepResult::Rejected, StepResult::RolledBack, StepResult::NotAttempted};
        rig.applier.sysErrno = EINVAL;
        ReviewDialog *dialog = apply(rig);
        QVERIFY(says(dialog, u"everything was put back"_s));
        QVERIFY(says(dialog, u"Refused by the kernel: Invalid argument."_s));
        QVERIFY(says(dialog, u"Put back to"_s));
        QVERIFY(says(dialog, u"Not attempted."_s));
        takePicture(dialog, "result-part-failed");
        QCOMPARE(rig.staged.set().count(), std::size_t{3});
    }

    void partFailedAndCouldNotBePutBack()
    {
        Rig rig;
        rig.applier.outcome = Outcome::RollbackFailed;
        rig.applier.results = {StepResult::Rejected, StepResult::RollbackFailed, StepResult::NotAttempted};
        rig.applier.sysErrno = EIO;
        ReviewDialog *dialog = apply(rig);
        QVERIFY(says(dialog, u"not everything could be put back"_s));
        QVERIFY(says(dialog, u"Could not be put back: it is"_s));
        takePicture(dialog, "result-left-over");
    }

    void keptIsSaidOnce()
    {
        Rig rig;
        rig.applier.kept = true;
        ReviewDialog *dialog = apply(rig);
        if (m_isEnglish)
            QCOMPARE(allTexts(dialog).count(u"at every start"_s), 1);
        takePicture(dialog, "result-kept");
    }

    void theBarComesBackAfterACrash()
    {
        Rig rig;
        rig.applier.trials = {runningTrial()};
        Q_EMIT rig.applier.trialsChanged();
        QVERIFY(says(rig.window.get(), u"Trying 2 changes, put back in 0:4"_s));
        takePicture(rig.window.get(), "trial");
    }

    void whatWasPutBackAfterACrashIsNamed()
    {
        Rig rig;
        EndedTrial ended{runningTrial().record, Outcome::RolledBack};
        ended.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() - 1;
        rig.applier.over = {ended};
        QTest::qWait(600);
        QVERIFY(says(rig.window.get(), u"Put back at "_s));
        QVERIFY(says(rig.window.get(), u"I/O scheduler on Samsung SSD 870 EVO 1TB (sda), and 1 more."_s));
        takePicture(rig.window.get(), "trial-ended");
    }

    void whatCouldNotBePutBackAfterACrashIsNamed()
    {
        Rig rig;
        EndedTrial ended{runningTrial().record, Outcome::RollbackFailed};
        ended.record.items.erase(ended.record.items.begin());
        rig.applier.over = {ended};
        QTest::qWait(600);
        QVERIFY(says(rig.window.get(), u"Not everything could be put back."_s));
        QVERIFY(says(rig.window.get(), u"during a trial of "_s));
        takePicture(rig.window.get(), "trial-left-over");
    }

    void everythingBack()
    {
        Rig rig;
        rig.applier.preview.steps = {{.address = *parseAddress("queue:sda:read_ahead_kb"),
                                      .diskId = {},
                                      .now = number(1024),
                                      .target = number(128),
                                      .foreign = true},
                                     {.address = *parseAddress("queue:sdb:scheduler"),
                                      .diskId = {},
                                      .now = word("bfq"),
                                      .target = word("mq-deadline"),
                                      .kept = true},
                                     {.address = *parseAddress("vm::swappiness"),
                                      .diskId = {},
                                      .now = number(10),
                                      .target = number(60),
                                      .kept = true,
                                      .obstacle = Errc::OutOfRange}};
        rig.applier.preview.trials = 1;
        rig.applier.preview.kept = 2;
        RestoreDialog *dialog = restore(rig);
        QVERIFY(says(dialog, u"Trials of other users end too"_s));
        takePicture(dialog, "restore-before");
        AppliedStep back;
        back.address = *parseAddress("queue:sda:read_ahead_kb");
        back.before = number(1024);
        back.requested = back.after = number(128);
        back.result = StepResult::Applied;
        AppliedStep left = back;
        left.address = *parseAddress("vm::swappiness");
        left.before = left.after = number(10);
        left.result = StepResult::Unsupported;
        left.why = Errc::OutOfRange;
        rig.applier.restored.steps = {back, left};
        rig.applier.restored.restoresAll = true;
        rig.applier.restored.call = CallState::Answered;
        rig.applier.restored.outcome = Outcome::RollbackFailed;
        putBack(dialog);
        QVERIFY(QTest::qWaitFor([&] {
            return dialog->findChildren<QPushButton *>().size() > 0 && allTexts(dialog) != m_before;
        }));
        QTest::qWait(50);
        // Nothing is read again for it: what was shown is what is expected.
        QCOMPARE(rig.applier.expectedLast.steps.size(), std::size_t{3});
        QVERIFY(says(dialog, u"Can't be put back now: it needs a restart."_s));
        QVERIFY2(says(dialog, u"Put everything back once more"_s), "what can be done is said");
        takePicture(dialog, "restore-after");
    }

    void aDiskThatIsGoneIsNoAlarm()
    {
        Rig rig;
        RestoreDialog *dialog = restore(rig);
        AppliedStep gone;
        gone.address = *parseAddress("queue:sdz:read_ahead_kb");
        gone.before = number(4096);
        gone.requested = number(128);
        gone.result = StepResult::DeviceGone;
        rig.applier.restored.steps = {gone};
        rig.applier.restored.restoresAll = true;
        rig.applier.restored.call = CallState::Answered;
        rig.applier.restored.outcome = Outcome::Undone;
        putBack(dialog);
        QVERIFY(QTest::qWaitFor([&] { return allTexts(dialog) != m_before; }));
        QTest::qWait(50);
        QVERIFY(says(dialog, u"The disk is gone."_s));
        QVERIFY(!m_isEnglish || !allTexts(dialog).contains(u"not known"_s));
        for (const Label *label : dialog->findChildren<Label *>())
            QVERIFY(label->palette().color(QPalette::WindowText) != alarmColor(QApplication::palette()));
        takePicture(dialog, "restore-gone");
    }

    void whatCanNotBeListedIsPutBackAllTheSame()
    {
        Rig rig;
        rig.applier.noPreview = Error{Errc::StateFile, "/etc/diskwright/boot-set.json", {}, {}, 0};
        RestoreDialog *dialog = restore(rig);
        QVERIFY(says(dialog, u"/etc/diskwright/boot-set.json can't be read"_s));
        QVERIFY(!m_isEnglish || !allTexts(dialog).contains(u"Nothing to put back"_s));
        takePicture(dialog, "restore-not-listed");
        putBack(dialog);
        QVERIFY(QTest::qWaitFor([&] { return rig.applier.restores == 1; }));
    }

    void aDiskThatHangsDoesNotKeepItFromThat()
    {
        Rig rig;
        rig.applier.previewHangs = true;
        RestoreDialog *dialog = restore(rig);
        QVERIFY(says(dialog, u"can't be listed yet"_s));
        putBack(dialog);
        QVERIFY(QTest::qWaitFor([&] { return rig.applier.restores == 1; }));
    }

    void anEditedFileIsShown()
    {
        ApplyReport report;
        report.call = CallState::Answered;
        report.outcome = Outcome::Undone;
        report.kept = true;
        report.keepWhy = Errc::FileChanged;
        EditedDialog dialog(u"/nowhere"_s, report, [](const Applier::Done &) {});
        dialog.show();
        takePicture(&dialog, "edited");
        QVERIFY(says(&dialog, u"Somebody edited"_s));
    }

    void nothingKnownIsStillAskedForOthers()
    {
        Rig rig;
        RestoreDialog *dialog = restore(rig);
        QVERIFY(says(dialog, u"Nothing to put back is known here"_s));
        takePicture(dialog, "restore-nothing");
        rig.applier.restored.call = CallState::Answered;
        rig.applier.restored.restoresAll = true;
        rig.applier.restored.outcome = Outcome::Unchanged;
        putBack(dialog);
        QVERIFY(QTest::qWaitFor([&] { return allTexts(dialog) != m_before; }));
        QVERIFY(says(dialog, u"There is nothing to put back."_s));
    }

private:
    // In another language only the picture is wanted.
    [[nodiscard]] bool says(const QWidget *where, const QString &text) const
    {
        return !m_isEnglish || allTexts(where).contains(text);
    }
    ReviewDialog *apply(Rig &rig)
    {
        rig.window->go({Place::Kind::Disk, "sda"});
        rig.stage("queue:sda:nr_requests", number(128));
        rig.stage("queue:sda:read_ahead_kb", number(4096));
        rig.stage("vm::dirty_ratio", number(15));
        Q_EMIT rig.window->findChild<StagedBar *>()->reviewWanted();
        auto *dialog = rig.window->findChild<ReviewDialog *>();
        if (!dialog)
            qFatal("there is no review");
        QSignalSpy applied(dialog, &ReviewDialog::applied);
        defaultButton(dialog)->click();
        if (applied.isEmpty() && !applied.wait(2000))
            qFatal("nothing was applied");
        QTest::qWait(50);
        return dialog;
    }
    static RestoreDialog *restore(Rig &rig)
    {
        rig.window->go({Place::Kind::History, {}});
        for (QPushButton *button : rig.window->page()->findChildren<QPushButton *>()) {
            if (!button->accessibleDescription().isEmpty() && button->isEnabled() && button->isVisible())
                button->click();
        }
        RestoreDialog *dialog = nullptr;
        if (!QTest::qWaitFor([&] { return (dialog = rig.window->findChild<RestoreDialog *>()) != nullptr; }))
            qFatal("there is no dialog");
        return dialog;
    }
    void putBack(RestoreDialog *dialog)
    {
        m_before = allTexts(dialog);
        for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
            if (!button->isDefault() && button->accessibleDescription().isEmpty())
                button->click();
        }
    }

    bool m_isEnglish = true;
    QString m_before;
};

QTEST_MAIN(TestResults)
#include "tst_reviewdialog_results.moc"
