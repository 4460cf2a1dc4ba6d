// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rootargument.h"

#include <QCommandLineParser>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

/// What the program's parser makes of the arguments.
QString parsedRoot(const QStringList &arguments)
{
    QCommandLineParser parser;
    const QCommandLineOption root(u"root"_s, {}, u"folder"_s);
    parser.addOptions({root, QCommandLineOption(u"page"_s, {}, u"page"_s), QCommandLineOption(u"all"_s)});
    if (!parser.parse(QStringList{u"diskwright"_s} + arguments))
        qFatal("%s", qPrintable(parser.errorText()));
    return parser.isSet(root) ? parser.value(root) : u"/"_s;
}

} // namespace

class TestRootArgument : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isWhatTheParserReads_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("root");
        QTest::newRow("none") << QStringList() << u"/"_s;
        QTest::newRow("two words") << QStringList{u"--root"_s, u"/tmp"_s} << u"/tmp"_s;
        QTest::newRow("one word") << QStringList{u"--root=/tmp"_s} << u"/tmp"_s;
        QTest::newRow("unclean") << QStringList{u"--root=/tmp//x/../"_s} << u"/tmp"_s;
        QTest::newRow("among others")
            << QStringList{u"--all"_s, u"--root=/tmp"_s, u"--page"_s, u"memory"_s} << u"/tmp"_s;
        QTest::newRow("the last counts") << QStringList{u"--root"_s, u"/a"_s, u"--root=/b"_s} << u"/b"_s;
        QTest::newRow("empty") << QStringList{u"--root="_s} << QString();
        QTest::newRow("an empty word") << QStringList{u"--root"_s, QString()} << QString();
        QTest::newRow("behind the end of options") << QStringList{u"--"_s, u"--root=/tmp"_s} << u"/"_s;
        QTest::newRow("an equals sign inside") << QStringList{u"--root=/a=b"_s} << u"/a=b"_s;
    }
    void isWhatTheParserReads()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, root);
        QCOMPARE(rootOf(arguments), root);
        QCOMPARE(QDir::cleanPath(parsedRoot(arguments)), root);
    }

    void onlyAFolderThatBothReadIsUsed()
    {
        const QTemporaryDir folder;
        QCOMPARE(whyNotRoot(u"/"_s, u"/"_s), QString());
        QCOMPARE(whyNotRoot(folder.path(), folder.path() + u"//"_s), QString());
        // This is the parser's to decide: the next word belongs to the option before it.
        const QStringList odd{u"--page"_s, u"--root"_s, folder.path()};
        QVERIFY(!whyNotRoot(rootOf(odd), parsedRoot(odd)).isEmpty());
        QVERIFY(whyNotRoot(QString(), QString()).contains(u"no folder"_s));
        QVERIFY(whyNotRoot(u"/nowhere/at/all"_s, u"/nowhere/at/all"_s).contains(u"/nowhere/at/all"_s));
        QVERIFY(whyNotRoot(u"/"_s, folder.path()).contains(folder.path()));
    }

    void theProgramRefusesWhatItCanNotMean_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no folder") << QStringList{u"--root=/nowhere/at/all"_s};
        QTest::newRow("empty") << QStringList{u"--root="_s};
        QTest::newRow("without the option") << QStringList{u"/tmp"_s};
        QTest::newRow("not a scheme") << QStringList{u"--color-scheme=drak"_s};
    }
    void theProgramRefusesWhatItCanNotMean()
    {
        QFETCH(QStringList, arguments);
        QProcess program;
        program.start(QStringLiteral(DISKWRIGHT_PROGRAM), arguments);
        QVERIFY(program.waitForFinished(60'000));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 2);
        QVERIFY(program.readAllStandardError().contains("diskwright: "));
    }
};

QTEST_GUILESS_MAIN(TestRootArgument)
#include "tst_rootargument.moc"
