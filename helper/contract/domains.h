// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace diskwright {

/// The domains in which something can be set: "queue, iosched, bdi, vm".
[[nodiscard]] std::string settableDomains();

} // namespace diskwright
