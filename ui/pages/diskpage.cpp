// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskpage.h"

#include "ui/pages/benchmarkpanel.h"
#include "ui/pages/settinglist.h"
#include "ui/pages/whyslowcard.h"
#include "ui/text/diskwords.h"
#include "ui/text/format.h"

#include <QTabBar>
#include <QTextDocument>
#include <QVBoxLayout>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

DiskPage::DiskPage(const Context &context, std::string disk, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_disk(std::move(disk))
    , m_model(context.machine, context.staged, m_disk)
    , m_holds(new Label(Label::Role::Muted, this))
    , m_presence(new Label(Label::Role::Alarm, this))
    , m_tabs(new QTabBar(this))
    , m_queue(new QWidget(this))
    , m_why(new WhySlowCard(context.machine.root(), m_queue))
    , m_list(new SettingList(m_model, m_queue))
    , m_waiting(new Label(Label::Role::Muted, tr("Reading the settings of this disk…"), m_queue))
{
    auto *head = new QWidget(this);
    auto *headLayout = new QVBoxLayout(head);
    headLayout->setContentsMargins(space::page, 0, space::page, space::card);
    headLayout->setSpacing(space::unit);
    m_holds->setWordWrap(true);
    headLayout->addWidget(m_holds);
    m_presence->setWordWrap(true);
    headLayout->addWidget(m_presence);
    headLayout->addWidget(m_tabs, 0, Qt::AlignLeft);
    setHead(head);
    m_tabs->addTab(tr("Queue"));
    m_tabs->addTab(tr("Measure"));
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName(tr("Parts of this page"));
    auto *queueLayout = new QVBoxLayout(m_queue);
    queueLayout->setContentsMargins(0, 0, 0, 0);
    queueLayout->addWidget(m_why);
    queueLayout->addWidget(m_waiting);
    queueLayout->addWidget(m_list);
    body()->addWidget(m_queue);
    body()->addStretch(1);
    connect(m_tabs, &QTabBar::currentChanged, this, &DiskPage::showTab);
    connect(m_list, &SettingList::measureWanted, this, &Page::measureWanted);
    connect(m_list, &SettingList::forgetWanted, this, &Page::forgetWanted);
    connect(&context.machine, &Machine::disksChanged, this, &DiskPage::refresh);
    connect(&context.machine, &Machine::wasRead, this, &DiskPage::showPresence);
    connect(&context.machine, &Machine::silenceChanged, this, &DiskPage::showPresence);
    connect(&context.stagedDisks, &StagedDisks::changed, this, &DiskPage::showPresence);
    refresh();
}

void DiskPage::enter()
{
    showPresence();
    m_context.machine.readAgain(m_disk);
    if (m_why->disk().empty())
        m_why->setDisk(m_disk);
    else
        m_why->readAgain();
    if (m_measure)
        m_measure->enter();
}

void DiskPage::leave()
{
    if (m_measure)
        m_measure->leave();
}

void DiskPage::reveal(const Address &address)
{
    m_tabs->setCurrentIndex(0);
    if (QWidget *row = m_list->reveal(address))
        scrollTo(row);
}

void DiskPage::openMeasure(const Address &address)
{
    m_tabs->setCurrentIndex(1);
    m_measure->compare(address);
}

void DiskPage::showTab(int tab)
{
    if (tab == 1 && !m_measure) {
        m_measure = new BenchmarkPanel(m_context, m_disk, this);
        connect(m_measure, &BenchmarkPanel::message, this, &Page::message);
        body()->insertWidget(1, m_measure, 1);
        m_measure->enter();
        showPresence();
    }
    m_queue->setVisible(tab == 0);
    if (m_measure)
        m_measure->setVisible(tab == 1);
}

void DiskPage::showPresence()
{
    const Machine &machine = m_context.machine;
    QString text;
    switch (machine.presence(m_disk)) {
    case Presence::Here: break;
    case Presence::Gone:
        text = m_context.stagedDisks.isStaged(m_disk) ? m_context.stagedDisks.whyNot(m_disk)
                                                      : tr("This disk is no longer there.");
        break;
    case Presence::Silent:
        text = tr("This disk does not answer for %1. What is shown was read before.")
                   .arg(durationText(machine.silentFor(m_disk).count()));
        break;
    }
    const bool here = text.isEmpty();
    m_presence->setText(here ? QString() : u"⚠ "_s + text);
    m_presence->setAccessibleName(text);
    m_presence->setVisible(!here);
    m_list->setEnabled(here);
    m_why->setAway(!here);
    if (m_measure)
        m_measure->setAway(text);
    m_waiting->setVisible(here && !machine.hasRead(m_disk) && m_model.rowCount() == 0);
}

void DiskPage::refresh()
{
    showPresence();
    const BlockNode *disk = m_context.machine.node(m_disk);
    if (!disk) {
        setTitle(toQString(m_disk));
        return;
    }
    const QString title = m_context.machine.diskTitle(m_disk);
    QStringList facts{toQString(disk->name), diskFacts(*disk)};
    if (title == facts.first())
        facts.removeFirst();
    setTitle(title, facts.join(u" · "_s));
    m_holds->setText(mountWords(*disk, m_context.machine.disks()));
    m_holds->setToolTip(Qt::convertFromPlainText(mountTargets(*disk, m_context.machine.disks()).join(u'\n')));
    m_holds->setVisible(m_context.machine.presence(m_disk) != Presence::Gone);
}

} // namespace diskwright::ui
