// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "limitcard.h"

#include "ui/text/format.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace diskwright::ui {

LimitCard::LimitCard(const Context &context, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_card(new Card(this))
    , m_none(new Label(
          Label::Role::Muted,
          tr("No slow removable disk is mounted for writing now. When one is, it can be limited here."),
          m_card))
    , m_all(new QPushButton(this))
    , m_bytes(sensibleLimit({}))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::half);
    auto *heading = new QHBoxLayout;
    heading->addWidget(new Label(Label::Role::Heading, tr("Let only the copy wait"), this), 1);
    heading->addWidget(m_all);
    layout->addLayout(heading);
    auto *why =
        new Label(Label::Role::Muted,
                  tr("A slow disk with a limit of its own can't take all the memory for unwritten data, so "
                     "other programs go on while you copy to it. In the review you can choose it for every "
                     "start, and for every disk of that kind."),
                  this);
    why->setWordWrap(true);
    layout->addWidget(why);
    layout->addWidget(m_card);
    m_none->setWordWrap(true);
    m_none->setContentsMargins(space::card, space::unit, space::card, space::unit);
    m_card->addRow(m_none);
    connect(m_all, &QPushButton::clicked, this, [this] {
        for (const std::string &disk : unlimited())
            press(disk);
    });
    connect(&context.machine, &Machine::disksChanged, this, &LimitCard::refresh);
    // After all of them: one reading brings the settings of many disks.
    connect(&context.machine, &Machine::wasRead, this, &LimitCard::refresh);
    connect(&context.staged, &StagedChanges::changed, this, &LimitCard::refresh);
    refresh();
}

void LimitCard::setWriteback(const std::optional<WritebackSample> &now)
{
    if (const std::int64_t bytes = sensibleLimit(now); bytes != m_bytes) {
        m_bytes = bytes;
        refresh();
    }
}

void LimitCard::refresh()
{
    const std::vector<std::string> disks = slowDisks(m_context.machine);
    if (!std::ranges::equal(disks, m_rows, {}, {}, &Row::disk)) {
        for (const Row &row : m_rows) {
            row.whole->hide();
            row.whole->deleteLater();
        }
        m_rows.clear();
        for (const std::string &disk : disks)
            m_rows.push_back(makeRow(disk));
    }
    m_none->setVisible(disks.empty());
    for (const Row &row : m_rows)
        show(row);
    showAll();
}

std::vector<std::string> LimitCard::unlimited() const
{
    std::vector<std::string> disks;
    for (const Row &row : m_rows) {
        if (unwrittenLimit(m_context.machine, m_context.staged.set(), row.disk) == UnwrittenLimit::None)
            disks.push_back(row.disk);
    }
    return disks;
}

void LimitCard::showAll() const
{
    const std::size_t count = unlimited().size();
    const QString wanted = memoryText(static_cast<double>(m_bytes));
    m_all->setVisible(count > 1);
    m_all->setText(tr("Limit all to %1").arg(wanted));
    m_all->setAccessibleName(
        tr("Limit unwritten data to %1 for each of %n slow disk(s)", nullptr, static_cast<int>(count))
            .arg(wanted));
}

LimitCard::Row LimitCard::makeRow(const std::string &disk)
{
    auto *whole = new QWidget(m_card);
    auto *layout = new QHBoxLayout(whole);
    layout->setContentsMargins(space::card, space::unit, space::card, space::unit);
    layout->setSpacing(space::card);
    auto *text = new Label(Label::Role::Body, whole);
    text->setWordWrap(true);
    auto *button = new QPushButton(whole);
    layout->addWidget(text, 1);
    layout->addWidget(button, 0, Qt::AlignVCenter);
    connect(button, &QPushButton::clicked, this, [this, disk] { press(disk); });
    m_card->addRow(whole);
    return {disk, whole, text, button};
}

void LimitCard::show(const Row &row) const
{
    const ChangeSet &staged = m_context.staged.set();
    const QString title = m_context.machine.distinctTitle(row.disk);
    const auto bytes = limitBytes(m_context.machine, staged, row.disk);
    const QString limit = memoryText(static_cast<double>(bytes.value_or(m_bytes)));
    const QString wanted = memoryText(static_cast<double>(m_bytes));
    row.button->setVisible(true);
    switch (unwrittenLimit(m_context.machine, staged, row.disk)) {
    case UnwrittenLimit::Unknown:
        row.text->setText(tr("This kernel has no limit for %1 alone.").arg(title));
        row.button->setVisible(false);
        break;
    case UnwrittenLimit::None:
        row.text->setText(tr("Copying to %1 may freeze programs.").arg(title));
        row.button->setText(tr("Limit to %1").arg(wanted));
        row.button->setAccessibleName(tr("Limit unwritten data for %1 to %2").arg(title, wanted));
        break;
    case UnwrittenLimit::Staged:
        row.text->setText(tr("Staged: at most %1 of unwritten data for %2.").arg(limit, title));
        row.button->setText(tr("Take back"));
        row.button->setAccessibleName(tr("Take back the limit for %1").arg(title));
        break;
    case UnwrittenLimit::InForce:
        row.text->setText(tr("%1 may have about %2 unwritten at most.").arg(title, limit));
        row.button->setVisible(false);
        break;
    }
}

void LimitCard::press(const std::string &disk)
{
    if (unwrittenLimit(m_context.machine, m_context.staged.set(), disk) == UnwrittenLimit::Staged)
        unstageLimit(m_context.staged, disk);
    else
        // What is out of range is refused at the row of the disk's own page just so.
        static_cast<void>(stageLimit(m_context.staged, m_context.machine, disk, m_bytes));
}

} // namespace diskwright::ui
