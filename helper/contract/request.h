// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "diskclass.h"
#include "limits.h"
#include "value.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What the unprivileged side may ask of the helper. Ids and values only: no path, no command, no file name.
namespace diskwright {

/// Random 128 bits made by the client; request id, transaction id (32 lowercase hex) and journal name in one.
using TransactionId = std::array<std::uint8_t, 16>;
/// Random 256 bits that prove that a later call comes from whoever started the trial or lease.
using Token = std::array<std::uint8_t, 32>;

[[nodiscard]] std::string toHex(const TransactionId &id);
/// 32 lowercase hex digits, nothing else.
[[nodiscard]] std::optional<TransactionId> transactionIdFromHex(std::string_view text);

/// Which physical device a change is meant for, as the user saw it. A re-plugged disk has another diskseq.
struct DeviceIdentity {
    std::string name; ///< kernel name of a whole disk
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    std::uint64_t diskseq = 0;
    std::uint64_t sizeBytes = 0;
    bool operator==(const DeviceIdentity &) const = default;
    /// Whether it is the same device of this boot, even if it has grown meanwhile.
    [[nodiscard]] bool isSameDevice(const DeviceIdentity &other) const noexcept
    {
        return name == other.name && major == other.major && minor == other.minor && diskseq == other.diskseq;
    }
};

/// Compare-and-set of one setting.
struct Change {
    std::optional<std::uint16_t> device; ///< index into the request's devices; none for vm
    std::string setting;                 ///< catalogue row id
    Value expected;                      ///< what the user saw; otherwise the change is stale
    Value wanted;
    bool operator==(const Change &) const = default;
};

/// Apply a reviewed plan. Under .tune a plan of that class only; under .plan also with keep.
struct ApplyRequest {
    std::vector<DeviceIdentity> devices;
    std::vector<Change> changes;   ///< 1 to limits::changes, at most one for each setting of a device
    std::chrono::seconds trial{0}; ///< 0: until restart; else 5 to 600
    bool keep = false;             ///< at every start: after confirmation if this is a trial, else at once
    std::string origin;            ///< for the boot set: a profile's name, or empty for "by hand"
    Token token{};                 ///< stored as SHA-256 only
    /// Keep for every disk of this class instead of the disks themselves, which must be of it; only with
    /// keep.
    std::optional<DiskClass> keepFor = {};
    bool operator==(const ApplyRequest &) const = default;
};

/// Begin a lease on 2 to 16 reviewed states of the same settings; state 0 is what is so now.
struct LeaseRequest {
    std::vector<DeviceIdentity> devices;
    std::vector<Change> settings;           ///< expected = state 0; wanted is ignored and equals expected
    std::vector<std::vector<Value>> states; ///< each as long as settings
    std::uint16_t mostSwitches = 0;         ///< 1 to limits::mostLeaseSwitches
    std::chrono::seconds duration{0};       ///< 1 to limits::longestLease
    Token token{};
    bool operator==(const LeaseRequest &) const = default;
};

/// One's own trial or lease, authorized by .settle, user and token.
struct ConfirmRequest {
    TransactionId transaction{};
    Token token{};
    bool operator==(const ConfirmRequest &) const = default;
};
struct ProlongRequest {
    TransactionId transaction{};
    Token token{};
    std::chrono::seconds more{
        0}; ///< from now; the end stays within limits::longestProlongedTrial of the start
    bool operator==(const ProlongRequest &) const = default;
};
/// End a trial or lease now: put everything back. A lease may instead stay in one of its states (stay).
struct EndRequest {
    TransactionId transaction{};
    Token token{};
    std::optional<std::uint8_t> stay; ///< lease only: leave this state in force, as an applied transaction
    bool operator==(const EndRequest &) const = default;
};
struct SwitchRequest {
    TransactionId transaction{};
    Token token{};
    std::uint8_t state = 0;
    bool operator==(const SwitchRequest &) const = default;
};

/// Keep items of an applied transaction of this boot. Values are never sent: the helper has them.
struct KeepRequest {
    TransactionId transaction{};
    std::vector<std::uint16_t> items; ///< indexes of its changes; at least one
    std::string origin;
    bool replaceEdited = false;            ///< replace (after backing up) a kept file that somebody edited
    std::optional<DiskClass> keepFor = {}; ///< as in ApplyRequest
    bool operator==(const KeepRequest &) const = default;
};
/// Remove kept items by their index and the hash of the boot set that the client read; no items: all.
struct ForgetRequest {
    std::array<std::uint8_t, 32> bootSetSha256{};
    std::vector<std::uint16_t> items;
    bool replaceEdited = false;
    bool operator==(const ForgetRequest &) const = default;
};
/// The "use at start" switch.
struct UseAtStartRequest {
    bool use = true;
    bool operator==(const UseAtStartRequest &) const = default;
};

/// Put back what a transaction in the helper's record changed.
struct UndoRequest {
    TransactionId transaction{};
    bool force = false;     ///< also values that somebody else changed since
    bool staysKept = false; ///< what it keeps is set at the next start all the same
    bool operator==(const UndoRequest &) const = default;
};

/// Put everything back: end every trial and lease, then all values to those first seen in this boot, those
/// that are kept to what was so before they were; then keep nothing.
struct RestoreAllRequest {
    bool operator==(const RestoreAllRequest &) const = default;
};

using Operation =
    std::variant<ApplyRequest, LeaseRequest, ConfirmRequest, ProlongRequest, EndRequest, SwitchRequest,
                 KeepRequest, ForgetRequest, UseAtStartRequest, UndoRequest, RestoreAllRequest>;

/// One call: its own fresh id (for Apply and Lease it is the transaction's id) and what to do.
struct Request {
    TransactionId id{};
    Operation operation;
    bool operator==(const Request &) const = default;
};

} // namespace diskwright
