// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace diskwright {

/// English source texts of one catalogue row, marked for Qt translation in the context below:
/// QCoreApplication::translate(settingTextContext, text.title.data()). Every view ends with a NUL.
struct SettingText {
    std::string_view id;                       ///< catalogue row id
    std::string_view title;                    ///< "Read-ahead"
    std::string_view summary;                  ///< one line
    std::string_view text;                     ///< what it does, when it helps, what it costs
    std::string_view document;                 ///< kernel document (or project page) that describes it
    std::span<const std::string_view> aliases; ///< spellings of old articles and tools; not translated
    std::string_view benchmark;                ///< the test that shows its effect; empty if none does
    std::string_view since;                    ///< first kernel with it ("4.10"); empty: older, or not known
    std::string_view until;                    ///< last kernel on which it acts; empty: today's do
};

inline constexpr const char *settingTextContext = "SettingText";

/// Sorted by id.
[[nodiscard]] std::span<const SettingText> settingTexts() noexcept;
/// Null if there is none.
[[nodiscard]] const SettingText *findText(std::string_view id) noexcept;

} // namespace diskwright
