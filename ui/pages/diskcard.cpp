// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskcard.h"

#include "ui/charts/diskpictures.h"
#include "ui/frame/style.h"
#include "ui/text/diskwords.h"
#include "ui/text/format.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QKeyEvent>
#include <QPainter>
#include <QTextDocument>
#include <QVBoxLayout>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

static constexpr int pictureSize = 22;
static constexpr int narrowest = 280;
// Bytes a second; below it the two digits that are shown would be zeros.
static constexpr double quiet = 10e3;

DiskCard::DiskCard(const Context &context, std::string disk, QWidget *parent)
    : QAbstractButton(parent)
    , m_context(context)
    , m_disk(std::move(disk))
    , m_icon(new Label(Label::Role::Body, this))
    , m_title(new Label(Label::Role::Heading, this))
    , m_name(new Label(Label::Role::Muted, this))
    , m_facts(new Label(Label::Role::Muted, this))
    , m_place(new Label(Label::Role::Body, this))
    , m_partitions(new Label(Label::Role::Muted, this))
    , m_settings(new Label(Label::Role::Body, this))
    , m_health(new Label(Label::Role::Body, this))
    , m_rate(new Label(Label::Role::Muted, this))
    , m_bar(new SizeBar(this))
    , m_line(new Sparkline(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    // A button gives its children its own colour of text, and the labels have theirs.
    setForegroundRole(QPalette::WindowText);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::card, space::card, space::card, space::card);
    layout->setSpacing(space::half);
    auto *head = new QHBoxLayout;
    head->setSpacing(space::unit);
    head->addWidget(m_icon);
    head->addWidget(m_title, 1);
    head->addWidget(m_name);
    layout->addLayout(head);
    layout->addWidget(m_facts);
    layout->addWidget(m_place);
    layout->addSpacing(space::half);
    layout->addWidget(m_bar);
    layout->addWidget(m_partitions);
    // A card that is as tall as its neighbour keeps its lines together.
    layout->addStretch(1);
    layout->addSpacing(space::half);
    auto *foot = new QHBoxLayout;
    foot->setSpacing(space::unit);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_settings);
    words->addWidget(m_health);
    foot->addLayout(words, 1);
    auto *now = new QVBoxLayout;
    now->setSpacing(2);
    now->addWidget(m_line, 0, Qt::AlignRight);
    now->addWidget(m_rate, 0, Qt::AlignRight);
    foot->addLayout(now);
    layout->addLayout(foot);
    m_title->setShortens();
    for (Label *label : {m_facts, m_place, m_partitions, m_settings, m_health})
        label->setWordWrap(true);
    // The card is one button: a press anywhere is for it.
    for (QWidget *child : findChildren<QWidget *>()) {
        child->setAttribute(Qt::WA_TransparentForMouseEvents);
        if (auto *label = qobject_cast<QLabel *>(child))
            label->setTextInteractionFlags(Qt::NoTextInteraction);
    }
    m_line->hide();
    m_rate->hide();
    refresh();
}

void DiskCard::refresh()
{
    const Machine &machine = m_context.machine;
    const BlockNode *disk = machine.node(m_disk);
    if (!disk)
        return;
    const QString title = machine.diskTitle(m_disk);
    const QIcon icon = QIcon::fromTheme(SidebarModel::diskIcon(*disk));
    m_icon->setPixmap(
        hasLineIcons() ? tinted(icon, palette().color(QPalette::WindowText), pictureSize, devicePixelRatioF())
                       : icon.pixmap(QSize(pictureSize, pictureSize), devicePixelRatioF()));
    m_title->setText(title);
    m_name->setText(toQString(disk->name));
    m_name->setVisible(title != toQString(disk->name));
    m_facts->setText(diskFacts(*disk));
    const Presence presence = machine.presence(m_disk);
    const bool silent = presence == Presence::Silent;
    m_place->setRole(silent ? Label::Role::Alarm : Label::Role::Body);
    m_place->setText(
        silent ? u"⚠ "_s + tr("Does not answer for %1.").arg(durationText(machine.silentFor(m_disk).count()))
               : mountWords(*disk, machine.disks(), 4));
    m_bar->show(stretchesOf(*disk));
    m_bar->setVisible(!m_bar->isEmpty());
    m_partitions->setText(partitionWords(*disk));
    m_partitions->setVisible(!m_partitions->text().isEmpty());
    m_settings->setText(differingWords(machine, m_disk));
    m_settings->setVisible(!m_settings->text().isEmpty());
    QString health = m_context.healthWords ? m_context.healthWords(*disk) : QString();
    if (health.isEmpty() && disk->scheduler)
        health = tr("Scheduler %1").arg(toQString(*disk->scheduler));
    m_health->setText(health);
    m_health->setVisible(!health.isEmpty());
    setAccessibleName(m_name->text() == title ? title : tr("%1, disk %2").arg(title, m_name->text()));
    QStringList description{m_facts->text(), m_place->text(), m_partitions->text(), m_settings->text(),
                            health};
    description.removeAll(QString());
    setAccessibleDescription(description.join(u". "_s));
    // The whole of what the card may have to shorten.
    QStringList whole = mountTargets(*disk, machine.disks());
    whole.prepend(title);
    setToolTip(Qt::convertFromPlainText(whole.join(u'\n') + u"\n\n"_s + tr("Opens this disk's page.")));
}

void DiskCard::showThroughput(const Throughput &throughput)
{
    const auto &rates = throughput.rates();
    m_line->setVisible(!rates.empty());
    m_rate->setVisible(!rates.empty());
    if (rates.empty())
        return;
    m_line->show(rates);
    const QString text =
        rates.back() < quiet ? tr("quiet now") : tr("%1 now").arg(throughputText(rates.back()));
    if (m_rate->text() != text)
        m_rate->setText(text);
}

QSize DiskCard::sizeHint() const
{
    return layout()->sizeHint();
}

QSize DiskCard::minimumSizeHint() const
{
    return {narrowest, layout()->minimumSize().height()};
}

int DiskCard::heightForWidth(int width) const
{
    return layout()->heightForWidth(width);
}

void DiskCard::enterEvent(QEnterEvent *event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void DiskCard::leaveEvent(QEvent *event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

void DiskCard::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void DiskCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool hot = underMouse() || isDown();
    painter.setPen(hot ? mutedColor(palette()) : lineColor(palette()));
    painter.setBrush(cardColor(palette()));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(accentColor(palette()), 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    }
}

} // namespace diskwright::ui
