// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "settinglist.h"

#include "ui/pages/settingrow.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// What vanished, and where it went.
static QWidget *storyRow(const VanishedSetting &vanished, QWidget *parent)
{
    auto *widget = new QWidget(parent);
    auto *layout = new QGridLayout(widget);
    layout->setContentsMargins(space::card, space::unit, space::card, space::unit);
    layout->setHorizontalSpacing(space::card);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(0, 2);
    layout->setColumnStretch(1, 1);
    auto *title = new Label(Label::Role::Body, vanishedTitle(vanished), widget);
    auto *since = new Label(Label::Role::Muted, vanishedSince(vanished), widget);
    auto *story = new Label(Label::Role::Muted, vanishedStory(vanished), widget);
    since->setAlignment(Qt::AlignRight | Qt::AlignTop);
    for (Label *label : {title, since, story})
        label->setWordWrap(true);
    layout->addWidget(title, 0, 0);
    layout->addWidget(since, 0, 1);
    layout->addWidget(story, 1, 0, 1, 2);
    return widget;
}

// Names, kernel names and values below a reason.
static QGridLayout *addReason(Card *card, const QString &why)
{
    auto *widget = new QWidget(card);
    auto *grid = new QGridLayout(widget);
    grid->setContentsMargins(space::card, space::unit, space::card, space::unit);
    grid->setHorizontalSpacing(space::card);
    grid->setVerticalSpacing(space::half);
    grid->setColumnStretch(0, 4);
    grid->setColumnStretch(1, 3);
    grid->setColumnStretch(2, 2);
    auto *heading = new Label(Label::Role::Muted, why, widget);
    heading->setWordWrap(true);
    grid->addWidget(heading, 0, 0, 1, 3);
    card->addRow(widget);
    return grid;
}

SettingList::SettingList(SettingListModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(space::unit);
    connect(&model, &QAbstractItemModel::modelReset, this, &SettingList::rebuild);
    connect(&model, &QAbstractItemModel::dataChanged, this, &SettingList::refresh);
    rebuild();
}

QString SettingList::title(const Section &section) const
{
    int count = static_cast<int>(section.rows.size());
    if (section.group == SettingGroup::NotHere)
        count += static_cast<int>(m_model.vanished().size());
    if (section.group == SettingGroup::Shown)
        return tr("Facts, and what can't be set (%1)").arg(count);
    if (section.group == SettingGroup::NotHere)
        return m_model.target().empty() ? tr("Not on this kernel (%1)").arg(count)
                                        : tr("Not on this kernel or disk (%1)").arg(count);
    //: %1 is a family of settings such as "Queue", %2 their number
    return tr("%1 (%2)").arg(m_model.familyTitle(section.family.value_or(SettingFamily::Queue))).arg(count);
}

void SettingList::addSection(SettingGroup group, std::optional<SettingFamily> family)
{
    Section section{.group = group, .family = family, .rows = {}};
    if (group == SettingGroup::Shown) {
        for (int index = 0; index < static_cast<int>(m_model.shown().size()); ++index)
            section.rows.emplace_back(index, nullptr);
    }
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const auto &entry = m_model.entry(row);
        if (entry.group == group && (!family || entry.family == *family))
            section.rows.emplace_back(row, nullptr);
    }
    if (section.rows.empty() && (group != SettingGroup::NotHere || m_model.vanished().empty()))
        return;
    section.card = new Card(this);
    if (group == SettingGroup::Often) {
        section.heading = new Label(Label::Role::Heading, tr("Often changed"), this);
        m_layout->addWidget(section.heading);
        fill(section);
    } else {
        section.expander = new Expander(title(section), this);
        section.card->hide();
        m_layout->addWidget(section.expander, 0, Qt::AlignLeft);
        connect(section.expander, &Expander::opened, this, [this, group, family](bool open) {
            for (Section &candidate : m_sections) {
                if (candidate.group != group || candidate.family != family)
                    continue;
                if (open)
                    fill(candidate);
                candidate.card->setVisible(open);
            }
        });
    }
    m_layout->addWidget(section.card);
    m_sections.push_back(std::move(section));
}

void SettingList::rebuild()
{
    // What was unfolded stays so: a scheduler that changes brings other rows, not another view.
    std::vector<std::pair<SettingGroup, std::optional<SettingFamily>>> open;
    for (Section &section : m_sections) {
        if (section.expander && section.expander->isChecked())
            open.emplace_back(section.group, section.family);
    }
    while (QLayoutItem *item = m_layout->takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    m_sections.clear();
    m_settings.clear();
    m_shownValues.clear();
    addSection(SettingGroup::Often, std::nullopt);
    int others = 0;
    for (int row = 0; row < m_model.rowCount(); ++row)
        others += m_model.entry(row).group == SettingGroup::All ? 1 : 0;
    if (others > 0) {
        auto *heading = new Label(Label::Role::Heading, tr("All other settings (%1)").arg(others), this);
        heading->setContentsMargins(0, space::unit, 0, 0);
        m_layout->addWidget(heading);
    }
    static constexpr std::array families{SettingFamily::Queue, SettingFamily::Scheduler, SettingFamily::Cache,
                                         SettingFamily::Writing, SettingFamily::Memory};
    for (const SettingFamily family : families)
        addSection(SettingGroup::All, family);
    addSection(SettingGroup::Shown, std::nullopt);
    addSection(SettingGroup::NotHere, std::nullopt);
    for (Section &section : m_sections) {
        if (section.expander && std::ranges::contains(open, std::pair(section.group, section.family)))
            section.expander->setChecked(true);
    }
    refresh();
}

// Many can't be set, or are missing, for the same reason, which is said once.
void SettingList::fillByReason(Section &section)
{
    if (section.card->layout()->count() > 0)
        return;
    std::map<QString, QGridLayout *> reasons;
    for (auto &[row, name] : section.rows) {
        const bool isFact = section.group == SettingGroup::Shown;
        const Observation *seen = isFact ? &m_model.shown()[static_cast<std::size_t>(row)] : nullptr;
        const QModelIndex index = m_model.index(row);
        const QString why = seen ? shownReason(*seen) : index.data(SettingListModel::ReasonRole).toString();
        QGridLayout *&grid = reasons[why];
        if (!grid)
            grid = addReason(section.card, why);
        QWidget *parent = grid->parentWidget();
        const QString text = seen ? shownTitle(*seen) : index.data().toString();
        const QString key =
            seen ? toQString(seen->key) : index.data(SettingListModel::KernelNameRole).toString();
        auto *title = new Label(Label::Role::Body, text, parent);
        auto *kernelName = new Label(Label::Role::Muted, key == text ? QString() : key, parent);
        auto *value = new Label(Label::Role::Body, seen ? shownValue(*seen) : QString(), parent);
        for (Label *label : {title, kernelName, value})
            label->setWordWrap(true);
        value->setAlignment(Qt::AlignRight | Qt::AlignTop);
        if (seen) {
            title->setToolTip(Qt::convertFromPlainText(shownText(*seen)));
            title->setAccessibleDescription(shownText(*seen));
            m_shownValues.emplace_back(row, value);
        }
        const int line = grid->rowCount();
        grid->addWidget(title, line, 0);
        grid->addWidget(kernelName, line, 1);
        grid->addWidget(value, line, 2);
        name = title;
    }
    if (section.group == SettingGroup::NotHere) {
        for (const VanishedSetting *vanished : m_model.vanished())
            section.card->addRow(storyRow(*vanished, section.card));
    }
}

void SettingList::fill(Section &section)
{
    if (section.group == SettingGroup::NotHere || section.group == SettingGroup::Shown) {
        fillByReason(section);
        return;
    }
    for (auto &[row, widget] : section.rows) {
        if (widget)
            continue;
        auto *setting = new SettingRow(m_model, row, section.card);
        connect(setting, &SettingRow::measureWanted, this, &SettingList::measureWanted);
        connect(setting, &SettingRow::forgetWanted, this, &SettingList::forgetWanted);
        m_settings.push_back(setting);
        widget = setting;
        section.card->addRow(widget);
    }
}

void SettingList::refresh()
{
    for (SettingRow *row : m_settings)
        row->refresh();
    for (const auto &[index, label] : m_shownValues)
        label->setText(shownValue(m_model.shown()[static_cast<std::size_t>(index)]));
    for (const Section &section : m_sections)
        section.card->update();
}

QWidget *SettingList::reveal(const Address &address)
{
    const auto &shown = m_model.shown();
    const auto fact = std::ranges::find_if(shown, [&](const Observation &seen) {
        return seen.domain == address.domain && seen.key == address.key;
    });
    const bool isFact = fact != shown.end();
    const int wanted = isFact ? static_cast<int>(fact - shown.begin()) : m_model.rowOf(address);
    for (Section &section : m_sections) {
        const auto found = std::ranges::find(section.rows, wanted, &std::pair<int, QWidget *>::first);
        if ((section.group == SettingGroup::Shown) != isFact || found == section.rows.end())
            continue;
        if (section.expander)
            section.expander->setChecked(true);
        QWidget *widget = found->second;
        if (auto *setting = qobject_cast<SettingRow *>(widget))
            setting->reveal();
        else if (section.expander)
            section.expander->setFocus(Qt::OtherFocusReason);
        return widget;
    }
    return nullptr;
}

} // namespace diskwright::ui
