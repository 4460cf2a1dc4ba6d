// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "restoreall.h"

#include "../access/diskid.h"
#include "../contract/codec.h"
#include "../persist/bootstore.h"
#include "../persist/stablematch.h"
#include "attribute.h"
#include "plancheck.h"
#include "transaction.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <set>
#include <tuple>

namespace diskwright {

namespace {

constexpr std::string_view schedulerRow = "queue/scheduler";

/// One setting of one device, or of vm.
struct Slot {
    std::optional<std::uint16_t> device;
    const SettingSpec *spec = nullptr;
    std::optional<Value> first; ///< what it shall be again
    std::optional<Value> last;  ///< as the newest change that was not undone left it
    bool changed = false;       ///< such a change is there
    bool kept = false;          ///< first is what was so before it was kept
    Errc obstacle = Errc::None;

    [[nodiscard]] bool isCandidate() const { return kept || (changed && last != first); }
};

bool isInForce(const Journal &journal)
{
    static constexpr std::array inForce{Outcome::Applied, Outcome::Adjusted, Outcome::Confirmed,
                                        Outcome::Undone, Outcome::RollbackFailed};
    return journal.state == JournalState::Pending || std::ranges::contains(inForce, journal.outcome);
}

// Left as it was found when its trial or lease ended.
bool isLeftOver(const JournalItem &item)
{
    return item.result == StepResult::Stale || item.result == StepResult::RollbackFailed;
}

class Collector final
{
public:
    explicit Collector(const JournalStore &journals)
        : m_journals(journals)
    {
    }

    Result<> readJournals(Folder folder);
    Result<> noteQuarantine();
    void readKept();
    Result<RestorePlan> plan();

private:
    std::uint16_t deviceIndex(const JournalDevice &device);
    Slot *find(std::optional<std::uint16_t> device, std::string_view setting);
    Slot &at(std::optional<std::uint16_t> device, const SettingSpec &spec);
    bool isCandidate(const Slot &slot);
    void add(const Journal &journal);
    void addKept(const BootItem &item, const std::vector<DiskFacts> &disks, const DiskIds &ids);
    void setOriginal(std::optional<std::uint16_t> device, const BootItem &item);
    void dropOtherDevices();
    void dropOtherSchedulers(const Targets &targets, std::vector<JournalItem> &items) const;
    void addWhatIsReset(const Targets &targets, std::vector<JournalItem> &items) const;

    const JournalStore &m_journals;
    std::vector<Journal> m_found;
    std::vector<Slot> m_slots;
    RestorePlan m_plan;
};

Result<> Collector::readJournals(Folder folder)
{
    const auto names = m_journals.state().names(folder);
    if (!names)
        return std::unexpected(names.error());
    for (const std::string &id : *names) {
        auto journal = loadJournal(m_journals.state(), folder, id);
        if (!journal && journal.error().sysErrno != 0)
            return std::unexpected(journal.error());
        // What it changed can't be known. It stays where it is, so that asking again gives the same answer.
        if (!journal && folder == Folder::Record)
            m_plan.incomplete |= m_journals.state().isOfThisBoot(folder, id);
        if (!journal || journal->bootId != m_journals.bootId() ||
            journal->kind == TransactionKind::RestoreAll)
            continue;
        m_plan.pending |= journal->state == JournalState::Pending;
        m_found.push_back(std::move(*journal));
    }
    return {};
}

// What was open when it was set aside: its values are still there, and nobody can tell which.
Result<> Collector::noteQuarantine()
{
    const auto aside = m_journals.state().names(Folder::Quarantine);
    if (!aside)
        return std::unexpected(aside.error());
    m_plan.incomplete |= std::ranges::any_of(*aside, [&](const std::string &id) {
        return m_journals.state().isOfThisBoot(Folder::Quarantine, id);
    });
    return {};
}

std::uint16_t Collector::deviceIndex(const JournalDevice &device)
{
    const auto found = std::ranges::find_if(m_plan.devices, [&](const JournalDevice &known) {
        // A twin takes a disk its id; its sequence number stays.
        return known.identity.isSameDevice(device.identity) &&
               (device.identity.diskseq != 0 || known.id == device.id);
    });
    if (found != m_plan.devices.end())
        return static_cast<std::uint16_t>(found - m_plan.devices.begin());
    m_plan.devices.push_back(device);
    return static_cast<std::uint16_t>(m_plan.devices.size() - 1);
}

Slot *Collector::find(std::optional<std::uint16_t> device, std::string_view setting)
{
    const auto found = std::ranges::find_if(
        m_slots, [&](const Slot &slot) { return slot.device == device && slot.spec->id == setting; });
    return found != m_slots.end() ? &*found : nullptr;
}

Slot &Collector::at(std::optional<std::uint16_t> device, const SettingSpec &spec)
{
    if (Slot *known = find(device, spec.id))
        return *known;
    Slot &slot = m_slots.emplace_back();
    slot.device = device;
    slot.spec = &spec;
    return slot;
}

// A number that drifts by itself is another one without anybody's change; the one behind it tells.
bool Collector::isCandidate(const Slot &slot)
{
    const Slot *exact = slot.kept || !slot.spec->drifts ? nullptr : find(slot.device, slot.spec->exact);
    return exact && exact->first ? exact->isCandidate() : slot.isCandidate();
}

void Collector::add(const Journal &journal)
{
    for (const JournalItem &item : journal.items) {
        if (!isInForce(journal) && !isLeftOver(item))
            continue;
        const auto device =
            item.device ? std::optional(deviceIndex(journal.devices[*item.device])) : std::nullopt;
        if (!item.before && !find(device, item.setting))
            continue;
        Slot &slot = at(device, *findSetting(item.setting));
        if (!slot.first)
            slot.first = item.before;
        if (journal.undone)
            continue;
        slot.last = item.after;
        slot.changed = true;
    }
}

void Collector::readKept()
{
    const BootStore *kept = m_journals.kept();
    if (!kept)
        return;
    m_plan.keeps = kept->hasAny();
    const auto loaded = kept->load();
    if (!loaded) {
        m_plan.incomplete = true;
        return;
    }
    if (loaded->set.items.empty())
        return;
    const auto disks = readAllDiskFacts(m_journals.root());
    const DiskIds ids = DiskIds::read(m_journals.root());
    for (const BootItem &item : loaded->set.items)
        addKept(item, disks, ids);
}

void Collector::addKept(const BootItem &item, const std::vector<DiskFacts> &disks, const DiskIds &ids)
{
    if (std::holds_alternative<MachineMatch>(item.match)) {
        setOriginal({}, item);
        return;
    }
    std::vector<std::uint16_t> found;
    for (const DiskFacts &facts : disks) {
        const auto directory = matches(item.match, facts) ? m_journals.root().blockDevice(facts.name)
                                                          : fail(Errc::UnknownTarget);
        const auto identity =
            directory ? readIdentity(*directory, facts.name) : std::unexpected(directory.error());
        if (identity)
            found.push_back(deviceIndex({*identity, ids.idOf(facts.name).value_or(std::string{})}));
    }
    const SettingSpec &spec = *findSetting(item.original.setting);
    const auto *disk = std::get_if<DiskMatch>(&item.match);
    if (found.size() == 1 && disk) {
        setOriginal(found.front(), item);
        return;
    }
    const bool isGone = found.empty() && disk;
    if (isGone)
        found.push_back(deviceIndex({DeviceIdentity{.name = disk->name}, disk->id}));
    for (const std::uint16_t device : found) {
        // The original was read from one disk of the class; of that one this boot's records know it.
        if (const Slot *seen = find(device, spec.id);
            !disk && seen && seen->first && item.bootId == m_journals.bootId())
            continue;
        Slot &slot = at(device, spec);
        slot.kept = true;
        slot.obstacle = isGone ? Errc::DeviceChanged : Errc::NoStableId;
    }
}

// What was kept in this boot is in its records too, perhaps with a change before it.
void Collector::setOriginal(std::optional<std::uint16_t> device, const BootItem &item)
{
    const SettingSpec &spec = *findSetting(item.original.setting);
    if (const Slot *seen = find(device, spec.id); seen && seen->first && item.bootId == m_journals.bootId())
        return;
    Slot &slot = at(device, spec);
    slot.kept = true;
    slot.first = item.original.value;
    if (!validate(spec, item.original.value)) {
        slot.first.reset();
        slot.obstacle = Errc::OutOfRange;
    }
    if (const SettingSpec *pair = findSetting(spec.pair); pair && slot.first) {
        Slot &other = at(device, *pair);
        other.kept = true;
        other.first = number(0);
    }
    std::erase_if(m_slots, [&](const Slot &exact) {
        return !spec.exact.empty() && exact.device == device && exact.spec->id == spec.exact;
    });
}

// A scheduler that will not be the active one has no tunables, and starts with fresh ones when it is.
void Collector::dropOtherSchedulers(const Targets &targets, std::vector<JournalItem> &items) const
{
    std::vector<std::optional<Value>> schedulers(m_plan.devices.size());
    std::uint16_t device = 0;
    for (std::optional<Value> &scheduler : schedulers) {
        const Directory *directory = targets.directory(device++);
        const auto now =
            directory ? readAttribute(*directory, *findSetting(schedulerRow)) : fail(Errc::Absent);
        scheduler = now ? std::optional(now->value) : std::nullopt;
    }
    for (const JournalItem &item : items) {
        if (item.setting == schedulerRow && item.before)
            schedulers[*item.device] = item.before;
    }
    std::erase_if(items, [&](const JournalItem &item) {
        const std::string_view own = findSetting(item.setting)->scheduler;
        return !own.empty() && item.before && schedulers[*item.device] != word(std::string(own));
    });
}

void Collector::addWhatIsReset(const Targets &targets, std::vector<JournalItem> &items) const
{
    const std::size_t known = items.size();
    addSideEffects(items, [&](std::optional<std::uint16_t> device) { return targets.directory(device); });
    for (std::size_t at = known; at < items.size(); ++at)
        items[at].wanted = items[at].before;
    // With the exact number listed as it is now, the one that shows it would not be written.
    std::set<std::pair<std::optional<std::uint16_t>, std::string_view>> shown;
    for (const JournalItem &item : items)
        shown.emplace(item.device, findSetting(item.setting)->exact);
    std::erase_if(items, [&](const JournalItem &item) {
        return !item.asked && shown.contains({item.device, item.setting});
    });
}

// The records name every disk of this boot, and each time a stick is plugged in it is another one.
void Collector::dropOtherDevices()
{
    std::map<std::uint16_t, std::uint16_t> places;
    std::vector<JournalDevice> used;
    for (JournalItem &item : m_plan.items) {
        if (!item.device)
            continue;
        const auto [place, isNew] = places.try_emplace(*item.device, static_cast<std::uint16_t>(used.size()));
        if (isNew)
            used.push_back(m_plan.devices[*item.device]);
        item.device = place->second;
    }
    m_plan.devices = std::move(used);
}

Result<RestorePlan> Collector::plan()
{
    std::ranges::sort(m_found, {}, [](const Journal &journal) {
        return std::tuple(journal.startBoottimeNanoseconds, journal.id);
    });
    for (const Journal &journal : m_found)
        add(journal);
    readKept();

    Journal all;
    all.devices = m_plan.devices;
    std::vector<JournalItem> obstacles;
    for (const Slot &slot : m_slots) {
        JournalItem item{.device = slot.device,
                         .setting = std::string(slot.spec->id),
                         .asked = true,
                         .before = slot.first,
                         .wanted = {},
                         .after = {}};
        if (slot.obstacle != Errc::None) {
            item.result =
                slot.obstacle == Errc::DeviceChanged ? StepResult::DeviceGone : StepResult::Unsupported;
            item.why = slot.obstacle;
            item.before.reset();
            obstacles.push_back(std::move(item));
        } else if (isCandidate(slot) && slot.first) {
            all.items.push_back(std::move(item));
        }
    }
    const Targets targets(m_journals.root(), all);
    const auto isLeft = [&](const JournalItem &item) {
        const JournalItem &stored = storedBehind(all, item);
        const auto now = targets.read(stored);
        // The values of a device that is gone are gone with it.
        return now ? *now != *stored.before : now.error().code != Errc::DeviceChanged;
    };
    std::vector<JournalItem> items;
    std::ranges::copy_if(all.items, std::back_inserter(items), isLeft);
    dropOtherSchedulers(targets, items);
    addWhatIsReset(targets, items);
    dropOtherSchedulers(targets, items);
    std::ranges::move(obstacles, std::back_inserter(items));
    std::size_t listed = 0;
    for (JournalItem &item : items) {
        if (!item.wanted) {
            const auto now = targets.read(item);
            item.wanted = now ? std::optional(*now) : std::nullopt;
        }
        // A report has room for so many; the rest is put back all the same.
        item.asked = item.asked && ++listed <= limits::changes;
    }
    std::ranges::stable_partition(items, &JournalItem::asked);
    m_plan.items = std::move(items);
    dropOtherDevices();
    if (m_plan.devices.size() > limits::journalDevices || m_plan.items.size() > limits::journalItems)
        return fail(Errc::Conflict, "put everything back", "more than one journal can hold");
    return std::move(m_plan);
}

void settleRecord(const JournalStore &journals, Journal &record, const Journal &restored, bool nothingIsKept)
{
    const auto hasFailed = [&](const JournalItem &item) {
        return std::ranges::any_of(restored.items, [&](const JournalItem &done) {
            const bool failed = done.result == StepResult::RollbackFailed;
            const bool isSamePlace = done.device && item.device
                                         ? restored.devices[*done.device].identity.isSameDevice(
                                               record.devices[*item.device].identity)
                                         : done.device == item.device;
            return failed && isSamePlace && done.setting == item.setting;
        });
    };
    const bool leftSomething = isInForce(record) || std::ranges::any_of(record.items, isLeftOver);
    const bool undone = !record.undone && record.bootId == restored.bootId && leftSomething &&
                        record.kind != TransactionKind::RestoreAll &&
                        record.startBoottimeNanoseconds <= restored.startBoottimeNanoseconds &&
                        std::ranges::none_of(record.items, hasFailed);
    const bool forgotten = record.kept && nothingIsKept;
    if (!undone && !forgotten)
        return;
    record.undone |= undone;
    record.kept &= !forgotten;
    static_cast<void>(journals.updateRecord(record));
}

} // namespace

Result<RestorePlan> planRestore(const JournalStore &journals)
{
    Collector collector(journals);
    for (const Folder folder : {Folder::Record, Folder::Open}) {
        if (const auto read = collector.readJournals(folder); !read)
            return std::unexpected(read.error());
    }
    if (const auto read = collector.noteQuarantine(); !read)
        return std::unexpected(read.error());
    return collector.plan();
}

Result<Journal> restoreEverything(const JournalStore &journals, const TransactionId &id, std::uint32_t uid,
                                  Unrecorded unrecorded)
{
    const auto pending = journals.pending();
    if (!pending)
        return std::unexpected(pending.error());
    for (Journal open : *pending)
        static_cast<void>(journals.end(open));
    // From the first trial that is ended on, "nothing was changed" would not be true any more.
    const bool hasBegun = !pending->empty();
    auto plan = planRestore(journals);
    if (!plan && (!hasBegun || unrecorded == Unrecorded::GoOn))
        return std::unexpected(plan.error());
    if (!plan) {
        Journal incomplete;
        incomplete.kept = journals.kept() && journals.kept()->hasAny();
        incomplete.id = id;
        incomplete.kind = TransactionKind::RestoreAll;
        incomplete.outcome = Outcome::RollbackFailed;
        incomplete.why = plan.error().code;
        return incomplete;
    }
    Journal journal;
    journal.id = id;
    journal.kind = TransactionKind::RestoreAll;
    journal.state = JournalState::Ending;
    journal.outcome = Outcome::RollbackFailed;
    journal.why = plan->incomplete ? Errc::StateFile : Errc::None;
    journal.bootId = journals.bootId();
    journal.uid = uid;
    journal.timeSeconds = static_cast<std::uint64_t>(std::time(nullptr));
    journal.startBoottimeNanoseconds = boottimeNanoseconds();
    journal.kept = plan->keeps;
    journal.devices = std::move(plan->devices);
    journal.items = std::move(plan->items);
    if (const auto begun = journals.begin(journal); !begun && unrecorded == Unrecorded::Refuse && !hasBegun)
        return std::unexpected(begun.error());
    static_cast<void>(journals.end(journal));
    return journal;
}

bool JournalStore::putEverythingBack(Journal &journal) const
{
    bool complete = putBack(Targets(m_root, journal), journal) && journal.why == Errc::None;
    for (JournalItem &item : journal.items) {
        if (item.before && (item.result == StepResult::NotAttempted || item.result == StepResult::Applied ||
                            item.result == StepResult::RolledBack))
            item.result = item.wanted == item.before ? StepResult::Unchanged : StepResult::Applied;
        complete = complete && item.result != StepResult::Unsupported;
    }
    // Gone on with later, it leaves alone what was kept since it removed everything.
    const bool removes = m_kept && journal.kept;
    const auto removed = removes ? m_kept->removeAll() : Result<>();
    journal.kept = !removed;
    if (!removed)
        journal.why = removed.error().code;
    complete = complete && removed;
    for (const std::string &id : m_state.names(Folder::Record).value_or(std::vector<std::string>())) {
        if (auto record = loadJournal(m_state, Folder::Record, id))
            settleRecord(*this, *record, journal, removes && removed);
    }
    journal.outcome = complete ? Outcome::Undone : Outcome::RollbackFailed;
    return conclude(journal, complete);
}

} // namespace diskwright
