// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bounds.h"

#include "schedulers.h"

#include <algorithm>
#include <charconv>

namespace diskwright {

namespace {

// The first decimal number at or after a place in a text.
std::optional<std::int64_t> numberAt(std::string_view text, std::size_t at)
{
    at = text.find_first_not_of(' ', at);
    std::int64_t value = 0;
    if (at == std::string_view::npos ||
        std::from_chars(text.data() + at, text.data() + text.size(), value).ec != std::errc{})
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> numberIn(const Directory &folder, std::string_view attribute)
{
    const auto text = folder.read(attribute);
    return text ? numberAt(*text, 0) : std::nullopt;
}

Result<SettingSpec> within(SettingSpec spec, std::int64_t least, std::int64_t most, std::string reason)
{
    auto &range = std::get<Range>(spec.accepts);
    range.min = std::max(range.min, least);
    range.max = std::min(range.max, most);
    if (range.max < range.min)
        return fail(Errc::ReadOnly, std::string(spec.id), std::move(reason));
    return spec;
}

// block/blk-mq.c: without a scheduler requests are the driver's own tags.
Result<SettingSpec> requests(const Directory &disk, const SettingSpec &spec, std::string_view scheduler)
{
    const auto tags = scheduler == "none" ? numberIn(disk, "mq/0/nr_tags") : std::nullopt;
    if (!tags)
        return spec;
    return within(spec, 0, *tags,
                  "without a scheduler this device takes " + std::to_string(*tags) +
                      " at once, no more and no less");
}

// block/blk-sysfs.c: not above what the hardware takes, and on its grid.
Result<SettingSpec> discards(const Directory &disk, SettingSpec spec)
{
    const std::int64_t most = numberIn(disk, "queue/discard_max_hw_bytes").value_or(0);
    if (most <= 0)
        return fail(Errc::ReadOnly, std::string(spec.id), "this device can't discard");
    auto &range = std::get<Range>(spec.accepts);
    range.max = std::min(range.max, most);
    range.step = std::max(range.step, numberIn(disk, "queue/discard_granularity").value_or(0));
    if (numberIn(disk, spec.attribute).value_or(0) % range.step != 0)
        return fail(Errc::ReadOnly, std::string(spec.id),
                    "the kernel would not take its present value back, since it is no multiple of " +
                        std::to_string(range.step));
    return spec;
}

// What khugepaged asks for: eleven free blocks of huge pages in every zone that ordinary memory comes from,
// but a twentieth of the memory at most (mm/khugepaged.c, set_recommended_min_free_kbytes).
std::int64_t reserveForHugePages(const SystemRoot &root, std::int64_t totalKiB)
{
    const auto folder = root.directory("sys/kernel/mm/transparent_hugepage");
    const auto bytes = folder ? numberIn(*folder, "hpage_pmd_size") : std::nullopt;
    const std::string zones = root.readFile("proc/buddyinfo").value_or(std::string());
    if (!bytes || folder->read("enabled").value_or(std::string()).contains("[never]"))
        return 0;
    std::int64_t count = 0;
    for (std::size_t at = zones.find("zone"); at != std::string::npos; at = zones.find("zone", at + 4)) {
        const std::string_view rest = std::string_view(zones).substr(at, 24);
        if (!rest.contains("Movable") && !rest.contains("Device"))
            ++count;
    }
    return std::min(count * 11 * (*bytes / 1024), totalKiB / 20);
}

// The whole part, as the kernel's int_sqrt(); by halves, so that root's programs need no library for it.
std::int64_t squareRoot(std::int64_t number)
{
    std::int64_t low = 0;
    std::int64_t high = std::int64_t{1} << 31;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (middle * middle <= number ? low : high) = middle;
    }
    return low;
}

// The kernel's own default is four times the root of the memory (mm/page_alloc.c, calculate_min_free_kbytes),
// or what huge pages need if that is more. One to four times it, and no more than a twentieth of the memory.
Result<SettingSpec> reserve(const SystemRoot &root, const SettingSpec &spec)
{
    constexpr std::string_view key = "MemTotal:";
    const std::string memory = root.readFile("proc/meminfo").value_or(std::string());
    const std::size_t line = memory.find(key);
    const auto total = line == std::string::npos ? std::nullopt : numberAt(memory, line + key.size());
    if (!total || *total <= 0)
        return fail(Errc::Internal, std::string(spec.id), "the size of the memory can't be read");
    const auto least = std::clamp(squareRoot(std::min(*total, std::int64_t{1} << 58) * 16), std::int64_t{128},
                                  std::int64_t{262144});
    const std::int64_t usual = std::max(least, reserveForHugePages(root, *total));
    return within(spec, least, std::min(4 * usual, std::max(usual, *total / 20)),
                  "this machine has too little memory");
}

// From 7.0 on the kernel takes the number and does nothing with it.
Result<SettingSpec> laptopMode(const SystemRoot &root, const SettingSpec &spec)
{
    if (numberAt(kernelRelease(root), 0).value_or(0) >= 7)
        return fail(Errc::ReadOnly, std::string(spec.id), "this kernel accepts it and does nothing with it");
    return spec;
}

} // namespace

Result<SettingSpec> narrowed(const SystemRoot &root, const Directory &anchor, const SettingSpec &spec,
                             std::string_view scheduler)
{
    if (spec.id == "queue/nr_requests")
        return requests(anchor, spec, scheduler);
    if (spec.id == "queue/discard_max_bytes")
        return discards(anchor, spec);
    if (spec.id == "queue/max_sectors_kb")
        return within(spec, 0, numberIn(anchor, "queue/max_hw_sectors_kb").value_or(INT64_MAX),
                      "this device takes requests of one size only");
    if (spec.id == "vm/min_free_kbytes")
        return reserve(root, spec);
    if (spec.id == "vm/laptop_mode")
        return laptopMode(root, spec);
    return spec;
}

} // namespace diskwright
