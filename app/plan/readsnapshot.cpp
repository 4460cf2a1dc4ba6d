// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plan/readsnapshot.h"

#include "app/settings/observation.h"

namespace diskwright {

namespace {

std::optional<Errc> whyNotSettable(ObservedState state)
{
    switch (state) {
    case ObservedState::Current: return std::nullopt;
    case ObservedState::Absent:
    case ObservedState::Unreadable: return Errc::Absent;
    case ObservedState::Unparsable: return Errc::Malformed;
    case ObservedState::ReadOnly: return Errc::ReadOnly;
    }
    return Errc::Internal;
}

std::optional<Range> rangeOf(const Observation &seen)
{
    const auto *range = std::get_if<Range>(&seen.spec->accepts);
    if (!range || !seen.min || !seen.max || !seen.step)
        return std::nullopt;
    return Range{.min = *seen.min, .max = *seen.max, .step = *seen.step, .unit = range->unit};
}

void addAll(PlanSnapshot &snapshot, const std::vector<Observation> &observations)
{
    for (const Observation &seen : observations)
        snapshot.add(
            PlanSetting{seen.address(), seen.value, seen.offered, whyNotSettable(seen.state), rangeOf(seen)});
}

} // namespace

PlanSnapshot readSnapshot(const SystemRoot &root, const DiskList &disks,
                          const std::vector<std::string> &targets)
{
    PlanSnapshot snapshot;
    for (const std::string &target : targets) {
        if (target.empty()) {
            addAll(snapshot, observeVm(root));
            continue;
        }
        const BlockNode *disk = disks.find(target);
        if (!disk || disk->name != target || !disk->parent.empty())
            continue;
        snapshot.add(PlanDisk{identityOf(*disk), disk->id.value_or(""), disk->model.value_or(disk->name),
                              disk->system});
        addAll(snapshot, observe(root, *disk));
    }
    return snapshot;
}

} // namespace diskwright
