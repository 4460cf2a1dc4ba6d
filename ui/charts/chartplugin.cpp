// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "livechart.h"

#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QValueAxis>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// niceCeiling lives in the program; a library of its own does not link it.
static double roundTop(double value)
{
    const double power = std::pow(10.0, std::floor(std::log10(std::max(value, 1e-9))));
    for (const double step : {1.0, 2.0, 2.5, 5.0}) {
        if (value <= step * power)
            return step * power;
    }
    return 10 * power;
}

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
        m_chart->addSeries(m_line);
        m_chart->addAxis(m_time, Qt::AlignBottom);
        m_chart->addAxis(m_amount, Qt::AlignLeft);
        m_line->attachAxis(m_time);
        m_line->attachAxis(m_amount);
        m_time->setTickCount(7);
        m_time->setLabelFormat(u"%.0f"_s);
        m_amount->setLabelFormat(u"%.0f"_s);
        m_amount->setTickCount(6);
        colour();
    }

    void begin(const QString &title, const QString &timeTitle, int seconds) override
    {
        m_amount->setTitleText(title);
        m_time->setTitleText(timeTitle);
        m_time->setRange(0, std::max(seconds, 6));
        m_amount->setRange(0, 100);
        m_line->clear();
        m_top = 0;
    }

    void show(const QList<QPointF> &points) override
    {
        if (points.isEmpty())
            return;
        double highest = 0;
        for (const QPointF &point : points)
            highest = std::max(highest, point.y());
        // A new range lays all labels out again: only when the line leaves it.
        if (highest > m_top) {
            m_top = roundTop(highest * 1.1);
            m_amount->setRange(0, m_top);
            m_amount->setLabelFormat(m_top < 10 ? u"%.1f"_s : u"%.0f"_s);
        }
        if (points.back().x() > m_time->max())
            m_time->setRange(0, std::ceil(points.back().x() * 1.2 / 6) * 6);
        m_line->replace(points);
    }

protected:
    void changeEvent(QEvent *event) override
    {
        LiveChart::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            colour();
    }

private:
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
    double m_top = 0;
};

class Factory final : public QObject, public ChartFactory
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID "org.diskwright.ChartFactory/1")
    Q_INTERFACES(diskwright::ui::ChartFactory)

public:
    LiveChart *createLiveChart(QWidget *parent) override { return new Chart(parent); }
};

} // namespace

} // namespace diskwright::ui

#include "chartplugin.moc"
