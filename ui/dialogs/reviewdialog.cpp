// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reviewdialog.h"

#include "app/apply/describe.h"
#include "app/apply/keepable.h"
#include "helper/contract/limits.h"
#include "ui/dialogs/editeddialog.h"
#include "ui/frame/bars.h"
#include "ui/models/aside.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace diskwright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

ReviewDialog::ReviewDialog(const Context &context, Plan plan, QWidget *parent)
    : QDialog(parent)
    , m_context(context)
    , m_model(std::move(plan))
    , m_heading(new Label(Label::Role::Heading, tr("These changes will be made now"), this))
    , m_note(new Label(Label::Role::Muted, this))
    , m_edited(new EditedFiles(this))
    , m_progress(new QProgressBar(this))
    , m_trial(new TrialBar(context.applier, TrialBar::About::One, this))
    , m_cancel(new QPushButton(tr("&Cancel"), this))
    , m_apply(new QPushButton(tr("&Apply"), this))
{
    setWindowTitle(tr("Review"));
    setModal(true);
    setMinimumWidth(640);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::page, space::page, space::page, space::card);
    layout->setSpacing(space::card);
    auto *head = new QVBoxLayout;
    head->setSpacing(2);
    m_heading->setWordWrap(true);
    m_note->setWordWrap(true);
    const QString whyNot = context.applier.whyNot();
    m_note->setText(whyNot.isEmpty()
                        ? tr("They change the running kernel of this machine. You will be asked for "
                             "your password once.")
                        : whyNot);
    head->addWidget(m_heading);
    head->addWidget(m_note);
    layout->addLayout(head);
    layout->addWidget(buildSteps(), 1);
    layout->addWidget(buildOptions());
    layout->addWidget(buildCommands());
    m_edited->hide();
    layout->addWidget(m_edited);
    m_trial->layout()->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_trial);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(space::unit);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Applying"));
    m_progress->hide();
    buttons->addWidget(m_progress, 1);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_apply);
    layout->addLayout(buttons);
    m_cancel->setAutoDefault(false);
    m_apply->setDefault(true);
    m_apply->setEnabled(whyNot.isEmpty());
    m_apply->setAccessibleDescription(tr("Asks for authorization and applies the changes."));
    connect(m_cancel, &QPushButton::clicked, this, &ReviewDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &ReviewDialog::apply);
    connect(m_edited, &EditedFiles::replaceWanted, this, &ReviewDialog::replaceEdited);
    connect(m_trial, &TrialBar::settled, this, &ReviewDialog::showSettled);
    m_apply->setFocus();
}

QWidget *ReviewDialog::buildSteps()
{
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setAccessibleName(tr("Changes in the order of applying"));
    auto *inside = new QWidget;
    inside->setAutoFillBackground(false);
    auto *layout = new QVBoxLayout(inside);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::unit);
    QString target;
    Card *card = nullptr;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QString here = m_model.index(row).data(ReviewModel::TargetRole).toString();
        if (!card || here != target) {
            layout->addWidget(new Label(Label::Role::Heading, here, inside));
            card = new Card(inside);
            layout->addWidget(card);
            target = here;
        }
        card->addRow(buildStep(row));
    }
    layout->addStretch(1);
    scroll->setWidget(inside);
    // As tall as the list, up to what a small screen has room for; beyond that it scrolls.
    scroll->setMinimumHeight(std::clamp(inside->sizeHint().height() + space::unit, 88, 248));
    return scroll;
}

QWidget *ReviewDialog::buildStep(int row)
{
    const QModelIndex index = m_model.index(row);
    auto *line = new QWidget(this);
    auto *grid = new QGridLayout(line);
    grid->setContentsMargins(space::card, space::unit, space::card, space::unit);
    grid->setHorizontalSpacing(space::unit);
    grid->setVerticalSpacing(2);
    auto *title = new Label(Label::Role::Body, index.data().toString(), line);
    title->setWordWrap(true);
    auto *before = new Label(Label::Role::Muted, index.data(ReviewModel::BeforeRole).toString(), line);
    auto *arrow = new Label(Label::Role::Muted, u"→"_s, line);
    auto *wanted = new Label(Label::Role::Heading, index.data(ReviewModel::WantedRole).toString(), line);
    auto *notes = new Label(Label::Role::Muted, index.data(ReviewModel::NotesRole).toString(), line);
    auto *result = new Label(Label::Role::Body, line);
    before->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    before->setMinimumWidth(112);
    wanted->setMinimumWidth(112);
    notes->setWordWrap(true);
    result->setWordWrap(true);
    result->hide();
    grid->addWidget(title, 0, 0);
    grid->addWidget(before, 0, 1);
    grid->addWidget(arrow, 0, 2);
    grid->addWidget(wanted, 0, 3);
    grid->addWidget(notes, 1, 0, 1, 4);
    grid->addWidget(result, 2, 0, 1, 4);
    grid->setColumnStretch(0, 1);
    m_lines.push_back({notes, result});
    return line;
}

QWidget *ReviewDialog::buildOptions()
{
    m_options = new QWidget(this);
    auto *grid = new QGridLayout(m_options);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(space::unit);
    grid->setVerticalSpacing(space::unit);
    m_untilRestart = new QRadioButton(tr("&Until restart"), m_options);
    m_tryFor = new QRadioButton(tr("&Try for"), m_options);
    m_seconds = new QComboBox(m_options);
    m_seconds->addItem(tr("15 s"), 15);
    m_seconds->addItem(tr("1 min"), 60);
    m_seconds->addItem(tr("10 min"), 600);
    m_seconds->setAccessibleName(tr("Length of the trial"));
    m_tryFor->setAccessibleDescription(tr("Everything is put back at the end unless you say that it works."));
    m_untilRestart->setAccessibleDescription(tr("The values stay until the machine restarts."));
    m_everyStart = new QCheckBox(m_options);
    grid->addWidget(m_untilRestart, 0, 0);
    grid->addWidget(m_tryFor, 0, 1);
    grid->addWidget(m_seconds, 0, 2);
    grid->addWidget(m_everyStart, 1, 0, 1, 4);
    grid->setColumnStretch(3, 1);
    const bool must = m_model.plan().mustBeTrial;
    m_untilRestart->setChecked(!must);
    m_tryFor->setChecked(must);
    m_untilRestart->setEnabled(!must);
    if (must) {
        auto *why =
            new Label(Label::Role::Muted,
                      tr("The scheduler of the disk that holds the system is always tried first: should "
                         "the machine hang, it is put back by itself."),
                      m_options);
        why->setWordWrap(true);
        grid->addWidget(why, 4, 0, 1, 4);
    }
    connect(m_tryFor, &QRadioButton::toggled, this, &ReviewDialog::reword);
    reword();
    offerEveryStart(*grid);
    return m_options;
}

void ReviewDialog::reword()
{
    const bool trying = m_tryFor->isChecked();
    m_seconds->setEnabled(trying);
    if (m_onlyForClass && m_class) {
        const QString every = everyDiskOf(*m_class);
        m_everyStart->setText(trying ? tr("At every &start for %1, after I confirm").arg(every)
                                     : tr("At every &start for %1").arg(every));
    } else {
        m_everyStart->setText(trying ? tr("At every &start, after I confirm") : tr("At every &start"));
    }
}

// A disk that can be told from others by nothing is known again by its kind only.
void ReviewDialog::offerEveryStart(QGridLayout &grid)
{
    m_onlyForClass = std::ranges::any_of(
        m_model.plan().steps, [](const PlanStep &step) { return step.device && !isSafeDiskId(step.diskId); });
    m_everyNote = new Label(Label::Role::Muted, m_options);
    m_everyNote->setWordWrap(true);
    grid.addWidget(m_everyNote, 3, 0, 1, 4);
    m_replaced = new Label(Label::Role::Muted, m_options);
    m_replaced->setWordWrap(true);
    m_replaced->hide();
    grid.addWidget(m_replaced, 5, 0, 1, 4);
    connect(m_everyStart, &QCheckBox::toggled, this, &ReviewDialog::showReplaced);
    offerClass(grid, {});
    // Of which kind a disk is stands in its files, and it may hang.
    runAside<std::optional<DiskClass>>(
        this,
        [plan = m_model.plan(), root = m_context.machine.root()]() -> std::optional<DiskClass> {
            const auto found = classForKeeping(plan, root);
            return found ? std::optional(*found) : std::nullopt;
        },
        [this, &grid](const std::optional<DiskClass> &kind) {
            if (kind)
                offerClass(grid, kind);
        });
}

void ReviewDialog::offerClass(QGridLayout &grid, std::optional<DiskClass> kind)
{
    m_class = kind;
    m_everyStart->setEnabled(!m_onlyForClass || m_class);
    if (m_onlyForClass) {
        m_everyNote->setText(
            m_class ? tr("The disk has no serial number by which it would be known again: at a start it is "
                         "only one of its kind.")
                    : describe(Errc::NoStableId));
    } else if (m_class) {
        m_everyDisk =
            new QCheckBox(tr("Not for this disk alone, but for %1").arg(everyDiskOf(*m_class)), m_options);
        m_everyDisk->setEnabled(m_everyStart->isChecked());
        grid.addWidget(m_everyDisk, 2, 0, 1, 4);
        setTabOrder(m_everyStart, m_everyDisk);
        connect(m_everyStart, &QCheckBox::toggled, m_everyDisk, &QWidget::setEnabled);
        connect(m_everyDisk, &QCheckBox::toggled, this, &ReviewDialog::showReplaced);
    }
    m_everyNote->setVisible(!m_everyNote->text().isEmpty());
    m_everyStart->setAccessibleDescription(m_everyNote->text());
    reword();
}

static QString replacedText(const std::vector<KeptBefore> &replaced)
{
    QStringList names;
    for (const KeptBefore &kept : replaced) {
        const QString name =
            ReviewDialog::tr("%1 %2").arg(settingTitle(*kept.spec), valueText(*kept.spec, kept.value));
        names << (kept.origin.empty() ? name : ReviewDialog::tr("%1 (%2)").arg(name, toQString(kept.origin)));
    }
    return names.isEmpty()
               ? QString()
               : ReviewDialog::tr("Replaces what every start sets now: %1").arg(names.join(u", "_s));
}

// What was kept by hand or by a profile is not replaced behind anybody's back.
void ReviewDialog::showReplaced()
{
    const int asked = ++m_replacedAsked;
    m_replaced->hide();
    if (!m_everyStart->isChecked())
        return;
    using Replaced = std::vector<KeptBefore>;
    runAside<Replaced>(
        this,
        [plan = m_model.plan(), root = m_context.machine.root(), every = atStart().forClass] {
            return replacedByKeeping(plan, root, every);
        },
        [this, asked](const Replaced &replaced) {
            if (asked != m_replacedAsked)
                return;
            m_replaced->setText(replacedText(replaced));
            m_replaced->setVisible(!replaced.empty());
        });
}

AtStart ReviewDialog::atStart() const
{
    const bool every = m_everyStart->isChecked();
    const bool forClass = m_onlyForClass || (m_everyDisk && m_everyDisk->isChecked());
    return {every, every && forClass ? m_class : std::nullopt};
}

void ReviewDialog::showEdited(const ApplyReport &report)
{
    m_applied = transactionIdFromHex(report.transaction);
    const bool isEdited = report.keepWhy == Errc::FileChanged && m_applied;
    if (isEdited)
        m_edited->read(m_context.machine.root());
    m_edited->setVisible(isEdited);
}

void ReviewDialog::replaceEdited()
{
    std::vector<std::uint16_t> items(m_model.plan().steps.size());
    std::iota(items.begin(), items.end(), std::uint16_t{0});
    m_edited->setEnabled(false);
    m_context.applier.keepReplacing(*m_applied, items, atStart().forClass,
                                    [dialog = QPointer(this)](const ApplyReport &report) {
                                        if (!dialog)
                                            return;
                                        dialog->m_edited->setEnabled(true);
                                        dialog->m_heading->setText(describe(report));
                                        dialog->m_note->hide();
                                        dialog->m_edited->setVisible(!report.kept);
                                        Q_EMIT dialog->applied(report);
                                    });
}

QWidget *ReviewDialog::buildCommands()
{
    auto *whole = new QWidget(this);
    auto *layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::half);
    auto *head = new QHBoxLayout;
    auto *expander = new Expander(tr("Same thing as commands"), whole);
    auto *copy = new QPushButton(tr("C&opy"), whole);
    copy->setAccessibleName(tr("Copy the commands"));
    copy->setAutoDefault(false);
    copy->hide();
    head->addWidget(expander);
    head->addStretch(1);
    head->addWidget(copy);
    auto *text = new QPlainTextEdit(m_model.commands(), whole);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(tr("Commands that do the same"));
    const int lines = std::clamp(m_model.rowCount(), 2, 5);
    text->setFixedHeight(lines * text->fontMetrics().lineSpacing() + space::page);
    layout->addLayout(head);
    layout->addWidget(text);
    expander->setTarget(text);
    connect(expander, &Expander::opened, copy, &QWidget::setVisible);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_model.commands()); });
    return whole;
}

std::chrono::seconds ReviewDialog::trial() const
{
    return m_tryFor->isChecked() ? std::chrono::seconds(m_seconds->currentData().toInt()) : 0s;
}

void ReviewDialog::apply()
{
    if (m_done) {
        accept();
        return;
    }
    m_running = true;
    m_apply->setEnabled(false);
    m_options->setEnabled(false);
    m_progress->show();
    m_heading->setText(tr("Waiting for authorization, then applying…"));
    m_cancel->setText(tr("&Stop"));
    m_cancel->setAccessibleDescription(
        tr("Finishes the step that is being written and puts everything back."));
    // The dialog may be closed by the window manager meanwhile; the answer then finds nobody and that is
    // fine.
    m_context.applier.apply(m_model.plan(), trial(), atStart(),
                            [dialog = QPointer(this)](const ApplyReport &report) {
                                if (dialog)
                                    dialog->showReport(report);
                            });
}

void ReviewDialog::showReport(const ApplyReport &report)
{
    m_running = false;
    m_progress->hide();
    m_model.setReport(report);
    m_heading->setText(describe(report));
    const bool nothingCalled = report.call != CallState::Answered && report.call != CallState::Unknown;
    const bool mayRetry =
        nothingCalled || (report.call == CallState::Answered &&
                          (report.outcome == Outcome::NotAuthorized || report.outcome == Outcome::Busy));
    const QString advice = whatToDo(report);
    if (!advice.isEmpty())
        m_note->setText(advice);
    m_note->setVisible(mayRetry || !advice.isEmpty());
    showEdited(report);
    if (!mayRetry) {
        showResults();
        m_options->hide();
        m_done = true;
        m_cancel->hide();
        m_apply->setText(tr("&Close"));
        m_apply->setAccessibleDescription({});
        // Only now is there a trial that is this plan's.
        if (m_applied)
            m_trial->follow(*m_applied);
    } else {
        m_options->setEnabled(true);
        m_cancel->setEnabled(true);
        m_cancel->setText(tr("&Cancel"));
        m_cancel->setAccessibleDescription({});
    }
    m_apply->setEnabled(true);
    m_apply->setFocus();
    Q_EMIT applied(report);
    fitSoon();
}

void ReviewDialog::showResults()
{
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QModelIndex index = m_model.index(row);
        const Line &line = m_lines[static_cast<std::size_t>(row)];
        const QString result = index.data(ReviewModel::ResultRole).toString();
        const bool good = index.data(ReviewModel::GoodRole).toBool();
        line.notes->setVisible(result.isEmpty());
        line.result->setRole(good ? Label::Role::Accent : Label::Role::Alarm);
        line.result->setText((good ? u"✓ "_s : u"⚠ "_s) + result);
        line.result->setVisible(!result.isEmpty());
    }
}

// The trial is over, or it could not be ended: only in the first case do the lines say something new.
void ReviewDialog::showSettled(const ApplyReport &report)
{
    m_heading->setText(describe(report));
    const QString advice = whatToDo(report);
    m_note->setText(advice);
    m_note->setVisible(!advice.isEmpty());
    showEdited(report);
    const bool isOver =
        report.call == CallState::Unknown ||
        (report.call == CallState::Answered &&
         (report.outcome == Outcome::Confirmed || report.outcome == Outcome::Ended ||
          report.outcome == Outcome::RolledBack || report.outcome == Outcome::RollbackFailed));
    if (isOver) {
        m_model.setReport(report);
        showResults();
    }
    fitSoon();
}

// Choices go and a trial may come: as tall as what is left, once the layout knows.
void ReviewDialog::fitSoon()
{
    QTimer::singleShot(0, this, [this] { resize(width(), sizeHint().height()); });
}

void ReviewDialog::reject()
{
    if (m_running) {
        m_context.applier.cancel();
        // Whether anything was written yet is not known here.
        m_heading->setText(tr("Stopping…"));
        m_cancel->setEnabled(false);
        return;
    }
    QDialog::reject();
}

} // namespace diskwright::ui
