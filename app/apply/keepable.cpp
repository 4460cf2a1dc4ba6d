// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/keepable.h"

#include "helper/access/diskfacts.h"
#include "helper/access/systemdisks.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace diskwright {

namespace {

enum class InForce : std::uint8_t { No, Perhaps, Yes };

// A number that drifts reads as another one by itself; the one behind it is known to the helper.
InForce inForce(const HistoryStep &step, const SettingSpec &spec, const PlanSnapshot &snapshot)
{
    const bool wasApplied = step.result == StepResult::Applied || step.result == StepResult::Adjusted ||
                            step.result == StepResult::Unchanged;
    const auto now = snapshot.current(step.address);
    if (!wasApplied || !step.after || !now)
        return InForce::No;
    if (!spec.drifts)
        return now == step.after ? InForce::Yes : InForce::No;
    return step.requested && isAsWanted(spec, *step.requested, *now) ? InForce::Yes : InForce::Perhaps;
}

bool isInForce(const HistoryEntry &entry)
{
    static constexpr std::array outcomes{Outcome::Applied, Outcome::Adjusted, Outcome::Confirmed,
                                         Outcome::Unchanged};
    return std::ranges::contains(outcomes, entry.outcome);
}

std::optional<KeepOrigin> originIn(const HistoryEntry &entry, const Plan &plan, const PlanSnapshot &snapshot)
{
    const auto transaction = transactionIdFromHex(entry.transaction);
    if (!transaction || !isInForce(entry) || entry.isUndone())
        return std::nullopt;
    KeepOrigin origin{*transaction, {}};
    for (const PlanStep &step : plan.steps) {
        const auto found = std::ranges::find(entry.steps, step.address, &HistoryStep::address);
        if (found == entry.steps.end() || found->diskId != step.diskId)
            return std::nullopt;
        const InForce is = inForce(*found, *step.spec, snapshot);
        if (is == InForce::No)
            return std::nullopt;
        origin.isCertain = origin.isCertain && is == InForce::Yes;
        origin.items.push_back(static_cast<std::uint16_t>(found - entry.steps.begin()));
    }
    return origin;
}

} // namespace

std::optional<KeepOrigin> originOf(const Plan &plan, const PlanSnapshot &snapshot, const History &history,
                                   const std::string &bootId)
{
    for (const HistoryEntry &entry : history.entries) {
        auto origin = entry.bootId == bootId ? originIn(entry, plan, snapshot) : std::nullopt;
        if (origin)
            return origin;
    }
    return std::nullopt;
}

std::optional<NotKeepable> whyNotKeepable(const Plan &plan, const QString &root,
                                          std::optional<DiskClass> forClass)
{
    // sd_booted(3), and the socket that every running udevd has.
    if (!QFileInfo(root + u"/run/systemd/system"_s).isDir() ||
        !QFileInfo::exists(root + u"/run/udev/control"_s))
        return NotKeepable{Errc::NeedsSystemd, std::nullopt};
    for (std::size_t at = 0; at < plan.steps.size(); ++at) {
        const PlanStep &step = plan.steps[at];
        if (step.spec->keptBy == KeptBy::Nothing)
            return NotKeepable{Errc::Conflict, at};
        if (step.device && !forClass && !isSafeDiskId(step.diskId))
            return NotKeepable{Errc::NoStableId, at};
    }
    return std::nullopt;
}

std::expected<DiskClass, NotKeepable> classForKeeping(const Plan &plan, const QString &root)
{
    const auto tree = root == u"/"_s ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    if (!tree)
        return std::unexpected(NotKeepable{tree.error().code, std::nullopt});
    // What carries the system is noted only once something is kept for a class, so it is looked for here.
    const auto system = systemDisks(*tree);
    if (!system)
        return std::unexpected(NotKeepable{system.error().code, std::nullopt});
    std::optional<DiskClass> common;
    for (std::size_t at = 0; at < plan.steps.size(); ++at) {
        const PlanStep &step = plan.steps[at];
        if (!step.device)
            continue;
        const auto refuse = [&](const char *reason) {
            return std::unexpected(NotKeepable{Errc::NotOfClass, at, reason});
        };
        if (!isForClasses(*step.spec))
            return refuse("can't be kept for a class: classes of disks go by this setting");
        if (system->contains(step.address.target))
            return refuse("can't be kept for a class: no class takes in a disk that holds this system");
        const auto facts = readDiskFacts(*tree, step.address.target);
        const auto here = facts && facts->knownToUdev ? classOf(*facts) : std::nullopt;
        if (!here)
            return refuse("can't be kept for a class: the disk is of none");
        if (common && *common != *here)
            return refuse("can't be kept for one class: the disks are of several");
        common = here;
    }
    if (!common)
        return std::unexpected(NotKeepable{Errc::NotOfClass, std::nullopt, "no disk is among the settings"});
    return *common;
}

std::vector<KeptBefore> replacedByKeeping(const Plan &plan, const QString &root,
                                          std::optional<DiskClass> forClass)
{
    std::vector<KeptBefore> replaced;
    const auto tree = root == u"/"_s ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    const auto kept = readKeptSet(root);
    if (!tree || !kept)
        return replaced;
    for (std::size_t at = 0; at < plan.steps.size(); ++at) {
        const PlanStep &step = plan.steps[at];
        const auto facts = step.device ? readDiskFacts(*tree, step.address.target) : fail(Errc::Absent);
        for (const KeptItem &item : kept->items) {
            const SettingSpec &spec = *findSetting(item.settingId);
            const bool isHere = !step.device ? !isPerDisk(spec.domain)
                                : forClass   ? item.forClass == forClass
                                             : !item.forClass && facts && isKeptOn(item, *facts);
            const bool isSlot = &spec == step.spec || spec.id == step.spec->pair;
            if (isHere && isSlot && (&spec != step.spec || item.value != step.wanted))
                replaced.push_back({at, &spec, item.value, item.origin});
        }
    }
    return replaced;
}

} // namespace diskwright
