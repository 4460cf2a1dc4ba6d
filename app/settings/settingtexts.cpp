// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "texts.h"

#include "textfamilies.h"

#include <algorithm>
#include <vector>

namespace diskwright {

std::span<const SettingText> settingTexts() noexcept
{
    static const std::vector<SettingText> all = [] {
        std::vector<SettingText> joined;
        for (const auto family : {queueTexts(), ioschedTexts(), adiosTexts(), bdiTexts(), vmTexts()})
            joined.insert(joined.end(), family.begin(), family.end());
        std::ranges::sort(joined, {}, &SettingText::id);
        return joined;
    }();
    return all;
}

const SettingText *findText(std::string_view id) noexcept
{
    const auto all = settingTexts();
    const auto found = std::ranges::lower_bound(all, id, {}, &SettingText::id);
    return found != all.end() && found->id == id ? &*found : nullptr;
}

} // namespace diskwright
