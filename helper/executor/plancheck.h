// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "deviceresolver.h"
#include "journal.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace diskwright {

/// Why a plan is refused before anything is touched, and which of its changes is to blame.
struct Refusal {
    Errc why = Errc::Internal;
    std::optional<std::uint16_t> culprit;
    int sysErrno = 0;
};

template <class T = void>
using Checked = std::expected<T, Refusal>;

/// A plan that may be carried out.
struct CheckedPlan {
    std::vector<JournalDevice> devices;
    std::vector<JournalItem> items; ///< the changes in their order with what is so now, then the side effects
    bool switchesSystemDisk = false; ///< another scheduler for a disk that carries the system: always a trial
};

/// Checks all of a plan against the catalogue, the devices and the kernel; writes nothing. What the user saw
/// is compared too, except for values that a scheduler switch in the same plan resets. The caller holds the
/// lock.
[[nodiscard]] Checked<CheckedPlan> checkPlan(const SystemRoot &root,
                                             const std::vector<DeviceIdentity> &devices,
                                             const std::vector<Change> &changes);

/// Adds to \p items what the kernel resets when they are written (a queue's values behind its scheduler, the
/// other half of a pair, the exact number behind a rounded one), and what it disturbs, to be written again;
/// unless it is listed already. \p anchorOf gives the directory of a device's
/// settings, or of vm for none; null if it is gone.
void addSideEffects(std::vector<JournalItem> &items,
                    const std::function<const Directory *(std::optional<std::uint16_t>)> &anchorOf);

} // namespace diskwright
