// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis.h"
#include "ui/charts/livechart.h"

#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QPluginLoader>
#include <QSet>
#include <QTest>
#include <QValueAxis>

using namespace diskwright::ui;
using namespace Qt::StringLiterals;

class LiveChartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QPluginLoader loader(QStringLiteral(DISKWRIGHT_CHARTS));
        loader.setLoadHints(QLibrary::PreventUnloadHint);
        m_factory = qobject_cast<ChartFactory *>(loader.instance());
        QVERIFY2(m_factory, qPrintable(loader.errorString()));
    }
    void init()
    {
        m_chart.reset(m_factory->createLiveChart(nullptr));
        m_chart->begin({{1, u"reads/s"_s}, {1000, u"1,000 reads/s"_s}}, u"seconds"_s, 6);
    }

    void everyLabelDiffers_data()
    {
        QTest::addColumn<double>("speed");
        QTest::addColumn<QString>("title");
        QTest::newRow("a slow card") << 3.0 << u"reads/s"_s;
        QTest::newRow("a hard disk") << 80.0 << u"reads/s"_s;
        QTest::newRow("a fast hard disk") << 220.0 << u"reads/s"_s;
        QTest::newRow("just below a thousand") << 900.0 << u"reads/s"_s;
        QTest::newRow("just above") << 1100.0 << u"1,000 reads/s"_s;
        QTest::newRow("a solid-state disk") << 80e3 << u"1,000 reads/s"_s;
        QTest::newRow("a fast one") << 800e3 << u"1,000 reads/s"_s;
    }
    void everyLabelDiffers()
    {
        QFETCH(double, speed);
        QFETCH(QString, title);
        m_chart->show({{0, speed / 2}, {0.1, speed}});
        const auto *axis = amounts();
        QCOMPARE(axis->titleText(), title);
        QSet<QString> labels;
        for (int tick = 0; tick < axis->tickCount(); ++tick) {
            const double value = axis->max() * tick / (axis->tickCount() - 1);
            const QString label = QString::asprintf(axis->labelFormat().toLatin1().constData(), value);
            QCOMPARE(label.toDouble(), value);
            labels.insert(label);
        }
        QCOMPARE(labels.size(), axis->tickCount());
        const double drawn = line()->points().back().y();
        QVERIFY(drawn < axis->max() && drawn > axis->max() / 3);
    }

    void slowCardsHaveDecimals()
    {
        m_chart->begin({{1e6, u"MB/s"_s}}, u"seconds"_s, 6);
        m_chart->show({{0, 0.2e6}});
        QCOMPARE(amounts()->titleText(), u"MB/s"_s);
        QCOMPARE(amounts()->max(), 0.25);
        QCOMPARE(amounts()->labelFormat(), u"%.2f"_s);
    }

    void theUnitFollowsTheSpeed()
    {
        m_chart->show({{0, 500}});
        QCOMPARE(amounts()->titleText(), u"reads/s"_s);
        m_chart->show({{0, 500}, {0.1, 50e3}});
        QCOMPARE(amounts()->titleText(), u"1,000 reads/s"_s);
        QCOMPARE(line()->points().front().y(), 0.5);
        QCOMPARE(line()->points().back().y(), 50.0);
        // The next run starts anew.
        m_chart->begin({{1, u"reads/s"_s}, {1000, u"1,000 reads/s"_s}}, u"seconds"_s, 6);
        m_chart->show({{0, 90}});
        QCOMPARE(amounts()->titleText(), u"reads/s"_s);
    }

    void decimalsAreThoseOfTheStep()
    {
        QCOMPARE(decimalsOf(200), 0);
        QCOMPARE(decimalsOf(5), 0);
        QCOMPARE(decimalsOf(0.2), 1);
        QCOMPARE(decimalsOf(0.5), 1);
        QCOMPARE(decimalsOf(0.05), 2);
        QCOMPARE(decimalsOf(0.025), 3);
        QCOMPARE(decimalsOf(0), 0);
    }

private:
    [[nodiscard]] QChart *chart() const { return m_chart->findChild<QChartView *>()->chart(); }
    [[nodiscard]] QValueAxis *amounts() const
    {
        return qobject_cast<QValueAxis *>(chart()->axes(Qt::Vertical).front());
    }
    [[nodiscard]] QLineSeries *line() const { return qobject_cast<QLineSeries *>(chart()->series().front()); }

    ChartFactory *m_factory = nullptr;
    std::unique_ptr<LiveChart> m_chart;
};

QTEST_MAIN(LiveChartTest)
#include "tst_livechart.moc"
