// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "app/apply/describe.h"
#include "app/apply/trialend.h"
#include "ui/dialogs/editeddialog.h"
#include "ui/dialogs/reviewdialog.h"
#include "ui/frame/bars.h"
#include "ui/frame/taborder.h"
#include "ui/models/blockevents.h"
#include "ui/pages/benchmarkspage.h"
#include "ui/pages/diskpage.h"
#include "ui/pages/historypage.h"
#include "ui/pages/memorypage.h"
#include "ui/pages/overviewpage.h"
#include "ui/pages/searchpage.h"
#include "ui/models/reviewmodel.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <KMessageWidget>

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPointer>
#include <QScrollArea>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QWindow>

#include <algorithm>
#include <chrono>

namespace diskwright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

static constexpr int sideWidth = 232;
// More of them at once would hide the page.
static constexpr qsizetype mostProblems = 4;

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
    m_trial = new TrialBar(context.applier, TrialBar::About::Soonest, ground);
    m_staged = new StagedBar(context.machine, context.staged, context.stagedDisks, ground);
    bars->addWidget(m_trial);
    bars->addWidget(m_staged);
    outer->addWidget(ground);
    setCentralWidget(whole);
    buildShortcuts();

    connect(m_sidebar, &Sidebar::placeChosen, this, &MainWindow::open);
    connect(m_staged, &StagedBar::reviewWanted, this, &MainWindow::review);
    connect(m_trial, &TrialBar::settled, this, [this](const ApplyReport &report) {
        const bool good = exitCode(report) == 0 &&
                          (report.outcome == Outcome::Confirmed || report.outcome == Outcome::Ended);
        say(describe(report), !good);
        m_context.machine.readAgain();
    });
    connect(&context.applier, &Applier::systemChanged, this, [this] { m_context.machine.readAgain(); });
    connect(&context.machine, &Machine::disksChanged, this, [this] {
        if (m_context.machine.error())
            say(describe(m_context.machine.error()->code, m_context.machine.error()->sysErrno), true);
    });
    context.machine.setKeepsGone([this](const std::string &target) { return keepsShowing(target); });
    // The side bar learns of new disks after those who hold something of them.
    connect(&context.stagedDisks, &StagedDisks::moved, this, &MainWindow::followDisk, Qt::QueuedConnection);
    connect(&context.staged, &StagedChanges::changed, this, [this] {
        watch();
        // Later: an edit that is just changing its target belongs to no disk for a moment.
        QMetaObject::invokeMethod(this, [this] { m_context.machine.dropGone(); }, Qt::QueuedConnection);
    });
    m_poll.setInterval(5s);
    connect(&m_poll, &QTimer::timeout, this, &MainWindow::look);
    m_poll.start();
    // After the first show, so that they cost the start nothing.
    QTimer::singleShot(0, this, &MainWindow::lookAtTrials);
    QTimer::singleShot(0, this, &MainWindow::listen);
}

MainWindow::~MainWindow()
{
    m_context.machine.setKeepsGone({});
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
    m_search = new QLineEdit(content);
    m_search->setPlaceholderText(tr("Search settings"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(searchWidth);
    m_search->setToolTip(
        tr("Ctrl+F. Finds names, kernel names and spellings of old articles, on every page."));
    m_search->setAccessibleName(tr("Search settings"));
    m_search->setAccessibleDescription(tr(
        "Lists settings of all pages that answer to the text. Old spellings like elevator= are understood."));
    m_search->installEventFilter(this);
    m_messages = new QVBoxLayout;
    m_messages->setContentsMargins(space::page, 0, space::page, 0);
    layout->addLayout(m_messages);
    m_pages = new QStackedWidget(content);
    layout->addWidget(m_pages, 1);
    // It lies on the page's head: pages change below it while somebody types.
    m_pages->installEventFilter(this);
    m_search->raise();
    connect(m_search, &QLineEdit::textChanged, this, &MainWindow::search);
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
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    add(QKeySequence(Qt::CTRL | Qt::Key_R), [this] { review(); });
    add(QKeySequence::Undo, [this] { m_context.staged.undoLast(); });
    add(QKeySequence(Qt::Key_F5), [this] { m_context.machine.readAgain(); });
    add(QKeySequence(Qt::Key_Escape), [this] {
        if (!m_search->text().isEmpty())
            m_search->clear();
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
    case Place::Kind::Overview: return new OverviewPage(m_context, m_pages);
    case Place::Kind::Disk: return new DiskPage(m_context, place.disk, m_pages);
    case Place::Kind::Memory: return new MemoryPage(m_context, m_pages);
    case Place::Kind::Benchmarks: return new BenchmarksPage(m_context, m_pages);
    case Place::Kind::History: return new HistoryPage(m_context, m_pages);
    case Place::Kind::Heading: return nullptr;
    }
    return nullptr;
}

void MainWindow::connectPage(Page *page)
{
    connect(page, &Page::message, this, &MainWindow::say);
    connect(page, &Page::measureWanted, this, &MainWindow::measure);
    connect(page, &Page::forgetWanted, this, &MainWindow::forget);
    connect(page, &Page::placeWanted, this, &MainWindow::go);
    if (auto *overview = qobject_cast<OverviewPage *>(page))
        connect(overview, &OverviewPage::settingWanted, this, &MainWindow::showSetting);
    if (auto *found = qobject_cast<SearchPage *>(page))
        connect(found, &SearchPage::settingWanted, this, &MainWindow::showSetting);
    m_pages->addWidget(page);
    m_search->raise();
}

void MainWindow::open(const Place &place)
{
    Page *&wanted = m_known[{static_cast<int>(place.kind), place.disk}];
    if (!wanted) {
        wanted = create(place);
        if (!wanted)
            return;
        connectPage(wanted);
    }
    showPage(wanted);
    if (!m_search->text().isEmpty()) {
        const QSignalBlocker quiet(m_search);
        m_search->clear();
    }
}

void MainWindow::showPage(Page *wanted)
{
    if (Page *before = page(); before && before != wanted) {
        before->leave();
        hideNews();
    }
    m_pages->setCurrentWidget(wanted);
    watch();
    m_context.machine.dropGone();
    wanted->enter();
}

void MainWindow::search(const QString &text)
{
    if (text.trimmed().isEmpty()) {
        if (page() == m_found)
            open(m_sidebar->current());
        return;
    }
    if (!m_found) {
        m_found = new SearchPage(m_context, m_pages);
        connectPage(m_found);
    }
    m_found->setText(text);
    if (page() != m_found)
        showPage(m_found);
}

void MainWindow::showSetting(const Address &address)
{
    const Place place =
        address.target.empty() ? Place{Place::Kind::Memory, {}} : Place{Place::Kind::Disk, address.target};
    m_sidebar->select(place);
    open(place);
    if (Page *shown = page())
        shown->reveal(address);
}

void MainWindow::followDisk(const std::string &from, const std::string &to)
{
    if (m_sidebar->current() == Place{Place::Kind::Disk, from} && page() != m_found)
        go({Place::Kind::Disk, to});
}

bool MainWindow::keepsShowing(const std::string &target) const
{
    const auto *disk = qobject_cast<const DiskPage *>(m_pages->currentWidget());
    return m_context.stagedDisks.isStaged(target) || (disk && disk->disk() == target);
}

// What every reading covers: what the page shows, and what is staged.
void MainWindow::watch()
{
    Page::Needs needs = page() ? page()->needs() : Page::Needs();
    for (const std::string &target : m_context.staged.set().targets())
        needs.targets.push_back(target);
    m_context.machine.watch(std::move(needs.targets), needs.allDisks, needs.allShown, needs.startStatus,
                            needs.problems);
}

bool MainWindow::isLookedAt() const
{
    static constexpr std::chrono::milliseconds forgottenAfter = std::chrono::minutes(10);
    const bool forgotten =
        !isActiveWindow() && m_inactive.isValid() && m_inactive.hasExpired(forgottenAfter.count());
    return isVisible() && !isMinimized() && windowHandle() && windowHandle()->isExposed() && !forgotten;
}

void MainWindow::look()
{
    if (isLookedAt())
        m_context.machine.readAgain();
}

void MainWindow::listen()
{
    // A copy of a machine has no events.
    if (!m_context.machine.isLive())
        return;
    m_events = new BlockEvents(this);
    connect(m_events, &BlockEvents::changed, this, [this] {
        if (!isMinimized())
            m_context.machine.readAgain();
    });
}

void MainWindow::placeSearch()
{
    const bool leftToRight = layoutDirection() == Qt::LeftToRight;
    m_search->adjustSize();
    m_search->move(leftToRight ? m_pages->width() - searchWidth - space::page : space::page, m_pages->y());
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_pages &&
        (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show)) {
        placeSearch();
    } else if (watched == m_search && event->type() == QEvent::KeyPress && page() == m_found && m_found) {
        switch (static_cast<QKeyEvent *>(event)->key()) { // NOLINT(*-type-static-cast-downcast)
        case Qt::Key_Down: m_found->enterList(); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: m_found->openResult(); return true;
        default: break;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

bool MainWindow::focusNextPrevChild(bool next)
{
    const QList<QWidget *> order = tabOrder(this);
    if (order.isEmpty())
        return false;
    const qsizetype here = order.indexOf(focusWidget());
    const qsizetype count = order.size();
    QWidget *target =
        here < 0 ? (next ? order.first() : order.last()) : order[(here + (next ? 1 : count - 1)) % count];
    target->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    for (QWidget *above = target->parentWidget(); above; above = above->parentWidget()) {
        if (auto *area = qobject_cast<QScrollArea *>(above)) {
            area->ensureWidgetVisible(target, 0, space::page);
            break;
        }
    }
    return true;
}

// "Swappiness: 60"
static QString itemNow(const TrialRecord::Item &item, const std::optional<Value> &now)
{
    const SettingSpec *spec = findSetting(item.address.domain, item.address.key);
    //: %1 is a setting, %2 a value
    return MainWindow::tr("%1: %2").arg(titleOf(item),
                                        spec && now ? valueText(*spec, *now) : MainWindow::tr("not known"));
}

static QStringList valuesNow(const EndedTrial &trial)
{
    QStringList values;
    for (std::size_t at = 0; at < trial.record.items.size(); ++at)
        values << itemNow(trial.record.items[at], at < trial.now.size() ? trial.now[at] : std::nullopt);
    return values;
}

// What is said of a trial that ended while the program was gone; empty: nothing.
static QString endingText(const EndedTrial &trial)
{
    const QString changes = changesOf(trial.record);
    const QString separator = u" · "_s;
    const QString time = QLocale().toString(timeOfEnd(trial), QLocale::ShortFormat);
    if (!trial.isProven)
        //: %1 is a time of day, %2 settings and their values
        return MainWindow::tr(
                   "The app closed during a trial that was over at %1. How it ended was not recorded. "
                   "Now: %2")
            .arg(time, valuesNow(trial).join(separator));
    // The helper's record of a trial that ran out says that it was rolled back.
    if (trial.outcome == Outcome::Ended || trial.outcome == Outcome::RolledBack) {
        const TrialParts parts = partsOf(trial);
        QStringList back;
        QStringList left;
        QStringList gone;
        for (const TrialRecord::Item *item : parts.back)
            back << titleOf(*item);
        for (const auto &[item, now] : parts.left)
            left << itemNow(*item, now);
        for (const TrialRecord::Item *item : parts.gone)
            gone << titleOf(*item);
        QStringList sentences{MainWindow::tr("The app closed during a trial.")};
        if (!back.isEmpty())
            //: %1 is a time of day, %2 what was changed
            sentences << MainWindow::tr("Put back at %1: %2.")
                             .arg(time, left.isEmpty() && gone.isEmpty() ? changes : back.join(separator));
        if (!left.isEmpty())
            //: %1 are settings and their values
            sentences << (back.isEmpty()
                              ? MainWindow::tr(
                                    "Nothing was put back, since somebody else had changed it: %1.")
                              : MainWindow::tr("Left alone, since somebody else had changed it: %1."))
                             .arg(left.join(separator));
        if (!gone.isEmpty())
            //: %1 is what was changed
            sentences << MainWindow::tr("Gone with its disk: %1.").arg(gone.join(separator));
        return sentences.join(u' ');
    }
    if (trial.outcome == Outcome::RollbackFailed)
        //: %1 is what was changed
        return MainWindow::tr("The app closed during a trial of %1. Not everything could be put back.")
            .arg(changes);
    return {};
}

void MainWindow::lookAtTrials()
{
    QStringList lines;
    bool isProblem = false;
    for (const EndedTrial &trial : m_context.applier.resume()) {
        const QString text = trial.record.lease ? QString() : endingText(trial);
        if (text.isEmpty())
            continue;
        lines << text;
        isProblem =
            isProblem || !trial.isProven || trial.hasForeign() || trial.outcome == Outcome::RollbackFailed;
    }
    if (!lines.isEmpty())
        say(lines.join(u'\n'), isProblem);
    m_trial->refresh();
}

// What went well is read once; a problem stays until it is closed.
void MainWindow::hideNews()
{
    dropClosedMessage();
    m_news.clear();
    if (m_message)
        showMessage();
}

// What was closed by hand was read.
void MainWindow::dropClosedMessage()
{
    if (!m_message || m_message->isHidden() || m_message->isHideAnimationRunning()) {
        m_problem.clear();
        m_news.clear();
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
        // Disks and profiles are called what others called them.
        m_message->setTextFormat(Qt::PlainText);
        m_message->hide();
        m_messages->addWidget(m_message);
        connect(m_message, &KMessageWidget::hideAnimationFinished, this, &MainWindow::closeMessageGap);
    }
    dropClosedMessage();
    if (problem) {
        QStringList problems = m_problem.split(u'\n', Qt::SkipEmptyParts);
        problems.removeAll(text);
        problems << text;
        m_problem = problems.last(std::min(problems.size(), mostProblems)).join(u'\n');
        m_news.clear();
    } else {
        m_news = text;
    }
    showMessage();
}

// A problem that is open is not replaced by what went well: that stands below it.
void MainWindow::showMessage()
{
    QStringList lines{m_problem, m_news};
    lines.removeAll(QString());
    const QString text = lines.join(u'\n');
    if (text.isEmpty()) {
        m_message->hide();
        closeMessageGap();
        return;
    }
    m_messages->setContentsMargins(space::page, 0, space::page, space::card);
    m_message->setMessageType(m_problem.isEmpty() ? KMessageWidget::Information : KMessageWidget::Warning);
    m_message->setText(text);
    m_message->setAccessibleName(text);
    if (m_message->isHideAnimationRunning())
        m_message->animatedShow();
    else
        m_message->show();
}

void MainWindow::review()
{
    if (m_context.staged.set().isEmpty())
        return;
    hideNews();
    const ChangeSet applicable = m_context.stagedDisks.applicable();
    if (applicable.isEmpty())
        return; // the bar says why
    auto plan = makePlan(applicable, m_context.machine.snapshot());
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
        for (const StagedEdit &edit : applicable.edits())
            m_context.staged.unstage(edit.address);
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
        m_context.machine.readAgain();
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
    const Observation *seen = m_context.machine.setting(address);
    if (!spec || !seen || !seen->kept || seen->keptItem >= kept.items.size())
        return;
    // The row may be of an earlier reading than the set; then another click will do it.
    const KeptItem &item = kept.items[seen->keptItem];
    const bool isIt = item.settingId == spec->id && item.value == *seen->kept &&
                      item.forClass == seen->keptFor &&
                      (item.forClass || !seen->id || item.target == *seen->id);
    if (!isIt)
        return;
    const auto index = static_cast<std::uint16_t>(seen->keptItem);
    m_context.applier.forget(kept, {index}, false,
                             [self = QPointer(this), kept, index](const ApplyReport &report) {
                                 if (self)
                                     self->forgotten(kept, index, report);
                             });
}

void MainWindow::forgotten(const KeptSet &kept, std::uint16_t index, const ApplyReport &report)
{
    m_context.machine.readAgain();
    const bool isDone = report.call == CallState::Answered && report.outcome == Outcome::Forgotten;
    if (report.call != CallState::Answered || report.outcome != Outcome::Refused ||
        report.why != Errc::FileChanged) {
        say(describe(report), !isDone);
        return;
    }
    auto *dialog = new EditedDialog(
        m_context.machine.root(), report,
        [this, kept, index](Applier::Done done) {
            m_context.applier.forget(kept, {index}, true, std::move(done));
        },
        this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &EditedDialog::replaced, this, [this] { m_context.machine.readAgain(); });
    dialog->open();
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange) {
        if (isActiveWindow()) {
            m_inactive.invalidate();
            look();
        } else {
            m_inactive.start();
        }
    }
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
