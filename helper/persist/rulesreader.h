// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bootset.h"

#include <string_view>
#include <vector>

namespace diskwright {

/// One setting as a rendered file says it.
struct RenderedSetting {
    std::string setting; ///< catalogue row id
    Match match;         ///< of a disk only the match keys; id and name are empty
    Value value;
    bool operator==(const RenderedSetting &) const = default;
};

/// Reads back what renderUdevRules() and renderSysctl() write, in the file's order: what a difference is
/// shown from, and the proof that a file says what the set says. Errors: Malformed with the line that is not
/// one of ours.
[[nodiscard]] Result<std::vector<RenderedSetting>> readUdevRules(std::string_view text);
[[nodiscard]] Result<std::vector<RenderedSetting>> readSysctl(std::string_view text);

} // namespace diskwright
