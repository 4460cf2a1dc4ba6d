// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandcontext.h"
#include "app/cli/helperrun.h"

namespace diskwright {

/// Counts a trial down on the terminal and asks whether it works: "y" confirms, anything else, the end of
/// input and Ctrl+C put everything back at once, silence does so at the deadline. Tells what became of it,
/// also where another program settled it, and the values that were read back.
[[nodiscard]] ExitCode askWhetherItWorks(CommandContext &context, HelperRun &run, const ApplyReport &trial);

} // namespace diskwright
