// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurewords.h"

#include "app/apply/describe.h"
#include "app/bench/engineprocess.h"
#include "helper/contract/address.h"
#include "helper/contract/codec.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

QString say(const char *text)
{
    return QCoreApplication::translate("Measuring", text);
}

// Names of files are shown as they are, but not at any length.
QString placeOf(const Error &error)
{
    return shortened(toQString(error.input));
}

bool isOfFile(const Error &error)
{
    return error.input.starts_with('/');
}

// Nobody has worded this one: where, and what was said there.
QString plainProblem(const Error &error)
{
    QStringList parts{placeOf(error), toQString(error.reason)};
    parts.removeAll(QString());
    //: %1 is what a program said, in English
    return parts.isEmpty() ? describe(error.code, error.sysErrno)
                           : say(QT_TRANSLATE_NOOP("Measuring", "The measuring program says: %1."))
                                 .arg(parts.join(u": "_s));
}

// Why a folder or file can't be used, from errno; empty if errno does not tell.
QString fileProblem(const Error &error)
{
    const QString place = placeOf(error);
    switch (error.sysErrno) {
    case ENOSPC:
        return say(QT_TRANSLATE_NOOP("Measuring", "Too little space is free in %1 for the test file."))
            .arg(place);
    case EDQUOT:
        return say(QT_TRANSLATE_NOOP("Measuring", "Your quota leaves too little space in %1 for the test "
                                                  "file."))
            .arg(place);
    case EACCES:
    case EPERM: return say(QT_TRANSLATE_NOOP("Measuring", "You may not write in %1.")).arg(place);
    case EROFS: return say(QT_TRANSLATE_NOOP("Measuring", "%1 can be read only.")).arg(place);
    case ENOENT:
    case ENOTDIR: return say(QT_TRANSLATE_NOOP("Measuring", "%1 is not there.")).arg(place);
    case EIO:
        return say(QT_TRANSLATE_NOOP("Measuring", "The disk below %1 failed to read or write.")).arg(place);
    case ENOMEM: return say(QT_TRANSLATE_NOOP("Measuring", "There is too little memory to measure."));
    default: break;
    }
    return error.sysErrno == 0
               ? QString()
               : u"%1: %2."_s.arg(place,
                                  QString::fromStdString(std::generic_category().message(error.sysErrno)));
}

// The program itself: it did not start, or it is gone.
QString programProblem(const Error &error)
{
    if (error.code == Errc::Absent)
        return say(QT_TRANSLATE_NOOP("Measuring", "The measuring program can't be started (%1)."))
            .arg(toQString(error.reason));
    return say(QT_TRANSLATE_NOOP("Measuring", "The measuring program ended by itself."));
}

bool isOfDirectReads(const Error &error)
{
    return error.code == Errc::Absent && error.reason.find("direct reads") != std::string::npos;
}

struct Disturbance {
    QLatin1StringView word;
    const char *text;
};
constexpr Disturbance disturbances[]{
    {"foreign-reads"_L1, QT_TRANSLATE_NOOP("Measuring", "Something else read from the disk meanwhile.")},
    {"foreign-writes"_L1, QT_TRANSLATE_NOOP("Measuring", "Something else wrote to the disk meanwhile.")},
    {"not-served-by-device"_L1,
     QT_TRANSLATE_NOOP("Measuring", "Not everything came from this disk: a cache or another disk helped.")},
    {"device-unknown"_L1, QT_TRANSLATE_NOOP("Measuring", "It is not known whether a disk answered.")},
    {"counters-off"_L1,
     QT_TRANSLATE_NOOP("Measuring",
                       "The disk's counters are switched off: use by others could not be seen.")},
    {"stalled"_L1, QT_TRANSLATE_NOOP("Measuring", "In a whole round no read was completed.")},
    {"cpu-busy"_L1, QT_TRANSLATE_NOOP("Measuring", "The processors were busy with something else.")},
    {"cpu-stolen"_L1,
     QT_TRANSLATE_NOOP("Measuring", "The host of this virtual machine took processor time away.")},
    {"memory-short"_L1, QT_TRANSLATE_NOOP("Measuring", "Memory was short.")},
    {"warm"_L1, QT_TRANSLATE_NOOP("Measuring", "Part of the file was in memory and not read from the disk.")},
    {"cache-unknown"_L1,
     QT_TRANSLATE_NOOP("Measuring", "It is not known whether part of the file was in memory.")},
    {"holes"_L1, QT_TRANSLATE_NOOP("Measuring", "The file has gaps, which are read without the disk.")},
};

// A value as the contract writes it, with its unit.
QString valueOf(const QString &setting, const QString &text)
{
    const auto address = parseAddress(setting.toStdString());
    const SettingSpec *spec = address ? findSetting(address->domain, address->key) : nullptr;
    if (!spec)
        return text;
    const auto value = parseUserText(*spec, text.toStdString());
    return value ? valueText(*spec, *value) : text;
}

QString titleOf(const QString &setting)
{
    const auto address = parseAddress(setting.toStdString());
    const SettingSpec *spec = address ? findSetting(address->domain, address->key) : nullptr;
    if (!spec)
        return setting;
    return address->target.empty() ? settingTitle(*spec)
                                   : u"%1 (%2)"_s.arg(settingTitle(*spec), toQString(address->target));
}

QString percent(double part)
{
    const double value = std::abs(part) * 100;
    return QLocale().toString(value, 'f', value < 10 ? 1 : 0);
}

} // namespace

QString measuringProblem(const Error &error)
{
    if (toQString(error.input) == bench::defaultEnginePath())
        return programProblem(error);
    if (isOfDirectReads(error))
        return say(QT_TRANSLATE_NOOP(
                       "Measuring",
                       "The file system of %1 can't be read past the memory, so memory would be measured in "
                       "the disk's place. Choose another folder, or another test."))
            .arg(placeOf(error));
    if (error.code == Errc::UnsupportedVersion && isOfFile(error))
        return say(QT_TRANSLATE_NOOP(
            "Measuring", "The file of results was made by a newer Diskwright, and is left as it is."));
    if (isOfFile(error) && error.code != Errc::StateFile) {
        const QString problem = fileProblem(error);
        return problem.isEmpty() ? plainProblem(error) : problem;
    }
    // The engine's words for what was asked of it; all else is of a setting, its lease or our own files.
    const bool isOfEngine =
        (error.code == Errc::OutOfRange || error.code == Errc::Malformed) && !parseAddress(error.input);
    return isOfEngine ? plainProblem(error) : describe(error.code, error.sysErrno);
}

QString disturbanceText(const QStringList &words)
{
    QStringList sentences;
    for (const Disturbance &known : disturbances) {
        if (words.contains(known.word))
            sentences << say(known.text);
    }
    for (const QString &word : words) {
        // A newer engine may know more than this window.
        if (std::ranges::find(disturbances, word, &Disturbance::word) == std::end(disturbances))
            sentences << say(QT_TRANSLATE_NOOP("Measuring", "Disturbed (%1).")).arg(word);
    }
    sentences.removeDuplicates();
    return sentences.join(u' ');
}

QString comparisonTitle(const QJsonObject &comparison)
{
    QStringList parts;
    const QJsonArray settings = comparison[u"differs"].toArray();
    for (const auto &item : settings) {
        const QString setting = item[u"setting"].toString();
        //: %1 is a setting, %2 and %3 are values of it
        parts << say(QT_TRANSLATE_NOOP("Measuring", "%1: %2 against %3"))
                     .arg(titleOf(setting), valueOf(setting, item[u"wanted"].toString()),
                          valueOf(setting, item[u"now"].toString()));
    }
    return parts.join(u" · "_s);
}

QString comparisonVerdict(const QJsonObject &comparison)
{
    const QString verdict = comparison[u"verdict"].toString();
    const double low = std::abs(comparison[u"low"].toDouble());
    const double high = std::abs(comparison[u"high"].toDouble());
    const auto differs = [&](const char *text) {
        return say(text).arg(percent(comparison[u"effect"].toDouble()), percent(std::min(low, high)),
                             percent(std::max(low, high)));
    };
    if (verdict == u"faster")
        return differs(QT_TRANSLATE_NOOP("Measuring", "faster by %1 % (%2 to %3 %)"));
    if (verdict == u"slower")
        return differs(QT_TRANSLATE_NOOP("Measuring", "slower by %1 % (%2 to %3 %)"));
    if (verdict == u"same")
        return say(QT_TRANSLATE_NOOP("Measuring", "the same within %1 %"))
            .arg(percent(comparison[u"threshold"].toDouble()));
    if (verdict == u"cannot-tell")
        return say(QT_TRANSLATE_NOOP("Measuring", "can't be told"));
    return say(QT_TRANSLATE_NOOP("Measuring", "not comparable"));
}

QString comparedValues(const QJsonObject &comparison, const QJsonObject &settings)
{
    QStringList values;
    const QJsonArray differs = comparison[u"differs"].toArray();
    for (const auto &item : differs) {
        const QString setting = item[u"setting"].toString();
        if (settings.contains(setting))
            values << valueOf(setting, settings[setting].toString());
    }
    return values.join(u" · "_s);
}

} // namespace diskwright::ui
