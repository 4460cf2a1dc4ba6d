// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/machine.h"

#include <QAbstractItemModel>

namespace diskwright::ui {

/// Transactions, newest first, each with its steps below it.
class HistoryModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { WhenColumn, WhatColumn, ResultColumn, ColumnCount };
    enum Role { TransactionRole = Qt::UserRole + 1, UndoableRole, WhyNotRole, KeptRole, DisksRole };

    explicit HistoryModel(const Machine &machine, QObject *parent = nullptr);

    [[nodiscard]] const HistoryEntry &entry(int row) const
    {
        return m_entries[static_cast<std::size_t>(row)];
    }

    /// Kernel names of the disks (and "" for the machine) that occur, each once.
    [[nodiscard]] std::vector<std::string> targets() const;
    /// Shows only transactions that touched \p target; null: all.
    void setTarget(std::optional<std::string> target);

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

private:
    void rebuild();
    [[nodiscard]] QString summary(const HistoryEntry &entry) const;
    [[nodiscard]] QString stepText(const HistoryStep &step) const;

    const Machine &m_machine;
    std::optional<std::string> m_target;
    std::vector<HistoryEntry> m_entries;
};

/// "Today 14:02", "Yesterday 09:10", "3 Mar 2026 18:00".
[[nodiscard]] QString whenText(std::int64_t secondsSince1970);

} // namespace diskwright::ui
