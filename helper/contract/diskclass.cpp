// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskclass.h"

#include <algorithm>
#include <array>

namespace diskwright {

namespace {

struct NamedClass {
    DiskClass kind;
    std::string_view name;
};
constexpr auto classes = std::to_array<NamedClass>({{DiskClass::UsbRemovable, "usb-removable"},
                                                    {DiskClass::SataRotational, "sata-rotational"},
                                                    {DiskClass::SataSolidState, "sata-solid-state"},
                                                    {DiskClass::Nvme, "nvme"},
                                                    {DiskClass::Mmc, "mmc"}});

} // namespace

std::string_view name(DiskClass kind) noexcept
{
    const auto found = std::ranges::find(classes, kind, &NamedClass::kind);
    return found != classes.end() ? found->name : std::string_view{};
}

std::optional<DiskClass> diskClassFromName(std::string_view name) noexcept
{
    const auto found = std::ranges::find(classes, name, &NamedClass::name);
    return found != classes.end() ? std::optional(found->kind) : std::nullopt;
}

std::string_view diskClassNames() noexcept
{
    return "usb-removable, sata-rotational, sata-solid-state, nvme, mmc";
}

} // namespace diskwright
