// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/pages/scriptedmeasuring.h"

#include "app/bench/measurement.h"
#include "ui/editors/editor.h"
#include "ui/pages/benchmarkpanel.h"
#include "ui/pages/comparisoncard.h"

#include <QLocale>
#include <QSignalSpy>

#include <cerrno>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

struct Desk : MeasuringDesk {
    std::unique_ptr<ComparisonCard> card;

    /// A card that has another value to compare with.
    void open(const char *setting, const Value &other)
    {
        const Address address = *parseAddress(setting);
        rig.stage(setting, other);
        card = std::make_unique<ComparisonCard>(context, address);
        bench::Target target;
        target.path = folder.path();
        target.isFolder = true;
        target.freeBytes = freeBytes;
        card->setTargetSource([target] { return target; });
        card->show();
    }
    void compare()
    {
        button(card.get(), u"Compare"_s)->click();
        QVERIFY(card->isRunning());
    }
    quint64 freeBytes = quint64{100} << 30;
};

} // namespace

class ComparisonCardTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void theTestIsTheOneThatShowsTheSetting()
    {
        for (const auto &[setting, value] :
             {std::pair{"queue:sda:read_ahead_kb", number(4096)}, {"queue:sda:scheduler", word("none")}}) {
            Desk desk;
            const Value now = *desk.rig.machine.setting(*parseAddress(setting))->value;
            desk.open(setting, now == value ? word("mq-deadline") : value);
            desk.compare();
            QVERIFY(QTest::qWaitFor([&] { return desk.source && desk.source->test; }, 10'000));
            const auto fitting = bench::fittingTest(*parseAddress(setting));
            QVERIFY(fitting.has_value());
            QCOMPARE(QLatin1StringView(desk.source->test->id), QLatin1StringView(fitting->test.id));
        }
    }

    void whatNoTestShowsIsNotCompared()
    {
        Desk desk;
        for (const char *setting :
             {"queue:sda:iostats", "queue:sda:wbt_lat_usec", "iosched:sda:mq-deadline/writes_starved"}) {
            ComparisonCard card(desk.context, *parseAddress(setting));
            card.show();
            QVERIFY(!button(&card, u"Compare"_s)->isEnabled());
            QVERIFY2(says(&card, u"No test shows what this setting does"), setting);
        }
    }

    void theTestFileFitsWhatIsFree()
    {
        Desk desk;
        desk.freeBytes = quint64{200} << 20;
        desk.open("queue:sda:read_ahead_kb", number(4096));
        desk.compare();
        QVERIFY(desk.source);
        QCOMPARE(desk.source->sizeBytes, quint64{96} << 20);
    }

    void aProblemIsNamedByItsCause()
    {
        Desk desk;
        desk.trouble = Error{.code = Errc::OutOfRange,
                             .input = "/home/a",
                             .reason = "would leave too little",
                             .accepted = {},
                             .sysErrno = ENOSPC};
        desk.open("queue:sda:read_ahead_kb", number(4096));
        desk.compare();
        QVERIFY(QTest::qWaitFor([&] { return !desk.card->isRunning(); }));
        QVERIFY(says(desk.card.get(), u"Too little space is free in /home/a"));
        desk.trouble = Error{.code = Errc::UnknownTarget,
                             .input = "/home/a",
                             .reason = "making a test file",
                             .accepted = {},
                             .sysErrno = EACCES};
        desk.compare();
        QVERIFY(QTest::qWaitFor([&] { return !desk.card->isRunning(); }));
        QVERIFY(says(desk.card.get(), u"You may not write in /home/a"));
    }

    void nothingElseIsMeasuredMeanwhile()
    {
        Desk desk;
        BenchmarkPanel panel(desk.context, {});
        panel.show();
        panel.enter();
        panel.choose(desk.folder.path());
        QVERIFY(QTest::qWaitFor([&] { return button(&panel, u"Start"_s)->isEnabled(); }));
        desk.open("queue:sda:read_ahead_kb", number(4096));
        desk.compare();
        QVERIFY(!button(&panel, u"Start"_s)->isEnabled());
        QVERIFY(says(&panel, u"Another measurement runs"));
        QVERIFY(!says(desk.card.get(), u"Another measurement runs"));
        button(desk.card.get(), u"Stop"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return !desk.card->isRunning(); }));
        QVERIFY(button(&panel, u"Start"_s)->isEnabled());
        QVERIFY(!says(&panel, u"Another measurement runs"));
    }

    void aCardThatIsClosedMeasuresNothing()
    {
        Desk desk;
        BenchmarkPanel panel(desk.context, {});
        panel.show();
        panel.enter();
        panel.choose(desk.folder.path());
        desk.open("queue:sda:read_ahead_kb", number(4096));
        desk.compare();
        QVERIFY(!button(&panel, u"Start"_s)->isEnabled());
        desk.card.reset();
        QVERIFY(desk.context.measuring->whyNot(&panel).isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return button(&panel, u"Start"_s)->isEnabled(); }));
    }

    void nothingIsComparedInAFolderOnAnotherDisk()
    {
        Desk desk;
        desk.layFolderOn("sda");
        BenchmarkPanel panel(desk.context, "sda");
        panel.show();
        panel.enter();
        panel.choose(desk.folder.path());
        desk.rig.stage("queue:sda:read_ahead_kb", number(4096));
        panel.compare(*parseAddress("queue:sda:read_ahead_kb"));
        QVERIFY(QTest::qWaitFor([&] { return button(&panel, u"Start"_s)->isEnabled(); }));
        desk.layFolderOn("sdb");
        QVERIFY(QTest::qWaitFor([&] { return !button(&panel, u"Start"_s)->isEnabled(); }));
        button(&panel, u"Compare"_s)->click();
        const auto *card = panel.findChild<ComparisonCard *>();
        QVERIFY(!card->isRunning());
        QVERIFY(QTest::qWaitFor([&] { return says(card, u"First choose a folder on this disk"); }));
    }

    void whatDisturbedTheResultIsSaid()
    {
        Desk desk;
        desk.round.bytes = 200'000'000;
        desk.round.seconds = 2;
        desk.round.disturbed = QStringList{u"cpu-busy"_s};
        desk.open("queue:sda:read_ahead_kb", number(4096));
        QSignalSpy measured(desk.card.get(), &ComparisonCard::measured);
        desk.compare();
        QVERIFY(measured.wait(60'000));
        QVERIFY(says(desk.card.get(), u"The processors were busy"));
    }
};

QTEST_MAIN(ComparisonCardTest)
#include "tst_comparisoncard.moc"
