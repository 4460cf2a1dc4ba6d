// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plan/snapshot.h"

#include <algorithm>

namespace diskwright {

void PlanSnapshot::add(PlanDisk disk)
{
    const auto same = std::ranges::find_if(
        m_disks, [&](const PlanDisk &other) { return other.identity.name == disk.identity.name; });
    if (same != m_disks.end())
        *same = std::move(disk);
    else
        m_disks.push_back(std::move(disk));
}

void PlanSnapshot::add(PlanSetting setting)
{
    const auto same = std::ranges::find(m_settings, setting.address, &PlanSetting::address);
    if (same != m_settings.end())
        *same = std::move(setting);
    else
        m_settings.push_back(std::move(setting));
}

const PlanDisk *PlanSnapshot::disk(std::string_view kernelName) const noexcept
{
    const auto found =
        std::ranges::find_if(m_disks, [&](const PlanDisk &disk) { return disk.identity.name == kernelName; });
    return found != m_disks.end() ? &*found : nullptr;
}

const PlanSetting *PlanSnapshot::setting(const Address &address) const noexcept
{
    const auto found = std::ranges::find(m_settings, address, &PlanSetting::address);
    return found != m_settings.end() ? &*found : nullptr;
}

std::optional<Value> PlanSnapshot::current(const Address &address) const
{
    const PlanSetting *found = setting(address);
    return found ? found->current : std::nullopt;
}

} // namespace diskwright
