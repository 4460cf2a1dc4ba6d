// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bars.h"

#include "helper/contract/limits.h"
#include "ui/models/machine.h"
#include "ui/models/reviewmodel.h"
#include "ui/text/format.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

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

TrialBar::TrialBar(Applier &applier, QWidget *parent)
    : QWidget(parent)
    , m_applier(applier)
    , m_text(new Label(Label::Role::Heading, this))
    , m_works(new QPushButton(tr("It &works"), this))
    , m_more(new QPushButton(tr("&More time"), this))
    , m_back(new QPushButton(tr("&Put back now"), this))
{
    m_works->setAccessibleDescription(tr("Ends the trial and leaves the new values in force."));
    m_more->setAccessibleDescription(tr("Prolongs the trial by one minute."));
    m_back->setAccessibleDescription(tr("Ends the trial and puts the old values back."));
    m_text->setWordWrap(true);
    auto *layout = barLayout(this);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_works);
    layout->addWidget(m_more);
    layout->addWidget(m_back);
    const auto settle = [this](const ApplyReport &report) {
        m_trial.reset();
        setBusy(false);
        refresh();
        Q_EMIT settled(report);
    };
    connect(m_works, &QPushButton::clicked, this, [this, settle] {
        if (m_trial) {
            setBusy(true);
            m_applier.confirm(m_trial->record.transaction, settle);
        }
    });
    connect(m_more, &QPushButton::clicked, this, [this] {
        if (!m_trial)
            return;
        setBusy(true);
        m_applier.prolong(m_trial->record.transaction, 60s, [this](const ApplyReport &report) {
            setBusy(false);
            refresh();
            if (report.call != CallState::Answered || report.outcome != Outcome::Prolonged)
                Q_EMIT settled(report);
        });
    });
    connect(m_back, &QPushButton::clicked, this, [this, settle] {
        if (m_trial) {
            setBusy(true);
            m_applier.end(m_trial->record.transaction, settle);
        }
    });
    connect(&applier, &Applier::trialsChanged, this, &TrialBar::refresh);
    m_timer.setInterval(250);
    connect(&m_timer, &QTimer::timeout, this, &TrialBar::tick);
    refresh();
}

void TrialBar::setBusy(bool busy)
{
    m_isBusy = busy;
    for (QPushButton *button : {m_works, m_more, m_back})
        button->setEnabled(!busy);
}

void TrialBar::refresh()
{
    const auto trials = m_applier.pendingTrials();
    const auto trial = std::ranges::find_if(trials, [](const PendingTrial &pending) {
        return !pending.record.lease && pending.left() > std::chrono::nanoseconds(0);
    });
    // Another program of the user may have confirmed or ended it.
    if (m_trial && !m_isBusy && !std::ranges::contains(trials, m_trial->record.transaction, transactionOf))
        tellEnd();
    m_trial = trial != trials.end() ? std::optional(*trial) : std::nullopt;
    m_shownSeconds = -1;
    setVisible(m_trial.has_value());
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
        self->m_trial.reset();
        self->setBusy(false);
        self->refresh();
        Q_EMIT self->m_applier.systemChanged();
        Q_EMIT self->settled(report);
    });
}

} // namespace diskwright::ui
