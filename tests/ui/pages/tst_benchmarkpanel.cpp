// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/pages/scriptedmeasuring.h"

#include "app/bench/database.h"
#include "app/bench/measurement.h"
#include "ui/pages/benchmarkpanel.h"
#include "ui/pages/comparisoncard.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLocale>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include <atomic>
#include <cerrno>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int readingALargeFile = 0;
constexpr int smallReads = 1;

/// A panel that is shown, with a folder to measure in.
struct Panel : MeasuringDesk {
    BenchmarkPanel panel{context, {}};
    QSignalSpy messages{&panel, &BenchmarkPanel::message};

    Panel()
    {
        panel.show();
        panel.enter();
        panel.choose(folder.path());
        waitUntilIdle();
    }
    [[nodiscard]] QList<QRadioButton *> tests() const { return panel.findChildren<QRadioButton *>(); }
    [[nodiscard]] QComboBox *targets() const { return panel.findChild<QComboBox *>(); }
    [[nodiscard]] QTreeWidget *results() const { return panel.findChild<QTreeWidget *>(); }
    [[nodiscard]] QPushButton *startButton() const { return button(&panel, u"Start"_s); }
    void start(int test)
    {
        tests()[test]->setChecked(true);
        QVERIFY(startButton()->isEnabled());
        startButton()->click();
        QVERIFY(QTest::qWaitFor([&] { return !source || source->test || source->trouble; }));
    }
    void waitUntilIdle() const
    {
        QVERIFY(QTest::qWaitFor([&] { return startButton() && startButton()->isEnabled(); }));
    }
};

/// Holds up whoever looks at a folder until it is opened, at the latest at its end.
class Gate final
{
public:
    explicit Gate(QString folder)
        : m_folder(std::move(folder))
    {
    }
    ~Gate() { open(); }
    Gate(const Gate &) = delete;
    Gate &operator=(const Gate &) = delete;

    [[nodiscard]] const QString &folder() const { return m_folder; }
    [[nodiscard]] std::function<void(const QString &)> hook() const
    {
        return [state = m_state, held = m_folder](const QString &folder) {
            if (folder != held)
                return;
            ++state->asked;
            state->isOpen.wait(false);
            ++state->passed;
        };
    }
    void open() const
    {
        m_state->isOpen = true;
        m_state->isOpen.notify_all();
    }
    [[nodiscard]] int asked() const { return m_state->asked; }
    [[nodiscard]] int passed() const { return m_state->passed; }

private:
    struct State {
        std::atomic<bool> isOpen{false};
        std::atomic<int> asked{0};
        std::atomic<int> passed{0};
    };
    QString m_folder;
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

bench::Round roundOf(const QStringList &disturbed)
{
    bench::Round round;
    round.bytes = 200'000'000;
    round.ios = 200;
    round.seconds = 2;
    round.engine = u"preadv2"_s;
    round.disturbed = disturbed;
    return round;
}

bench::RunResult runNow(const QString &folder)
{
    bench::RunResult run;
    run.id = bench::RunResult::newId();
    run.time = QDateTime::currentDateTimeUtc();
    run.test = QString::fromLatin1(bench::allTests()[readingALargeFile].id);
    run.target = folder;
    run.rounds = {roundOf({})};
    return run;
}

bench::MeasureResult comparisonNow(const QString &folder)
{
    const Address address = *parseAddress("queue:sda:read_ahead_kb");
    bench::MeasureResult result;
    result.id = bench::RunResult::newId();
    result.time = QDateTime::currentDateTimeUtc();
    result.options.now = {{address, number(128)}};
    result.options.wanted = {{address, number(4096)}};
    result.options.test = bench::allTests()[readingALargeFile];
    result.options.target.path = folder;
    result.end = bench::LeaseEnd::PutBack;
    result.comparison.verdict = bench::Verdict::Faster;
    result.comparison.effect = 0.12;
    result.comparison.low = 0.09;
    result.comparison.high = 0.15;
    result.comparison.blocks = 6;
    result.comparison.hasEffect = true;
    for (std::size_t block = 0; block < 6; ++block) {
        for (const std::size_t state : {std::size_t{0}, std::size_t{1}})
            result.rounds.append({block, state, false, roundOf({})});
    }
    return result;
}

template <class Kept>
void keep(const Kept &result)
{
    auto database = bench::Database::open();
    QVERIFY(database && (*database)->save(result));
}

} // namespace

class BenchmarkPanelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void theUnitIsThatOfTheTestThatRuns()
    {
        Panel desk;
        desk.start(readingALargeFile);
        for (const QRadioButton *choice : desk.tests())
            QVERIFY(!choice->isEnabled());
        QVERIFY(!desk.targets()->isEnabled());
        QVERIFY(!button(&desk.panel, u"Other…"_s)->isEnabled());
        desk.tests()[smallReads]->setChecked(true);
        desk.source->tell(10'000'000, 10);
        QVERIFY(says(&desk.panel, u"100 MB/s"));
        QVERIFY(!says(&desk.panel, u"reads/s"));
        button(&desk.panel, u"Stop"_s)->click();
        desk.waitUntilIdle();
        for (const QRadioButton *choice : desk.tests())
            QVERIFY(choice->isEnabled());
        QVERIFY(desk.targets()->isEnabled());
    }

    void aDiskThatStandsStillHasNoSpeed()
    {
        Panel desk;
        desk.start(smallReads);
        desk.source->tell(40'960, 10);
        QVERIFY(says(&desk.panel, u"100 reads/s"));
        QVERIFY(QTest::qWaitFor([&] { return !says(&desk.panel, u"100 reads/s"); }));
        QVERIFY(says(&desk.panel, u"0 reads/s"));
        desk.source->tell(40'960, 20);
        QVERIFY(says(&desk.panel, u"200 reads/s"));
    }

    void whoComesBackSeesItGoOn()
    {
        Panel desk;
        desk.start(smallReads);
        desk.source->tell(40'960, 10);
        desk.panel.leave();
        desk.panel.hide();
        desk.panel.show();
        desk.panel.enter();
        // The same frames that draw the line show that nothing comes.
        QVERIFY(QTest::qWaitFor(
            [&] { return says(&desk.panel, u"0 reads/s") && !says(&desk.panel, u"100 reads/s"); }));
    }

    void whoComesBackSeesWhatIsThereNow()
    {
        Panel desk;
        QTemporaryDir other;
        desk.panel.choose(other.path());
        QVERIFY(QTest::qWaitFor([&] { return desk.targets()->count() == 2; }));
        desk.panel.choose(desk.folder.path());
        desk.panel.leave();
        keep(runNow(desk.folder.path()));
        QVERIFY(other.remove());
        desk.panel.enter();
        QCOMPARE(desk.results()->topLevelItemCount(), 1);
        QVERIFY(QTest::qWaitFor([&] { return desk.targets()->count() == 1; }));
        QCOMPARE(desk.targets()->currentData().toString(), QFileInfo(desk.folder.path()).canonicalFilePath());
        QVERIFY(QTest::qWaitFor([&] { return desk.startButton()->isEnabled(); }));
        // And on the other tab of the same page.
        desk.panel.hide();
        keep(runNow(desk.folder.path()));
        desk.panel.show();
        QCOMPARE(desk.results()->topLevelItemCount(), 2);
    }

    void theChoiceStays()
    {
        Panel desk;
        QTemporaryDir other;
        desk.panel.choose(other.path());
        QVERIFY(QTest::qWaitFor([&] { return desk.targets()->count() == 2; }));
        const QString chosen = desk.targets()->currentData().toString();
        QCOMPARE(chosen, QFileInfo(other.path()).canonicalFilePath());
        desk.panel.leave();
        desk.panel.enter();
        desk.waitUntilIdle();
        QCOMPARE(desk.targets()->count(), 2);
        QCOMPARE(desk.targets()->currentData().toString(), chosen);
    }

    void aProblemIsNamedByItsCause()
    {
        Panel desk;
        desk.trouble = Error{.code = Errc::OutOfRange,
                             .input = "depth=0",
                             .reason = "not a workload",
                             .accepted = {},
                             .sysErrno = 0};
        desk.start(smallReads);
        desk.waitUntilIdle();
        QVERIFY(!desk.messages.last()[0].toString().contains(u"space"_s));
        QVERIFY(desk.messages.last()[0].toString().contains(u"not a workload"_s));
        desk.trouble->sysErrno = ENOSPC;
        desk.trouble->input = "/home/a";
        desk.start(smallReads);
        desk.waitUntilIdle();
        QVERIFY(desk.messages.last()[0].toString().contains(u"Too little space is free in /home/a"_s));
    }

    void aDisturbanceIsNamedByItsCause()
    {
        Panel desk;
        desk.round = roundOf({u"warm"_s});
        desk.start(readingALargeFile);
        desk.waitUntilIdle();
        QVERIFY(says(&desk.panel, u"Middle of 3 round"));
        QVERIFY(says(&desk.panel, u"in memory and not read"));
        QVERIFY(!says(&desk.panel, u"Something else"));
        desk.round = roundOf({u"foreign-writes"_s});
        desk.start(readingALargeFile);
        desk.waitUntilIdle();
        QVERIFY(says(&desk.panel, u"Something else wrote to the disk"));
    }

    void slowReadsAreNoStall()
    {
        Panel desk;
        desk.start(smallReads);
        desk.source->tell(40'960, 10);
        QVERIFY(QTest::qWaitFor([&] { return says(&desk.panel, u"No read is completed now"); }));
        QTest::qWait(500);
        desk.source->tell(40'960, 20);
        QTest::qWait(800);
        QVERIFY(says(&desk.panel, u"200 reads/s"));
        QVERIFY(QTest::qWaitFor([&] { return says(&desk.panel, u"No read is completed now"); }));
    }

    void aFolderIsOfferedWhereItLies()
    {
        MeasuringDesk desk;
        desk.layFolderOn("sda");
        BenchmarkPanel panel(desk.context, "sda");
        QSignalSpy messages(&panel, &BenchmarkPanel::message);
        const auto *targets = panel.findChild<QComboBox *>();
        panel.show();
        panel.enter();
        panel.choose(desk.folder.path());
        QVERIFY(QTest::qWaitFor([&] { return button(&panel, u"Start"_s)->isEnabled(); }));
        QCOMPARE(targets->count(), 1);
        desk.layFolderOn("sdb");
        QVERIFY(QTest::qWaitFor([&] { return targets->count() == 0; }));
        QVERIFY(!button(&panel, u"Start"_s)->isEnabled());
        panel.choose(desk.folder.path());
        QVERIFY(QTest::qWaitFor([&] { return messages.count() == 1; }));
        QVERIFY(messages[0][0].toString().contains(u"does not lie on this disk. It lies on sdb."_s));
        desk.layFolderOn("sda");
        QVERIFY(QTest::qWaitFor([&] { return targets->count() == 1; }));
        QVERIFY(QTest::qWaitFor([&] { return button(&panel, u"Start"_s)->isEnabled(); }));
    }

    void whatIsChosenIsLookedAtEvenWhileTheListIsOpen()
    {
        MeasuringDesk desk;
        desk.layFolderOn("sda");
        BenchmarkPanel panel(desk.context, "sda");
        auto *targets = panel.findChild<QComboBox *>();
        panel.show();
        panel.enter();
        panel.choose(desk.folder.path());
        QVERIFY(QTest::qWaitFor([&] { return button(&panel, u"Start"_s)->isEnabled(); }));
        targets->showPopup();
        QVERIFY(QTest::qWaitFor([&] { return targets->view()->isVisible(); }));
        desk.layFolderOn("sdb");
        QVERIFY(QTest::qWaitFor([&] { return says(&panel, u"does not lie on this disk. It lies on sdb."); }));
        QVERIFY(!button(&panel, u"Start"_s)->isEnabled());
        QCOMPARE(targets->count(), 1);
        targets->hidePopup();
    }

    void aFolderThatHangsHoldsNothingUp()
    {
        Panel desk;
        QTemporaryDir other;
        desk.panel.choose(other.path());
        QVERIFY(QTest::qWaitFor([&] { return desk.targets()->count() == 2; }));
        desk.waitUntilIdle();
        const Gate gate(QFileInfo(other.path()).canonicalFilePath());
        desk.panel.setBeforeLook(gate.hook());
        Q_EMIT desk.rig.machine.disksChanged();
        QVERIFY(!desk.startButton()->isEnabled());
        for (int again = 0; again < 10; ++again)
            Q_EMIT desk.rig.machine.disksChanged();
        // One for the list, and one for what is chosen.
        QVERIFY(QTest::qWaitFor([&] { return gate.asked() == 2; }));
        const int there = desk.targets()->findData(QFileInfo(desk.folder.path()).canonicalFilePath());
        desk.targets()->setCurrentIndex(there);
        desk.waitUntilIdle();
        desk.targets()->setCurrentIndex(1 - there);
        QVERIFY(!desk.startButton()->isEnabled());
        desk.startButton()->click();
        QVERIFY(!desk.source);
        gate.open();
        desk.waitUntilIdle();
        QCOMPARE(desk.targets()->count(), 2);
        QCOMPARE(desk.targets()->currentIndex(), 1 - there);
    }

    void anOlderAnswerIsVoid()
    {
        MeasuringDesk desk;
        desk.layFolderOn("sda");
        BenchmarkPanel panel(desk.context, "sda");
        const auto *targets = panel.findChild<QComboBox *>();
        panel.show();
        panel.enter();
        panel.choose(desk.folder.path());
        QVERIFY(QTest::qWaitFor([&] { return button(&panel, u"Start"_s)->isEnabled(); }));
        const Gate gate(QFileInfo(desk.folder.path()).canonicalFilePath());
        panel.setBeforeLook(gate.hook());
        Q_EMIT desk.rig.machine.disksChanged();
        desk.layFolderOn("sdb");
        gate.open();
        QVERIFY(QTest::qWaitFor([&] { return targets->count() == 0; }));
        QVERIFY(!button(&panel, u"Start"_s)->isEnabled());
    }

    void anAnswerAboutAnotherFolderIsVoid()
    {
        Panel desk;
        QTemporaryDir other;
        const Gate gate(QFileInfo(other.path()).canonicalFilePath());
        desk.panel.choose(other.path());
        QVERIFY(QTest::qWaitFor([&] { return desk.targets()->count() == 2; }));
        desk.waitUntilIdle();
        const int there = desk.targets()->currentIndex();
        desk.targets()->setCurrentIndex(1 - there);
        desk.waitUntilIdle();
        desk.panel.setBeforeLook(gate.hook());
        desk.targets()->setCurrentIndex(there);
        desk.targets()->setCurrentIndex(1 - there);
        desk.waitUntilIdle();
        QVERIFY(other.remove());
        gate.open();
        QVERIFY(QTest::qWaitFor([&] { return gate.passed() == 1; }));
        QTest::qWait(50);
        QVERIFY(desk.startButton()->isEnabled());
        QVERIFY(!says(&desk.panel, u"is not there"));
    }

    void whoHangsMayBeLeftBehind()
    {
        const auto panel = std::make_unique<Panel>();
        const Gate gate(QFileInfo(panel->folder.path()).canonicalFilePath());
        auto second = std::make_unique<BenchmarkPanel>(panel->context, std::string());
        second->setBeforeLook(gate.hook());
        second->show();
        second->enter();
        second->choose(gate.folder());
        QVERIFY(QTest::qWaitFor([&] { return gate.asked() == 1; }));
        second.reset();
        gate.open();
        QVERIFY(QTest::qWaitFor([&] { return gate.passed() == 1; }));
        QTest::qWait(10);
    }

    void aPanelThatIsClosedMeasuresNothing()
    {
        MeasuringDesk desk;
        auto panel = std::make_unique<BenchmarkPanel>(desk.context, std::string());
        panel->show();
        panel->enter();
        panel->choose(desk.folder.path());
        QVERIFY(QTest::qWaitFor([&] { return button(panel.get(), u"Start"_s)->isEnabled(); }));
        BenchmarkPanel second(desk.context, "sda");
        second.show();
        second.enter();
        second.compare(*parseAddress("queue:sda:read_ahead_kb"));
        button(panel.get(), u"Start"_s)->click();
        QVERIFY(!button(&second, u"Compare"_s)->isEnabled());
        QSignalSpy changed(desk.context.measuring.get(), &Measuring::changed);
        panel.reset();
        QVERIFY(desk.context.measuring->whyNot(&second).isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return button(&second, u"Compare"_s)->isEnabled(); }));
        QCOMPARE(changed.count(), 1);
    }

    void oneMeasurementAtATime()
    {
        Panel desk;
        BenchmarkPanel second(desk.context, "sda");
        second.show();
        second.enter();
        second.compare(*parseAddress("queue:sda:read_ahead_kb"));
        QVERIFY(button(&second, u"Compare"_s)->isEnabled());
        desk.start(readingALargeFile);
        QVERIFY(!button(&second, u"Compare"_s)->isEnabled());
        QVERIFY(!button(&second, u"Start"_s)->isEnabled());
        QVERIFY(says(second.findChild<ComparisonCard *>(), u"Another measurement runs"));
        QVERIFY(!says(&desk.panel, u"Another measurement runs"));
        button(&desk.panel, u"Stop"_s)->click();
        desk.waitUntilIdle();
        QVERIFY(button(&second, u"Compare"_s)->isEnabled());
        QVERIFY(!says(&second, u"Another measurement runs"));
    }

    void aComparisonIsListedOnceWithItsVerdict()
    {
        Panel desk;
        desk.panel.leave();
        bench::RunResult older = runNow(desk.folder.path());
        older.time = older.time.addSecs(-60);
        keep(older);
        const bench::MeasureResult compared = comparisonNow(desk.folder.path());
        keep(compared);
        desk.panel.enter();
        QCOMPARE(desk.results()->topLevelItemCount(), 2);
        const QTreeWidgetItem *row = desk.results()->topLevelItem(0);
        QVERIFY(row->text(1).startsWith(u"Read-ahead (sda): 4,096"_s));
        QVERIFY(row->text(3).startsWith(u"faster by 12 %"_s));
        QCOMPARE(row->text(2), desk.folder.path());
        QCOMPARE(row->childCount(), 3);
        QCOMPARE(row->child(0)->text(1), bench::sentence(compared));
        QStringList runs{row->child(1)->text(1).section(u' ', 0, 0),
                         row->child(2)->text(1).section(u' ', 0, 0)};
        for (QString &text : runs)
            text = text.section(QChar(0x202f), 0, 0);
        runs.sort();
        QCOMPARE(runs, (QStringList{u"128"_s, u"4,096"_s}));
        QCOMPARE(desk.results()->topLevelItem(1)->text(1),
                 bench::displayName(bench::allTests()[readingALargeFile]));
        for (int at = 0; at < desk.results()->topLevelItemCount(); ++at)
            QVERIFY(!desk.results()->topLevelItem(at)->text(1).contains(compared.id));
    }
};

QTEST_MAIN(BenchmarkPanelTest)
#include "tst_benchmarkpanel.moc"
