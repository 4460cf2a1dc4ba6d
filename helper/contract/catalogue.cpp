// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue.h"

#include <algorithm>
#include <array>

namespace diskwright {

namespace {

constexpr std::array<std::string_view, 5> schedulers{"none", "mq-deadline", "kyber", "bfq", "adios"};

// Upper end of the byte limits: the kernel takes up to 2^64-1, but more than this is no limit on any machine.
constexpr std::int64_t mostDirtyBytes = std::int64_t{1} << 44;
// Two pages: below it the kernel answers EINVAL (mm/page-writeback.c).
constexpr std::int64_t leastDirtyBytes = 8192;

// What a row has beyond its place and its bounds.
struct More {
    Risk risk = Risk::Safe;
    std::string_view pair = {};
    std::string_view exact = {};
    KeptBy keptBy = KeptBy::UdevRule;
    bool drifts = false;
};

constexpr SettingSpec onDisk(Domain domain, std::string_view id, std::string_view attribute, Accepts accepts,
                             std::int16_t order, More more)
{
    return {.id = id,
            .domain = domain,
            .key = id.substr(id.find('/') + 1),
            .attribute = attribute,
            .accepts = accepts,
            .codec = std::holds_alternative<Choice>(accepts) ? Codec::BracketedChoice : Codec::Decimal,
            .risk = more.risk,
            .keptBy = more.keptBy,
            .order = order,
            .scheduler = {},
            .pair = more.pair,
            .exact = more.exact,
            .drifts = more.drifts};
}

constexpr SettingSpec queue(std::string_view id, std::int16_t order, Accepts accepts, More more = {})
{
    return onDisk(Domain::Queue, id, id, accepts, order, more);
}

constexpr SettingSpec bdi(std::string_view id, std::int16_t order, Accepts accepts, More more = {})
{
    return onDisk(Domain::Bdi, id, id, accepts, order, more);
}

// The scheduler's name is the middle part of the id.
constexpr SettingSpec tunable(std::string_view id, std::string_view attribute, Accepts accepts,
                              More more = {}, std::int16_t order = 40)
{
    SettingSpec row = onDisk(Domain::IoSched, id, attribute, accepts, order, more);
    row.scheduler = row.key.substr(0, row.key.find('/'));
    return row;
}

constexpr SettingSpec vm(std::string_view id, Accepts accepts, More more = {}, std::int16_t order = 120)
{
    SettingSpec row = onDisk(Domain::Vm, id, id.substr(id.find('/') + 1), accepts, order, more);
    row.keptBy = KeptBy::Sysctl;
    return row;
}

constexpr Range count(std::int64_t min, std::int64_t max)
{
    return {.min = min, .max = max, .step = 1, .unit = Unit::Count};
}

constexpr Range in(Unit unit, std::int64_t min, std::int64_t max, std::int64_t step = 1)
{
    return {.min = min, .max = max, .step = step, .unit = unit};
}

constexpr More caution{.risk = Risk::Caution};

// Times of one scheduler's requests: up to a minute, and never none.
constexpr Range milliseconds = in(Unit::Milliseconds, 1, 60000);
constexpr Range nanoseconds = in(Unit::Nanoseconds, 10000, 60000000000);
// How long data may stay unwritten in memory: up to ten minutes.
constexpr Range centiseconds = in(Unit::Centiseconds, 0, 60000);

// Bounds are tighter than the kernel's on purpose (Documentation/ABI/stable/sysfs-block,
// Documentation/ABI/testing/sysfs-class-bdi, Documentation/block, Documentation/admin-guide/sysctl/vm.rst).
// Order in a queue: scheduler, nr_requests, async_depth, the scheduler's own, wbt_lat_usec, the request
// limits (writing one of them can set the read-ahead anew), read_ahead_kb, the rest.
constexpr auto rows = std::to_array<SettingSpec>({
    bdi("bdi/max_bytes", 95, in(Unit::Bytes, 1048576, mostDirtyBytes, 4096),
        {.exact = "bdi/max_ratio_fine", .keptBy = KeptBy::LimitUnit, .drifts = true}),
    bdi("bdi/max_ratio", 95, in(Unit::Percent, 1, 100), {.exact = "bdi/max_ratio_fine"}),
    bdi("bdi/max_ratio_fine", 96, count(1000, 1000000)),
    bdi("bdi/strict_limit", 94, Toggle{}),
    tunable("iosched/adios/batch_limit_discard", "queue/iosched/batch_limit_discard", count(1, 1024)),
    tunable("iosched/adios/batch_limit_read", "queue/iosched/batch_limit_read", count(1, 1024)),
    tunable("iosched/adios/batch_limit_write", "queue/iosched/batch_limit_write", count(1, 1024)),
    tunable("iosched/adios/batch_order", "queue/iosched/batch_order", Toggle{}),
    tunable("iosched/adios/bq_refill_below_ratio", "queue/iosched/bq_refill_below_ratio",
            in(Unit::Percent, 0, 100)),
    tunable("iosched/adios/compliance_flags", "queue/iosched/compliance_flags", Toggle{}),
    tunable("iosched/adios/global_latency_window", "queue/iosched/global_latency_window",
            in(Unit::Nanoseconds, 100000, 1000000000)),
    tunable("iosched/adios/lat_model_latency_limit", "queue/iosched/lat_model_latency_limit",
            in(Unit::Nanoseconds, 1000000, 2000000000)),
    tunable("iosched/adios/lat_target_discard", "queue/iosched/lat_target_discard", nanoseconds),
    tunable("iosched/adios/lat_target_read", "queue/iosched/lat_target_read", nanoseconds),
    tunable("iosched/adios/lat_target_write", "queue/iosched/lat_target_write", nanoseconds),
    tunable("iosched/adios/read_priority", "queue/iosched/read_priority", count(-20, 19)),
    tunable("iosched/adios/shrink_at_gbytes", "queue/iosched/shrink_at_gbytes", count(1, 1000)),
    tunable("iosched/adios/shrink_at_kreqs", "queue/iosched/shrink_at_kreqs", count(1, 100000)),
    tunable("iosched/adios/shrink_resist", "queue/iosched/shrink_resist", count(1, 3)),
    tunable("iosched/bfq/back_seek_max", "queue/iosched/back_seek_max", in(Unit::KiB, 0, 1048576)),
    tunable("iosched/bfq/back_seek_penalty", "queue/iosched/back_seek_penalty", count(1, 100)),
    tunable("iosched/bfq/fifo_expire_async", "queue/iosched/fifo_expire_async", milliseconds),
    tunable("iosched/bfq/fifo_expire_sync", "queue/iosched/fifo_expire_sync", milliseconds),
    tunable("iosched/bfq/low_latency", "queue/iosched/low_latency", Toggle{}),
    tunable("iosched/bfq/max_budget", "queue/iosched/max_budget", count(0, 262144)),
    tunable("iosched/bfq/slice_idle", "queue/iosched/slice_idle", in(Unit::Milliseconds, 0, 1000),
            {.exact = "iosched/bfq/slice_idle_us"}),
    tunable("iosched/bfq/slice_idle_us", "queue/iosched/slice_idle_us", in(Unit::Microseconds, 0, 1000000),
            {}, 41),
    tunable("iosched/bfq/strict_guarantees", "queue/iosched/strict_guarantees", Toggle{}, caution, 39),
    tunable("iosched/bfq/timeout_sync", "queue/iosched/timeout_sync", milliseconds),
    tunable("iosched/kyber/read_lat_nsec", "queue/iosched/read_lat_nsec", nanoseconds),
    tunable("iosched/kyber/write_lat_nsec", "queue/iosched/write_lat_nsec", nanoseconds),
    tunable("iosched/mq-deadline/async_depth", "queue/iosched/async_depth", count(1, 2048)),
    tunable("iosched/mq-deadline/fifo_batch", "queue/iosched/fifo_batch", count(1, 1024)),
    tunable("iosched/mq-deadline/front_merges", "queue/iosched/front_merges", Toggle{}),
    tunable("iosched/mq-deadline/prio_aging_expire", "queue/iosched/prio_aging_expire", milliseconds),
    tunable("iosched/mq-deadline/read_expire", "queue/iosched/read_expire", milliseconds),
    tunable("iosched/mq-deadline/write_expire", "queue/iosched/write_expire", milliseconds),
    tunable("iosched/mq-deadline/writes_starved", "queue/iosched/writes_starved", count(1, 100)),
    queue("queue/add_random", 74, Toggle{}),
    queue("queue/async_depth", 30, count(1, 2048)),
    queue("queue/discard_max_bytes", 74, in(Unit::Bytes, 0, std::int64_t{1} << 41, 512)),
    queue("queue/iostats", 74, Toggle{}),
    queue("queue/max_sectors_kb", 60, in(Unit::KiB, 4, 65536)),
    queue("queue/nomerges", 90, count(0, 2)),
    queue("queue/nr_requests", 20, count(4, 2048)),
    onDisk(Domain::Queue, "queue/queue_depth", "device/queue_depth", count(1, 4096), 90, {}),
    queue("queue/read_ahead_kb", 80, in(Unit::KiB, 0, 32768, 4)),
    queue("queue/rotational", 70, Toggle{}, caution),
    queue("queue/rq_affinity", 90, count(0, 2)),
    queue("queue/scheduler", 10, Choice{schedulers}),
    // The kernel also takes -1 for its default and shows the number that this stands for; so does Diskwright.
    queue("queue/wbt_lat_usec", 50, in(Unit::Microseconds, 0, 10000000)),
    vm("vm/compaction_proactiveness", count(0, 100)),
    vm("vm/dirty_background_bytes", in(Unit::Bytes, 4096, mostDirtyBytes, 4096),
       {.pair = "vm/dirty_background_ratio"}, 110),
    vm("vm/dirty_background_ratio", in(Unit::Percent, 0, 100), {.pair = "vm/dirty_background_bytes"}, 110),
    vm("vm/dirty_bytes", in(Unit::Bytes, leastDirtyBytes, mostDirtyBytes, 4096), {.pair = "vm/dirty_ratio"},
       100),
    vm("vm/dirty_expire_centisecs", centiseconds, caution),
    vm("vm/dirty_ratio", in(Unit::Percent, 1, 100), {.pair = "vm/dirty_bytes"}, 100),
    vm("vm/dirty_writeback_centisecs", centiseconds, caution),
    vm("vm/dirtytime_expire_seconds", in(Unit::Seconds, 0, 604800)),
    vm("vm/laptop_mode", in(Unit::Seconds, 0, 600)),
    // The machine narrows it to one to four times its own default (helper/access/bounds.h).
    vm("vm/min_free_kbytes", in(Unit::KiB, 128, 4194304), caution),
    vm("vm/page-cluster", count(0, 8)),
    vm("vm/swappiness", count(0, 200), caution),
    vm("vm/vfs_cache_pressure", count(1, 1000)),
    vm("vm/watermark_boost_factor", count(0, 30000)),
    vm("vm/watermark_scale_factor", count(1, 1000), caution),
});

constexpr bool isSafeAttribute(std::string_view attribute)
{
    return !attribute.empty() && attribute.front() != '/' && attribute.back() != '/' &&
           std::ranges::all_of(attribute, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/';
           });
}

constexpr bool isSound(const SettingSpec &row)
{
    const auto *range = std::get_if<Range>(&row.accepts);
    const bool rangeIsSound =
        !range || (range->min <= range->max && range->step > 0 && range->min % range->step == 0);
    const bool choiceHasCodec =
        std::holds_alternative<Choice>(row.accepts) == (row.codec == Codec::BracketedChoice);
    const std::string_view folder = row.attribute.substr(0, row.attribute.find('/'));
    const bool isInPlace = row.domain == Domain::Vm ? folder == row.attribute
                           : row.domain == Domain::Bdi
                               ? folder == "bdi"
                               : folder == "queue" || (folder == "device" && row.domain == Domain::Queue);
    // Written after the rows that only show it rounded, it has the last word.
    const auto stored = std::ranges::find(rows, row.exact, &SettingSpec::id);
    const bool isExactSound = row.exact.empty() ? !row.drifts
                                                : stored != rows.end() && stored->exact.empty() &&
                                                      stored->order > row.order && row.pair.empty();
    return isSafeAttribute(row.attribute) && isInPlace && rangeIsSound && choiceHasCodec && isExactSound &&
           (row.domain == Domain::IoSched) == !row.scheduler.empty();
}

static_assert(std::ranges::is_sorted(rows, {}, &SettingSpec::id), "findSetting searches by halves");
static_assert(std::ranges::adjacent_find(rows, {}, &SettingSpec::id) == rows.end(), "ids are unique");
static_assert(std::ranges::all_of(rows, isSound), "a row that root may not follow");

struct NamedDomain {
    Domain domain;
    std::string_view name;
};
constexpr auto domains = std::to_array<NamedDomain>({{Domain::Queue, "queue"},
                                                     {Domain::IoSched, "iosched"},
                                                     {Domain::Bdi, "bdi"},
                                                     {Domain::Vm, "vm"},
                                                     {Domain::Mount, "mount"},
                                                     {Domain::Ata, "ata"},
                                                     {Domain::Link, "link"},
                                                     {Domain::Nvme, "nvme"}});

} // namespace

std::span<const SettingSpec> catalogue() noexcept
{
    return rows;
}

const SettingSpec *findSetting(std::string_view id) noexcept
{
    const auto found = std::ranges::lower_bound(rows, id, {}, &SettingSpec::id);
    return found != rows.end() && found->id == id ? &*found : nullptr;
}

const SettingSpec *findSetting(Domain domain, std::string_view key) noexcept
{
    const auto found = std::ranges::find_if(
        rows, [&](const SettingSpec &row) { return row.domain == domain && row.key == key; });
    return found != rows.end() ? &*found : nullptr;
}

bool isSameValue(const SettingSpec &one, const SettingSpec &other) noexcept
{
    const auto exactId = [](const SettingSpec &row) { return row.exact.empty() ? row.id : row.exact; };
    return one.pair == other.id || exactId(one) == exactId(other);
}

bool isForClasses(const SettingSpec &spec) noexcept
{
    return isPerDisk(spec.domain) && spec.keptBy != KeptBy::Nothing && spec.id != "queue/rotational";
}

bool isAsWanted(const SettingSpec &spec, const Value &wanted, const Value &current) noexcept
{
    const auto *want = std::get_if<std::int64_t>(&wanted);
    const auto *now = std::get_if<std::int64_t>(&current);
    if (!spec.drifts || !want || !now)
        return wanted == current;
    // A page, a millionth of any limit there is, and what the memory moves between two calls.
    const std::int64_t rounding = 2 * 4096 + *want / 64;
    return *now >= *want - rounding && *now <= *want + rounding;
}

bool resets(const SettingSpec &cause, const SettingSpec &row) noexcept
{
    if (cause.id == "queue/scheduler")
        return row.domain == Domain::IoSched || row.id == "queue/nr_requests" ||
               row.id == "queue/async_depth" || row.id == "queue/wbt_lat_usec";
    if (cause.id == "queue/nr_requests")
        return row.id == "queue/async_depth" || row.id == "iosched/mq-deadline/async_depth";
    return cause.id == "iosched/bfq/strict_guarantees" && row.id == "iosched/bfq/slice_idle_us";
}

bool disturbs(const SettingSpec &cause, const SettingSpec &row) noexcept
{
    static constexpr std::array<std::string_view, 5> limits{"queue/add_random", "queue/discard_max_bytes",
                                                            "queue/iostats", "queue/max_sectors_kb",
                                                            "queue/rotational"};
    return row.id == "queue/read_ahead_kb" && std::ranges::contains(limits, cause.id);
}

std::string_view name(Domain domain) noexcept
{
    const auto found = std::ranges::find(domains, domain, &NamedDomain::domain);
    return found != domains.end() ? found->name : std::string_view{};
}

std::optional<Domain> domainFromName(std::string_view name) noexcept
{
    const auto found = std::ranges::find(domains, name, &NamedDomain::name);
    return found != domains.end() ? std::optional(found->domain) : std::nullopt;
}

std::string_view name(Unit unit) noexcept
{
    switch (unit) {
    case Unit::None:
    case Unit::Count: return "";
    case Unit::KiB: return "KiB";
    case Unit::Bytes: return "bytes";
    case Unit::Percent: return "%";
    case Unit::Milliseconds: return "ms";
    case Unit::Microseconds: return "us";
    case Unit::Nanoseconds: return "ns";
    case Unit::Centiseconds: return "cs";
    case Unit::Seconds: return "s";
    }
    return "";
}

std::string_view name(Risk risk) noexcept
{
    switch (risk) {
    case Risk::Safe: return "safe";
    case Risk::Caution: return "caution";
    case Risk::DataLoss: return "data-loss";
    }
    return "data-loss";
}

std::span<const std::string_view> knownSchedulers() noexcept
{
    return schedulers;
}

} // namespace diskwright
