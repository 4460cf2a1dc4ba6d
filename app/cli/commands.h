// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

/// Each adds its subcommands to the line's parser. A subcommand's callback only calls CommandContext::select.
namespace diskwright {

class CommandContext;

void addDisksCommands(CLI::App &app, CommandContext &context);
void addShowCommands(CLI::App &app, CommandContext &context);
/// why
void addWhyCommands(CLI::App &app, CommandContext &context);
/// set
void addSetCommands(CLI::App &app, CommandContext &context);
/// confirm, prolong, revert, undo, keep, forget
void addSettleCommands(CLI::App &app, CommandContext &context);
/// restore-all
void addRestoreCommands(CLI::App &app, CommandContext &context);
/// history, boot status, boot note, boot use
void addHistoryCommands(CLI::App &app, CommandContext &context);
/// bench list, run, history, show; measure
void addBenchCommands(CLI::App &app, CommandContext &context);

} // namespace diskwright
