// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/writeback.h"

#include <QWidget>

namespace diskwright::ui {

/// The last minute of memory that waits to be written, and the two limits: as they are, and where they will
/// be with what is staged. Drawing is all it does.
class WritebackPicture final : public QWidget
{
    Q_OBJECT

public:
    explicit WritebackPicture(QWidget *parent = nullptr);

    void show(const WritebackHistory &history, const WritebackLimits &limits);

    QSize sizeHint() const override { return {600, 208}; }
    QSize minimumSizeHint() const override { return {320, 160}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] double top() const;
    void drawLimit(QPainter &painter, const QRectF &plot, double bytes, const QString &name, bool staged,
                   bool labelBelow) const;

    WritebackHistory m_history;
    WritebackLimits m_limits;
};

} // namespace diskwright::ui
