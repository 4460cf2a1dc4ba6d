// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "stablematch.h"

#include "../access/diskid.h"
#include "../contract/address.h"

#include <algorithm>

namespace diskwright {

namespace {

bool isSame(const DiskFacts &facts, const DeviceIdentity &device) noexcept
{
    return facts.major == device.major && facts.minor == device.minor && facts.diskseq == device.diskseq &&
           facts.sizeBytes == device.sizeBytes;
}

std::unexpected<Error> noStableId(const std::string &name, std::string reason)
{
    return fail(Errc::NoStableId, printable(name), std::move(reason));
}

} // namespace

bool matches(const Match &match, const DiskFacts &facts) noexcept
{
    if (const auto *kind = std::get_if<DiskClass>(&match))
        return isOfClass(*kind, facts);
    const auto *disk = std::get_if<DiskMatch>(&match);
    return disk && (disk->wwn.empty() || disk->wwn == facts.wwn) &&
           (disk->serial.empty() || disk->serial == facts.serial) && disk->sizeBytes == facts.sizeBytes;
}

std::vector<const BootItem *> itemsOn(const BootSet &set, const DiskFacts &facts)
{
    std::vector<const BootItem *> items;
    const auto isOverridden = [&](const BootItem &item) {
        return std::holds_alternative<DiskClass>(item.match) &&
               std::ranges::any_of(set.items, [&](const BootItem &other) {
                   return std::holds_alternative<DiskMatch>(other.match) && matches(other.match, facts) &&
                          isSameValue(*findSetting(item.setting), *findSetting(other.setting));
               });
    };
    for (const BootItem &item : set.items) {
        if (matches(item.match, facts) && !isOverridden(item))
            items.push_back(&item);
    }
    return items;
}

Result<DiskMatch> stableMatch(const SystemRoot &root, const DeviceIdentity &device)
{
    const auto facts = readDiskFacts(root, device.name);
    if (!facts)
        return std::unexpected(facts.error());
    if (!isSame(*facts, device))
        return fail(Errc::DeviceChanged, printable(device.name), "is another disk by now");
    const DiskIds ids = DiskIds::read(root);
    const auto id = ids.idOf(device.name);
    if (!id)
        return noStableId(device.name, ids.hasTwin(device.name) ? "another disk has the same id"
                                                                : "has no id that a rule can hold safely");
    const auto safe = [](const std::string &text) { return isSafeDiskId(text) ? text : std::string(); };
    DiskMatch match{.id = *id,
                    .wwn = safe(facts->wwn),
                    .serial = safe(facts->serial),
                    .sizeBytes = facts->sizeBytes,
                    .name = device.name};
    if (match.wwn.empty() && match.serial.empty())
        return noStableId(device.name,
                          "udev reports no serial number or world wide name that a rule can hold");
    if (match.sizeBytes == 0)
        return noStableId(device.name, "has no size (no medium)");
    for (const DiskFacts &other : readAllDiskFacts(root)) {
        if (other.name != device.name && matches(match, other))
            return noStableId(device.name, "cannot be told from " + other.name);
    }
    return match;
}

} // namespace diskwright
