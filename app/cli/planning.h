// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandcontext.h"
#include "app/plan/plan.h"
#include "helper/contract/diskclass.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// What a line asks for, checked against the machine as it is now.
struct RequestedPlan {
    ChangeSet changes;
    PlanSnapshot snapshot;
    Plan plan;
};

/// How an error names a word of the line: printable, and visible if it is empty.
[[nodiscard]] std::string named(std::string_view word);

/// SETTING=VALUE words to a plan. Errors name the word: Malformed with accepted "SETTING=VALUE" if it has no
/// '='; else as resolveAddress, parseUserText, ChangeSet::request and makePlan.
[[nodiscard]] Result<RequestedPlan> requestPlan(CommandContext &context,
                                                const std::vector<std::string> &assignments, NoOps noOps);

/// The same for settings whose value stays as it is: a plan that only keeps.
[[nodiscard]] Result<RequestedPlan> requestAsIs(CommandContext &context,
                                                const std::vector<std::string> &settings);

/// The class of disks that --class means for this plan. Errors: NotOfClass, naming the setting.
[[nodiscard]] Result<DiskClass> classFor(const CommandContext &context, const RequestedPlan &requested);

/// Whole seconds. Errors: Malformed, OutOfRange.
[[nodiscard]] Result<std::chrono::seconds> parseSeconds(std::string_view text, std::chrono::seconds least,
                                                        std::chrono::seconds most);

/// A transaction's ID. Errors: Malformed.
[[nodiscard]] Result<TransactionId> parseTransaction(std::string_view text);

/// Errors: Conflict if another tree than the live system is read: that one can't be changed.
[[nodiscard]] Result<> requireLive(const CommandContext &context);

} // namespace diskwright
