// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "restoredialog.h"

#include "app/apply/describe.h"
#include "app/apply/rescuenote.h"
#include "ui/models/reviewmodel.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

QString valueOrUnknown(const Address &address, const std::optional<Value> &value)
{
    const SettingSpec *spec = findSetting(address.domain, address.key);
    if (!value)
        return RestoreDialog::tr("not known");
    return spec ? valueText(*spec, *value) : toQString(toText(*value));
}

QString changeText(const Address &address, const std::optional<Value> &from, const std::optional<Value> &to)
{
    return valueOrUnknown(address, from) + u"  →  "_s + valueOrUnknown(address, to);
}

QWidget *makeLine(const QString &title, const QString &change, const QString &note, bool alarm,
                  QWidget *parent)
{
    auto *line = new QWidget(parent);
    auto *grid = new QGridLayout(line);
    grid->setContentsMargins(space::card, space::unit, space::card, space::unit);
    grid->setHorizontalSpacing(space::unit);
    grid->setVerticalSpacing(2);
    auto *name = new Label(Label::Role::Body, title, line);
    name->setWordWrap(true);
    auto *values = new Label(Label::Role::Heading, change, line);
    values->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid->addWidget(name, 0, 0);
    grid->addWidget(values, 0, 1);
    grid->setColumnStretch(0, 1);
    if (!note.isEmpty()) {
        auto *below = new Label(alarm ? Label::Role::Alarm : Label::Role::Muted, note, line);
        below->setWordWrap(true);
        grid->addWidget(below, 1, 0, 1, 2);
    }
    return line;
}

} // namespace

RestoreDialog::RestoreDialog(const Context &context, const RestorePreview &preview, const QString &trouble,
                             QWidget *parent)
    : QDialog(parent)
    , m_context(context)
    , m_preview(preview)
    , m_heading(new Label(Label::Role::Heading, tr("Everything will be put back now"), this))
    , m_note(new Label(Label::Role::Muted, this))
    , m_lines(nullptr)
    , m_progress(new QProgressBar(this))
    , m_rescue(new QPushButton(tr("Copy rescue &note"), this))
    , m_cancel(new QPushButton(tr("&Cancel"), this))
    , m_putBack(new QPushButton(tr("&Put everything back"), this))
{
    setWindowTitle(tr("Put everything back"));
    setModal(true);
    setMinimumWidth(640);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::page, space::page, space::page, space::card);
    layout->setSpacing(space::card);
    m_heading->setWordWrap(true);
    m_note->setWordWrap(true);
    layout->addWidget(m_heading);
    layout->addWidget(m_note);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setAccessibleName(tr("What is put back"));
    scroll->setMinimumHeight(200);
    auto *inside = new QWidget;
    inside->setAutoFillBackground(false);
    m_lines = new QVBoxLayout(inside);
    m_lines->setContentsMargins(0, 0, 0, 0);
    scroll->setWidget(inside);
    layout->addWidget(scroll, 1);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(space::unit);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Putting back"));
    m_progress->hide();
    buttons->addWidget(m_rescue);
    buttons->addWidget(m_progress, 1);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_putBack);
    layout->addLayout(buttons);
    const QString whyNot = context.applier.whyNot();
    const QString note =
        whyNot.isEmpty()
            ? tr("Values go back to what they were before the first change since the last restart, "
                 "and nothing is set at the start any more. Trials of other users end too; they can't be "
                 "seen from here. You will be asked for your password once.")
            : whyNot;
    m_note->setText(trouble.isEmpty() ? note : trouble + u'\n' + note);
    m_rescue->setAccessibleDescription(
        tr("Copies a page that says how to start this machine if it does not start any more."));
    // What other users try is known to the helper only, so there may be something to do all the same.
    m_putBack->setEnabled(whyNot.isEmpty());
    m_putBack->setAutoDefault(false);
    m_cancel->setDefault(true);
    if (preview.isEmpty() && trouble.isEmpty())
        m_heading->setText(tr("Nothing to put back is known here"));
    fill(linesOf(preview));
    connect(m_rescue, &QPushButton::clicked, this, &RestoreDialog::copyNote);
    connect(m_cancel, &QPushButton::clicked, this, &RestoreDialog::reject);
    connect(m_putBack, &QPushButton::clicked, this, &RestoreDialog::putBack);
}

QString RestoreDialog::titleOf(const Address &address) const
{
    const SettingSpec *spec = findSetting(address.domain, address.key);
    const QString title = spec ? settingTitle(*spec) : toQString(address.key);
    //: %1 is a setting, %2 a disk
    return address.target.empty()
               ? title
               : tr("%1 on %2")
                     .arg(title, targetText(m_context.machine.diskTitle(address.target).toStdString(),
                                            address.target));
}

std::vector<RestoreDialog::Line> RestoreDialog::linesOf(const RestorePreview &preview) const
{
    std::vector<Line> lines;
    for (const RestoreStep &step : preview.steps) {
        Line line{titleOf(step.address), changeText(step.address, step.now, step.target), {}, false};
        if (step.obstacle != Errc::None) {
            line.note = describeObstacle(step.obstacle);
            line.alarm = true;
        } else if (step.foreign) {
            line.note = tr("Somebody else has set this value since. It is put back too.");
        } else if (step.kept) {
            line.note = tr("It is set at every start now.");
        }
        lines.push_back(std::move(line));
    }
    if (preview.trials > 0)
        lines.push_back(
            {tr("%n trial(s) to be ended", nullptr, static_cast<int>(preview.trials)), {}, {}, false});
    if (preview.kept > 0)
        lines.push_back(
            {tr("%n value(s) will not be set at the start any more", nullptr, static_cast<int>(preview.kept)),
             {},
             {},
             false});
    return lines;
}

std::vector<RestoreDialog::Line> RestoreDialog::linesOf(const ApplyReport &report) const
{
    std::vector<Line> lines;
    for (const AppliedStep &step : report.steps) {
        // Of a disk that is gone there is no value to tell, and nothing to put back.
        if (step.result == StepResult::DeviceGone) {
            lines.push_back({titleOf(step.address), {}, describe(step), false});
            continue;
        }
        const bool isWell = step.result == StepResult::Applied || step.result == StepResult::Unchanged;
        lines.push_back({titleOf(step.address),
                         isWell ? changeText(step.address, step.before, step.after)
                                : valueOrUnknown(step.address, step.after),
                         isWell ? QString() : describe(step), !isWell});
    }
    return lines;
}

void RestoreDialog::fill(const std::vector<Line> &lines)
{
    while (QLayoutItem *old = m_lines->takeAt(0)) {
        delete old->widget();
        delete old;
    }
    if (!lines.empty()) {
        auto *card = new Card(this);
        for (const Line &line : lines)
            card->addRow(makeLine(line.title, line.change, line.note, line.alarm, card));
        m_lines->addWidget(card);
        // A layout shows what is added later only in the next round of the event loop.
        card->show();
    }
    m_lines->addStretch(1);
}

void RestoreDialog::putBack()
{
    m_running = true;
    m_putBack->setEnabled(false);
    m_cancel->setEnabled(false);
    m_progress->show();
    const QPointer<RestoreDialog> self(this);
    m_context.applier.restoreAll(m_preview, [self](const ApplyReport &report) {
        if (self)
            self->showReport(report);
    });
}

void RestoreDialog::showReport(const ApplyReport &report)
{
    m_running = false;
    m_progress->hide();
    m_heading->setText(describe(report));
    const QString advice = whatToDo(report);
    m_note->setText(advice);
    m_note->setVisible(!advice.isEmpty());
    m_cancel->setEnabled(true);
    m_cancel->setText(tr("&Close"));
    const bool wasDone = report.call == CallState::Unknown || report.outcome == Outcome::Undone ||
                         report.outcome == Outcome::RollbackFailed || report.outcome == Outcome::Unchanged;
    // Refused or dismissed: what is listed is still to be put back.
    m_putBack->setVisible(!wasDone);
    m_putBack->setEnabled(!wasDone);
    if (wasDone)
        fill(linesOf(report));
    Q_EMIT restored(report);
}

void RestoreDialog::copyNote()
{
    const auto note = rescueNote(m_context.machine.root());
    QGuiApplication::clipboard()->setText(note ? *note : toQString(note.error().reason));
    m_rescue->setText(note ? tr("Copied") : tr("Could not be made"));
}

void RestoreDialog::reject()
{
    // The answer still comes, and is shown here.
    if (!m_running)
        QDialog::reject();
}

} // namespace diskwright::ui
