// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/applysession.h"

#include <QTime>

/// What became of a trial that was not settled here: told by the helper's record, else by the values.
namespace diskwright {

/// Reads what is so now into \p steps.
void readNow(std::vector<AppliedStep> &steps, const CurrentReader &reader, const QString &root);

/// Whether everything is again as it was before; what can't be read is not. A number that drifts is judged by
/// the one behind it. \p steps: as readNow left them.
[[nodiscard]] bool areAsBefore(const std::vector<AppliedStep> &steps, const CurrentReader &reader,
                               const QString &root);

/// The report of a trial that the helper has recorded. \p steps: as readNow left them.
[[nodiscard]] ApplyReport reportOfEnd(const HistoryEntry &entry, std::vector<AppliedStep> steps);

/// The report of one that it has not: put back if \p isBack, else Unknown (endNotRecorded).
[[nodiscard]] ApplyReport reportWithoutRecord(std::vector<AppliedStep> steps, bool isBack);

/// The items of a trial that was put back, by what became of them. They point into the trial.
struct TrialParts {
    struct Left {
        const TrialRecord::Item *item;
        std::optional<Value> now;
    };
    std::vector<const TrialRecord::Item *> back;
    std::vector<Left> left;                      ///< since somebody else had changed it
    std::vector<const TrialRecord::Item *> gone; ///< with its disk
};

[[nodiscard]] TrialParts partsOf(const EndedTrial &trial);

/// The time of day at which a trial was over, local time.
[[nodiscard]] QTime timeOfEnd(const EndedTrial &trial);

/// Not all of what is said to stay, or to be put back, is so: the outcome alone would be a lie.
void markOverruled(ApplyReport &report);

} // namespace diskwright
