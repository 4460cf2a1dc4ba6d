// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journalstore.h"
#include "plancheck.h"

#include <vector>

namespace diskwright {

/// How a transaction of an earlier boot is undone: what it keeps goes back to what was so before.
struct KeptUndo {
    CheckedPlan plan; ///< the record's changes in their order; wanted: the original, if it can be set
    std::vector<std::uint16_t> kept;     ///< indexes into the boot set
    std::array<std::uint8_t, 32> hash{}; ///< of the boot set as it was read
};

/// Looks up what \p record still keeps. An original out of range, or of a disk that is not the only one,
/// needs a restart: such an item says why and is only kept no more. Refused: NotUndoable (it keeps nothing
/// any more), Stale (somebody else has set another value, and not \p force), StateFile.
[[nodiscard]] Checked<KeptUndo> planKeptUndo(const JournalStore &journals, const Journal &record, bool force);

/// Takes what the transaction changed out of the boot set, and nothing else. Errors as BootStore::forget.
[[nodiscard]] Result<> forgetKept(const JournalStore &journals, const Journal &journal);

/// Whether a rule for one of its disks or their class, whoever kept it, would set again what it had set.
[[nodiscard]] bool isStillKept(const JournalStore &journals, const Journal &journal);

} // namespace diskwright
