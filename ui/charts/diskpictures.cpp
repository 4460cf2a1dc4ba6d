// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskpictures.h"

#include "ui/frame/look.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace diskwright::ui {

SizeBar::SizeBar(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Partitions"));
}

void SizeBar::show(std::vector<DiskStretch> stretches)
{
    m_stretches = std::move(stretches);
    update();
}

void SizeBar::paintEvent(QPaintEvent *)
{
    constexpr double gap = 2;
    constexpr double least = 4; // a boot partition is to be seen even on a large disk
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double count = static_cast<double>(m_stretches.size());
    const double room = std::max(0.0, width() - gap * (count - 1) - least * count);
    QColor used = accentColor(palette());
    used.setAlphaF(0.75F);
    double x = 0;
    for (const DiskStretch &stretch : m_stretches) {
        const double wide = least + room * stretch.share;
        const QRectF box(x + 0.5, 0.5, wide - 1, height() - 1);
        x += wide + gap;
        QColor unused = mutedColor(palette());
        if (stretch.name.empty()) {
            painter.setPen(QPen(lineColor(palette()), 1, Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
        } else if (stretch.used) {
            painter.setPen(used);
            painter.setBrush(used);
        } else {
            painter.setPen(unused);
            unused.setAlphaF(0.25F);
            painter.setBrush(unused);
        }
        painter.drawRoundedRect(box, 2, 2);
    }
}

Sparkline::Sparkline(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Throughput of the last two minutes"));
}

void Sparkline::show(const std::deque<double> &rates)
{
    // A disk that stays quiet is not drawn again and again.
    const auto flat = [](const std::deque<double> &line) {
        return std::ranges::all_of(line, [](double rate) { return rate == 0; });
    };
    const bool moves = !flat(rates) || !flat(m_rates) || m_rates.empty();
    m_rates = rates;
    if (moves)
        update();
}

void Sparkline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = QRectF(rect()).adjusted(1, 2, -1, -1.5);
    painter.setPen(lineColor(palette()));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (m_rates.empty())
        return;
    // From zero, and never less than 1 MB/s high: a whisper is not to look like a storm.
    const double top = std::max(1e6, *std::ranges::max_element(m_rates));
    const double step = plot.width() / static_cast<double>(Throughput::length - 1);
    double x = plot.right() - step * static_cast<double>(m_rates.size() - 1);
    QPainterPath line;
    for (std::size_t i = 0; i < m_rates.size(); ++i) {
        const QPointF point(x, plot.bottom() - plot.height() * m_rates[i] / top);
        i == 0 ? line.moveTo(point) : line.lineTo(point);
        x += step;
    }
    painter.setPen(QPen(accentColor(palette()), 1.5));
    painter.drawPath(line);
}

} // namespace diskwright::ui
