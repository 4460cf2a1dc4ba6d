// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "deviceresolver.h"
#include "journal.h"
#include "writemarks.h"

#include <optional>
#include <vector>

namespace diskwright {

struct SettingSpec;

/// The opened places that a journal's items live in. A device that is gone or was replaced has none; one that
/// can't be opened for another reason (no memory, no descriptors) is not taken for gone.
class Targets final
{
public:
    Targets(const SystemRoot &root, const Journal &journal);

    /// Errors: DeviceChanged (gone, or another one), Absent, Kernel (ETIMEDOUT: it does not answer),
    /// Malformed.
    [[nodiscard]] Result<Value> read(const JournalItem &item) const;
    /// Verifies the device's identity, then writes once. Errors also: ReadOnly.
    [[nodiscard]] Result<> write(const JournalItem &item, const Value &value) const;

    /// Where the settings of a device are, or of vm for none; null if it is gone.
    [[nodiscard]] const Directory *directory(std::optional<std::uint16_t> device) const;

private:
    [[nodiscard]] Result<const Directory *> place(std::optional<std::uint16_t> device) const;

    std::vector<Result<OpenDisk>> m_disks;
    Result<Directory> m_vm;
    WriteMarks m_marks;
};

/// The item with the number that the kernel stores for \p item: the one of its exact row where the journal
/// has that with a value before, else the item itself. Comparing and putting back go by it.
[[nodiscard]] const JournalItem &storedBehind(const Journal &journal, const JournalItem &item);

/// Whether the item's value is now as the transaction left it. Errors: as Targets::read.
[[nodiscard]] Result<bool> isAsLeft(const Targets &targets, const Journal &journal, const JournalItem &item);

/// Whether the item is none that was asked for, but one that the kernel disturbs when such a one is written.
[[nodiscard]] bool isDisturbed(const Journal &journal, const JournalItem &item);

/// Whether the row is the half of a pair that becomes 0 when the other half is written, and so is never
/// written itself. \p ofPair is the other half's value.
[[nodiscard]] bool isImpliedZero(const SettingSpec &spec, const Value &value,
                                 const std::optional<Value> &ofPair) noexcept;

/// Writes every item that has a wanted value, each once and read back: those of a device in the catalogue's
/// order, several devices at the same time, vm after all of them. Stops at the first failure (other devices
/// finish the item they are at), and between two items when \p cancel (a pipe's read end, or -1) ends or
/// speaks. True if all were done; the items say what happened.
[[nodiscard]] bool carryOut(const Targets &targets, Journal &journal, int cancel);

/// Reads everything again when all steps are done: what later steps did to earlier ones shows here. False if
/// a value that was written can't be read.
[[nodiscard]] bool recordAfter(const Targets &targets, Journal &journal);

/// Marks as stale what is neither as it was before nor as the transaction left it. True if there is any.
bool markForeign(const Targets &targets, Journal &journal);

/// The same after a failure in mid-plan, for what was not attempted: somebody else may have changed it while
/// the plan waited for a disk.
void markChangedMeanwhile(const Targets &targets, Journal &journal);

/// Writes the recorded values again in the catalogue's order, without those marked stale, and reads
/// everything back. True if everything on devices that are still there is as it was before.
[[nodiscard]] bool putBack(const Targets &targets, Journal &journal);

} // namespace diskwright
