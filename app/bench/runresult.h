// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"
#include "testspec.h"

#include <QDateTime>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace diskwright::bench {

/// A tenth of a second of a round, as the engine saw it.
struct Slot {
    quint64 number = 0; ///< from the start of the measured time
    quint64 bytes = 0;
    quint64 ios = 0;
    quint64 latencySumNanoseconds = 0;
    std::optional<quint64> p50Nanoseconds; ///< none: too few for it
    std::optional<quint64> p99Nanoseconds;
    quint64 maxNanoseconds = 0;
    bool operator==(const Slot &) const = default;
};

/// From handing a read in to having it, as a program would see it. None where too few reads were made: a
/// percentile needs ten values beyond it.
struct Latency {
    std::optional<double> meanNanoseconds;
    std::optional<double> p50Nanoseconds;
    std::optional<double> p95Nanoseconds;
    std::optional<double> p99Nanoseconds;
    std::optional<double> p999Nanoseconds;
    std::optional<double> maxNanoseconds;
    bool operator==(const Latency &) const = default;
};

/// One timed reading of some seconds.
struct Round {
    quint64 bytes = 0;
    quint64 ios = 0;
    double seconds = 0; ///< measured time; 0 if no read came back where one is made after the other
    Latency latency;
    std::optional<double> cpuNanosecondsPerIo;
    QString engine; ///< "io_uring", "preadv2" or "pread-threads": what really ran
    QStringList engineDetails;
    bool direct = false;
    std::optional<double> cachedShare; ///< 0 to 1, of the file, before it was read
    QStringList disturbed;             ///< words of docs/measuring.md
    std::optional<quint64> foreignReadBytes;
    std::optional<quint64> foreignWrittenBytes;
    QList<Slot> timeline; ///< raw, kept

    /// Nothing if no time was measured.
    [[nodiscard]] std::optional<double> bytesPerSecond() const;
    [[nodiscard]] std::optional<double> iosPerSecond() const;
    [[nodiscard]] std::optional<double> value(Metric metric) const;
    /// Whether not one read came back in its time.
    [[nodiscard]] bool isStalled() const;
    [[nodiscard]] QJsonObject toJson() const;

    /// From the engine's "result" event, without slots.
    [[nodiscard]] static Round fromEngine(const QJsonObject &event);
    [[nodiscard]] static Slot slotFromEngine(const QJsonObject &event);
    bool operator==(const Round &) const = default;
};

/// Several rounds of one test on one target.
struct RunResult {
    QString id; ///< 32 lowercase hex digits
    QDateTime time;
    QString name; ///< given by the user, may be empty
    QString test;
    QString target;
    QString stack;
    Metric metric = Metric::BytesPerSecond;
    QList<Round> rounds;
    QJsonObject settings; ///< settings of the disk at that time, address to value; filled in by the caller

    /// Median over the rounds; with fewer than six the ends are the lowest and highest seen and the coverage
    /// 0.
    [[nodiscard]] std::optional<Estimate> estimate() const;
    /// The document of `bench run` and `bench show`. Latency and CPU are medians over the rounds, the maximum
    /// is that of all; disturbed is the union.
    [[nodiscard]] QJsonObject toJson() const;

    [[nodiscard]] static QString newId();
};

/// "bytes/s" or "IO/s".
[[nodiscard]] QString unit(Metric metric);

} // namespace diskwright::bench
