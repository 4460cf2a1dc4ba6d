// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/editedfiles.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace diskwright;

namespace {

QByteArray written(const QByteArray &body)
{
    return "# Written by Diskwright. It notices a change made here and asks before it replaces it.\n"
           "# sha256 of what follows: " +
           QCryptographicHash::hash(body, QCryptographicHash::Sha256).toHex() + '\n' + body;
}

struct Tree {
    QTemporaryDir folder;
    void write(const QString &relative, const QByteArray &bytes) const
    {
        const QString path = folder.filePath(relative);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(bytes), bytes.size());
    }
};

} // namespace

class EditedFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasWrittenIsNotEdited()
    {
        const Tree tree;
        QVERIFY(readEditedFiles(tree.folder.path()).empty());
        tree.write(u"etc/udev/rules.d/80-diskwright.rules"_s, written("a\nb\n"));
        QVERIFY(readEditedFiles(tree.folder.path()).empty());
    }

    void theDifferenceIsShown()
    {
        const Tree tree;
        tree.write(u"etc/udev/rules.d/80-diskwright.rules"_s, written("a\nb\nc\n") + "mine\n");
        tree.write(u"etc/sysctl.d/80-diskwright.conf"_s, "theirs\n");
        auto edited = readEditedFiles(tree.folder.path());
        QCOMPARE(edited.size(), 2U);
        QCOMPARE(edited[0].path, u"/etc/udev/rules.d/80-diskwright.rules"_s);
        QVERIFY(edited[0].difference.isEmpty());
        tree.write(u"run/diskwright/ours/80-diskwright.rules"_s, written("a\nb\nc\n"));
        tree.write(u"run/diskwright/ours/80-diskwright.conf"_s, "");
        edited = readEditedFiles(tree.folder.path());
        QCOMPARE(edited[0].difference, (QStringList{u"  b"_s, u"  c"_s, u"+ mine"_s}));
        QCOMPARE(edited[1].difference, QStringList{u"+ theirs"_s});
    }

    void linesThatDiffer_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("shown");
        QTest::newRow("same") << u"a b c"_s << u"a b c"_s << QString();
        QTest::newRow("changed") << u"a b c"_s << u"a x c"_s << u"  a|- b|+ x|  c"_s;
        QTest::newRow("removed") << u"a b c"_s << u"a c"_s << u"  a|- b|  c"_s;
        QTest::newRow("all new") << QString() << u"a"_s << u"+ a"_s;
        QTest::newRow("far apart") << u"1 2 3 4 5 6 7 8 9"_s << u"x 2 3 4 5 6 7 8 y"_s
                                   << u"- 1|+ x|  2|  3|…|  7|  8|- 9|+ y"_s;
    }
    void linesThatDiffer()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, shown);
        const auto lines = [](const QString &text) { return text.split(u' ', Qt::SkipEmptyParts); };
        QCOMPARE(differenceOf(lines(before), lines(after)).join(u'|'), shown);
    }

    void aHugeFileIsNotCompared()
    {
        QStringList many;
        many.fill(u"line"_s, 5000);
        QCOMPARE(differenceOf(many, {}), QStringList{u"…"_s});
    }
};

QTEST_GUILESS_MAIN(EditedFilesTest)
#include "tst_editedfiles.moc"
