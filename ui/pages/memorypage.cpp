// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "memorypage.h"

#include "ui/charts/writebackpicture.h"
#include "ui/models/slowdisks.h"
#include "ui/pages/limitcard.h"
#include "ui/pages/settinglist.h"
#include "ui/text/format.h"

#include <QVBoxLayout>

namespace diskwright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

MemoryPage::MemoryPage(const Context &context, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_model(context.machine, context.staged, {})
    , m_picture(new WritebackPicture(this))
    , m_dirty(new Label(Label::Role::Heading, this))
    , m_sentence(new Label(Label::Role::Muted, this))
    , m_limits(new LimitCard(context, this))
    , m_list(new SettingList(m_model, this))
    , m_pulse(context.machine.root(), 1s)
{
    setTitle(tr("Memory and writeback"), tr("Why does everything freeze while I copy?"));
    auto *card = new Card(this);
    auto *inside = new QWidget(card);
    auto *layout = new QVBoxLayout(inside);
    layout->setContentsMargins(space::card, space::card, space::card, space::card);
    layout->setSpacing(space::unit);
    m_dirty->setWordWrap(true);
    m_sentence->setWordWrap(true);
    layout->addWidget(m_dirty);
    layout->addWidget(m_picture);
    layout->addWidget(m_sentence);
    card->addRow(inside);
    body()->addWidget(card);
    body()->addSpacing(space::unit);
    body()->addWidget(m_limits);
    body()->addSpacing(space::unit);
    body()->addWidget(m_list);
    body()->addStretch(1);
    connect(&m_pulse, &PulseReader::beat, this, &MemoryPage::add);
    connect(&context.staged, &StagedChanges::changed, this, &MemoryPage::showPicture);
    connect(m_list, &SettingList::forgetWanted, this, &Page::forgetWanted);
}

Page::Needs MemoryPage::needs() const
{
    std::vector<std::string> targets = slowDisks(m_context.machine);
    targets.emplace_back();
    return {.targets = std::move(targets)};
}

void MemoryPage::enter()
{
    m_context.machine.readAgain({});
    m_pulse.start();
}

void MemoryPage::leave()
{
    m_pulse.stop();
}

void MemoryPage::reveal(const Address &address)
{
    if (QWidget *row = m_list->reveal(address))
        scrollTo(row);
}

void MemoryPage::add(const Pulse &pulse)
{
    m_picture->setVisible(pulse.writeback.has_value());
    m_sentence->setVisible(pulse.writeback.has_value());
    if (!pulse.writeback) {
        m_dirty->setText(tr("The kernel does not show how much waits to be written."));
        return;
    }
    m_history.add(*pulse.writeback);
    m_limits->setWriteback(pulse.writeback);
    if (isVisible() && !window()->isMinimized())
        showPicture();
}

void MemoryPage::showPicture()
{
    if (m_history.isEmpty())
        return;
    const WritebackSample &now = m_history.samples().back();
    const WritebackLimits limits = limitsWith(m_model, now);
    m_picture->show(m_history, limits);
    m_dirty->setText(tr("%1 wait to be written, %2 are being written now")
                         .arg(memoryText(now.dirty), memoryText(now.writeback)));
    m_sentence->setText(
        tr("Up to %1 of unwritten data are allowed: from there on every program that writes "
           "waits. A slow stick at 10 MB/s needs about %2 for that much.")
            .arg(memoryText(limits.limit), durationText(static_cast<std::int64_t>(limits.limit / 10e6))));
}

} // namespace diskwright::ui
