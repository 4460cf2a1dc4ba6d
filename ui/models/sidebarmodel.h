// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/machine.h"

#include "app/plan/changeset.h"

#include <QAbstractListModel>

namespace diskwright::ui {

/// Where a line of the side bar leads.
struct Place {
    enum class Kind : std::uint8_t { Heading, Overview, Disk, Memory, Benchmarks, History };
    Kind kind = Kind::Heading;
    std::string disk; ///< kernel name, if kind is Disk; see Machine::gone for those that went
    bool operator==(const Place &) const = default;
};

/// The side bar: headings, disks and pages. Only what exists is listed.
class SidebarModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        DetailRole = Qt::UserRole + 1, ///< kernel name of a disk
        StagedRole,                    ///< bool: something is staged there
        HeadingRole,                   ///< bool
        IconRole,                      ///< icon name
        PresenceRole,                  ///< Presence as int
    };

    SidebarModel(const Machine &machine, const StagedChanges &staged, QObject *parent = nullptr);

    [[nodiscard]] static QString diskIcon(const BlockNode &disk);

    [[nodiscard]] Place place(int row) const { return m_lines[static_cast<std::size_t>(row)].place; }
    /// -1 if the place is not listed.
    [[nodiscard]] int rowOf(const Place &place) const;
    /// The n-th line that is no heading, from 0; -1 if there are fewer.
    [[nodiscard]] int pageRow(int n) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QHash<int, QByteArray> roleNames() const override;

private:
    struct Line {
        Place place;
        QString text;
        QString detail;
        QString icon;
        Presence presence = Presence::Here;
        bool operator==(const Line &) const = default;
    };
    void rebuild();
    [[nodiscard]] Line diskLine(const std::string &target, const BlockNode &disk) const;
    [[nodiscard]] QString spoken(const Line &line) const;
    [[nodiscard]] bool isStaged(const Line &line) const;

    const Machine &m_machine;
    const StagedChanges &m_staged;
    std::vector<Line> m_lines;
};

} // namespace diskwright::ui
