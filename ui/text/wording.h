// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings/observation.h"
#include "app/settings/vanished.h"

#include "helper/contract/catalogue.h"
#include "helper/contract/report.h"

#include <QString>

/// Words of the window for the contract's closed lists; results and reasons are worded by app/apply/describe.
namespace diskwright::ui {

/// A few words for a list: "applied", "put back".
[[nodiscard]] QString outcomeWord(Outcome outcome);

/// The risk of a setting as a sentence.
[[nodiscard]] QString riskText(Risk risk);

/// Why a setting can't be changed here, as a sentence; empty if it can.
[[nodiscard]] QString whyNotText(const Observation &seen);

/// What is only shown: its name, its value with the unit, and why it can't be set here.
[[nodiscard]] QString shownTitle(const Observation &seen);
[[nodiscard]] QString shownValue(const Observation &seen);
[[nodiscard]] QString shownReason(const Observation &seen);
/// What it says; empty if nobody described it.
[[nodiscard]] QString shownText(const Observation &seen);

/// Something that vanished: its name, since when, and what it was and what is so today.
[[nodiscard]] QString vanishedTitle(const VanishedSetting &vanished);
[[nodiscard]] QString vanishedSince(const VanishedSetting &vanished);
[[nodiscard]] QString vanishedStory(const VanishedSetting &vanished);

/// Why a change can't be undone, from the history's word for it; as the end of a sentence.
[[nodiscard]] QString whyNotUndoableText(std::string_view reason);

} // namespace diskwright::ui
