// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/report.h"
#include "../executor/executor.h"

#include <string>

namespace diskwright {

/// One line of printable ASCII: who asked for what, and what became of it.
[[nodiscard]] std::string auditLine(const Request &request, const Caller &caller, const Report &report);

[[nodiscard]] std::string_view name(Action action) noexcept;

} // namespace diskwright
