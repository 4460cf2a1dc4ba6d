// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/request.h"

namespace diskwright {

/// From the kernel's generator; ends the program if that can't be read.
[[nodiscard]] TransactionId randomId();
[[nodiscard]] Token randomToken();

} // namespace diskwright
