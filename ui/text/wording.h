// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/report.h"

#include <QString>

/// The one place that words what the contract's closed lists mean for a person.
namespace diskwright::ui {

/// Why something was refused or failed, as a sentence with capital and full stop.
[[nodiscard]] QString reasonText(Errc why, int sysErrno = 0);

/// An error with its input and accepted range where it carries them.
[[nodiscard]] QString errorText(const Error &error);

/// What an errno means: "invalid argument".
[[nodiscard]] QString errnoText(int sysErrno);

/// What became of one step: "256 applied.", "Asked for 5 000, the kernel keeps 4 096.",
/// "Refused by the kernel (invalid argument)."
[[nodiscard]] QString stepText(const SettingSpec &spec, const Value &asked, StepResult result,
                               const std::optional<Value> &after, Errc why, int sysErrno);

/// The sentence above the results of a plan of \p steps steps.
[[nodiscard]] QString outcomeText(Outcome outcome, int steps, Errc why, int sysErrno);

/// One or two words for a list: "applied", "put back".
[[nodiscard]] QString outcomeWord(Outcome outcome);

/// The risk of a setting as a sentence.
[[nodiscard]] QString riskText(Risk risk);

} // namespace diskwright::ui
