// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/slowdisks.h"
#include "ui/pages/page.h"

class QPushButton;
class QVBoxLayout;

namespace diskwright::ui {

/// The cure for freezes: a limit of unwritten data for each slow removable disk that is mounted for writing.
class LimitCard final : public QWidget
{
    Q_OBJECT

public:
    explicit LimitCard(const Context &context, QWidget *parent = nullptr);

    /// What all disks together may have unwritten now.
    void setWriteback(const std::optional<WritebackSample> &now);

private:
    struct Row {
        std::string disk;
        QWidget *whole;
        Label *text;
        QPushButton *button;
    };
    void refresh();
    [[nodiscard]] Row makeRow(const std::string &disk);
    void show(const Row &row) const;
    void showAll() const;
    void press(const std::string &disk);
    /// Disks that could have a limit and have none.
    [[nodiscard]] std::vector<std::string> unlimited() const;

    Context m_context;
    Card *m_card;
    Label *m_none;
    QPushButton *m_all;
    std::vector<Row> m_rows;
    std::int64_t m_bytes;
};

} // namespace diskwright::ui
