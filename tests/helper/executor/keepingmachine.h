// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/persist/bootstore.h"
#include "machine.h"

namespace diskwright::test {

/// A machine whose first disk has an id, under systemd and udev.
struct KeepingMachine : Machine {
    KeepingMachine()
    {
        for (const char *folder : {"etc/udev/rules.d", "etc/sysctl.d", "run/systemd/system"})
            QDir().mkpath(path(folder));
        write("run/udev/data/b8:0",
              "S:disk/by-id/wwn-0x5000c50015ea71ac\nE:ID_WWN_WITH_EXTENSION=0x5000c50015ea71ac\n"
              "E:ID_SERIAL=DISK_1\nE:ID_BUS=ata\n");
        write("sys/block/sda/removable", "0\n");
        write("sys/block/sda/queue/rotational", "0\n");
        store.emplace(BootStore::at(path(".").toStdString()).value());
        kept = &*store;
        reopen();
    }
    std::vector<BootItem> items() { return store->load().value().set.items; }
    ApplyRequest keeping(std::chrono::seconds trial = {})
    {
        auto request = readAhead(4096);
        request.changes.push_back({std::nullopt, "vm/dirty_background_ratio", number(10), number(5)});
        request.keep = true;
        request.origin = "Desktop";
        request.trial = trial;
        return request;
    }
    std::optional<BootStore> store;
};

} // namespace diskwright::test
