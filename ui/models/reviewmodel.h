// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/applysession.h"

#include <QAbstractListModel>

#include <optional>

namespace diskwright::ui {

/// The lines of a review, in the order of applying; after applying, the same lines with their results.
class ReviewModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        TitleRole = Qt::DisplayRole,
        TargetRole = Qt::UserRole + 1, ///< "870 EVO (sda)", "Memory and writeback"
        BeforeRole,
        WantedRole,
        NotesRole, ///< what else the step does and its risk
        CommandRole,
        ResultRole, ///< what became of it; empty before
        GoodRole,   ///< bool: applied, adjusted or so already; put back at the end of a trial
    };

    explicit ReviewModel(Plan plan, QObject *parent = nullptr);

    [[nodiscard]] const Plan &plan() const noexcept { return m_plan; }
    void setReport(const ApplyReport &report);
    [[nodiscard]] const std::optional<ApplyReport> &report() const noexcept { return m_report; }

    /// All commands, one a line.
    [[nodiscard]] QString commands() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

private:
    [[nodiscard]] QString notes(const PlanStep &step) const;
    [[nodiscard]] bool isGood(const AppliedStep &step) const;

    Plan m_plan;
    std::optional<ApplyReport> m_report;
};

/// "870 EVO (sda)", or the name of the page for the machine.
[[nodiscard]] QString targetText(const std::string &displayName, const std::string &kernelName);

} // namespace diskwright::ui
