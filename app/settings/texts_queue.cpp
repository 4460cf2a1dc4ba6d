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

// Every spelling under which old articles, scripts and tools name a row.
constexpr Names<3> addRandom{"add_random", "entropy", "random pool"};
constexpr Names<3> asyncDepth{"async_depth", "asynchronous depth", "write tags"};
constexpr Names<4> discardMax{"discard_max_bytes", "trim size", "discard size", "DISCARD-MAX"};
constexpr Names<4> iostats{"iostats", "iostat", "disk statistics", "accounting"};
constexpr Names<5> maxSectors{"max_sectors_kb", "max_sectors", "request size", "max_kb_per_request",
                              "transfer size"};
constexpr Names<3> noMerges{"nomerges", "merging", "request merging"};
constexpr Names<4> requests{"nr_requests", "queue size", "NRREQ", "request queue size"};
constexpr Names<5> queueDepth{"queue_depth", "NCQ", "hdparm -Q", "tagged command queueing", "TCQ"};
constexpr Names<8> readAhead{"read_ahead_kb",    "readahead", "read ahead",      "hdparm -a",
                             "blockdev --setra", "--setfra",  "read_ahead_sect", "READ_AHEAD"};
constexpr Names<4> rotational{"rotational", "spinning", "rota", "hard disk or SSD"};
constexpr Names<4> rqAffinity{"rq_affinity", "completion processor", "interrupt affinity", "IPI"};
constexpr Names<5> scheduler{"scheduler", "elevator", "I/O scheduler", "iosched", "DISK_IOSCHED"};
constexpr Names<4> wbtLat{"wbt_lat_usec", "wbt", "writeback throttling", "write-back throttling"};

constexpr std::string_view queueDocument = "Documentation/ABI/stable/sysfs-block";

constexpr auto texts = std::to_array<SettingText>({
    {.id = "queue/add_random",
     .title = QT_TRANSLATE_NOOP("SettingText", "Feed the random pool"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Whether the moments at which requests end help to make random numbers."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "1: the kernel mixes the time at which each request ends into its pool of random numbers. It cost "
         "processor time that mattered at hundreds of thousands of requests a second; today's kernels have "
         "better sources, so 0 saves next to nothing and costs nothing on a machine with a modern "
         "processor. Old articles recommend 0 for solid state disks. No test here shows a difference; look "
         "at processor time a request if you want to try."),
     .document = queueDocument,
     .aliases = Words(addRandom),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "queue/async_depth",
     .title = QT_TRANSLATE_NOOP("SettingText", "Share of the queue for writes"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How many places of the queue writes and other unhurried requests may fill."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "What is left of the queue stays free for reads and for writes that somebody waits for. Lower (a "
         "quarter to a half of the requests in queue): a read finds a free place during a storm of writes, "
         "which shows as a lower 99th percentile of read latency. The cost is the speed of large copies, "
         "since the disk sees fewer writes at once. It can't exceed the requests in queue, and a change of "
         "scheduler sets it anew. Earlier kernels have it among the values of mq-deadline."),
     .document = queueDocument,
     .aliases = Words(asyncDepth),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "queue/discard_max_bytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "Largest trim"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How much freed space the disk is told to forget with one request."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Some disks answer nothing else while they work on a large trim. Smaller pieces (64 to 256 MiB) let "
         "other requests in between, which shows as a shorter longest wait while fstrim runs or files are "
         "deleted on a file system with discard. The cost is that trimming as a whole takes longer. 0 turns "
         "trim "
         "off, which lets a solid state disk become slower as it fills up. The limit of the disk itself is "
         "discard_max_hw_bytes."),
     .document = queueDocument,
     .aliases = Words(discardMax),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "queue/iostats",
     .title = QT_TRANSLATE_NOOP("SettingText", "Disk statistics"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "Whether the kernel counts requests, bytes and waiting time."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "iostat, system monitors and the live charts of this program read these counters. Turning them off "
         "saves one to two percent of processor time at millions of requests a second and nothing that "
         "could be measured below. The cost: all these programs show nothing more for this disk, and a "
         "measurement can't be checked against the kernel's own count."),
     .document = queueDocument,
     .aliases = Words(iostats),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "queue/max_sectors_kb",
     .title = QT_TRANSLATE_NOOP("SettingText", "Largest request"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "Above this size a read or write is cut into several."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Higher (1024 KiB and more): fewer, larger requests, which shows as sequential throughput of "
         "rotating disks, RAID and USB 3. Lower (128 to 256 KiB): one request can't occupy a slow disk for "
         "long, so the longest wait of other reads goes down, at the price of sequential speed. The limit of "
         "disk and driver is max_hw_sectors_kb. Too large a value has made some USB bridges fail; the "
         "kernel's own choice is safe."),
     .document = queueDocument,
     .aliases = Words(maxSectors),
     .benchmark = "buffer-sweep",
     .since = "",
     .until = ""},
    {.id = "queue/nomerges",
     .title = QT_TRANSLATE_NOOP("SettingText", "Merging of neighbours"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Whether requests for adjoining places become one: 0 yes, 1 simply, 2 no."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "0 looks thoroughly for a neighbour, 1 only at the last request, 2 not at all. With purely random "
         "access the search always fails: 2 then saves processor time a request, which shows above about "
         "500 000 requests a second on NVMe disks. On rotating disks and everything slow it costs much: "
         "small sequential reads and writes reach the disk one by one."),
     .document = queueDocument,
     .aliases = Words(noMerges),
     .benchmark = "rnd4k-q32t16-read",
     .since = "",
     .until = ""},
    {.id = "queue/nr_requests",
     .title = QT_TRANSLATE_NOOP("SettingText", "Requests in queue"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How many requests may wait for the disk at once."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Further writers must wait once so many requests are queued. Lower (16 to 64): reads find a shorter "
         "queue while something writes a lot, which shows as lower read latency on rotating disks and slow "
         "sticks. Higher: the scheduler can merge and sort more, which can raise throughput with many "
         "parallel streams. On fast NVMe disks it rarely matters. Changing the scheduler sets it anew."),
     .document = queueDocument,
     .aliases = Words(requests),
     .benchmark = "depth-sweep",
     .since = "",
     .until = ""},
    {.id = "queue/queue_depth",
     .title = QT_TRANSLATE_NOOP("SettingText", "Commands inside the disk"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How many commands a SATA or SCSI disk is given at once to order by itself."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "This is the depth of NCQ: 32 for a SATA disk, 1 turns it off. With 1 the kernel's scheduler "
         "decides alone, which can make bfq fairer on a rotating disk, and it is the known cure for disks "
         "whose NCQ is broken. The cost shows in random reads at depth 32: a rotating disk loses a part of "
         "them, a solid state disk most. It is not the kernel's own waiting line, which is requests in "
         "queue."),
     .document = "Documentation/scsi/scsi_mid_low_api.rst",
     .aliases = Words(queueDepth),
     .benchmark = "depth-sweep",
     .since = "",
     .until = ""},
    {.id = "queue/read_ahead_kb",
     .title = QT_TRANSLATE_NOOP("SettingText", "Read-ahead"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "How much the kernel reads beyond what a program asked for."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "When a file is read from front to back, the kernel fetches this much in advance. Higher (512 to "
         "4096 KiB): faster copying and loading of large files from rotating disks and over USB, which shows "
         "as buffered sequential read throughput. Programs that jump about in files gain nothing; there, too "
         "much costs useless reading and pushes other data out of memory. Files that are already open may "
         "keep the old value. It has no effect on programs that bypass the cache."),
     .document = queueDocument,
     .aliases = Words(readAhead),
     .benchmark = "read-ahead",
     .since = "",
     .until = ""},
    {.id = "queue/rotational",
     .title = QT_TRANSLATE_NOOP("SettingText", "Treat as rotating"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Whether the kernel takes the disk for one with a head that must move."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The disk says so itself; USB adapters and virtual machines often say it wrongly. bfq, write-back "
         "throttling, swap and some file systems follow it, so the right answer makes their own choices fit. "
         "Correct it only if it is wrong: a solid state disk marked as rotating waits for a head that it "
         "does not have, which shows as fewer random reads under bfq. Setting 1 also raises the read-ahead, "
         "and setting it back does not lower that again. btrfs asks only when it is mounted."),
     .document = queueDocument,
     .aliases = Words(rotational),
     .benchmark = "rnd4k-q32t1-read",
     .since = "",
     .until = ""},
    {.id = "queue/rq_affinity",
     .title = QT_TRANSLATE_NOOP("SettingText", "Where requests are finished"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Which processor does the work after the disk has answered: 0, 1 or 2."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "0: the one that was interrupted; cheap, but one processor may become the bottleneck. 1: one that "
         "shares a cache with the program that asked. 2: exactly the one that asked, which spreads the load "
         "best at the price of a message between processors for each request. The difference shows in "
         "requests a second and processor time of random reads at great depth "
         "on disks with few interrupts; below some 100 000 requests a second there is none."),
     .document = queueDocument,
     .aliases = Words(rqAffinity),
     .benchmark = "rnd4k-q32t16-read",
     .since = "",
     .until = ""},
    {.id = "queue/scheduler",
     .title = QT_TRANSLATE_NOOP("SettingText", "I/O scheduler"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "Who decides which waiting request is served next."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "none passes requests on as they come and costs least: right for fast NVMe disks. mq-deadline sorts "
         "them and bounds the wait: a sound choice for SATA disks. kyber holds writes back to keep read "
         "latency at a target. bfq shares the disk fairly among programs and keeps a desktop responsive on "
         "rotating disks and sticks; its cost is processor time, which limits very fast disks. The "
         "difference shows as the latency of reads while another program writes. Changing it sets the "
         "requests in queue and all values of the scheduler anew. Of the old ones, none took the place of "
         "noop, bfq that of cfq, and mq-deadline that of deadline."),
     .document = "Documentation/block/switching-sched.rst",
     .aliases = Words(scheduler),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "queue/wbt_lat_usec",
     .title = QT_TRANSLATE_NOOP("SettingText", "Write-back throttling"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "Buffered writes are held back while reads take longer than this; 0 never."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The kernel watches the quickest read of each tenth of a second. Lower: programs start and react "
         "sooner while something copies, which shows as read latency during a storm of buffered writes. "
         "Higher or 0: the copy itself is faster. It does nothing to direct access. bfq does this work "
         "itself and usually has it off. The kernel's own choice, 2 000 us for solid state and 75 000 us for "
         "rotating disks, comes back with -1 in the file, which it then shows as that number."),
     .document = queueDocument,
     .aliases = Words(wbtLat),
     .benchmark = "write-storm",
     .since = "4.10",
     .until = ""},
});

} // namespace

std::span<const SettingText> queueTexts() noexcept
{
    return texts;
}

} // namespace diskwright
