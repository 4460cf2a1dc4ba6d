// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journalstore.h"

#include <string>
#include <vector>

namespace diskwright {

/// What putting everything back would do, from the records of this boot and the boot set.
struct RestorePlan {
    std::vector<JournalDevice> devices;
    /// before: what it shall be again, none if it can't be (why says the reason); wanted: what is so now.
    std::vector<JournalItem> items;
    bool keeps = false;      ///< something is kept at every start
    bool pending = false;    ///< a trial or lease is in force
    bool incomplete = false; ///< a record or the boot set does not decode: its values are not known

    [[nodiscard]] bool isEmpty() const noexcept { return items.empty() && !keeps && !pending && !incomplete; }
};

/// Values that a change of this boot left other than they were first seen in it, on devices that are there;
/// and what is kept, to what was so before it was. Writes nothing. Errors: StateFile if a record can't be
/// read, Conflict if one journal can't hold it.
[[nodiscard]] Result<RestorePlan> planRestore(const JournalStore &journals);

/// What to do where the journal can't be written: on a disk that is full or read-only.
enum class Unrecorded : std::uint8_t { Refuse, GoOn };

/// Ends every trial and lease, then puts everything back and keeps nothing. Goes on after a failure; the
/// returned journal says what became of each item. Killed at any point, recover() goes on with it. Errors:
/// DuplicateId, StateFile; no value that is not on trial was changed then.
[[nodiscard]] Result<Journal> restoreEverything(const JournalStore &journals, const TransactionId &id,
                                                std::uint32_t uid,
                                                Unrecorded unrecorded = Unrecorded::Refuse);

} // namespace diskwright
