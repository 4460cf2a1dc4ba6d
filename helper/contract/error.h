// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace diskwright {

/// Why something was refused or failed. Closed: both sides of the wire switch over it without a default.
/// The numbers travel on the bus and lie in journals, so they are never renumbered.
enum class Errc : std::uint8_t {
    None = 0,
    Malformed = 1, ///< the request or file does not decode strictly
    UnsupportedVersion = 2,
    UnknownSetting = 3, ///< not in the catalogue
    UnknownTarget = 4,  ///< no such disk, mount or system target
    OutOfRange = 5,
    NotOffered = 6,   ///< a known choice that this kernel or device does not offer
    NotAMultiple = 7, ///< in range, but not on the step
    Conflict = 8,     ///< contradicts another value, in the plan or now in the kernel
    Stale = 9,        ///< differs from what the user saw
    DeviceChanged =
        10,        ///< the name now belongs to another device (disk sequence number, size or number differ)
    Absent = 11,   ///< the attribute does not exist on this kernel or device
    ReadOnly = 12, ///< the attribute exists and can't be written
    Busy = 13,     ///< another plan, trial or lease holds the lock or the device
    NotAuthorized = 14, ///< the action used does not cover this class of change, or polkit answers no
    UnknownTransaction = 15,
    WrongToken = 16,   ///< wrong token or wrong user
    Expired = 17,      ///< the deadline has passed, or this boot is not the transaction's
    DuplicateId = 18,  ///< the transaction id was used before
    StateFile = 19,    ///< journal, history or another file of ours can't be read or written; errno says why
    FileChanged = 20,  ///< a kept file was edited by somebody else, or lacks our marker
    NoStableId = 21,   ///< the disk has no id that is unique and safe to match on
    NeedsSystemd = 22, ///< keeping needs systemd and udev, and they are not running here
    SwitchLimit = 23,  ///< the lease has used its reviewed number of switches
    NotUndoable = 24,  ///< ended by a restart, or the value can't be read back
    Kernel = 25,       ///< the kernel refused the write; errno says why
    Cancelled = 26,    ///< the client went away or asked to stop
    Internal = 27,
    NotOfClass = 28, ///< the disk is not of the class, carries the system, or the class goes by the setting
};

/// The last of them: what a decoder accepts.
inline constexpr Errc lastErrc = Errc::NotOfClass;

/// A failure with what a person needs: which input, why, and what would have been accepted.
struct Error {
    Errc code = Errc::Internal;
    std::string input;    ///< the offending text or address, printable ASCII
    std::string reason;   ///< English, developer's words; user interfaces make their own text from code
    std::string accepted; ///< the accepted range or set, may be empty
    int sysErrno = 0;     ///< errno of the failed call, 0 if none

    bool operator==(const Error &) const = default;
};

template <class T = void>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(Errc code, std::string input = {}, std::string reason = {},
                                                 std::string accepted = {}, int sysErrno = 0)
{
    return std::unexpected(Error{code, std::move(input), std::move(reason), std::move(accepted), sysErrno});
}

/// Stable name for logs, JSON and the audit record ("out-of-range").
[[nodiscard]] std::string_view name(Errc code) noexcept;

/// \p text with everything but printable ASCII replaced by \xNN, cut to \p limit bytes: safe in a log line.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 256);

} // namespace diskwright
