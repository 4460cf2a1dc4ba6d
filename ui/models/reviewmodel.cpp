// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reviewmodel.h"

#include "app/apply/describe.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <QCoreApplication>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// Models have 40 letters at most; what people name themselves may be longer.
static constexpr int longestName = 44;

QString targetText(const std::string &displayName, const std::string &kernelName)
{
    if (kernelName.empty())
        return QCoreApplication::translate("Target", "Memory and writeback");
    if (displayName.empty() || displayName == kernelName)
        return toQString(kernelName);
    return QCoreApplication::translate("Target", "%1 (%2)")
        .arg(shortened(toQString(displayName), longestName), toQString(kernelName));
}

ReviewModel::ReviewModel(Plan plan, QObject *parent)
    : QAbstractListModel(parent)
    , m_plan(std::move(plan))
{
}

void ReviewModel::setReport(const ApplyReport &report)
{
    m_report = report;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), {ResultRole, GoodRole});
}

QString ReviewModel::commands() const
{
    QStringList lines;
    for (const std::string &line : equivalentCommands(m_plan))
        lines << toQString(line);
    return lines.join(u'\n');
}

QString ReviewModel::notes(const PlanStep &step) const
{
    QStringList notes;
    for (const Caution &caution : step.cautions) {
        // The risk is said once, below, in the words of the row.
        const QString words = caution.kind != CautionKind::RowRisk ? describe(caution) : QString();
        if (!words.isEmpty())
            notes << QString(words.front().toUpper() + words.sliced(1) + u'.');
    }
    notes << riskText(step.spec->risk);
    return notes.join(u' ');
}

bool ReviewModel::isGood(const AppliedStep &step) const
{
    // The end of a trial puts back; that a plan was put back is a failure.
    if (step.result == StepResult::RolledBack)
        return m_report && m_report->call == CallState::Answered && m_report->outcome == Outcome::Ended;
    return step.result == StepResult::Applied || step.result == StepResult::Adjusted ||
           step.result == StepResult::Unchanged;
}

int ReviewModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_plan.steps.size());
}

QVariant ReviewModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const PlanStep &step = m_plan.steps[row];
    const AppliedStep *result = m_report && row < m_report->steps.size() ? &m_report->steps[row] : nullptr;
    switch (role) {
    case TitleRole: return settingTitle(*step.spec);
    case TargetRole: return targetText(step.displayName, step.address.target);
    case BeforeRole: return step.before ? valueText(*step.spec, *step.before) : tr("not known yet");
    case WantedRole: return valueText(*step.spec, step.wanted);
    case NotesRole: return notes(step);
    case CommandRole: return toQString(step.command);
    case ResultRole: return result ? describe(*result) : QString();
    case GoodRole: return result && isGood(*result);
    default: return {};
    }
}

QHash<int, QByteArray> ReviewModel::roleNames() const
{
    return {{TitleRole, "title"}, {TargetRole, "target"},   {BeforeRole, "before"}, {WantedRole, "wanted"},
            {NotesRole, "notes"}, {CommandRole, "command"}, {ResultRole, "result"}, {GoodRole, "good"}};
}

} // namespace diskwright::ui
