// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <array>

// Documentation/ABI/testing/sysfs-bus-pci. The kernel reads these registers from the device, and newer
// kernels power it up for that: of one that is switched off they are not read.
namespace diskwright::health {

namespace {

/// One end of a link, in hundredths of GT/s and lanes; 0 where unknown.
struct End {
    std::int64_t speed = 0;
    std::int64_t lanes = 0;
};

std::int64_t speedOf(const std::optional<std::string> &text)
{
    // "16.0 GT/s PCIe", "2.5 GT/s"
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> known{
        {{"2.5", 250}, {"5.0", 500}, {"8.0", 800}, {"16.0", 1600}, {"32.0", 3200}, {"64.0", 6400}}};
    for (const auto &[word, value] : known) {
        if (text && text->starts_with(std::string(word) + " GT/s"))
            return value;
    }
    return 0;
}

End readEnd(const Subject &subject, const std::string &function, const std::string &prefix)
{
    const std::int64_t lanes = subject.number(function + '/' + prefix + "_link_width").value_or(0);
    return {speedOf(subject.word(function + '/' + prefix + "_link_speed")),
            lanes > 0 && lanes <= 32 ? lanes : 0};
}

std::string textOf(const End &end)
{
    const std::int64_t tenths = end.speed / 10;
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " GT/s x" +
           std::to_string(end.lanes);
}

/// What the link carries, before the protocol's own share: 8b/10b below 8 GT/s, 128b/130b from there.
Bytes rateOf(const End &end)
{
    const double bits = static_cast<double>(end.speed) * 1e7 * (end.speed < 800 ? 0.8 : 128.0 / 130.0);
    return {static_cast<std::uint64_t>(bits / 8 * static_cast<double>(end.lanes))};
}

void compare(Subject &subject, const std::string &function, const std::string &port)
{
    const End now = readEnd(subject, function, "current");
    const End able = readEnd(subject, function, "max");
    const End slot = port.empty() ? End{} : readEnd(subject, port, "max");
    if (now.speed == 0 || now.lanes == 0) {
        subject.nothingIn("pcie.link",
                          QT_TRANSLATE_NOOP("Health", "the speed of the PCIe link: nothing usable in %1"),
                          function + "/current_link_speed, current_link_width");
        return;
    }
    subject.fact("pcie.link", textOf(now), function + "/current_link_speed, current_link_width");
    if (able.speed == 0 || able.lanes == 0) {
        subject.nothingIn(
            "pcie.drive",
            QT_TRANSLATE_NOOP("Health", "which PCIe link the drive can use: nothing usable in %1"),
            function + "/max_link_speed, max_link_width");
        return;
    }
    subject.fact("pcie.drive", textOf(able), function + "/max_link_speed, max_link_width");
    std::string numbers = "link: " + textOf(now) + ", drive: " + textOf(able);
    if (slot.speed != 0 && slot.lanes != 0) {
        subject.fact("pcie.slot", textOf(slot), port + "/max_link_speed, max_link_width");
        numbers += ", slot: " + textOf(slot);
    } else if (!port.empty()) {
        subject.nothingIn(
            "pcie.slot",
            QT_TRANSLATE_NOOP("Health", "which PCIe link the slot can give: nothing usable in %1"),
            port + "/max_link_speed, max_link_width");
    }
    if (now.speed >= able.speed && now.lanes >= able.lanes)
        return;
    const std::string sources = function + "/current_link_*, " + function + "/max_link_*" +
                                (port.empty() ? "" : ", " + port + "/max_link_*");
    const bool slotIsWhy = slot.speed != 0 && slot.lanes != 0 &&
                           now.speed >= std::min(able.speed, slot.speed) &&
                           now.lanes >= std::min(able.lanes, slot.lanes);
    if (slotIsWhy)
        subject.finding(
            "pcie-slot-slow", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The slot gives the drive %1; it could use %2. That limits it to "
                                         "about %3 a second."),
             {textOf(now), textOf(able), rateOf(now)}},
            {QT_TRANSLATE_NOOP("Health", "Move the drive to a slot with more lanes or a newer "
                                         "generation; the mainboard's manual lists them. It matters for "
                                         "large copies, hardly for daily work."),
             {}},
            numbers, sources);
    else
        subject.finding(
            "pcie-link-low", Severity::Slow,
            {slot.speed != 0
                 ? QT_TRANSLATE_NOOP("Health", "The PCIe link runs at %1 though drive and slot can do more "
                                               "(drive: %2). That limits it to about %3 a second.")
                 : QT_TRANSLATE_NOOP("Health", "The PCIe link runs at %1; the drive can do %2. That "
                                               "limits it to about %3 a second."),
             {textOf(now), textOf(able), rateOf(now)}},
            {QT_TRANSLATE_NOOP("Health", "Switch off, take the drive out and seat it again; check "
                                         "adapters and risers, and the firmware's setting for the "
                                         "slot's PCIe generation."),
             {}},
            numbers, sources);
}

} // namespace

void checkPcieLink(Subject &subject)
{
    if (subject.disk.transport != "nvme")
        return;
    bool isPcie = false;
    for (const DevicePath &controller : subject.controllers()) {
        const std::size_t at = controller.last(isPciFunction);
        if (at == 0)
            continue;
        isPcie = true;
        if (subject.isAsleep() ||
            subject.word(controller.upTo(at) + "/power/runtime_status") == "suspended") {
            subject.unknown("pcie.link",
                            {QT_TRANSLATE_NOOP("Health", "the PCIe link: the drive is switched off to save "
                                                         "power, and asking would wake it"),
                             {}});
            continue;
        }
        const std::size_t port = controller.last(isPciFunction, at - 1);
        compare(subject, controller.upTo(at), port != 0 ? controller.upTo(port) : std::string());
    }
    if (!isPcie)
        subject.unknown("pcie.link",
                        {QT_TRANSLATE_NOOP("Health", "the PCIe link: the kernel shows no PCIe device for "
                                                     "this drive (%1)"),
                         {'/' + subject.path.text()}});
}

} // namespace diskwright::health
