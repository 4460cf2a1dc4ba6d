// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "settinglist.h"

#include "ui/pages/settingrow.h"

#include <QVBoxLayout>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// A setting that is not here: its name and why.
static QWidget *absentRow(const SettingListModel &model, int row, QWidget *parent)
{
    auto *widget = new QWidget(parent);
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins(space::card, space::unit, space::card, space::unit);
    layout->setSpacing(2);
    const QModelIndex index = model.index(row);
    auto *title = new Label(
        Label::Role::Body,
        u"%1 · %2"_s.arg(index.data().toString(), index.data(SettingListModel::KernelNameRole).toString()),
        widget);
    auto *reason = new Label(Label::Role::Muted, index.data(SettingListModel::ReasonRole).toString(), widget);
    title->setWordWrap(true);
    reason->setWordWrap(true);
    layout->addWidget(title);
    layout->addWidget(reason);
    return widget;
}

SettingList::SettingList(SettingListModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_layout(new QVBoxLayout(this))
    , m_nothing(new Label(Label::Role::Muted, this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(space::unit);
    m_layout->addWidget(m_nothing);
    m_nothing->hide();
    connect(&model, &QAbstractItemModel::modelReset, this, &SettingList::rebuild);
    connect(&model, &QAbstractItemModel::dataChanged, this, &SettingList::refresh);
    rebuild();
}

void SettingList::rebuild()
{
    for (Section &section : m_sections) {
        section.head->deleteLater();
        section.card->deleteLater();
    }
    m_sections.clear();
    m_settings.clear();
    for (const SettingGroup group : {SettingGroup::Often, SettingGroup::All, SettingGroup::NotHere}) {
        Section section{.group = group, .rows = {}};
        for (int row = 0; row < m_model.rowCount(); ++row) {
            if (m_model.entry(row).group == group)
                section.rows.emplace_back(row, nullptr);
        }
        if (section.rows.empty())
            continue;
        const int count = static_cast<int>(section.rows.size());
        section.card = new Card(this);
        if (group == SettingGroup::Often) {
            section.head = new Label(Label::Role::Heading, tr("Often changed"), this);
        } else {
            section.expander =
                new Expander(group == SettingGroup::All ? tr("More settings (%1)").arg(count)
                                                        : tr("Not on this kernel or disk (%1)").arg(count),
                             this);
            section.head = section.expander;
            section.card->hide();
        }
        m_layout->addWidget(section.head, 0, section.expander ? Qt::AlignLeft : Qt::Alignment());
        m_layout->addWidget(section.card);
        m_sections.push_back(std::move(section));
    }
    for (Section &section : m_sections) {
        if (!section.expander) {
            fill(section);
            continue;
        }
        connect(section.expander, &Expander::opened, this, [this, group = section.group](bool open) {
            const auto found = std::ranges::find(m_sections, group, &Section::group);
            if (found == m_sections.end())
                return;
            if (open)
                fill(*found);
            showMatches();
        });
    }
    refresh();
}

void SettingList::fill(Section &section)
{
    for (auto &[row, widget] : section.rows) {
        if (widget)
            continue;
        if (section.group == SettingGroup::NotHere) {
            widget = absentRow(m_model, row, section.card);
        } else {
            auto *setting = new SettingRow(m_model, row, section.card);
            connect(setting, &SettingRow::measureWanted, this, &SettingList::measureWanted);
            connect(setting, &SettingRow::forgetWanted, this, &SettingList::forgetWanted);
            m_settings.push_back(setting);
            widget = setting;
        }
        section.card->addRow(widget);
    }
}

void SettingList::refresh()
{
    for (SettingRow *row : m_settings)
        row->refresh();
    showMatches();
}

void SettingList::setFilter(const QString &text)
{
    m_filter = text.trimmed();
    m_model.setFilter(m_filter);
    if (!m_filter.isEmpty()) {
        for (Section &section : m_sections)
            fill(section);
    }
    showMatches();
}

void SettingList::showMatches()
{
    const bool filtering = !m_filter.isEmpty();
    int matches = 0;
    for (Section &section : m_sections) {
        int here = 0;
        for (const auto &[row, widget] : section.rows) {
            const bool match = m_model.entry(row).matches;
            here += match ? 1 : 0;
            if (widget)
                widget->setVisible(match);
        }
        matches += here;
        const bool open = !section.expander || filtering || section.expander->isChecked();
        section.head->setVisible(here > 0);
        section.card->setVisible(open && here > 0);
        section.card->update();
    }
    m_nothing->setText(tr("No setting here answers to “%1”.").arg(m_filter));
    m_nothing->setVisible(filtering && matches == 0);
}

} // namespace diskwright::ui
