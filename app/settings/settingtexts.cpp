// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "texts.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <array>

namespace diskwright {

namespace {

using Words = std::span<const std::string_view>;

// Every spelling under which old articles, scripts and tools name a row.
constexpr std::array<std::string_view, 4> readExpire{"read_expire", "deadline read_expire",
                                                     "deadline/read_expire", "--iosched-read-expire"};
constexpr std::array<std::string_view, 4> requests{"nr_requests", "queue depth", "NRREQ",
                                                   "request queue size"};
constexpr std::array<std::string_view, 8> readAhead{"read_ahead_kb", "readahead", "read ahead",
                                                    "hdparm -a",     "-a1024",    "blockdev --setra",
                                                    "--setfra",      "READ_AHEAD"};
constexpr std::array<std::string_view, 9> scheduler{
    "scheduler", "elevator", "elevator=", "noop", "deadline", "cfq", "I/O scheduler", "DISK_IOSCHED", "sio"};
constexpr std::array<std::string_view, 4> backgroundBytes{
    "dirty_background_bytes", "vm.dirty_background_bytes", "pdflush", "background writeback"};
constexpr std::array<std::string_view, 4> backgroundRatio{
    "dirty_background_ratio", "vm.dirty_background_ratio", "pdflush", "background writeback"};
constexpr std::array<std::string_view, 4> bytes{"dirty_bytes", "vm.dirty_bytes", "write cache in memory",
                                                "USB copy freeze"};
constexpr std::array<std::string_view, 4> ratio{"dirty_ratio", "vm.dirty_ratio", "write cache in memory",
                                                "USB copy freeze"};

constexpr std::string_view queueDocument = "Documentation/ABI/stable/sysfs-block";
constexpr std::string_view vmDocument = "Documentation/admin-guide/sysctl/vm.rst";

constexpr auto texts = std::to_array<SettingText>({
    {.id = "iosched/mq-deadline/read_expire",
     .title = QT_TRANSLATE_NOOP("SettingText", "Read deadline"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How long a read may wait before it goes first."),
     .text = QT_TRANSLATE_NOOP("SettingText", "The mq-deadline scheduler sorts requests by their place on "
                                              "the disk, and serves a read out of turn once "
                                              "it has waited this long. Lower: programs that read feel "
                                              "quicker while something else keeps the disk "
                                              "busy; it shows as a lower 99th percentile of read latency "
                                              "under a mixed load. The cost is throughput, "
                                              "most of all on rotating disks, whose head then moves more. "
                                              "The kernel counts in its own ticks, so it may "
                                              "round the number."),
     .document = "Documentation/block/deadline-iosched.rst",
     .aliases = Words(readExpire),
     .benchmark = "scheduler"},
    {.id = "queue/nr_requests",
     .title = QT_TRANSLATE_NOOP("SettingText", "Requests in queue"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How many requests may wait for the disk at once."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Further writers must wait once so many requests are queued. Lower (16 to 64): reads find a shorter "
         "queue "
         "while something writes a lot, which shows as lower read latency on rotating disks and slow sticks. "
         "Higher: the scheduler can merge and sort more, which can raise throughput with many parallel "
         "streams. "
         "On fast NVMe disks it rarely matters. Changing the scheduler sets it anew."),
     .document = queueDocument,
     .aliases = Words(requests),
     .benchmark = "depth-sweep"},
    {.id = "queue/read_ahead_kb",
     .title = QT_TRANSLATE_NOOP("SettingText", "Read-ahead"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "How much the kernel reads beyond what a program asked for."),
     .text = QT_TRANSLATE_NOOP("SettingText", "When a file is read from front to back, the kernel fetches "
                                              "this much in advance. Higher (512 to 4096 KiB): "
                                              "faster copying and loading of large files from rotating disks "
                                              "and over USB, which shows as buffered "
                                              "sequential read throughput. Programs that jump about in files "
                                              "gain nothing; there, too much costs useless "
                                              "reading and pushes other data out of memory. Files that are "
                                              "already open may keep the old value. It has "
                                              "no effect on programs that bypass the cache."),
     .document = queueDocument,
     .aliases = Words(readAhead),
     .benchmark = "read-ahead"},
    {.id = "queue/scheduler",
     .title = QT_TRANSLATE_NOOP("SettingText", "I/O scheduler"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "Who decides which waiting request is served next."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "none passes requests on as they come and costs least: right for fast NVMe disks. mq-deadline sorts "
         "them "
         "and bounds the wait: a sound choice for SATA disks. kyber holds writes back to keep read latency "
         "at a "
         "target. bfq shares the disk fairly among programs and keeps a desktop responsive on rotating disks "
         "and "
         "sticks; its cost is processor time, which limits very fast disks. The difference shows as the "
         "latency of "
         "reads while another program writes. Changing it sets the requests in queue and all values of the "
         "scheduler anew. The old noop is called none since Linux 5.0; cfq and deadline are gone."),
     .document = "Documentation/block/switching-sched.rst",
     .aliases = Words(scheduler),
     .benchmark = "scheduler"},
    {.id = "vm/dirty_background_bytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "Start writing at (size)"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Unwritten data above which the kernel starts to write in the background."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "What programs write stays in memory first. Above this amount the kernel starts to write it out "
         "while the "
         "programs go on. Lower: writing starts earlier and is smoother, and less is lost in a crash. "
         "Higher: short "
         "bursts finish at the speed of memory, and files that are soon deleted are never written. A good "
         "value is "
         "what the slowest disk writes in half a second. 0 means that the percentage is in force; setting "
         "one of "
         "the two turns the other off. It shows in a storm of buffered writes, never with direct access."),
     .document = vmDocument,
     .aliases = Words(backgroundBytes),
     .benchmark = "write-storm"},
    {.id = "vm/dirty_background_ratio",
     .title = QT_TRANSLATE_NOOP("SettingText", "Start writing at (share of memory)"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText",
         "Share of available memory above which the kernel starts to write in the background."),
     .text = QT_TRANSLATE_NOOP("SettingText", "The same limit as a share of the memory that is available, "
                                              "not of all memory. On a machine with much "
                                              "memory even a few percent are gigabytes, which a slow disk "
                                              "needs minutes to write; then the size is the "
                                              "better way to say it. 0 means that the size is in force, or, "
                                              "if that is 0 too, that writing starts at "
                                              "once. Setting one of the two turns the other off."),
     .document = vmDocument,
     .aliases = Words(backgroundRatio),
     .benchmark = "write-storm"},
    {.id = "vm/dirty_bytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "Make writers wait at (size)"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "Unwritten data above which programs that write are slowed to the disk's pace."),
     .text = QT_TRANSLATE_NOOP("SettingText",
                               "Above this amount every program that writes must wait for the disk. Too "
                               "high: saving or unplugging takes "
                               "long, since all of it must be written first, and everything may freeze "
                               "meanwhile. Too low: programs write "
                               "at the speed of the disk. A good value is what the slowest disk writes in "
                               "two to three seconds. It shows "
                               "as the longest wait in a storm of buffered writes. 0 means that the "
                               "percentage is in force; setting one "
                               "of the two turns the other off. The limit is shared by all disks."),
     .document = vmDocument,
     .aliases = Words(bytes),
     .benchmark = "write-storm"},
    {.id = "vm/dirty_ratio",
     .title = QT_TRANSLATE_NOOP("SettingText", "Make writers wait at (share of memory)"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText",
         "Share of available memory above which programs that write are slowed to the disk's pace."),
     .text = QT_TRANSLATE_NOOP("SettingText", "The same limit as a share of the memory that is available, "
                                              "not of all memory. It should be higher than the "
                                              "share at which writing starts; otherwise the kernel starts "
                                              "writing at half of it. On a machine with much "
                                              "memory the size is the better way to say it. 0 means that the "
                                              "size is in force. Setting one of the two "
                                              "turns the other off."),
     .document = vmDocument,
     .aliases = Words(ratio),
     .benchmark = "write-storm"},
});

static_assert(std::ranges::is_sorted(texts, {}, &SettingText::id), "findText searches by halves");

} // namespace

std::span<const SettingText> settingTexts() noexcept
{
    return texts;
}

const SettingText *findText(std::string_view id) noexcept
{
    const auto found = std::ranges::lower_bound(texts, id, {}, &SettingText::id);
    return found != texts.end() && found->id == id ? &*found : nullptr;
}

} // namespace diskwright
