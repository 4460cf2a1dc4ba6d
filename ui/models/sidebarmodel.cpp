// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sidebarmodel.h"

#include "ui/text/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

static QString diskIcon(const BlockNode &disk)
{
    if (disk.removable.value_or(false) || disk.transport == "usb")
        return u"drive-removable-media"_s;
    if (disk.type == "rom")
        return u"drive-optical"_s;
    return disk.rotational.value_or(false) ? u"drive-harddisk"_s : u"drive-harddisk-solidstate"_s;
}

SidebarModel::SidebarModel(const Machine &machine, const StagedChanges &staged, QObject *parent)
    : QAbstractListModel(parent)
    , m_machine(machine)
    , m_staged(staged)
{
    connect(&machine, &Machine::disksChanged, this, &SidebarModel::rebuild);
    connect(&staged, &StagedChanges::changed, this, [this] {
        if (!m_lines.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1), {StagedRole, Qt::AccessibleTextRole});
    });
    rebuild();
}

void SidebarModel::rebuild()
{
    std::vector<Line> lines;
    const auto heading = [&](const QString &text) { lines.push_back({{}, text, {}, {}}); };
    heading(QCoreApplication::translate("SidebarModel", "Disks"));
    for (const BlockNode &disk : m_machine.disks().disks()) {
        if (!disk.hiddenByDefault || m_machine.listsAll()) {
            lines.push_back({{Place::Kind::Disk, disk.name},
                             m_machine.diskTitle(disk.name),
                             toQString(disk.name),
                             diskIcon(disk)});
        }
    }
    heading(QCoreApplication::translate("SidebarModel", "System"));
    lines.push_back({{Place::Kind::Memory, {}},
                     QCoreApplication::translate("SidebarModel", "Memory and writeback"),
                     {},
                     u"memory-symbolic"_s});
    heading(QCoreApplication::translate("SidebarModel", "Measure"));
    lines.push_back({{Place::Kind::Benchmarks, {}},
                     QCoreApplication::translate("SidebarModel", "Benchmarks"),
                     {},
                     u"speedometer"_s});
    heading(QCoreApplication::translate("SidebarModel", "Keep"));
    lines.push_back({{Place::Kind::History, {}},
                     QCoreApplication::translate("SidebarModel", "History"),
                     {},
                     u"view-history"_s});
    if (lines == m_lines)
        return;
    beginResetModel();
    m_lines = std::move(lines);
    endResetModel();
}

bool SidebarModel::isStaged(const Line &line) const
{
    const bool lists = line.place.kind == Place::Kind::Disk || line.place.kind == Place::Kind::Memory;
    return lists && std::ranges::any_of(m_staged.set().edits(), [&](const StagedEdit &edit) {
               return edit.address.target == line.place.disk;
           });
}

int SidebarModel::rowOf(const Place &place) const
{
    const auto found = std::ranges::find_if(m_lines, [&](const Line &line) { return line.place == place; });
    return found != m_lines.end() ? static_cast<int>(found - m_lines.begin()) : -1;
}

int SidebarModel::pageRow(int n) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (place(row).kind != Place::Kind::Heading && n-- == 0)
            return row;
    }
    return -1;
}

int SidebarModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant SidebarModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Line &line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return line.text;
    case Qt::ToolTipRole: return line.detail.isEmpty() ? line.text : line.text + u" · "_s + line.detail;
    case Qt::AccessibleTextRole: {
        QString text =
            line.detail.isEmpty()
                ? line.text
                : QCoreApplication::translate("SidebarModel", "%1, disk %2").arg(line.text, line.detail);
        if (isStaged(line))
            text = QCoreApplication::translate("SidebarModel", "%1, with staged changes").arg(text);
        return text;
    }
    case DetailRole: return line.detail;
    case StagedRole: return isStaged(line);
    case HeadingRole: return line.place.kind == Place::Kind::Heading;
    case IconRole: return line.icon;
    default: return {};
    }
}

Qt::ItemFlags SidebarModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    return place(index.row()).kind == Place::Kind::Heading
               ? Qt::ItemNeverHasChildren
               : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

QHash<int, QByteArray> SidebarModel::roleNames() const
{
    auto names = QAbstractListModel::roleNames();
    names.insert(
        {{DetailRole, "detail"}, {StagedRole, "staged"}, {HeadingRole, "heading"}, {IconRole, "icon"}});
    return names;
}

} // namespace diskwright::ui
