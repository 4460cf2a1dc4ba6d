// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskpage.h"

#include "ui/pages/benchmarkpanel.h"
#include "ui/pages/settinglist.h"
#include "ui/pages/whyslowcard.h"
#include "ui/text/format.h"

#include <QLocale>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

static QString transportText(const std::string &transport)
{
    // As the makers print it on the box.
    if (transport == "sata" || transport == "ata" || transport == "usb" || transport == "scsi" ||
        transport == "sas" || transport == "mmc")
        return toQString(transport).toUpper();
    if (transport == "nvme")
        return u"NVMe"_s;
    return toQString(transport);
}

static void collectMounts(const BlockNode &node, const DiskList &all, QStringList &targets, int depth = 0)
{
    for (const MountUse &mount : node.mounts)
        targets << toQString(mount.target);
    for (const BlockNode &partition : node.partitions)
        collectMounts(partition, all, targets, depth);
    // LUKS, LVM and RAID stand on it; a loop in a damaged tree must not hang the window.
    for (const std::string &holder : node.holders) {
        const BlockNode *above = all.find(holder);
        if (above && depth < 8)
            collectMounts(*above, all, targets, depth + 1);
    }
}

DiskPage::DiskPage(const Context &context, std::string disk, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_disk(std::move(disk))
    , m_model(context.machine, context.staged, m_disk)
    , m_holds(new Label(Label::Role::Muted, this))
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
    connect(&context.machine, &Machine::wasRead, this,
            [this] { m_waiting->setVisible(!m_context.machine.hasRead(m_disk) && m_model.rowCount() == 0); });
    refresh();
}

void DiskPage::enter()
{
    m_waiting->setVisible(!m_context.machine.hasRead(m_disk));
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

void DiskPage::setFilter(const QString &text)
{
    if (!text.isEmpty())
        m_tabs->setCurrentIndex(0);
    m_why->setVisible(text.isEmpty());
    m_list->setFilter(text);
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
    }
    m_queue->setVisible(tab == 0);
    if (m_measure)
        m_measure->setVisible(tab == 1);
}

QString DiskPage::facts(const BlockNode &disk) const
{
    QStringList facts{toQString(disk.name)};
    if (disk.transport)
        facts << transportText(*disk.transport);
    if (disk.sizeBytes)
        facts << diskSizeText(*disk.sizeBytes);
    if (disk.removable.value_or(false))
        facts << tr("removable");
    if (disk.rotational && disk.type == "disk")
        facts << (*disk.rotational ? tr("hard disk") : tr("solid state"));
    return facts.join(u" · "_s);
}

QString DiskPage::holds(const BlockNode &disk) const
{
    QStringList targets;
    collectMounts(disk, m_context.machine.disks(), targets);
    targets.removeDuplicates();
    std::ranges::sort(targets);
    if (targets.isEmpty())
        return disk.system ? tr("Holds this system.") : tr("Nothing on it is mounted.");
    static constexpr qsizetype most = 6;
    const QString list = targets.mid(0, most).join(u"  "_s) + (targets.size() > most ? u" …"_s : QString());
    return disk.system ? tr("Holds this system: %1").arg(list) : tr("Mounted: %1").arg(list);
}

void DiskPage::refresh()
{
    const BlockNode *disk = m_context.machine.disks().find(m_disk);
    if (!disk) {
        setTitle(toQString(m_disk), tr("This disk is no longer there."));
        m_list->setEnabled(false);
        return;
    }
    m_list->setEnabled(true);
    setTitle(m_context.machine.diskTitle(m_disk), facts(*disk));
    m_holds->setText(holds(*disk));
}

} // namespace diskwright::ui
