// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shown.h"

/// What is only shown, by family; others see it joined, through shown.h.
namespace diskwright {

[[nodiscard]] std::span<const ShownSetting> shownOfQueue() noexcept;
[[nodiscard]] std::span<const ShownSetting> shownOfBdi() noexcept;
[[nodiscard]] std::span<const ShownSetting> shownOfVm() noexcept;

} // namespace diskwright
