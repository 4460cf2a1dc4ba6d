// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include "app/disks/devicekind.h"
#include "helper/access/udevdb.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <cstdint>

// Whether the disk works at all, and what the kernel believes of it: Documentation/ABI/stable/sysfs-block and
// the SCSI layer's counters. All of it is in memory.
namespace diskwright::health {

namespace {

/// Whether the SCSI layer drives it, which is also that of USB and ATA.
bool isScsi(const Subject &subject)
{
    return subject.disk.name.starts_with("sd") || subject.disk.name.starts_with("sr");
}

/// The SCSI layer's counters: how many requests it was given, how many failed, how many had no answer in
/// time.
void checkCounters(Subject &subject, const std::string &device)
{
    const auto counter = [&](const char *file) {
        const auto value = subject.number(device + '/' + file);
        // They have 32 bits.
        return value && *value >= 0 && *value <= UINT32_MAX ? value : std::nullopt;
    };
    const auto requests = counter("iorequest_cnt");
    const auto errors = counter("ioerr_cnt");
    const auto timeouts = counter("iotmo_cnt");
    // More failures than requests: a counter has wrapped, or somebody made them up.
    if (requests && (errors.value_or(0) > *requests || timeouts.value_or(0) > *requests)) {
        subject.unknown("device.errors",
                        {QT_TRANSLATE_NOOP("Health", "how many requests failed: the kernel's counters "
                                                     "contradict each other (%1 requests, %2 failed, %3 "
                                                     "without an answer in time)"),
                         {*requests, errors.value_or(0), timeouts.value_or(0)}});
        return;
    }
    if (errors && requests)
        subject.fact("device.errors", std::to_string(*errors), device + "/ioerr_cnt");
    if (timeouts)
        subject.fact("device.timeouts", std::to_string(*timeouts), device + "/iotmo_cnt");
    if (isScsi(subject) && (!errors || !requests))
        subject.nothingIn(
            "device.errors",
            QT_TRANSLATE_NOOP("Health", "how many of its requests failed: nothing usable in %1"),
            device + (errors ? "/iorequest_cnt" : "/ioerr_cnt"));
    if (isScsi(subject) && !timeouts)
        subject.nothingIn(
            "device.timeouts",
            QT_TRANSLATE_NOOP("Health", "how many requests had no answer in time: nothing usable in %1"),
            device + "/iotmo_cnt");
    if (timeouts && *timeouts > 0)
        subject.finding(
            "timeouts", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The disk did not answer in time (times since it was found: %1). "
                                         "Each costs half a minute."),
             {*timeouts}},
            {QT_TRANSLATE_NOOP("Health", "Check cable and power; copy your data before you test further."),
             {}},
            "iotmo_cnt = " + std::to_string(*timeouts), device + "/iotmo_cnt");
    // A few are normal: they are questions that the disk does not know.
    const bool areMany = errors && requests && *errors >= 100 && *requests > 0 && *errors >= *requests / 1000;
    if (areMany)
        subject.finding(
            "io-errors", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "%1 of %2 requests to this disk failed since it was found."),
             {*errors, *requests}},
            {QT_TRANSLATE_NOOP("Health", "Look at the kernel's log for their kind. Copy your data before "
                                         "you test further."),
             {}},
            "ioerr_cnt = " + std::to_string(*errors) + ", iorequest_cnt = " + std::to_string(*requests),
            device + "/ioerr_cnt, " + device + "/iorequest_cnt");
}

void checkScsi(Subject &subject, const std::string &device)
{
    const auto state = subject.word(device + "/state");
    if (state)
        subject.fact("device.state", *state, device + "/state");
    // NVMe controllers say "live", SCSI devices "running".
    if (state && *state != "running" && *state != "live")
        subject.finding(
            "not-running", Severity::Problem,
            {QT_TRANSLATE_NOOP("Health", "The kernel does not work with this disk normally: its state is "
                                         "\"%1\"."),
             {*state}},
            {QT_TRANSLATE_NOOP("Health", "Requests wait or fail until it is back. Check plug, cable and "
                                         "power; the kernel's log names the reason."),
             {}},
            "state = " + *state, device + "/state");
    checkCounters(subject, device);
}

/// Whether the drive itself says that nothing turns in it.
bool checkRotation(Subject &subject)
{
    if (!subject.disk.rotational) {
        subject.nothingIn("queue.rotational",
                          QT_TRANSLATE_NOOP("Health", "whether the kernel treats it as rotating: nothing "
                                                      "usable in %1"),
                          subject.path.text() + "/queue/rotational");
        return false;
    }
    const std::string file = subject.path.text() + "/queue/rotational";
    subject.fact("queue.rotational", *subject.disk.rotational ? "1" : "0", file);
    const auto udev = UdevDatabase(subject.root).block(subject.disk.major, subject.disk.minor);
    const std::string *rate = udev ? udev->property("ID_ATA_ROTATION_RATE_RPM") : nullptr;
    constexpr std::int64_t unknown = -1;
    std::int64_t rpm = rate ? parseInteger(*rate).value_or(unknown) : unknown;
    std::string source = "run/udev/data (ID_ATA_ROTATION_RATE_RPM)";
    if (rpm < 0 && subject.drive.rotationRate) {
        rpm = *subject.drive.rotationRate;
        source = "org.freedesktop.UDisks2.Drive.RotationRate";
    }
    const bool isFlash = subject.disk.transport == "nvme" || subject.disk.transport == "mmc" || rpm == 0;
    if (rpm >= 0)
        subject.fact("drive.rotation", std::to_string(rpm) + " rpm", source);
    if (*subject.disk.rotational && isFlash)
        subject.finding(
            "rotational-wrong", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The kernel treats this disk as a rotating one, though it is not: "
                                         "wrong waiting times, and programs choose wrongly too."),
             {}},
            {QT_TRANSLATE_NOOP("Health", "Set \"rotational\" to 0."), {}},
            "rotational = 1" + (rpm == 0 ? std::string(", drive: 0 rpm") : std::string()),
            rpm == 0 ? file + ", " + source : file);
    else if (!*subject.disk.rotational && rpm > 0)
        subject.finding(
            "rotational-wrong", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The kernel treats this disk as solid state, though it rotates "
                                         "(%1 turns a minute): requests are not ordered for its head."),
             {rpm}},
            {QT_TRANSLATE_NOOP("Health", "Set \"rotational\" to 1."), {}},
            "rotational = 0, drive: " + std::to_string(rpm) + " rpm", file + ", " + source);
    return isFlash;
}

/// \p isFlash: the drive itself says that nothing turns in it.
void checkZones(Subject &subject, bool isFlash)
{
    const std::string file = subject.path.text() + "/queue/zoned";
    const auto zoned = subject.word(file);
    if (zoned)
        subject.fact("queue.zoned", *zoned, file);
    const bool isAware = zoned == "host-aware";
    if (isAware || zoned == "host-managed") {
        subject.finding(
            "shingled", isAware ? Severity::Slow : Severity::Hint,
            {isAware ? QT_TRANSLATE_NOOP("Health", "Its tracks overlap (shingled, host-aware): long or "
                                                   "scattered writing gets very slow.")
                     : QT_TRANSLATE_NOOP("Health", "The disk is written in zones, each from its start "
                                                   "(host-managed): only software made for it is fast."),
             {}},
            {isAware ? QT_TRANSLATE_NOOP("Health", "Good for backups and archives; give it time to rest "
                                                   "after long copies. Not for RAID, databases or "
                                                   "virtual machines.")
                     : QT_TRANSLATE_NOOP("Health", "Use a file system that knows zones (btrfs, f2fs, "
                                                   "XFS since Linux 6.15)."),
             {}},
            "zoned = " + *zoned, file);
    } else if (subject.nature == Nature::Drive && subject.isRotating() && !isFlash) {
        subject.unknown("shingled",
                        {QT_TRANSLATE_NOOP("Health", "whether its tracks overlap (shingled): drives that "
                                                     "manage this by themselves need not say so"),
                         {}});
    }
}

/// Only a drive of its own may be dying; others were attached so, or are locked.
void checkReadOnly(Subject &subject)
{
    if (!std::ranges::contains(subject.disk.notes, "read-only") || subject.nature == Nature::Optical)
        return;
    const std::string file = subject.path.text() + "/ro";
    const bool isBootArea = !cardArea(subject.disk.name).empty();
    if (subject.nature == Nature::Drive || (subject.nature == Nature::Chip && !isBootArea))
        subject.finding(
            "read-only", Severity::Problem,
            {QT_TRANSLATE_NOOP("Health", "The whole disk is read-only. Drives do that at the end of their "
                                         "life, cards and sticks have a switch."),
             {}},
            {QT_TRANSLATE_NOOP("Health", "Look for a switch on the card or stick; otherwise copy your data "
                                         "now."),
             {}},
            "ro = 1", file);
    else if (subject.nature == Nature::Card)
        subject.finding(
            "attached-read-only", Severity::Hint,
            {QT_TRANSLATE_NOOP("Health", "The card is read-only: its lock is on, or it was protected."), {}},
            {QT_TRANSLATE_NOOP("Health", "Take it out and slide the lock on its side. If it is off already, "
                                         "copy your data and replace the card."),
             {}},
            "ro = 1", file);
    else
        subject.finding(
            "attached-read-only", Severity::Hint,
            {isBootArea ? QT_TRANSLATE_NOOP("Health", "This area for starting the device is read-only: the "
                                                      "kernel protects it.")
                        : QT_TRANSLATE_NOOP("Health", "It is attached read-only: nothing can be written."),
             {}},
            {isBootArea
                 ? QT_TRANSLATE_NOOP("Health", "Nothing has to be done.")
                 : QT_TRANSLATE_NOOP("Health", "If that is not wanted, change it where it is attached: "
                                               "on the host, the server, or in the command that "
                                               "made it."),
             {}},
            "ro = 1", file);
}

/// What the list of disks noticed already: a folder that can't be read, a member that an array threw out.
void checkNotes(Subject &subject)
{
    if (std::ranges::contains(subject.disk.notes, "unreadable"))
        subject.finding(
            "unreadable", Severity::Problem,
            {QT_TRANSLATE_NOOP("Health", "The kernel lists this disk, but nothing of it can be read."), {}},
            {QT_TRANSLATE_NOOP("Health", "It may be going away or failing. Check plug, cable and power; the "
                                         "kernel's log names the reason."),
             {}},
            "unreadable", "sys/block/" + subject.disk.name);
    const auto checkMember = [&](const BlockNode &node) {
        if (std::ranges::contains(node.notes, "failed-member"))
            subject.finding(
                "raid-member-failed", Severity::Problem,
                {QT_TRANSLATE_NOOP("Health", "Its RAID has thrown %1 out as faulty: what is written does not "
                                             "reach it any more."),
                 {node.name}},
                {QT_TRANSLATE_NOOP("Health",
                                   "Look at the kernel's log for the reason and copy your data. Then "
                                   "replace the disk, and add the new one to the array (mdadm "
                                   "--add)."),
                 {}},
                node.name + ": faulty", "md/dev-" + node.name + "/state", &node);
    };
    checkMember(subject.disk);
    std::ranges::for_each(subject.disk.partitions, checkMember);
}

/// Links that no check knows how to judge.
void sayOtherLinks(Subject &subject)
{
    const bool isCard = subject.nature == Nature::Card || subject.nature == Nature::Chip;
    if (subject.nature != Nature::Drive && subject.nature != Nature::Optical && !isCard)
        return;
    const auto &transport = subject.disk.transport;
    if (!transport)
        subject.unknown("link",
                        {QT_TRANSLATE_NOOP("Health", "how it is connected, and how fast: the kernel does not "
                                                     "show where it hangs"),
                         {}});
    else if (isCard || transport == "sas" || transport == "scsi")
        subject.unknown("link", {QT_TRANSLATE_NOOP("Health", "the speed of its link: of this kind (%1) it is "
                                                             "not looked at"),
                                 {*transport}});
}

} // namespace

void checkState(Subject &subject)
{
    const std::string device = subject.path.text() + "/device";
    checkScsi(subject, device);
    if (subject.isAsleep())
        subject.finding(
            "asleep", Severity::Hint,
            {QT_TRANSLATE_NOOP("Health", "The kernel has switched the disk off to save power: the first "
                                         "access waits until it is awake. It was not woken for this."),
             {}},
            {QT_TRANSLATE_NOOP("Health", "If that happens too often, lengthen its delay "
                                         "(power/autosuspend_delay_ms)."),
             {}},
            "power/runtime_status = suspended", subject.path.text());
    if (subject.nature == Nature::Virtual)
        subject.unknown(
            "host", {QT_TRANSLATE_NOOP("Health", "what is behind this virtual disk: only the machine that "
                                                 "offers it knows"),
                     {}});
    checkReadOnly(subject);
    checkNotes(subject);
    sayOtherLinks(subject);
}

void checkQueue(Subject &subject)
{
    checkZones(subject, checkRotation(subject));
    const std::string depth = subject.path.text() + "/device/queue_depth";
    if (const auto value = subject.number(depth))
        subject.fact("device.queue-depth", std::to_string(*value), depth);
    for (const char *name : {"scheduler", "write_cache"}) {
        const std::string file = subject.path.text() + "/queue/" + name;
        if (const auto value = subject.word(file))
            subject.fact(name == std::string_view("scheduler") ? "queue.scheduler" : "queue.write-cache",
                         *value, file);
    }
}

} // namespace diskwright::health
