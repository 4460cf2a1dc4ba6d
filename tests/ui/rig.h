// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/fakeapplier.h"

#include "ui/frame/mainwindow.h"

#include <QTest>

#include <memory>

namespace diskwright::ui {

/// A window on a recorded machine, with a door to nowhere.
struct Rig {
    Machine machine;
    StagedChanges staged;
    StagedDisks disks{machine, staged};
    FakeApplier applier;
    std::unique_ptr<MainWindow> window;

    explicit Rig(const QString &name = QStringLiteral("desktop-sata-ssd-hdd"))
        : machine(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/") + name)
    {
        ReadingWish wish;
        wish.targets.emplace_back();
        wish.allDisks = true;
        machine.take(readMachine(machine.root(), wish));
        window = std::make_unique<MainWindow>(Context{machine, staged, disks, applier, {}, {}});
        window->show();
    }
    void stage(const char *address, const Value &value)
    {
        const Address parsed = *parseAddress(address);
        QVERIFY(staged.stage(parsed, machine.setting(parsed)->value, value));
    }
    /// Every page of the side bar.
    [[nodiscard]] std::vector<Place> places() const
    {
        const SidebarModel model(machine, staged);
        std::vector<Place> all;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.place(row).kind != Place::Kind::Heading)
                all.push_back(model.place(row));
        }
        return all;
    }
};

} // namespace diskwright::ui
