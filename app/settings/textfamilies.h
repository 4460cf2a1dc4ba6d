// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "texts.h"

/// The texts by family, each in a file of its own; others see them joined, through texts.h.
namespace diskwright {

[[nodiscard]] std::span<const SettingText> queueTexts() noexcept;
[[nodiscard]] std::span<const SettingText> ioschedTexts() noexcept;
[[nodiscard]] std::span<const SettingText> adiosTexts() noexcept;
[[nodiscard]] std::span<const SettingText> bdiTexts() noexcept;
[[nodiscard]] std::span<const SettingText> vmTexts() noexcept;

} // namespace diskwright
