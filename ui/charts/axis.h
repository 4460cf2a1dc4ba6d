// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

/// Shared by the program and the library of the charts, which do not link each other.
namespace diskwright::ui {

/// The next round number at or above \p value that divides an axis well: 1, 2, 2.5 or 5 times a power of ten.
[[nodiscard]] inline double niceCeiling(double value)
{
    if (value <= 0)
        return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 2.5, 5.0}) {
        if (value <= step * power * (1 + 1e-9))
            return step * power;
    }
    return 10 * power;
}

/// Decimals with which labels that lie \p step apart say what they stand for: 1 for 0.2, 2 for 0.05, 0
/// for 20.
[[nodiscard]] inline int decimalsOf(double step)
{
    constexpr int most = 6;
    int decimals = 0;
    for (double rest = step; decimals < most && std::abs(rest - std::round(rest)) > 1e-6 * rest; rest *= 10)
        ++decimals;
    return decimals;
}

} // namespace diskwright::ui
