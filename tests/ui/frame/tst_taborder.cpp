// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/rig.h"

#include "ui/frame/taborder.h"
#include "ui/pages/diskcard.h"

#include <QAccessible>
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

static QString described(const QWidget *widget)
{
    const QString name = widget->accessibleName();
    return QString::fromLatin1(widget->metaObject()->className()) + u" “"_s + name + u'”';
}

// Opens everything on a page that can be unfolded.
static void unfold(QWidget *page)
{
    for (int round = 0; round < 2; ++round) {
        for (Expander *expander : page->findChildren<Expander *>()) {
            if (expander->isVisibleTo(page))
                expander->setChecked(true);
        }
        QApplication::processEvents();
    }
}

class TestTabOrder : public QObject
{
    Q_OBJECT

    static void machines()
    {
        QTest::addColumn<QString>("machine");
        for (const char *name : {"desktop-sata-ssd-hdd", "laptop-nvme-luks-lvm", "guest-virtio-ahci-usb"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void everyControlHasAName_data() { machines(); }
    void everyControlHasAName()
    {
        QFETCH(QString, machine);
        Rig rig(machine);
        for (const Place &place : rig.places()) {
            rig.window->go(place);
            unfold(rig.window->page());
            QStringList missing;
            int seen = 0;
            collectNameless(QAccessible::queryAccessibleInterface(rig.window.get()), missing, seen);
            QVERIFY2(seen > 5, "hardly any control was found: the walk looks in the wrong place");
            QVERIFY2(missing.isEmpty(),
                     qPrintable(rig.window->page()->title() + u": "_s + missing.join(u", "_s)));
        }
    }

    void tabReachesEverythingAndComesBack_data() { machines(); }
    void tabReachesEverythingAndComesBack()
    {
        QFETCH(QString, machine);
        Rig rig(machine);
        rig.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(rig.window.get()));
        for (const Place &place : rig.places()) {
            rig.window->go(place);
            QSignalSpy read(&rig.machine, &Machine::wasRead);
            rig.machine.readAgain();
            QVERIFY(read.wait());
            unfold(rig.window->page());
            const QList<QWidget *> wanted = tabOrder(rig.window.get());
            QVERIFY(wanted.size() >= 2);
            // What Qt would let the Tab key reach is in the list, whatever its order.
            for (QWidget *widget : rig.window->findChildren<QWidget *>()) {
                if (widget->isVisible() && widget->isEnabled() &&
                    (widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy() &&
                    !widget->isWindow())
                    QVERIFY2(wanted.contains(widget), qPrintable(described(widget)));
            }
            // A group of radio buttons is one stop: which of them it is changes with the walk, so the order
            // is asked for anew at each step.
            QSet<QWidget *> visited;
            wanted.first()->setFocus(Qt::TabFocusReason);
            for (int step = 0; step < 1000; ++step) {
                const QList<QWidget *> order = tabOrder(rig.window.get());
                const qsizetype here = order.indexOf(QApplication::focusWidget());
                QVERIFY2(here >= 0, qPrintable(described(QApplication::focusWidget())));
                visited << order[here];
                // Whoever has the focus is to be seen.
                QVERIFY2(!order[here]->visibleRegion().isEmpty(), qPrintable(described(order[here])));
                if (here == order.size() - 1)
                    break;
                QTest::keyClick(order[here], Qt::Key_Tab);
                QVERIFY2(QApplication::focusWidget() == order[here + 1],
                         qPrintable(rig.window->page()->title() + u": Tab leads to "_s +
                                    described(QApplication::focusWidget()) + u" instead of "_s +
                                    described(order[here + 1])));
            }
            const QList<QWidget *> order = tabOrder(rig.window.get());
            for (QWidget *widget : order)
                QVERIFY2(visited.contains(widget), qPrintable(described(widget)));
            // Round and back again: nothing holds the focus.
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget(), order.first());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
            QCOMPARE(QApplication::focusWidget(), order.last());
        }
    }

    void thePageComesBeforeTheBarOfStagedChanges()
    {
        Rig rig;
        rig.window->go({Place::Kind::Disk, "sda"});
        rig.stage("queue:sda:read_ahead_kb", number(4096));
        const QList<QWidget *> order = tabOrder(rig.window.get());
        const auto *tabs = rig.window->page()->findChild<QTabBar *>();
        QVERIFY(tabs);
        qsizetype lastOfPage = -1;
        for (qsizetype i = 0; i < order.size(); ++i) {
            if (rig.window->page()->isAncestorOf(order[i]))
                lastOfPage = i;
        }
        qsizetype review = -1;
        for (qsizetype i = 0; i < order.size(); ++i) {
            const auto *button = qobject_cast<const QPushButton *>(order[i]);
            if (button && button->text() == u"&Review…"_s)
                review = i;
        }
        QVERIFY(order.indexOf(tabs) >= 0);
        QVERIFY(lastOfPage > 0);
        QVERIFY(review > lastOfPage);
    }

    void aCardOpensItsDiskByKey()
    {
        Rig rig;
        rig.window->go({Place::Kind::Overview, {}});
        rig.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(rig.window.get()));
        const auto cards = rig.window->page()->findChildren<DiskCard *>();
        QVERIFY(cards.size() >= 2);
        cards[0]->setFocus(Qt::TabFocusReason);
        QTest::keyClick(cards[0], Qt::Key_Space);
        QVERIFY2(rig.window->page()->title().startsWith(u"Samsung"_s),
                 qPrintable(rig.window->page()->title()));
    }
};

QTEST_MAIN(TestTabOrder)
#include "tst_taborder.moc"
