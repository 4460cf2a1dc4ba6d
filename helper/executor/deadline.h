// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journalstore.h"

namespace diskwright {

/// Waits until the transaction's deadline (CLOCK_BOOTTIME, read again while waiting: it may be prolonged),
/// for a lease also for the end of \p pipe (its read end, else -1), then puts it back. Returns at once when
/// the transaction is over. Takes the lock itself. 0, or 1 if the state can't be read or written. May be run
/// any number of times, at the same time too.
[[nodiscard]] int endAtDeadline(const JournalStore &journals, const std::string &transaction, int pipe);

/// After a sleep: ends what passed its deadline, waits for the deadlines of the rest. 0, or 1.
[[nodiscard]] int resumeDeadlines(const JournalStore &journals);

/// What every start does: see JournalStore::recover(); logs what it found. 0, or 1 if another process holds
/// the lock.
[[nodiscard]] int recoverAtStart(const JournalStore &journals);

} // namespace diskwright
