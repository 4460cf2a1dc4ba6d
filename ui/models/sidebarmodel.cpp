// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sidebarmodel.h"

#include "ui/models/tiptext.h"
#include "ui/text/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

QString SidebarModel::diskIcon(const BlockNode &disk)
{
    // The other drawings of these names are filled, and of one colour they are spots on a fine screen.
    // A drive's discs can be taken out too, and many hang on USB.
    if (disk.type == "rom")
        return u"drive-optical-symbolic"_s;
    if (disk.removable.value_or(false) || disk.transport == "usb")
        return u"drive-removable-media-symbolic"_s;
    return u"drive-harddisk-symbolic"_s;
}

SidebarModel::SidebarModel(const Machine &machine, const StagedChanges &staged, QObject *parent)
    : QAbstractListModel(parent)
    , m_machine(machine)
    , m_staged(staged)
{
    connect(&machine, &Machine::disksChanged, this, &SidebarModel::rebuild);
    connect(&machine, &Machine::silenceChanged, this, &SidebarModel::rebuild);
    connect(&staged, &StagedChanges::changed, this, [this] {
        if (!m_lines.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1), {StagedRole, Qt::AccessibleTextRole});
    });
    rebuild();
}

SidebarModel::Line SidebarModel::diskLine(const std::string &target, const BlockNode &disk) const
{
    Line line{{Place::Kind::Disk, target},
              m_machine.diskTitle(target),
              toQString(disk.name),
              diskIcon(disk),
              m_machine.presence(target)};
    if (line.detail == line.text)
        line.detail.clear();
    if (line.presence == Presence::Gone)
        line.detail = QCoreApplication::translate("SidebarModel", "gone");
    else if (line.presence == Presence::Silent)
        line.detail = u"⚠ "_s + durationText(m_machine.silentFor(target).count());
    return line;
}

void SidebarModel::rebuild()
{
    std::vector<Line> lines;
    const auto heading = [&](const QString &text) { lines.push_back({{}, text, {}, {}}); };
    const auto page = [&](Place::Kind kind, const QString &text, const QString &icon) {
        lines.push_back({{kind, {}}, text, {}, icon});
    };
    page(Place::Kind::Overview, QCoreApplication::translate("SidebarModel", "Overview"),
         u"view-list-details"_s);
    heading(QCoreApplication::translate("SidebarModel", "Disks"));
    std::vector<Line> stacked;
    for (const BlockNode &disk : m_machine.disks().disks()) {
        if (m_machine.lists(disk))
            (disk.slaves.empty() ? lines : stacked).push_back(diskLine(disk.name, disk));
    }
    for (const auto &[target, disk] : m_machine.gone())
        lines.push_back(diskLine(target, disk));
    if (!stacked.empty()) {
        heading(QCoreApplication::translate("SidebarModel", "On top of disks"));
        lines.insert(lines.end(), stacked.begin(), stacked.end());
    }
    heading(QCoreApplication::translate("SidebarModel", "System"));
    page(Place::Kind::Memory, QCoreApplication::translate("SidebarModel", "Memory and writeback"),
         u"memory-symbolic"_s);
    heading(QCoreApplication::translate("SidebarModel", "Measure"));
    page(Place::Kind::Benchmarks, QCoreApplication::translate("SidebarModel", "Benchmarks"),
         u"speedometer"_s);
    heading(QCoreApplication::translate("SidebarModel", "Keep"));
    page(Place::Kind::History, QCoreApplication::translate("SidebarModel", "History"), u"view-history"_s);
    if (lines == m_lines)
        return;
    // The same places with other words: nothing moves, and whoever stands on a line stays there.
    if (std::ranges::equal(lines, m_lines, {}, &Line::place, &Line::place)) {
        m_lines = std::move(lines);
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_lines = std::move(lines);
    endResetModel();
}

QString SidebarModel::spoken(const Line &line) const
{
    if (line.place.kind != Place::Kind::Disk)
        return line.text;
    const BlockNode *disk = m_machine.node(line.place.disk);
    const QString name = disk ? toQString(disk->name) : toQString(line.place.disk);
    switch (line.presence) {
    case Presence::Here: break;
    case Presence::Silent:
        return QCoreApplication::translate("SidebarModel", "%1, disk %2, does not answer for %3")
            .arg(line.text, name, durationText(m_machine.silentFor(line.place.disk).count()));
    case Presence::Gone:
        return QCoreApplication::translate("SidebarModel", "%1, disk %2, is gone").arg(line.text, name);
    }
    return QCoreApplication::translate("SidebarModel", "%1, disk %2").arg(line.text, name);
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
    case Qt::ToolTipRole:
        return tipText(line.presence == Presence::Here
                           ? (line.detail.isEmpty() ? line.text : line.text + u" · "_s + line.detail)
                           : spoken(line));
    case Qt::AccessibleTextRole:
        return isStaged(line)
                   ? QCoreApplication::translate("SidebarModel", "%1, with staged changes").arg(spoken(line))
                   : spoken(line);
    case DetailRole: return line.detail;
    case StagedRole: return isStaged(line);
    case HeadingRole: return line.place.kind == Place::Kind::Heading;
    case IconRole: return line.icon;
    case PresenceRole: return static_cast<int>(line.presence);
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
    names.insert({{DetailRole, "detail"},
                  {StagedRole, "staged"},
                  {HeadingRole, "heading"},
                  {IconRole, "icon"},
                  {PresenceRole, "presence"}});
    return names;
}

} // namespace diskwright::ui
