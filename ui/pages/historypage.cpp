// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "historypage.h"

#include "app/apply/describe.h"
#include "ui/dialogs/restoredialog.h"
#include "ui/models/reviewmodel.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTreeView>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

// Lines of a list that a person reads stand further apart than those of a table of files.
class RoomyDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(space::unit, space::unit);
    }
};

} // namespace

HistoryPage::HistoryPage(const Context &context, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_model(context.machine)
    , m_view(new QTreeView(this))
    , m_filter(new QComboBox(this))
    , m_undo(new QPushButton(tr("&Undo…"), this))
    , m_restore(new QPushButton(tr("Put &everything back…"), this))
    , m_whyNot(new Label(Label::Role::Muted, this))
    , m_empty(new Label(Label::Role::Muted, this))
{
    setTitle(tr("History"), tr("What was done, and how do I take it back?"));
    m_filter->setAccessibleName(tr("Show changes of"));
    m_filter->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_undo->setAccessibleDescription(
        tr("Puts the values back that the chosen change replaced, after asking."));
    m_restore->setAccessibleDescription(
        tr("Shows what would be put back to what it was before the first change, and asks."));
    m_view->setModel(&m_model);
    m_view->setAccessibleName(tr("Changes, newest first"));
    m_view->setUniformRowHeights(true);
    m_view->setItemDelegate(new RoomyDelegate(m_view));
    m_view->setAllColumnsShowFocus(true);
    m_view->setAlternatingRowColors(false);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setMinimumHeight(240);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(HistoryModel::WhenColumn, QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(HistoryModel::WhatColumn, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(HistoryModel::ResultColumn, QHeaderView::ResizeToContents);
    m_whyNot->setWordWrap(true);
    m_empty->setWordWrap(true);
    m_empty->setText(
        tr("Nothing was changed yet. Every change that is applied will be listed here, and can be "
           "taken back from here."));
    auto *top = new QHBoxLayout;
    auto *show = new QLabel(tr("&Show"), this);
    show->setBuddy(m_filter);
    top->addWidget(show);
    top->addWidget(m_filter);
    top->addStretch(1);
    top->addWidget(m_restore);
    body()->addLayout(top);
    body()->addWidget(m_empty);
    body()->addWidget(m_view, 1);
    // Keeps the sentence at the top while there is no list.
    body()->addStretch(0);
    auto *below = new QHBoxLayout;
    below->addWidget(m_whyNot, 1);
    below->addWidget(m_undo);
    body()->addLayout(below);
    connect(m_filter, &QComboBox::activated, this, [this](int index) {
        const QVariant target = m_filter->itemData(index);
        m_model.setTarget(target.isValid() ? std::optional(target.toString().toStdString()) : std::nullopt);
        refresh();
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, &HistoryPage::refresh);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &HistoryPage::refreshButtons);
    connect(m_undo, &QPushButton::clicked, this, &HistoryPage::undo);
    connect(m_restore, &QPushButton::clicked, this, &HistoryPage::restoreAll);
    refresh();
}

void HistoryPage::enter()
{
    m_context.machine.readAgain({});
}

void HistoryPage::fillFilter()
{
    const QVariant chosen = m_filter->currentData();
    const QSignalBlocker quiet(m_filter);
    m_filter->clear();
    m_filter->addItem(tr("every change"));
    for (const std::string &target : m_model.targets()) {
        m_filter->addItem(
            targetText(target.empty() ? std::string() : m_context.machine.diskTitle(target).toStdString(),
                       target),
            toQString(target));
    }
    m_filter->setCurrentIndex(std::max(0, chosen.isValid() ? m_filter->findData(chosen) : 0));
}

void HistoryPage::refresh()
{
    fillFilter();
    const bool any = m_model.rowCount() > 0;
    m_view->setVisible(any);
    m_undo->setVisible(any);
    m_empty->setVisible(!any);
    if (any && !m_view->currentIndex().isValid())
        m_view->setCurrentIndex(m_model.index(0, 0));
    refreshButtons();
}

int HistoryPage::currentRow() const
{
    QModelIndex index = m_view->currentIndex();
    if (index.parent().isValid())
        index = index.parent();
    return index.isValid() ? index.row() : -1;
}

void HistoryPage::refreshButtons()
{
    const int row = currentRow();
    const bool undoable = row >= 0 && m_model.entry(row).undoable;
    m_undo->setEnabled(undoable);
    m_whyNot->setText(row < 0 || undoable
                          ? QString()
                          : tr("This change can't be undone: %1.")
                                .arg(m_model.index(row, 0).data(HistoryModel::WhyNotRole).toString()));
}

void HistoryPage::undo()
{
    const int row = currentRow();
    if (row < 0)
        return;
    QStringList lines;
    const QModelIndex parent = m_model.index(row, 0);
    for (int step = 0; step < m_model.rowCount(parent); ++step) {
        const HistoryStep &done = m_model.entry(row).steps[static_cast<std::size_t>(step)];
        const SettingSpec *spec = findSetting(done.address.domain, done.address.key);
        if (spec && done.before) {
            lines << tr("%1 back to %2").arg(settingTitle(*spec), valueText(*spec, *done.before));
        }
    }
    auto *question = new QMessageBox(QMessageBox::Question, tr("Undo a change"),
                                     tr("These values will be put back now:"), QMessageBox::Cancel, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(lines.join(u'\n'));
    QCheckBox *stops = nullptr;
    if (m_model.entry(row).kept) {
        stops = new QCheckBox(tr("Also &stop at every start"), question);
        stops->setToolTip(tr("Otherwise it is set again at the next start."));
        stops->setAccessibleDescription(stops->toolTip());
        stops->setChecked(true);
        question->setCheckBox(stops);
    }
    auto *putBack = question->addButton(tr("Put back"), QMessageBox::AcceptRole);
    question->setDefaultButton(putBack);
    connect(question, &QMessageBox::finished, this,
            [this, question, putBack, stops, entry = m_model.entry(row)] {
                if (question->clickedButton() == putBack)
                    putBackNow(entry, {.force = false, .staysKept = stops && !stops->isChecked()});
            });
    question->open();
}

void HistoryPage::restoreAll()
{
    auto preview = m_context.applier.previewRestore();
    if (!preview) {
        Q_EMIT message(describe(preview.error().code, preview.error().sysErrno), true);
        return;
    }
    auto *dialog = new RestoreDialog(m_context, std::move(*preview), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RestoreDialog::restored, this, [this] { m_context.machine.readAgain({}); });
    dialog->open();
}

void HistoryPage::putBackNow(const HistoryEntry &entry, Undo how)
{
    const auto id = transactionIdFromHex(entry.transaction);
    if (!id)
        return;
    m_undo->setEnabled(false);
    m_context.applier.undo(*id, how.force, how.staysKept, [this, entry, how](const ApplyReport &report) {
        m_context.machine.readAgain({});
        refreshButtons();
        if (!how.force && report.call == CallState::Answered && report.outcome == Outcome::Refused &&
            report.why == Errc::Stale) {
            readForeign(entry, how, report);
            return;
        }
        const bool good = report.call == CallState::Answered && report.outcome == Outcome::Undone;
        Q_EMIT message(describe(report), !good);
    });
}

// A thread reads what is so now: a disk may hang.
void HistoryPage::readForeign(const HistoryEntry &entry, Undo how, const ApplyReport &report)
{
    std::vector<std::string> targets;
    for (const HistoryStep &step : entry.steps)
        targets.push_back(step.address.target);
    m_context.machine.readThen(targets, [self = QPointer(this), entry, how, report] {
        if (self)
            self->askAboutForeign(entry, how, report);
    });
}

// Somebody else has changed a value since. What they set is named before it is overwritten.
void HistoryPage::askAboutForeign(const HistoryEntry &entry, Undo how, const ApplyReport &report)
{
    QStringList lines;
    for (const HistoryStep &step : entry.steps) {
        const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
        const Observation *seen = m_context.machine.setting(step.address);
        const bool isHere = m_context.machine.presence(step.address.target) == Presence::Here;
        const std::optional<Value> now = seen && isHere ? seen->value : std::nullopt;
        if (!spec || !step.before || !now || now == step.after || now == step.before)
            continue;
        lines << tr("%1 on %2 is %3 now. It would be put back to %4.")
                     .arg(settingTitle(*spec),
                          targetText(m_context.machine.diskTitle(step.address.target).toStdString(),
                                     step.address.target),
                          valueText(*spec, *now), valueText(*spec, *step.before));
    }
    if (lines.isEmpty()) {
        Q_EMIT message(describe(report), true);
        return;
    }
    auto *question = new QMessageBox(
        QMessageBox::Warning, tr("Undo a change"),
        tr("Nothing was put back: somebody else has changed these values since."), QMessageBox::Cancel, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(lines.join(u'\n'));
    auto *anyway = question->addButton(tr("Put back anyway"), QMessageBox::DestructiveRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::finished, this, [this, question, anyway, entry, how] {
        if (question->clickedButton() == anyway)
            putBackNow(entry, {.force = true, .staysKept = how.staysKept});
    });
    question->open();
}

} // namespace diskwright::ui
