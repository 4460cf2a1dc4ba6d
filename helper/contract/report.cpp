// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"

#include "catalogue.h"

#include <algorithm>

namespace diskwright {

Result<std::int64_t> toReportNumber(const SettingSpec &spec, const Value &value)
{
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        return *integer;
    const auto &text = std::get<std::string>(value);
    if (const auto *choice = std::get_if<Choice>(&spec.accepts)) {
        if (const auto found = std::ranges::find(choice->words, text); found != choice->words.end())
            return found - choice->words.begin();
    }
    return fail(Errc::OutOfRange, printable(text), "not one of the row's words");
}

Result<Value> fromReportNumber(const SettingSpec &spec, std::int64_t travelled)
{
    const auto *choice = std::get_if<Choice>(&spec.accepts);
    if (!choice)
        return number(travelled);
    if (travelled < 0 || static_cast<std::size_t>(travelled) >= choice->words.size())
        return fail(Errc::OutOfRange, std::to_string(travelled), "no such choice");
    return word(std::string(choice->words[static_cast<std::size_t>(travelled)]));
}

std::string_view name(StepResult result) noexcept
{
    switch (result) {
    case StepResult::Applied: return "applied";
    case StepResult::Adjusted: return "adjusted";
    case StepResult::Unchanged: return "unchanged";
    case StepResult::Stale: return "stale";
    case StepResult::Rejected: return "rejected";
    case StepResult::Unsupported: return "unsupported";
    case StepResult::DeviceGone: return "device-gone";
    case StepResult::RolledBack: return "rolled-back";
    case StepResult::RollbackFailed: return "rollback-failed";
    case StepResult::NotAttempted: return "not-attempted";
    }
    return "not-attempted";
}

std::string_view name(Outcome outcome) noexcept
{
    switch (outcome) {
    case Outcome::Applied: return "applied";
    case Outcome::Adjusted: return "adjusted";
    case Outcome::Trial: return "trial";
    case Outcome::Unchanged: return "unchanged";
    case Outcome::Refused: return "refused";
    case Outcome::NotAuthorized: return "not-authorized";
    case Outcome::RolledBack: return "rolled-back";
    case Outcome::RollbackFailed: return "rollback-failed";
    case Outcome::Busy: return "busy";
    case Outcome::Confirmed: return "confirmed";
    case Outcome::Prolonged: return "trial";
    case Outcome::Ended: return "rolled-back";
    case Outcome::Kept: return "kept";
    case Outcome::Forgotten: return "forgotten";
    case Outcome::Undone: return "undone";
    case Outcome::LeaseHeld: return "lease";
    }
    return "refused";
}

} // namespace diskwright
