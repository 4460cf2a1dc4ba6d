// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shown.h"

#include "shownfamilies.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <string>
#include <vector>

namespace diskwright {

std::span<const ShownSetting> shownSettings() noexcept
{
    static const std::vector<ShownSetting> all = [] {
        std::vector<ShownSetting> joined;
        for (const auto family : {shownOfQueue(), shownOfBdi(), shownOfVm()})
            joined.insert(joined.end(), family.begin(), family.end());
        std::ranges::sort(joined, {}, &ShownSetting::id);
        return joined;
    }();
    return all;
}

const ShownSetting *findShown(std::string_view id) noexcept
{
    const auto all = shownSettings();
    const auto found = std::ranges::lower_bound(all, id, {}, &ShownSetting::id);
    return found != all.end() && found->id == id ? &*found : nullptr;
}

const ShownSetting *findShown(Domain domain, std::string_view key) noexcept
{
    const std::string_view family = name(domain);
    const auto all = shownSettings();
    const auto found = std::ranges::find_if(all, [&](const ShownSetting &row) {
        return row.id.size() == family.size() + 1 + key.size() && row.id.starts_with(family) &&
               row.id.ends_with(key) && row.id[family.size()] == '/';
    });
    return found != all.end() ? &*found : nullptr;
}

std::string_view noDescription() noexcept
{
    return QT_TRANSLATE_NOOP(
        "ShownSetting", "No description: Diskwright does not know it, so it is shown and never written.");
}

} // namespace diskwright
