// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "whyslowcard.h"

#include "app/health/udisks.h"
#include "ui/text/diskwords.h"
#include "ui/text/format.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Findings that are shown without asking; the rest is one key away.
constexpr std::size_t shownAtOnce = 2;

QString severityWord(health::Severity severity)
{
    switch (severity) {
    case health::Severity::Problem: return WhySlowCard::tr("Problem");
    case health::Severity::Slow: return WhySlowCard::tr("Slow");
    case health::Severity::Hint: return WhySlowCard::tr("Hint");
    }
    return {};
}

Label::Role severityRole(health::Severity severity)
{
    switch (severity) {
    case health::Severity::Problem: return Label::Role::Alarm;
    case health::Severity::Slow: return Label::Role::Accent;
    case health::Severity::Hint: return Label::Role::Muted;
    }
    return Label::Role::Body;
}

Label *wrapped(Label::Role role, const QString &words, QWidget *parent)
{
    auto *label = new Label(role, words, parent);
    label->setWordWrap(true);
    return label;
}

QWidget *findingRow(const health::Finding &finding, QWidget *parent)
{
    auto *row = new QWidget(parent);
    auto *layout = new QGridLayout(row);
    layout->setContentsMargins(0, space::unit, 0, space::unit);
    layout->setHorizontalSpacing(space::card);
    layout->setVerticalSpacing(space::half);
    layout->setColumnStretch(1, 1);
    const QString word = severityWord(finding.severity);
    auto *severity = new Label(severityRole(finding.severity), word, row);
    // One column for all rows, whatever their words.
    int widest = 0;
    for (const auto one : {health::Severity::Problem, health::Severity::Slow, health::Severity::Hint})
        widest = std::max(widest, severity->fontMetrics().horizontalAdvance(severityWord(one)));
    severity->setMinimumWidth(widest + space::unit);
    layout->addWidget(severity, 0, 0, Qt::AlignTop);
    const QString says = messageText(finding.text);
    layout->addWidget(wrapped(Label::Role::Body, says, row), 0, 1);
    layout->addWidget(wrapped(Label::Role::Body, messageText(finding.help), row), 1, 1);
    //: first the device, then the numbers
    auto *fact = wrapped(Label::Role::Muted,
                         WhySlowCard::tr("%1: %2").arg(finding.device.empty() ? WhySlowCard::tr("all disks")
                                                                              : toQString(finding.device),
                                                       toQString(finding.fact)),
                         row);
    // The files they were read from are long, and few want to know.
    fact->setToolTip(Qt::convertFromPlainText(toQString(finding.source)));
    fact->setAccessibleDescription(toQString(finding.source));
    fact->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(fact, 2, 1);
    row->setAccessibleName(word + u": "_s + says);
    row->setAccessibleDescription(messageText(finding.help));
    return row;
}

QVBoxLayout *plainColumn(QWidget *widget)
{
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    return layout;
}

} // namespace

/// One reading, shared by the card and its thread; either may go first.
class SlowReading final : public QObject
{
    Q_OBJECT

public:
    std::stop_source stop;
    std::mutex mutex;
    std::condition_variable ended;
    std::optional<Result<health::Health>> answer; ///< written once, before answered()

Q_SIGNALS:
    void answered();
};

WhySlowCard::WhySlowCard(QString root, QWidget *parent)
    : QWidget(parent)
    , m_root(std::move(root))
    , m_inside(new QWidget(this))
    , m_summary(new Label(Label::Role::Muted, this))
    , m_first(new QWidget(this))
    , m_others(new QWidget(this))
    , m_facts(new QWidget(this))
    , m_moreFindings(new Expander(tr("More findings"), this))
    , m_moreFacts(new Expander(tr("What was looked at"), this))
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, space::card);
    auto *card = new Card(this);
    outer->addWidget(card);
    card->addRow(m_inside);
    auto *layout = new QVBoxLayout(m_inside);
    layout->setContentsMargins(space::card, space::unit, space::card, space::unit);
    layout->setSpacing(space::half);
    auto *head = new QHBoxLayout;
    head->setSpacing(space::card);
    auto *title = new Label(Label::Role::Heading, tr("Why is this disk slow?"), m_inside);
    head->addWidget(title);
    m_summary->setWordWrap(true);
    head->addWidget(m_summary, 1);
    head->addWidget(m_moreFacts, 0, Qt::AlignTop);
    layout->addLayout(head);
    layout->addWidget(m_first);
    layout->addWidget(m_moreFindings, 0, Qt::AlignLeft);
    layout->addWidget(m_others);
    layout->addWidget(m_facts);
    plainColumn(m_first);
    plainColumn(m_others);
    auto *facts = new QGridLayout(m_facts);
    facts->setContentsMargins(0, space::unit, 0, space::unit);
    facts->setHorizontalSpacing(space::card);
    facts->setVerticalSpacing(space::half);
    facts->setColumnStretch(2, 1);
    m_moreFindings->setTarget(m_others);
    m_moreFacts->setTarget(m_facts);
    setTabOrder(m_moreFacts, m_moreFindings);
    setAccessibleName(title->text());
    clear();
    // The thread uses the bus; it has to end before the program's statics go.
    connect(QCoreApplication::instance(), &QCoreApplication::aboutToQuit, this, [this] {
        if (const auto reading = m_reading) {
            giveUp();
            std::unique_lock lock(reading->mutex);
            reading->ended.wait_for(lock, 2 * health::patience, [&] { return reading->answer.has_value(); });
        }
    });
}

WhySlowCard::~WhySlowCard()
{
    giveUp();
}

void WhySlowCard::setDisk(const std::string &disk)
{
    if (disk == m_disk)
        return;
    giveUp();
    m_disk = disk;
    clear();
    readAgain();
}

void WhySlowCard::giveUp()
{
    if (m_reading)
        m_reading->stop.request_stop();
    m_reading.reset();
}

void WhySlowCard::readAgain()
{
    if (m_disk.empty() || m_reading || m_away)
        return;
    const std::shared_ptr<SlowReading> reading(new SlowReading, [](SlowReading *one) { one->deleteLater(); });
    m_reading = reading;
    connect(reading.get(), &SlowReading::answered, this, &WhySlowCard::finish, Qt::QueuedConnection);
    // Whatever hangs in there hangs in a thread that nobody waits for.
    std::thread([reading, root = m_root.toStdString(), disk = m_disk] {
        health::Options options;
        options.stop = reading->stop.get_token();
        if (root == "/")
            options.drive = [](const BlockNode &node) {
                return health::readDriveHealth(QDBusConnection::systemBus(), node);
            };
        auto answer = health::readHealth(root, disk, options);
        {
            const std::lock_guard lock(reading->mutex);
            reading->answer = std::move(answer);
        }
        Q_EMIT reading->answered();
        reading->ended.notify_all();
    }).detach();
}

void WhySlowCard::setAway(bool away)
{
    if (away == m_away)
        return;
    m_away = away;
    m_inside->setEnabled(!away);
    if (!away) {
        if (!m_showsAnswer)
            clear();
        readAgain();
        return;
    }
    giveUp();
    if (!m_showsAnswer)
        m_summary->setText(tr("Nothing of this disk could be looked at."));
}

void WhySlowCard::finish()
{
    if (!m_reading || sender() != m_reading.get())
        return; // another disk was chosen meanwhile
    const std::shared_ptr<SlowReading> reading = std::move(m_reading);
    m_reading.reset();
    if (const auto &answer = reading->answer) {
        if (answer->has_value())
            showHealth(answer->value());
        else
            showError(answer->error());
    }
    Q_EMIT wasRead();
}

static void empty(QLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void WhySlowCard::clear()
{
    for (QWidget *part : {m_first, m_others, m_facts})
        empty(part->layout());
    m_first->hide();
    m_moreFindings->setChecked(false);
    m_moreFindings->hide();
    m_moreFacts->setChecked(false);
    m_moreFacts->hide();
    m_showsAnswer = false;
    m_summary->setText(tr("Looking…"));
}

void WhySlowCard::showError(const Error &error)
{
    clear();
    m_showsAnswer = true;
    m_summary->setText(tr("Could not look: %1").arg(toQString(error.reason)));
}

void WhySlowCard::showHealth(const health::Health &health)
{
    const bool findingsOpen = m_moreFindings->isChecked();
    const bool factsOpen = m_moreFacts->isChecked();
    clear();
    m_showsAnswer = true;
    if (!health.findings.empty())
        m_summary->setText(tr("%n finding(s)", nullptr, static_cast<int>(health.findings.size())));
    else if (wasLookedAt(health))
        m_summary->setText(tr("Nothing found that slows this disk."));
    else
        m_summary->setText(tr("Nothing of this disk could be looked at."));
    fillFindings(health);
    addFacts(health);
    m_moreFacts->setVisible(!health.facts.empty() || !health.unknown.empty());
    m_moreFindings->setChecked(findingsOpen && !m_moreFindings->isHidden());
    m_moreFacts->setChecked(factsOpen);
}

void WhySlowCard::fillFindings(const health::Health &health)
{
    std::size_t count = 0;
    for (const health::Finding &finding : health.findings) {
        QWidget *place = count < shownAtOnce ? m_first : m_others;
        place->layout()->addWidget(findingRow(finding, place));
        ++count;
    }
    m_first->setVisible(count > 0);
    if (count <= shownAtOnce)
        return;
    const QString more = tr("%n more finding(s)", nullptr, static_cast<int>(count - shownAtOnce));
    m_moreFindings->setText(more);
    m_moreFindings->setAccessibleName(more);
    m_moreFindings->show();
}

void WhySlowCard::addFacts(const health::Health &health)
{
    auto *grid = qobject_cast<QGridLayout *>(m_facts->layout());
    int row = 0;
    for (const health::Fact &fact : health.facts) {
        const char *title = health::factTitle(fact.id);
        grid->addWidget(new Label(Label::Role::Muted, toQString(fact.device), m_facts), row, 0);
        auto *what =
            new Label(Label::Role::Body, QCoreApplication::translate(health::messageContext, title), m_facts);
        grid->addWidget(what, row, 1);
        auto *value = wrapped(Label::Role::Body, toQString(fact.value), m_facts);
        value->setToolTip(Qt::convertFromPlainText(toQString(fact.source)));
        value->setAccessibleDescription(toQString(fact.source));
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(value, row, 2);
        ++row;
    }
    if (health.unknown.empty())
        return;
    grid->addWidget(new Label(Label::Role::Heading, tr("Not known"), m_facts), row++, 0, 1, 3);
    for (const health::Unknown &unknown : health.unknown) {
        grid->addWidget(new Label(Label::Role::Muted, toQString(unknown.device), m_facts), row, 0);
        grid->addWidget(wrapped(Label::Role::Body, messageText(unknown.text), m_facts), row++, 1, 1, 2);
    }
}

} // namespace diskwright::ui

#include "whyslowcard.moc"
