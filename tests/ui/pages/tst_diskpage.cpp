// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/machinecopy.h"
#include "tests/ui/rig.h"

#include "ui/pages/benchmarkpanel.h"
#include "ui/pages/comparisoncard.h"
#include "ui/pages/whyslowcard.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

QPushButton *button(const QWidget *where, const QString &text)
{
    for (QPushButton *candidate : where->findChildren<QPushButton *>()) {
        if (candidate->text().remove(u'&') == text)
            return candidate;
    }
    return nullptr;
}

bool says(const QWidget *where, const QString &part)
{
    return std::ranges::any_of(where->findChildren<QLabel *>(), [&](const QLabel *label) {
        return label->isVisible() && label->text().contains(part);
    });
}

/// A disk's page on a machine from which the disk can be pulled.
struct Desk {
    MachineCopy copy;
    Rig rig{copy.root()};
    Page *page = nullptr;

    Desk()
    {
        // A staged edit keeps the page of a disk that is gone.
        rig.window->go({Place::Kind::Disk, "sdb"});
        rig.stage("queue:sdb:read_ahead_kb", number(4096));
        page = rig.window->page();
    }
    template <class Part>
    [[nodiscard]] Part *part() const
    {
        return page->findChild<Part *>();
    }
    void waitUntilLookedAt() const
    {
        QVERIFY(QTest::qWaitFor([&] { return !part<WhySlowCard>()->isReading(); }, 10'000));
    }
    void pull()
    {
        copy.pull(u"sdb"_s);
        rig.look();
        QCOMPARE(rig.machine.presence("sdb"), Presence::Gone);
    }
    void plug()
    {
        copy.plug(u"sdb"_s, u"sdb"_s);
        rig.look();
        QCOMPARE(rig.machine.presence("sdb"), Presence::Here);
    }
};

} // namespace

class TestDiskPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasFoundOfADiskThatIsGoneStepsBack()
    {
        Desk desk;
        desk.waitUntilLookedAt();
        auto *card = desk.part<WhySlowCard>();
        const QString found = card->findChildren<QLabel *>()[1]->text();
        desk.pull();
        QVERIFY(says(desk.page, u"gone"_s));
        QVERIFY(!card->findChildren<QLabel *>()[0]->isEnabled());
        QCOMPARE(card->findChildren<QLabel *>()[1]->text(), found);
        // F5 and coming back to the page look at nothing.
        card->readAgain();
        QVERIFY(!card->isReading());
        desk.plug();
        QVERIFY(card->isReading());
        QVERIFY(card->findChildren<QLabel *>()[0]->isEnabled());
        desk.waitUntilLookedAt();
        QVERIFY(!says(desk.page, u"gone"_s));
    }

    void aDiskThatGoesWhileItIsLookedAtIsNotLookedAtForEver()
    {
        WhySlowCard card(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/health/sound-ssd"));
        card.show();
        card.setDisk("sda");
        QVERIFY(card.isReading() && says(&card, u"Looking"_s));
        card.setAway(true);
        QVERIFY(!card.isReading());
        QVERIFY(!says(&card, u"Looking"_s));
        QVERIFY(says(&card, u"could be looked at"_s));
        QSignalSpy read(&card, &WhySlowCard::wasRead);
        card.setAway(false);
        QVERIFY(says(&card, u"Looking"_s));
        QVERIFY(read.wait(10'000));
        QVERIFY(says(&card, u"Nothing found that slows this disk."_s));
    }

    void nothingIsMeasuredOnADiskThatIsGone()
    {
        Desk desk;
        auto *panel = [&] {
            desk.page->findChild<QTabBar *>()->setCurrentIndex(1);
            return desk.part<BenchmarkPanel>();
        }();
        QVERIFY(panel);
        panel->compare(*parseAddress("queue:sdb:read_ahead_kb"));
        QPushButton *other = button(panel, u"Other…"_s);
        QPushButton *compare = button(panel, u"Compare"_s);
        QVERIFY(other->isEnabled() && compare->isEnabled());
        desk.pull();
        QVERIFY(says(panel, u"gone"_s));
        QVERIFY(!button(panel, u"Start"_s)->isEnabled());
        QVERIFY(!other->isEnabled());
        QVERIFY(!compare->isEnabled());
        QVERIFY(!panel->findChild<QComboBox *>()->isEnabled());
        desk.plug();
        QVERIFY(!says(panel, u"gone"_s));
        QVERIFY(other->isEnabled() && compare->isEnabled());
    }

    void theTabOpenedWhileTheDiskIsGoneSaysSo()
    {
        Desk desk;
        desk.pull();
        desk.page->findChild<QTabBar *>()->setCurrentIndex(1);
        QVERIFY(says(desk.part<BenchmarkPanel>(), u"gone"_s));
        QVERIFY(!button(desk.part<BenchmarkPanel>(), u"Start"_s)->isEnabled());
    }
};

QTEST_MAIN(TestDiskPage)
#include "tst_diskpage.moc"
