// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "vanishedfamilies.h"

#include <QtCore/qttranslation.h>

#include <array>

namespace diskwright {

namespace {

using Words = std::span<const std::string_view>;
template <std::size_t N>
using Names = std::array<std::string_view, N>;

constexpr Names<3> bootElevatorNames{"elevator=", "elevator", "elevator boot parameter"};
constexpr Names<10> bootIdeNames{"ide=",    "ide=nodma",      "ide=reverse", "idebus", "idebus=",
                                 "hda=dma", "ide_core.nodma", "ide0=dma",    "ide0",   "ide"};
constexpr Names<3> bootUseBlkMqNames{"scsi_mod.use_blk_mq", "use_blk_mq", "scsi_mod.use_blk_mq=1"};
constexpr Names<5> devDevfsNames{"/dev/discs", "/dev/ide", "devfs", "devfsd", "/dev/discs/disc0/disc"};
constexpr Names<8> devHdaNames{"hda", "hdb", "hdc", "hdd", "/dev/hda", "/dev/hdb", "/dev/hdc", "/dev/hdd"};
constexpr Names<3> procIdeReadaheadNames{"file_readahead", "file_read_ahead", "breada_readahead"};
constexpr Names<3> procIdeNames{"/proc/ide", "/proc/ide/hda/settings", "/proc/ide/hda"};
constexpr Names<7> schedulerAnticipatoryNames{
    "as",       "anticipatory", "antic_expire", "read_batch_expire", "write_batch_expire",
    "est_time", "as-iosched"};
constexpr Names<12> schedulerBfqOldNames{"wr_coeff",
                                         "wr_max_time",
                                         "wr_rt_max_time",
                                         "wr_min_idle_time",
                                         "wr_min_inter_arr_async",
                                         "wr_max_softrt_rate",
                                         "raising_coeff",
                                         "raising_max_time",
                                         "timeout_async",
                                         "max_budget_async_rq",
                                         "bfq-sq",
                                         "bfq-mq"};
constexpr Names<4> schedulerCfqNames{"cfq", "completely fair queuing", "completely fair queueing",
                                     "cfq-iosched"};
constexpr Names<3> schedulerCfqGroupIdleNames{"group_idle", "group_idle_us", "cfq group_idle"};
constexpr Names<2> schedulerCfqGroupIsolationNames{"group_isolation", "cfq group_isolation"};
constexpr Names<3> schedulerCfqQuantumNames{"quantum", "cfq quantum", "cfq/quantum"};
constexpr Names<5> schedulerCfqSliceAsyncNames{"slice_async", "slice_async_us", "slice_async_rq",
                                               "cfq slice_async", "cfq slice_async_rq"};
constexpr Names<3> schedulerCfqSliceSyncNames{"slice_sync", "slice_sync_us", "cfq slice_sync"};
constexpr Names<3> schedulerCfqTargetLatencyNames{"target_latency", "target_latency_us",
                                                  "cfq target_latency"};
constexpr Names<2> schedulerDeadlineNames{"deadline", "deadline-iosched"};
constexpr Names<4> schedulerNoopNames{"noop", "no-op", "noop scheduler", "noop-iosched"};
constexpr Names<12> schedulerSioNames{"sio",
                                      "row",
                                      "fiops",
                                      "zen",
                                      "maple",
                                      "tripndroid",
                                      "sync_expire",
                                      "async_expire",
                                      "sync_read_expire",
                                      "sync_write_expire",
                                      "async_read_expire",
                                      "async_write_expire"};
constexpr Names<3> toolElvtuneNames{"elvtune", "elvtune -r", "elvtune -w"};
constexpr Names<5> vmBdflushNames{"bdflush", "vm.bdflush", "kupdated", "kupdate", "/proc/sys/vm/bdflush"};
constexpr Names<3> vmBlockDumpNames{"block_dump", "vm.block_dump", "/proc/sys/vm/block_dump"};
constexpr Names<7> vmBuffermemNames{"buffermem",    "pagecache",    "freepages", "vm.buffermem",
                                    "vm.pagecache", "vm.freepages", "vm.kswapd"};
constexpr Names<2> vmHighmemIsDirtyableNames{"highmem_is_dirtyable", "vm.highmem_is_dirtyable"};
constexpr Names<6> vmMaxReadaheadNames{"max-readahead",    "min-readahead", "vm.max-readahead",
                                       "vm.min-readahead", "max_readahead", "min_readahead"};
constexpr Names<4> vmNrPdflushThreadsNames{"nr_pdflush_threads", "vm.nr_pdflush_threads",
                                           "nr_pdflush_threads_max", "nr_pdflush_threads_min"};
constexpr Names<2> vmPdflushNames{"pdflush", "pdflush threads"};
constexpr Names<2> vmPercpuPagelistFractionNames{"percpu_pagelist_fraction", "vm.percpu_pagelist_fraction"};
constexpr Names<2> vmScanUnevictablePagesNames{"scan_unevictable_pages", "vm.scan_unevictable_pages"};
constexpr Names<2> vmSwapTokenTimeoutNames{"swap_token_timeout", "vm.swap_token_timeout"};
constexpr Names<2> bootDmUseBlkMqNames{"dm_mod.use_blk_mq", "dm_mod.use_blk_mq=1"};
constexpr Names<4> bootIdeScsiNames{"ide-scsi", "hdb=ide-scsi", "hdc=ide-scsi", "hdd=ide-scsi"};
constexpr Names<3> devRawNames{"/dev/raw", "/dev/raw/raw1", "/dev/rawctl"};
constexpr Names<2> vmHugepagesTreatAsMovableNames{"hugepages_treat_as_movable",
                                                  "vm.hugepages_treat_as_movable"};
constexpr Names<2> vmLowerZoneProtectionNames{"lower_zone_protection", "vm.lower_zone_protection"};
constexpr Names<2> vmExtraFreeKbytesNames{"extra_free_kbytes", "vm.extra_free_kbytes"};
constexpr Names<2> vmHeapStackGapNames{"heap-stack-gap", "vm.heap-stack-gap"};
constexpr Names<2> vmInactiveCleanPercentNames{"inactive_clean_percent", "vm.inactive_clean_percent"};
constexpr Names<4> vmPagecacheLimitMbNames{"pagecache_limit_mb", "vm.pagecache_limit_mb",
                                           "pagecache_limit_ignore_dirty", "vm.pagecache_limit_ignore_dirty"};
constexpr Names<7> vmTransparentHugepageNames{"transparent_hugepage",
                                              "transparent_hugepage=",
                                              "transparent_hugepage=never",
                                              "transparent_hugepage=always",
                                              "transparent_hugepage=madvise",
                                              "/sys/kernel/mm/transparent_hugepage",
                                              "thp"};
constexpr Names<1> vmZcacheNames{"zcache"};
constexpr Names<2> vmRamzswapNames{"ramzswap", "compcache"};
constexpr Names<8> mdSyncSpeedNames{"dev.raid.speed_limit_min", "dev.raid.speed_limit_max", "speed_limit_min",
                                    "speed_limit_max",          "sync_speed_min",           "sync_speed_max",
                                    "md/sync_speed_min",        "md/sync_speed_max"};
constexpr Names<2> mdStripeCacheSizeNames{"stripe_cache_size", "md/stripe_cache_size"};
constexpr Names<2> fsXfssyncdNames{"fs.xfs.xfssyncd_centisecs", "xfssyncd_centisecs"};
constexpr Names<6> cgroupWeightNames{"blkio.weight", "blkio.weight_device", "blkio.bfq.weight",
                                     "bfq_weight",   "io.bfq.weight",       "io.weight"};
constexpr Names<2> queueNrCongestionNames{"nr_congestion_on", "nr_congestion_off"};

constexpr auto entries = std::to_array<VanishedSetting>({
    {.id = "boot/dm_use_blk_mq",
     .title = QT_TRANSLATE_NOOP("Vanished", "Boot parameter dm_mod.use_blk_mq"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "It switched multipath disks between the old queue and the one with several queues."),
     .today = QT_TRANSLATE_NOOP("Vanished", "Only the new one is left."),
     .setting = "",
     .names = Words(bootDmUseBlkMqNames)},
    {.id = "boot/elevator",
     .title = QT_TRANSLATE_NOOP("Vanished", "Boot parameter elevator="),
     .fate = Fate::NoEffect,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP("Vanished", "It chose the scheduler of all disks at boot."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "The kernel ignores it: each disk has its scheduler, set at any time and kept by a udev rule."),
     .setting = "queue/scheduler",
     .names = Words(bootElevatorNames)},
    {.id = "boot/ide",
     .title = QT_TRANSLATE_NOOP("Vanished", "Boot parameters of the old IDE drivers (ide=, idebus=)"),
     .fate = Fate::Gone,
     .since = "2.6.27",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "ide=nodma turned DMA off, idebus=66 told the drivers the clock of the bus."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "ide_core.nodma and its like took their place and went with the drivers in Linux 5.14. libata finds "
         "out by itself, and what it gets wrong can be lowered at boot by libata.force=."),
     .setting = "",
     .names = Words(bootIdeNames)},
    {.id = "boot/ide-scsi",
     .title = QT_TRANSLATE_NOOP("Vanished", "ide-scsi"),
     .fate = Fate::Gone,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "A driver that made CD writers on the old IDE drivers look like SCSI drives."),
     .today = QT_TRANSLATE_NOOP("Vanished", "It went even before the IDE drivers did. libata treats such "
                                            "drives as SCSI drives (sr0) from the start."),
     .setting = "",
     .names = Words(bootIdeScsiNames)},
    {.id = "boot/use_blk_mq",
     .title = QT_TRANSLATE_NOOP("Vanished", "Boot parameter scsi_mod.use_blk_mq"),
     .fate = Fate::Gone,
     .since = "5.7",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "It switched SCSI and SATA disks between the old queue and the one with several queues."),
     .today = QT_TRANSLATE_NOOP("Vanished", "Only the new one has been left since Linux 5.0, so the word did "
                                            "nothing in its last years."),
     .setting = "",
     .names = Words(bootUseBlkMqNames)},
    {.id = "cgroup/weight",
     .title = QT_TRANSLATE_NOOP("Vanished", "Weights of control groups (blkio.weight, io.bfq.weight)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "The share of disk time that a group of programs gets."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It belongs to the control group, not to a queue. cfq had it as blkio.weight; bfq has "
                     "io.bfq.weight, and blkio.bfq.weight in the old groups. systemd sets it by IOWeight=."),
     .setting = "",
     .names = Words(cgroupWeightNames)},
    {.id = "dev/devfs",
     .title = QT_TRANSLATE_NOOP("Vanished", "devfs: /dev/discs and /dev/ide"),
     .fate = Fate::Gone,
     .since = "2.6.18",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "A file system that made device files with names by place, such as /dev/discs/disc0."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "udev makes the names. /dev/disk/by-id stays with a disk wherever it is plugged in."),
     .setting = "",
     .names = Words(devDevfsNames)},
    {.id = "dev/hda",
     .title = QT_TRANSLATE_NOOP("Vanished", "Disk names hda, hdb …"),
     .fate = Fate::Gone,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP("Vanished", "The names of disks under the old IDE drivers."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "Their successor libata calls the same disks sda, sdb … like all SCSI and SATA disks."),
     .setting = "",
     .names = Words(devHdaNames)},
    {.id = "dev/raw",
     .title = QT_TRANSLATE_NOOP("Vanished", "Raw devices (/dev/raw)"),
     .fate = Fate::Gone,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "They let a program read and write a disk past the cache of the kernel."),
     .today = QT_TRANSLATE_NOOP("Vanished", "Programs open the disk itself with O_DIRECT."),
     .setting = "",
     .names = Words(devRawNames)},
    {.id = "fs/xfssyncd",
     .title = QT_TRANSLATE_NOOP("Vanished", "XFS value xfssyncd_centisecs"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "How often XFS writes its own records out, in hundredths of a second."),
     .today = QT_TRANSLATE_NOOP("Vanished",
                                "It still works, for all XFS file systems at once, in /proc/sys/fs/xfs."),
     .setting = "",
     .names = Words(fsXfssyncdNames)},
    {.id = "md/stripe_cache_size",
     .title = QT_TRANSLATE_NOOP("Vanished", "RAID value stripe_cache_size"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "How many stripes RAID 4, 5 and 6 keep in memory."),
     .today = QT_TRANSLATE_NOOP("Vanished", "It still works. It stands in the folder md of the array, not in "
                                            "a queue, and takes a page of memory for each disk and stripe."),
     .setting = "",
     .names = Words(mdStripeCacheSizeNames)},
    {.id = "md/sync_speed",
     .title = QT_TRANSLATE_NOOP("Vanished", "Speed of a RAID rebuild (speed_limit_max, sync_speed_max)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "How fast md rebuilds and checks arrays, in KiB a second: dev.raid.speed_limit_min and "
                     "_max for all arrays, sync_speed_min and _max for one."),
     .today =
         QT_TRANSLATE_NOOP("Vanished", "They still work. They belong to md and stand in /proc/sys/dev/raid "
                                       "and in the folder md of the array, not in a queue."),
     .setting = "",
     .names = Words(mdSyncSpeedNames)},
    {.id = "proc/ide",
     .title = QT_TRANSLATE_NOOP("Vanished", "/proc/ide and its settings files"),
     .fate = Fate::Gone,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "/proc/ide/hda/settings showed and took the settings of the old IDE drivers."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "These drivers were removed. libata negotiates with the disk by itself; what can still be set "
         "is a setting of the queue or of the drive."),
     .setting = "",
     .names = Words(procIdeNames)},
    {.id = "proc/ide-file_readahead",
     .title = QT_TRANSLATE_NOOP("Vanished", "file_readahead of the old IDE drivers"),
     .fate = Fate::Gone,
     .since = "2.6",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "A line of /proc/ide/hda/settings: how far files on the disk were read ahead."),
     .today = QT_TRANSLATE_NOOP("Vanished", "The read-ahead of the disk's queue took its place, in KiB."),
     .setting = "queue/read_ahead_kb",
     .names = Words(procIdeReadaheadNames)},
    {.id = "queue/nr_congestion",
     .title = QT_TRANSLATE_NOOP("Vanished", "nr_congestion_on and nr_congestion_off"),
     .fate = Fate::Gone,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "Numbers inside the kernel, which it reckoned from nr_requests: "
                                          "from how many requests on a disk counted as congested."),
     .today = QT_TRANSLATE_NOOP("Vanished", "They never were files, so they can't be set; nr_requests can."),
     .setting = "queue/nr_requests",
     .names = Words(queueNrCongestionNames)},
    {.id = "scheduler/anticipatory",
     .title = QT_TRANSLATE_NOOP("Vanished", "Anticipatory scheduler"),
     .fate = Fate::Gone,
     .since = "2.6.33",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "It waited a moment after each read for the next one of the same program (antic_expire) and "
         "ran reads and writes in batches (read_batch_expire, write_batch_expire)."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "cfq took its idea over, and bfq has it today as waiting for the next request (slice_idle)."),
     .setting = "queue/scheduler",
     .names = Words(schedulerAnticipatoryNames)},
    {.id = "scheduler/bfq-old",
     .title = QT_TRANSLATE_NOOP("Vanished", "Values of BFQ from outside the official kernel"),
     .fate = Fate::OutOfTree,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "Versions of BFQ that were patched in had wr_coeff, wr_max_time and others, which said how "
         "much and how long favoured programs were helped."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "BFQ in the official kernel finds them by itself; what is left is the switch low_latency."),
     .setting = "iosched/bfq/low_latency",
     .names = Words(schedulerBfqOldNames)},
    {.id = "scheduler/cfq",
     .title = QT_TRANSLATE_NOOP("Vanished", "CFQ scheduler"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "The usual scheduler for many years: it gave every program a slice of disk time."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "bfq has the same aim and several of the same values; mq-deadline is the usual choice now."),
     .setting = "queue/scheduler",
     .names = Words(schedulerCfqNames)},
    {.id = "scheduler/cfq-group_idle",
     .title = QT_TRANSLATE_NOOP("Vanished", "CFQ value group_idle"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP("Vanished", "How long the disk waited for more from the same control group."),
     .today = QT_TRANSLATE_NOOP("Vanished", "bfq waits for a program or group alike, by slice_idle."),
     .setting = "iosched/bfq/slice_idle",
     .names = Words(schedulerCfqGroupIdleNames)},
    {.id = "scheduler/cfq-group_isolation",
     .title = QT_TRANSLATE_NOOP("Vanished", "CFQ value group_isolation"),
     .fate = Fate::Gone,
     .since = "2.6.39",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "Whether control groups were kept apart for random work too, at the cost of speed."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "cfq kept them apart always from then on, and is gone since 5.0. With bfq the weights of the groups "
         "decide."),
     .setting = "queue/scheduler",
     .names = Words(schedulerCfqGroupIsolationNames)},
    {.id = "scheduler/cfq-quantum",
     .title = QT_TRANSLATE_NOOP("Vanished", "CFQ value quantum"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "How many requests of one program were handed to the disk at once."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "No scheduler has it. bfq limits what one program may do at a stretch by max_budget."),
     .setting = "iosched/bfq/max_budget",
     .names = Words(schedulerCfqQuantumNames)},
    {.id = "scheduler/cfq-slice_async",
     .title = QT_TRANSLATE_NOOP("Vanished", "CFQ values slice_async and slice_async_rq"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "The length of a turn for writes that nobody waits for, in time and in requests."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "No scheduler has such a turn; how many of these writes may wait at once is limited by "
                     "depth."),
     .setting = "queue/async_depth",
     .names = Words(schedulerCfqSliceAsyncNames)},
    {.id = "scheduler/cfq-slice_sync",
     .title = QT_TRANSLATE_NOOP("Vanished", "CFQ value slice_sync"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP("Vanished", "The length of a turn for reads and awaited writes, 100 ms."),
     .today = QT_TRANSLATE_NOOP("Vanished", "bfq has the longest turn as timeout_sync."),
     .setting = "iosched/bfq/timeout_sync",
     .names = Words(schedulerCfqSliceSyncNames)},
    {.id = "scheduler/cfq-target_latency",
     .title = QT_TRANSLATE_NOOP("Vanished", "CFQ value target_latency"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP("Vanished", "The time within which every program should have had its turn."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "bfq reaches the same by favouring programs that react to you (low_latency); kyber has a "
         "target for reads."),
     .setting = "iosched/kyber/read_lat_nsec",
     .names = Words(schedulerCfqTargetLatencyNames)},
    {.id = "scheduler/deadline",
     .title = QT_TRANSLATE_NOOP("Vanished", "Deadline scheduler"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "It sorted requests and bounded how long each may wait, on the old queue."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "The same scheduler for the new queue is called mq-deadline, with the same values. The kernel still "
         "takes the word deadline as another name of it."),
     .setting = "queue/scheduler",
     .names = Words(schedulerDeadlineNames)},
    {.id = "scheduler/noop",
     .title = QT_TRANSLATE_NOOP("Vanished", "Noop scheduler"),
     .fate = Fate::Gone,
     .since = "5.0",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "It passed requests on in the order they came, merging neighbours."),
     .today = QT_TRANSLATE_NOOP("Vanished",
                                "none took its place and passes requests on as they come, too. The kernel "
                                "refuses the word noop."),
     .setting = "queue/scheduler",
     .names = Words(schedulerNoopNames)},
    {.id = "scheduler/sio",
     .title = QT_TRANSLATE_NOOP("Vanished", "SIO and other schedulers of phone kernels"),
     .fate = Fate::OutOfTree,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "sio, row, fiops, zen, maple and others came with modified kernels, mostly for phones."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "The official kernel never had them. With flash memory none or mq-deadline does what sio was "
         "chosen for."),
     .setting = "queue/scheduler",
     .names = Words(schedulerSioNames)},
    {.id = "tool/elvtune",
     .title = QT_TRANSLATE_NOOP("Vanished", "elvtune"),
     .fate = Fate::Gone,
     .since = "2.6",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "A program of Linux 2.4 that set how often a waiting request might be passed over (-r, -w)."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "mq-deadline bounds the wait by time: the read deadline and the write deadline."),
     .setting = "iosched/mq-deadline/read_expire",
     .names = Words(toolElvtuneNames)},
    {.id = "vm/bdflush",
     .title = QT_TRANSLATE_NOOP("Vanished", "bdflush and kupdated"),
     .fate = Fate::Gone,
     .since = "2.6",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "Nine numbers in /proc/sys/vm/bdflush ruled when Linux 2.4 wrote data out."),
     .today = QT_TRANSLATE_NOOP("Vanished", "The dirty limits and intervals took their place."),
     .setting = "vm/dirty_background_ratio",
     .names = Words(vmBdflushNames)},
    {.id = "vm/block_dump",
     .title = QT_TRANSLATE_NOOP("Vanished", "block_dump"),
     .fate = Fate::Gone,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "It wrote to the kernel log which program read or wrote which block, to find out who keeps a "
         "disk awake."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "Tracing does this: blktrace, or the block events of the kernel (tracepoints)."),
     .setting = "",
     .names = Words(vmBlockDumpNames)},
    {.id = "vm/buffermem",
     .title = QT_TRANSLATE_NOOP("Vanished", "buffermem, pagecache, freepages and kswapd"),
     .fate = Fate::Gone,
     .since = "2.6",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "Files in /proc/sys/vm of Linux 2.2 and 2.4 that bounded caches and free memory by hand."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "The kernel balances caches itself; swappiness, cache pressure and the reserve of free memory "
         "are what is left."),
     .setting = "vm/swappiness",
     .names = Words(vmBuffermemNames)},
    {.id = "vm/extra_free_kbytes",
     .title = QT_TRANSLATE_NOOP("Vanished", "extra_free_kbytes"),
     .fate = Fate::OutOfTree,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "A patch, known from Android, that kept more memory free than min_free_kbytes does."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "In the official kernel watermark_scale_factor makes it begin earlier to free memory."),
     .setting = "vm/watermark_scale_factor",
     .names = Words(vmExtraFreeKbytesNames)},
    {.id = "vm/heap-stack-gap",
     .title = QT_TRANSLATE_NOOP("Vanished", "heap-stack-gap"),
     .fate = Fate::OutOfTree,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "A patch, known from SUSE, that kept a distance between the stack "
                                          "of a program and its other memory."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "The official kernel keeps one as well; only the boot parameter stack_guard_gap changes it."),
     .setting = "",
     .names = Words(vmHeapStackGapNames)},
    {.id = "vm/highmem_is_dirtyable",
     .title = QT_TRANSLATE_NOOP("Vanished", "highmem_is_dirtyable"),
     .fate = Fate::NoEffect,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It let unwritten data fill the upper memory of 32-bit machines."),
     .today =
         QT_TRANSLATE_NOOP("Vanished", "64-bit machines have no such memory, and the file is not there."),
     .setting = "",
     .names = Words(vmHighmemIsDirtyableNames)},
    {.id = "vm/hugepages_treat_as_movable",
     .title = QT_TRANSLATE_NOOP("Vanished", "hugepages_treat_as_movable"),
     .fate = Fate::Gone,
     .since = "4.16",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "It let huge pages be taken from the part of memory that is kept movable."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "The kernel decides by itself: such pages may stand there if it can move pages of their size."),
     .setting = "",
     .names = Words(vmHugepagesTreatAsMovableNames)},
    {.id = "vm/inactive_clean_percent",
     .title = QT_TRANSLATE_NOOP("Vanished", "inactive_clean_percent"),
     .fate = Fate::OutOfTree,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "A value of Red Hat Enterprise Linux 3: how much of the memory "
                                          "that was out of use should be clean."),
     .today = QT_TRANSLATE_NOOP("Vanished", "The dirty limits bound how much memory holds unwritten data."),
     .setting = "vm/dirty_background_ratio",
     .names = Words(vmInactiveCleanPercentNames)},
    {.id = "vm/lower_zone_protection",
     .title = QT_TRANSLATE_NOOP("Vanished", "lower_zone_protection"),
     .fate = Fate::Gone,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It kept some of the low memory for uses that can take no other."),
     .today = QT_TRANSLATE_NOOP("Vanished", "lowmem_reserve_ratio took its place early in Linux 2.6."),
     .setting = "vm/lowmem_reserve_ratio",
     .names = Words(vmLowerZoneProtectionNames)},
    {.id = "vm/max-readahead",
     .title = QT_TRANSLATE_NOOP("Vanished", "max-readahead and min-readahead"),
     .fate = Fate::Gone,
     .since = "2.6",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "The read-ahead of all disks in Linux 2.4, in pages, in /proc/sys/vm."),
     .today = QT_TRANSLATE_NOOP("Vanished", "Each disk has its own, in KiB."),
     .setting = "queue/read_ahead_kb",
     .names = Words(vmMaxReadaheadNames)},
    {.id = "vm/nr_pdflush_threads",
     .title = QT_TRANSLATE_NOOP("Vanished", "nr_pdflush_threads"),
     .fate = Fate::Gone,
     .since = "4.15",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "The number of pdflush threads at the moment; it could be read only."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "The threads it counted went in Linux 2.6.32. The file stayed until 4.14 and counted "
                     "nothing. Nothing replaces it: each disk has its own flusher."),
     .setting = "",
     .names = Words(vmNrPdflushThreadsNames)},
    {.id = "vm/pagecache_limit_mb",
     .title = QT_TRANSLATE_NOOP("Vanished", "pagecache_limit_mb"),
     .fate = Fate::OutOfTree,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "A value of SUSE Linux Enterprise: how much memory the cache of files might take."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "The official kernel has no such limit; swappiness says whether it rather gives up files or swaps."),
     .setting = "vm/swappiness",
     .names = Words(vmPagecacheLimitMbNames)},
    {.id = "vm/pdflush",
     .title = QT_TRANSLATE_NOOP("Vanished", "pdflush"),
     .fate = Fate::Gone,
     .since = "2.6.32",
     .was = QT_TRANSLATE_NOOP("Vanished", "A pool of kernel threads that wrote data out for all disks."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "Every disk has a flusher of its own, so that a slow one no longer holds up the others. When "
         "they start is set by the dirty limits, how often they look by the interval."),
     .setting = "vm/dirty_writeback_centisecs",
     .names = Words(vmPdflushNames)},
    {.id = "vm/percpu_pagelist_fraction",
     .title = QT_TRANSLATE_NOOP("Vanished", "percpu_pagelist_fraction"),
     .fate = Fate::Gone,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP("Vanished", "How much free memory each processor kept for itself."),
     .today = QT_TRANSLATE_NOOP("Vanished", "percpu_pagelist_high_fraction replaced it."),
     .setting = "vm/percpu_pagelist_high_fraction",
     .names = Words(vmPercpuPagelistFractionNames)},
    {.id = "vm/ramzswap",
     .title = QT_TRANSLATE_NOOP("Vanished", "ramzswap and compcache"),
     .fate = Fate::Gone,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "A swap disk in memory that compresses what it holds."),
     .today = QT_TRANSLATE_NOOP("Vanished", "It is called zram today."),
     .setting = "",
     .names = Words(vmRamzswapNames)},
    {.id = "vm/scan_unevictable_pages",
     .title = QT_TRANSLATE_NOOP("Vanished", "scan_unevictable_pages"),
     .fate = Fate::Gone,
     .since = "3.18",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "Writing to it made the kernel look again at memory that it held to be locked."),
     .today = QT_TRANSLATE_NOOP("Vanished", "The kernel notices by itself; nothing is left to set."),
     .setting = "",
     .names = Words(vmScanUnevictablePagesNames)},
    {.id = "vm/swap_token_timeout",
     .title = QT_TRANSLATE_NOOP("Vanished", "swap_token_timeout"),
     .fate = Fate::Gone,
     .since = "2.6.20",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "While memory was short, one program at a time held a token that kept it from being swapped "
         "out; this was how long."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "The kernel gave the token to whoever needed it most from then on, and dropped it in "
                     "Linux 3.5; swappiness decides what is swapped."),
     .setting = "vm/swappiness",
     .names = Words(vmSwapTokenTimeoutNames)},
    {.id = "vm/transparent_hugepage",
     .title = QT_TRANSLATE_NOOP("Vanished", "Transparent huge pages"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "Whether programs get large pages of memory without asking for them."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is no setting of disks: it stands in /sys/kernel/mm/transparent_hugepage, and "
                     "transparent_hugepage= sets it at boot."),
     .setting = "",
     .names = Words(vmTransparentHugepageNames)},
    {.id = "vm/zcache",
     .title = QT_TRANSLATE_NOOP("Vanished", "zcache"),
     .fate = Fate::Gone,
     .since = "3.11",
     .was = QT_TRANSLATE_NOOP("Vanished", "It kept pages of files and of swap compressed in memory; it never "
                                          "left the staging part of the kernel."),
     .today = QT_TRANSLATE_NOOP("Vanished", "zswap does it for swap. Nothing does it for files."),
     .setting = "",
     .names = Words(vmZcacheNames)},
});

} // namespace

std::span<const VanishedSetting> vanishedOfKernel() noexcept
{
    return entries;
}

} // namespace diskwright
