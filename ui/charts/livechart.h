// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>
#include <QWidget>

/// The charts live in a library of their own that is loaded when the first one is shown: the start pays
/// nothing. This header is all that both sides share.
namespace diskwright::ui {

/// What happens while something is measured, over the seconds since its start.
class LiveChart : public QWidget
{
public:
    using QWidget::QWidget;

    /// A unit in which the axis may count: how many base units it is, and the title that names it.
    struct Scale {
        double size = 1;
        QString title;
    };
    /// \p scales: one or more, smallest unit first; the largest that leaves numbers above 1 is shown.
    virtual void begin(const QList<Scale> &scales, const QString &timeTitle, int seconds) = 0;
    /// Everything so far, at most mostPoints, in seconds and base units; called at most once a frame.
    virtual void show(const QList<QPointF> &points) = 0;

    static constexpr qsizetype mostPoints = 600;
};

class ChartFactory
{
public:
    virtual ~ChartFactory() = default;
    [[nodiscard]] virtual LiveChart *createLiveChart(QWidget *parent) = 0;
};

/// Loads the library. Null with a sentence in \p problem if it is not there.
[[nodiscard]] LiveChart *createLiveChart(QWidget *parent, QString &problem);

/// Points thinned to \p most by keeping the lowest and highest of each stretch, so that no peak is lost.
[[nodiscard]] QList<QPointF> thinned(const QList<QPointF> &points, qsizetype most = LiveChart::mostPoints);

} // namespace diskwright::ui

Q_DECLARE_INTERFACE(diskwright::ui::ChartFactory, "org.diskwright.ChartFactory/2")
