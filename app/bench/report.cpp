// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

namespace diskwright::bench {
namespace {

QString text(std::string_view value)
{
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

QString translated(const char *source)
{
    return QCoreApplication::translate("bench", source);
}

QString displayTime(double nanoseconds)
{
    const QLocale locale;
    if (nanoseconds < 1e6)
        return translated(QT_TRANSLATE_NOOP("bench", "%1 µs"))
            .arg(locale.toString(nanoseconds / 1e3, 'f', nanoseconds < 1e5 ? 1 : 0));
    return translated(QT_TRANSLATE_NOOP("bench", "%1 ms"))
        .arg(locale.toString(nanoseconds / 1e6, 'f', nanoseconds < 1e8 ? 1 : 0));
}

} // namespace

QJsonObject listDocument()
{
    QJsonArray tests;
    for (const TestSpec &test : allTests()) {
        const Cost cost = costOf(test, true, defaultSizeBytes, defaultRounds, defaultRoundMilliseconds);
        tests.append(QJsonObject{{QStringLiteral("test"), QString::fromLatin1(test.id)},
                                 {QStringLiteral("name"), displayName(test)},
                                 {QStringLiteral("purpose"), displayPurpose(test)},
                                 {QStringLiteral("direct"), test.direct},
                                 {QStringLiteral("block_bytes"), static_cast<qint64>(test.blockBytes)},
                                 {QStringLiteral("depth"), static_cast<qint64>(test.depth)},
                                 {QStringLiteral("unit"), unit(test.metric)},
                                 {QStringLiteral("seconds"), cost.seconds},
                                 {QStringLiteral("writes_bytes"), static_cast<qint64>(cost.writtenBytes)}});
    }
    return {{QStringLiteral("tests"), tests}};
}

QJsonObject historyDocument(const QList<SavedRun> &runs, const QList<QJsonObject> &comparisons)
{
    QJsonArray runArray, comparisonArray;
    for (const SavedRun &run : runs) {
        QJsonObject estimate{{QStringLiteral("value"), QJsonValue::Null},
                             {QStringLiteral("unit"), unit(run.metric)},
                             {QStringLiteral("low"), QJsonValue::Null},
                             {QStringLiteral("high"), QJsonValue::Null}};
        if (run.estimate) {
            estimate[u"value"] = run.estimate->value;
            if (run.estimate->coverage > 0) {
                estimate[u"low"] = run.estimate->low;
                estimate[u"high"] = run.estimate->high;
            }
        }
        runArray.append(QJsonObject{{QStringLiteral("run"), run.id},
                                    {QStringLiteral("time"), run.time.toUTC().toString(Qt::ISODate)},
                                    {QStringLiteral("name"), run.name.isEmpty() ? QJsonValue(QJsonValue::Null)
                                                                                : QJsonValue(run.name)},
                                    {QStringLiteral("test"), run.test},
                                    {QStringLiteral("target"), run.target},
                                    {QStringLiteral("estimate"), estimate}});
    }
    for (const QJsonObject &comparison : comparisons)
        comparisonArray.append(comparison);
    return {{QStringLiteral("runs"), runArray}, {QStringLiteral("comparisons"), comparisonArray}};
}

QString historyText(const QList<SavedRun> &runs, const QList<QJsonObject> &comparisons)
{
    const auto lineOf = [](const SavedRun &run) {
        return run.id + QStringLiteral("  ") + run.test + QStringLiteral("  ") +
               (run.estimate ? displayFigure(run.estimate->value, run.metric) : QStringLiteral("?"));
    };
    QList<std::pair<QDateTime, QString>> entries;
    for (const QJsonObject &comparison : comparisons) {
        const QString id = comparison[u"comparison"].toString();
        const QDateTime time = QDateTime::fromString(comparison[u"time"].toString(), Qt::ISODate);
        entries.append({time, time.toUTC().toString(Qt::ISODate) + QStringLiteral("  ") + id +
                                  QStringLiteral("  ") + comparison[u"sentence"].toString()});
        for (const SavedRun &run : runs) {
            if (run.name == id)
                entries.last().second += QStringLiteral("\n    ") + lineOf(run);
        }
    }
    const auto isPart = [&](const SavedRun &run) {
        return std::ranges::any_of(comparisons, [&](const QJsonObject &comparison) {
            return comparison[u"comparison"].toString() == run.name;
        });
    };
    for (const SavedRun &run : runs) {
        if (isPart(run))
            continue;
        QString line = run.time.toUTC().toString(Qt::ISODate) + QStringLiteral("  ") + lineOf(run);
        if (!run.name.isEmpty())
            line += QStringLiteral("  ") + text(printable(run.name.toStdString()));
        entries.append({run.time, line});
    }
    std::ranges::stable_sort(entries, std::ranges::greater{}, &std::pair<QDateTime, QString>::first);
    QStringList lines;
    for (const auto &[time, line] : entries)
        lines << line;
    return lines.join(QLatin1Char('\n'));
}

QString errorText(const Error &error)
{
    QString line = error.input.empty() ? text(error.reason)
                                       : text(error.input) + QStringLiteral(": ") + text(error.reason);
    if (!error.accepted.empty())
        line += translated(QT_TRANSLATE_NOOP("bench", "; accepted: %1")).arg(text(error.accepted));
    return line;
}

QJsonObject errorDocument(const Error &error)
{
    return {{QStringLiteral("error"), QJsonObject{{QStringLiteral("code"), text(name(error.code))},
                                                  {QStringLiteral("message"), errorText(error)},
                                                  {QStringLiteral("input"), text(error.input)},
                                                  {QStringLiteral("reason"), text(error.reason)},
                                                  {QStringLiteral("accepted"), text(error.accepted)}}}};
}

int exitCode(const Error &error) noexcept
{
    switch (error.code) {
    case Errc::None: return 0;
    case Errc::NotAuthorized: return 4;
    case Errc::Busy: return 7;
    case Errc::Internal:
    case Errc::Kernel:
    case Errc::StateFile:
    case Errc::Cancelled: return 1;
    case Errc::Malformed:
    case Errc::UnsupportedVersion:
    case Errc::UnknownSetting:
    case Errc::UnknownTarget:
    case Errc::OutOfRange:
    case Errc::NotOffered:
    case Errc::NotAMultiple:
    case Errc::Conflict:
    case Errc::Stale:
    case Errc::DeviceChanged:
    case Errc::Absent:
    case Errc::ReadOnly:
    case Errc::UnknownTransaction:
    case Errc::WrongToken:
    case Errc::Expired:
    case Errc::DuplicateId:
    case Errc::FileChanged:
    case Errc::NoStableId:
    case Errc::NotOfClass:
    case Errc::NeedsSystemd:
    case Errc::SwitchLimit:
    case Errc::NotUndoable: return 3;
    }
    return 1;
}

int exitCode(const MeasureResult &result) noexcept
{
    if (result.end == LeaseEnd::Unknown || result.end == LeaseEnd::Foreign)
        return 6;
    return result.error ? 5 : 0;
}

QString displayFigure(double value, Metric metric)
{
    const QLocale locale;
    if (metric == Metric::IosPerSecond)
        return translated(QT_TRANSLATE_NOOP("bench", "%1 IO/s")).arg(locale.toString(value, 'f', 0));
    if (value >= 1e9)
        return translated(QT_TRANSLATE_NOOP("bench", "%1 GB/s")).arg(locale.toString(value / 1e9, 'f', 2));
    return translated(QT_TRANSLATE_NOOP("bench", "%1 MB/s"))
        .arg(locale.toString(value / 1e6, 'f', value < 1e8 ? 1 : 0));
}

QString runText(const RunResult &result)
{
    QStringList lines;
    const auto test = findTest(result.test);
    lines << QStringLiteral("%1  %2").arg(test ? displayName(*test) : result.test, result.stack);
    if (const auto found = result.estimate()) {
        QString line = displayFigure(found->value, result.metric);
        if (found->low != found->high)
            line +=
                QStringLiteral("  ") +
                translated(found->coverage > 0 ? QT_TRANSLATE_NOOP("bench", "(%1 to %2, 95 %)")
                                               : QT_TRANSLATE_NOOP("bench", "(seen: %1 to %2)"))
                    .arg(displayFigure(found->low, result.metric), displayFigure(found->high, result.metric));
        lines << line;
    }
    const QJsonObject document = result.toJson();
    const QJsonObject latency = document[u"latency_ns"].toObject();
    QStringList parts;
    for (const auto &[key, label] : {std::pair{u"p50", QT_TRANSLATE_NOOP("bench", "half below %1")},
                                     {u"p99", QT_TRANSLATE_NOOP("bench", "99 % below %1")},
                                     {u"max", QT_TRANSLATE_NOOP("bench", "longest %1")}})
        if (latency[QStringView(key)].isDouble())
            parts << translated(label).arg(displayTime(latency[QStringView(key)].toDouble()));
    if (!parts.isEmpty())
        lines << parts.join(QStringLiteral(", "));
    QStringList disturbed;
    const QJsonArray words = document[u"disturbed"].toArray();
    for (const auto &word : words)
        disturbed << word.toString();
    if (!disturbed.isEmpty())
        lines << translated(QT_TRANSLATE_NOOP("bench", "Disturbed: %1"))
                     .arg(disturbed.join(QStringLiteral(", ")));
    return lines.join(QLatin1Char('\n'));
}

QString comparisonText(const QJsonObject &comparison)
{
    const auto test = findTest(comparison[u"test"].toString());
    QStringList lines{comparison[u"sentence"].toString(),
                      QStringLiteral("%1  %2").arg(test ? displayName(*test) : comparison[u"test"].toString(),
                                                   comparison[u"stack"].toString())};
    const QJsonArray settings = comparison[u"differs"].toArray();
    for (const auto &setting : settings)
        lines << QStringLiteral("%1  %2 → %3")
                     .arg(setting[u"setting"].toString(), setting[u"now"].toString(),
                          setting[u"wanted"].toString());
    return lines.join(QLatin1Char('\n'));
}

} // namespace diskwright::bench
