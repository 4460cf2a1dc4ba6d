// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "udevdb.h"

#include <algorithm>

namespace diskwright {

namespace {

bool isControl(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

bool isKeyCharacter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

} // namespace

const std::string *UdevEntry::property(std::string_view key) const noexcept
{
    const auto found = std::ranges::find(properties, key, &Property::key);
    return found != properties.end() ? &found->value : nullptr;
}

UdevEntry parseUdevEntry(std::string_view text)
{
    UdevEntry entry;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.size() < 3 || line[1] != ':' || std::ranges::any_of(line, isControl))
            continue;
        const std::string_view body = line.substr(2);
        if (line[0] == 'S') {
            entry.links.emplace_back(body);
        } else if (line[0] == 'E') {
            const std::size_t equals = body.find('=');
            if (equals != 0 && equals != std::string_view::npos &&
                std::ranges::all_of(body.substr(0, equals), isKeyCharacter))
                entry.properties.push_back(
                    {std::string(body.substr(0, equals)), std::string(body.substr(equals + 1))});
        }
    }
    return entry;
}

UdevDatabase::UdevDatabase(const SystemRoot &root)
{
    if (auto data = root.directory("run/udev/data"))
        m_data = std::move(*data);
}

std::optional<UdevEntry> UdevDatabase::block(std::uint32_t major, std::uint32_t minor) const
{
    if (!m_data)
        return std::nullopt;
    const auto text = m_data->read('b' + std::to_string(major) + ':' + std::to_string(minor), udevEntryBytes);
    return text ? std::optional(parseUdevEntry(*text)) : std::nullopt;
}

std::string unescapeUdev(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escape = at + 3 < text.size() && text[at] == '\\' && text[at + 1] == 'x' &&
                            hexDigit(text[at + 2]) >= 0 && hexDigit(text[at + 3]) >= 0;
        if (!escape) {
            out += text[at];
            continue;
        }
        out += static_cast<char>(hexDigit(text[at + 2]) * 16 + hexDigit(text[at + 3]));
        at += 3;
    }
    return out;
}

} // namespace diskwright
