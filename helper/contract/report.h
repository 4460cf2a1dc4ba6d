// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"
#include "request.h"

/// What the helper answers. KAuth broadcasts replies to every local user, so they carry codes, indexes and
/// numbers only: no device name, serial or path.
namespace diskwright {

struct SettingSpec;

/// The numbers travel on the bus and lie in journals and history: never renumbered.
enum class StepResult : std::uint8_t {
    Applied = 0,
    Adjusted = 1,  ///< the kernel kept another value: after differs from requested
    Unchanged = 2, ///< was so already
    Stale = 3,
    Rejected = 4, ///< by the kernel (sysErrno) or by validation (why)
    Unsupported = 5,
    DeviceGone = 6,
    RolledBack = 7,
    RollbackFailed = 8,
    NotAttempted = 9,
};

enum class Outcome : std::uint8_t {
    Applied = 0,
    Adjusted = 1,
    Trial = 2, ///< applied; put back at the deadline unless confirmed
    Unchanged = 3,
    Refused = 4, ///< nothing was changed; why says the reason
    NotAuthorized = 5,
    RolledBack = 6,     ///< failed on the way, everything put back
    RollbackFailed = 7, ///< failed, and not everything could be put back: see the steps
    Busy = 8,
    Confirmed = 9,
    Prolonged = 10,
    Ended = 11, ///< a trial or lease put back
    Kept = 12,
    Forgotten = 13,
    Undone = 14,
    LeaseHeld = 15, ///< a lease began or switched
};

/// A value as it travels: a choice as its index in its row's closed list.
struct StepReport {
    StepResult result = StepResult::NotAttempted;
    Errc why = Errc::None;
    int sysErrno = 0;
    std::optional<std::int64_t> before;
    std::optional<std::int64_t> after; ///< read back
    bool operator==(const StepReport &) const = default;
};

struct Report {
    TransactionId request{}; ///< the request's own id: anything else is not the answer to it
    Outcome outcome = Outcome::Refused;
    Errc why = Errc::None;
    int sysErrno = 0;
    std::optional<std::uint16_t> culprit;          ///< index of the change or item that why speaks of
    std::vector<StepReport> steps;                 ///< in the order of the request's changes
    std::uint64_t deadlineBoottimeNanoseconds = 0; ///< CLOCK_BOOTTIME; 0: none
    bool kept = false;                             ///< the boot files hold it
    Errc keepWhy = Errc::None; ///< applied, but not kept, because; undone, but still kept, because
    bool operator==(const Report &) const = default;
};

/// The row's choice index or number of a value, as it travels. Errors: OutOfRange for a word the row does not
/// know.
[[nodiscard]] Result<std::int64_t> toReportNumber(const SettingSpec &spec, const Value &value);
[[nodiscard]] Result<Value> fromReportNumber(const SettingSpec &spec, std::int64_t travelled);

/// Stable words for JSON and the audit record: "rolled-back", "trial".
[[nodiscard]] std::string_view name(StepResult result) noexcept;
[[nodiscard]] std::string_view name(Outcome outcome) noexcept;

} // namespace diskwright
