// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/database.h"

#include "app/bench/measurement.h"

#include <QFile>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace diskwright;
using namespace diskwright::bench;

class DatabaseTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;
    QString nextPath() { return m_folder.filePath(QStringLiteral("deep/er/%1.sqlite").arg(++m_number)); }

    static RunResult example(int rounds = 2)
    {
        RunResult result{.id = RunResult::newId(),
                         .time = QDateTime(QDate(2026, 3, 4), QTime(5, 6, 7, 89), QTimeZone::UTC),
                         .name = QStringLiteral("Größe '; DROP TABLE run"),
                         .test = QStringLiteral("rnd4k-q32t1-read"),
                         .target = QStringLiteral("/home/a b"),
                         .stack = QStringLiteral("file → ext4 → sda1 → sda"),
                         .metric = Metric::IosPerSecond,
                         .rounds = {},
                         .settings = {{QStringLiteral("queue:sda:scheduler"), QStringLiteral("none")}}};
        for (int number = 0; number < rounds; ++number) {
            Round round{.bytes = 4096000,
                        .ios = 1000,
                        .seconds = 0.5,
                        .latency = {.meanNanoseconds = 12.5,
                                    .p50Nanoseconds = 10,
                                    .p95Nanoseconds = 20,
                                    .p99Nanoseconds = 30,
                                    .p999Nanoseconds = {},
                                    .maxNanoseconds = 40},
                        .cpuNanosecondsPerIo = 2500,
                        .engine = QStringLiteral("io_uring"),
                        .engineDetails = {QStringLiteral("registered-file")},
                        .direct = true,
                        .cachedShare = {},
                        .disturbed = {QStringLiteral("cpu-busy")},
                        .foreignReadBytes = 5,
                        .foreignWrittenBytes = {},
                        .timeline = {}};
            for (quint64 slot = 0; slot < 5; ++slot)
                round.timeline.append({.number = slot,
                                       .bytes = slot * 4096,
                                       .ios = slot,
                                       .latencySumNanoseconds = 7 * slot,
                                       .p50Nanoseconds = slot % 2 ? std::optional<quint64>(9) : std::nullopt,
                                       .p99Nanoseconds = {},
                                       .maxNanoseconds = 11});
            result.rounds.append(round);
        }
        return result;
    }

private Q_SLOTS:
    void whatIsSavedIsLoaded()
    {
        const QString path = nextPath();
        const RunResult saved = example();
        {
            auto database = Database::open(path);
            QVERIFY(database.has_value());
            QVERIFY((*database)->save(saved).has_value());
        }
        auto database = Database::open(path);
        QVERIFY(database.has_value());
        const auto loaded = (*database)->load(saved.id);
        QVERIFY(loaded.has_value());
        QCOMPARE(loaded->time, saved.time);
        QCOMPARE(loaded->rounds, saved.rounds);
        QCOMPARE(loaded->toJson(), saved.toJson());
    }
    void listIsNewestFirst()
    {
        auto database = Database::open(nextPath());
        QVERIFY(database.has_value());
        QVERIFY((*database)->list()->isEmpty());
        RunResult older = example(0), newer = example(6);
        newer.time = older.time.addSecs(1);
        newer.name.clear();
        QVERIFY((*database)->save(newer) && (*database)->save(older));
        const auto list = (*database)->list();
        QCOMPARE(list->size(), 2);
        QCOMPARE((*list)[0].id, newer.id);
        QCOMPARE((*list)[0].estimate->value, 2000.0);
        QVERIFY((*list)[0].estimate->coverage > 0.95);
        QVERIFY(!(*list)[1].estimate);
    }
    void oneIdIsSavedOnce()
    {
        auto database = Database::open(nextPath());
        const RunResult run = example();
        QVERIFY((*database)->save(run).has_value());
        const auto again = (*database)->save(run);
        QVERIFY(!again);
        QCOMPARE(again.error().code, Errc::StateFile);
        QCOMPARE((*database)->load(run.id)->rounds.size(), 2);
    }
    void unknownRunIsNamed()
    {
        auto database = Database::open(nextPath());
        const auto loaded = (*database)->load(QStringLiteral("nope"));
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::UnknownTarget);
        QCOMPARE(loaded.error().input, std::string("nope"));
    }
    void savesAComparisonWithItsRuns()
    {
        auto database = Database::open(nextPath());
        MeasureResult result;
        result.id = RunResult::newId();
        result.time = QDateTime::currentDateTimeUtc();
        const Address address{.domain = Domain::Vm, .target = {}, .key = "dirty_bytes"};
        result.options.now = {{address, number(1)}};
        result.options.wanted = {{address, number(2)}};
        result.options.test = allTests().front();
        for (std::size_t block = 0; block < 6; ++block)
            for (const std::size_t state : {std::size_t{0}, std::size_t{1}})
                result.rounds.append({block, state, false, example(1).rounds.first()});
        QVERIFY((*database)->save(result).has_value());
        QCOMPARE((*database)->comparisons()->size(), 1);
        QCOMPARE((*database)->comparisons()->first()[u"comparison"].toString(), result.id);
        const auto list = (*database)->list();
        QCOMPARE(list->size(), 2);
        QCOMPARE((*database)->load((*list)[0].id)->rounds.size(), 6);
    }
    void newerFormatIsLeftAlone()
    {
        const QString path = nextPath();
        QVERIFY(Database::open(path).has_value());
        {
            QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("raw"));
            raw.setDatabaseName(path);
            QVERIFY(raw.open());
            QVERIFY(QSqlQuery(raw).exec(QStringLiteral("PRAGMA user_version = 99")));
            raw.close();
        }
        QSqlDatabase::removeDatabase(QStringLiteral("raw"));
        const auto opened = Database::open(path);
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, Errc::UnsupportedVersion);
    }
    void whatIsNoDatabaseIsRefusedAndKept()
    {
        const QString path = m_folder.filePath(QStringLiteral("notes.txt"));
        const QByteArray text(4096, 'x');
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const auto opened = Database::open(path);
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, Errc::StateFile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), text);
        QVERIFY(!Database::open(QStringLiteral("/proc/nowhere/results.sqlite")));
    }
    void twoAtOnce()
    {
        const QString path = nextPath();
        auto one = Database::open(path), two = Database::open(path);
        QVERIFY(one && two);
        QVERIFY((*one)->save(example()) && (*two)->save(example()));
        QCOMPARE((*one)->list()->size(), 2);
    }
};

QTEST_GUILESS_MAIN(DatabaseTest)
#include "tst_database.moc"
