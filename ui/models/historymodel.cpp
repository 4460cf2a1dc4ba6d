// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "historymodel.h"

#include "app/apply/describe.h"
#include "ui/models/reviewmodel.h"
#include "ui/models/settinglistmodel.h"
#include "ui/models/tiptext.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <ranges>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// Children carry the number of their parent's row plus one; 0 marks a transaction.
static constexpr quintptr topLevel = 0;

QString whenText(std::int64_t secondsSince1970)
{
    const QDateTime when = QDateTime::fromSecsSinceEpoch(secondsSince1970);
    const QString time = QLocale().toString(when.time(), QLocale::ShortFormat);
    const qint64 days = when.date().daysTo(QDate::currentDate());
    if (days == 0)
        return QCoreApplication::translate("When", "Today %1").arg(time);
    if (days == 1)
        return QCoreApplication::translate("When", "Yesterday %1").arg(time);
    return QLocale().toString(when, QLocale::ShortFormat);
}

HistoryModel::HistoryModel(const Machine &machine, QObject *parent)
    : QAbstractItemModel(parent)
    , m_machine(machine)
{
    connect(&machine, &Machine::historyChanged, this, &HistoryModel::rebuild);
    rebuild();
}

static bool touches(const HistoryEntry &entry, const std::string &target)
{
    return std::ranges::any_of(entry.steps,
                               [&](const HistoryStep &step) { return step.address.target == target; });
}

void HistoryModel::rebuild()
{
    beginResetModel();
    m_entries.clear();
    for (const HistoryEntry &entry : m_machine.history().entries) {
        if (!m_target || touches(entry, *m_target))
            m_entries.push_back(entry);
    }
    endResetModel();
}

std::vector<std::string> HistoryModel::targets() const
{
    std::vector<std::string> names;
    for (const HistoryEntry &entry : m_machine.history().entries) {
        for (const HistoryStep &step : entry.steps)
            names.push_back(step.address.target);
    }
    std::ranges::sort(names);
    const auto rest = std::ranges::unique(names);
    names.erase(rest.begin(), rest.end());
    return names;
}

void HistoryModel::setTarget(std::optional<std::string> target)
{
    m_target = std::move(target);
    rebuild();
}

QModelIndex HistoryModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : topLevel);
}

QModelIndex HistoryModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == topLevel)
        return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, topLevel);
}

int HistoryModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_entries.size());
    if (parent.internalId() != topLevel || parent.column() != 0)
        return 0;
    return static_cast<int>(entry(parent.row()).steps.size());
}

int HistoryModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

static const SettingSpec *specOf(const HistoryStep &step)
{
    return findSetting(step.address.domain, step.address.key);
}

static QString valueOrUnknown(const HistoryStep &step, const std::optional<Value> &value)
{
    const SettingSpec *spec = specOf(step);
    if (!value)
        return QCoreApplication::translate("HistoryModel", "not known");
    return spec ? valueText(*spec, *value) : toQString(toText(*value));
}

// What came of a step: the value read back, or what was asked for and did not come to be.
static QString wantedText(const HistoryStep &step)
{
    const bool inForce = step.result == StepResult::Applied || step.result == StepResult::Adjusted ||
                         step.result == StepResult::Unchanged;
    return valueOrUnknown(step, step.after && (inForce || !step.requested) ? step.after : step.requested);
}

// "Read-ahead on 870 EVO"; the machine itself needs no name.
static QString titleText(const HistoryStep &step, const QString &place)
{
    const SettingSpec *spec = specOf(step);
    const QString title = spec ? settingTitle(*spec) : toQString(step.address.key);
    return step.address.target.empty()
               ? title
               : QCoreApplication::translate("HistoryModel", "%1 on %2").arg(title, place);
}

QString HistoryModel::summary(const HistoryEntry &entry) const
{
    if (entry.steps.empty())
        return tr("No change");
    const HistoryStep &first = entry.steps.front();
    const QString title = titleText(first, m_machine.diskTitle(first.address.target));
    if (entry.lease)
        return tr("Measured: %1").arg(title);
    QString text = tr("%1: %2 → %3").arg(title, valueOrUnknown(first, first.before), wantedText(first));
    if (entry.steps.size() > 1)
        return tr("%1, and %n more", nullptr, static_cast<int>(entry.steps.size()) - 1).arg(text);
    return text;
}

QString HistoryModel::stepText(const HistoryStep &step) const
{
    const QString place =
        targetText(m_machine.diskTitle(step.address.target).toStdString(), step.address.target);
    return tr("%1: %2 → %3").arg(titleText(step, place), valueOrUnknown(step, step.before), wantedText(step));
}

// A trial that ended is recorded like a plan that failed and was put back; only the latter holds a step that
// failed.
static QString resultText(const HistoryEntry &entry)
{
    const bool failed = std::ranges::any_of(entry.steps, [](const HistoryStep &step) {
        return step.result != StepResult::RolledBack && step.result != StepResult::Unchanged;
    });
    const bool ended = entry.outcome == Outcome::RolledBack && !failed;
    const QString word = outcomeWord(ended ? Outcome::Ended : entry.outcome);
    return entry.kept ? QCoreApplication::translate("HistoryModel", "%1, set at every start").arg(word)
                      : word;
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::ToolTipRole)
        return tipText(data(index, Qt::DisplayRole).toString());
    if (index.internalId() != topLevel) {
        const HistoryEntry &owner = entry(static_cast<int>(index.internalId() - 1));
        const HistoryStep &step = owner.steps[static_cast<std::size_t>(index.row())];
        if (role != Qt::DisplayRole)
            return {};
        if (index.column() == WhatColumn)
            return stepText(step);
        if (index.column() == ResultColumn) {
            AppliedStep applied{step.address, step.diskId, {},         step.before,  step.requested,
                                step.after,   step.result, Errc::None, step.sysErrno};
            return describe(applied);
        }
        return {};
    }
    const HistoryEntry &transaction = entry(index.row());
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case WhenColumn: return whenText(transaction.timeSeconds);
        case WhatColumn: return summary(transaction);
        case ResultColumn: return resultText(transaction);
        default: return {};
        }
    case TransactionRole: return toQString(transaction.transaction);
    case UndoableRole: return transaction.undoable;
    case WhyNotRole: return whyNotUndoableText(transaction.reason);
    case KeptRole: return transaction.kept;
    case DisksRole: {
        QStringList names;
        for (const HistoryStep &step : transaction.steps)
            names << toQString(step.address.target);
        names.removeDuplicates();
        return names;
    }
    default: return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case WhenColumn: return tr("When");
    case WhatColumn: return tr("What");
    case ResultColumn: return tr("Result");
    default: return {};
    }
}

QHash<int, QByteArray> HistoryModel::roleNames() const
{
    auto names = QAbstractItemModel::roleNames();
    names.insert({{TransactionRole, "transaction"},
                  {UndoableRole, "undoable"},
                  {WhyNotRole, "whyNot"},
                  {KeptRole, "kept"},
                  {DisksRole, "disks"}});
    return names;
}

} // namespace diskwright::ui
