// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "keptundo.h"

#include "../access/diskid.h"
#include "../access/limitnote.h"
#include "../contract/codec.h"
#include "../persist/bootstore.h"
#include "../persist/stablematch.h"
#include "attribute.h"
#include "transaction.h"

#include <algorithm>
#include <optional>
#include <set>

namespace diskwright {

namespace {

std::unexpected<Refusal> refuse(Errc why, std::optional<std::uint16_t> culprit = {}, int sysErrno = 0)
{
    return std::unexpected(Refusal{why, culprit, sysErrno});
}

// Where each of the record's disks is now; a sequence number of 0: not here, or not the only one (why).
struct Place {
    JournalDevice device;
    Errc why = Errc::None;
};

Place placeOf(const SystemRoot &root, const JournalDevice &then, const Match &match)
{
    // Of a class only the disk that the original was read from can have it again.
    const bool isClass = std::holds_alternative<DiskClass>(match);
    Place place{{DeviceIdentity{.name = then.identity.name}, then.id},
                isClass && then.id.empty() ? Errc::NoStableId : Errc::DeviceChanged};
    const DiskIds ids = isClass ? DiskIds::read(root) : DiskIds();
    for (const DiskFacts &facts : readAllDiskFacts(root)) {
        const bool isMeant =
            matches(match, facts) && (!isClass || (!then.id.empty() && ids.idOf(facts.name) == then.id));
        const auto directory = isMeant ? root.blockDevice(facts.name) : fail(Errc::UnknownTarget);
        const auto identity =
            directory ? readIdentity(*directory, facts.name) : std::unexpected(directory.error());
        if (!identity)
            continue;
        if (place.why == Errc::None)
            return {{DeviceIdentity{.name = then.identity.name}, then.id}, Errc::NoStableId};
        place = {{*identity, then.id}, Errc::None};
    }
    return place;
}

std::optional<std::uint16_t> keptBy(const BootSet &set, const Journal &record, const JournalItem &item)
{
    const bool drifts = findSetting(item.setting)->drifts;
    const auto found = std::ranges::find_if(set.items, [&](const BootItem &kept) {
        const auto *disk = std::get_if<DiskMatch>(&kept.match);
        const auto *kind = std::get_if<DiskClass>(&kept.match);
        const bool isHere = !item.device     ? std::holds_alternative<MachineMatch>(kept.match)
                            : record.keepFor ? kind && *kind == *record.keepFor
                                             : disk && disk->id == record.devices[*item.device].id;
        return isHere && kept.setting == item.setting && kept.value == (drifts ? item.wanted : item.after);
    });
    return found != set.items.end() ? std::optional(static_cast<std::uint16_t>(found - set.items.begin()))
                                    : std::nullopt;
}

void want(JournalItem &item, std::vector<JournalItem> &others, const BootItem &kept, const Targets &targets)
{
    const SettingSpec &spec = *findSetting(kept.original.setting);
    if (!validate(spec, kept.original.value)) {
        item.result = StepResult::Unsupported;
        item.why = Errc::OutOfRange;
        return;
    }
    const bool isExact = kept.original.setting == findSetting(item.setting)->exact;
    item.result = isExact ? StepResult::Applied : StepResult::NotAttempted;
    if (kept.original.setting == item.setting) {
        item.wanted = kept.original.value;
        return;
    }
    // The other half of a pair was in force, and writing it makes this one 0; or this one only shows the
    // other.
    if (!isExact)
        item.wanted = number(0);
    JournalItem other{.device = item.device,
                      .setting = kept.original.setting,
                      .before = {},
                      .wanted = kept.original.value,
                      .after = {}};
    const auto now = targets.read(other);
    other.before = now ? std::optional(*now) : std::nullopt;
    others.push_back(std::move(other));
}

bool isForeign(const SystemRoot &root, const Targets &targets, const JournalItem &item, const BootItem &kept)
{
    const Directory *directory = targets.directory(item.device);
    if (!item.before || !directory ||
        isKeptInForce(root, *directory, *findSetting(kept.setting), kept.value, *item.before))
        return false;
    const auto original = targets.read(
        {.device = item.device, .setting = kept.original.setting, .before = {}, .wanted = {}, .after = {}});
    return !original || *original != kept.original.value;
}

} // namespace

Checked<KeptUndo> planKeptUndo(const JournalStore &journals, const Journal &record, bool force)
{
    const auto loaded = journals.kept()->load();
    if (!loaded)
        return refuse(loaded.error().code, {}, loaded.error().sysErrno);
    KeptUndo undo;
    undo.hash = loaded->hash;
    std::vector<Errc> obstacles(record.devices.size(), Errc::DeviceChanged);
    Journal now;
    for (const JournalDevice &device : record.devices)
        now.devices.push_back({DeviceIdentity{.name = device.identity.name}, device.id});
    std::vector<std::optional<std::uint16_t>> kept;
    for (std::size_t at = 0; at < record.askedCount(); ++at) {
        const JournalItem &item = record.items[at];
        kept.push_back(keptBy(loaded->set, record, item));
        if (!kept.back())
            continue;
        undo.kept.push_back(*kept.back());
        if (item.device) {
            const Place place =
                placeOf(journals.root(), record.devices[*item.device], loaded->set.items[*kept.back()].match);
            now.devices[*item.device] = place.device;
            obstacles[*item.device] = place.why;
        }
    }
    if (undo.kept.empty())
        return refuse(Errc::NotUndoable);
    const Targets targets(journals.root(), now);
    std::vector<JournalItem> others;
    for (std::size_t at = 0; at < kept.size(); ++at) {
        const JournalItem &then = record.items[at];
        JournalItem item{.device = then.device,
                         .setting = then.setting,
                         .asked = true,
                         .before = {},
                         .wanted = {},
                         .after = {},
                         .result = StepResult::NotAttempted};
        const auto current = targets.read(item);
        item.before = current ? std::optional(*current) : std::nullopt;
        const Errc obstacle = item.device ? obstacles[*item.device] : Errc::None;
        if (kept[at] && obstacle == Errc::None) {
            const BootItem &entry = loaded->set.items[*kept[at]];
            if (!force && isForeign(journals.root(), targets, item, entry))
                return refuse(Errc::Stale, static_cast<std::uint16_t>(at));
            want(item, others, entry, targets);
        } else if (kept[at]) {
            item.why = obstacle;
            item.result = obstacle == Errc::DeviceChanged ? StepResult::DeviceGone : StepResult::Unsupported;
        }
        undo.plan.items.push_back(std::move(item));
    }
    std::ranges::move(others, std::back_inserter(undo.plan.items));
    undo.plan.devices = now.devices;
    addSideEffects(undo.plan.items,
                   [&](std::optional<std::uint16_t> device) { return targets.directory(device); });
    return undo;
}

bool isStillKept(const JournalStore &journals, const Journal &journal)
{
    return journals.kept() && std::ranges::any_of(journal.items, [&](const JournalItem &item) {
               if (!item.asked || !item.device)
                   return false;
               const auto kept = journals.kept()->itemsFor(journal.devices[*item.device].identity.name);
               const auto &left = findSetting(item.setting)->drifts ? item.wanted : item.after;
               return !kept || std::ranges::any_of(*kept, [&](const BootItem &other) {
                   return other.setting == item.setting && other.value == left;
               });
           });
}

Result<> forgetKept(const JournalStore &journals, const Journal &journal)
{
    const auto loaded = journals.kept() ? journals.kept()->load() : fail(Errc::NeedsSystemd);
    if (!loaded)
        return std::unexpected(loaded.error());
    std::set<std::uint16_t> indexes;
    for (const JournalItem &item : journal.items) {
        const auto ofDisk = item.device
                                ? journals.kept()->itemsFor(journal.devices[*item.device].identity.name)
                                : std::vector<BootItem>{};
        if (!ofDisk)
            return std::unexpected(ofDisk.error());
        for (std::size_t at = 0; at < loaded->set.items.size(); ++at) {
            const BootItem &kept = loaded->set.items[at];
            const auto *kind = std::get_if<DiskClass>(&kept.match);
            // A class's rule counts for nothing on a disk with one of its own, and is forgotten all the same.
            const bool isOfDisk = journal.keepFor ? kind && *kind == *journal.keepFor
                                                  : std::holds_alternative<DiskMatch>(kept.match) &&
                                                        std::ranges::contains(*ofDisk, kept);
            const bool isHere = item.device ? isOfDisk : std::holds_alternative<MachineMatch>(kept.match);
            if (item.asked && isHere && item.setting == kept.setting)
                indexes.insert(static_cast<std::uint16_t>(at));
        }
    }
    if (indexes.empty())
        return {};
    const auto done =
        journals.kept()->forget(loaded->hash, std::vector(indexes.begin(), indexes.end()), false);
    journals.releaseHolds();
    return done;
}

} // namespace diskwright
