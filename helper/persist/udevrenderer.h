// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bootset.h"

#include <string>

namespace diskwright {

/// The set's disk items as /etc/udev/rules.d/80-diskwright.rules, marker included; empty if there are none.
/// Precondition: every item passes checkItem() (a decoded set does).
///
/// Class rules come first and id rules last, so that id rules win; items of one target are in the
/// catalogue's order of application. Every assignment is a line of its own that first looks whether the
/// attribute is there, and for a scheduler's own attributes whether that scheduler is active: udev logs an
/// error for every write to a missing attribute.
[[nodiscard]] std::string renderUdevRules(const BootSet &set);

} // namespace diskwright
