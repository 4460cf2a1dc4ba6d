// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "keptfile.h"

#include "bootset.h"

namespace diskwright {

namespace {

constexpr std::string_view marker =
    "# Written by Diskwright. It notices a change made here and asks before it replaces it.\n";
constexpr std::string_view hashLabel = "# sha256 of what follows: ";
constexpr std::size_t hashDigits = 64;
constexpr std::size_t headerBytes = marker.size() + hashLabel.size() + hashDigits + 1;

bool hasMarker(std::string_view text) noexcept
{
    return text.size() >= headerBytes && text.starts_with(marker) &&
           text.substr(marker.size()).starts_with(hashLabel) && text[headerBytes - 1] == '\n';
}

} // namespace

std::string withMarker(std::string_view body)
{
    std::string text(marker);
    text += hashLabel;
    text += toHex(sha256(body));
    text += '\n';
    text += body;
    return text;
}

FileOwner ownerOf(std::string_view text) noexcept
{
    if (!text.starts_with(marker))
        return FileOwner::Foreign;
    if (!hasMarker(text))
        return FileOwner::Edited;
    const std::string_view stated = text.substr(marker.size() + hashLabel.size(), hashDigits);
    return stated == toHex(sha256(bodyOf(text))) ? FileOwner::Ours : FileOwner::Edited;
}

std::string_view bodyOf(std::string_view text) noexcept
{
    return hasMarker(text) ? text.substr(headerBytes) : text;
}

} // namespace diskwright
