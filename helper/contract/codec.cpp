// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "codec.h"

#include <algorithm>
#include <charconv>

namespace diskwright {

namespace {

std::string join(const auto &words)
{
    std::string out;
    for (const auto &word : words) {
        if (!out.empty())
            out += ", ";
        out += word;
    }
    return out;
}

std::optional<std::int64_t> parseDecimal(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// A leading zero means octal and 0x hexadecimal to the kernel, so neither is taken as a decimal here.
bool isCanonicalDecimal(std::string_view text)
{
    if (text.empty() || text.size() > 20)
        return false;
    if (text.front() == '-')
        return text.size() > 1 && text[1] != '0' && isCanonicalDecimal(text.substr(1));
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }) &&
           (text.front() != '0' || text.size() == 1);
}

Result<Parsed> parseBracketed(const SettingSpec &spec, std::string_view text)
{
    Parsed parsed;
    std::string current;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        std::string_view word = text.substr(at, end - at);
        at = end + 1;
        if (word.empty())
            continue;
        if (word.front() == '[' && word.back() == ']' && word.size() > 2) {
            word = word.substr(1, word.size() - 2);
            current = word;
        }
        parsed.offered.emplace_back(word);
    }
    // A queue that can only have one scheduler lists it without brackets.
    if (current.empty() && parsed.offered.size() == 1)
        current = parsed.offered.front();
    if (current.empty())
        return fail(Errc::Malformed, printable(text), std::string(spec.id) + ": no current choice");
    parsed.value = word(current);
    return parsed;
}

} // namespace

Result<Parsed> parseKernelText(const SettingSpec &spec, std::string_view text)
{
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    if (spec.codec == Codec::BracketedChoice)
        return parseBracketed(spec, text);
    const auto value = parseDecimal(text);
    if (!value)
        return fail(Errc::Malformed, printable(text), std::string(spec.id) + ": not a decimal number");
    return Parsed{number(*value), {}};
}

Result<Value> parseUserText(const SettingSpec &spec, std::string_view text)
{
    if (std::holds_alternative<Choice>(spec.accepts)) {
        if (text.empty())
            return fail(Errc::Malformed, {}, "no value given", acceptedText(spec));
        return word(std::string(text));
    }
    const bool isDecimal = isCanonicalDecimal(text);
    const auto value = isDecimal ? parseDecimal(text) : std::nullopt;
    if (!value && isDecimal)
        return fail(Errc::OutOfRange, printable(text), "outside the accepted range", acceptedText(spec));
    if (!value)
        return fail(Errc::Malformed, printable(text), "not a whole decimal number", acceptedText(spec));
    return number(*value);
}

std::string kernelText(const Value &value)
{
    return toText(value);
}

Result<> validate(const SettingSpec &spec, const Value &value, const std::vector<std::string> *offered)
{
    const auto refuse = [&](Errc code, std::string_view reason) {
        return fail(code, printable(toText(value)), std::string(reason), acceptedText(spec, offered));
    };
    if (const auto *choice = std::get_if<Choice>(&spec.accepts)) {
        const auto *text = std::get_if<std::string>(&value);
        if (!text)
            return refuse(Errc::Malformed, "not a word");
        if (std::ranges::find(choice->words, *text) == choice->words.end())
            return refuse(Errc::OutOfRange, "not one of the known choices");
        if (offered && std::ranges::find(*offered, *text) == offered->end())
            return refuse(Errc::NotOffered, "this kernel or device does not offer it");
        return {};
    }
    const auto *integer = std::get_if<std::int64_t>(&value);
    if (!integer)
        return refuse(Errc::Malformed, "not a number");
    if (const auto *range = std::get_if<Range>(&spec.accepts)) {
        if (*integer < range->min || *integer > range->max)
            return refuse(Errc::OutOfRange, "outside the accepted range");
        if (*integer % range->step != 0)
            return refuse(Errc::NotAMultiple, "not a multiple of the step");
        return {};
    }
    if (*integer != 0 && *integer != 1)
        return refuse(Errc::OutOfRange, "a switch is 0 or 1");
    return {};
}

std::string acceptedText(const SettingSpec &spec, const std::vector<std::string> *offered)
{
    if (const auto *choice = std::get_if<Choice>(&spec.accepts)) {
        if (!offered)
            return join(choice->words);
        std::vector<std::string_view> both;
        std::ranges::copy_if(choice->words, std::back_inserter(both), [&](std::string_view word) {
            return std::ranges::find(*offered, word) != offered->end();
        });
        return join(both);
    }
    if (const auto *range = std::get_if<Range>(&spec.accepts)) {
        std::string text = std::to_string(range->min) + " to " + std::to_string(range->max);
        if (const std::string_view unit = name(range->unit); !unit.empty())
            (text += ' ') += unit;
        if (range->step != 1)
            text += " in steps of " + std::to_string(range->step);
        return text;
    }
    return "0 or 1";
}

} // namespace diskwright
