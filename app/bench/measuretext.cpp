// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurement.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

#include <cmath>

namespace diskwright::bench {
namespace {

// More than anybody waits for is no advice.
constexpr std::size_t mostRoundsAdvised = 200;

QString translated(const char *text)
{
    return QCoreApplication::translate("bench", text);
}

QString percent(double part)
{
    const double value = std::abs(part) * 100;
    return QLocale().toString(value, 'f', value < 10 ? 1 : 0);
}

QString valuesOf(const State &state)
{
    QStringList values;
    for (const StateItem &item : state)
        values << QString::fromStdString(toText(item.value));
    return values.join(QStringLiteral(", "));
}

/// Equal in one test is not equal in every use, so the test is named. %1 and %2 are the values, %3 per cent.
QString sameText(const MeasureResult &result)
{
    const TestSpec &test = result.options.test;
    if (!test.random)
        return translated(QT_TRANSLATE_NOOP(
            "bench", "%1 and %2 are equally fast within %3 % when reading a large file from start to end."));
    const QString block = QLocale().formattedDataSize(test.blockBytes, 0, QLocale::DataSizeIecFormat);
    return translated(
               QT_TRANSLATE_NOOP("bench",
                                 "%1 and %2 are equally fast within %3 % when reading %4 at random places."))
        .replace(QStringLiteral("%4"), block);
}

QString notComparableText(const MeasureResult &result)
{
    const auto has = [&](const char *reason) { return result.reasons.contains(QLatin1StringView(reason)); };
    if (has("not-taken"))
        return translated(QT_TRANSLATE_NOOP("bench", "The kernel kept %1, so there is nothing to compare."))
            .arg(valuesOf(result.options.now));
    if (has("stalled"))
        return translated(QT_TRANSLATE_NOOP(
            "bench", "The disk gave nothing at all for a whole round, so there is nothing to compare."));
    if (has("counters-off"))
        return translated(QT_TRANSLATE_NOOP(
            "bench", "This disk's counters are off (iostats), so it can't be seen whether memory answered."));
    if (has("device-unknown"))
        return translated(QT_TRANSLATE_NOOP(
            "bench", "Which disk lies below is not known, so it can't be seen whether memory answered."));
    return translated(
        QT_TRANSLATE_NOOP("bench", "The rounds were not measured alike, so they can't be compared."));
}

QString verdictText(const MeasureResult &result)
{
    const PairedComparison &found = result.comparison;
    const QString wanted = valuesOf(result.options.wanted), now = valuesOf(result.options.now);
    const QString from = percent(std::min(std::abs(found.low), std::abs(found.high)));
    const QString to = percent(std::max(std::abs(found.low), std::abs(found.high)));
    switch (found.verdict) {
    case Verdict::Faster:
        return translated(QT_TRANSLATE_NOOP("bench", "%1 is faster than %2 by %3 % (%4 to %5 %)."))
            .arg(wanted, now, percent(found.effect), from, to);
    case Verdict::Slower:
        return translated(QT_TRANSLATE_NOOP("bench", "%1 is slower than %2 by %3 % (%4 to %5 %)."))
            .arg(wanted, now, percent(found.effect), from, to);
    case Verdict::Same: return sameText(result).arg(wanted, now, percent(found.threshold));
    case Verdict::CannotTell:
        if (result.reasons.contains(QStringLiteral("too-coarse")))
            return translated(
                QT_TRANSLATE_NOOP("bench", "It can't be told: too few reads fit into a round."));
        if (!found.blocksNeeded)
            return translated(QT_TRANSLATE_NOOP("bench", "It can't be told."));
        if (*found.blocksNeeded > mostRoundsAdvised)
            return translated(QT_TRANSLATE_NOOP(
                "bench", "It can't be told: rounds of one value differ more than the two values do."));
        return translated(
                   QT_TRANSLATE_NOOP("bench", "It can't be told yet. About %1 rounds of each would tell."))
            .arg(QLocale().toString(static_cast<qulonglong>(*found.blocksNeeded)));
    case Verdict::NotComparable: return notComparableText(result);
    }
    return {};
}

QString outcomeText(const MeasureResult &result)
{
    if (!result.end)
        return translated(QT_TRANSLATE_NOOP("bench", "No setting was changed."));
    switch (*result.end) {
    case LeaseEnd::PutBack:
        return translated(QT_TRANSLATE_NOOP("bench", "%1 is in force again."))
            .arg(valuesOf(result.options.now));
    case LeaseEnd::Stayed:
        return translated(QT_TRANSLATE_NOOP("bench", "%1 stays until restart."))
            .arg(valuesOf(result.options.wanted));
    case LeaseEnd::Foreign:
        return translated(QT_TRANSLATE_NOOP(
            "bench", "Something else changed the setting meanwhile; it was left as it is."));
    case LeaseEnd::Unknown:
        return translated(QT_TRANSLATE_NOOP(
            "bench", "What is in force now could not be read back: look at the disk's page."));
    }
    return {};
}

struct Figure {
    const char *id;
    const char *unit;
    Better better;
    bool countsReads; ///< so that one more or less moves it
    std::optional<double> (*of)(const Round &);
};
constexpr Figure figures[] = {
    {"throughput", "bytes/s", Better::More, true, [](const Round &round) { return round.bytesPerSecond(); }},
    {"iops", "IO/s", Better::More, true, [](const Round &round) { return round.iosPerSecond(); }},
    {"latency_p50", "ns", Better::Less, false,
     [](const Round &round) { return round.latency.p50Nanoseconds; }},
    {"latency_p99", "ns", Better::Less, false,
     [](const Round &round) { return round.latency.p99Nanoseconds; }},
    {"cpu_per_io", "ns", Better::Less, false, [](const Round &round) { return round.cpuNanosecondsPerIo; }},
};

QString verdictWord(Verdict verdict)
{
    const auto word = name(verdict);
    return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
}

QJsonObject figureRow(const Figure &figure, const MeasureResult &result)
{
    const auto blocks = result.pairs(figure.of);
    auto found = compare(blocks, {.better = figure.better, .threshold = result.options.threshold});
    if (result.comparison.verdict == Verdict::NotComparable)
        found.verdict = Verdict::NotComparable;
    else if (figure.countsReads && found.verdict == Verdict::Same && result.isTooCoarse())
        found.verdict = Verdict::CannotTell;
    std::vector<double> now, wanted;
    for (const Pair &block : blocks) {
        now.push_back(block.now);
        wanted.push_back(block.wanted);
    }
    const auto middle = [](const std::vector<double> &values) {
        const auto value = median(values);
        return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
    };
    const bool any = found.hasEffect;
    return {{QStringLiteral("metric"), QString::fromLatin1(figure.id)},
            {QStringLiteral("unit"), QString::fromLatin1(figure.unit)},
            {QStringLiteral("better"),
             figure.better == Better::More ? QStringLiteral("more") : QStringLiteral("less")},
            {QStringLiteral("verdict"), verdictWord(found.verdict)},
            {QStringLiteral("effect"), any ? QJsonValue(found.effect) : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("low"), any ? QJsonValue(found.low) : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("high"), any ? QJsonValue(found.high) : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("now"), middle(now)},
            {QStringLiteral("wanted"), middle(wanted)}};
}

QString endWord(const std::optional<LeaseEnd> &end)
{
    if (!end)
        return QStringLiteral("none");
    switch (*end) {
    case LeaseEnd::PutBack: return QStringLiteral("put-back");
    case LeaseEnd::Stayed: return QStringLiteral("stayed");
    case LeaseEnd::Foreign: return QStringLiteral("changed-by-others");
    case LeaseEnd::Unknown: return QStringLiteral("unknown");
    }
    return {};
}

} // namespace

QString sentence(const MeasureResult &result)
{
    return verdictText(result) + QLatin1Char(' ') + outcomeText(result);
}

QJsonObject MeasureResult::toJson() const
{
    const bool any = comparison.hasEffect;
    QJsonArray metrics;
    for (const Figure &figure : figures)
        metrics.append(figureRow(figure, *this));
    QJsonArray differs;
    for (std::size_t index = 0; index < options.wanted.size(); ++index)
        differs.append(QJsonObject{
            {QStringLiteral("setting"), QString::fromStdString(toText(options.wanted[index].address))},
            {QStringLiteral("now"), QString::fromStdString(toText(options.now[index].value))},
            {QStringLiteral("wanted"), QString::fromStdString(toText(options.wanted[index].value))},
            {QStringLiteral("read_back"),
             index < wantedReadBack.size() ? QJsonValue(QString::fromStdString(toText(wantedReadBack[index])))
                                           : QJsonValue(QJsonValue::Null)}});
    return {{QStringLiteral("comparison"), id},
            {QStringLiteral("time"), time.toUTC().toString(Qt::ISODate)},
            {QStringLiteral("test"), QString::fromLatin1(options.test.id)},
            {QStringLiteral("target"), options.target.path},
            {QStringLiteral("stack"), options.target.stackText()},
            {QStringLiteral("verdict"), verdictWord(comparison.verdict)},
            {QStringLiteral("effect"), any ? QJsonValue(comparison.effect) : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("low"), any ? QJsonValue(comparison.low) : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("high"), any ? QJsonValue(comparison.high) : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("probability"), comparison.probability},
            {QStringLiteral("threshold"), comparison.threshold},
            {QStringLiteral("blocks"), static_cast<qint64>(comparison.blocks)},
            {QStringLiteral("blocks_needed"), comparison.blocksNeeded
                                                  ? QJsonValue(static_cast<qint64>(*comparison.blocksNeeded))
                                                  : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("metric"), options.test.metric == Metric::BytesPerSecond
                                           ? QStringLiteral("throughput")
                                           : QStringLiteral("iops")},
            {QStringLiteral("interleaved"), true},
            {QStringLiteral("reasons"), QJsonArray::fromStringList(reasons)},
            {QStringLiteral("metrics"), metrics},
            {QStringLiteral("differs"), differs},
            {QStringLiteral("lease"), endWord(end)},
            {QStringLiteral("stayed"), stayed},
            {QStringLiteral("sentence"), sentence(*this)}};
}

} // namespace diskwright::bench
