// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "database.h"

#include "measurement.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSqlError>
#include <QSqlQuery>
#include <QStandardPaths>
#include <QUuid>
#include <QVariant>

#include <format>

namespace diskwright::bench {
namespace {

// A run's columns are what is listed and searched; everything else of a round stays the engine's words
// (JSON), so that a newer engine's fields need no new schema. Slots are rows: ten a second, read by range.
constexpr const char *schema[] = {
    "CREATE TABLE run (id TEXT PRIMARY KEY, time TEXT NOT NULL, name TEXT NOT NULL, test TEXT NOT NULL,"
    " target TEXT NOT NULL, stack TEXT NOT NULL, metric INTEGER NOT NULL, settings TEXT NOT NULL) STRICT",
    "CREATE TABLE round (run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, number INTEGER NOT NULL,"
    " document TEXT NOT NULL, PRIMARY KEY (run, number)) STRICT, WITHOUT ROWID",
    "CREATE TABLE slot (run TEXT NOT NULL, round INTEGER NOT NULL, number INTEGER NOT NULL, bytes INTEGER "
    "NOT NULL,"
    " ios INTEGER NOT NULL, latency_sum_ns INTEGER NOT NULL, p50_ns INTEGER, p99_ns INTEGER, max_ns INTEGER "
    "NOT NULL,"
    " PRIMARY KEY (run, round, number),"
    " FOREIGN KEY (run, round) REFERENCES round ON DELETE CASCADE) STRICT, WITHOUT ROWID",
    "CREATE TABLE comparison (id TEXT PRIMARY KEY, time TEXT NOT NULL, document TEXT NOT NULL) STRICT",
    "CREATE INDEX run_by_time ON run (time)",
};

std::unexpected<Error> failure(const QSqlDatabase &database, const QString &what)
{
    return fail(Errc::StateFile, printable(database.databaseName().toStdString()), what.toStdString());
}

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QVariant orNull(const std::optional<quint64> &value)
{
    return value ? QVariant(static_cast<qint64>(*value)) : QVariant(QMetaType::fromType<qint64>());
}

std::optional<quint64> fromSql(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional(static_cast<quint64>(value.toLongLong()));
}

QJsonValue numberOrNull(const std::optional<double> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

/// A round as the engine words it, so that there is one reader for both.
QJsonObject engineWords(const Round &round)
{
    QJsonObject words = round.toJson();
    words[u"measured_ns"] = round.seconds * 1e9;
    words[u"mean_ns"] = numberOrNull(round.latency.meanNanoseconds);
    words[u"p50_ns"] = numberOrNull(round.latency.p50Nanoseconds);
    words[u"p95_ns"] = numberOrNull(round.latency.p95Nanoseconds);
    words[u"p99_ns"] = numberOrNull(round.latency.p99Nanoseconds);
    words[u"p999_ns"] = numberOrNull(round.latency.p999Nanoseconds);
    words[u"max_ns"] = numberOrNull(round.latency.maxNanoseconds);
    return words;
}

} // namespace

QString Database::defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/diskwright/results.sqlite");
}

Database::Database(QString connection)
    : m_connection(std::move(connection))
{
}

Database::~Database()
{
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<Database>> Database::open(const QString &path)
{
    if (!QDir().mkpath(QFileInfo(path).absolutePath()))
        return fail(Errc::StateFile, printable(path.toStdString()), "its folder can't be made");
    std::unique_ptr<Database> result(new Database(QUuid::createUuid().toString(QUuid::WithoutBraces)));
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), result->m_connection);
        database.setDatabaseName(path);
        database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
        if (!database.open())
            return failure(database, database.lastError().text());
    }
    if (auto prepared = result->prepareSchema(); !prepared)
        return std::unexpected(prepared.error());
    return result;
}

Result<void> Database::prepareSchema()
{
    QSqlDatabase db = database();
    QSqlQuery query(db);
    if (!query.exec(QStringLiteral("PRAGMA foreign_keys = ON")) ||
        !query.exec(QStringLiteral("BEGIN IMMEDIATE")) ||
        !query.exec(QStringLiteral("PRAGMA user_version")) || !query.next())
        return failure(db, query.lastError().text());
    const int version = query.value(0).toInt();
    query.finish();
    if (version > schemaVersion) {
        query.exec(QStringLiteral("ROLLBACK"));
        return fail(Errc::UnsupportedVersion, printable(db.databaseName().toStdString()),
                    std::format("made by a newer Diskwright (format {})", version),
                    std::format("up to {}", schemaVersion));
    }
    bool good = true;
    if (version == 0) {
        for (const char *statement : schema)
            good = good && query.exec(QString::fromLatin1(statement));
        good = good && query.exec(QStringLiteral("PRAGMA user_version = %1").arg(schemaVersion));
    }
    const QString problem = query.lastError().text();
    if (!good || !query.exec(QStringLiteral("COMMIT"))) {
        query.exec(QStringLiteral("ROLLBACK"));
        return failure(db, problem);
    }
    return {};
}

bool Database::insertRound(const QString &run, int number, const Round &round)
{
    QSqlQuery query(database());
    query.prepare(QStringLiteral("INSERT INTO round VALUES (?, ?, ?)"));
    query.addBindValue(run);
    query.addBindValue(number);
    query.addBindValue(QString::fromUtf8(compact(engineWords(round))));
    if (!query.exec())
        return false;
    query.prepare(QStringLiteral("INSERT INTO slot VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    for (const Slot &slot : round.timeline) {
        query.addBindValue(run);
        query.addBindValue(number);
        for (const quint64 value : {slot.number, slot.bytes, slot.ios, slot.latencySumNanoseconds})
            query.addBindValue(static_cast<qint64>(value));
        query.addBindValue(orNull(slot.p50Nanoseconds));
        query.addBindValue(orNull(slot.p99Nanoseconds));
        query.addBindValue(static_cast<qint64>(slot.maxNanoseconds));
        if (!query.exec())
            return false;
    }
    return true;
}

bool Database::insert(const RunResult &result)
{
    QSqlQuery query(database());
    query.prepare(QStringLiteral("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
    query.addBindValue(result.id);
    query.addBindValue(result.time.toUTC().toString(Qt::ISODateWithMs));
    for (const QString &text : {result.name, result.test, result.target, result.stack})
        query.addBindValue(text.isNull() ? QStringLiteral("") : text); // a null QString would become NULL
    query.addBindValue(static_cast<int>(result.metric));
    query.addBindValue(QString::fromUtf8(compact(result.settings)));
    bool good = query.exec();
    for (int number = 0; good && number < result.rounds.size(); ++number)
        good = insertRound(result.id, number, result.rounds[number]);
    return good;
}

Result<void> Database::save(const RunResult &result)
{
    QSqlDatabase db = database();
    if (!db.transaction())
        return failure(db, db.lastError().text());
    if (!insert(result) || !db.commit()) {
        const QString problem = db.lastError().text();
        db.rollback();
        return failure(db, problem.isEmpty() ? QStringLiteral("the run could not be written") : problem);
    }
    return {};
}

Result<void> Database::save(const MeasureResult &result)
{
    QSqlDatabase db = database();
    if (!db.transaction())
        return failure(db, db.lastError().text());
    bool good = true;
    for (const RunResult &run : result.runs())
        good = good && insert(run);
    QSqlQuery query(db);
    query.prepare(QStringLiteral("INSERT INTO comparison VALUES (?, ?, ?)"));
    query.addBindValue(result.id);
    query.addBindValue(result.time.toUTC().toString(Qt::ISODateWithMs));
    query.addBindValue(QString::fromUtf8(compact(result.toJson())));
    good = good && query.exec();
    if (!good || !db.commit()) {
        db.rollback();
        return failure(
            db, QStringLiteral("the comparison could not be written: %1").arg(query.lastError().text()));
    }
    return {};
}

Result<QList<SavedRun>> Database::list() const
{
    QSqlQuery query(database());
    if (!query.exec(QStringLiteral("SELECT id FROM run ORDER BY time DESC, id")))
        return failure(database(), query.lastError().text());
    QList<SavedRun> result;
    while (query.next()) {
        const auto run = loadRounds(query.value(0).toString());
        if (!run)
            return std::unexpected(run.error());
        result.append({run->id, run->time, run->name, run->test, run->target, run->estimate(), run->metric,
                       run->settings});
    }
    return result;
}

Result<RunResult> Database::loadRounds(const QString &id) const
{
    QSqlQuery query(database());
    query.prepare(
        QStringLiteral("SELECT time, name, test, target, stack, metric, settings FROM run WHERE id = ?"));
    query.addBindValue(id);
    if (!query.exec())
        return failure(database(), query.lastError().text());
    if (!query.next())
        return fail(Errc::UnknownTarget, printable(id.toStdString()), "no such run",
                    "an id that bench history lists");
    RunResult result{.id = id,
                     .time = QDateTime::fromString(query.value(0).toString(), Qt::ISODateWithMs),
                     .name = query.value(1).toString(),
                     .test = query.value(2).toString(),
                     .target = query.value(3).toString(),
                     .stack = query.value(4).toString(),
                     .metric = query.value(5).toInt() == 0 ? Metric::BytesPerSecond : Metric::IosPerSecond,
                     .rounds = {},
                     .settings = QJsonDocument::fromJson(query.value(6).toByteArray()).object()};
    query.prepare(QStringLiteral("SELECT document FROM round WHERE run = ? ORDER BY number"));
    query.addBindValue(id);
    if (!query.exec())
        return failure(database(), query.lastError().text());
    while (query.next())
        result.rounds.append(
            Round::fromEngine(QJsonDocument::fromJson(query.value(0).toByteArray()).object()));
    return result;
}

Result<RunResult> Database::load(const QString &id) const
{
    auto loaded = loadRounds(id);
    if (!loaded)
        return loaded;
    RunResult &result = *loaded;
    QSqlQuery query(database());
    query.prepare(
        QStringLiteral("SELECT round, number, bytes, ios, latency_sum_ns, p50_ns, p99_ns, max_ns FROM slot "
                       "WHERE run = ? ORDER BY round, number"));
    query.addBindValue(id);
    if (!query.exec())
        return failure(database(), query.lastError().text());
    while (query.next()) {
        const auto number = [&](int column) {
            return static_cast<quint64>(query.value(column).toLongLong());
        };
        const int round = query.value(0).toInt();
        if (round >= 0 && round < result.rounds.size())
            result.rounds[round].timeline.append({number(1), number(2), number(3), number(4),
                                                  fromSql(query.value(5)), fromSql(query.value(6)),
                                                  number(7)});
    }
    return loaded;
}

Result<QList<QJsonObject>> Database::comparisons() const
{
    QSqlQuery query(database());
    if (!query.exec(QStringLiteral("SELECT document FROM comparison ORDER BY time DESC, id")))
        return failure(database(), query.lastError().text());
    QList<QJsonObject> result;
    while (query.next())
        result.append(QJsonDocument::fromJson(query.value(0).toByteArray()).object());
    return result;
}

} // namespace diskwright::bench
