// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <format>

// What UDisks2 stored when it last asked the drive (never on our behalf), and the temperature of NVMe drives.
namespace diskwright::health {

namespace {

constexpr const char *ata = "org.freedesktop.UDisks2.Drive.Ata.";
constexpr const char *nvme = "org.freedesktop.UDisks2.NVMe.Controller.";

constexpr const char *copyNow = QT_TRANSLATE_NOOP("Health", "Copy your data now, then replace the drive.");

const char *warningText(std::string_view warning)
{
    if (warning == "spare")
        return QT_TRANSLATE_NOOP("Health", "The drive warns: its spare blocks are nearly used up.");
    if (warning == "temperature")
        return QT_TRANSLATE_NOOP("Health", "The drive warns of its temperature; it slows down to cool.");
    if (warning == "degraded")
        return QT_TRANSLATE_NOOP("Health", "The drive warns: errors have made it unreliable.");
    if (warning == "readonly")
        return QT_TRANSLATE_NOOP("Health", "The drive warns: it can no longer be written.");
    if (warning == "volatile_mem")
        return QT_TRANSLATE_NOOP("Health", "The drive warns: the power backup of its memory has failed.");
    return QT_TRANSLATE_NOOP("Health", "The drive warns: \"%1\".");
}

void sayWhyUnknown(Subject &subject)
{
    switch (subject.drive.state) {
    case DriveHealth::State::Known: return;
    case DriveHealth::State::NotAsked:
        subject.unknown("health",
                        {QT_TRANSLATE_NOOP("Health", "the drive's health: UDisks2 was not asked"), {}});
        return;
    case DriveHealth::State::NotRunning:
        subject.unknown("health",
                        {QT_TRANSLATE_NOOP("Health", "the drive's health: UDisks2 is not running, and it is "
                                                     "not started for this"),
                         {}});
        return;
    case DriveHealth::State::NotListed:
        subject.unknown(
            "health",
            {QT_TRANSLATE_NOOP("Health", "the drive's health: UDisks2 does not know this disk"), {}});
        return;
    case DriveHealth::State::NoAnswer:
        subject.unknown(
            "health",
            {QT_TRANSLATE_NOOP("Health", "the drive's health: UDisks2 did not answer in time"), {}});
        return;
    }
}

void checkSmart(Subject &subject)
{
    const DriveHealth &drive = subject.drive;
    if (!drive.hasSmart || !drive.updated) {
        subject.unknown("health",
                        {drive.hasSmart
                             ? QT_TRANSLATE_NOOP("Health", "the drive's health: UDisks2 has not read it yet")
                             : QT_TRANSLATE_NOOP("Health", "the drive's health: the drive, or its case, does "
                                                           "not report it"),
                         {}});
        return;
    }
    const std::string kind = subject.disk.transport == "nvme" ? nvme : ata;
    const std::chrono::sys_seconds updated{std::chrono::seconds(*drive.updated)};
    subject.fact("health.updated", std::format("{:%F %R} UTC", updated), kind + "SmartUpdated");
    if (drive.failing) {
        subject.fact("health.failing", *drive.failing ? "yes" : "no", std::string(ata) + "SmartFailing");
        if (*drive.failing)
            subject.finding(
                "smart-failing", Severity::Problem,
                {QT_TRANSLATE_NOOP("Health", "The drive itself expects to fail soon (SMART)."), {}},
                {copyNow, {}}, "SmartFailing = true", std::string(ata) + "SmartFailing");
    }
    // A maker's own meaning of the counter can be beyond all sectors there are.
    const bool isPossible = !subject.disk.sizeBytes || drive.badSectors.value_or(0) < 0 ||
                            static_cast<std::uint64_t>(drive.badSectors.value_or(0)) <=
                                std::max<std::uint64_t>(1, *subject.disk.sizeBytes / 512);
    if (drive.badSectors && !isPossible)
        subject.unknown("health.bad-sectors",
                        {QT_TRANSLATE_NOOP("Health", "how many sectors are bad: the drive's count (%1) is "
                                                     "higher than that of its sectors"),
                         {*drive.badSectors}});
    if (drive.badSectors && *drive.badSectors >= 0 && isPossible) {
        subject.fact("health.bad-sectors", std::to_string(*drive.badSectors),
                     std::string(ata) + "SmartNumBadSectors");
        if (*drive.badSectors > 0)
            subject.finding(
                "bad-sectors", Severity::Problem,
                {QT_TRANSLATE_NOOP("Health", "The drive has bad or moved sectors (%1). Reading near them "
                                             "is tried again and again, for seconds."),
                 {*drive.badSectors}},
                {QT_TRANSLATE_NOOP("Health", "Copy your data; look again in a few days. If the number "
                                             "grows, replace the drive."),
                 {}},
                "SmartNumBadSectors = " + std::to_string(*drive.badSectors),
                std::string(ata) + "SmartNumBadSectors");
    }
    if (drive.failingAttributes && *drive.failingAttributes > 0 && !drive.failing.value_or(false))
        subject.finding(
            "smart-attributes", Severity::Problem,
            {QT_TRANSLATE_NOOP("Health", "Values of the drive's self-observation are beyond their limits "
                                         "(%1 of them)."),
             {*drive.failingAttributes}},
            {copyNow, {}}, "SmartNumAttributesFailing = " + std::to_string(*drive.failingAttributes),
            std::string(ata) + "SmartNumAttributesFailing");
    if (drive.selftest) {
        const std::string property = kind + "SmartSelftestStatus";
        subject.fact("health.selftest", *drive.selftest, property);
        if (drive.selftest->starts_with("error") || *drive.selftest == "fatal" ||
            *drive.selftest == "fatal_error")
            subject.finding(
                "selftest-failed", Severity::Problem,
                {QT_TRANSLATE_NOOP("Health", "The drive's last self-test failed (%1)."), {*drive.selftest}},
                {copyNow, {}}, "SmartSelftestStatus = " + *drive.selftest, property);
    }
    if (subject.disk.transport == "nvme") {
        std::string all;
        for (const std::string &warning : drive.criticalWarnings)
            all.append(all.empty() ? "" : ", ").append(warning);
        subject.fact("health.warnings", all.empty() ? "none" : all, kind + "SmartCriticalWarning");
    }
    for (const std::string &warning : drive.criticalWarnings)
        subject.finding(
            warning == "temperature" ? "hot" : "drive-warns",
            warning == "temperature" ? Severity::Slow : Severity::Problem, {warningText(warning), {warning}},
            {warning == "temperature"
                 ? QT_TRANSLATE_NOOP("Health", "Give it air or a heat sink; keep cables away from it.")
                 : copyNow,
             {}},
            "SmartCriticalWarning: " + warning, std::string(nvme) + "SmartCriticalWarning");
}

/// The folders in which a controller's sensor may lie.
std::string sensorOf(const Subject &subject, const std::string &controller)
{
    for (const std::string &folder : {controller, controller + "/hwmon"}) {
        for (const std::string &entry : subject.entries(folder)) {
            if (isNumbered(entry, "hwmon"))
                return std::string(folder).append("/").append(entry);
        }
    }
    return {};
}

struct Sensor {
    std::optional<std::string> now;
    std::optional<std::string> high;
    std::optional<std::string> critical;
};

std::optional<double> degrees(const std::optional<std::string> &text)
{
    const auto thousandths =
        text ? parseInteger(std::string_view(*text).substr(0, text->find('\n'))) : std::nullopt;
    // Below absolute zero or above what any drive survives is not a temperature.
    if (!thousandths || *thousandths < -60'000 || *thousandths > 200'000)
        return std::nullopt;
    return static_cast<double>(*thousandths) / 1000;
}

/// \p critical is 0 where unknown.
void judge(Subject &subject, double now, double high, double critical, const std::string &sensor)
{
    const bool isCritical = critical > 0 && now >= critical;
    if (now < high - 5)
        return;
    subject.finding(
        "hot",
        isCritical    ? Severity::Problem
        : now >= high ? Severity::Slow
                      : Severity::Hint,
        {now >= high ? QT_TRANSLATE_NOOP("Health", "The drive is at %1 °C, above its own limit of %2 °C: it "
                                                   "slows down to cool.")
                     : QT_TRANSLATE_NOOP("Health", "The drive is at %1 °C, close to its own limit of %2 °C, "
                                                   "from where it slows down."),
         {std::int64_t(std::lround(now)), std::int64_t(std::lround(high))}},
        {QT_TRANSLATE_NOOP("Health", "Give it air or a heat sink; keep cables away from it."), {}},
        "temp1_input = " + std::to_string(std::lround(now)) +
            " °C, temp1_max = " + std::to_string(std::lround(high)) + " °C",
        sensor + "/temp1_input, temp1_max");
}

/// What became of the question to an NVMe drive's sensor.
struct Asked {
    const char *why = ""; ///< why there is no answer
    std::string sensor;   ///< its folder; empty where %1 is not in \p why
};

/// Whether the sensor of one of the controllers answered; fact and finding are then written.
bool askSensor(Subject &subject, Asked &asked)
{
    const auto isOff = [&](const DevicePath &controller) {
        const std::size_t function = controller.last(isPciFunction);
        return function != 0 &&
               subject.word(controller.upTo(function) + "/power/runtime_status") == "suspended";
    };
    const auto controllers = subject.controllers();
    if (subject.isAsleep() || std::ranges::any_of(controllers, isOff)) {
        asked.why = QT_TRANSLATE_NOOP("Health", "its temperature: the drive is switched off to save power, "
                                                "and asking would wake it");
        return false;
    }
    const auto isController = [](std::string_view segment) { return isNumbered(segment, "nvme"); };
    std::string sensor;
    for (const DevicePath &controller : controllers) {
        const std::size_t at = controller.last(isController);
        if (sensor.empty() && at != 0)
            sensor = sensorOf(subject, controller.upTo(at));
    }
    const auto folder =
        sensor.empty() ? nullptr : std::make_shared<Result<Directory>>(subject.root.directory(sensor));
    if (!folder || !*folder) {
        asked.why = QT_TRANSLATE_NOOP("Health", "its temperature: the kernel shows no sensor of this drive");
        return false;
    }
    // The driver asks the controller, which may hang.
    const auto read = within<Sensor>(patience, [folder] {
        const auto text = [&](const char *file) {
            auto value = (*folder)->read(file);
            return value ? std::optional(*value) : std::nullopt;
        };
        return Sensor{text("temp1_input"), text("temp1_max"), text("temp1_crit")};
    });
    asked.sensor = sensor;
    asked.why = QT_TRANSLATE_NOOP("Health", "its temperature: nothing usable in %1");
    if (!read)
        asked.why = QT_TRANSLATE_NOOP("Health", "its temperature: no answer in time from %1");
    const auto now = read ? degrees(read->now) : std::nullopt;
    if (!now)
        return false;
    subject.fact("drive.temperature", std::to_string(std::lround(*now)) + " °C", sensor + "/temp1_input");
    const double high = degrees(read->high).value_or(0);
    if (high > 0)
        judge(subject, *now, high, degrees(read->critical).value_or(0), sensor);
    return true;
}

/// Readers of discs, memory and what this machine makes itself have no health to report.
bool hasHealth(const Subject &subject)
{
    return subject.nature != Nature::Layer && subject.nature != Nature::Memory &&
           subject.nature != Nature::Optical;
}

} // namespace

void checkDrive(Subject &subject)
{
    if (!hasHealth(subject))
        return;
    sayWhyUnknown(subject);
    if (subject.drive.state == DriveHealth::State::Known)
        checkSmart(subject);
}

void checkTemperature(Subject &subject)
{
    // Only NVMe: the sensor of an ATA disk (drivetemp) sends it a command, which may keep it from its sleep.
    const bool isNvme = subject.disk.transport == "nvme";
    Asked asked;
    if (isNvme && askSensor(subject, asked))
        return;
    if (subject.drive.celsius) {
        const std::string property =
            (subject.disk.transport == "nvme" ? nvme : ata) + std::string("SmartTemperature");
        subject.fact("drive.temperature", std::to_string(std::lround(*subject.drive.celsius)) + " °C",
                     property);
        // No limit of the drive's own is known here; these are beyond what makers of disks allow.
        const double most = subject.isRotating() ? 60 : 70;
        if (*subject.drive.celsius >= most)
            subject.finding(
                "hot", Severity::Slow,
                {QT_TRANSLATE_NOOP("Health", "The drive was at %1 °C when UDisks2 last asked it; makers "
                                             "allow 60 to 70."),
                 {std::int64_t(std::lround(*subject.drive.celsius))}},
                {QT_TRANSLATE_NOOP("Health", "Give it air or a heat sink; keep cables away from it."), {}},
                "SmartTemperature = " + std::to_string(std::lround(*subject.drive.celsius)) + " °C",
                property);
        return;
    }
    if (isNvme)
        subject.unknown("temperature",
                        {asked.why, asked.sensor.empty()
                                        ? std::vector<Argument>{}
                                        : std::vector<Argument>{'/' + asked.sensor + "/temp1_input"}});
    else if (subject.nature == Nature::Drive)
        subject.unknown(
            "temperature",
            {QT_TRANSLATE_NOOP("Health", "its temperature: asking the drive itself might wake it"), {}});
}

} // namespace diskwright::health
