// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <cmath>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t kibi = 1024;

QString threeDigits(double value)
{
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals);
}

// A narrow space that does not break keeps number and unit together.
QString joined(const QString &number, const QString &unit)
{
    return unit.isEmpty() ? number : number + u'\u202f' + unit;
}

Figure bytesFigure(std::int64_t bytes)
{
    static constexpr std::array units{"KiB"_L1, "MiB"_L1, "GiB"_L1, "TiB"_L1};
    if (bytes == 0 || bytes % kibi != 0)
        return {numberText(bytes), QCoreApplication::translate("Format", "bytes")};
    std::size_t unit = 0;
    std::int64_t value = bytes / kibi;
    while (value % kibi == 0 && unit + 1 < units.size()) {
        value /= kibi;
        ++unit;
    }
    return {numberText(value), QString(units[unit])};
}

} // namespace

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString numberText(std::int64_t value)
{
    return QLocale().toString(static_cast<qlonglong>(value));
}

QString unitText(Unit unit)
{
    switch (unit) {
    case Unit::None:
    case Unit::Count: return {};
    case Unit::Microseconds: return u"µs"_s;
    case Unit::Centiseconds: return QCoreApplication::translate("Format", "1/100 s");
    case Unit::Bytes: return QCoreApplication::translate("Format", "bytes");
    case Unit::KiB:
    case Unit::Percent:
    case Unit::Milliseconds:
    case Unit::Nanoseconds:
    case Unit::Seconds: return toQString(name(unit));
    }
    return {};
}

Figure figure(const SettingSpec &spec, const Value &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return {toQString(*text), {}};
    const std::int64_t integer = std::get<std::int64_t>(value);
    if (std::holds_alternative<Toggle>(spec.accepts)) {
        return {integer != 0 ? QCoreApplication::translate("Format", "on")
                             : QCoreApplication::translate("Format", "off"),
                {}};
    }
    const auto *range = std::get_if<Range>(&spec.accepts);
    const Unit unit = range ? range->unit : Unit::None;
    if (unit == Unit::Bytes)
        return bytesFigure(integer);
    return {numberText(integer), unitText(unit)};
}

QString valueText(const SettingSpec &spec, const Value &value)
{
    const Figure shown = figure(spec, value);
    return joined(shown.number, shown.unit);
}

QString valueText(Unit unit, const Value &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return toQString(*text);
    const std::int64_t integer = std::get<std::int64_t>(value);
    const Figure shown =
        unit == Unit::Bytes ? bytesFigure(integer) : Figure{numberText(integer), unitText(unit)};
    return joined(shown.number, shown.unit);
}

QString diskSizeText(std::uint64_t bytes)
{
    static constexpr std::array units{"B"_L1, "kB"_L1, "MB"_L1, "GB"_L1, "TB"_L1, "PB"_L1, "EB"_L1};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return joined(unit == 0 ? numberText(static_cast<std::int64_t>(bytes)) : threeDigits(value),
                  QString(units[unit]));
}

QString memoryText(double bytes)
{
    static constexpr std::array units{"KiB"_L1, "MiB"_L1, "GiB"_L1, "TiB"_L1};
    double value = bytes / kibi;
    std::size_t unit = 0;
    while (value >= 1023.5 && unit + 1 < units.size()) {
        value /= kibi;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 99.95 || value == std::floor(value) ? 0 : 1;
    return joined(QLocale().toString(value, 'f', decimals), QString(units[unit]));
}

QString throughputText(double bytesPerSecond)
{
    if (bytesPerSecond >= 999.5e6)
        return joined(threeDigits(bytesPerSecond / 1e9), u"GB/s"_s);
    return joined(threeDigits(bytesPerSecond / 1e6), u"MB/s"_s);
}

QString latencyText(double nanoseconds)
{
    if (nanoseconds < 999.5e3)
        return joined(threeDigits(nanoseconds / 1e3), u"µs"_s);
    if (nanoseconds < 999.5e6)
        return joined(threeDigits(nanoseconds / 1e6), u"ms"_s);
    return joined(threeDigits(nanoseconds / 1e9), u"s"_s);
}

QString clockText(std::int64_t seconds)
{
    const std::int64_t left = std::max<std::int64_t>(seconds, 0);
    const auto two = [](std::int64_t value) {
        return u"%1"_s.arg(static_cast<qlonglong>(value), 2, 10, QLatin1Char('0'));
    };
    if (left >= 3600)
        return u"%1:%2:%3"_s.arg(QString::number(left / 3600), two(left / 60 % 60), two(left % 60));
    return u"%1:%2"_s.arg(QString::number(left / 60), two(left % 60));
}

QString durationText(std::int64_t seconds)
{
    const std::int64_t left = std::max<std::int64_t>(seconds, 0);
    if (left < 60)
        return joined(numberText(left), u"s"_s);
    const std::int64_t minutes = (left + 59) / 60;
    QString rest = joined(numberText(minutes % 60), u"min"_s);
    if (minutes < 60)
        return rest;
    const QString hours = joined(numberText(minutes / 60), u"h"_s);
    return minutes % 60 == 0 ? hours : hours + u' ' + rest;
}

QString shortened(const QString &text, int most)
{
    if (text.size() <= most)
        return text;
    const qsizetype back = most / 2;
    qsizetype front = most - 1 - back;
    qsizetype rest = text.size() - back;
    // Both halves of a letter outside the first plane stay together.
    if (text[front].isLowSurrogate())
        --front;
    if (text[rest].isLowSurrogate())
        ++rest;
    return text.left(front) + u'…' + text.mid(rest);
}

} // namespace diskwright::ui
