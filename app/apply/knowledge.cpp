// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/knowledge.h"

#include "helper/access/diskfacts.h"

#include <algorithm>
#include <memory>

namespace diskwright {

FirstValues firstValuesOf(const History &history, const std::string &bootId)
{
    FirstValues first;
    // Newest first: the last one that is written is the oldest of this boot.
    for (const HistoryEntry &entry : history.entries) {
        if (entry.bootId != bootId)
            continue;
        for (const HistoryStep &step : entry.steps) {
            const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
            if (spec && step.before && step.result != StepResult::NotAttempted)
                first[{spec->id, step.diskId.empty() ? step.address.target : step.diskId}] = *step.before;
        }
    }
    return first;
}

Knowledge knowledgeOf(const SystemRoot &root, const KeptSet &kept, const FirstValues &first)
{
    Knowledge knowledge;
    const bool hasDisks =
        std::ranges::any_of(kept.items, [](const KeptItem &item) { return !item.target.empty(); });
    // Looked up once a disk, and only while that one is being read.
    auto disks = std::make_shared<std::map<std::string, std::optional<DiskFacts>, std::less<>>>();
    const auto factsOf = [&root, disks](std::string_view disk) -> const DiskFacts * {
        auto known = disks->find(disk);
        if (known == disks->end()) {
            auto facts = readDiskFacts(root, disk);
            known = disks->emplace(disk, facts ? std::optional(std::move(*facts)) : std::nullopt).first;
        }
        return known->second ? &*known->second : nullptr;
    };
    knowledge.kept = [&kept, factsOf, hasDisks](const SettingSpec &spec,
                                                std::string_view target) -> std::optional<Knowledge::Kept> {
        const bool isOfDisk = isPerDisk(spec.domain);
        const DiskFacts *disk = isOfDisk && hasDisks ? factsOf(target) : nullptr;
        const KeptItem *found = !isOfDisk || disk ? findKept(kept, spec, disk) : nullptr;
        return found ? std::optional(Knowledge::Kept{found->value, found->forClass,
                                                     static_cast<std::size_t>(found - kept.items.data())})
                     : std::nullopt;
    };
    knowledge.beforeFirstChange = [&first](const SettingSpec &spec, std::string_view target,
                                           const std::string *id) -> std::optional<Value> {
        auto found = first.find({spec.id, id ? *id : std::string(target)});
        if (found == first.end() && id)
            found = first.find({spec.id, std::string(target)});
        return found != first.end() ? std::optional(found->second) : std::nullopt;
    };
    return knowledge;
}

} // namespace diskwright
