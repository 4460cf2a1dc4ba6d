// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "address.h"

#include "domains.h"

#include <algorithm>
#include <vector>

namespace diskwright {

std::string settableDomains()
{
    std::vector<Domain> domains;
    for (const SettingSpec &row : catalogue()) {
        if (std::ranges::find(domains, row.domain) == domains.end())
            domains.push_back(row.domain);
    }
    std::ranges::sort(domains);
    std::string names;
    for (const Domain domain : domains)
        (names += names.empty() ? "" : ", ") += name(domain);
    return names;
}

Result<Address> parseAddress(std::string_view text)
{
    const std::size_t first = text.find(':');
    const std::size_t last = text.rfind(':');
    if (first == std::string_view::npos || first == last)
        return fail(Errc::Malformed, printable(text), "a setting is written domain:target:key",
                    "queue:sda:read_ahead_kb, vm::dirty_bytes");
    const auto domain = domainFromName(text.substr(0, first));
    if (!domain)
        return fail(Errc::UnknownSetting, printable(text), "unknown domain", settableDomains());
    Address address{*domain, std::string(text.substr(first + 1, last - first - 1)),
                    std::string(text.substr(last + 1))};
    if (address.key.empty() || address.target.empty() == isPerDisk(*domain))
        return fail(Errc::Malformed, printable(text),
                    isPerDisk(*domain) ? "names no target or no key" : "vm settings have no target",
                    "queue:sda:read_ahead_kb, vm::dirty_bytes");
    return address;
}

std::string toText(const Address &address)
{
    return std::string(name(address.domain)) + ':' + address.target + ':' + address.key;
}

Result<Assignment> parseAssignment(std::string_view text)
{
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos)
        return fail(Errc::Malformed, printable(text), "has no '='", "SETTING=VALUE");
    return Assignment{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

bool isKernelName(std::string_view name) noexcept
{
    return !name.empty() && name.size() <= 32 && name.front() >= 'a' && name.front() <= 'z' &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '!' || c == '_' || c == '-';
           });
}

bool isSafeDiskId(std::string_view id) noexcept
{
    return !id.empty() && id.size() <= 128 && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '.' || c == ':' || c == '+' || c == '-';
    });
}

} // namespace diskwright
