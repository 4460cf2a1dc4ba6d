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

constexpr Names<3> backSeekMax{"back_seek_max", "bfq/back_seek_max", "cfq back_seek_max"};
constexpr Names<3> backSeekPenalty{"back_seek_penalty", "bfq/back_seek_penalty", "cfq back_seek_penalty"};
constexpr Names<3> fifoExpireAsync{"fifo_expire_async", "bfq/fifo_expire_async", "cfq fifo_expire_async"};
constexpr Names<3> fifoExpireSync{"fifo_expire_sync", "bfq/fifo_expire_sync", "cfq fifo_expire_sync"};
constexpr Names<3> lowLatency{"low_latency", "bfq/low_latency", "cfq low_latency"};
constexpr Names<2> maxBudget{"max_budget", "bfq/max_budget"};
constexpr Names<3> sliceIdle{"slice_idle", "bfq/slice_idle", "cfq slice_idle"};
constexpr Names<3> sliceIdleUs{"slice_idle_us", "bfq/slice_idle_us", "cfq slice_idle_us"};
constexpr Names<2> strictGuarantees{"strict_guarantees", "bfq/strict_guarantees"};
constexpr Names<2> timeoutSync{"timeout_sync", "bfq/timeout_sync"};
constexpr Names<2> readLatency{"read_lat_nsec", "kyber/read_lat_nsec"};
constexpr Names<2> writeLatency{"write_lat_nsec", "kyber/write_lat_nsec"};
constexpr Names<3> deadlineDepth{"async_depth", "mq-deadline/async_depth", "deadline/async_depth"};
constexpr Names<4> fifoBatch{"fifo_batch", "mq-deadline/fifo_batch", "deadline/fifo_batch",
                             "deadline fifo_batch"};
constexpr Names<4> frontMerges{"front_merges", "mq-deadline/front_merges", "deadline/front_merges",
                               "deadline front_merges"};
constexpr Names<2> prioAging{"prio_aging_expire", "mq-deadline/prio_aging_expire"};
constexpr Names<5> readExpire{"read_expire", "mq-deadline/read_expire", "deadline/read_expire",
                              "deadline read_expire", "--iosched-read-expire"};
constexpr Names<4> writeExpire{"write_expire", "mq-deadline/write_expire", "deadline/write_expire",
                               "deadline write_expire"};
constexpr Names<4> writesStarved{"writes_starved", "mq-deadline/writes_starved", "deadline/writes_starved",
                                 "deadline writes_starved"};

constexpr std::string_view bfqDocument = "Documentation/block/bfq-iosched.rst";
constexpr std::string_view deadlineDocument = "Documentation/block/deadline-iosched.rst";
constexpr std::string_view kyberDocument = "Documentation/block/kyber-iosched.rst";

constexpr auto texts = std::to_array<SettingText>({
    {.id = "iosched/bfq/back_seek_max",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: longest way back"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How far behind the head a request may lie and still count as near."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "bfq serves the nearest request first and looks ahead and, up to this distance, back. It comes from "
         "cfq. A smaller distance keeps a rotating disk's head moving one way, which could show in "
         "throughput of several readers; nobody has reported a gain. Too small costs the requests just "
         "behind the head a whole turn. Solid state disks have no head, so nothing changes there."),
     .document = bfqDocument,
     .aliases = Words(backSeekMax),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/back_seek_penalty",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: price of going back"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "How many times dearer a way back counts than the same way ahead."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "With 2, a request behind the head is chosen only if it is less than half as far as the one ahead. "
         "Higher favours one direction, 1 treats both alike. It matters on rotating disks only, shows in the "
         "throughput of random reads with many readers if at all, and costs those who happen to wait on the "
         "dear side."),
     .document = bfqDocument,
     .aliases = Words(backSeekPenalty),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/fifo_expire_async",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: patience of background writes"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "After how long a write that nobody waits for stops being passed over."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Within one program's share, bfq serves by place on the disk until a request is older than this. "
         "Higher: more sorting of writes, which shows as throughput of a large copy on a rotating disk. "
         "Lower: unwritten data shrinks sooner, at the price of more head movement."),
     .document = bfqDocument,
     .aliases = Words(fifoExpireAsync),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/fifo_expire_sync",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: patience of reads"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "After how long a read, or a write somebody waits for, goes first in its share."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Only requests of the same program compete here; who is served among programs follows the shares. "
         "Lower: an early request far away is not left behind, which shows as the 99th percentile of random "
         "reads of one busy program. The cost is throughput on rotating disks. Keep it below the patience of "
         "background writes to favour what somebody waits for."),
     .document = bfqDocument,
     .aliases = Words(fifoExpireSync),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/low_latency",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: help programs that react to you"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "Whether starting, interactive and playing programs get a larger share at once."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "1: bfq notices programs that start, wait for a person or play, and serves them far more often for "
         "a while. It shows as the time a program needs to start while something copies: often a fraction "
         "of what other schedulers need on a rotating disk. The cost is some throughput of the copy. 0 is "
         "for servers and for exact shares by weight, which this would blur."),
     .document = bfqDocument,
     .aliases = Words(lowLatency),
     .benchmark = "app-start",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/max_budget",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: most at a stretch"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How many sectors one program may read or write before the next gets its turn."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "0 lets bfq find it from the speed it sees. Larger: sequential streams run longer undisturbed, "
         "which shows as their total throughput. The cost: everybody else waits longer for the next turn, so "
         "latency becomes coarser. A longer turn in time, with 0 here, is the other way to the same end."),
     .document = bfqDocument,
     .aliases = Words(maxBudget),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/slice_idle",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: wait for the next request"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How many milliseconds the disk waits for more from the same program."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "A program that reads piece by piece keeps its place if the disk waits a moment; otherwise the head "
         "would wander off. The usual 8 ms help rotating disks. 0 stops the waiting: throughput of random "
         "access on solid state disks and RAID rises, which a test with several readers shows. The cost is "
         "fairness: shares among programs hold no longer exactly. The same number stands in microseconds in "
         "slice_idle_us."),
     .document = bfqDocument,
     .aliases = Words(sliceIdle),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/slice_idle_us",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: wait for the next request (finely)"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "The same waiting time in microseconds; setting one sets the other."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "For disks that answer within less than a millisecond: a few hundred microseconds keep some of the "
         "fairness and lose less throughput than whole milliseconds. Compare random reads of two programs at "
         "once, both their sum and how evenly it is shared. The cost of each microsecond is a disk that "
         "stands idle for it."),
     .document = bfqDocument,
     .aliases = Words(sliceIdleUs),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/strict_guarantees",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: exact shares at any price"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Whether the disk gets one request at a time so that shares hold exactly."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "1 takes away the disk's own freedom to reorder and always waits for the next request of the same "
         "program. It is for playing or recording where no delay at all is allowed; there it shows as the "
         "longest wait of the favoured program. The cost is large: most of the throughput of a disk with a "
         "queue."),
     .document = bfqDocument,
     .aliases = Words(strictGuarantees),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/bfq/timeout_sync",
     .title = QT_TRANSLATE_NOOP("SettingText", "bfq: longest turn"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How long one program may have the disk before the next one's turn."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Longer turns mean fewer changes of place: on a rotating disk the throughput of several streams "
         "rises, which a test with parallel readers shows. The cost is a longer wait for everybody who is "
         "not in turn. The kernel counts in its own ticks, so 125 may read back as 124 or 120."),
     .document = bfqDocument,
     .aliases = Words(timeoutSync),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/kyber/read_lat_nsec",
     .title = QT_TRANSLATE_NOOP("SettingText", "kyber: target for reads"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "The time for a read that kyber tries to keep, in nanoseconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "If reads take longer, kyber lets fewer writes and trims into the disk. Lower than the usual 2 ms "
         "suits a fast NVMe disk that must stay quick while it is written to; it shows as the 99th "
         "percentile of reads in a mixed load. Lower than the disk can do costs write throughput and wins "
         "nothing."),
     .document = kyberDocument,
     .aliases = Words(readLatency),
     .benchmark = "scheduler",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/kyber/write_lat_nsec",
     .title = QT_TRANSLATE_NOOP("SettingText", "kyber: target for awaited writes"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "The time kyber tries to keep for writes that a program waits for."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "It concerns fsync and the like, not the writing out of the cache. Lower: databases and saving in "
         "programs wait less while other work fills the disk, which the fsync test shows. The cost is "
         "throughput of everything else. The usual 10 ms are generous for a solid state disk."),
     .document = kyberDocument,
     .aliases = Words(writeLatency),
     .benchmark = "fsync",
     .since = "4.12",
     .until = ""},
    {.id = "iosched/mq-deadline/async_depth",
     .title = QT_TRANSLATE_NOOP("SettingText", "mq-deadline: share of the queue for writes"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How many queue places unhurried requests may fill, on kernels that keep it here."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The older place of the same setting; newer kernels have it in the queue itself, for every "
         "scheduler. Lower leaves room for reads during a storm of writes, seen as their 99th percentile. "
         "The cost is the speed of large copies. It can't usefully exceed the requests in queue."),
     .document = "Documentation/ABI/stable/sysfs-block",
     .aliases = Words(deadlineDepth),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "iosched/mq-deadline/fifo_batch",
     .title = QT_TRANSLATE_NOOP("SettingText", "Requests a batch"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "How many requests go out in order of place before deadlines are looked at."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Higher (32 to 64): longer runs in one direction, which shows as throughput of mixed loads on "
         "rotating disks. Lower: an expired request waits for fewer others, which shows as lower latency at "
         "the 99th percentile; 1 is first come, first served. The cost of a low number is head movement, so "
         "solid state disks bear it best."),
     .document = deadlineDocument,
     .aliases = Words(fifoBatch),
     .benchmark = "scheduler",
     .since = "4.11",
     .until = ""},
    {.id = "iosched/mq-deadline/front_merges",
     .title = QT_TRANSLATE_NOOP("SettingText", "Merge in front"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Whether a request that ends where a waiting one begins is joined to it."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Files are mostly read and written forwards, so such pairs are rare. 0 saves one search a request, "
         "a gain in processor time that only shows at very many requests a second. The cost: programs that "
         "write backwards send more and smaller requests."),
     .document = deadlineDocument,
     .aliases = Words(frontMerges),
     .benchmark = "",
     .since = "4.11",
     .until = ""},
    {.id = "iosched/mq-deadline/prio_aging_expire",
     .title = QT_TRANSLATE_NOOP("SettingText", "Patience of low priority"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "After how long requests of a lower priority class are served all the same."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "mq-deadline serves the class real-time before best effort before idle (ionice). Higher: a backup "
         "under ionice -c3 disturbs less, which shows as read latency of normal programs beside it. The "
         "cost: the backup may stand still for that long. Without programs of different classes nothing "
         "changes."),
     .document = "Documentation/block/ioprio.rst",
     .aliases = Words(prioAging),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "iosched/mq-deadline/read_expire",
     .title = QT_TRANSLATE_NOOP("SettingText", "Read deadline"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How long a read may wait before it goes first."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The mq-deadline scheduler sorts requests by their place on the disk, and serves a read out of turn "
         "once it has waited this long. Lower: programs that read feel quicker while something else keeps "
         "the disk busy; it shows as a lower 99th percentile of read latency under a mixed load. The cost is "
         "throughput, most of all on rotating disks, whose head then moves more. The kernel counts in its "
         "own ticks, so it may round the number."),
     .document = deadlineDocument,
     .aliases = Words(readExpire),
     .benchmark = "scheduler",
     .since = "4.11",
     .until = ""},
    {.id = "iosched/mq-deadline/write_expire",
     .title = QT_TRANSLATE_NOOP("SettingText", "Write deadline"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How long a write may wait before it goes first."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Writes are seldom waited for, so the usual 5 seconds are ten times a read's. Lower: programs that "
         "wait for their writes (databases, package managers) wait less under heavy reading, which the fsync "
         "test shows. The cost is that reads are interrupted more often. Higher lets reads pass even "
         "longer."),
     .document = deadlineDocument,
     .aliases = Words(writeExpire),
     .benchmark = "fsync",
     .since = "4.11",
     .until = ""},
    {.id = "iosched/mq-deadline/writes_starved",
     .title = QT_TRANSLATE_NOOP("SettingText", "Read batches before one of writes"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How many times reads are preferred before writes get their batch."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Higher (4 to 8): reading programs go on almost undisturbed during a copy, seen as read throughput "
         "in a mixed load. The cost is that writes pile up, and whoever waits for one waits longer. 1 shares "
         "evenly by turns."),
     .document = deadlineDocument,
     .aliases = Words(writesStarved),
     .benchmark = "scheduler",
     .since = "4.11",
     .until = ""},
});

} // namespace

std::span<const SettingText> ioschedTexts() noexcept
{
    return texts;
}

} // namespace diskwright
