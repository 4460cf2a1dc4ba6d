// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/applysession.h"
#include "app/cli/commandcontext.h"
#include "app/cli/jsonwriter.h"

#include <string_view>

namespace diskwright {

/// The members of set's document, without the object around them.
void writePlanned(JsonWriter &json, const ApplyReport &report, std::string_view outcome);
/// The same with the report's own outcome.
void writeReport(JsonWriter &json, const ApplyReport &report);
/// The same members for something that was refused before there was a plan.
void writeNoReport(JsonWriter &json, std::string_view outcome);
/// set's "steps" and history's.
void writeStep(JsonWriter &json, const AppliedStep &step);

/// Prints a report as the command line does, with "error" if it is a failure, and gives the exit code.
[[nodiscard]] ExitCode printReport(CommandContext &context, const ApplyReport &report);

/// context.fail() with the members of set's document.
[[nodiscard]] ExitCode refuse(CommandContext &context, const Error &error);

/// What a failed report says as an error; input: the setting that it is about, else the transaction.
[[nodiscard]] Error errorOf(const ApplyReport &report);

} // namespace diskwright
