// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/measurewords.h"

#include "app/bench/engineprocess.h"

#include <QFile>
#include <QJsonArray>
#include <QLocale>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <cerrno>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

// The words in the first column of the table.
QStringList documentedDisturbances()
{
    QFile file(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/docs/measuring.md"));
    if (!file.open(QFile::ReadOnly))
        return {};
    const QString section = QString::fromUtf8(file.readAll())
                                .section(u"### What marks a round as disturbed"_s, 1)
                                .section(u"\n## "_s, 0, 0);
    QStringList words;
    static const QRegularExpression word(u"`([a-z-]+)`"_s);
    for (const QString &line : section.split(u'\n')) {
        for (auto found = word.globalMatch(line.section(u'|', 1, 1)); found.hasNext();)
            words << found.next().captured(1);
    }
    return words;
}

QJsonObject comparison(const QString &verdict)
{
    return {{u"comparison"_s, u"0123"_s},
            {u"verdict"_s, verdict},
            {u"effect"_s, 0.12},
            {u"low"_s, 0.09},
            {u"high"_s, 0.15},
            {u"threshold"_s, 0.02},
            {u"differs"_s, QJsonArray{QJsonObject{{u"setting"_s, u"queue:sda:read_ahead_kb"_s},
                                                  {u"now"_s, u"128"_s},
                                                  {u"wanted"_s, u"4096"_s}}}}};
}

} // namespace

class MeasureWordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void eachProblemHasItsOwnCause_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("sysErrno");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, Errc code, int sysErrno, const QString &input,
                            const QString &reason, const QString &says) {
            QTest::newRow(name) << static_cast<int>(code) << sysErrno << input << reason << says;
        };
        const QString folder = u"/home/a"_s;
        row("space", Errc::OutOfRange, ENOSPC, folder, u"would leave too little"_s,
            u"Too little space is free in /home/a"_s);
        row("space while writing", Errc::Kernel, ENOSPC, folder, u"writing"_s, u"Too little space"_s);
        row("quota", Errc::Kernel, EDQUOT, folder, u"writing"_s, u"Your quota"_s);
        row("no right", Errc::UnknownTarget, EACCES, folder, u"making"_s, u"You may not write in /home/a"_s);
        row("read-only", Errc::UnknownTarget, EROFS, folder, u"making"_s, u"/home/a can be read only"_s);
        row("gone", Errc::UnknownTarget, ENOENT, folder, u"making"_s, u"/home/a is not there"_s);
        row("broken", Errc::Kernel, EIO, folder, u"reading"_s, u"failed to read or write"_s);
        row("any other errno", Errc::Kernel, EMFILE, folder, u"opening"_s, u"/home/a: Too many open files"_s);
        row("no direct reads", Errc::Absent, 0, folder, u"this file system has no direct reads, so"_s,
            u"The file system of /home/a can't be read past the memory"_s);
        row("no program", Errc::Absent, 0, bench::defaultEnginePath(), u"No such file"_s,
            u"The measuring program can't be started (No such file)"_s);
        row("program gone", Errc::Internal, 0, bench::defaultEnginePath(), u"ended by itself"_s,
            u"The measuring program ended by itself"_s);
        row("a range of the engine", Errc::OutOfRange, 0, u"depth=0"_s, u"not a workload"_s,
            u"depth=0: not a workload"_s);
        row("a range of a setting", Errc::OutOfRange, 0, u"queue:sda:nr_requests"_s, u"too much"_s,
            u"outside the accepted range"_s);
        row("no setting", Errc::Absent, 0, u"queue:sda:wbt_lat_usec"_s, u"no such attribute"_s,
            u"does not have the setting"_s);
        row("no disk", Errc::UnknownTarget, 0, u"sda"_s, QString(), u"There is no such disk"_s);
        row("not authorized", Errc::NotAuthorized, 0, QString(), u"dismissed"_s,
            u"You may not change this"_s);
        row("newer results", Errc::UnsupportedVersion, 0, u"/home/a/results.sqlite"_s, u"newer"_s,
            u"a newer Diskwright"_s);
        row("broken results", Errc::StateFile, 0, u"/home/a/results.sqlite"_s, u"no database"_s,
            u"A file of Diskwright"_s);
    }
    void eachProblemHasItsOwnCause()
    {
        QFETCH(int, code);
        QFETCH(int, sysErrno);
        QFETCH(QString, input);
        QFETCH(QString, reason);
        QFETCH(QString, says);
        const QString text = measuringProblem({.code = static_cast<Errc>(code),
                                               .input = input.toStdString(),
                                               .reason = reason.toStdString(),
                                               .accepted = {},
                                               .sysErrno = sysErrno});
        QVERIFY2(text.contains(says), qPrintable(text));
    }

    void eachDisturbanceHasItsOwnSentence()
    {
        QStringList words = documentedDisturbances();
        QVERIFY(words.size() >= 9);
        words << u"device-unknown"_s << u"counters-off"_s << u"stalled"_s;
        words.removeDuplicates();
        QSet<QString> sentences;
        for (const QString &word : std::as_const(words)) {
            const QString sentence = disturbanceText({word});
            QVERIFY2(!sentence.contains(word) && sentence.endsWith(u'.'), qPrintable(word));
            sentences.insert(sentence);
        }
        QCOMPARE(sentences.size(), words.size());
        QVERIFY(disturbanceText({}).isEmpty());
        QVERIFY(disturbanceText({u"moonlight"_s}).contains(u"moonlight"_s));
        QCOMPARE(disturbanceText({u"warm"_s, u"warm"_s}), disturbanceText({u"warm"_s}));
    }

    void aComparisonIsOneLine()
    {
        QCOMPARE(comparisonTitle(comparison(u"faster"_s)).replace(QChar(0x202f), u' '),
                 u"Read-ahead (sda): 4,096 KiB against 128 KiB"_s);
        QCOMPARE(comparisonVerdict(comparison(u"faster"_s)), u"faster by 12 % (9.0 to 15 %)"_s);
        QCOMPARE(comparisonVerdict(comparison(u"slower"_s)), u"slower by 12 % (9.0 to 15 %)"_s);
        QCOMPARE(comparisonVerdict(comparison(u"same"_s)), u"the same within 2.0 %"_s);
        QCOMPARE(comparisonVerdict(comparison(u"cannot-tell"_s)), u"can't be told"_s);
        QCOMPARE(comparisonVerdict(comparison(u"not-comparable"_s)), u"not comparable"_s);
        QCOMPARE(comparedValues(comparison(u"same"_s), {{u"queue:sda:read_ahead_kb"_s, u"128"_s},
                                                        {u"queue:sda:scheduler"_s, u"none"_s}})
                     .replace(QChar(0x202f), u' '),
                 u"128 KiB"_s);
    }
};

QTEST_GUILESS_MAIN(MeasureWordsTest)
#include "tst_measurewords.moc"
