// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "textfamilies.h"

#include <QtCore/qttranslation.h>

#include <array>

namespace diskwright {

namespace {

using Words = std::span<const std::string_view>;
template <std::size_t N>
using Names = std::array<std::string_view, N>;

constexpr Names<4> maxBytes{"max_bytes", "bdi max_bytes", "USB copy freeze", "unwritten data of one disk"};
constexpr Names<4> maxRatio{"max_ratio", "bdi max_ratio", "bdi/max_ratio", "share of one disk"};
constexpr Names<3> maxRatioFine{"max_ratio_fine", "bdi max_ratio_fine", "bdi/max_ratio_fine"};
constexpr Names<3> strictLimit{"strict_limit", "strictlimit", "BDI_CAP_STRICTLIMIT"};

constexpr std::string_view bdiDocument = "Documentation/ABI/testing/sysfs-class-bdi";

constexpr auto texts = std::to_array<SettingText>({
    {.id = "bdi/max_bytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "Unwritten data of this disk (size)"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How much may wait in memory for this one disk, whatever others may."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The cure for a slow stick that freezes everything: 16 to 64 MB here, together with the strict "
         "limit, lets only the program that copies to it wait. Ejecting then takes seconds instead of "
         "minutes; that and the longest freeze in a write storm are what to measure. The cost: short copies "
         "to this disk no longer finish at the speed of memory. The kernel keeps it as a share of the common "
         "limit, so the number read back may differ a little and follows that limit when it changes."),
     .document = bdiDocument,
     .aliases = Words(maxBytes),
     .benchmark = "write-storm",
     .since = "6.2",
     .until = ""},
    {.id = "bdi/max_ratio",
     .title = QT_TRANSLATE_NOOP("SettingText", "Unwritten data of this disk (share)"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "Share of all unwritten data that may wait for this one disk."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "100 lets the disk take all of it, in proportion to its speed. Lower keeps a disk that may get "
         "stuck from filling the memory for everybody: while it is slow, writes to other disks keep their "
         "throughput, which is what to measure with two copies at once. The cost is buffering for the disk "
         "itself. Below the common start of background writing it only acts together with the strict "
         "limit."),
     .document = bdiDocument,
     .aliases = Words(maxRatio),
     .benchmark = "write-storm",
     .since = "",
     .until = ""},
    {.id = "bdi/max_ratio_fine",
     .title = QT_TRANSLATE_NOOP("SettingText", "Unwritten data of this disk (millionths)"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "The same share in millionths, as the kernel stores it."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "On a machine with much memory one percent is still more than a slow stick writes in a minute. "
         "This number says it finely: 1 000 are a tenth of a percent. Size and percentage are two other "
         "views of it, and setting one sets them all. The effect is theirs too: shorter freezes and quicker "
         "ejecting, seen in a write storm, for less buffering of that disk. Use the size unless a share is "
         "what you want to keep."),
     .document = bdiDocument,
     .aliases = Words(maxRatioFine),
     .benchmark = "write-storm",
     .since = "6.2",
     .until = ""},
    {.id = "bdi/strict_limit",
     .title = QT_TRANSLATE_NOOP("SettingText", "Strict limit for this disk"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "Whether the limits of this disk count at all times, not only when memory is full."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "0: the kernel looks at a disk's own limit only once the common start of background writing is "
         "passed. 1: from the first byte on. It shows as unwritten memory that stays at the disk's limit "
         "during a copy, and as a short wait at ejecting. Without a limit of its own (share 100) it does "
         "nothing. The cost is that writers to this disk are slowed early, even on an idle machine."),
     .document = bdiDocument,
     .aliases = Words(strictLimit),
     .benchmark = "write-storm",
     .since = "6.2",
     .until = ""},
});

} // namespace

std::span<const SettingText> bdiTexts() noexcept
{
    return texts;
}

} // namespace diskwright
