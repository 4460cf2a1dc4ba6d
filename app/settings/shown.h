// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/catalogue.h"

#include <optional>
#include <span>
#include <string_view>

namespace diskwright {

/// A setting or fact of the kernel that is shown, and never written. It is not part of the catalogue, so root
/// would not write it either. English source texts, marked for Qt translation in the context below; every
/// view ends with a NUL.
struct ShownSetting {
    std::string_view id;    ///< "queue/logical_block_size", "vm/overcommit_memory"
    std::string_view title; ///< "Logical block size"
    std::string_view text;  ///< what it says
    std::string_view why;   ///< why it can't be set here, a sentence
    std::string_view document;
    Unit unit = Unit::None;
    bool isRead = true; ///< false: reading it is an action or tells nothing
};

inline constexpr const char *shownContext = "ShownSetting";

/// Sorted by id.
[[nodiscard]] std::span<const ShownSetting> shownSettings() noexcept;
/// Null if there is none.
[[nodiscard]] const ShownSetting *findShown(std::string_view id) noexcept;
[[nodiscard]] const ShownSetting *findShown(Domain domain, std::string_view key) noexcept;

/// Why a file that nobody described is shown only; context as above, ends with a NUL.
[[nodiscard]] std::string_view noDescription() noexcept;

} // namespace diskwright
