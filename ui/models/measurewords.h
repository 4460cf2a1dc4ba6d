// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/error.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

/// Measuring in words, the same on every page.
namespace diskwright::ui {

/// Why nothing could be measured, or a result not be kept or read, in one or two sentences: from the code,
/// errno, input and reason of an error of app/bench, its engine or a lease.
[[nodiscard]] QString measuringProblem(const Error &error);

/// What disturbed a measurement: a sentence for each word of docs/measuring.md, each once; empty if nothing
/// did.
[[nodiscard]] QString disturbanceText(const QStringList &words);

// The documents of saved comparisons, as bench::Database gives them.

/// "Read-ahead (sda): 4,096 KiB against 128 KiB".
[[nodiscard]] QString comparisonTitle(const QJsonObject &comparison);
/// "faster by 12 % (9 to 15 %)".
[[nodiscard]] QString comparisonVerdict(const QJsonObject &comparison);
/// The values that one of its runs was made with: "128 KiB". \p settings: the run's, address to value.
[[nodiscard]] QString comparedValues(const QJsonObject &comparison, const QJsonObject &settings);

} // namespace diskwright::ui
