// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurement.h"

#include "app/settings/texts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace diskwright::bench {
namespace {

constexpr int briefSettle = 200;
constexpr int schedulerSettle = 1000; // a scheduler estimates the disk's speed anew after a switch

constexpr const char *readingInOrder = "seq1m-q1t1-read";
constexpr const char *readingAtRandom = "rnd4k-q32t1-read";

constexpr std::array<std::string_view, 8> ofTheQueue{"add_random",  "io_poll",     "nomerges",
                                                     "nr_requests", "queue_depth", "rotational",
                                                     "rq_affinity", "scheduler"};
constexpr std::array<std::string_view, 3> ofWritesInTheQueue{"async_depth", "wbt_lat_usec", "write_cache"};
constexpr std::array<std::string_view, 2> writingTests{"write-storm", "fsync"};

Result<Fitting> fit(const char *id, int settleMilliseconds)
{
    const auto test = findTest(QString::fromLatin1(id));
    if (!test)
        return std::unexpected(test.error());
    return Fitting{*test, settleMilliseconds};
}

std::unexpected<Error> notShown(const Address &setting, std::string reason)
{
    return fail(Errc::NotOffered, toText(setting), std::move(reason),
                "a setting that reading shows: read-ahead, the scheduler or the queue of a disk");
}

std::unexpected<Error> onlyWriting(const Address &setting)
{
    return notShown(setting, "only writing shows this, and there is no writing test yet");
}

/// The row of an address, whose key may lack the scheduler before it is resolved.
const SettingSpec *specOf(const Address &setting)
{
    if (const SettingSpec *exact = findSetting(setting.domain, setting.key))
        return exact;
    const auto rows = catalogue();
    const auto found = std::ranges::find_if(rows, [&](const SettingSpec &row) {
        return setting.domain == Domain::IoSched && row.domain == Domain::IoSched &&
               row.key.substr(row.key.find('/') + 1) == setting.key;
    });
    return found != rows.end() ? &*found : nullptr;
}

/// The test that its texts wish for, also one that does not exist yet.
std::string_view wishedTest(const Address &setting)
{
    const SettingSpec *spec = specOf(setting);
    const SettingText *text = spec ? findText(spec->id) : nullptr;
    return text ? text->benchmark : std::string_view{};
}

Result<Fitting> fittingQueueTest(const Address &setting)
{
    if (setting.key == "read_ahead_kb" || setting.key == "max_sectors_kb")
        return fit(readingInOrder, briefSettle);
    if (std::ranges::contains(ofTheQueue, setting.key))
        return fit(readingAtRandom, setting.key == "scheduler" ? schedulerSettle : briefSettle);
    if (std::ranges::contains(ofWritesInTheQueue, setting.key))
        return onlyWriting(setting);
    if (setting.key == "iostats")
        return notShown(setting, "it switches off the counters that a test is checked by");
    return notShown(setting, "no test shows this setting");
}

Result<Fitting> fittingSchedulerTest(const Address &setting)
{
    const std::string_view key = setting.key;
    if (std::ranges::contains(writingTests, wishedTest(setting)) || key.contains("write") ||
        key.contains("async"))
        return onlyWriting(setting);
    if (key.contains("discard"))
        return notShown(setting, "no test shows this setting");
    return fit(readingAtRandom, briefSettle);
}

} // namespace

Result<Fitting> fittingTest(const Address &setting)
{
    switch (setting.domain) {
    case Domain::Queue: return fittingQueueTest(setting);
    case Domain::IoSched: return fittingSchedulerTest(setting);
    case Domain::Bdi: return onlyWriting(setting);
    case Domain::Vm:
    case Domain::Mount:
    case Domain::Ata:
    case Domain::Link:
    case Domain::Nvme: break;
    }
    return std::ranges::contains(writingTests, wishedTest(setting))
               ? onlyWriting(setting)
               : notShown(setting, "no test shows this setting");
}

Result<void> canShow(const TestSpec &test, const Address &setting)
{
    const auto fitting = fittingTest(setting);
    if (!fitting)
        return std::unexpected(fitting.error());
    if (setting.domain == Domain::Queue && setting.key == "read_ahead_kb" && test.direct)
        return fail(Errc::Conflict, test.id, "read-ahead does nothing to direct reads", fitting->test.id);
    if (test.random != fitting->test.random)
        return fail(Errc::Conflict, test.id,
                    test.random ? "reading at random places does not show this"
                                : "reading in order does not show this",
                    fitting->test.id);
    return {};
}

} // namespace diskwright::bench
