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
constexpr std::int64_t leastDirtyBytes = 2 * 4096;

// Bounds are tighter than the kernel's on purpose (Documentation/ABI/stable/sysfs-block,
// Documentation/block/deadline-iosched.rst, Documentation/admin-guide/sysctl/vm.rst).
constexpr auto rows = std::to_array<SettingSpec>({
    {.id = "iosched/mq-deadline/read_expire",
     .domain = Domain::IoSched,
     .key = "mq-deadline/read_expire",
     .attribute = "queue/iosched/read_expire",
     .accepts = Range{.min = 1, .max = 60000, .step = 1, .unit = Unit::Milliseconds},
     .keptBy = KeptBy::UdevRule,
     .order = 40,
     .scheduler = "mq-deadline",
     .pair = {}},
    {.id = "queue/nr_requests",
     .domain = Domain::Queue,
     .key = "nr_requests",
     .attribute = "queue/nr_requests",
     .accepts = Range{.min = 4, .max = 2048, .step = 1, .unit = Unit::Count},
     .keptBy = KeptBy::UdevRule,
     .order = 20,
     .scheduler = {},
     .pair = {}},
    {.id = "queue/read_ahead_kb",
     .domain = Domain::Queue,
     .key = "read_ahead_kb",
     .attribute = "queue/read_ahead_kb",
     .accepts = Range{.min = 0, .max = 32768, .step = 4, .unit = Unit::KiB},
     .keptBy = KeptBy::UdevRule,
     .order = 80,
     .scheduler = {},
     .pair = {}},
    {.id = "queue/scheduler",
     .domain = Domain::Queue,
     .key = "scheduler",
     .attribute = "queue/scheduler",
     .accepts = Choice{schedulers},
     .codec = Codec::BracketedChoice,
     .keptBy = KeptBy::UdevRule,
     .order = 10,
     .scheduler = {},
     .pair = {}},
    {.id = "vm/dirty_background_bytes",
     .domain = Domain::Vm,
     .key = "dirty_background_bytes",
     .attribute = "dirty_background_bytes",
     .accepts = Range{.min = 4096, .max = mostDirtyBytes, .step = 4096, .unit = Unit::Bytes},
     .keptBy = KeptBy::Sysctl,
     .order = 110,
     .scheduler = {},
     .pair = "vm/dirty_background_ratio"},
    {.id = "vm/dirty_background_ratio",
     .domain = Domain::Vm,
     .key = "dirty_background_ratio",
     .attribute = "dirty_background_ratio",
     .accepts = Range{.min = 0, .max = 100, .step = 1, .unit = Unit::Percent},
     .keptBy = KeptBy::Sysctl,
     .order = 110,
     .scheduler = {},
     .pair = "vm/dirty_background_bytes"},
    {.id = "vm/dirty_bytes",
     .domain = Domain::Vm,
     .key = "dirty_bytes",
     .attribute = "dirty_bytes",
     .accepts = Range{.min = leastDirtyBytes, .max = mostDirtyBytes, .step = 4096, .unit = Unit::Bytes},
     .keptBy = KeptBy::Sysctl,
     .order = 100,
     .scheduler = {},
     .pair = "vm/dirty_ratio"},
    {.id = "vm/dirty_ratio",
     .domain = Domain::Vm,
     .key = "dirty_ratio",
     .attribute = "dirty_ratio",
     .accepts = Range{.min = 1, .max = 100, .step = 1, .unit = Unit::Percent},
     .keptBy = KeptBy::Sysctl,
     .order = 100,
     .scheduler = {},
     .pair = "vm/dirty_bytes"},
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
    return isSafeAttribute(row.attribute) && rangeIsSound && choiceHasCodec &&
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
    case Unit::None: return "";
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
