// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/report.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace diskwright;
using namespace diskwright::bench;

class ReportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listNamesEveryTestWithItsCost()
    {
        const QJsonArray tests = listDocument()[u"tests"].toArray();
        QCOMPARE(tests.size(), static_cast<qsizetype>(allTests().size()));
        for (const QJsonValue &test : tests) {
            QVERIFY(findTest(test[u"test"].toString()).has_value());
            QVERIFY(!test[u"name"].toString().isEmpty() && !test[u"purpose"].toString().isEmpty());
            QVERIFY(test[u"seconds"].toDouble() > 0);
            QCOMPARE(test[u"writes_bytes"].toInteger(), static_cast<qint64>(defaultSizeBytes));
        }
    }
    void readingAFileCostsNoWriting()
    {
        const TestSpec &test = allTests().front();
        QCOMPARE(costOf(test, false, defaultSizeBytes, 3, 2000).writtenBytes, 0u);
        QVERIFY(displayCost(costOf(test, false, 1, 3, 2000)).contains(QStringLiteral("writes nothing")));
        QCOMPARE(displayCost(costOf(test, true, 100'000'000, 3, 2000)),
                 QStringLiteral("about 7 s, writes 100.00 MB"));
    }
    void unknownTestNamesTheKnown()
    {
        const auto test = findTest(QStringLiteral("rnd4k\x01"));
        QVERIFY(!test);
        QCOMPARE(test.error().input, std::string("rnd4k\\x01"));
        QVERIFY(test.error().accepted.find("seq1m-q1t1-read") != std::string::npos);
    }
    void unitsAreDecimal()
    {
        QCOMPARE(displayFigure(1'000'000, Metric::BytesPerSecond), QStringLiteral("1.0 MB/s"));
        QCOMPARE(displayFigure(1.5e9, Metric::BytesPerSecond), QStringLiteral("1.50 GB/s"));
        QCOMPARE(displayFigure(148'000, Metric::IosPerSecond), QStringLiteral("148,000 IO/s"));
    }
    void fewRoundsHaveNoInterval()
    {
        RunResult run{.id = RunResult::newId(),
                      .time = {},
                      .name = {},
                      .test = QStringLiteral("seq1m-q1t1-read"),
                      .target = {},
                      .stack = {},
                      .rounds = {},
                      .settings = {}};
        QVERIFY(run.toJson()[u"estimate"][u"value"].isNull());
        QVERIFY(run.toJson()[u"throughput_bytes_per_s"].isNull());
        for (int number = 0; number < 6; ++number) {
            Round round;
            round.bytes = static_cast<quint64>(100 + number);
            round.seconds = 1;
            run.rounds.append(round);
            const QJsonObject estimate = run.toJson()[u"estimate"].toObject();
            QVERIFY(estimate[u"value"].isDouble());
            QCOMPARE(estimate[u"low"].isNull(), number < 5);
            QCOMPARE(run.estimate()->low, 100.0);
        }
        QCOMPARE(run.estimate()->value, 102.5);
        QVERIFY(run.toJson()[u"latency_ns"][u"p50"].isNull());
    }
    void errorsSayInputReasonAndAccepted()
    {
        const Error error{.code = Errc::OutOfRange,
                          .input = "rounds 0",
                          .reason = "not a number of rounds",
                          .accepted = "1 to 1000"};
        QCOMPARE(errorText(error), QStringLiteral("rounds 0: not a number of rounds; accepted: 1 to 1000"));
        const QJsonObject document = errorDocument(error)[u"error"].toObject();
        QCOMPARE(document[u"code"].toString(), QStringLiteral("out-of-range"));
        for (const char *key : {"code", "message", "input", "reason", "accepted"})
            QVERIFY2(document.contains(QString::fromLatin1(key)), key);
        QCOMPARE(exitCode(error), 3);
        QCOMPARE(exitCode(Error{.code = Errc::Busy, .input = {}, .reason = {}, .accepted = {}}), 7);
        QCOMPARE(exitCode(Error{.code = Errc::Internal, .input = {}, .reason = {}, .accepted = {}}), 1);
    }
    void historyListsRunsAndComparisons()
    {
        const QJsonObject document = historyDocument({{.id = QStringLiteral("x"),
                                                       .time = {},
                                                       .name = {},
                                                       .test = {},
                                                       .target = {},
                                                       .estimate = Estimate{5, 4, 6, 0.96}}},
                                                     {{{QStringLiteral("verdict"), QStringLiteral("same")}}});
        QCOMPARE(document[u"runs"][0][u"estimate"][u"high"].toDouble(), 6.0);
        QVERIFY(document[u"runs"][0][u"name"].isNull());
        QCOMPARE(document[u"comparisons"][0][u"verdict"].toString(), QStringLiteral("same"));
    }
    // A comparison is one entry with its sentence; its runs stand below it, not beside it.
    void comparisonsAreFoundAgain()
    {
        const auto at = [](int hour) { return QDateTime(QDate(2026, 5, 1), QTime(hour, 0), QTimeZone::UTC); };
        const auto run = [&](const char *id, const char *name, int hour) {
            return SavedRun{.id = QString::fromLatin1(id),
                            .time = at(hour),
                            .name = QString::fromLatin1(name),
                            .test = QStringLiteral("seq1m-q1t1-read"),
                            .target = {},
                            .estimate = Estimate{5e6, 4e6, 6e6, 0.96}};
        };
        const QJsonObject comparison{
            {QStringLiteral("comparison"), QStringLiteral("c0ffee")},
            {QStringLiteral("time"), at(2).toString(Qt::ISODate)},
            {QStringLiteral("test"), QStringLiteral("seq1m-q1t1-read")},
            {QStringLiteral("stack"), QStringLiteral("file → ext4 → sda")},
            {QStringLiteral("differs"),
             QJsonArray{QJsonObject{{QStringLiteral("setting"), QStringLiteral("queue:sda:read_ahead_kb")},
                                    {QStringLiteral("now"), QStringLiteral("128")},
                                    {QStringLiteral("wanted"), QStringLiteral("4096")}}}},
            {QStringLiteral("sentence"), QStringLiteral("4096 is faster than 128 by 9 %.")}};
        QCOMPARE(
            historyText({run("b1", "c0ffee", 2), run("a0", "evening", 3), run("a1", "", 1)}, {comparison}),
            QStringLiteral("2026-05-01T03:00:00Z  a0  seq1m-q1t1-read  5.0 MB/s  evening\n"
                           "2026-05-01T02:00:00Z  c0ffee  4096 is faster than 128 by 9 %.\n"
                           "    b1  seq1m-q1t1-read  5.0 MB/s\n"
                           "2026-05-01T01:00:00Z  a1  seq1m-q1t1-read  5.0 MB/s"));
        QCOMPARE(historyText({}, {}), QString());
        const QStringList lines = comparisonText(comparison).split(u'\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines.first(), QStringLiteral("4096 is faster than 128 by 9 %."));
        QVERIFY(lines[1].endsWith(QStringLiteral("file → ext4 → sda")));
        QCOMPARE(lines.last(), QStringLiteral("queue:sda:read_ahead_kb  128 → 4096"));
    }
};

QTEST_APPLESS_MAIN(ReportTest)
#include "tst_report.moc"
