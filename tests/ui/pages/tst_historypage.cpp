// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/machinecopy.h"
#include "tests/ui/rig.h"

#include "ui/pages/historypage.h"

#include <QCheckBox>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

/// The history page of a machine on which one thing was changed in this boot.
struct Desk {
    MachineCopy copy;
    std::unique_ptr<Rig> rig;

    explicit Desk(bool kept)
    {
        QFile bootId(copy.root() + u"/proc/sys/kernel/random/boot_id"_s);
        if (!bootId.open(QFile::ReadOnly))
            qFatal("the recorded machine has no boot id");
        writeEntry(1, QString::fromLatin1(bootId.readAll().trimmed()).remove(u'-'), kept);
        rig = std::make_unique<Rig>(copy.root());
        rig->window->go({Place::Kind::History, {}});
    }
    void writeEntry(int number, const QString &bootId, bool kept) const
    {
        QDir().mkpath(copy.root() + u"/var/lib/diskwright/history"_s);
        const QString id = u"%1"_s.arg(number, 32, 16, QLatin1Char('0'));
        QFile file(copy.root() + u"/var/lib/diskwright/history/"_s + id + u".json"_s);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(
            u"{\"transaction\":\"%1\",\"time\":1700000000,\"boot_id\":\"%2\",\"uid\":1000,\"outcome\":"
            u"\"applied\","
            u"\"lease\":false,\"kept\":%3,\"undoable\":true,\"reason\":\"\",\"steps\":[{\"setting\":"
            u"\"queue:sda:read_ahead_kb\",\"id\":null,\"before\":128,\"requested\":4096,\"after\":4096,"
            u"\"result\":\"applied\",\"errno\":0,\"message\":\"\"}]}\n"_s
                .arg(id, bootId, kept ? u"true"_s : u"false"_s)
                .toUtf8());
    }
    [[nodiscard]] QMessageBox *ask() const
    {
        for (QPushButton *button : rig->window->page()->findChildren<QPushButton *>()) {
            if (button->text() == u"&Undo…"_s)
                button->click();
        }
        return rig->window->page()->findChild<QMessageBox *>();
    }
    static void putBack(const QMessageBox *question)
    {
        for (QAbstractButton *button : question->buttons()) {
            if (question->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
        }
    }
};

} // namespace

class TestHistoryPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void undoAlsoStopsAtEveryStart()
    {
        Desk desk(true);
        const QMessageBox *question = desk.ask();
        QVERIFY(question && question->checkBox());
        QVERIFY(question->checkBox()->isChecked());
        Desk::putBack(question);
        QVERIFY(QTest::qWaitFor([&] { return desk.rig->applier.undos == 1; }));
        QVERIFY(!desk.rig->applier.undoStaysKept);
    }

    void undoForNowOnly()
    {
        Desk desk(true);
        const QMessageBox *question = desk.ask();
        question->checkBox()->click();
        Desk::putBack(question);
        QVERIFY(QTest::qWaitFor([&] { return desk.rig->applier.undos == 1; }));
        QVERIFY(desk.rig->applier.undoStaysKept);
    }

    void whatIsNotKeptIsNotAskedAbout()
    {
        Desk desk(false);
        const QMessageBox *question = desk.ask();
        QVERIFY(question && !question->checkBox());
        Desk::putBack(question);
        QVERIFY(QTest::qWaitFor([&] { return desk.rig->applier.undos == 1; }));
        QVERIFY(!desk.rig->applier.undoStaysKept);
    }

    void cancelUndoesNothing()
    {
        Desk desk(true);
        QMessageBox *question = desk.ask();
        question->reject();
        QTest::qWait(20);
        QCOMPARE(desk.rig->applier.undos, 0);
    }
};

QTEST_MAIN(TestHistoryPage)
#include "tst_historypage.moc"
