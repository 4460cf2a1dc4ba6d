// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../persist/restore.h"
#include "journalstore.h"

namespace diskwright {

/// Puts everything back for root in a rescue shell: as restoreEverything(), but a record that can't be
/// written stops nothing. Finishes what a crash left first. The caller holds the lock.
[[nodiscard]] RestoreReport restoreInRescueShell(const JournalStore &journals, const TransactionId &id);

} // namespace diskwright
