// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"

#include <QDir>
#include <QFile>
#include <QString>
#include <QTest>

#include <sstream>

using namespace Qt::StringLiterals;

// Every machine of tests/fixtures/machines, byte by byte; tests/fixtures/update-expected writes them anew.
class TestMachines : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void says_data()
    {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("expected");
        const QDir machines(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines"));
        for (const QString &machine : machines.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QString path = machines.filePath(machine);
            QTest::addRow("disks of %s", qPrintable(machine))
                << path << QStringList{u"disks"_s, u"--all"_s, u"--json"_s} << u"expected-disks.json"_s;
            QTest::addRow("settings of %s", qPrintable(machine))
                << path << QStringList{u"show"_s, u"--json"_s} << u"expected-settings.json"_s;
        }
    }
    void says()
    {
        QFETCH(QString, machine);
        QFETCH(QStringList, command);
        QFETCH(QString, expected);
        std::vector<std::string> arguments{"--root", machine.toStdString()};
        for (const QString &word : command)
            arguments.push_back(word.toStdString());
        std::ostringstream out;
        std::ostringstream err;
        QCOMPARE(diskwright::runCommandLine(arguments, out, err), 0);
        QCOMPARE(err.str(), std::string());
        QFile file(QDir(machine).filePath(expected));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const QList<QByteArray> wanted = file.readAll().split('\n');
        const QList<QByteArray> got = QByteArray::fromStdString(out.str()).split('\n');
        for (qsizetype line = 0; line < std::min(wanted.size(), got.size()); ++line) {
            const QByteArray message =
                "line " + QByteArray::number(line + 1) + ": " + got[line] + " instead of " + wanted[line];
            QVERIFY2(got[line] == wanted[line], message.constData());
        }
        QCOMPARE(got.size(), wanted.size());
    }
};

QTEST_APPLESS_MAIN(TestMachines)
#include "tst_commandline_machines.moc"
