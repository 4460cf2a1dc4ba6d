// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "surroundings.h"

#include "clock.h"

#include <algorithm>
#include <format>
#include <fstream>
#include <ranges>
#include <sstream>

namespace diskwright::engine {
namespace {

constexpr std::uint64_t sectorBytes = 512; // the unit of /proc/diskstats whatever the device
constexpr double foreignShare = 0.02;      // of our own bytes
constexpr std::uint64_t foreignBytesAllowed = 1'048'576;
constexpr double servedShare = 0.99;
constexpr double cpuWaitAllowed = 0.20;
constexpr double memoryWaitAllowed = 0.02;
constexpr double stolenAllowed = 0.05;

/// Whether the disk, or the one that the partition lies on, is told not to count.
bool isNotCounting(const std::string &root, const std::string &name)
{
    for (const char *place : {"/queue/iostats", "/../queue/iostats"}) {
        std::ifstream file(std::format("{}/sys/class/block/{}{}", root, name, place));
        int counts = 1;
        if (file >> counts)
            return counts == 0;
    }
    return false;
}

void lookAtDisks(Moment &moment, const std::vector<std::string> &disks, const std::string &root)
{
    std::vector<std::string> shown = disks;
    // The kernel shows a name's '/' as '!' in sysfs only.
    for (std::string &name : shown)
        std::ranges::replace(name, '!', '/');
    std::ifstream file(root + "/proc/diskstats");
    std::size_t found = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::uint64_t major = 0, minor = 0, reads = 0, merged = 0, readSectors = 0, time = 0, writes = 0,
                      writesMerged = 0, writtenSectors = 0;
        std::string name;
        if (!(fields >> major >> minor >> name >> reads >> merged >> readSectors >> time >> writes >>
              writesMerged >> writtenSectors) ||
            !std::ranges::contains(shown, name))
            continue;
        moment.readBytes += readSectors * sectorBytes;
        moment.writtenBytes += writtenSectors * sectorBytes;
        ++found;
    }
    moment.countersOff =
        std::ranges::any_of(disks, [&](const std::string &name) { return isNotCounting(root, name); });
    moment.disksKnown = found == disks.size() && found != 0 && !moment.countersOff;
}

std::optional<std::uint64_t> pressure(const std::string &path)
{
    std::ifstream file(path);
    for (std::string word; file >> word && word != "full";)
        if (word.starts_with("total="))
            return std::strtoull(word.c_str() + 6, nullptr, 10);
    return std::nullopt;
}

void lookAtProcessors(Moment &moment, const std::string &root)
{
    std::ifstream file(root + "/proc/stat");
    std::string word;
    file >> word; // "cpu"
    // user nice system idle iowait irq softirq steal; guest times are part of user's
    for (int field = 0; field < 8; ++field) {
        std::uint64_t ticks = 0;
        if (!(file >> ticks))
            return;
        moment.allTicks += ticks;
        if (field == 7)
            moment.stolenTicks = ticks;
    }
}

std::optional<double> share(std::optional<std::uint64_t> before, std::optional<std::uint64_t> after,
                            double whole)
{
    if (!before || !after || *after < *before || whole <= 0)
        return std::nullopt;
    return static_cast<double>(*after - *before) / whole;
}

} // namespace

Moment look(const std::vector<std::string> &disks, const std::string &root)
{
    Moment moment;
    moment.time = now();
    lookAtDisks(moment, disks, root);
    moment.cpuWaitMicroseconds = pressure(root + "/proc/pressure/cpu");
    moment.memoryWaitMicroseconds = pressure(root + "/proc/pressure/memory");
    lookAtProcessors(moment, root);
    return moment;
}

Disturbance judge(const Moment &before, const Moment &after, std::uint64_t ownBytes,
                  std::uint64_t toleranceBytes, bool direct)
{
    Disturbance result;
    const double microseconds = static_cast<double>(after.time - before.time) / 1000;
    result.cpuWaitShare = share(before.cpuWaitMicroseconds, after.cpuWaitMicroseconds, microseconds);
    result.memoryWaitShare = share(before.memoryWaitMicroseconds, after.memoryWaitMicroseconds, microseconds);
    result.stolenShare =
        share(before.stolenTicks, after.stolenTicks, static_cast<double>(after.allTicks - before.allTicks));
    if (before.disksKnown && after.disksKnown && after.readBytes >= before.readBytes &&
        after.writtenBytes >= before.writtenBytes) {
        const std::uint64_t read = after.readBytes - before.readBytes;
        const double limit =
            std::max(static_cast<double>(ownBytes) * foreignShare, static_cast<double>(foreignBytesAllowed));
        result.foreignReadBytes = read > ownBytes ? read - ownBytes : 0;
        result.foreignWrittenBytes = after.writtenBytes - before.writtenBytes;
        if (static_cast<double>(*result.foreignReadBytes) > limit + static_cast<double>(toleranceBytes))
            result.reasons.emplace_back("foreign-reads");
        if (static_cast<double>(*result.foreignWrittenBytes) > limit)
            result.reasons.emplace_back("foreign-writes");
        if (direct && static_cast<double>(read) < static_cast<double>(ownBytes) * servedShare)
            result.reasons.emplace_back("not-served-by-device");
    } else {
        result.reasons.emplace_back(before.countersOff || after.countersOff ? "counters-off"
                                                                            : "device-unknown");
    }
    if (result.cpuWaitShare.value_or(0) > cpuWaitAllowed)
        result.reasons.emplace_back("cpu-busy");
    if (result.memoryWaitShare.value_or(0) > memoryWaitAllowed)
        result.reasons.emplace_back("memory-short");
    if (result.stolenShare.value_or(0) > stolenAllowed)
        result.reasons.emplace_back("cpu-stolen");
    return result;
}

} // namespace diskwright::engine
