// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/machinecopy.h"
#include "tests/ui/rig.h"

#include "ui/dialogs/editeddialog.h"
#include "ui/pages/historypage.h"

#include <QCheckBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
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
        file.write(u"{\"transaction\":\"%1\",\"time\":1700000000,\"boot_id\":\"%2\",\"uid\":1000,\"outcome\":"
                   u"\"applied\","
                   u"\"lease\":false,\"kept\":%3,\"undoable\":true,\"reason\":\"\",\"steps\":[{\"setting\":"
                   u"\"queue:sda:read_ahead_kb\",\"id\":\"wwn-0x5002538f00000001\",\"before\":128,"
                   u"\"requested\":4096,\"after\":4096,"
                   u"\"result\":\"applied\",\"errno\":0,\"message\":\"\"}]}\n"_s
                       .arg(id, bootId, kept ? u"true"_s : u"false"_s)
                       .toUtf8());
    }
    /// Keeps something else, and what the change set.
    void keep() const
    {
        QVERIFY(QDir().mkpath(copy.root() + u"/etc/diskwright"_s));
        QFile kept(copy.root() + u"/etc/diskwright/boot-set.json"_s);
        QVERIFY(kept.open(QFile::WriteOnly));
        QVERIFY(kept.write(
                    R"({"version":1,"items":[{"setting":"vm/swappiness","machine":true,"value":10,)"
                    R"("origin":"","kept_at":1,"original":{"setting":"vm/swappiness","value":60}},)"
                    R"({"setting":"queue/read_ahead_kb","disk":{"id":"wwn-0x5002538f00000001","name":"sda",)"
                    R"("wwn":"0x5002538f00000001","serial":"","size_bytes":1000204886016},)"
                    R"("value":4096,"origin":"","kept_at":1,)"
                    R"("original":{"setting":"queue/read_ahead_kb","value":128}}]})") > 0);
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

    void aHistoryThatCanNotBeReadIsNotAnEmptyOne()
    {
        const MachineCopy copy;
        QVERIFY(QDir().mkpath(copy.root() + u"/var/lib/diskwright"_s));
        QFile folder(copy.root() + u"/var/lib/diskwright/history"_s);
        QVERIFY(folder.open(QFile::WriteOnly));
        Rig rig(copy.root());
        rig.window->go({Place::Kind::History, {}});
        const auto says = [&](const QString &text) {
            return std::ranges::any_of(
                rig.window->page()->findChildren<QLabel *>(),
                [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
        };
        QVERIFY(says(u"/var/lib/diskwright/history can't be read"_s));
        QVERIFY(!says(u"Nothing was changed yet"_s));
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

    void undoneButStillSetAtEveryStartIsAProblem()
    {
        Desk desk(true);
        desk.keep();
        desk.rig->applier.undone.kept = true;
        desk.rig->applier.undone.keepWhy = Errc::FileChanged;
        QSignalSpy said(desk.rig->window->page(), &Page::message);
        Desk::putBack(desk.ask());
        QVERIFY(QTest::qWaitFor([&] { return !said.isEmpty(); }));
        QVERIFY2(said[0][1].toBool(), "it is not as it was asked for");
        // The edit is offered for replacement, and only that change is kept no more.
        EditedDialog *dialog = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] { return (dialog = desk.rig->window->findChild<EditedDialog *>()) != nullptr; }));
        QCOMPARE(desk.rig->applier.forgetsReplacing, 0);
        for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
            if (button->text() == u"&Replace the edited file"_s)
                button->click();
        }
        QCOMPARE(desk.rig->applier.forgetsReplacing, 1);
        QCOMPARE(desk.rig->applier.forgets, std::vector<std::uint16_t>{1});
        QVERIFY(QTest::qWaitFor([&] { return dialog->findChild<EditedFiles *>()->isHidden(); }));
    }

    void undoneIsNoProblem()
    {
        const Desk desk(true);
        QSignalSpy said(desk.rig->window->page(), &Page::message);
        Desk::putBack(desk.ask());
        QVERIFY(QTest::qWaitFor([&] { return !said.isEmpty(); }));
        QVERIFY(!said[0][1].toBool());
    }

    void thePageMayBeGoneBeforeTheAnswer()
    {
        Desk desk(true);
        const FakeApplier &applier = desk.rig->applier;
        Desk::putBack(desk.ask());
        QVERIFY(QTest::qWaitFor([&] { return applier.undos == 1; }));
        desk.rig->window.reset();
        QVERIFY(QTest::qWaitFor([&] { return applier.answers == 1; }));
    }

    void namesAreNoMarkup()
    {
        const Desk desk(true);
        const QMessageBox *question = desk.ask();
        for (const QLabel *label : question->findChildren<QLabel *>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
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
