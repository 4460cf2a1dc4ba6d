// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "journal.h"

#include <cstdint>
#include <string>
#include <vector>

namespace diskwright {

class BootStore;

/// CLOCK_BOOTTIME: goes on while the machine sleeps and never jumps.
[[nodiscard]] std::uint64_t boottimeNanoseconds();

/// The life of transactions on disk.
class JournalStore final
{
public:
    /// \p kept may be null: then no disk has kept values.
    JournalStore(const SystemRoot &root, const StateDirectory &state, const BootStore *kept);

    [[nodiscard]] const std::string &bootId() const noexcept { return m_bootId; }
    [[nodiscard]] const StateDirectory &state() const noexcept { return m_state; }
    [[nodiscard]] const SystemRoot &root() const noexcept { return m_root; }
    [[nodiscard]] const BootStore *kept() const noexcept { return m_kept; }

    /// The one lock, under which everything below is called. Errors: Busy, StateFile (also: no boot id,
    /// without which every open transaction would look like one of another boot).
    [[nodiscard]] Result<Descriptor> lock() const;

    /// Writes the journal before anything else is, and has kept udev rules leave its disks alone. Errors:
    /// DuplicateId (an id that was ever used), StateFile (also: too many open transactions).
    [[nodiscard]] Result<> begin(const Journal &journal) const;

    /// Replaces an open journal. Errors: StateFile.
    [[nodiscard]] Result<> update(const Journal &journal) const;

    /// Writes the final journal and moves it to the records. The transaction is over as soon as its open
    /// journal says so; recover() does what is left. Errors: StateFile.
    [[nodiscard]] Result<> finish(Journal &journal) const;

    /// Replaces a record and its history. Errors: StateFile.
    [[nodiscard]] Result<> updateRecord(const Journal &journal) const;

    /// Puts a trial or lease back, except what somebody else changed meanwhile (marked stale). True if
    /// nothing is left to do.
    [[nodiscard]] bool end(Journal &journal) const;

    /// Puts everything back after a failure in mid-plan, as the journal's outcome then says.
    void rollBack(Journal &journal) const;

    /// Open transactions in force in this boot. To be called after recover(). Errors: StateFile if the folder
    /// or one of its files can't be read: what is held is not known then.
    [[nodiscard]] Result<std::vector<Journal>> pending() const;

    /// Finishes what a crash, a passed deadline or a restart left behind. Harmless when repeated or killed at
    /// any point. Returns what was found, one line each, for the audit record.
    std::vector<std::string> recover() const;

    /// Kept udev rules skip a disk while its hold file is there. Removes the files of disks that no open
    /// transaction holds and whose values are as kept, or that are gone.
    void releaseHolds() const;

    /// Writes the kept byte limits of all disks again if the transaction wrote a dirty limit: the kernel has
    /// them as shares of that.
    void refreshLimits(const Journal &journal) const;

private:
    [[nodiscard]] bool putEverythingBack(Journal &journal) const;
    [[nodiscard]] bool conclude(Journal &journal, bool complete) const;
    [[nodiscard]] std::string recoverOne(const std::string &id) const;
    [[nodiscard]] bool needsHold(const std::string &disk) const;

    const SystemRoot &m_root;
    const StateDirectory &m_state;
    const BootStore *m_kept;
    std::string m_bootId;
};

} // namespace diskwright
