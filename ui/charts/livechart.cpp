// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "livechart.h"

#include "ui/frame/part.h"

#include <QCoreApplication>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

LiveChart *createLiveChart(QWidget *parent, QString &problem)
{
    QString why;
    if (auto *factory = qobject_cast<ChartFactory *>(loadPart(u"diskwright-charts.so"_s, &why)))
        return factory->createLiveChart(parent);
    problem = QCoreApplication::translate("LiveChart", "The chart can't be shown: %1").arg(why);
    return nullptr;
}

QList<QPointF> thinned(const QList<QPointF> &points, qsizetype most)
{
    if (points.size() <= most)
        return points;
    QList<QPointF> kept;
    kept.reserve(most);
    const qsizetype stretches = most / 2;
    for (qsizetype stretch = 0; stretch < stretches; ++stretch) {
        const auto first = points.begin() + points.size() * stretch / stretches;
        const auto last = points.begin() + points.size() * (stretch + 1) / stretches;
        const auto [lowest, highest] = std::minmax_element(
            first, last, [](const QPointF &a, const QPointF &b) { return a.y() < b.y(); });
        kept << *std::min(lowest, highest);
        if (lowest != highest)
            kept << *std::max(lowest, highest);
    }
    return kept;
}

} // namespace diskwright::ui
