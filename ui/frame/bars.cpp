// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bars.h"

#include "helper/contract/limits.h"
#include "ui/models/machine.h"
#include "ui/models/reviewmodel.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace diskwright::ui {

using namespace std::chrono_literals;

static TransactionId transactionOf(const PendingTrial &trial)
{
    return trial.record.transaction;
}

static QHBoxLayout *barLayout(QWidget *bar)
{
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(space::page, space::unit, space::page, space::unit);
    layout->setSpacing(space::unit);
    return layout;
}

StagedBar::StagedBar(const Machine &machine, StagedChanges &staged, const StagedDisks &disks, QWidget *parent)
    : QWidget(parent)
    , m_machine(machine)
    , m_staged(staged)
    , m_disks(disks)
    , m_text(new Label(Label::Role::Heading, this))
    , m_problem(new Label(Label::Role::Alarm, this))
    , m_review(new QPushButton(tr("&Review…"), this))
{
    auto *discard = new QPushButton(tr("&Discard"), this);
    discard->setAccessibleDescription(tr("Takes back every staged change. Nothing in the system changes."));
    m_review->setDefault(true);
    m_review->setAccessibleDescription(tr("Shows what will be done, in order, before anything is done."));
    m_review->setToolTip(tr("Ctrl+R"));
    auto *layout = barLayout(this);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_text);
    words->addWidget(m_problem);
    layout->addLayout(words, 1);
    layout->addWidget(discard);
    layout->addWidget(m_review);
    m_text->setWordWrap(true);
    m_problem->setWordWrap(true);
    connect(discard, &QPushButton::clicked, this, [this] { m_staged.clear(); });
    connect(m_review, &QPushButton::clicked, this, &StagedBar::reviewWanted);
    // Also when a disk came or went, and with every change of what is staged.
    connect(&disks, &StagedDisks::changed, this, &StagedBar::refresh);
    refresh();
}

void StagedBar::refresh()
{
    const ChangeSet &set = m_staged.set();
    setVisible(!set.isEmpty());
    if (set.isEmpty())
        return;
    QStringList names;
    for (const std::string &target : set.targets())
        names << targetText(target.empty() ? std::string() : m_machine.diskTitle(target).toStdString(),
                            target);
    const int count = static_cast<int>(set.count());
    m_text->setText(
        names.size() == 1
            ? tr("%n change(s) staged: %1", nullptr, count).arg(names.first())
            : tr("%n change(s) staged: %1", nullptr, count).arg(QLocale().createSeparatedList(names)));
    QStringList problems;
    for (const std::string &target : set.targets())
        problems << m_disks.whyNot(target);
    problems.removeAll(QString());
    m_problem->setText(problems.isEmpty() ? QString() : QStringLiteral("⚠ ") + problems.join(u' '));
    m_problem->setAccessibleName(problems.join(u' '));
    m_problem->setVisible(!problems.isEmpty());
    m_review->setEnabled(!m_disks.applicable().isEmpty());
}

QString titleOf(const TrialRecord::Item &item)
{
    const SettingSpec *spec = findSetting(item.address.domain, item.address.key);
    const QString title = spec ? settingTitle(*spec) : toQString(item.address.key);
    return item.address.target.empty()
               ? title
               //: %1 is a setting, %2 a disk
               : TrialBar::tr("%1 on %2").arg(title, targetText(item.displayName, item.address.target));
}

QString changesOf(const TrialRecord &record)
{
    if (record.items.empty())
        return {};
    const QString text = titleOf(record.items.front());
    const int others = static_cast<int>(record.items.size()) - 1;
    return others > 0 ? TrialBar::tr("%1, and %n more", nullptr, others).arg(text) : text;
}

TrialBar::TrialBar(Applier &applier, About about, QWidget *parent)
    : QWidget(parent)
    , m_applier(applier)
    , m_about(about)
    , m_text(new Label(Label::Role::Heading, this))
    , m_changes(new Label(Label::Role::Muted, this))
    , m_works(new QPushButton(tr("It &works"), this))
    , m_more(new QPushButton(tr("&More time"), this))
    , m_back(new QPushButton(tr("&Put back now"), this))
{
    m_works->setAccessibleDescription(tr("Ends the trial and leaves the new values in force."));
    m_more->setAccessibleDescription(tr("Prolongs the trial by one minute."));
    m_back->setAccessibleDescription(tr("Ends the trial and puts the old values back."));
    m_text->setWordWrap(true);
    m_changes->setWordWrap(true);
    auto *layout = barLayout(this);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_text);
    words->addWidget(m_changes);
    layout->addLayout(words, 1);
    layout->addWidget(m_works);
    layout->addWidget(m_more);
    layout->addWidget(m_back);
    // The bar may be gone before the answer: the review can be closed meanwhile.
    const auto onSettled = [self = QPointer(this)](const ApplyReport &report) {
        if (self)
            self->settle(report);
    };
    connect(m_works, &QPushButton::clicked, this, [this, onSettled] {
        if (m_trial) {
            setBusy(true);
            m_applier.confirm(m_trial->record.transaction, onSettled);
        }
    });
    connect(m_more, &QPushButton::clicked, this, [this] {
        if (!m_trial)
            return;
        setBusy(true);
        m_applier.prolong(m_trial->record.transaction, 60s,
                          [self = QPointer(this)](const ApplyReport &report) {
                              if (self)
                                  self->prolonged(report);
                          });
    });
    connect(m_back, &QPushButton::clicked, this, [this, onSettled] {
        if (m_trial) {
            setBusy(true);
            m_applier.end(m_trial->record.transaction, onSettled);
        }
    });
    connect(&applier, &Applier::trialsChanged, this, &TrialBar::refresh);
    m_timer.setInterval(250);
    connect(&m_timer, &QTimer::timeout, this, &TrialBar::tick);
    refresh();
}

void TrialBar::follow(const TransactionId &transaction)
{
    m_followed = transaction;
    refresh();
}

void TrialBar::settle(const ApplyReport &report)
{
    m_trial.reset();
    setBusy(false);
    refresh();
    Q_EMIT settled(report);
}

void TrialBar::prolonged(const ApplyReport &report)
{
    setBusy(false);
    refresh();
    if (report.call != CallState::Answered || report.outcome != Outcome::Prolonged)
        Q_EMIT settled(report);
}

bool TrialBar::isMine(const PendingTrial &trial) const
{
    return !trial.record.lease && (m_about == About::Soonest || trial.record.transaction == m_followed);
}

void TrialBar::setBusy(bool busy)
{
    m_isBusy = busy;
    for (QPushButton *button : {m_works, m_more, m_back})
        button->setEnabled(!busy);
}

// Those that ran out while the bar was about another one.
void TrialBar::tellOthers(const std::vector<PendingTrial> &trials)
{
    for (const PendingTrial &other : std::exchange(m_others, {})) {
        const TransactionId &id = other.record.transaction;
        const bool isShown = m_trial && m_trial->record.transaction == id;
        if (isShown || other.left() > std::chrono::nanoseconds(0) ||
            std::ranges::contains(trials, id, transactionOf))
            continue;
        m_applier.awaitEnd(other.record, [self = QPointer(this)](const ApplyReport &report) {
            if (self)
                Q_EMIT self->settled(report);
        });
    }
}

void TrialBar::refresh()
{
    const auto trials = m_applier.pendingTrials();
    tellOthers(trials);
    const auto trial = std::ranges::find_if(trials, [this](const PendingTrial &pending) {
        return isMine(pending) && pending.left() > std::chrono::nanoseconds(0);
    });
    // Another program of the user may have confirmed or ended it.
    if (m_trial && !m_isBusy && !std::ranges::contains(trials, m_trial->record.transaction, transactionOf))
        tellEnd();
    m_trial = trial != trials.end() ? std::optional(*trial) : std::nullopt;
    for (const PendingTrial &pending : trials) {
        if (isMine(pending) && (!m_trial || transactionOf(pending) != transactionOf(*m_trial)))
            m_others.push_back(pending);
    }
    m_shownSeconds = -1;
    setVisible(m_trial.has_value());
    m_changes->setText(m_trial && m_about == About::Soonest ? changesOf(m_trial->record) : QString());
    m_changes->setVisible(!m_changes->text().isEmpty());
    if (m_trial) {
        m_timer.start();
        tick();
    } else {
        m_timer.stop();
    }
}

void TrialBar::tick()
{
    if (!m_trial)
        return;
    const auto left = std::chrono::ceil<std::chrono::seconds>(m_trial->left()).count();
    if (left == m_shownSeconds)
        return;
    m_shownSeconds = left;
    // Another program of the user may have confirmed, ended or prolonged it.
    const auto trials = m_applier.pendingTrials();
    const auto same = std::ranges::find(trials, m_trial->record.transaction, transactionOf);
    const bool isAsKnown = same != trials.end() && same->record.deadlineBoottimeNanoseconds ==
                                                       m_trial->record.deadlineBoottimeNanoseconds;
    if (left > 0 ? !isAsKnown : same != trials.end() && !isAsKnown) {
        refresh();
        return;
    }
    const int count = static_cast<int>(m_trial->record.items.size());
    if (left > 0) {
        //: %1 is a time like 0:12
        m_text->setText(tr("Trying %n change(s), put back in %1", nullptr, count).arg(clockText(left)));
    } else {
        m_text->setText(tr("The trial is over, putting back %n change(s)", nullptr, count));
        // The helper puts back by its own clock; what it did is read, not assumed.
        tellEnd();
    }
}

void TrialBar::tellEnd()
{
    setBusy(true);
    m_applier.awaitEnd(m_trial->record, [self = QPointer(this)](const ApplyReport &report) {
        if (!self)
            return;
        self->settle(report);
        if (self)
            Q_EMIT self->m_applier.systemChanged();
    });
}

} // namespace diskwright::ui
