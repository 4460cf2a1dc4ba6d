// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/plan/plan.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace diskwright {

/// Why something can't be so at every start; known without asking the helper.
struct NotKeepable {
    Errc why = Errc::NeedsSystemd;
    std::optional<std::size_t> step; ///< of the plan; none: it is the machine
};

/// None if nothing speaks against keeping the whole plan. The helper has the last word.
[[nodiscard]] std::optional<NotKeepable> whyNotKeepable(const Plan &plan,
                                                        const QString &root = QStringLiteral("/"));

} // namespace diskwright
