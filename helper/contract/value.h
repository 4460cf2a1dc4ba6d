// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace diskwright {

/// A setting's value: the kernel's number in the row's unit (switches are 0 and 1), or a word.
using Value = std::variant<std::int64_t, std::string>;

[[nodiscard]] inline Value number(std::int64_t value)
{
    return Value{value};
}
[[nodiscard]] inline Value word(std::string value)
{
    return Value{std::move(value)};
}

/// Canonical text: decimal without leading zeros, or the word itself.
[[nodiscard]] std::string toText(const Value &value);

} // namespace diskwright
