// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "writebackpicture.h"

#include "ui/frame/look.h"
#include "ui/text/format.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace diskwright::ui {

static QColor dirtyColor(const QPalette &palette)
{
    return isDark(palette) ? QColor(96, 165, 250) : QColor(37, 99, 235);
}

static QColor writingColor(const QPalette &palette)
{
    return isDark(palette) ? QColor(251, 191, 36) : QColor(180, 83, 9);
}

WritebackPicture::WritebackPicture(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Memory that waits to be written"));
}

void WritebackPicture::show(const WritebackHistory &history, const WritebackLimits &limits)
{
    m_history = history;
    m_limits = limits;
    if (!history.isEmpty()) {
        const WritebackSample &now = history.samples().back();
        setAccessibleDescription(
            tr("%1 wait, %2 are being written. Writing starts at %3, programs wait from %4.")
                .arg(memoryText(now.dirty), memoryText(now.writeback), memoryText(limits.background),
                     memoryText(limits.limit)));
    }
    update();
}

// A scale that holds still: the next power of two above everything that is drawn.
double WritebackPicture::top() const
{
    double most = std::max(m_limits.limit, 16.0 * 1024 * 1024);
    for (const WritebackSample &sample : m_history.samples())
        most = std::max({most, sample.dirty + sample.writeback, sample.limit});
    const double wanted = most * 1.12;
    const double power = std::exp2(std::floor(std::log2(wanted)));
    for (const double step : {1.0, 1.25, 1.5, 1.75}) {
        if (power * step >= wanted)
            return power * step;
    }
    return power * 2;
}

void WritebackPicture::drawLimit(QPainter &painter, const QRectF &plot, double bytes, const QString &name,
                                 bool staged, bool labelBelow) const
{
    const double y = std::round(plot.bottom() - plot.height() * std::min(bytes / top(), 1.0)) + 0.5;
    const QColor color = staged ? accentColor(palette()) : palette().color(QPalette::WindowText);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(color, 1, staged ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    const QString text = staged ? tr("● %1 %2, staged").arg(name, memoryText(bytes))
                                : tr("%1 %2").arg(name, memoryText(bytes));
    const int height = painter.fontMetrics().height();
    const QRectF place(plot.left() + 8, labelBelow ? y + 2 : y - height - 2, plot.width() - 16, height);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void WritebackPicture::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRectF plot = QRectF(rect()).adjusted(0, 4, 0, -(painter.fontMetrics().height() + 8));
    painter.setPen(mutedColor(palette()));
    const QRectF caption(plot.left(), plot.bottom() + 4, plot.width(), painter.fontMetrics().height() + 2);
    painter.drawText(caption, Qt::AlignLeft | Qt::AlignVCenter, tr("a minute ago"));
    painter.drawText(caption, Qt::AlignRight | Qt::AlignVCenter, tr("now"));
    painter.setPen(lineColor(palette()));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (m_history.isEmpty()) {
        painter.setPen(mutedColor(palette()));
        painter.drawText(plot, Qt::AlignCenter, tr("The amount of unwritten data will appear here."));
        return;
    }
    const auto &samples = m_history.samples();
    const double step = plot.width() / static_cast<double>(WritebackHistory::length - 1);
    const double scale = plot.height() / top();
    const auto area = [&](auto amount, const QColor &color) {
        QPainterPath path;
        double x = plot.right() - step * static_cast<double>(samples.size() - 1);
        path.moveTo(x, plot.bottom());
        for (const WritebackSample &sample : samples) {
            path.lineTo(x, plot.bottom() - amount(sample) * scale);
            x += step;
        }
        path.lineTo(plot.right(), plot.bottom());
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawPath(path);
    };
    area([](const WritebackSample &sample) { return sample.dirty + sample.writeback; },
         dirtyColor(palette()));
    area([](const WritebackSample &sample) { return sample.writeback; }, writingColor(palette()));
    const bool close = (m_limits.limit - m_limits.background) * scale < 2.2 * painter.fontMetrics().height();
    drawLimit(painter, plot, m_limits.limit, tr("programs wait from"), m_limits.staged, false);
    drawLimit(painter, plot, m_limits.background, tr("writing starts at"), m_limits.staged, close);
}

} // namespace diskwright::ui
