// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editors/numberbox.h"

#include <QLineEdit>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kibi = 1024;
constexpr qint64 mebi = 1024 * 1024;

/// A box for a limit in bytes that has the focus, with its number selected.
struct Desk {
    NumberBox box{Range{.min = 4 * mebi, .max = 1024 * mebi, .step = 4 * kibi, .unit = Unit::Bytes}};
    QLineEdit *line = box.findChild<QLineEdit *>();

    Desk()
    {
        box.setValue(800 * mebi);
        box.show();
        box.activateWindow();
        if (!QTest::qWaitForWindowActive(&box))
            qFatal("the box does not become active");
        box.setFocus();
        line->selectAll();
    }
};

} // namespace

class TestNumberBox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    // The kernel's own limit moves with the memory that is free, so each reading brings another number.
    void whatIsHalfTypedStays()
    {
        Desk desk;
        QTest::keyClicks(desk.line, u"2"_s);
        desk.box.setValue(800 * mebi + 4 * kibi);
        QCOMPARE(desk.line->text(), u"2"_s);
        QTest::keyClicks(desk.line, u"5"_s);
        QCOMPARE(desk.box.value(), 25 * mebi);
    }

    void whatWasReadIsShownOnceTheBoxIsLeft()
    {
        Desk desk;
        QTest::keyClick(desk.line, Qt::Key_Backspace);
        desk.box.setValue(800 * mebi + 4 * kibi);
        QCOMPARE(desk.line->text(), QString());
        desk.box.clearFocus();
        QCOMPARE(desk.box.value(), 800 * mebi + 4 * kibi);
        QCOMPARE(desk.line->text(), u"819,204"_s);
        QCOMPARE(desk.box.unitText(), u"KiB"_s);
    }

    void whatIsTakenBackIsNotLeftStanding()
    {
        Desk desk;
        QTest::keyClicks(desk.line, u"64"_s);
        QCOMPARE(desk.box.value(), 64 * mebi);
        // Discarded by its key: the box keeps the focus.
        desk.box.setValue(800 * mebi);
        QCOMPARE(desk.line->text(), u"800"_s);
    }

    void undoTakesHalfANumberToo()
    {
        Desk desk;
        QTest::keyClicks(desk.line, u"2"_s);
        QTest::keyClick(&desk.box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.line->text(), u"800"_s);
    }

    void aReadingIsShownWhileNobodyTypes()
    {
        Desk desk;
        desk.box.setValue(900 * mebi);
        QCOMPARE(desk.line->text(), u"900"_s);
    }
};

QTEST_MAIN(TestNumberBox)
#include "tst_numberbox.moc"
