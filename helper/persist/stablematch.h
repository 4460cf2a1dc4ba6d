// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/diskfacts.h"
#include "../contract/request.h"
#include "bootset.h"

#include <vector>

namespace diskwright {

/// Whether the rule for \p match would apply to the disk, by the same keys as the rendered one.
[[nodiscard]] bool matches(const Match &match, const DiskFacts &facts) noexcept;

/// The items of \p set that are in force on the disk, in the set's order: of what is set both for its class
/// and for itself only the latter.
[[nodiscard]] std::vector<const BootItem *> itemsOn(const BootSet &set, const DiskFacts &facts);

/// The keys that match this disk and no other one that is there. Nothing but the name, number, sequence
/// number and size is taken from the caller; the rest is looked up here. Errors: UnknownTarget,
/// DeviceChanged, NoStableId (no id, an id that no rule can hold safely, or a twin).
[[nodiscard]] Result<DiskMatch> stableMatch(const SystemRoot &root, const DeviceIdentity &device);

} // namespace diskwright
