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

constexpr Names<3> compaction{"compaction_proactiveness", "memory compaction", "huge page latency"};
constexpr Names<4> backgroundBytes{"dirty_background_bytes", "background writeback", "flusher start",
                                   "unwritten data"};
constexpr Names<4> backgroundRatio{"dirty_background_ratio", "background writeback", "flusher start",
                                   "unwritten data"};
constexpr Names<3> bytes{"dirty_bytes", "write cache in memory", "USB copy freeze"};
constexpr Names<5> expire{"dirty_expire_centisecs", "dirty_expire", "age of dirty data", "kupdate age",
                          "MAX_LOST_WORK_SECS"};
constexpr Names<3> ratio{"dirty_ratio", "write cache in memory", "USB copy freeze"};
constexpr Names<5> writeback{"dirty_writeback_centisecs", "dirty_writeback", "flusher interval",
                             "kupdate interval", "powertop VM writeback timeout"};
constexpr Names<3> dirtytime{"dirtytime_expire_seconds", "lazytime", "timestamps"};
constexpr Names<4> laptop{"laptop_mode", "laptop mode", "laptop-mode-tools", "spin-down batching"};
constexpr Names<3> minFree{"min_free_kbytes", "free memory reserve", "watermark"};
constexpr Names<4> pageCluster{"page-cluster", "page_cluster", "swap readahead", "swap read-ahead"};
constexpr Names<3> swappiness{"swappiness", "swap tendency", "swapping"};
constexpr Names<4> cachePressure{"vfs_cache_pressure", "cache pressure", "dentries", "inode cache"};
constexpr Names<3> boost{"watermark_boost_factor", "watermark boost", "fragmentation"};
constexpr Names<4> scale{"watermark_scale_factor", "kswapd", "watermark scale", "reclaim stalls"};

constexpr std::string_view vmDocument = "Documentation/admin-guide/sysctl/vm.rst";

constexpr auto texts = std::to_array<SettingText>({
    {.id = "vm/compaction_proactiveness",
     .title = QT_TRANSLATE_NOOP("SettingText", "Tidying of memory in advance"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How hard the kernel works in the background to keep large pieces free."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Programs that use huge pages find them sooner if memory is moved together in advance. 0 turns "
         "this off: short pauses while the machine is busy become rarer, which shows as the highest latency "
         "of a quiet reader. The cost is that huge pages are found more slowly or not at all. Higher than 20 "
         "costs processor time all the while. Writing any number but 0 makes the kernel tidy up once at "
         "once."),
     .document = vmDocument,
     .aliases = Words(compaction),
     .benchmark = "",
     .since = "5.9",
     .until = ""},
    {.id = "vm/dirty_background_bytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "Start writing at (size)"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Unwritten data above which the kernel starts to write in the background."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "What programs write stays in memory first. Above this amount the kernel starts to write it out "
         "while the programs go on. Lower: writing starts earlier and is smoother, and less is lost in a "
         "crash. Higher: short bursts finish at the speed of memory, and files that are soon deleted are "
         "never written. A good value is what the slowest disk writes in half a second. 0 means that the "
         "percentage is in force; setting one of the two turns the other off. It shows in a storm of "
         "buffered writes, never with direct access."),
     .document = vmDocument,
     .aliases = Words(backgroundBytes),
     .benchmark = "write-storm",
     .since = "2.6.29",
     .until = ""},
    {.id = "vm/dirty_background_ratio",
     .title = QT_TRANSLATE_NOOP("SettingText", "Start writing at (share of memory)"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText",
         "Share of available memory above which the kernel starts to write in the background."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The same limit as a share of the memory that is available, not of all memory. On a machine with "
         "much memory even a few percent are gigabytes, which a slow disk needs minutes to write; then the "
         "size is the better way to say it. 0 means that the size is in force, or, if that is 0 too, that "
         "writing starts at once. Setting one of the two turns the other off. A lower share shows as shorter "
         "stalls in a storm of buffered writes; its cost is that short bursts reach the disk sooner."),
     .document = vmDocument,
     .aliases = Words(backgroundRatio),
     .benchmark = "write-storm",
     .since = "",
     .until = ""},
    {.id = "vm/dirty_bytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "Make writers wait at (size)"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "Unwritten data above which programs that write are slowed to the disk's pace."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Above this amount every program that writes must wait for the disk. Too high: saving or unplugging "
         "takes long, since all of it must be written first, and everything may freeze meanwhile. Too low: "
         "programs write at the speed of the disk. A good value is what the slowest disk writes in two to "
         "three seconds. It shows as the longest wait in a storm of buffered writes. 0 means that the "
         "percentage is in force; setting one of the two turns the other off. The limit is shared by all "
         "disks."),
     .document = vmDocument,
     .aliases = Words(bytes),
     .benchmark = "write-storm",
     .since = "2.6.29",
     .until = ""},
    {.id = "vm/dirty_expire_centisecs",
     .title = QT_TRANSLATE_NOOP("SettingText", "Age at which data must be written"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "How old unwritten data may get; 3000 are the usual 30 seconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Data older than this is written the next time the kernel looks, and how often it looks is the "
         "other setting, the interval. Higher: a file that is deleted or overwritten meanwhile is never "
         "written, and a laptop's disk can rest longer, which shows as fewer bytes written and fewer "
         "spin-ups. The cost: after a crash or power cut that much more work is missing. Lower: less is "
         "lost, and the disk writes more often."),
     .document = vmDocument,
     .aliases = Words(expire),
     .benchmark = "write-storm",
     .since = "",
     .until = ""},
    {.id = "vm/dirty_ratio",
     .title = QT_TRANSLATE_NOOP("SettingText", "Make writers wait at (share of memory)"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText",
         "Share of available memory above which programs that write are slowed to the disk's pace."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The same limit as a share of the memory that is available, not of all memory. It should be higher "
         "than the share at which writing starts; otherwise the kernel starts writing at half of it. On a "
         "machine with much memory the size is the better way to say it. 0 means that the size is in force. "
         "Setting one of the two turns the other off. A lower share shows as a shorter longest wait during "
         "and after a large copy; its cost is that the copying program is slowed sooner."),
     .document = vmDocument,
     .aliases = Words(ratio),
     .benchmark = "write-storm",
     .since = "",
     .until = ""},
    {.id = "vm/dirty_writeback_centisecs",
     .title = QT_TRANSLATE_NOOP("SettingText", "Interval of looking for old data"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How often the kernel wakes to write old data; 500 are the usual 5 seconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Each time it writes what has become too old, and what is too old is the other setting, the age. "
         "Higher (1500): the disk and the processor are left alone longer, which shows as fewer wake-ups and "
         "spin-ups on a laptop; tools for saving power set it. The cost: data may get older by that much "
         "before it is safe. 0 stops the regular writing altogether; then only the limits and programs that "
         "ask for it cause any."),
     .document = vmDocument,
     .aliases = Words(writeback),
     .benchmark = "write-storm",
     .since = "",
     .until = ""},
    {.id = "vm/dirtytime_expire_seconds",
     .title = QT_TRANSLATE_NOOP("SettingText", "Age of unwritten timestamps"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How long times of access may stay in memory on file systems with lazytime."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Only file systems mounted with lazytime keep timestamps back; for others it does nothing. The "
         "usual 43 200 s are twelve hours. Higher saves a few small writes, which shows as fewer writes on "
         "an idle machine that reads a lot. The cost: after a crash timestamps are older by as much. No "
         "data is at stake."),
     .document = vmDocument,
     .aliases = Words(dirtytime),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "vm/laptop_mode",
     .title = QT_TRANSLATE_NOOP("SettingText", "Laptop mode"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "Seconds after a read at which waiting writes are sent too, while the disk turns."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "When a sleeping disk had to wake for a read, the kernel used the moment to write everything that "
         "waited, so that the disk could sleep on afterwards. It shows as fewer spin-ups an hour on a "
         "rotating disk, and only together with a long age of unwritten data; solid state disks gain "
         "nothing. The cost is more work lost in a crash. From Linux 7.0 on the number is accepted and does "
         "nothing."),
     .document = "Documentation/admin-guide/laptops/laptop-mode.rst",
     .aliases = Words(laptop),
     .benchmark = "",
     .since = "",
     .until = "6.19"},
    {.id = "vm/min_free_kbytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "Memory always kept free"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "The reserve that the kernel defends so that it can go on working."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "If many pages are needed at once, as during heavy disk work, a larger reserve keeps programs from "
         "having to free memory themselves: fewer stalls, which show as the longest wait of a small reader "
         "during a large copy. The cost is that much memory for caches. Far too little makes the machine "
         "hang under load, far too much makes it end programs, so it is offered from what the kernel's "
         "formula gives for this memory, before huge pages add to it, to four times what the kernel chose, "
         "but "
         "not above a twentieth of the memory unless the kernel itself chose more. Try the earlier waking of "
         "reclaim first: it is the safer way."),
     .document = vmDocument,
     .aliases = Words(minFree),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "vm/page-cluster",
     .title = QT_TRANSLATE_NOOP("SettingText", "Read-ahead from swap"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How many pages come back from swap at once, as a power of two: 3 means 8 pages."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "A rotating disk reads neighbours almost for free, so 3 is right there. With swap in compressed "
         "memory (zram) or on a solid state disk, 0 brings back only what is needed: the first reaction of a "
         "program that was swapped out gets quicker and less memory is pushed out in turn. It shows as time "
         "until a swapped-out program answers. The cost on a rotating disk is a head movement a page."),
     .document = vmDocument,
     .aliases = Words(pageCluster),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "vm/swappiness",
     .title = QT_TRANSLATE_NOOP("SettingText", "Swap or shrink caches"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "What the kernel gives up first when memory is short: programs or file cache."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "It states what reading back from swap costs against reading a file again: 100 is equal, 60 is "
         "usual. Lower (10 to 30): programs stay in memory and the file cache shrinks first, which feels "
         "better with swap on a rotating disk. Higher (100 to 180): right where swap is faster than the "
         "disk, as compressed memory is. It shows as time until a program answers after a large copy. 0 does "
         "not turn swap off; it waits until memory is nearly used up. Values above 100 are taken since Linux "
         "5.8."),
     .document = vmDocument,
     .aliases = Words(swappiness),
     .benchmark = "app-start",
     .since = "",
     .until = ""},
    {.id = "vm/vfs_cache_pressure",
     .title = QT_TRANSLATE_NOOP("SettingText", "Give up names or contents of files"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How readily the kernel forgets directory entries, compared with file contents."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "100 treats both alike. Lower (50): searching and listing many files again is quicker because "
         "their names and attributes stay in memory, which shows in the second walk through a large folder. "
         "The cost is memory for file contents and programs. Very small values can use up all memory and "
         "very large ones cost processor time, so 1 to 1000 are offered."),
     .document = vmDocument,
     .aliases = Words(cachePressure),
     .benchmark = "small-files",
     .since = "",
     .until = ""},
    {.id = "vm/watermark_boost_factor",
     .title = QT_TRANSLATE_NOOP("SettingText", "Extra reclaim against fragmentation"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How much more memory is freed for a while after large pieces became scarce."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "In ten thousandths of the high watermark, the free memory at which reclaim rests; the usual 15 000 "
         "free up to one and a half times as much as that. 0 avoids the sudden "
         "bursts in which caches are thrown out, which show as dips in a long buffered read. The cost is "
         "that memory becomes more scattered over days and huge pages rarer."),
     .document = vmDocument,
     .aliases = Words(boost),
     .benchmark = "",
     .since = "5.0",
     .until = ""},
    {.id = "vm/watermark_scale_factor",
     .title = QT_TRANSLATE_NOOP("SettingText", "Earlier waking of reclaim"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How far before the end of free memory the kernel starts to free some."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "In ten thousandths of the memory; the usual 10 are a thousandth. Higher (50 to 200): memory is "
         "freed in the background before anybody has to wait for it, so fewer programs stall when a copy "
         "fills the cache, which shows as the longest wait of a reader in a write storm. The cost is that "
         "share of memory, kept free. It is the safe alternative to a larger reserve."),
     .document = vmDocument,
     .aliases = Words(scale),
     .benchmark = "write-storm",
     .since = "4.6",
     .until = ""},
});

} // namespace

std::span<const SettingText> vmTexts() noexcept
{
    return texts;
}

} // namespace diskwright
