// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskid.h"

#include "../contract/address.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace diskwright {

namespace {

constexpr std::array<std::string_view, 8> prefixes{"wwn-",  "nvme-eui.", "nvme-",   "ata-",
                                                   "scsi-", "usb-",      "virtio-", "mmc-"};
constexpr std::string_view byId = "disk/by-id/";

std::optional<std::size_t> rankOf(std::string_view name)
{
    for (std::size_t rank = 0; rank < prefixes.size(); ++rank) {
        if (name.starts_with(prefixes[rank]))
            return name.size() > prefixes[rank].size() ? std::optional(rank) : std::nullopt;
    }
    return std::nullopt;
}

/// Some makers leave the number empty: nvme-eui.0000000000000000 names every such disk.
bool isAllZeros(std::string_view name, std::size_t rank)
{
    name.remove_prefix(prefixes[rank].size());
    if (name.starts_with("0x"))
        name.remove_prefix(2);
    return name.find_first_not_of('0') == std::string_view::npos;
}

/// The by-id base name of a link that may serve as an id, or empty.
std::string_view candidate(std::string_view link)
{
    if (!link.starts_with(byId))
        return {};
    link.remove_prefix(byId.size());
    const auto rank = rankOf(link);
    return rank && isSafeDiskId(link) && !isAllZeros(link, *rank) ? link : std::string_view{};
}

bool isBetter(std::string_view left, std::string_view right)
{
    const auto leftRank = rankOf(left);
    const auto rightRank = rankOf(right);
    if (leftRank != rightRank)
        return leftRank < rightRank;
    return left.size() != right.size() ? left.size() < right.size() : left < right;
}

} // namespace

std::optional<std::string> diskIdOf(const UdevEntry &entry)
{
    std::string_view best;
    for (const std::string &link : entry.links) {
        const std::string_view name = candidate(link);
        if (!name.empty() && (best.empty() || isBetter(name, best)))
            best = name;
    }
    return best.empty() ? std::nullopt : std::optional(std::string(best));
}

DiskIds DiskIds::read(const SystemRoot &root)
{
    DiskIds ids;
    const UdevDatabase database(root);
    const auto folder = root.directory("sys/block");
    const auto names = folder ? folder->entries() : std::unexpected(folder.error());
    if (!names || !database.isPresent())
        return ids;
    for (const std::string &name : *names) {
        const auto device = root.blockDevice(name);
        const auto number = device ? device->read("dev") : std::unexpected(device.error());
        if (!number)
            continue;
        std::uint32_t major = 0;
        std::uint32_t minor = 0;
        const char *end = number->data() + number->size();
        const auto colon = std::from_chars(number->data(), end, major);
        if (colon.ec != std::errc{} || colon.ptr == end || *colon.ptr != ':' ||
            std::from_chars(colon.ptr + 1, end, minor).ec != std::errc{})
            continue;
        if (const auto entry = database.block(major, minor))
            ids.claim(name, *entry);
    }
    return ids;
}

void DiskIds::claim(std::string name, const UdevEntry &entry)
{
    for (const std::string &link : entry.links) {
        const std::string_view id = candidate(link);
        if (id.empty())
            continue;
        auto &claims = m_claims[std::string(id)];
        if (std::ranges::find(claims, name) == claims.end())
            claims.push_back(name);
    }
    if (auto id = diskIdOf(entry))
        m_idByName[std::move(name)] = std::move(*id);
}

std::optional<std::string> DiskIds::idOf(std::string_view name) const
{
    const auto found = m_idByName.find(std::string(name));
    if (found == m_idByName.end())
        return std::nullopt;
    const auto claims = m_claims.find(found->second);
    return claims != m_claims.end() && claims->second.size() == 1 ? std::optional(found->second)
                                                                  : std::nullopt;
}

bool DiskIds::hasTwin(std::string_view name) const
{
    return m_idByName.contains(std::string(name)) && !idOf(name);
}

std::optional<std::string> DiskIds::nameOf(std::string_view id) const
{
    const auto claims = m_claims.find(std::string(id));
    if (claims == m_claims.end() || claims->second.size() != 1)
        return std::nullopt;
    const std::string &name = claims->second.front();
    return idOf(name) == id ? std::optional(name) : std::nullopt;
}

Result<std::string> bootId(const SystemRoot &root)
{
    auto text = root.readFile("proc/sys/kernel/random/boot_id", 64);
    if (!text)
        return text;
    if (text->ends_with('\n'))
        text->pop_back();
    const bool isUuid = text->size() == 36 && std::ranges::all_of(*text, [](char c) {
                            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
                        });
    if (!isUuid)
        return fail(Errc::Malformed, printable(*text), "not a boot id", "36 characters of a UUID");
    return text;
}

} // namespace diskwright
