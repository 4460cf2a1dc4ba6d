// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "kerneldefault.h"

#include "helper/access/schedulers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include <unistd.h>

namespace diskwright {

namespace {

/// Devices with a request queue of their own, where the rules below hold; stacked ones inherit from below.
bool isPlainDisk(const BlockNode &disk)
{
    static constexpr std::array<std::string_view, 4> prefixes{"sd", "nvme", "vd", "mmcblk"};
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return disk.name.starts_with(prefix); });
}

std::optional<std::size_t> hardwareQueues(const Directory &device)
{
    const auto entries = device.entries("mq");
    return entries && !entries->empty() ? std::optional(entries->size()) : std::nullopt;
}

/// block/elevator.c, elevator_get_default(): several queues or a driver that declines get none, else
/// mq-deadline. Several queues of a SCSI host may share their tags, which counts as one queue and can't be
/// seen from here.
std::optional<Value> defaultScheduler(const Directory &device, const BlockNode &disk)
{
    if (disk.name.starts_with("loop"))
        return word("none");
    const auto queues = hardwareQueues(device);
    if (!queues || !isPlainDisk(disk))
        return std::nullopt;
    if (*queues == 1) {
        const std::string listed = device.read("queue/scheduler").value_or(std::string());
        return listed.find("mq-deadline") != std::string::npos ? std::optional(word("mq-deadline"))
                                                               : std::nullopt;
    }
    return disk.name.starts_with("sd") ? std::nullopt : std::optional(word("none"));
}

/// block/blk-mq-sched.c: twice the driver's depth, itself counted as 128 at most; without a scheduler the
/// depth.
std::optional<Value> defaultRequests(const Directory &device, const BlockNode &disk)
{
    const auto tags = hardwareTags(device);
    if (!tags || !disk.scheduler)
        return std::nullopt;
    constexpr std::int64_t mostCounted = 128; // BLKDEV_DEFAULT_RQ
    return number(*disk.scheduler == "none" ? *tags : 2 * std::min(*tags, mostCounted));
}

/// block/blk-settings.c, blk_apply_bdi_limits(): twice the optimal request, 128 KiB at least. Newer kernels
/// give a rotating disk without an optimal request more, and how much follows from limits that may have
/// changed since.
std::optional<Value> defaultReadAhead(const SystemRoot &root, const Directory &device, const BlockNode &disk)
{
    const auto optimal = device.readNumber("queue/optimal_io_size");
    if (!optimal || *optimal < 0 || *optimal > INT64_MAX / 2 || !isPlainDisk(disk) || !disk.rotational)
        return std::nullopt;
    if (*disk.rotational && *optimal == 0) {
        constexpr KernelVersion lastWithPlainRule{6, 12};
        const auto version = parseKernelVersion(kernelRelease(root));
        if (!version || *version > lastWithPlainRule)
            return std::nullopt;
    }
    // The kernel counts whole pages of memory.
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    return number(std::max<std::int64_t>(128, *optimal * 2 / page * page / 1024));
}

struct FixedDefault {
    std::string_view id;
    std::int64_t value;
};

// block/mq-deadline.c, kyber-iosched.c, bfq-iosched.c (but for timeout_sync, which depends on the kernel's
// ticks), mm/backing-dev.c, mm/page-writeback.c, fs/fs-writeback.c, mm/vmscan.c, mm/swap.c, fs/dcache.c,
// mm/page_alloc.c, mm/compaction.c.
constexpr auto fixedDefaults = std::to_array<FixedDefault>({
    {"bdi/max_ratio", 100},
    {"bdi/max_ratio_fine", 1000000},
    {"bdi/strict_limit", 0},
    {"iosched/bfq/back_seek_max", 16384},
    {"iosched/bfq/back_seek_penalty", 2},
    {"iosched/bfq/fifo_expire_async", 250},
    {"iosched/bfq/fifo_expire_sync", 125},
    {"iosched/bfq/low_latency", 1},
    {"iosched/bfq/max_budget", 0},
    {"iosched/bfq/slice_idle", 8},
    {"iosched/bfq/slice_idle_us", 8000},
    {"iosched/bfq/strict_guarantees", 0},
    {"iosched/kyber/read_lat_nsec", 2000000},
    {"iosched/kyber/write_lat_nsec", 10000000},
    {"iosched/mq-deadline/fifo_batch", 16},
    {"iosched/mq-deadline/front_merges", 1},
    {"iosched/mq-deadline/prio_aging_expire", 10000},
    {"iosched/mq-deadline/read_expire", 500},
    {"iosched/mq-deadline/write_expire", 5000},
    {"iosched/mq-deadline/writes_starved", 2},
    {"vm/compaction_proactiveness", 20},
    {"vm/dirty_background_bytes", 0},
    {"vm/dirty_background_ratio", 10},
    {"vm/dirty_bytes", 0},
    {"vm/dirty_expire_centisecs", 3000},
    {"vm/dirty_ratio", 20},
    {"vm/dirty_writeback_centisecs", 500},
    {"vm/dirtytime_expire_seconds", 43200},
    {"vm/laptop_mode", 0},
    {"vm/page-cluster", 3},
    {"vm/swappiness", 60},
    {"vm/vfs_cache_pressure", 100},
    {"vm/watermark_boost_factor", 15000},
    {"vm/watermark_scale_factor", 10},
});

// block/blk-settings.c and blk-mq.h: what a queue with requests of its own begins with, unless its driver
// says otherwise, as loop does.
constexpr auto plainDefaults =
    std::to_array<FixedDefault>({{"queue/iostats", 1}, {"queue/nomerges", 0}, {"queue/rq_affinity", 1}});

std::optional<Value> valueIn(std::span<const FixedDefault> table, std::string_view id)
{
    const auto found = std::ranges::find(table, id, &FixedDefault::id);
    return found != table.end() ? std::optional(number(found->value)) : std::nullopt;
}

/// block/blk-settings.c: what the driver takes, 1280 KiB at most, or the optimal request. SCSI disks name
/// further limits that can't be seen from here, and newer kernels have another bound.
std::optional<Value> defaultLargestRequest(const SystemRoot &root, const Directory &device,
                                           const BlockNode &disk)
{
    constexpr KernelVersion lastWithPlainRule{6, 12};
    const auto version = parseKernelVersion(kernelRelease(root));
    const auto hardware = device.readNumber("queue/max_hw_sectors_kb");
    const auto optimal = device.readNumber("queue/optimal_io_size");
    const auto least = device.readNumber("queue/minimum_io_size");
    constexpr std::int64_t mostKib = 1280; // BLK_DEF_MAX_SECTORS_CAP
    const bool isSimple = optimal && *optimal == 0 && least && *least > 0 && *least <= mostKib * 1024;
    if (!version || *version > lastWithPlainRule || !hardware || *hardware <= 0 || !isSimple ||
        !isPlainDisk(disk) || disk.name.starts_with("sd"))
        return std::nullopt;
    return number(std::min(*hardware, mostKib));
}

/// The software limit begins at the hardware's.
std::optional<Value> defaultLargestTrim(const Directory &device, const BlockNode &disk)
{
    const auto hardware = device.readNumber("queue/discard_max_hw_bytes");
    return hardware && *hardware >= 0 && isPlainDisk(disk) ? std::optional(number(*hardware)) : std::nullopt;
}

} // namespace

std::optional<KernelVersion> parseKernelVersion(std::string_view release)
{
    KernelVersion version;
    const char *begin = release.data();
    const char *end = begin + release.size();
    const auto first = std::from_chars(begin, end, version.major);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.' || version.major < 0)
        return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, version.minor);
    return second.ec == std::errc{} && version.minor >= 0 ? std::optional(version) : std::nullopt;
}

std::optional<std::int64_t> hardwareTags(const Directory &device)
{
    const auto tags = device.readNumber("mq/0/nr_tags");
    return tags && *tags > 0 ? tags : std::nullopt;
}

std::optional<Value> kernelDefault(const SystemRoot &root, const Directory &device, const BlockNode &disk,
                                   const SettingSpec &spec)
{
    if (spec.id == "queue/scheduler")
        return defaultScheduler(device, disk);
    if (spec.id == "queue/nr_requests")
        return defaultRequests(device, disk);
    if (spec.id == "queue/read_ahead_kb")
        return defaultReadAhead(root, device, disk);
    if (spec.id == "queue/max_sectors_kb")
        return defaultLargestRequest(root, device, disk);
    if (spec.id == "queue/discard_max_bytes")
        return defaultLargestTrim(device, disk);
    if (isPlainDisk(disk)) {
        if (auto value = valueIn(plainDefaults, spec.id))
            return value;
    }
    return kernelDefault(spec);
}

std::optional<Value> kernelDefault(const SettingSpec &spec)
{
    return valueIn(fixedDefaults, spec.id);
}

} // namespace diskwright
