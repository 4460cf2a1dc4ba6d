// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "kerneldefault.h"

#include "helper/access/schedulers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace diskwright {

namespace {

std::optional<std::int64_t> readNumber(const Directory &folder, std::string_view file)
{
    const auto text = folder.read(file);
    if (!text)
        return std::nullopt;
    std::int64_t value = 0;
    const char *end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, value);
    const bool isWhole = parsed.ptr == end || (parsed.ptr + 1 == end && *parsed.ptr == '\n');
    return parsed.ec == std::errc{} && isWhole ? std::optional(value) : std::nullopt;
}

/// Devices with a request queue of their own, where the rules below hold; stacked ones inherit from below.
bool isPlainDisk(const BlockNode &disk)
{
    static constexpr std::array<std::string_view, 4> prefixes{"sd", "nvme", "vd", "mmcblk"};
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return disk.name.starts_with(prefix); });
}

std::optional<std::size_t> hardwareQueues(const Directory &device)
{
    const auto folder = device.below("mq");
    const auto entries = folder ? folder->entries() : std::unexpected(folder.error());
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
    const auto optimal = readNumber(device, "queue/optimal_io_size");
    if (!optimal || *optimal < 0 || *optimal > INT64_MAX / 2 || !isPlainDisk(disk) || !disk.rotational)
        return std::nullopt;
    if (*disk.rotational && *optimal == 0) {
        constexpr KernelVersion lastWithPlainRule{6, 12};
        const auto version = parseKernelVersion(kernelRelease(root));
        if (!version || *version > lastWithPlainRule)
            return std::nullopt;
    }
    return number(std::max<std::int64_t>(128, *optimal * 2 / 1024));
}

struct FixedDefault {
    std::string_view id;
    std::int64_t value;
};

// block/mq-deadline.c (read_expire = HZ / 2) and mm/page-writeback.c.
constexpr auto fixedDefaults = std::to_array<FixedDefault>({{"iosched/mq-deadline/read_expire", 500},
                                                            {"vm/dirty_background_bytes", 0},
                                                            {"vm/dirty_background_ratio", 10},
                                                            {"vm/dirty_bytes", 0},
                                                            {"vm/dirty_ratio", 20}});

} // namespace

std::optional<KernelVersion> parseKernelVersion(std::string_view release)
{
    KernelVersion version;
    const char *end = release.data() + release.size();
    const auto first = std::from_chars(release.data(), end, version.major);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.' || version.major < 0)
        return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, version.minor);
    return second.ec == std::errc{} && version.minor >= 0 ? std::optional(version) : std::nullopt;
}

std::optional<std::int64_t> hardwareTags(const Directory &device)
{
    const auto tags = readNumber(device, "mq/0/nr_tags");
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
    return kernelDefault(spec);
}

std::optional<Value> kernelDefault(const SettingSpec &spec)
{
    const auto found = std::ranges::find(fixedDefaults, spec.id, &FixedDefault::id);
    return found != fixedDefaults.end() ? std::optional(number(found->value)) : std::nullopt;
}

} // namespace diskwright
