// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/applysession.h"

#include <QString>

namespace diskwright {

/// What a report means, in one or two plain sentences that the window and the command line both show.
[[nodiscard]] QString describe(const ApplyReport &report);
/// What a person can do about a report that is no success, in one sentence; empty if there is nothing.
[[nodiscard]] QString whatToDo(const ApplyReport &report);
/// What became, and when, of a trial whose program was gone: what was put back, to which values, or what is
/// so now if that is not recorded; empty if it was confirmed.
[[nodiscard]] QString describe(const EndedTrial &trial);
/// One step: "256 applied.", "Asked for 5000, the kernel keeps 4096.", "Refused by the kernel: …".
[[nodiscard]] QString describe(const AppliedStep &step);
/// Why a value can't be put back now, and what does it.
[[nodiscard]] QString describeObstacle(Errc why);
/// Why something was refused: "The disk was re-plugged since this page was read."
[[nodiscard]] QString describe(Errc why, int sysErrno = 0);
/// "every removable USB disk", as a sentence goes on with it.
[[nodiscard]] QString everyDiskOf(DiskClass kind);
/// A caution of the review: "resets 3 values below it".
[[nodiscard]] QString describe(const Caution &caution);
/// A value with its unit: "4096 KiB", "mq-deadline".
[[nodiscard]] QString describe(const SettingSpec &spec, const Value &value);

/// Stable word for JSON: a report's outcome as the command line prints it ("applied", "unknown" …).
[[nodiscard]] std::string outcomeWord(const ApplyReport &report);
/// Exit code of the command line for a report: 0, 3 to 8 as documented; 1 also for what was applied but not
/// kept as asked, or undone but still kept, 8 for what was confirmed or put back but is not so any more.
[[nodiscard]] int exitCode(const ApplyReport &report);

} // namespace diskwright
