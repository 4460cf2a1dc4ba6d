// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace diskwright {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return c >= 'a' && c <= 'z';
}

std::size_t headLength(std::string_view name)
{
    return static_cast<std::size_t>(std::ranges::find_if_not(name, isLetter) - name.begin());
}

bool isLettered(std::string_view name)
{
    return name.starts_with("sd") || name.starts_with("vd") || name.starts_with("hd");
}

std::string_view takeNumber(std::string_view &text)
{
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    while (digits.size() > 1 && digits.front() == '0')
        digits.remove_prefix(1);
    return digits;
}

} // namespace

bool isUnfit(std::string_view sequence)
{
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(sequence[at]); };
    if (sequence.size() == 1)
        return byte(0) < 0x20 || byte(0) == 0x7F;
    if (sequence.size() == 2)
        return (byte(0) == 0xC2 && byte(1) < 0xA0) || (byte(0) == 0xD8 && byte(1) == 0x9C);
    if (sequence.size() == 3 && byte(0) == 0xE2)
        return (byte(1) == 0x80 && (byte(2) == 0x8E || byte(2) == 0x8F)) ||
               (byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) ||
               (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
    return false;
}

std::size_t utf8SequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t at) -> std::uint8_t {
        return at < text.size() ? static_cast<std::uint8_t>(text[at]) : 0;
    };
    const auto continues = [&](std::size_t at) { return (byte(at) & 0xC0) == 0x80; };
    const std::uint8_t first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool sound = (first != 0xE0 || byte(1) >= 0xA0) && (first != 0xED || byte(1) < 0xA0);
        return sound && continues(1) && continues(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool sound = (first != 0xF0 || byte(1) >= 0x90) && (first != 0xF4 || byte(1) < 0x90);
        return sound && continues(1) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

std::string cleanText(std::string_view text)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\0'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text);
        const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
        if (length == 0 || isUnfit(sequence))
            out += "\xEF\xBF\xBD";
        else
            out += sequence;
        text.remove_prefix(sequence.size());
    }
    return out;
}

bool deviceNameLess(std::string_view left, std::string_view right)
{
    if (isLettered(left) && isLettered(right) && left.substr(0, 2) == right.substr(0, 2) &&
        headLength(left) != headLength(right))
        return headLength(left) < headLength(right);
    while (!left.empty() && !right.empty()) {
        if (isDigit(left.front()) && isDigit(right.front())) {
            const std::string_view first = takeNumber(left);
            const std::string_view second = takeNumber(right);
            if (first.size() != second.size())
                return first.size() < second.size();
            if (first != second)
                return first < second;
            continue;
        }
        if (left.front() != right.front())
            return left.front() < right.front();
        left.remove_prefix(1);
        right.remove_prefix(1);
    }
    return left.size() < right.size();
}

} // namespace diskwright
