// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "vanished.h"

/// What vanished, by family; others see it joined, through vanished.h.
namespace diskwright {

[[nodiscard]] std::span<const VanishedSetting> vanishedOfKernel() noexcept;
[[nodiscard]] std::span<const VanishedSetting> vanishedOfDrive() noexcept;
[[nodiscard]] std::span<const VanishedSetting> vanishedOfMount() noexcept;

} // namespace diskwright
