// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "runresult.h"

#include <QJsonArray>
#include <QUuid>

#include <algorithm>
#include <functional>
#include <vector>

namespace diskwright::bench {
namespace {

template <class T>
QJsonValue orNull(const std::optional<T> &value)
{
    if (!value)
        return QJsonValue::Null;
    if constexpr (std::is_floating_point_v<T>)
        return *value;
    else
        return static_cast<qint64>(*value);
}

std::optional<double> fraction(const QJsonValue &value)
{
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

std::optional<quint64> whole(const QJsonValue &value)
{
    return value.isDouble() && value.toInteger(-1) >= 0
               ? std::optional(static_cast<quint64>(value.toInteger()))
               : std::nullopt;
}

quint64 count(const QJsonValue &value)
{
    return whole(value).value_or(0);
}

QStringList texts(const QJsonValue &value)
{
    QStringList result;
    const QJsonArray array = value.toArray();
    for (const auto &entry : array)
        result << entry.toString();
    return result;
}

QJsonObject toJson(const Latency &latency)
{
    return {{QStringLiteral("mean"), orNull(latency.meanNanoseconds)},
            {QStringLiteral("p50"), orNull(latency.p50Nanoseconds)},
            {QStringLiteral("p95"), orNull(latency.p95Nanoseconds)},
            {QStringLiteral("p99"), orNull(latency.p99Nanoseconds)},
            {QStringLiteral("p999"), orNull(latency.p999Nanoseconds)},
            {QStringLiteral("max"), orNull(latency.maxNanoseconds)}};
}

/// Median of what all rounds have; nothing if one of them has none.
std::optional<double> medianOver(const QList<Round> &rounds,
                                 const std::function<std::optional<double>(const Round &)> &of)
{
    std::vector<double> values;
    for (const Round &round : rounds) {
        const auto value = of(round);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return median(values);
}

} // namespace

QString unit(Metric metric)
{
    return metric == Metric::BytesPerSecond ? QStringLiteral("bytes/s") : QStringLiteral("IO/s");
}

std::optional<double> Round::bytesPerSecond() const
{
    return seconds > 0 ? std::optional(static_cast<double>(bytes) / seconds) : std::nullopt;
}

std::optional<double> Round::iosPerSecond() const
{
    return seconds > 0 ? std::optional(static_cast<double>(ios) / seconds) : std::nullopt;
}

std::optional<double> Round::value(Metric metric) const
{
    return metric == Metric::BytesPerSecond ? bytesPerSecond() : iosPerSecond();
}

bool Round::isStalled() const
{
    return disturbed.contains(QStringLiteral("stalled"));
}

QJsonObject Round::toJson() const
{
    return {{QStringLiteral("bytes"), static_cast<qint64>(bytes)},
            {QStringLiteral("ios"), static_cast<qint64>(ios)},
            {QStringLiteral("seconds"), seconds},
            {QStringLiteral("throughput_bytes_per_s"), orNull(bytesPerSecond())},
            {QStringLiteral("iops"), orNull(iosPerSecond())},
            {QStringLiteral("latency_ns"), bench::toJson(latency)},
            {QStringLiteral("cpu_ns_per_io"), orNull(cpuNanosecondsPerIo)},
            {QStringLiteral("engine"), engine},
            {QStringLiteral("engine_details"), QJsonArray::fromStringList(engineDetails)},
            {QStringLiteral("direct"), direct},
            {QStringLiteral("cached_share"), orNull(cachedShare)},
            {QStringLiteral("disturbed"), QJsonArray::fromStringList(disturbed)},
            {QStringLiteral("foreign_read_bytes"), orNull(foreignReadBytes)},
            {QStringLiteral("foreign_written_bytes"), orNull(foreignWrittenBytes)}};
}

Round Round::fromEngine(const QJsonObject &event)
{
    Round round;
    round.bytes = count(event[u"bytes"]);
    round.ios = count(event[u"ios"]);
    round.seconds = event[u"measured_ns"].toDouble() / 1e9;
    round.latency = {.meanNanoseconds = fraction(event[u"mean_ns"]),
                     .p50Nanoseconds = fraction(event[u"p50_ns"]),
                     .p95Nanoseconds = fraction(event[u"p95_ns"]),
                     .p99Nanoseconds = fraction(event[u"p99_ns"]),
                     .p999Nanoseconds = fraction(event[u"p999_ns"]),
                     .maxNanoseconds = fraction(event[u"max_ns"])};
    round.cpuNanosecondsPerIo = fraction(event[u"cpu_ns_per_io"]);
    round.engine = event[u"engine"].toString();
    round.engineDetails = texts(event[u"engine_details"]);
    round.direct = event[u"direct"].toBool();
    round.cachedShare = fraction(event[u"cached_share"]);
    round.disturbed = texts(event[u"disturbed"]);
    round.foreignReadBytes = whole(event[u"foreign_read_bytes"]);
    round.foreignWrittenBytes = whole(event[u"foreign_written_bytes"]);
    return round;
}

Slot Round::slotFromEngine(const QJsonObject &event)
{
    return {.number = count(event[u"number"]),
            .bytes = count(event[u"bytes"]),
            .ios = count(event[u"ios"]),
            .latencySumNanoseconds = count(event[u"latency_sum_ns"]),
            .p50Nanoseconds = whole(event[u"p50_ns"]),
            .p99Nanoseconds = whole(event[u"p99_ns"]),
            .maxNanoseconds = count(event[u"max_ns"])};
}

QString RunResult::newId()
{
    return QString::fromLatin1(QUuid::createUuid().toRfc4122().toHex());
}

std::optional<Estimate> RunResult::estimate() const
{
    std::vector<double> values;
    for (const Round &round : rounds)
        // A disk that gave nothing is not left out.
        if (const auto value = round.isStalled() ? std::optional(0.0) : round.value(metric))
            values.push_back(*value);
    if (values.empty())
        return std::nullopt;
    if (const auto found = medianEstimate(values))
        return found;
    const auto [low, high] = std::ranges::minmax(values);
    return Estimate{*median(values), low, high, 0};
}

QJsonObject RunResult::toJson() const
{
    quint64 bytes = 0;
    double seconds = 0;
    std::optional<double> slowest;
    QStringList disturbed, engines;
    QJsonArray roundArray;
    for (const Round &round : rounds) {
        bytes += round.bytes;
        seconds += round.seconds;
        disturbed << round.disturbed;
        engines << round.engine;
        roundArray.append(round.toJson());
        if (round.latency.maxNanoseconds)
            slowest = std::max(slowest.value_or(0), *round.latency.maxNanoseconds);
    }
    disturbed.removeDuplicates();
    engines.removeDuplicates();
    const auto over = [&](auto member) {
        return medianOver(rounds, [member](const Round &round) { return round.latency.*member; });
    };
    const Latency latency{over(&Latency::meanNanoseconds), over(&Latency::p50Nanoseconds),
                          over(&Latency::p95Nanoseconds),  over(&Latency::p99Nanoseconds),
                          over(&Latency::p999Nanoseconds), slowest};
    const auto found = estimate();
    QJsonObject estimated{{QStringLiteral("value"), QJsonValue::Null},
                          {QStringLiteral("unit"), unit(metric)},
                          {QStringLiteral("low"), QJsonValue::Null},
                          {QStringLiteral("high"), QJsonValue::Null}};
    if (found) {
        estimated[u"value"] = found->value;
        if (found->coverage > 0) {
            estimated[u"low"] = found->low;
            estimated[u"high"] = found->high;
        }
    }
    return {{QStringLiteral("run"), id},
            {QStringLiteral("name"), name.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(name)},
            {QStringLiteral("time"), time.toUTC().toString(Qt::ISODate)},
            {QStringLiteral("test"), test},
            {QStringLiteral("target"), target},
            {QStringLiteral("stack"), stack},
            {QStringLiteral("engine"), engines.join(u',')},
            {QStringLiteral("direct"), !rounds.isEmpty() && rounds.first().direct},
            {QStringLiteral("bytes"), static_cast<qint64>(bytes)},
            {QStringLiteral("seconds"), seconds},
            {QStringLiteral("throughput_bytes_per_s"), orNull(medianOver(rounds, &Round::bytesPerSecond))},
            {QStringLiteral("iops"), orNull(medianOver(rounds, &Round::iosPerSecond))},
            {QStringLiteral("latency_ns"), bench::toJson(latency)},
            {QStringLiteral("cpu_ns_per_io"),
             orNull(medianOver(rounds, [](const Round &round) { return round.cpuNanosecondsPerIo; }))},
            {QStringLiteral("rounds"), roundArray},
            {QStringLiteral("estimate"), estimated},
            {QStringLiteral("disturbed"), QJsonArray::fromStringList(disturbed)},
            {QStringLiteral("settings"), settings}};
}

} // namespace diskwright::bench
