// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mountinfo.h"

#include <charconv>
#include <optional>

namespace diskwright {

namespace {

/// Hands out the parts of a text between single separators.
class Fields
{
public:
    Fields(std::string_view text, char separator)
        : m_rest(text)
        , m_separator(separator)
    {
    }
    std::optional<std::string_view> next()
    {
        if (m_atEnd)
            return std::nullopt;
        const std::size_t end = m_rest.find(m_separator);
        const std::string_view field = m_rest.substr(0, end);
        m_atEnd = end == std::string_view::npos;
        m_rest.remove_prefix(m_atEnd ? m_rest.size() : end + 1);
        return field;
    }

private:
    std::string_view m_rest;
    char m_separator;
    bool m_atEnd = false;
};

template <class Number>
bool parse(std::optional<std::string_view> text, Number &number)
{
    if (!text || text->empty())
        return false;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    return error == std::errc{} && end == text->data() + text->size();
}

bool parseNumbers(std::optional<std::string_view> text, MountEntry &entry)
{
    const std::size_t colon = text ? text->find(':') : std::string_view::npos;
    return colon != std::string_view::npos && parse(std::optional(text->substr(0, colon)), entry.major) &&
           parse(std::optional(text->substr(colon + 1)), entry.minor);
}

std::optional<MountEntry> parseMount(std::string_view line)
{
    Fields fields(line, ' ');
    MountEntry entry;
    if (!parse(fields.next(), entry.id) || !parse(fields.next(), entry.parent) ||
        !parseNumbers(fields.next(), entry))
        return std::nullopt;
    const auto mountRoot = fields.next();
    const auto target = fields.next();
    const auto options = fields.next();
    // Any number of optional fields ("shared:5") up to a lone dash.
    auto field = fields.next();
    while (field && *field != "-")
        field = fields.next();
    const auto fstype = fields.next();
    const auto source = fields.next();
    if (!mountRoot || !target || !options || !fstype || !source || target->empty())
        return std::nullopt;
    entry.root = unescapeOctal(*mountRoot);
    entry.target = unescapeOctal(*target);
    entry.options = unescapeOctal(*options);
    entry.fstype = unescapeOctal(*fstype);
    entry.source = unescapeOctal(*source);
    entry.superOptions = unescapeOctal(fields.next().value_or(std::string_view{}));
    return entry;
}

bool isOctal(char c)
{
    return c >= '0' && c <= '7';
}

} // namespace

std::string unescapeOctal(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escape = text[at] == '\\' && at + 3 < text.size() && text[at + 1] <= '3' &&
                            isOctal(text[at + 1]) && isOctal(text[at + 2]) && isOctal(text[at + 3]);
        if (!escape) {
            out += text[at];
            continue;
        }
        const int byte = ((text[at + 1] - '0') << 6) | ((text[at + 2] - '0') << 3) | (text[at + 3] - '0');
        out += static_cast<char>(byte);
        at += 3;
    }
    return out;
}

std::vector<MountEntry> parseMountInfo(std::string_view text)
{
    std::vector<MountEntry> entries;
    Fields lines(text, '\n');
    while (const auto line = lines.next()) {
        if (auto entry = parseMount(*line))
            entries.push_back(std::move(*entry));
    }
    return entries;
}

std::vector<SwapEntry> parseSwaps(std::string_view text)
{
    std::vector<SwapEntry> entries;
    Fields lines(text, '\n');
    (void)lines.next(); // the heading
    while (const auto line = lines.next()) {
        const std::size_t end = line->find_first_of(" \t");
        const std::size_t kind = line->find_first_not_of(" \t", end);
        if (end == 0 || end == std::string_view::npos || kind == std::string_view::npos)
            continue;
        entries.push_back({unescapeOctal(line->substr(0, end)), line->substr(kind).starts_with("file")});
    }
    return entries;
}

Result<std::vector<MountEntry>> readMountInfo(const SystemRoot &root)
{
    const auto text = root.readFile("proc/self/mountinfo", 32 * 1024 * 1024);
    if (!text)
        return std::unexpected(text.error());
    return parseMountInfo(*text);
}

Result<std::vector<SwapEntry>> readSwaps(const SystemRoot &root)
{
    const auto text = root.readFile("proc/swaps");
    if (text)
        return parseSwaps(*text);
    if (text.error().code == Errc::Absent)
        return {};
    return std::unexpected(text.error());
}

} // namespace diskwright
