// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/report.h"
#include "statedirectory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace diskwright {

using TokenHash = std::array<std::uint8_t, 32>;

enum class JournalState : std::uint8_t {
    Writing = 0, ///< values are being written: whoever finds this puts everything back
    Pending = 1, ///< a trial or lease in force until its deadline
    Ending = 2,  ///< values are being put back: whoever finds this goes on with it
    Done = 3,
};

enum class TransactionKind : std::uint8_t {
    Plan = 0,
    Trial = 1,
    Lease = 2,
    RestoreAll = 3, ///< an item's before is what it shall be again, its wanted what was found
};

struct JournalDevice {
    DeviceIdentity identity;
    std::string id; ///< disk id for people and for keeping; empty if it has none
    bool operator==(const JournalDevice &) const = default;
};

/// One value that the transaction writes, or that the kernel resets when another one is written.
struct JournalItem {
    std::optional<std::uint16_t> device;
    std::string setting;         ///< catalogue row id
    bool asked = false;          ///< a change of the request; else recorded as a side effect
    std::optional<Value> before; ///< none: absent then (a scheduler's own tunables)
    std::optional<Value> wanted; ///< none for side effects, but for those that are put back at once
    std::optional<Value> after;  ///< read back at the end
    StepResult result = StepResult::NotAttempted;
    Errc why = Errc::None;
    int sysErrno = 0;
    bool operator==(const JournalItem &) const = default;
};

struct JournalLease {
    std::vector<std::vector<Value>> states; ///< values of the asked items
    std::uint16_t mostSwitches = 0;
    std::uint16_t switches = 0;
    std::uint8_t current = 0;
    bool operator==(const JournalLease &) const = default;
};

/// Everything that must be known to put a transaction back, confirm, keep or undo it.
struct Journal {
    TransactionId id{};
    TransactionKind kind = TransactionKind::Plan;
    JournalState state = JournalState::Writing;
    Outcome outcome = Outcome::RolledBack; ///< so far; final when done
    Errc why = Errc::None;
    std::string bootId;
    std::uint32_t uid = 0;
    TokenHash token{};
    std::uint64_t timeSeconds = 0; ///< since 1970, UTC; for people only
    std::uint64_t startBoottimeNanoseconds = 0;
    std::uint64_t deadlineBoottimeNanoseconds = 0; ///< 0: none
    bool keep = false;                             ///< at confirmation
    bool kept = false;
    bool undone = false;
    std::string origin;
    std::optional<DiskClass> keepFor = {}; ///< what is kept is kept for this class
    std::vector<JournalDevice> devices;
    std::vector<JournalItem> items; ///< the request's changes in its order, then the side effects
    std::optional<JournalLease> lease;
    bool operator==(const Journal &) const = default;

    [[nodiscard]] std::size_t askedCount() const noexcept;
};

/// The journal as CBOR (docs/formats.md).
[[nodiscard]] std::string encodeJournal(const Journal &journal);
/// Strict; rows must be in the catalogue. Errors: StateFile.
[[nodiscard]] Result<Journal> decodeJournal(std::string_view bytes);

/// Errors: UnknownTransaction, StateFile.
[[nodiscard]] Result<Journal> loadJournal(const StateDirectory &state, Folder folder, const std::string &id);

/// What anybody may read of a transaction: JSON, docs/formats.md.
[[nodiscard]] std::string historyText(const Journal &journal);

/// Whether undo can put it back within the boot that it belongs to.
[[nodiscard]] bool isUndoable(const Journal &journal) noexcept;

} // namespace diskwright
