// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reading.h"

#include "app/apply/trialstore.h"

#include <algorithm>
#include <sys/stat.h>
#include <thread>

namespace diskwright::ui {

namespace {

// Records are replaced as whole files, so the folder's time changes with every one of them.
std::string stampOf(const QString &root)
{
    struct stat information = {};
    const QByteArray path = (root + QStringLiteral("/var/lib/diskwright/history")).toLocal8Bit();
    if (::stat(path.constData(), &information) != 0)
        return {};
    return std::to_string(information.st_ino) + ' ' + std::to_string(information.st_mtim.tv_sec) + '.' +
           std::to_string(information.st_mtim.tv_nsec);
}

std::shared_ptr<const Records> readRecords(const QString &root, const std::shared_ptr<const Records> &known)
{
    auto records = std::make_shared<Records>();
    records->historyStamp = stampOf(root);
    // Rights can change without the folder's time.
    if (known && known->historyStamp == records->historyStamp && !known->history.error) {
        records->history = known->history;
        records->firstValues = known->firstValues;
    } else {
        records->history = readHistory(root);
        records->firstValues = firstValuesOf(records->history, currentBootId());
    }
    if (auto kept = readKeptSet(root)) {
        records->kept = std::move(*kept);
    } else {
        // It is not "nothing is kept": what was seen last is the best that is known.
        records->keptError = kept.error();
        if (known)
            records->kept = known->kept;
    }
    if (known && known->historyStamp == records->historyStamp && known->kept.sha256 == records->kept.sha256 &&
        known->kept.useAtStart == records->kept.useAtStart && known->keptError == records->keptError &&
        known->history.error == records->history.error)
        return known;
    return records;
}

/// What hangs is noticed by the disk that was entered.
std::vector<health::Finding> readProblems(const SystemRoot &tree, const DiskList &disks,
                                          const ReadingWish &wish,
                                          const std::function<void(const std::string &)> &enter)
{
    std::vector<health::Finding> problems;
    for (const BlockNode &disk : disks.disks()) {
        if (disk.hiddenByDefault || wish.silent.contains(disk.name))
            continue;
        enter(disk.name);
        for (health::Finding &found : health::problemsOf(tree, disks, disk)) {
            // An array that stands on another one is found with both.
            const bool isKnown = std::ranges::any_of(problems, [&](const health::Finding &one) {
                return one.id == found.id && one.device == found.device;
            });
            if (!isKnown)
                problems.push_back(std::move(found));
        }
    }
    return problems;
}

Reading read(const QString &root, const ReadingWish &wish,
             const std::function<void(const std::string &)> &enter)
{
    Reading reading;
    auto tree = root == QStringLiteral("/") ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    if (!tree) {
        reading.error = tree.error();
        return reading;
    }
    auto disks = scanDisks(*tree, [&](const std::string &name) -> std::optional<BlockNode> {
        if (const auto silent = wish.silent.find(name); silent != wish.silent.end())
            return silent->second;
        enter(name);
        return std::nullopt;
    });
    enter({});
    if (!disks) {
        reading.error = disks.error();
        return reading;
    }
    reading.disks = std::move(*disks);
    reading.records = readRecords(root, wish.known);
    const Knowledge knowledge = knowledgeOf(*tree, reading.records->kept, reading.records->firstValues);
    const auto isNamed = [&](const std::string &target) {
        return std::ranges::find(wish.targets, target) != wish.targets.end();
    };
    if (isNamed({})) {
        reading.settings[{}] = observeVm(*tree, knowledge);
        reading.shown[{}] = observeShownVm(*tree);
    }
    for (const BlockNode &disk : reading.disks.disks()) {
        const bool named = isNamed(disk.name);
        const bool among = wish.allDisks && !disk.hiddenByDefault;
        if (wish.silent.contains(disk.name) || (!named && !among))
            continue;
        enter(disk.name);
        reading.settings[disk.name] = observe(*tree, disk, knowledge);
        if (named || wish.allShown)
            reading.shown[disk.name] = observeShown(*tree, disk);
    }
    if (wish.problems)
        reading.problems = readProblems(*tree, reading.disks, wish, enter);
    enter({});
    // It reads the disks of kept settings by itself, one by one and unwatched. Where nothing is kept that is
    // said too: else what held before would be shown on.
    if (wish.startStatus && (wish.silent.empty() || reading.records->kept.items.empty())) {
        if (auto start = readStartStatus(root))
            reading.start = std::move(*start);
        else
            reading.startError = start.error();
    }
    return reading;
}

} // namespace

std::shared_ptr<const Records> makeRecords(History history, KeptSet kept)
{
    auto records = std::make_shared<Records>();
    records->firstValues = firstValuesOf(history, currentBootId());
    records->history = std::move(history);
    records->kept = std::move(kept);
    return records;
}

Reading readMachine(const QString &root, const ReadingWish &wish)
{
    return read(root, wish, [](const std::string &) {});
}

Reading readMachine(const QString &root, const std::vector<std::string> &targets)
{
    ReadingWish wish;
    wish.targets = targets;
    return readMachine(root, wish);
}

std::shared_ptr<ReadingJob> ReadingJob::start(QString root, ReadingWish wish,
                                              std::function<void(std::shared_ptr<ReadingJob>)> ended)
{
    auto job = std::make_shared<ReadingJob>();
    job->m_place.since = Clock::now();
    std::thread([job, root = std::move(root), wish = std::move(wish), ended = std::move(ended)] {
        Reading reading = read(root, wish, [&](const std::string &disk) {
            job->enter(disk);
            if (wish.beforeDisk && !disk.empty())
                wish.beforeDisk(disk);
        });
        {
            const std::scoped_lock lock(job->m_mutex);
            job->m_reading = std::move(reading);
            job->m_ended = true;
        }
        job->m_wake.notify_all();
        if (ended)
            ended(job);
    }).detach();
    return job;
}

void ReadingJob::enter(const std::string &disk)
{
    const std::scoped_lock lock(m_mutex);
    m_place = {disk, Clock::now()};
}

ReadingJob::Place ReadingJob::place() const
{
    const std::scoped_lock lock(m_mutex);
    return m_place;
}

bool ReadingJob::waitFor(std::chrono::milliseconds most) const
{
    std::unique_lock lock(m_mutex);
    return m_wake.wait_for(lock, most, [this] { return m_ended; });
}

Reading ReadingJob::take()
{
    const std::scoped_lock lock(m_mutex);
    return std::move(m_reading);
}

} // namespace diskwright::ui
