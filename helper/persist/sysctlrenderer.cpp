// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sysctlrenderer.h"

#include "keptfile.h"

#include <algorithm>

namespace diskwright {

std::string renderSysctl(const BootSet &set)
{
    std::vector<const BootItem *> items;
    for (const BootItem &item : set.items) {
        if (std::holds_alternative<MachineMatch>(item.match))
            items.push_back(&item);
    }
    if (items.empty())
        return {};
    std::ranges::stable_sort(items, {}, [](const BootItem *item) {
        return std::pair(findSetting(item->setting)->order, std::string_view(item->setting));
    });
    std::string body = "\n";
    for (const BootItem *item : items)
        body += "vm." + std::string(findSetting(item->setting)->key) + " = " + toText(item->value) + '\n';
    return withMarker(body);
}

} // namespace diskwright
