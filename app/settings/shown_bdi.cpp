// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shownfamilies.h"

#include <QtCore/qttranslation.h>

#include <array>

namespace diskwright {

namespace {

constexpr std::string_view bdiDocument = "Documentation/ABI/testing/sysfs-class-bdi";
constexpr std::string_view factOfDisk = QT_TRANSLATE_NOOP(
    "ShownSetting", "It is a fact of the disk and its driver; the kernel lets nobody set it.");

constexpr auto entries = std::to_array<ShownSetting>({
    {.id = "bdi/min_bytes",
     .title = QT_TRANSLATE_NOOP("ShownSetting", "Unwritten data granted to this disk (size)"),
     .text = QT_TRANSLATE_NOOP("ShownSetting", "How much of the common limit this disk always gets."),
     .why = QT_TRANSLATE_NOOP("ShownSetting",
                              "It is not set here: what one disk is granted is taken from all others."),
     .document = bdiDocument,
     .unit = Unit::Bytes},
    {.id = "bdi/min_ratio",
     .title = QT_TRANSLATE_NOOP("ShownSetting", "Unwritten data granted to this disk (share)"),
     .text = QT_TRANSLATE_NOOP("ShownSetting", "The share of the common limit that this disk always gets."),
     .why = QT_TRANSLATE_NOOP("ShownSetting",
                              "It is not set here: what one disk is granted is taken from all others."),
     .document = bdiDocument,
     .unit = Unit::Percent},
    {.id = "bdi/min_ratio_fine",
     .title = QT_TRANSLATE_NOOP("ShownSetting", "Unwritten data granted to this disk (millionths)"),
     .text = QT_TRANSLATE_NOOP("ShownSetting", "The granted share in millionths."),
     .why = QT_TRANSLATE_NOOP("ShownSetting",
                              "It is not set here: what one disk is granted is taken from all others."),
     .document = bdiDocument,
     .unit = Unit::Count},
    {.id = "bdi/read_ahead_kb",
     .title = QT_TRANSLATE_NOOP("ShownSetting", "Read-ahead of the disk's cache"),
     .text = QT_TRANSLATE_NOOP("ShownSetting", "The same number as the read-ahead of the queue."),
     .why = QT_TRANSLATE_NOOP("ShownSetting", "It is the read-ahead of the queue, and set there."),
     .document = bdiDocument,
     .unit = Unit::KiB},
    {.id = "bdi/stable_pages_required",
     .title = QT_TRANSLATE_NOOP("ShownSetting", "Memory stays unchanged while written"),
     .text = QT_TRANSLATE_NOOP("ShownSetting",
                               "1: the disk needs data in memory to stay as it is until it is written."),
     .why = factOfDisk,
     .document = bdiDocument,
     .unit = Unit::None},
});

} // namespace

std::span<const ShownSetting> shownOfBdi() noexcept
{
    return entries;
}

} // namespace diskwright
