// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "writeback.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <unistd.h>

namespace diskwright::ui {

// "Name:   123 kB" and "name 123": the number behind a name at the start of a line.
static std::optional<double> numberAfter(const std::string &text, std::string_view name)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line(text.data() + at, end - at);
        if (line.starts_with(name)) {
            const std::size_t digit = line.find_first_of("0123456789", name.size());
            std::int64_t value = 0;
            if (digit != std::string_view::npos &&
                std::from_chars(line.data() + digit, line.data() + line.size(), value).ec == std::errc())
                return static_cast<double>(value);
        }
        at = end + 1;
    }
    return std::nullopt;
}

std::optional<WritebackSample> readWriteback(const SystemRoot &root)
{
    const auto memory = root.readFile("proc/meminfo");
    const auto counters = root.readFile("proc/vmstat");
    if (!memory || !counters)
        return std::nullopt;
    const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
    const auto kib = [&](std::string_view name) { return numberAfter(*memory, name).value_or(0) * 1024; };
    const auto pages = [&](std::string_view name) { return numberAfter(*counters, name).value_or(0) * page; };
    WritebackSample sample;
    sample.dirty = kib("Dirty:");
    sample.writeback = kib("Writeback:");
    sample.total = kib("MemTotal:");
    sample.limit = pages("nr_dirty_threshold ");
    sample.backgroundLimit = pages("nr_dirty_background_threshold ");
    sample.dirtyable = pages("nr_free_pages ") + pages("nr_inactive_file ") + pages("nr_active_file ");
    return sample;
}

void WritebackHistory::add(const WritebackSample &sample)
{
    m_samples.push_back(sample);
    if (m_samples.size() > length)
        m_samples.pop_front();
}

static std::optional<double> limitInBytes(const SettingListModel &vm, int row, double dirtyable)
{
    const auto value = vm.shownValue(row);
    const auto *integer = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    if (!integer)
        return std::nullopt;
    const auto *range = std::get_if<Range>(&vm.shownUnit(row).spec->accepts);
    if (!range)
        return std::nullopt;
    const auto amount = static_cast<double>(*integer);
    return range->unit == Unit::Percent ? amount / 100 * dirtyable : amount;
}

WritebackLimits limitsWith(const SettingListModel &vm, const WritebackSample &now)
{
    WritebackLimits limits{now.limit, now.backgroundLimit, false};
    // The kernel knows its dirtyable memory exactly while a limit is a percentage of it.
    double dirtyable = now.dirtyable;
    for (int row = 0; row < vm.rowCount(); ++row) {
        const Observation &unit = vm.entry(row).now();
        const auto *range = std::get_if<Range>(&unit.spec->accepts);
        const auto *percent = unit.value ? std::get_if<std::int64_t>(&*unit.value) : nullptr;
        if (range && range->unit == Unit::Percent && percent && *percent > 0) {
            const bool background = unit.spec->id.find("background") != std::string_view::npos;
            dirtyable = (background ? now.backgroundLimit : now.limit) * 100 / static_cast<double>(*percent);
            break;
        }
    }
    for (int row = 0; row < vm.rowCount(); ++row) {
        if (!vm.stagedEdit(row))
            continue;
        const auto bytes = limitInBytes(vm, row, dirtyable);
        const std::string_view id = vm.shownUnit(row).spec->id;
        if (!bytes || !id.starts_with("vm/dirty_"))
            continue;
        limits.staged = true;
        (id.find("background") != std::string_view::npos ? limits.background : limits.limit) = *bytes;
    }
    // mm/page-writeback.c, domain_dirty_limits: a background limit at or above the other counts as its half.
    if (limits.background >= limits.limit)
        limits.background = limits.limit / 2;
    return limits;
}

} // namespace diskwright::ui
