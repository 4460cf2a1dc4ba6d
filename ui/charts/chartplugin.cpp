// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "livechart.h"

#include "axis.h"

#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QValueAxis>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

class Chart final : public LiveChart
{
public:
    explicit Chart(QWidget *parent)
        : LiveChart(parent)
        , m_chart(new QChart)
        , m_view(new QChartView(m_chart, this))
        , m_line(new QLineSeries)
        , m_time(new QValueAxis)
        , m_amount(new QValueAxis)
    {
        auto *layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_view);
        m_view->setFocusPolicy(Qt::NoFocus);
        m_view->setFrameShape(QFrame::NoFrame);
        m_view->setBackgroundBrush(Qt::NoBrush);
        // The card below shows through.
        m_view->viewport()->setAutoFillBackground(false);
        m_view->setRenderHint(QPainter::Antialiasing);
        m_chart->setBackgroundVisible(false);
        m_chart->setMargins({0, 0, 0, 0});
        m_chart->legend()->hide();
        m_chart->setAnimationOptions(QChart::NoAnimation);
        m_chart->setLocalizeNumbers(true);
        m_chart->addSeries(m_line);
        m_chart->addAxis(m_time, Qt::AlignBottom);
        m_chart->addAxis(m_amount, Qt::AlignLeft);
        m_line->attachAxis(m_time);
        m_line->attachAxis(m_amount);
        m_time->setTickCount(7);
        m_time->setLabelFormat(u"%.0f"_s);
        m_amount->setTickCount(ticks);
        colour();
    }

    void begin(const QList<Scale> &scales, const QString &timeTitle, int seconds) override
    {
        m_scales = scales;
        m_scale = scales.first();
        m_time->setTitleText(timeTitle);
        m_time->setRange(0, std::max(seconds, leastSeconds));
        m_line->clear();
        m_top = 0;
        showAmounts(100);
    }

    void show(const QList<QPointF> &points) override
    {
        if (points.isEmpty())
            return;
        const double highest = std::ranges::max(points, {}, &QPointF::y).y();
        // A new range lays all labels out again: only when the line leaves it.
        if (highest > m_top) {
            m_top = niceCeiling(highest * 1.1);
            chooseScale();
            showAmounts(m_top / m_scale.size);
        }
        if (points.back().x() > m_time->max())
            m_time->setRange(0, std::ceil(points.back().x() * 1.2 / 6) * 6);
        QList<QPointF> scaled = points;
        for (QPointF &point : scaled)
            point.setY(point.y() / m_scale.size);
        m_line->replace(scaled);
    }

protected:
    void changeEvent(QEvent *event) override
    {
        LiveChart::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            colour();
    }

private:
    static constexpr int leastSeconds = 6;
    static constexpr int ticks = 6;

    void chooseScale()
    {
        for (const Scale &scale : std::as_const(m_scales)) {
            if (scale.size < m_top)
                m_scale = scale;
        }
    }

    void showAmounts(double top)
    {
        m_amount->setTitleText(m_scale.title);
        m_amount->setLabelFormat(u"%.%1f"_s.arg(decimalsOf(top / (ticks - 1))));
        m_amount->setRange(0, top);
    }

    void colour()
    {
        const QColor text = palette().color(QPalette::WindowText);
        QColor grid = text;
        grid.setAlphaF(0.12F);
        QPen line(palette().color(QPalette::Accent), 2);
        line.setCosmetic(true);
        m_line->setPen(line);
        QFont small = font();
        small.setPointSizeF(small.pointSizeF() * 0.9);
        QFont plain = small;
        plain.setBold(false);
        for (QValueAxis *axis : {m_time, m_amount}) {
            axis->setLabelsColor(text);
            axis->setLabelsFont(small);
            axis->setTitleBrush(text);
            axis->setTitleFont(plain);
            axis->setGridLineColor(grid);
            axis->setLinePenColor(grid);
        }
    }

    QChart *m_chart; ///< owned by the view's scene
    QChartView *m_view;
    QLineSeries *m_line;
    QValueAxis *m_time;
    QValueAxis *m_amount;
    QList<Scale> m_scales;
    Scale m_scale;
    double m_top = 0; ///< base units; 0 before the first point
};

class Factory final : public QObject, public ChartFactory
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID "org.diskwright.ChartFactory/2")
    Q_INTERFACES(diskwright::ui::ChartFactory)

public:
    LiveChart *createLiveChart(QWidget *parent) override { return new Chart(parent); }
};

} // namespace

} // namespace diskwright::ui

#include "chartplugin.moc"
