// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/rig.h"

#include "ui/charts/livechart.h"
#include "ui/dialogs/reviewdialog.h"
#include "ui/dialogs/restoredialog.h"
#include "ui/editors/editor.h"
#include "ui/editors/numberbox.h"
#include "ui/pages/settingrow.h"

#include <KMessageWidget>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

static QPushButton *button(QWidget *where, const QString &text)
{
    for (QPushButton *candidate : where->findChildren<QPushButton *>()) {
        if (candidate->text().remove(u'&') == text && candidate->isVisible())
            return candidate;
    }
    return nullptr;
}

class TestWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void editorsFollowTheCatalogue()
    {
        for (const SettingSpec &spec : catalogue()) {
            std::unique_ptr<Editor> editor(createEditor(spec, {"none", "bfq"}, nullptr));
            QVERIFY(editor);
            if (const auto *range = std::get_if<Range>(&spec.accepts)) {
                editor->setValue(number(range->max));
                QCOMPARE(editor->value(), number(range->max));
                editor->setValue(number(range->min));
                QCOMPARE(editor->value(), number(range->min));
            }
        }
    }

    void stepsAreThoseOfAPerson()
    {
        NumberBox sizes(Range{.min = 0, .max = 32768, .step = 4, .unit = Unit::KiB});
        sizes.setValue(128);
        sizes.stepBy(1);
        QCOMPARE(sizes.value(), 256);
        sizes.stepBy(-2);
        QCOMPARE(sizes.value(), 64);
        NumberBox times(Range{.min = 1, .max = 60000, .step = 1, .unit = Unit::Milliseconds});
        times.setValue(500);
        times.stepBy(1);
        QCOMPARE(times.value(), 1000);
        times.stepBy(-2);
        QCOMPARE(times.value(), 200);
        sizes.setValue(32768);
        sizes.stepBy(1);
        QCOMPARE(sizes.value(), 32768);
    }

    void onlyTheGridCanBeTyped()
    {
        NumberBox box(Range{.min = 0, .max = 32768, .step = 4, .unit = Unit::KiB});
        int edits = 0;
        connect(&box, &NumberBox::edited, this, [&edits] { ++edits; });
        auto *line = box.findChild<QLineEdit *>();
        line->selectAll();
        QTest::keyClicks(line, u"513"_s);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(box.value() % 4, 0);
        QVERIFY(edits > 0);
    }

    void reviewAppliesOnce()
    {
        Rig rig;
        rig.window->go({Place::Kind::Disk, "sda"});
        QVERIFY(!button(rig.window.get(), u"Review…"_s));
        rig.stage("queue:sda:read_ahead_kb", number(4096));
        QPushButton *review = button(rig.window.get(), u"Review…"_s);
        QVERIFY(review);
        review->click();
        auto *dialog = rig.window->findChild<ReviewDialog *>();
        QVERIFY(dialog);
        QVERIFY2(!rig.applier.plan, "nothing is applied before Apply");
        QPushButton *apply = button(dialog, u"Apply"_s);
        QVERIFY(apply->isDefault());
        apply->click();
        QVERIFY(rig.applier.plan.has_value());
        QVERIFY(QTest::qWaitFor([&] { return static_cast<bool>(rig.staged.set().isEmpty()); }));
        QCOMPARE(rig.applier.trial.count(), 0);
    }

    void theSystemDisksSchedulerIsAlwaysATrial()
    {
        Rig rig;
        rig.window->go({Place::Kind::Disk, "sda"});
        QVERIFY(rig.machine.disks().find("sda")->system);
        const auto *scheduler = rig.machine.setting(*parseAddress("queue:sda:scheduler"));
        const std::string other = *scheduler->value == word("none") ? "mq-deadline" : "none";
        rig.stage("queue:sda:scheduler", word(other));
        button(rig.window.get(), u"Review…"_s)->click();
        auto *dialog = rig.window->findChild<ReviewDialog *>();
        QVERIFY(dialog);
        const auto choices = dialog->findChildren<QRadioButton *>();
        QVERIFY(!choices[0]->isEnabled());
        QVERIFY(choices[1]->isChecked());
        button(dialog, u"Apply"_s)->click();
        QCOMPARE(rig.applier.trial.count(), 15);
    }

    void whatFailedStaysStaged()
    {
        Rig rig;
        rig.window->go({Place::Kind::Disk, "sda"});
        rig.applier.outcome = Outcome::RolledBack;
        rig.applier.result = StepResult::Rejected;
        rig.stage("queue:sda:read_ahead_kb", number(4096));
        button(rig.window.get(), u"Review…"_s)->click();
        auto *dialog = rig.window->findChild<ReviewDialog *>();
        button(dialog, u"Apply"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return static_cast<bool>(button(dialog, u"Close"_s)); }));
        QCOMPARE(rig.staged.set().count(), std::size_t{1});
    }

    void aTrialIsCountedDownAndConfirmed()
    {
        Rig rig;
        QVERIFY(!button(rig.window.get(), u"It works"_s));
        PendingTrial trial;
        trial.record.bootId = currentBootId();
        trial.record.answered = true;
        trial.record.startedBoottimeNanoseconds = boottimeNanoseconds();
        trial.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 12'000'000'000;
        trial.record.items.resize(2);
        rig.applier.trials.push_back(trial);
        Q_EMIT rig.applier.trialsChanged();
        QPushButton *works = button(rig.window.get(), u"It works"_s);
        QVERIFY(works);
        works->click();
        QVERIFY(QTest::qWaitFor([&] { return static_cast<bool>(!button(rig.window.get(), u"It works"_s)); }));
        QCOMPARE(rig.applier.confirmed, 1);
    }

    void keysLeadEverywhere()
    {
        Rig rig;
        rig.window->go({Place::Kind::Disk, "sda"});
        // Shortcuts are of the active window only.
        rig.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(rig.window.get()));
        QTest::keyClick(rig.window.get(), Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(rig.window->page()->title(), u"Memory and writeback"_s);
        QTest::keyClick(rig.window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(rig.window->page()->title(), u"Overview"_s);
        QTest::keyClick(rig.window.get(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(rig.window->page()->title().startsWith(u"Samsung"_s));
        rig.window->findChild<NumberBox *>()->setFocus();
        rig.stage("queue:sda:read_ahead_kb", number(4096));
        QTest::keyClick(rig.window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(rig.staged.set().isEmpty());
    }

    void everythingIsPutBackAfterItIsNamed()
    {
        Rig rig;
        rig.applier.preview.steps = {{.address = *parseAddress("queue:sda:read_ahead_kb"),
                                      .diskId = {},
                                      .now = number(1024),
                                      .target = number(128),
                                      .foreign = true},
                                     {.address = *parseAddress("vm::swappiness"),
                                      .diskId = {},
                                      .now = number(10),
                                      .target = number(60000),
                                      .kept = true,
                                      .obstacle = Errc::OutOfRange}};
        rig.applier.preview.kept = 1;
        rig.window->go({Place::Kind::History, {}});
        QVERIFY(button(rig.window.get(), u"Put everything back…"_s));
        button(rig.window.get(), u"Put everything back…"_s)->click();
        RestoreDialog *dialog = nullptr;
        QVERIFY(
            QTest::qWaitFor([&] { return (dialog = rig.window->findChild<RestoreDialog *>()) != nullptr; }));
        const auto says = [&](const QString &text) {
            return std::ranges::any_of(dialog->findChildren<QLabel *>(), [&](QLabel *label) {
                return label->isVisible() && label->text().contains(text);
            });
        };
        QVERIFY(says(u"Somebody else has set this value since"_s));
        QVERIFY(says(u"it needs a restart"_s));
        QVERIFY(says(u"Trials of other users end too"_s));
        QVERIFY(says(u"1,024"_s));
        QStringList missing;
        int seen = 0;
        collectNameless(QAccessible::queryAccessibleInterface(dialog), missing, seen);
        QVERIFY(seen > 2);
        QCOMPARE(missing, QStringList());
        QCOMPARE(rig.applier.restores, 0);
        rig.applier.restored.call = CallState::Answered;
        rig.applier.restored.outcome = Outcome::RollbackFailed;
        rig.applier.restored.restoresAll = true;
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
        button(dialog, u"Put everything back"_s)->click();
        QCOMPARE(rig.applier.restores, 1);
        QVERIFY(QTest::qWaitFor([&] { return says(u"not everything could be put back"_s); }));
        QVERIFY(says(u"outside the accepted range"_s));
        QVERIFY(!button(dialog, u"Put everything back"_s));
        QTest::qWait(50);
        button(dialog, u"Close"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return !rig.window->findChild<RestoreDialog *>(); }));
    }

    void aTrialThatAnotherProgramEndedLeavesTheBar()
    {
        Rig rig;
        PendingTrial trial;
        trial.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 60'000'000'000ULL;
        trial.record.items.push_back(
            {*parseAddress("queue:sda:read_ahead_kb"), "", "", number(128), number(256)});
        rig.applier.trials = {trial};
        Q_EMIT rig.applier.trialsChanged();
        QVERIFY(QTest::qWaitFor([&] { return button(rig.window.get(), u"It works"_s) != nullptr; }));
        rig.applier.trials.clear();
        rig.applier.becameOfIt.outcome = Outcome::Confirmed;
        QVERIFY(QTest::qWaitFor([&] { return !button(rig.window.get(), u"It works"_s); }, 3000));
        QCOMPARE(rig.applier.awaited, 1);
    }

    void whatBecameOfATrialIsLookedFor()
    {
        Rig rig;
        PendingTrial trial;
        trial.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 300'000'000ULL;
        trial.record.items.push_back(
            {*parseAddress("queue:sda:read_ahead_kb"), "", "", number(128), number(256)});
        rig.applier.trials = {trial};
        rig.applier.becameOfIt.call = CallState::Unknown;
        rig.applier.becameOfIt.endNotRecorded = true;
        Q_EMIT rig.applier.trialsChanged();
        QVERIFY(QTest::qWaitFor([&] { return rig.applier.awaited == 1; }, 3000));
        rig.applier.trials.clear();
        KMessageWidget *message = nullptr;
        QVERIFY(QTest::qWaitFor([&] {
            message = rig.window->findChild<KMessageWidget *>();
            return message && message->text().contains(u"not recorded"_s);
        }));
        QVERIFY(message->messageType() != KMessageWidget::Information);
    }

    void tabGoesFromNameToEditor()
    {
        Rig rig;
        rig.window->go({Place::Kind::Disk, "sda"});
        rig.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(rig.window.get()));
        for (SettingRow *row : rig.window->findChildren<SettingRow *>()) {
            auto *name = row->findChild<Expander *>();
            auto *editor = row->findChild<Editor *>();
            if (!editor || !row->isVisible())
                continue;
            name->setFocus();
            QTest::keyClick(name, Qt::Key_Tab);
            QVERIFY(editor->isAncestorOf(QApplication::focusWidget()));
        }
    }

    void fitsASmallScreen()
    {
        Rig rig;
        for (const Place &place : {Place{Place::Kind::Overview, {}}, Place{Place::Kind::Disk, "sda"},
                                   Place{Place::Kind::Memory, {}}, Place{Place::Kind::Benchmarks, {}},
                                   Place{Place::Kind::History, {}}}) {
            rig.window->go(place);
            const QSize least = rig.window->minimumSizeHint();
            QVERIFY2(least.width() <= 1024 && least.height() <= 600,
                     qPrintable(u"%1x%2"_s.arg(least.width()).arg(least.height())));
        }
    }

    void chartsLoseNoPeak()
    {
        QList<QPointF> points;
        for (int i = 0; i < 10'000; ++i)
            points << QPointF(i, i == 4321 ? 99 : 1);
        const QList<QPointF> few = thinned(points);
        QVERIFY(few.size() <= LiveChart::mostPoints);
        QVERIFY(std::ranges::any_of(few, [](const QPointF &point) { return point.y() == 99; }));
        QVERIFY(std::ranges::is_sorted(few, {}, [](const QPointF &point) { return point.x(); }));
    }
};

QTEST_MAIN(TestWindow)
#include "tst_mainwindow.moc"
