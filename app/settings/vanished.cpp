// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "vanished.h"

#include "vanishedfamilies.h"

#include <algorithm>
#include <vector>

namespace diskwright {

std::string_view name(Fate fate) noexcept
{
    switch (fate) {
    case Fate::Gone: return "gone";
    case Fate::NoEffect: return "no-effect";
    case Fate::Elsewhere: return "elsewhere";
    case Fate::OutOfTree: return "out-of-tree";
    }
    return "gone";
}

std::span<const VanishedSetting> vanishedSettings() noexcept
{
    static const std::vector<VanishedSetting> all = [] {
        std::vector<VanishedSetting> joined;
        for (const auto family : {vanishedOfKernel(), vanishedOfDrive(), vanishedOfMount()})
            joined.insert(joined.end(), family.begin(), family.end());
        std::ranges::sort(joined, {}, &VanishedSetting::id);
        return joined;
    }();
    return all;
}

const VanishedSetting *findVanished(std::string_view id) noexcept
{
    const auto all = vanishedSettings();
    const auto found = std::ranges::lower_bound(all, id, {}, &VanishedSetting::id);
    return found != all.end() && found->id == id ? &*found : nullptr;
}

} // namespace diskwright
