// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/persist/bootset.h"

namespace sample {

using namespace diskwright;

inline const std::string bootId = "11111111-2222-3333-4444-555555555555";

inline DiskMatch ataDisk()
{
    return {.id = "wwn-0x5000c50015ea71ac",
            .wwn = "0x5000c50015ea71ac",
            .serial = "QEMU_SSD_A_ATA0001",
            .sizeBytes = 1073741824,
            .name = "sda"};
}

inline DiskMatch usbDisk()
{
    return {.id = "usb-QEMU_QEMU_HARDDISK_USB01-0:0",
            .wwn = {},
            .serial = "QEMU_QEMU_HARDDISK_USB01-0:0",
            .sizeBytes = 67108864,
            .name = "sdb"};
}

inline BootItem item(const std::string &setting, const Match &match, const Value &value,
                     const Value &original)
{
    return {.setting = setting,
            .match = match,
            .value = value,
            .original = {setting, original},
            .origin = {},
            .keptAt = 1764496800,
            .bootId = bootId};
}

/// Kept in an order that no file may have.
inline BootSet mixedSet()
{
    BootSet set;
    set.items.push_back(item("queue/read_ahead_kb", ataDisk(), number(1024), number(128)));
    set.items.push_back(item("vm/dirty_background_bytes", MachineMatch{}, number(67108864), number(0)));
    set.items.back().original = {"vm/dirty_background_ratio", number(10)};
    set.items.push_back(item("iosched/mq-deadline/read_expire", ataDisk(), number(224), number(500)));
    set.items.push_back(item("queue/read_ahead_kb", usbDisk(), number(2048), number(128)));
    set.items.push_back(item("queue/scheduler", ataDisk(), word("mq-deadline"), word("none")));
    set.items.push_back(item("vm/dirty_bytes", MachineMatch{}, number(268435456), number(0)));
    set.items.back().original = {"vm/dirty_ratio", number(20)};
    set.items.push_back(item("queue/nr_requests", ataDisk(), number(64), number(32)));
    set.items.push_back(item("queue/scheduler", DiskClass::UsbRemovable, word("bfq"), word("mq-deadline")));
    set.items.back().origin = "Quiet stick";
    return set;
}

} // namespace sample
