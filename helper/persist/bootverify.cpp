// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootverify.h"

#include "../contract/address.h"
#include "../contract/codec.h"
#include "atomicfile.h"
#include "bootlimit.h"
#include "bootwriter.h"
#include "keptplaces.h"
#include "stablematch.h"

#include <algorithm>

namespace diskwright {

namespace {

std::string addressOf(const SettingSpec &spec, const Match &match, std::string_view kernelName)
{
    return toText(Address{spec.domain, addressTarget(match, kernelName), std::string(spec.key)});
}

std::optional<Value> readValue(const Result<Directory> &anchor, const SettingSpec &spec)
{
    const auto text = anchor ? anchor->read(spec.attribute) : std::unexpected(anchor.error());
    const auto parsed = text ? parseKernelText(spec, *text) : std::unexpected(text.error());
    return parsed ? std::optional(parsed->value) : std::nullopt;
}

// Another scheduler may have a file of the same name: under it the setting does not exist.
bool schedulerIsActive(const Directory &disk, const SettingSpec &spec)
{
    const auto text = disk.read("queue/scheduler");
    return spec.scheduler.empty() || (text && text->contains('[' + std::string(spec.scheduler) + ']'));
}

VerifiedItem verifyOn(const SystemRoot &root, const Result<Directory> &anchor, const SettingSpec &spec,
                      const BootItem &item, std::string_view kernelName)
{
    const auto *disk = std::get_if<DiskMatch>(&item.match);
    const auto *kind = std::get_if<DiskClass>(&item.match);
    VerifiedItem verified{.setting = addressOf(spec, item.match, kernelName),
                          .id = disk ? disk->id : std::string(),
                          .wanted = item.value,
                          .current = {},
                          .state = ItemState::Differs,
                          .ofClass = kind ? std::string(name(*kind)) : std::string()};
    if (spec.scheduler.empty() || (anchor && schedulerIsActive(*anchor, spec)))
        verified.current = readValue(anchor, spec);
    if (verified.current && isKeptInForce(root, *anchor, spec, item.value, *verified.current))
        verified.state = ItemState::Holds;
    return verified;
}

void verifyDiskItem(const SystemRoot &root, const BootSet &set, const BootItem &item,
                    const std::vector<DiskFacts> &disks, std::vector<VerifiedItem> &into)
{
    const SettingSpec &spec = *findSetting(item.setting);
    bool seen = false;
    for (const DiskFacts &facts : disks) {
        if (!facts.knownToUdev || !matches(item.match, facts))
            continue;
        seen = true;
        if (std::ranges::contains(itemsOn(set, facts), &item))
            into.push_back(verifyOn(root, root.blockDevice(facts.name), spec, item, facts.name));
    }
    if (seen)
        return;
    const auto *disk = std::get_if<DiskMatch>(&item.match);
    const auto *kind = std::get_if<DiskClass>(&item.match);
    into.push_back({addressOf(spec, item.match, {}),
                    disk ? disk->id : "",
                    item.value,
                    {},
                    ItemState::NotYetSeen,
                    kind ? std::string(name(*kind)) : ""});
}

std::string jsonText(std::string_view text)
{
    return '"' + std::string(text) + '"';
}

std::string jsonValue(const std::optional<Value> &value)
{
    if (!value)
        return "null";
    return std::holds_alternative<std::string>(*value) ? jsonText(printable(std::get<std::string>(*value)))
                                                       : toText(*value);
}

} // namespace

std::string_view name(ItemState state) noexcept
{
    switch (state) {
    case ItemState::Holds: return "holds";
    case ItemState::Differs: return "differs";
    case ItemState::NotYetSeen: return "not-yet-seen";
    }
    return "differs";
}

std::size_t BootReport::count(ItemState wanted) const noexcept
{
    return static_cast<std::size_t>(std::ranges::count(items, wanted, &VerifiedItem::state));
}

bool BootReport::waitsForDisks() const noexcept
{
    return std::ranges::any_of(items, [](const VerifiedItem &item) {
        return item.state == ItemState::NotYetSeen && item.ofClass.empty();
    });
}

std::size_t BootReport::onTwins() const noexcept
{
    return static_cast<std::size_t>(std::ranges::count_if(items, [&](const VerifiedItem &item) {
        return !item.id.empty() && std::ranges::any_of(items, [&](const VerifiedItem &other) {
            const auto key = [](std::string_view address) { return address.substr(address.rfind(':')); };
            return other.id == item.id && other.setting != item.setting &&
                   key(other.setting) == key(item.setting);
        });
    }));
}

std::string BootReport::summary() const
{
    std::string text = std::to_string(count(ItemState::Holds)) + " of " + std::to_string(items.size()) +
                       (items.size() == 1 ? " setting holds" : " settings hold");
    if (const std::size_t unseen = count(ItemState::NotYetSeen))
        text += ", " + std::to_string(unseen) + " not yet seen";
    if (const std::size_t twins = onTwins())
        text += ", " + std::to_string(twins) + " on disks that can't be told apart";
    return text;
}

Result<BootReport> verifyBoot(const SystemRoot &root)
{
    const auto text = readBootSetText(root);
    if (!text)
        return std::unexpected(text.error());
    const auto set = *text ? decodeBootSet(**text) : BootSet{};
    if (!set)
        return std::unexpected(set.error());
    const BootState state = readBootState(root).value_or(BootState{});
    BootReport report{.state = std::string(stateName(state, !set->items.empty())), .items = {}};
    const auto disks = readAllDiskFacts(root);
    const auto vm = root.vm();
    for (const BootItem &item : set->items) {
        if (std::holds_alternative<MachineMatch>(item.match))
            report.items.push_back(verifyOn(root, vm, *findSetting(item.setting), item, {}));
        else
            verifyDiskItem(root, *set, item, disks, report.items);
    }
    return report;
}

std::string encode(const BootReport &report)
{
    std::string text = "{\n\"state\": " + jsonText(report.state) +
                       ",\n\"total\": " + std::to_string(report.items.size()) +
                       ",\n\"holds\": " + std::to_string(report.count(ItemState::Holds)) + ",\n\"items\": [";
    std::string_view separator = "\n";
    for (const VerifiedItem &item : report.items) {
        text += separator;
        text += "{\"setting\": " + jsonText(item.setting) +
                ", \"id\": " + (item.id.empty() ? "null" : jsonText(item.id)) +
                ", \"kept_for\": " + (item.ofClass.empty() ? "null" : jsonText(item.ofClass)) +
                ", \"wanted\": " + jsonValue(item.wanted) + ", \"current\": " + jsonValue(item.current) +
                ", \"state\": " + jsonText(name(item.state)) + '}';
        separator = ",\n";
    }
    return text + "\n]\n}\n";
}

Result<> writeBootReport(const SystemRoot &root, const BootReport &report)
{
    const auto folder = makePlace(root, Place::Runtime);
    if (!folder)
        return std::unexpected(folder.error());
    return replaceFile(folder->get(), bootReportName, encode(report), 0644);
}

} // namespace diskwright
