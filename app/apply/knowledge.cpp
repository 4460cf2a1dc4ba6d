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
    const bool hasClasses =
        std::ranges::any_of(kept.items, [](const KeptItem &item) { return item.forClass.has_value(); });
    // Looked up once a disk, and only while that one is being read.
    auto classes = std::make_shared<std::map<std::string, std::optional<DiskClass>, std::less<>>>();
    const auto classNow = [&root, classes, hasClasses](std::string_view disk) -> std::optional<DiskClass> {
        if (!hasClasses || disk.empty())
            return std::nullopt;
        auto known = classes->find(disk);
        if (known == classes->end()) {
            const auto facts = readDiskFacts(root, disk);
            known = classes->emplace(disk, facts ? classOf(*facts) : std::nullopt).first;
        }
        return known->second;
    };
    knowledge.kept = [&kept, classNow](const SettingSpec &spec, std::string_view target,
                                       const std::string *id) -> std::optional<Knowledge::Kept> {
        const KeptItem *found = findKept(kept, spec, id ? *id : std::string(), classNow(target));
        return found ? std::optional(Knowledge::Kept{found->value, found->forClass}) : std::nullopt;
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
