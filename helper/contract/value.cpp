// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "value.h"

namespace diskwright {

std::string toText(const Value &value)
{
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        return std::to_string(*integer);
    return std::get<std::string>(value);
}

} // namespace diskwright
