// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sidebarmodel.h"

#include <QListView>

namespace diskwright::ui {

/// The list of disks and pages at the left.
class Sidebar final : public QListView
{
    Q_OBJECT

public:
    explicit Sidebar(SidebarModel &model, QWidget *parent = nullptr);

    [[nodiscard]] Place current() const;
    /// False if the place is not listed.
    bool select(const Place &place);

Q_SIGNALS:
    void placeChosen(const diskwright::ui::Place &place);

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    SidebarModel &m_model;
    Place m_wanted; ///< stays selected while the list is read again
    bool m_silent = false;
};

} // namespace diskwright::ui
