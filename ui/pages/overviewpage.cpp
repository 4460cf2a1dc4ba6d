// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "overviewpage.h"

#include "app/health/udisks.h"
#include "ui/pages/diskcard.h"

#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

static constexpr int cardWidth = 336;
// The first window comes first.
static constexpr auto healthAfter = 1500ms;

/// Keeps a layout still while widgets in it are shown, one by one: each would lay out all others at once,
/// which with many disks takes seconds. What has to move moves afterwards.
class Still final
{
public:
    explicit Still(QLayout *layout)
        : m_layout(layout)
    {
        m_layout->setEnabled(false);
    }
    ~Still() { m_layout->setEnabled(true); }
    Q_DISABLE_COPY_MOVE(Still)

private:
    QLayout *m_layout;
};

// A copy of a machine has no service that knows its disks.
static DriveWords::Reader storedHealth(const Machine &machine)
{
    if (!machine.isLive())
        return {};
    return [](const BlockNode &disk) { return health::readDriveHealth(QDBusConnection::systemBus(), disk); };
}

OverviewPage::OverviewPage(const Context &context, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_findings(new Card(this))
    , m_grid(new QGridLayout)
    , m_empty(new Label(Label::Role::Muted, this))
    , m_pulse(context.machine.root(), 2s)
    , m_health(storedHealth(context.machine), [this] { return disksOfCards(); })
{
    if (!m_context.healthWords)
        m_context.healthWords = [this](const BlockNode &disk) { return m_health.words(disk); };
    setTitle(tr("Overview"), tr("What is there, and does anything need you?"));
    m_findings->setAccessibleName(tr("Findings"));
    m_grid->setContentsMargins(0, space::unit, 0, 0);
    m_grid->setSpacing(space::card);
    m_empty->setWordWrap(true);
    body()->addWidget(m_findings);
    body()->addWidget(m_empty);
    body()->addLayout(m_grid);
    body()->addStretch(1);
    connect(&context.machine, &Machine::disksChanged, this, &OverviewPage::refresh);
    connect(&context.machine, &Machine::silenceChanged, this, &OverviewPage::refreshCards);
    connect(&context.machine, &Machine::settingsChanged, this, &OverviewPage::refreshCard);
    connect(&context.machine, &Machine::wasRead, this, &OverviewPage::showFindings);
    connect(&m_health, &DriveWords::changed, this, &OverviewPage::refreshCards);
    connect(&m_pulse, &PulseReader::beat, this, &OverviewPage::add);
    refresh();
}

void OverviewPage::enter()
{
    m_context.machine.readAgain();
    m_pulse.start();
    m_health.start(healthAfter);
}

void OverviewPage::leave()
{
    m_pulse.stop();
    m_health.stop();
}

void OverviewPage::refresh()
{
    std::vector<std::string> wanted;
    for (const BlockNode *disk : overviewDisks(m_context.machine))
        wanted.push_back(disk->name);
    const bool same =
        std::ranges::equal(wanted, m_cards, {}, {}, [](const DiskCard *card) { return card->disk(); });
    if (!same) {
        // The cards that stay are the same widgets: the focus stays where it is.
        std::vector<DiskCard *> cards;
        for (const std::string &disk : wanted) {
            const auto old = std::ranges::find_if(
                m_cards, [&](const DiskCard *card) { return card && card->disk() == disk; });
            if (old != m_cards.end()) {
                cards.push_back(std::exchange(*old, nullptr));
                continue;
            }
            auto *card = new DiskCard(m_context, disk, this);
            connect(card, &QAbstractButton::clicked, this,
                    [this, disk] { Q_EMIT placeWanted({Place::Kind::Disk, disk}); });
            cards.push_back(card);
        }
        for (DiskCard *old : m_cards) {
            if (old) {
                old->hide();
                old->deleteLater();
            }
        }
        std::erase_if(m_throughput,
                      [&](const auto &entry) { return !std::ranges::contains(wanted, entry.first); });
        m_cards = std::move(cards);
        m_columns = 0;
        arrange();
    }
    m_empty->setText(m_context.machine.wasEverRead() ? tr("The kernel lists no disk.")
                                                     : tr("Looking for disks…"));
    // The card of findings names an error.
    m_empty->setVisible(m_cards.empty() && !m_context.machine.error());
    refreshCards();
}

std::vector<BlockNode> OverviewPage::disksOfCards() const
{
    std::vector<BlockNode> disks;
    for (const DiskCard *card : m_cards) {
        const BlockNode *disk = m_context.machine.node(card->disk());
        if (disk && m_context.machine.presence(card->disk()) == Presence::Here)
            disks.push_back(*disk);
    }
    return disks;
}

void OverviewPage::refreshCards()
{
    const Still still(body());
    for (DiskCard *card : m_cards)
        card->refresh();
    showFindings();
}

// One of many: the findings are shown once, when all was read.
void OverviewPage::refreshCard(const std::string &disk)
{
    const auto card = std::ranges::find(m_cards, disk, [](const DiskCard *one) { return one->disk(); });
    if (card != m_cards.end())
        (*card)->refresh();
}

void OverviewPage::showFindings()
{
    auto findings =
        overviewFindings(m_context.machine, m_writeback, m_health.problems(m_context.machine.disks()));
    if (!m_context.machine.wasEverRead())
        findings.clear();
    m_findings->setVisible(!findings.empty());
    if (findings == m_shown)
        return;
    const bool sameRows =
        std::ranges::equal(findings, m_shown, {}, &OverviewFinding::action, &OverviewFinding::action);
    m_shown = std::move(findings);
    if (sameRows) {
        // Only numbers moved: the button that has the focus keeps it.
        for (std::size_t i = 0; i < m_shown.size(); ++i) {
            m_texts[i]->setText((m_shown[i].isProblem ? u"⚠ "_s : QString()) + m_shown[i].text);
            m_texts[i]->setAccessibleName(m_shown[i].text);
        }
        return;
    }
    while (QLayoutItem *item = m_findings->layout()->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_texts.clear();
    for (std::size_t i = 0; i < m_shown.size(); ++i)
        m_findings->addRow(findingRow(i));
    m_findings->update();
}

QWidget *OverviewPage::findingRow(std::size_t index)
{
    const OverviewFinding &finding = m_shown[index];
    auto *row = new QWidget(m_findings);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(space::card, space::unit, space::card, space::unit);
    layout->setSpacing(space::card);
    const bool isAnswer = index == 0 && !finding.isProblem;
    auto *text = new Label(isAnswer ? Label::Role::Heading : Label::Role::Body,
                           finding.isProblem ? u"⚠ "_s + finding.text : finding.text, row);
    text->setAccessibleName(finding.text);
    text->setWordWrap(true);
    m_texts.push_back(text);
    layout->addWidget(text, 1);
    if (!finding.action.isEmpty()) {
        auto *button = new QPushButton(finding.action, row);
        button->setAccessibleDescription(finding.text);
        layout->addWidget(button, 0, Qt::AlignVCenter);
        connect(button, &QPushButton::clicked, this, [this, index] {
            const OverviewFinding wanted = m_shown[index];
            if (wanted.setting)
                Q_EMIT settingWanted(*wanted.setting);
            else
                Q_EMIT placeWanted(wanted.place);
        });
    }
    return row;
}

void OverviewPage::arrange()
{
    const int columns = std::max(1, (width() - 2 * space::page + space::card) / (cardWidth + space::card));
    if (columns == m_columns)
        return;
    m_columns = columns;
    const Still still(body());
    while (QLayoutItem *item = m_grid->takeAt(0))
        delete item;
    int place = 0;
    for (DiskCard *card : m_cards) {
        m_grid->addWidget(card, place / columns, place % columns);
        card->show();
        ++place;
    }
    for (int column = 0; column < std::max(columns, m_grid->columnCount()); ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
}

void OverviewPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    arrange();
}

void OverviewPage::add(const Pulse &pulse)
{
    const Still still(body());
    m_writeback = pulse.writeback;
    for (DiskCard *card : m_cards) {
        if (const auto counters = pulse.disks.find(card->disk()); counters != pulse.disks.end()) {
            Throughput &throughput = m_throughput[card->disk()];
            if (isCounted(m_context.machine.settings(card->disk())))
                throughput.add(counters->second, pulse.time);
            else
                throughput = {};
            card->showThroughput(throughput);
        }
    }
    showFindings();
}

} // namespace diskwright::ui
