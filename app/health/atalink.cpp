// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include "helper/access/udevdb.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <array>
#include <bit>

// The kernel's view of an ATA link, Documentation/ABI/testing/sysfs-ata. libata keeps all of it in memory:
// the IDENTIFY page is the one it read when it found the drive.
namespace diskwright::health {

namespace {

constexpr std::array<const char *, 4> generations{"", "1.5 Gbps", "3.0 Gbps", "6.0 Gbps"};

/// 1 to 3; 0 for "<unknown>" and everything else.
std::size_t generationOf(const std::optional<std::string> &speed)
{
    const auto found = std::ranges::find_if(generations, [&](const char *text) { return speed == text; });
    return found == generations.end() ? 0 : static_cast<std::size_t>(found - generations.begin());
}

bool isScsiAddress(std::string_view segment)
{
    return std::ranges::count(segment, ':') == 3 &&
           std::ranges::all_of(segment, [](char c) { return c == ':' || (c >= '0' && c <= '9'); });
}

/// The folders of the drive's link and of the drive in the kernel's tree.
struct Places {
    std::string link;
    std::string device;
};

std::optional<Places> placesOf(const Subject &subject)
{
    const auto isPort = [](std::string_view segment) { return isNumbered(segment, "ata"); };
    const std::size_t port = subject.path.last(isPort);
    const std::size_t address = subject.path.last(isScsiAddress);
    if (port == 0 || address == 0)
        return std::nullopt;
    const std::string number = subject.path.segments()[port - 1].substr(3);
    const std::string folder = subject.path.upTo(port);
    // host:channel:target:lun. Behind a port multiplier the channel is its port; else the target is the
    // drive.
    const std::string &scsi = subject.path.segments()[address - 1];
    const std::size_t first = scsi.find(':');
    const std::size_t second = scsi.find(':', first + 1);
    const std::string channel = scsi.substr(first + 1, second - first - 1);
    const std::string target = scsi.substr(second + 1, scsi.find(':', second + 1) - second - 1);
    const std::string behind = number + '.' + channel;
    const bool isMultiplied = subject.root.directory(folder + "/link" + behind).has_value();
    const std::string link = "link" + (isMultiplied ? behind : number);
    const std::string device = "dev" + (isMultiplied ? behind + ".0" : number + '.' + target);
    const std::string base = folder + '/' + link + '/';
    return Places{base + "ata_link/" + link + '/', base + device + "/ata_device/" + device + '/'};
}

/// What the drive can, from its IDENTIFY page; else what udev recorded of it (which says nothing of 6 Gbps).
struct Ability {
    std::size_t generation = 0;
    bool isExact = false;
    std::string source;
};

Ability abilityOf(const Subject &subject, const std::vector<std::uint16_t> &identify, const Places &places)
{
    Ability ability;
    if (!identify.empty() && identify[76] != 0 && identify[76] != 0xFFFF) {
        for (std::size_t generation = 1; generation <= 3; ++generation) {
            if ((identify[76] >> generation & 1) != 0)
                ability.generation = generation;
        }
        ability.isExact = true;
        ability.source = places.device + "id (word 76)";
        return ability;
    }
    const auto udev = UdevDatabase(subject.root).block(subject.disk.major, subject.disk.minor);
    for (std::size_t generation = 1; udev && generation <= 2; ++generation) {
        const std::string *value = udev->property("ID_ATA_SATA_SIGNAL_RATE_GEN" + std::to_string(generation));
        if (value && *value == "1")
            ability.generation = generation;
    }
    ability.source = "run/udev/data (ID_ATA_SATA_SIGNAL_RATE_GEN1, _GEN2)";
    return ability;
}

Severity severityOf(const Subject &subject, std::size_t generation)
{
    // No rotating disk reads faster than 3.0 Gbps carry.
    return subject.isRotating() && generation >= 2 ? Severity::Hint : Severity::Slow;
}

void checkSpeed(Subject &subject, const Places &places, const std::vector<std::uint16_t> &identify)
{
    const auto speed = subject.word(places.link + "sata_spd");
    const bool isParallel = !identify.empty() && identify[76] == 0 && subject.disk.transport != "sata";
    if (generationOf(speed) == 0 && !isParallel)
        subject.nothingIn("sata.speed",
                          QT_TRANSLATE_NOOP("Health", "the speed of the SATA link: nothing usable in %1"),
                          places.link + "sata_spd");
    if (!speed)
        return;
    subject.fact("sata.speed", *speed, places.link + "sata_spd");
    const auto limit = subject.word(places.link + "sata_spd_limit");
    const auto hardware = subject.word(places.link + "hw_sata_spd_limit");
    if (limit)
        subject.fact("sata.limit", *limit, places.link + "sata_spd_limit");
    if (hardware)
        subject.fact("sata.port", *hardware, places.link + "hw_sata_spd_limit");
    const Ability ability = abilityOf(subject, identify, places);
    if (ability.generation != 0)
        subject.fact("sata.drive", generations[ability.generation], ability.source);
    else
        subject.unknown("sata.drive", {QT_TRANSLATE_NOOP("Health", "how fast a link the drive is made for: "
                                                                   "neither the kernel nor udev says"),
                                       {}});
    const std::size_t now = generationOf(speed);
    const std::size_t allowed = generationOf(limit);
    const std::size_t possible = generationOf(hardware);
    if (now == 0)
        return;
    std::string numbers = "sata_spd = " + *speed + ", sata_spd_limit = " + limit.value_or("?") +
                          ", hw_sata_spd_limit = " + hardware.value_or("?");
    if (ability.generation != 0)
        numbers +=
            std::string(", drive: ") + (ability.isExact ? "" : "at least ") + generations[ability.generation];
    const std::string sources = places.link + "sata_spd, " + ability.source;
    // A limit of the kernel's own, where the hardware has none or a higher one, is lower only after errors or
    // by a start option.
    const bool isLowered = allowed != 0 && allowed < 3 && (possible == 0 || possible > allowed) &&
                           (ability.generation == 0 || ability.generation > allowed);
    if (isLowered) {
        subject.finding(
            "sata-link-lowered", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The kernel holds the SATA link at %1. It does so after transfer "
                                         "errors, or because a start option (libata.force) says so."),
             {generations[allowed]}},
            {QT_TRANSLATE_NOOP("Health", "Replace the SATA cable or try another port, then restart. If it "
                                         "returns, the drive or the port is faulty."),
             {}},
            numbers, sources);
    } else if (possible != 0 && now == possible && ability.generation > possible) {
        subject.finding(
            "sata-port-slow", severityOf(subject, now),
            {QT_TRANSLATE_NOOP("Health", "The SATA port is limited to %1; the drive can do %2."),
             {generations[possible], generations[ability.generation]}},
            {QT_TRANSLATE_NOOP("Health", "Connect the drive to a port that the mainboard's manual "
                                         "lists with 6 Gb/s."),
             {}},
            numbers, sources);
    } else if (ability.generation > now) {
        subject.finding(
            "sata-link-slow", severityOf(subject, now),
            {QT_TRANSLATE_NOOP("Health", "The SATA link runs at %1; the drive can do %2."),
             {generations[now], generations[ability.generation]}},
            {QT_TRANSLATE_NOOP("Health", "Connect the drive to a port that the mainboard's manual lists with "
                                         "6 Gb/s, and look for another SATA cable or adapter between them."),
             {}},
            numbers, sources);
    }
}

/// Lines like "[  123.456789000]Timeout".
std::int64_t errorsIn(std::string_view ring)
{
    std::int64_t errors = 0;
    while (!ring.empty()) {
        const std::string_view line = ring.substr(0, ring.find('\n'));
        const std::size_t end = line.find(']');
        if (line.starts_with('[') && end != std::string_view::npos &&
            line.substr(1, end - 1).find_first_not_of(" 0123456789.") == std::string_view::npos)
            ++errors;
        ring.remove_prefix(std::min(line.size() + 1, ring.size()));
    }
    return errors;
}

void checkErrors(Subject &subject, const Places &places)
{
    const auto steps = subject.number(places.device + "spdn_cnt");
    if (steps)
        subject.fact("ata.slowdowns", std::to_string(*steps), places.device + "spdn_cnt");
    if (steps && *steps > 0)
        subject.finding(
            "ata-slowed-down", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "Transfer errors made the kernel slow this connection "
                                         "down (times: %1)."),
             {*steps}},
            {QT_TRANSLATE_NOOP("Health", "Replace the cable or try another port, then restart: the "
                                         "full speed returns only then."),
             {}},
            "spdn_cnt = " + std::to_string(*steps), places.device + "spdn_cnt");
    if (!steps)
        subject.nothingIn(
            "ata.slowdowns",
            QT_TRANSLATE_NOOP("Health", "how often the link was slowed down: nothing usable in %1"),
            places.device + "spdn_cnt");
    // An empty list is one without errors.
    const auto ring = subject.root.readFile(places.device + "ering", std::size_t{16} * 1024);
    const std::int64_t errors = errorsIn(ring.value_or(std::string()));
    if (!ring)
        subject.nothingIn("ata.errors",
                          QT_TRANSLATE_NOOP("Health", "which transfers failed: nothing usable in %1"),
                          places.device + "ering");
    else
        subject.fact("ata.errors", std::to_string(errors), places.device + "ering");
    if (errors > 0)
        subject.finding(
            "ata-errors", errors >= 3 ? Severity::Slow : Severity::Hint,
            {QT_TRANSLATE_NOOP("Health", "The kernel noted failed transfers to this drive (%1 in its "
                                         "list). Each is repeated and costs seconds."),
             {errors}},
            {QT_TRANSLATE_NOOP("Health", "Check cable, plug and power supply. If the errors stay "
                                         "with another cable, copy your data and test the drive."),
             {}},
            std::to_string(errors) + " entries in ering", places.device + "ering");
}

void checkMode(Subject &subject, const Places &places, const std::vector<std::uint16_t> &identify)
{
    const auto mode = subject.word(places.device + "xfer_mode");
    if (!mode) {
        subject.nothingIn("ata.mode", QT_TRANSLATE_NOOP("Health", "the transfer mode: nothing usable in %1"),
                          places.device + "xfer_mode");
        return;
    }
    subject.fact("ata.mode", *mode, places.device + "xfer_mode");
    for (const char *kind : {"dma_mode", "pio_mode"}) {
        if (const auto value = subject.word(places.device + kind))
            subject.fact(kind == std::string_view("dma_mode") ? "ata.dma" : "ata.pio", *value,
                         places.device + kind);
    }
    if (mode->starts_with("XFER_PIO")) {
        subject.finding(
            "ata-without-dma", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The drive is driven without DMA (%1): the processor moves "
                                         "every byte, a few MB a second."),
             {*mode}},
            {QT_TRANSLATE_NOOP("Health", "Look for transfer errors and a bad cable, and for "
                                         "libata.dma= on the kernel's command line; then restart."),
             {}},
            "xfer_mode = " + *mode, places.device + "xfer_mode");
        return;
    }
    constexpr std::string_view ultra = "XFER_UDMA_";
    const auto now =
        mode->starts_with(ultra) ? parseInteger(std::string_view(*mode).substr(ultra.size())) : std::nullopt;
    // Word 53 bit 2: word 88 is valid; its low byte has a bit for each mode.
    if (!now || identify.empty() || (identify[53] & 4) == 0 || (identify[88] & 0x7F) == 0)
        return;
    const std::int64_t best = std::bit_width(static_cast<unsigned>(identify[88] & 0x7F)) - 1;
    subject.fact("ata.drive-mode", std::string(ultra) + std::to_string(best), places.device + "id (word 88)");
    const bool isSerial = identify[76] != 0 && identify[76] != 0xFFFF;
    if (*now < best && (!isSerial || *now < 5))
        subject.finding(
            "ata-mode-low", isSerial ? Severity::Hint : Severity::Slow,
            {isSerial ? QT_TRANSLATE_NOOP("Health", "The transfer mode is UDMA %1 of the drive's %2. On a "
                                                    "SATA drive that is a sign of earlier errors.")
                      : QT_TRANSLATE_NOOP("Health", "The transfer mode is UDMA %1 of the drive's %2."),
             {*now, best}},
            {isSerial ? QT_TRANSLATE_NOOP("Health", "Replace the SATA cable, then restart.")
                      : QT_TRANSLATE_NOOP("Health", "Use an 80-wire cable with the drive at its end, or an "
                                                    "adapter to SATA."),
             {}},
            "xfer_mode = " + *mode + ", drive: " + std::string(ultra) + std::to_string(best),
            places.device + "xfer_mode, " + places.device + "id (word 88)");
}

void checkCommandQueue(Subject &subject, const Places &places, const std::vector<std::uint16_t> &identify)
{
    const std::string file = subject.path.text() + "/device/queue_depth";
    const auto depth = subject.number(file);
    if (!depth || identify.empty() || identify[76] == 0xFFFF)
        return;
    const bool canQueue = (identify[76] >> 8 & 1) != 0;
    subject.fact("ata.ncq", canQueue ? std::to_string((identify[75] & 0x1F) + 1) : "no",
                 places.device + "id (words 75, 76)");
    if (canQueue && *depth == 1)
        subject.finding(
            "ncq-off", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The drive could work on %1 requests at a time and order them "
                                         "itself (NCQ); it is given one."),
             {std::int64_t{identify[75] & 0x1F} + 1}},
            {QT_TRANSLATE_NOOP("Health", "Raise the setting \"queue_depth\". If the kernel keeps 1, the "
                                         "controller runs in IDE mode (set AHCI in the firmware), or "
                                         "the kernel knows NCQ of this drive as faulty."),
             {}},
            "queue_depth = 1", file + ", " + places.device + "id (words 75, 76)");
}

/// What the SCSI layer read from the drive (its caching mode page): "write back", "write through" …
std::optional<std::string> cacheOfDrive(const Subject &subject)
{
    const std::string folder = subject.path.text() + "/device/scsi_disk";
    const auto names = subject.entries(folder);
    return names.size() == 1 ? subject.word(folder + '/' + names.front() + "/cache_type") : std::nullopt;
}

/// ACS-4: bits 15:14 of word 87 are 01 if words 85 to 87 are valid.
bool saysCacheIsOn(const std::vector<std::uint16_t> &identify)
{
    return identify[87] >> 14 == 1 && (identify[85] >> 5 & 1) != 0;
}

/// IDENTIFY word 82 bit 5 says that there is a cache, word 85 bit 5 that it is on. The queue's attribute is
/// only what the kernel believes, and who writes it changes nothing in the drive; nor does "temporary" in
/// cache_type.
void checkWriteCache(Subject &subject, const Places &places, const std::vector<std::uint16_t> &identify)
{
    const std::string file = subject.path.text() + "/queue/write_cache";
    const auto cache = subject.word(file);
    if (!cache || identify.empty() || identify[82] == 0xFFFF || (identify[82] >> 5 & 1) == 0 ||
        *cache != "write through")
        return;
    const auto drive = cacheOfDrive(subject);
    if (!drive)
        return;
    const std::string source = file + ", " + subject.path.text() + "/device/scsi_disk/*/cache_type, " +
                               places.device + "id (word 82)";
    if (drive->starts_with("write back") || saysCacheIsOn(identify))
        subject.finding(
            "cache-not-flushed", Severity::Problem,
            {QT_TRANSLATE_NOOP("Health",
                               "The drive's write cache is on, but the kernel was told that it is off and "
                               "never empties it: a power cut can destroy what was saved."),
             {}},
            {QT_TRANSLATE_NOOP("Health",
                               "Find what writes \"write through\" to this file (a script, a udev rule) "
                               "and remove it, or turn the drive's cache off; then restart."),
             {}},
            "write_cache = " + *cache + ", cache_type = " + *drive, source);
    else if (*drive == "write through")
        subject.finding(
            "write-cache-off", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The drive's own write cache is off: each write waits for "
                                         "the medium."),
             {}},
            {QT_TRANSLATE_NOOP("Health", "Somebody turned it off, often on purpose: it is safer where "
                                         "the power may fail. Turning it on makes writing faster."),
             {}},
            "write_cache = " + *cache + ", cache_type = " + *drive, source);
}

/// ACS-4: word 69 bits 1:0, 1 host-aware, 2 managed by the drive.
void checkShingled(Subject &subject, const Places &places, const std::vector<std::uint16_t> &identify)
{
    if (identify.empty() || identify[69] == 0xFFFF || (identify[69] & 3) != 2)
        return;
    subject.finding(
        "shingled", Severity::Slow,
        {QT_TRANSLATE_NOOP("Health", "The drive says that its tracks overlap (shingled, managed by the "
                                     "drive): long or scattered writing gets very slow."),
         {}},
        {QT_TRANSLATE_NOOP("Health", "Good for backups and archives; give it time to rest after long "
                                     "copies. Not for RAID, databases or virtual machines."),
         {}},
        "IDENTIFY word 69 = " + std::to_string(identify[69]), places.device + "id (word 69)");
}

} // namespace

void checkAtaLink(Subject &subject)
{
    const auto places = placesOf(subject);
    if (!places) {
        if (subject.disk.transport == "sata" || subject.disk.transport == "ata")
            subject.unknown("sata.speed",
                            {QT_TRANSLATE_NOOP("Health", "its link (speed, errors, what the drive can do by "
                                                         "its own word): the kernel does not show where the "
                                                         "drive hangs"),
                             {}});
        return;
    }
    const auto identify = parseIdentify(subject.bytes(places->device + "id", 8192));
    if (identify.empty())
        subject.nothingIn("ata.identify",
                          QT_TRANSLATE_NOOP("Health",
                                            "what the drive can do by its own word (IDENTIFY: speed, NCQ, "
                                            "write cache): nothing usable in %1"),
                          places->device + "id");
    checkSpeed(subject, *places, identify);
    checkErrors(subject, *places);
    checkMode(subject, *places, identify);
    checkCommandQueue(subject, *places, identify);
    checkWriteCache(subject, *places, identify);
    checkShingled(subject, *places, identify);
}

} // namespace diskwright::health
