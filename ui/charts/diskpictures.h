// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/overview.h"

#include <QWidget>

namespace diskwright::ui {

/// How a disk is divided, as one bar. What is used is filled, what is not is only framed.
class SizeBar final : public QWidget
{
    Q_OBJECT

public:
    explicit SizeBar(QWidget *parent = nullptr);

    using QWidget::show;
    void show(std::vector<DiskStretch> stretches);
    [[nodiscard]] bool isEmpty() const noexcept { return m_stretches.empty(); }

    QSize sizeHint() const override { return {120, 12}; }
    QSize minimumSizeHint() const override { return {40, 12}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::vector<DiskStretch> m_stretches;
};

/// Throughput of the last minutes as a line without numbers; the number stands beside it.
class Sparkline final : public QWidget
{
    Q_OBJECT

public:
    explicit Sparkline(QWidget *parent = nullptr);

    using QWidget::show;
    /// Bytes a second, oldest first.
    void show(const std::deque<double> &rates);

    QSize sizeHint() const override { return {120, 26}; }
    QSize minimumSizeHint() const override { return {120, 26}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::deque<double> m_rates;
};

} // namespace diskwright::ui
