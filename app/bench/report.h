// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "measurement.h"

#include <QJsonObject>

/// The documents and exit codes of `diskwrightctl bench …` and `diskwrightctl measure …`.
namespace diskwright::bench {

/// {"tests":[{"test","name","purpose","direct","block_bytes","depth","unit","seconds","writes_bytes"}]}
[[nodiscard]] QJsonObject listDocument();

/// {"runs":[{"run","time","name","test","target","estimate"}],"comparisons":[…]}
[[nodiscard]] QJsonObject historyDocument(const QList<SavedRun> &runs, const QList<QJsonObject> &comparisons);

/// The same for people, newest first: a line for each run and each comparison, a comparison's own runs below
/// it.
[[nodiscard]] QString historyText(const QList<SavedRun> &runs, const QList<QJsonObject> &comparisons);

/// {"error":{"code","message","input","reason","accepted"}}
[[nodiscard]] QJsonObject errorDocument(const Error &error);
/// One line for the standard error: what, why, and what would have been accepted.
[[nodiscard]] QString errorText(const Error &error);

/// 1, 3, 4, 7 as the command line defines them; 5 is not possible here, since nothing was changed.
[[nodiscard]] int exitCode(const Error &error) noexcept;
/// 0 with any verdict; 5 if it failed and was put back; 6 if what is in force is not what was promised.
[[nodiscard]] int exitCode(const MeasureResult &result) noexcept;

/// A few lines for people: the figure with its interval, latencies, what disturbed it.
[[nodiscard]] QString runText(const RunResult &result);
/// A saved comparison: its sentence, the test and where, the values.
[[nodiscard]] QString comparisonText(const QJsonObject &comparison);
/// "1.07 GB/s" or "148,000 IO/s".
[[nodiscard]] QString displayFigure(double value, Metric metric);

} // namespace diskwright::bench
