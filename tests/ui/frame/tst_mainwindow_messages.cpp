// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// The bar at the top of the window: problems stay, and what went well does not push them away.
#include "tests/ui/rig.h"

#include "ui/frame/bars.h"

#include <KMessageWidget>

#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

EndedTrial endedTrial(const char *address, const std::string &disk, Outcome outcome)
{
    EndedTrial trial;
    trial.record.answered = true;
    trial.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() - 1;
    trial.record.items = {{*parseAddress(address), {}, disk, number(128), number(256)}};
    trial.outcome = outcome;
    return trial;
}

/// With plain spaces.
QString plain(QString text)
{
    return text.replace(QChar(0x202f), u' ');
}

/// A window whose program was closed during these trials.
struct Desk {
    Rig rig;
    KMessageWidget *bar = nullptr;

    explicit Desk(std::vector<EndedTrial> over = {})
    {
        rig.applier.over = std::move(over);
        if (!QTest::qWaitFor([this] { return rig.window->page() != nullptr; }))
            qFatal("no page is shown");
        if (!rig.applier.over.empty() &&
            !QTest::qWaitFor([this] { return find() && bar->text().contains(u"closed during"_s); }))
            qFatal("nothing was said");
    }
    KMessageWidget *find() { return bar = rig.window->findChild<KMessageWidget *>(); }
    void say(const QString &text, bool problem)
    {
        Q_EMIT rig.window->page()->message(text, problem);
        find();
    }
};

} // namespace

class TestMainWindowMessages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void everyTrialThatEndedUnseenIsTold()
    {
        Desk desk({endedTrial("queue:sda:read_ahead_kb", "First", Outcome::RollbackFailed),
                   endedTrial("queue:sdb:read_ahead_kb", "Second", Outcome::RolledBack)});
        QVERIFY2(desk.bar->text().contains(u"First (sda)"_s) && desk.bar->text().contains(u"Second (sdb)"_s),
                 qPrintable(desk.bar->text()));
        QCOMPARE(desk.bar->messageType(), KMessageWidget::Warning);
    }

    void whatWasPutBackIsNoProblem()
    {
        const Desk desk({endedTrial("queue:sda:read_ahead_kb", "First", Outcome::RolledBack),
                         endedTrial("queue:sdb:read_ahead_kb", "Second", Outcome::Ended)});
        QVERIFY(desk.bar->text().contains(u"Second (sdb)"_s));
        QCOMPARE(desk.bar->messageType(), KMessageWidget::Information);
    }

    void whatOthersHaveChangedIsToldAsLeftAlone()
    {
        EndedTrial trial = endedTrial("queue:sda:read_ahead_kb", "First", Outcome::RolledBack);
        HistoryStep step;
        step.address = trial.record.items.front().address;
        step.result = StepResult::Stale;
        step.after = number(512);
        trial.steps = {step};
        const Desk desk({trial});
        const QString all = plain(desk.bar->text());
        QVERIFY2(
            all.endsWith(u"Nothing was put back, since somebody else had changed it: Read-ahead on First "
                         "(sda): 512 KiB."_s),
            qPrintable(all));
        QCOMPARE(desk.bar->messageType(), KMessageWidget::Warning);
        trial.record.items.push_back({*parseAddress("vm::swappiness"), {}, {}, number(60), number(10)});
        HistoryStep back;
        back.address = trial.record.items.back().address;
        back.result = StepResult::RolledBack;
        trial.steps.push_back(back);
        const Desk other({trial});
        const QString some = plain(other.bar->text());
        QVERIFY2(some.endsWith(u": Swap or shrink caches. Left alone, since somebody else had changed it: "
                               "Read-ahead on First (sda): 512 KiB."_s),
                 qPrintable(some));
    }

    void aDiskThatIsGoneWasNotPutBack()
    {
        EndedTrial trial = endedTrial("queue:sda:read_ahead_kb", "First", Outcome::Ended);
        HistoryStep step;
        step.address = trial.record.items.front().address;
        step.result = StepResult::DeviceGone;
        trial.steps = {step};
        const Desk desk({trial});
        const QString text = plain(desk.bar->text());
        QVERIFY2(!text.contains(u"Put back"_s) &&
                     text.endsWith(u"Gone with its disk: Read-ahead on First (sda)."_s),
                 qPrintable(text));
    }

    void aSecondProblemStandsBesideTheFirst()
    {
        Desk desk;
        desk.say(u"It failed."_s, true);
        desk.say(u"Another failed."_s, true);
        desk.say(u"It failed."_s, true);
        QCOMPARE(desk.bar->text(), u"Another failed.\nIt failed."_s);
    }

    void anEndThatIsNotRecordedIsToldByTheValuesOfNow()
    {
        EndedTrial trial = endedTrial("queue:sda:read_ahead_kb", "First", Outcome::Ended);
        trial.isProven = false;
        trial.record.items.push_back({*parseAddress("vm::swappiness"), {}, {}, number(60), number(10)});
        trial.now = {number(256), std::nullopt};
        const Desk desk({trial});
        QVERIFY2(
            plain(desk.bar->text())
                .endsWith(u"Now: Read-ahead on First (sda): 256 KiB · Swap or shrink caches: not known"_s),
            qPrintable(desk.bar->text()));
        QCOMPARE(desk.bar->messageType(), KMessageWidget::Warning);
    }

    void newsDoNotReplaceAProblem()
    {
        Desk desk;
        desk.say(u"It failed."_s, true);
        desk.say(u"Undone."_s, false);
        QVERIFY(desk.bar->text().contains(u"It failed."_s) && desk.bar->text().contains(u"Undone."_s));
        QCOMPARE(desk.bar->messageType(), KMessageWidget::Warning);
        // Another page is another matter; the problem stays.
        desk.rig.window->go({Place::Kind::History, {}});
        QCOMPARE(desk.bar->text(), u"It failed."_s);
        QVERIFY(!desk.bar->isHidden());
        desk.bar->hide();
        desk.say(u"Undone."_s, false);
        QCOMPARE(desk.bar->text(), u"Undone."_s);
        QCOMPARE(desk.bar->messageType(), KMessageWidget::Information);
    }

    void whatWasClosedDoesNotComeBack()
    {
        Desk desk;
        desk.say(u"It failed."_s, true);
        desk.bar->hide();
        desk.rig.window->go({Place::Kind::History, {}});
        QVERIFY(desk.bar->isHidden());
    }

    void namesAreNoMarkup()
    {
        const Desk desk({endedTrial("queue:sda:read_ahead_kb", "<b>Ultra</b>", Outcome::RolledBack)});
        QCOMPARE(desk.bar->textFormat(), Qt::PlainText);
        QVERIFY(desk.bar->text().contains(u"<b>Ultra</b>"_s));
    }

    void theBarNamesTheTrialItIsAbout()
    {
        Rig rig;
        PendingTrial late;
        late.record.transaction.fill(1);
        late.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 60'000'000'000;
        late.record.items = {{*parseAddress("queue:sdb:read_ahead_kb"), {}, "Late", number(1), number(2)}};
        rig.applier.trials = {late};
        Q_EMIT rig.applier.trialsChanged();
        const auto says = [&](const QString &text) {
            return std::ranges::any_of(
                rig.window->findChild<TrialBar *>()->findChildren<QLabel *>(),
                [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
        };
        QVERIFY(says(u"Read-ahead on Late (sdb)"_s));
        PendingTrial soon = late;
        soon.record.transaction.fill(2);
        soon.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 30'000'000'000;
        soon.record.items[0] = {*parseAddress("queue:sda:read_ahead_kb"), {}, "Soon", number(1), number(2)};
        rig.applier.trials = {soon, late};
        Q_EMIT rig.applier.trialsChanged();
        QVERIFY(says(u"Read-ahead on Soon (sda)"_s));
    }

    /// Its deadline passes while the end of the first one is awaited.
    void theEndOfASecondTrialIsToldToo()
    {
        Rig rig;
        const auto trial = [](unsigned char id, std::uint64_t left) {
            PendingTrial pending;
            pending.record.transaction.fill(id);
            pending.record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + left;
            pending.record.items = {
                {*parseAddress("queue:sda:read_ahead_kb"), {}, "Disk", number(1), number(2)}};
            return pending;
        };
        rig.applier.trials = {trial(1, 20'000'000), trial(2, 40'000'000)};
        Q_EMIT rig.applier.trialsChanged();
        QTest::qWait(60);
        rig.applier.trials.clear();
        Q_EMIT rig.applier.trialsChanged();
        QVERIFY(QTest::qWaitFor([&] { return rig.applier.awaited == 2; }));
    }
};

QTEST_MAIN(TestMainWindowMessages)
#include "tst_mainwindow_messages.moc"
