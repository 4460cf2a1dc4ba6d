// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "historypage.h"

#include "app/apply/describe.h"
#include "ui/dialogs/editeddialog.h"
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
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <utility>

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

// Disks are called what others called them: nothing of it is markup.
QMessageBox *newQuestion(QMessageBox::Icon icon, const QString &text, const QStringList &lines,
                         QWidget *parent)
{
    auto *question =
        new QMessageBox(icon, HistoryPage::tr("Undo a change"), text, QMessageBox::Cancel, parent);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(lines.join(u'\n'));
    for (QLabel *label : question->findChildren<QLabel *>())
        label->setTextFormat(Qt::PlainText);
    return question;
}

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
    const auto &error = m_context.machine.history().error;
    m_empty->setText(
        error ? tr("%1 can't be read, so what was changed is not known here. %2")
                    .arg(toQString(error->input), describe(error->code, error->sysErrno))
              : tr("Nothing was changed yet. Every change that is applied will be listed here, and can "
                   "be taken back from here."));
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
    auto *question =
        newQuestion(QMessageBox::Question, tr("These values will be put back now:"), lines, this);
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
    if (std::exchange(m_awaitsPreview, true))
        return;
    m_restore->setEnabled(false);
    // The answer or the end of patience, whichever comes first.
    const auto openOnce = [self = QPointer(this), asked = ++m_previews](const RestorePreview &preview,
                                                                        const QString &trouble) {
        if (self && self->m_awaitsPreview && asked == self->m_previews)
            self->openRestore(preview, trouble);
    };
    m_context.applier.previewRestore([openOnce](const Result<RestorePreview> &preview) {
        if (preview)
            openOnce(*preview, {});
        else
            openOnce({},
                     tr("%1 can't be read, so what would be put back can't be listed. What the helper has "
                        "recorded is put back all the same.")
                         .arg(toQString(preview.error().input)));
    });
    QTimer::singleShot(Machine::patience, this, [openOnce] {
        openOnce(
            {},
            tr("What would be put back can't be listed yet; a disk may not answer. It can be put back all "
               "the same."));
    });
}

void HistoryPage::openRestore(const RestorePreview &preview, const QString &trouble)
{
    m_awaitsPreview = false;
    m_restore->setEnabled(true);
    auto *dialog = new RestoreDialog(m_context, preview, trouble, this);
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
    m_context.applier.undo(*id, how.force, how.staysKept,
                           [self = QPointer(this), entry, how](const ApplyReport &report) {
                               if (self)
                                   self->showUndone(entry, how, report);
                           });
}

void HistoryPage::showUndone(const HistoryEntry &entry, Undo how, const ApplyReport &report)
{
    m_context.machine.readAgain({});
    refreshButtons();
    if (!how.force && report.call == CallState::Answered && report.outcome == Outcome::Refused &&
        report.why == Errc::Stale) {
        readForeign(entry, how, report);
        return;
    }
    // Undone, but still set at every start, is not what was asked for.
    const bool good = exitCode(report) == 0 && report.outcome == Outcome::Undone;
    Q_EMIT message(describe(report), !good);
    if (report.call == CallState::Answered && report.outcome == Outcome::Undone &&
        report.keepWhy == Errc::FileChanged) {
        m_context.machine.readThen({}, [self = QPointer(this), entry, report] {
            if (self)
                self->offerToReplace(entry, report);
        });
    }
}

// Which of the kept items a change made so.
static std::vector<std::uint16_t> keptBy(const HistoryEntry &entry, const KeptSet &kept)
{
    std::vector<std::uint16_t> items;
    for (std::size_t at = 0; at < kept.items.size(); ++at) {
        const KeptItem &item = kept.items[at];
        const bool isIts = std::ranges::any_of(entry.steps, [&](const HistoryStep &step) {
            const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
            const bool isPlace = item.forClass
                                     ? entry.keptFor == name(*item.forClass) && !step.address.target.empty()
                                     : item.target == step.diskId;
            return spec && item.settingId == spec->id && isPlace && item.value == step.after;
        });
        if (isIts)
            items.push_back(static_cast<std::uint16_t>(at));
    }
    return items;
}

void HistoryPage::offerToReplace(const HistoryEntry &entry, const ApplyReport &report)
{
    const KeptSet &kept = m_context.machine.kept();
    const std::vector<std::uint16_t> items = keptBy(entry, kept);
    if (items.empty())
        return;
    auto *dialog = new EditedDialog(
        m_context.machine.root(), report,
        [this, kept, items](Applier::Done done) {
            m_context.applier.forget(kept, items, true, std::move(done));
        },
        this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &EditedDialog::replaced, this, [this] { m_context.machine.readAgain({}); });
    dialog->open();
}

// A thread reads what is so now: a disk may hang.
void HistoryPage::readForeign(const HistoryEntry &entry, Undo how, const ApplyReport &report)
{
    std::vector<std::string> targets;
    targets.reserve(entry.steps.size());
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
    auto *question =
        newQuestion(QMessageBox::Warning,
                    tr("Nothing was put back: somebody else has changed these values since."), lines, this);
    auto *anyway = question->addButton(tr("Put back anyway"), QMessageBox::DestructiveRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::finished, this, [this, question, anyway, entry, how] {
        if (question->clickedButton() == anyway)
            putBackNow(entry, {.force = true, .staysKept = how.staysKept});
    });
    question->open();
}

} // namespace diskwright::ui
