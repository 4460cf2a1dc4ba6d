// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <charconv>
#include <cmath>

// Documentation/ABI/testing/sysfs-bus-usb. The descriptors are the ones the kernel read when the device was
// plugged in; it keeps them in memory.
namespace diskwright::health {

namespace {

std::uint8_t byteAt(std::string_view text, std::size_t at)
{
    return static_cast<std::uint8_t>(text[at]);
}

/// Calls \p use with each descriptor; ends at the first that does not fit.
template <class Use>
void forEachDescriptor(std::string_view text, Use use)
{
    while (text.size() >= 2) {
        const std::size_t length = byteAt(text, 0);
        if (length < 2 || length > text.size())
            return;
        use(text.substr(0, length));
        text.remove_prefix(length);
    }
}

/// Whether one of the interfaces is USB Attached SCSI: mass storage (8), SCSI (6), UAS (0x62).
bool offersUas(std::string_view descriptors)
{
    bool offers = false;
    forEachDescriptor(descriptors, [&](std::string_view one) {
        offers |= one.size() >= 9 && byteAt(one, 1) == 4 && byteAt(one, 5) == 8 && byteAt(one, 6) == 6 &&
                  byteAt(one, 7) == 0x62;
    });
    return offers;
}

/// The fastest the device says it can, in Mbit/s, from its binary object store; 0 if it does not say.
std::int64_t abilityOf(std::string_view store)
{
    std::int64_t best = 0;
    forEachDescriptor(store, [&](std::string_view one) {
        constexpr std::uint8_t capability = 0x10;
        if (one.size() < 4 || byteAt(one, 1) != capability)
            return;
        // SuperSpeed: bit 3 of the speeds is 5 Gbit/s.
        if (byteAt(one, 2) == 3 && one.size() >= 10 && (byteAt(one, 4) & 8) != 0)
            best = std::max<std::int64_t>(best, 5000);
        // SuperSpeedPlus: one entry of four bytes for each lane speed; exponent 3 is Gbit/s.
        if (byteAt(one, 2) == 10 && one.size() >= 16) {
            const std::size_t entries = (byteAt(one, 4) & 0x1F) + 1u;
            for (std::size_t entry = 0; entry < entries && 16 + entry * 4 <= one.size(); ++entry) {
                const std::size_t at = 12 + entry * 4;
                const std::int64_t mantissa = byteAt(one, at + 2) | byteAt(one, at + 3) << 8;
                if ((byteAt(one, at) >> 4 & 3) == 3 && mantissa <= 40)
                    best = std::max(best, mantissa * 1000);
            }
        }
    });
    return best;
}

/// Whether the port's contacts for USB 3 exist: it then has a peer on the other bus.
bool hasFastPeer(const Subject &subject, const std::string &device)
{
    return std::ranges::contains(subject.entries(device + "/port"), "peer");
}

/// The link's speed as the kernel writes it ("480", but "1.5" of a low-speed device), in Mbit/s.
std::optional<double> megabitsOf(const std::optional<std::string> &word)
{
    double speed = 0;
    if (!word)
        return std::nullopt;
    const auto [end, error] =
        std::from_chars(word->data(), word->data() + word->size(), speed, std::chars_format::fixed);
    const bool isNumber = error == std::errc{} && end == word->data() + word->size();
    return isNumber && speed > 0 && speed < 1e9 ? std::optional(speed) : std::nullopt;
}

/// USB 1: 12 Mbit/s, or 1.5 of what was made for keyboards.
void checkVerySlow(Subject &subject, const std::string &speed, bool isLow, const std::string &numbers,
                   const std::string &sources)
{
    subject.finding(
        "usb-very-slow", Severity::Slow,
        {isLow
             ? QT_TRANSLATE_NOOP("Health", "The connection runs at %1 Mbit/s, 0.15 MB/s at most: this is the "
                                           "lowest speed of USB 1, or a faulty cable.")
             : QT_TRANSLATE_NOOP("Health", "The connection runs at %1 Mbit/s, about 1 MB/s: this is a USB "
                                           "1 port, hub or device, or a faulty cable."),
         {speed}},
        {QT_TRANSLATE_NOOP("Health", "Use another port and cable, without a hub."), {}}, numbers, sources);
}

void checkSpeed(Subject &subject, const std::string &device)
{
    const auto word = subject.word(device + "/speed");
    const auto speed = megabitsOf(word);
    const auto version = subject.word(device + "/version");
    if (!speed) {
        subject.nothingIn("usb.speed",
                          QT_TRANSLATE_NOOP("Health", "the speed of the USB link: nothing usable in %1"),
                          device + "/speed");
        return;
    }
    subject.fact("usb.speed", *word + " Mbit/s", device + "/speed");
    if (version)
        subject.fact("usb.version", *version, device + "/version");
    else
        subject.nothingIn(
            "usb.version",
            QT_TRANSLATE_NOOP("Health", "for which USB the device is made: nothing usable in %1"),
            device + "/version");
    const std::int64_t able = abilityOf(subject.bytes(device + "/bos_descriptors"));
    if (able != 0)
        subject.fact("usb.ability", std::to_string(able) + " Mbit/s", device + "/bos_descriptors");
    const std::string numbers = "speed = " + *word + ", version = " + version.value_or("?") +
                                (able != 0 ? ", device: " + std::to_string(able) : std::string());
    const std::string sources = device + "/speed, " + device + (able != 0 ? "/bos_descriptors" : "/version");
    // USB 3.2, 9.2.6.6: a SuperSpeed device on a USB 2 connection calls itself 2.10.
    const bool isMadeForMore = able >= 5000 || version == "2.10";
    if (*speed < 480) {
        checkVerySlow(subject, *word, *speed < 12, numbers, sources);
    } else if (*speed == 480 && isMadeForMore) {
        const bool portIsFast = hasFastPeer(subject, device);
        subject.finding(
            "usb-link-slow", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "This is a USB 3 device on a USB 2 connection: %1 Mbit/s, about "
                                         "40 MB/s at most."),
             {std::int64_t{480}}},
            {portIsFast
                 ? QT_TRANSLATE_NOOP("Health", "The port has USB 3 too: push the plug in fully, and use "
                                               "a short USB 3 cable without hub or extension.")
                 : QT_TRANSLATE_NOOP("Health", "Use a USB 3 port (blue, or marked SS) and a USB 3 cable; a "
                                               "hub between them has to be USB 3 too."),
             {}},
            numbers + (portIsFast ? ", port: has a USB 3 peer" : ""), sources);
    } else if (*speed == 480) {
        subject.finding(
            "usb2-device", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "This disk or its case knows only USB 2: about 40 MB/s at most, "
                                         "whatever the port."),
             {}},
            {QT_TRANSLATE_NOOP("Health", "A disk in a case can be moved to a USB 3 case. No setting "
                                         "makes it faster."),
             {}},
            numbers, sources);
    } else if (static_cast<double>(able) > *speed) {
        subject.finding(
            "usb-link-below-device", Severity::Hint,
            {QT_TRANSLATE_NOOP("Health", "The connection runs at %1 Mbit/s; the device can do %2."),
             {std::llround(*speed), able}},
            {QT_TRANSLATE_NOOP("Health", "Use a port and cable marked for that speed (10 or 20 Gb/s), "
                                         "without a hub."),
             {}},
            numbers, sources);
    }
}

void checkProtocol(Subject &subject, const std::string &device, const std::string &interface)
{
    const std::string driver = subject.linkName(interface + "/driver");
    if (driver.empty()) {
        subject.nothingIn("usb.driver",
                          QT_TRANSLATE_NOOP("Health", "which driver works with it: nothing usable in %1"),
                          interface + "/driver");
        return;
    }
    subject.fact("usb.driver", driver, interface + "/driver");
    const std::string descriptors = subject.bytes(device + "/descriptors");
    const bool offers = offersUas(descriptors);
    if (descriptors.empty())
        subject.nothingIn("usb.uas",
                          QT_TRANSLATE_NOOP("Health", "whether the case offers UAS: nothing usable in %1"),
                          device + "/descriptors");
    else
        subject.fact("usb.uas", offers ? "yes" : "no", device + "/descriptors");
    if (driver != "usb-storage" || !offers)
        return;
    const std::string id = subject.word(device + "/idVendor").value_or(std::string()) + ':' +
                           subject.word(device + "/idProduct").value_or(std::string()) + ':';
    const std::string place = "sys/module/usb_storage/parameters/quirks";
    const auto quirks = subject.word(place);
    const bool isAsked = quirks && id.size() > 3 && ("," + *quirks).contains("," + id);
    subject.finding(
        "usb-without-uas", subject.isRotating() ? Severity::Hint : Severity::Slow,
        {isAsked ? QT_TRANSLATE_NOOP("Health", "The case offers the faster protocol UAS, but this machine "
                                               "is told not to use it: one request at a time.")
                 : QT_TRANSLATE_NOOP("Health", "The case offers the faster protocol UAS, but the kernel "
                                               "uses the old one: one request at a time."),
         {}},
        {isAsked ? QT_TRANSLATE_NOOP("Health", "Somebody set usb-storage.quirks for it. If it was "
                                               "against resets, keep it; else remove it and plug the "
                                               "disk in again.")
                 : QT_TRANSLATE_NOOP("Health", "The kernel does so for cases whose UAS is known to fail. "
                                               "Another case is the cure; firmware of the maker may "
                                               "help."),
         {}},
        "driver = usb-storage" + (isAsked ? ", quirks = " + *quirks : std::string()),
        interface + "/driver, " + device + "/descriptors" + (isAsked ? ", " + place : std::string()));
}

} // namespace

void checkUsbLink(Subject &subject)
{
    const std::size_t at = subject.path.last(isUsbDevice);
    if (at == 0) {
        if (subject.disk.transport == "usb")
            subject.unknown("usb.speed",
                            {QT_TRANSLATE_NOOP("Health", "its USB link: the kernel does not show "
                                                         "where the drive hangs"),
                             {}});
        return;
    }
    const std::string device = subject.path.upTo(at);
    checkSpeed(subject, device);
    if (at < subject.path.segments().size() && subject.path.segments()[at].contains(':'))
        checkProtocol(subject, device, subject.path.upTo(at + 1));
}

} // namespace diskwright::health
