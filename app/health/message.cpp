// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "message.h"

#include <array>
#include <charconv>
#include <span>
#include <cmath>

namespace diskwright::health {

std::string fill(std::string_view text, const std::vector<std::string> &arguments)
{
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool isPlace =
            text[at] == '%' && at + 1 < text.size() && text[at + 1] >= '1' && text[at + 1] <= '9';
        const std::size_t index = isPlace ? static_cast<std::size_t>(text[at + 1] - '1') : 0;
        if (isPlace && index < arguments.size()) {
            out += arguments[index];
            ++at;
        } else {
            out += text[at];
        }
    }
    return out;
}

static std::string inUnits(std::uint64_t count, double step, std::span<const char *const> units)
{
    auto value = static_cast<double>(count);
    std::size_t unit = 0;
    // 999.5 would be shown as 1000.
    while (value >= step - 0.5 && unit + 1 < units.size()) {
        value /= step;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : 1;
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals);
    std::string number(digits, end.ptr);
    if (number.ends_with(".0"))
        number.resize(number.size() - 2);
    return number + ' ' + units[unit];
}

std::string amountText(Bytes bytes)
{
    static constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    return inUnits(bytes.count, 1000, units);
}

std::string amountText(MemoryBytes bytes)
{
    static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    return inUnits(bytes.count, 1024, units);
}

std::string english(const Message &message)
{
    struct Words {
        std::string operator()(const std::string &text) const { return text; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(Bytes bytes) const { return amountText(bytes); }
        std::string operator()(MemoryBytes bytes) const { return amountText(bytes); }
    };
    std::vector<std::string> arguments;
    arguments.reserve(message.arguments.size());
    for (const Argument &argument : message.arguments)
        arguments.push_back(std::visit(Words{}, argument));
    return fill(message.text, arguments);
}

} // namespace diskwright::health
