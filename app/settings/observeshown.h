// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "observation.h"

namespace diskwright {

/// One file that is only shown, whether it is described or not. \p device may be an error: gone. Errors:
/// UnknownSetting without a reason if there is no such file and nobody described it.
[[nodiscard]] Result<Observation> observeShownOnDisk(const Result<Directory> &device, const BlockNode &disk,
                                                     const Address &address);
[[nodiscard]] Result<Observation> observeShownOnMachine(const Result<Directory> &vm, const Address &address);

} // namespace diskwright
