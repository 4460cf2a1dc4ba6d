// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/report.h"
#include "helper/contract/request.h"

#include <cstdint>
#include <numeric>

/// One valid request of every operation, and reports of every shape.
namespace diskwright::samples {

template <class Bytes>
Bytes filled(int first)
{
    Bytes bytes{};
    std::iota(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(first));
    return bytes;
}

inline const auto id = filled<TransactionId>(0x10);
inline const auto token = filled<Token>(0x80);

inline std::vector<DeviceIdentity> devices()
{
    return {{"sda", 8, 0, 17, 500107862016}, {"nvme0n1", 259, 4095, (std::uint64_t{1} << 62), 0}};
}

inline ApplyRequest apply()
{
    ApplyRequest request;
    request.devices = devices();
    request.changes = {{0, "queue/scheduler", word("none"), word("mq-deadline")},
                       {1, "queue/read_ahead_kb", number(128), number(4096)},
                       {std::nullopt, "vm/dirty_bytes", number(0), number(268435456)}};
    request.trial = std::chrono::seconds(15);
    request.keep = true;
    request.origin = "Desktop (fast)";
    request.token = token;
    request.keepFor = DiskClass::UsbRemovable;
    return request;
}

inline LeaseRequest lease()
{
    LeaseRequest request;
    request.devices = devices();
    request.settings = {{0, "queue/scheduler", word("none"), word("none")},
                        {1, "queue/read_ahead_kb", number(128), number(128)}};
    request.states = {{word("none"), number(128)}, {word("bfq"), number(4096)}};
    request.mostSwitches = 512;
    request.duration = std::chrono::seconds(3600);
    request.token = token;
    return request;
}

inline std::vector<Request> requests()
{
    const auto sha = filled<std::array<std::uint8_t, 32>>(0x20);
    return {
        {id, apply()},
        {id, lease()},
        {id, ConfirmRequest{id, token}},
        {id, ProlongRequest{id, token, std::chrono::seconds(600)}},
        {id, EndRequest{id, token, std::nullopt}},
        {id, EndRequest{id, token, 3}},
        {id, SwitchRequest{id, token, 15}},
        {id, KeepRequest{id, {0, 2, 255}, "by hand", true}},
        {id, KeepRequest{id, {7}, "", false, DiskClass::Mmc}},
        {id, ForgetRequest{sha, {}, false}},
        {id, ForgetRequest{sha, {0, 511}, true}},
        {id, UseAtStartRequest{false}},
        {id, UndoRequest{id, true, false}},
        {id, UndoRequest{id, false, true}},
        {id, RestoreAllRequest{}},
    };
}

inline std::vector<Report> reports()
{
    Report full;
    full.request = id;
    full.outcome = Outcome::RollbackFailed;
    full.why = Errc::Kernel;
    full.sysErrno = 22;
    full.culprit = 1;
    full.steps = {{StepResult::RolledBack, Errc::None, 0, 0, 1},
                  {StepResult::Rejected, Errc::Kernel, 22, -1, std::nullopt},
                  {StepResult::NotAttempted, Errc::None, 0, std::nullopt, std::nullopt}};
    full.deadlineBoottimeNanoseconds = std::uint64_t{1} << 60;
    full.kept = true;
    full.keepWhy = Errc::NeedsSystemd;
    return {Report{}, full};
}

} // namespace diskwright::samples
