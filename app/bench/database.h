// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runresult.h"

#include <QSqlDatabase>

#include <memory>

namespace diskwright::bench {

struct MeasureResult;

/// A line of the list of results.
struct SavedRun {
    QString id;
    QDateTime time;
    QString name;
    QString test;
    QString target;
    std::optional<Estimate> estimate;
    Metric metric = Metric::BytesPerSecond;
    QJsonObject settings{}; ///< of the disk at that time, address to value
};

/// The user's results, raw slots included, in one SQLite file. Several processes may use it at once.
class Database final
{
public:
    static constexpr int schemaVersion = 1;

    /// $XDG_DATA_HOME/diskwright/results.sqlite
    [[nodiscard]] static QString defaultPath();

    /// Opens or makes the file. Errors: StateFile (can't be opened or is no database), UnsupportedVersion
    /// (made by a newer Diskwright: it is left alone).
    [[nodiscard]] static Result<std::unique_ptr<Database>> open(const QString &path = defaultPath());
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    /// All or nothing. Errors: StateFile.
    [[nodiscard]] Result<void> save(const RunResult &result);
    /// The comparison's document, and its rounds as one run for each state. Errors: StateFile.
    [[nodiscard]] Result<void> save(const MeasureResult &result);
    /// Newest first.
    [[nodiscard]] Result<QList<SavedRun>> list() const;
    /// Errors: UnknownTarget (no such run), StateFile.
    [[nodiscard]] Result<RunResult> load(const QString &id) const;
    /// The documents of saved comparisons, newest first.
    [[nodiscard]] Result<QList<QJsonObject>> comparisons() const;

private:
    explicit Database(QString connection);
    [[nodiscard]] Result<void> prepareSchema();
    /// A run with its rounds and without their slots.
    [[nodiscard]] Result<RunResult> loadRounds(const QString &id) const;
    [[nodiscard]] bool insert(const RunResult &result);
    [[nodiscard]] bool insertRound(const QString &run, int number, const Round &round);
    [[nodiscard]] QSqlDatabase database() const { return QSqlDatabase::database(m_connection); }

    QString m_connection;
};

} // namespace diskwright::bench
