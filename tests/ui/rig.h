// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/fakeapplier.h"

#include "ui/frame/mainwindow.h"

#include <QAccessible>
#include <QSet>
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

    /// \p name: of a recorded machine, or the folder of one.
    explicit Rig(const QString &name = QStringLiteral("desktop-sata-ssd-hdd"))
        : machine(name.startsWith(u'/')
                      ? name
                      : QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/") + name)
    {
        look();
        window = std::make_unique<MainWindow>(Context{machine, staged, disks, applier, {}, {}});
        window->show();
    }
    /// Reads the machine, here and now.
    void look()
    {
        ReadingWish wish;
        wish.targets.emplace_back();
        wish.allDisks = true;
        machine.take(readMachine(machine.root(), wish));
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

/// Controls that a screen reader could not name.
inline void collectNameless(QAccessibleInterface *item, QStringList &found, int &seen, int depth = 0)
{
    if (!item || depth > 24)
        return;
    const QAccessible::State state = item->state();
    if (state.invisible)
        return;
    static const QSet<QAccessible::Role> controls{
        QAccessible::Button,   QAccessible::CheckBox,   QAccessible::RadioButton,  QAccessible::ComboBox,
        QAccessible::SpinBox,  QAccessible::Slider,     QAccessible::EditableText, QAccessible::List,
        QAccessible::ListItem, QAccessible::Tree,       QAccessible::TreeItem,     QAccessible::Table,
        QAccessible::PageTab,  QAccessible::PageTabList};
    static const QSet<QAccessible::Role> owners{QAccessible::Client, QAccessible::Window, QAccessible::Dialog,
                                                QAccessible::StaticText, QAccessible::Pane};
    const bool wantsName =
        controls.contains(item->role()) || (state.focusable && !owners.contains(item->role()));
    if (wantsName) {
        ++seen;
        // The text field inside a combo box or spin box speaks for its owner.
        const bool inner = item->parent() && (item->parent()->role() == QAccessible::ComboBox ||
                                              item->parent()->role() == QAccessible::SpinBox);
        if (item->text(QAccessible::Name).isEmpty() && !inner)
            found << (item->object() ? QString::fromLatin1(item->object()->metaObject()->className())
                                     : QStringLiteral("role %1").arg(int(item->role())));
    }
    for (int i = 0; i < item->childCount(); ++i)
        collectNameless(item->child(i), found, seen, depth + 1);
}

} // namespace diskwright::ui
