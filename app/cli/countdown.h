// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandcontext.h"
#include "app/cli/helperrun.h"

#include <string_view>

namespace diskwright {

/// What was answered to "Does it work?".
enum class TrialAnswer { None, Yes, No, More };

/// The meaning of a whole line, with or without its end: y, yes or m; anything else is no.
[[nodiscard]] TrialAnswer answerIn(std::string_view line);
/// Reads a line of \p terminal, and drops what was typed after it: the rest of a long line, or an answer to a
/// question that was not asked yet. None: there was nothing to read.
[[nodiscard]] TrialAnswer readAnswer(int terminal);
/// Drops what was typed before a question is asked.
void dropTyped(int terminal);

/// Counts a trial down on the terminal and asks whether it works: "y" confirms, anything else, the end of
/// input and Ctrl+C put everything back at once, silence does so at the deadline. Tells what became of it,
/// also where another program settled it, and the values that were read back.
[[nodiscard]] ExitCode askWhetherItWorks(CommandContext &context, HelperRun &run, const ApplyReport &trial);

} // namespace diskwright
