// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstore.h"

#include "../access/diskid.h"
#include "bootwriter.h"
#include "stablematch.h"
#include "systemmarks.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace diskwright {

namespace {

Result<LoadedBootSet> decodeLoaded(const std::optional<std::string> &text)
{
    LoadedBootSet loaded{.set = {}, .hash = sha256(text.value_or(std::string()))};
    if (!text)
        return loaded;
    auto set = decodeBootSet(*text);
    if (!set)
        return std::unexpected(set.error());
    loaded.set = std::move(*set);
    return loaded;
}

// A byte limit of 0 means that the percentage is in force, and only that can be written back.
Original originalOf(const KeepItem &item)
{
    const bool pairWasInForce = !item.spec->pair.empty() && item.original == number(0) && item.pairOriginal &&
                                *item.pairOriginal != number(0);
    if (pairWasInForce)
        return {std::string(item.spec->pair), *item.pairOriginal};
    if (item.exactOriginal)
        return {std::string(item.spec->exact), *item.exactOriginal};
    return {std::string(item.spec->id), item.original};
}

// What was tried on one disk of a class is kept for all of them.
Result<Match> classMatch(const SystemRoot &root, const DeviceIdentity &device, DiskClass kind)
{
    const auto facts = readDiskFacts(root, device.name);
    if (!facts)
        return std::unexpected(facts.error());
    if (facts->diskseq != device.diskseq || facts->sizeBytes != device.sizeBytes)
        return fail(Errc::DeviceChanged, printable(device.name), "is another disk by now");
    if (!facts->knownToUdev || classOf(*facts) != kind)
        return fail(Errc::NotOfClass, printable(device.name),
                    facts->carriesSystem ? "carries the system, which no class takes in"
                                         : "is no disk of the class " + std::string(name(kind)));
    return kind;
}

Result<BootItem> toBootItem(const SystemRoot &root, const KeepItem &item, const std::string &origin,
                            const std::string &thisBoot)
{
    if (!item.spec || item.spec->keptBy == KeptBy::Nothing)
        return fail(Errc::UnknownSetting, item.spec ? std::string(item.spec->id) : std::string(),
                    "not a setting that can be kept");
    Match match = MachineMatch{};
    if (item.device) {
        auto found = item.forClass ? classMatch(root, *item.device, *item.forClass)
                                   : Result<Match>(stableMatch(root, *item.device));
        if (!found)
            return std::unexpected(found.error());
        match = std::move(*found);
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    BootItem kept{.setting = std::string(item.spec->id),
                  .match = std::move(match),
                  .value = item.value,
                  .original = originalOf(item),
                  .origin = origin,
                  .keptAt = std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(now).count()),
                  .bootId = thisBoot};
    if (const auto valid = checkItem(kept); !valid)
        return std::unexpected(valid.error());
    return kept;
}

std::unexpected<KeepFailure> failKeep(Error error, std::optional<std::size_t> culprit = std::nullopt)
{
    return std::unexpected(KeepFailure{
        std::move(error), culprit ? std::optional(static_cast<std::uint16_t>(*culprit)) : std::nullopt});
}

Result<> checkSystem(const SystemRoot &root)
{
    for (const char *sign : {"run/systemd/system", "run/udev"}) {
        if (!root.directory(sign))
            return fail(Errc::NeedsSystemd, std::string("/") + sign,
                        "keeping across restarts needs systemd and udev, and this is not there");
    }
    return {};
}

} // namespace

Result<BootStore> BootStore::live()
{
    auto root = SystemRoot::live();
    if (!root)
        return std::unexpected(root.error());
    return BootStore(std::move(*root));
}

Result<BootStore> BootStore::at(const std::string &root)
{
    auto opened = SystemRoot::at(root);
    if (!opened)
        return std::unexpected(opened.error());
    return BootStore(std::move(*opened));
}

Result<LoadedBootSet> BootStore::load() const
{
    const auto text = readBootSetText(m_root);
    return text ? decodeLoaded(*text) : std::unexpected(text.error());
}

std::expected<KeepOutcome, KeepFailure> BootStore::keep(std::span<const KeepItem> items,
                                                        const std::string &origin, bool replaceEdited) const
{
    if (const auto able = checkSystem(m_root); !able)
        return failKeep(able.error());
    const auto loaded = load();
    const auto thisBoot = loaded ? bootId(m_root) : std::unexpected(loaded.error());
    if (!thisBoot)
        return failKeep(thisBoot.error());
    // The guard may have had no reason to note them in this boot.
    if (std::ranges::any_of(items, [](const KeepItem &item) { return item.forClass.has_value(); })) {
        auto marked = rememberSystemDisks(m_root);
        if (marked)
            marked = markSystemDisks(m_root);
        if (!marked)
            return failKeep(marked.error());
    }
    BootSet next = loaded->set;
    std::vector<BootItem> added;
    KeepOutcome outcome;
    for (std::size_t at = 0; at < items.size(); ++at) {
        auto item = toBootItem(m_root, items[at], origin, *thisBoot);
        if (!item)
            return failKeep(item.error(), at);
        const auto isSlotOf = [&](const BootItem &other) { return isSameSlot(*item, other); };
        if (std::ranges::any_of(added, isSlotOf))
            return failKeep({Errc::Conflict, item->setting, "twice in one request", {}, 0}, at);
        added.push_back(*item);
        if (const auto old = std::ranges::find_if(next.items, isSlotOf); old != next.items.end()) {
            item->original = old->original;
            if (old->value != item->value || old->origin != item->origin || old->setting != item->setting)
                outcome.replaced.push_back({static_cast<std::uint16_t>(at), *old});
            *old = std::move(*item);
        } else {
            next.items.push_back(std::move(*item));
        }
    }
    if (next.items.size() > limits::bootItems)
        return failKeep({Errc::Conflict, std::to_string(next.items.size()), "the boot set is full",
                         "at most " + std::to_string(limits::bootItems) + " items", 0});
    const auto written = writeBootSet(m_root, next, {.replaceEdited = replaceEdited, .backInPlace = true});
    if (!written)
        return failKeep(written.error());
    return outcome;
}

Result<> BootStore::forget(const Sha256 &expected, std::span<const std::uint16_t> items,
                           bool replaceEdited) const
{
    const auto text = readBootSetText(m_root);
    if (!text)
        return std::unexpected(text.error());
    if (sha256(text->value_or(std::string())) != expected)
        return fail(Errc::Stale, "boot set", "was changed since it was read");
    // Everything can be forgotten even if the set does not decode.
    if (items.empty())
        return *text || hasKeptFiles(m_root) ? write(BootSet{}, replaceEdited) : Result<>();
    auto loaded = decodeLoaded(*text);
    if (!loaded)
        return std::unexpected(loaded.error());
    std::vector<bool> gone(loaded->set.items.size(), false);
    for (const std::uint16_t item : items) {
        if (item >= gone.size())
            return fail(Errc::UnknownTarget, std::to_string(item), "no such kept item",
                        "0 to " + std::to_string(gone.size()) + ", exclusive");
        gone[item] = true;
    }
    BootSet next;
    for (std::size_t at = 0; at < gone.size(); ++at) {
        if (!gone[at])
            next.items.push_back(std::move(loaded->set.items[at]));
    }
    return write(next, replaceEdited);
}

Result<> BootStore::forgetOrigin(const std::string &origin, bool replaceEdited) const
{
    auto loaded = load();
    if (!loaded)
        return std::unexpected(loaded.error());
    const auto isOfIt = [&](const BootItem &item) { return item.origin == origin; };
    if (std::erase_if(loaded->set.items, isOfIt) == 0)
        return fail(Errc::UnknownTarget, printable(origin), "nothing of this origin is kept");
    return write(loaded->set, replaceEdited);
}

bool BootStore::hasAny() const
{
    const auto text = readBootSetText(m_root);
    if (!text || *text)
        return true;
    const auto foreign = foreignFiles(m_root);
    return hasKeptFiles(m_root) && foreign && foreign->empty();
}

Result<> BootStore::removeAll() const
{
    if (!hasAny())
        return {};
    const auto removed =
        writeBootSet(m_root, {}, {.replaceEdited = true, .backInPlace = true, .leaveForeign = true});
    if (!removed)
        return removed;
    const auto foreign = foreignFiles(m_root);
    if (foreign && !foreign->empty())
        return fail(Errc::FileChanged, foreign->front(),
                    "was not written by this program and is left as it is");
    return {};
}

Result<> BootStore::useAtStart(bool use) const
{
    const auto loaded = load();
    const auto thisBoot = loaded ? bootId(m_root) : std::unexpected(loaded.error());
    if (!thisBoot)
        return std::unexpected(thisBoot.error());
    if (loaded->set.items.empty())
        return fail(Errc::Absent, "boot set", "nothing is kept");
    const auto known = state();
    if (!known && known.error().code == Errc::StateFile)
        return std::unexpected(known.error());
    BootState next = known.value_or(BootState{});
    if (known && next.aside == (use ? Aside::No : Aside::SwitchedOff))
        return repairKeptFiles(m_root);
    next.aside = use ? Aside::No : Aside::SwitchedOff;
    next.running.clear();
    next.unfinished = 0;
    if (use) {
        // Rendered anew where somebody deleted what was set aside.
        next.writing = true;
        next.proven = false;
        next.changed = *thisBoot;
    }
    if (const auto written = writeBootState(m_root, next); !written)
        return written;
    auto moved = repairKeptFiles(m_root);
    // Files that can't be moved act at the next start, so the state must not say otherwise.
    if (!moved && known && writeBootState(m_root, *known))
        static_cast<void>(repairKeptFiles(m_root));
    return moved;
}

Result<> BootStore::repair() const
{
    return repairKeptFiles(m_root);
}

Result<BootState> BootStore::state() const
{
    return readBootState(m_root);
}

Result<std::vector<BootItem>> BootStore::itemsFor(std::string_view kernelName) const
{
    const auto facts = readDiskFacts(m_root, kernelName);
    if (!facts)
        return std::unexpected(facts.error());
    auto loaded = load();
    if (!loaded)
        return std::unexpected(loaded.error());
    std::vector<BootItem> items;
    for (const BootItem *item : itemsOn(loaded->set, *facts))
        items.push_back(*item);
    return items;
}

Result<std::optional<Value>> BootStore::keptMachineValue(std::string_view setting) const
{
    const auto loaded = load();
    if (!loaded)
        return std::unexpected(loaded.error());
    for (const BootItem &item : loaded->set.items) {
        if (item.setting == setting && std::holds_alternative<MachineMatch>(item.match))
            return item.value;
    }
    return std::nullopt;
}

Result<> BootStore::write(const BootSet &next, bool replaceEdited) const
{
    return writeBootSet(m_root, next, {.replaceEdited = replaceEdited, .backInPlace = false});
}

} // namespace diskwright
