// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/restorepreview.h"

#include "app/apply/history.h"
#include "app/apply/readcurrent.h"
#include "helper/access/diskid.h"
#include "helper/contract/catalogue.h"
#include "helper/contract/codec.h"

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <ranges>
#include <thread>

namespace diskwright {

namespace {

// As in the helper: what it shall be again, and what our changes in force left.
struct Slot {
    Address address;
    std::string diskId;
    std::optional<Value> first;
    std::optional<Value> last;
    bool changed = false;
    bool drifts = false;
};

bool isInForce(const HistoryEntry &entry)
{
    static constexpr std::array inForce{Outcome::Applied,   Outcome::Adjusted,       Outcome::Confirmed,
                                        Outcome::Undone,    Outcome::RollbackFailed, Outcome::Trial,
                                        Outcome::LeaseHeld, Outcome::Prolonged};
    return std::ranges::contains(inForce, entry.outcome);
}

class Preview final
{
public:
    Preview(const QString &root, const SystemRoot &tree)
        : m_root(root)
        , m_ids(DiskIds::read(tree))
        , m_disks(readAllDiskFacts(tree))
    {
    }

    void add(const HistoryEntry &entry);
    void add(const TrialRecord &trial);
    void addKept(const KeptItem &item, const std::string &bootId);
    RestorePreview result();

private:
    [[nodiscard]] bool isThere(const HistoryStep &step) const;
    void addStep(const KeptItem &item, RestoreStep step, const std::string &bootId);

    const QString &m_root;
    DiskIds m_ids;
    std::vector<DiskFacts> m_disks;
    std::vector<Slot> m_slots;
    RestorePreview m_preview;
};

// A disk without an id can't be told from another one here; the helper can.
bool Preview::isThere(const HistoryStep &step) const
{
    return step.diskId.empty() || m_ids.idOf(step.address.target) == step.diskId;
}

void Preview::add(const HistoryEntry &entry)
{
    for (const HistoryStep &step : entry.steps) {
        const bool isLeftOver = step.result == StepResult::Stale || step.result == StepResult::RollbackFailed;
        if ((!isInForce(entry) && !isLeftOver) || !isThere(step))
            continue;
        auto slot = std::ranges::find(m_slots, step.address, &Slot::address);
        if (slot == m_slots.end()) {
            if (!step.before)
                continue;
            m_slots.push_back({step.address, step.diskId, step.before, {}, false});
            slot = m_slots.end() - 1;
        }
        if (entry.isUndone())
            continue;
        // A number that drifts reads as another one by itself: what was asked for tells more. Undoing it
        // writes the number behind it, and so asks for nothing here.
        const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
        const auto asked = step.requested || entry.outcome != Outcome::Undone ? step.requested : slot->first;
        slot->drifts = spec && spec->drifts;
        slot->last = slot->drifts ? asked : step.after;
        slot->changed = true;
    }
}

// A trial has no history yet.
void Preview::add(const TrialRecord &trial)
{
    ++m_preview.trials;
    for (const TrialRecord::Item &item : trial.items) {
        auto slot = std::ranges::find(m_slots, item.address, &Slot::address);
        if (slot == m_slots.end())
            slot = m_slots.insert(slot, Slot{item.address, item.diskId, item.before, {}, false});
        slot->last = item.wanted;
        slot->changed = true;
    }
}

void Preview::addKept(const KeptItem &item, const std::string &bootId)
{
    ++m_preview.kept;
    const SettingSpec *spec = findSetting(item.originalSetting);
    if (!spec || !item.original)
        return;
    if (!isPerDisk(spec->domain)) {
        addStep(item, {.address = {spec->domain, {}, std::string(spec->key)}}, bootId);
        return;
    }
    // Values of a disk that is not here need nothing.
    const auto isHere = [&](const DiskFacts &disk) { return isKeptOn(item, disk); };
    const bool isOne = !item.forClass && std::ranges::count_if(m_disks, isHere) == 1;
    for (const DiskFacts &disk : m_disks | std::views::filter(isHere)) {
        addStep(item,
                {.address = {spec->domain, disk.name, std::string(spec->key)},
                 .diskId = m_ids.idOf(disk.name).value_or(std::string()),
                 .obstacle = isOne ? Errc::None : Errc::NoStableId},
                bootId);
    }
}

void Preview::addStep(const KeptItem &item, RestoreStep step, const std::string &bootId)
{
    step.kept = true;
    step.target = item.original;
    const auto slot = std::ranges::find(m_slots, step.address, &Slot::address);
    if (slot != m_slots.end() && item.bootId == bootId)
        return;
    if (slot != m_slots.end())
        m_slots.erase(slot);
    if (step.obstacle == Errc::None && !validate(*findSetting(item.originalSetting), *item.original))
        step.obstacle = Errc::OutOfRange;
    if (step.obstacle == Errc::None)
        step.now = readCurrent(step.address, m_root);
    if (step.now == step.target)
        return;
    m_preview.steps.push_back(std::move(step));
}

RestorePreview Preview::result()
{
    std::vector<RestoreStep> changed;
    for (const Slot &slot : m_slots) {
        const auto now = readCurrent(slot.address, m_root);
        if (!slot.changed || slot.last == slot.first || now == slot.first)
            continue;
        changed.push_back({.address = slot.address,
                           .diskId = slot.diskId,
                           .now = now,
                           .target = slot.first,
                           .foreign = !slot.drifts && now != slot.last});
    }
    m_preview.steps.insert(m_preview.steps.begin(), changed.begin(), changed.end());
    return std::move(m_preview);
}

} // namespace

Result<RestorePreview> previewRestore(const QString &root, const std::vector<TrialRecord> &trials)
{
    const auto tree = root == QStringLiteral("/") ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    if (!tree)
        return std::unexpected(tree.error());
    const auto kept = readKeptSet(root);
    if (!kept)
        return std::unexpected(kept.error());
    const std::string thisBoot = bootIdOf(root);
    Preview preview(root, *tree);
    History history = readHistory(root);
    if (history.error)
        return std::unexpected(*history.error);
    std::ranges::reverse(history.entries);
    for (const HistoryEntry &entry : history.entries) {
        if (entry.bootId == thisBoot && !entry.restoresAll)
            preview.add(entry);
    }
    for (const TrialRecord &trial : trials)
        preview.add(trial);
    for (const KeptItem &item : kept->items)
        preview.addKept(item, thisBoot);
    return preview.result();
}

Result<RestorePreview> previewRestoreWithin(std::chrono::milliseconds patience,
                                            const std::vector<TrialRecord> &trials)
{
    const auto promise = std::make_shared<std::promise<Result<RestorePreview>>>();
    auto answer = promise->get_future();
    std::thread([promise, trials] {
        promise->set_value(previewRestore(QStringLiteral("/"), trials));
    }).detach();
    if (answer.wait_for(patience) == std::future_status::ready)
        return answer.get();
    return fail(Errc::Busy, {}, "reading it takes too long; a disk may not answer");
}

} // namespace diskwright
