// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "app/apply/describe.h"
#include "ui/dialogs/reviewdialog.h"
#include "ui/frame/bars.h"
#include "ui/pages/benchmarkspage.h"
#include "ui/pages/diskpage.h"
#include "ui/pages/historypage.h"
#include "ui/pages/memorypage.h"
#include "ui/text/format.h"

#include <KMessageWidget>

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

static constexpr int sideWidth = 232;

MainWindow::MainWindow(const Context &context, QWidget *parent)
    : QMainWindow(parent)
    , m_context(context)
    , m_places(context.machine, context.staged)
{
    setWindowTitle(u"Diskwright"_s);
    resize(1180, 760);
    auto *whole = new QWidget(this);
    auto *outer = new QVBoxLayout(whole);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(buildSide());
    middle->addWidget(buildContent(), 1);
    outer->addLayout(middle, 1);
    auto *ground = new Ground(Ground::Kind::Bar, this);
    auto *bars = new QVBoxLayout(ground);
    bars->setContentsMargins(0, 0, 0, 0);
    bars->setSpacing(0);
    m_trial = new TrialBar(context.applier, ground);
    m_staged = new StagedBar(context.machine, context.staged, ground);
    bars->addWidget(m_trial);
    bars->addWidget(m_staged);
    outer->addWidget(ground);
    setCentralWidget(whole);
    buildShortcuts();

    connect(m_sidebar, &Sidebar::placeChosen, this, &MainWindow::open);
    connect(m_staged, &StagedBar::reviewWanted, this, &MainWindow::review);
    connect(m_trial, &TrialBar::settled, this, [this](const ApplyReport &report) {
        const bool good = report.call == CallState::Answered &&
                          (report.outcome == Outcome::Confirmed || report.outcome == Outcome::Ended);
        say(describe(report), !good);
        m_context.machine.readAgain(watchedTarget());
    });
    connect(&context.applier, &Applier::systemChanged, this,
            [this] { m_context.machine.readAgain(watchedTarget()); });
    connect(&context.machine, &Machine::disksChanged, this, [this] {
        if (m_context.machine.error())
            say(describe(m_context.machine.error()->code, m_context.machine.error()->sysErrno), true);
    });
    // A disk that is plugged in stands in the list within 5 s, reading included.
    m_poll.setInterval(4s);
    connect(&m_poll, &QTimer::timeout, this, &MainWindow::look);
    m_poll.start();
    // After the first show, so that a forgotten trial costs the start nothing.
    QTimer::singleShot(0, this, &MainWindow::lookAtTrials);
}

QWidget *MainWindow::buildSide()
{
    auto *side = new Ground(Ground::Kind::Sidebar, this);
    side->setFixedWidth(sideWidth);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, space::card, 1, space::unit);
    layout->setSpacing(0);
    m_sidebar = new Sidebar(m_places, side);
    layout->addWidget(m_sidebar, 1);
    return side;
}

QWidget *MainWindow::buildContent()
{
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, space::card, 0, 0);
    layout->setSpacing(0);
    m_filter = new QLineEdit(content);
    m_filter->setPlaceholderText(tr("Filter settings"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(264);
    m_filter->setToolTip(tr("Ctrl+F. Finds names, kernel names and spellings of old articles."));
    m_filter->setAccessibleName(tr("Filter settings"));
    m_filter->setAccessibleDescription(
        tr("Shows only settings that answer to the text. Old spellings like elevator= are understood."));
    m_filter->hide();
    m_messages = new QVBoxLayout;
    m_messages->setContentsMargins(space::page, 0, space::page, 0);
    layout->addLayout(m_messages);
    m_pages = new QStackedWidget(content);
    layout->addWidget(m_pages, 1);
    connect(m_filter, &QLineEdit::textChanged, this, &MainWindow::applyFilter);
    return content;
}

void MainWindow::buildShortcuts()
{
    const auto add = [this](const QKeySequence &keys, auto action) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, action);
    };
    for (int n = 0; n < 9; ++n) {
        add(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + n)), [this, n] {
            if (const int row = m_places.pageRow(n); row >= 0)
                m_sidebar->select(m_places.place(row));
        });
    }
    add(QKeySequence::Find, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    add(QKeySequence(Qt::CTRL | Qt::Key_R), [this] { review(); });
    add(QKeySequence::Undo, [this] { m_context.staged.undoLast(); });
    add(QKeySequence(Qt::Key_F5), [this] { m_context.machine.readAgain(watchedTarget()); });
    add(QKeySequence(Qt::Key_Escape), [this] {
        if (!m_filter->text().isEmpty())
            m_filter->clear();
        else if (m_message && m_message->isVisible())
            m_message->animatedHide();
    });
    add(QKeySequence::Quit, [this] { close(); });
}

Page *MainWindow::page() const
{
    return qobject_cast<Page *>(m_pages->currentWidget());
}

void MainWindow::go(const Place &place)
{
    if (m_sidebar->select(place))
        return;
    if (const int row = m_places.pageRow(0); row >= 0)
        m_sidebar->select(m_places.place(row));
}

Page *MainWindow::create(const Place &place)
{
    switch (place.kind) {
    case Place::Kind::Disk: return new DiskPage(m_context, place.disk, m_pages);
    case Place::Kind::Memory: return new MemoryPage(m_context, m_pages);
    case Place::Kind::Benchmarks: return new BenchmarksPage(m_context, m_pages);
    case Place::Kind::History: return new HistoryPage(m_context, m_pages);
    case Place::Kind::Heading: return nullptr;
    }
    return nullptr;
}

void MainWindow::open(const Place &place)
{
    Page *&wanted = m_known[{static_cast<int>(place.kind), place.disk}];
    if (!wanted) {
        wanted = create(place);
        if (!wanted)
            return;
        m_pages->addWidget(wanted);
        connect(wanted, &Page::message, this, &MainWindow::say);
        connect(wanted, &Page::measureWanted, this, &MainWindow::measure);
        connect(wanted, &Page::forgetWanted, this, &MainWindow::forget);
    }
    if (Page *before = page(); before && before != wanted) {
        before->leave();
        hideNews();
    }
    m_pages->setCurrentWidget(wanted);
    if (wanted->hasFilter())
        wanted->placeFilter(m_filter);
    applyFilter();
    wanted->enter();
}

void MainWindow::applyFilter()
{
    if (Page *shown = page(); shown && shown->hasFilter())
        shown->setFilter(m_filter->text());
}

std::string MainWindow::watchedTarget() const
{
    const auto *disk = qobject_cast<const DiskPage *>(m_pages->currentWidget());
    return disk ? disk->disk() : std::string();
}

void MainWindow::look()
{
    if (isVisible() && !isMinimized())
        m_context.machine.readAgain(watchedTarget());
}

void MainWindow::lookAtTrials()
{
    for (const EndedTrial &trial : m_context.applier.resume()) {
        const int count = static_cast<int>(trial.record.items.size());
        if (trial.record.lease)
            continue;
        const auto ago =
            boottimeNanoseconds() - std::min(trial.record.deadlineBoottimeNanoseconds, boottimeNanoseconds());
        const QTime when =
            QDateTime::currentDateTime().addMSecs(-static_cast<qint64>(ago / 1'000'000)).time();
        // The helper's record of a trial that ran out says that it was rolled back.
        if (trial.outcome == Outcome::Ended || trial.outcome == Outcome::RolledBack)
            //: %1 is a time of day
            say(tr("The app closed during a trial. Put back at %1: %n change(s).", nullptr, count)
                    .arg(QLocale().toString(when, QLocale::ShortFormat)),
                false);
        else if (trial.outcome == Outcome::RollbackFailed)
            say(tr("The app closed during a trial of %n change(s). Not everything could be put back.",
                   nullptr, count),
                true);
    }
    m_trial->refresh();
}

// What went well is read once; a problem stays until it is closed.
void MainWindow::hideNews()
{
    if (m_message && m_message->messageType() == KMessageWidget::Information) {
        m_message->hide();
        closeMessageGap();
    }
}

// A layout keeps its margins even around nothing.
void MainWindow::closeMessageGap()
{
    m_messages->setContentsMargins(space::page, 0, space::page, 0);
}

void MainWindow::say(const QString &text, bool problem)
{
    if (!m_message) {
        m_message = new KMessageWidget(this);
        m_message->setWordWrap(true);
        m_message->hide();
        m_messages->addWidget(m_message);
        connect(m_message, &KMessageWidget::hideAnimationFinished, this, &MainWindow::closeMessageGap);
    }
    m_messages->setContentsMargins(space::page, 0, space::page, space::card);
    m_message->setMessageType(problem ? KMessageWidget::Warning : KMessageWidget::Information);
    m_message->setText(text);
    m_message->setAccessibleName(text);
    m_message->show();
}

void MainWindow::review()
{
    if (m_context.staged.set().isEmpty())
        return;
    hideNews();
    auto plan = makePlan(m_context.staged.set(), m_context.machine.snapshot());
    if (!plan) {
        QString text =
            toQString(plan.error().input) + u": "_s + describe(plan.error().code, plan.error().sysErrno);
        if (!plan.error().accepted.empty())
            text += u' ' + tr("Accepted: %1.").arg(toQString(plan.error().accepted));
        say(text, true);
        return;
    }
    if (plan->isEmpty()) {
        say(tr("Everything that is staged is so already."), false);
        m_context.staged.clear();
        return;
    }
    auto *dialog = new ReviewDialog(m_context, std::move(*plan), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReviewDialog::applied, this, [this](const ApplyReport &report) {
        // What was applied is no longer staged; what failed stays for another try.
        for (const AppliedStep &step : report.steps) {
            if (step.result == StepResult::Applied || step.result == StepResult::Adjusted ||
                step.result == StepResult::Unchanged)
                m_context.staged.unstage(step.address);
        }
        m_context.machine.readAgain(watchedTarget());
        m_trial->refresh();
    });
    dialog->open();
}

void MainWindow::measure(const Address &address)
{
    if (auto *disk = qobject_cast<DiskPage *>(page()))
        disk->openMeasure(address);
}

void MainWindow::forget(const Address &address)
{
    const KeptSet &kept = m_context.machine.kept();
    const SettingSpec *spec = findSetting(address.domain, address.key);
    const BlockNode *disk = m_context.machine.disks().find(address.target);
    const auto item = std::ranges::find_if(kept.items, [&](const KeptItem &candidate) {
        return spec && candidate.settingId == spec->id &&
               (candidate.target.empty() ? address.target.empty()
                                         : disk && disk->id && candidate.target == *disk->id);
    });
    if (item == kept.items.end())
        return;
    const auto index = static_cast<std::uint16_t>(item - kept.items.begin());
    m_context.applier.forget(kept, {index}, [this](const ApplyReport &report) {
        say(describe(report), report.call != CallState::Answered || report.outcome != Outcome::Forgotten);
        m_context.machine.readAgain(watchedTarget());
    });
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::WindowStateChange)
        return;
    // A minimised window reads and draws nothing.
    if (Page *shown = page()) {
        if (isMinimized())
            shown->leave();
        else
            shown->enter();
    }
}

} // namespace diskwright::ui
