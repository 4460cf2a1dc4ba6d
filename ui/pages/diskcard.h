// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/overview.h"
#include "ui/pages/page.h"

#include <QAbstractButton>

namespace diskwright::ui {

class SizeBar;
class Sparkline;

/// A disk at a glance; pressing it opens its page.
class DiskCard final : public QAbstractButton
{
    Q_OBJECT

public:
    DiskCard(const Context &context, std::string disk, QWidget *parent = nullptr);

    [[nodiscard]] const std::string &disk() const noexcept { return m_disk; }
    /// Shows what the machine says now.
    void refresh();
    void showThroughput(const Throughput &throughput);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    Context m_context;
    std::string m_disk;
    Label *m_icon;
    Label *m_title;
    Label *m_name;
    Label *m_facts;
    Label *m_place;
    Label *m_partitions;
    Label *m_settings;
    Label *m_health;
    Label *m_rate;
    SizeBar *m_bar;
    Sparkline *m_line;
};

} // namespace diskwright::ui
