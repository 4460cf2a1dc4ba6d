// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "testspec.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <cmath>

namespace diskwright::bench {
namespace {

constexpr std::array<TestSpec, 2> tests{{
    {.id = "seq1m-q1t1-read",
     .name = QT_TRANSLATE_NOOP("bench", "Reading a large file"),
     .purpose = QT_TRANSLATE_NOOP(
         "bench",
         "One program reads a large file from start to end, through the page cache, as copying does. "
         "Read-ahead decides much here."),
     .random = false,
     .direct = false,
     .blockBytes = 1024 * 1024,
     .depth = 1,
     .warmUpMilliseconds = 0,
     .metric = Metric::BytesPerSecond},
    {.id = "rnd4k-q32t1-read",
     .name = QT_TRANSLATE_NOOP("bench", "Many small reads at once"),
     .purpose = QT_TRANSLATE_NOOP(
         "bench",
         "32 reads of 4 KiB at random places are under way at any time, past the page cache, as a busy "
         "database does. The scheduler and the queue decide much here; read-ahead nothing."),
     .random = true,
     .direct = true,
     .blockBytes = 4096,
     .depth = 32,
     .warmUpMilliseconds = 500,
     .metric = Metric::IosPerSecond},
}};

// What making the file is reckoned at before the disk's speed is known.
constexpr double assumedBytesPerSecond = 100e6;

} // namespace

std::span<const TestSpec> allTests() noexcept
{
    return tests;
}

Result<TestSpec> findTest(const QString &id)
{
    std::string known;
    for (const TestSpec &test : tests) {
        if (id == QLatin1StringView(test.id))
            return test;
        known += (known.empty() ? "" : ", ") + std::string(test.id);
    }
    return fail(Errc::UnknownTarget, printable(id.toStdString()), "no such test", known);
}

QString displayName(const TestSpec &test)
{
    return QCoreApplication::translate("bench", test.name);
}

QString displayPurpose(const TestSpec &test)
{
    return QCoreApplication::translate("bench", test.purpose);
}

Cost costOf(const TestSpec &test, bool makesFile, quint64 sizeBytes, int rounds, int milliseconds)
{
    Cost cost;
    cost.seconds = rounds * (milliseconds + test.warmUpMilliseconds) / 1000.0;
    if (makesFile) {
        cost.writtenBytes = sizeBytes;
        cost.freeBytesNeeded = sizeBytes / 3 * 4;
        cost.seconds += static_cast<double>(sizeBytes) / assumedBytesPerSecond;
    }
    return cost;
}

QString displayCost(const Cost &cost)
{
    const QLocale locale;
    const QString seconds = locale.toString(std::ceil(cost.seconds), 'f', 0);
    if (cost.writtenBytes == 0)
        return QCoreApplication::translate("bench", "about %1 s, writes nothing").arg(seconds);
    return QCoreApplication::translate("bench", "about %1 s, writes %2")
        .arg(seconds,
             locale.formattedDataSize(static_cast<qint64>(cost.writtenBytes), 2, QLocale::DataSizeSIFormat));
}

} // namespace diskwright::bench
