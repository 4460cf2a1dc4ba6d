// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "patience.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace diskwright {

namespace {

using namespace std::chrono_literals;

// The number of its folder, which no other disk has while it is there.
using Disk = std::pair<dev_t, ino_t>;

struct Worker {
    std::condition_variable changed;
    std::function<void()> job;
    Disk disk;
    bool done = false;
    bool givenUp = false;
};

struct Workers {
    std::mutex mutex;
    std::vector<std::shared_ptr<Worker>> idle;
    std::multiset<Disk> silent;
    std::chrono::milliseconds patience = 30s;
};

// Never destroyed: a thread that waits in the kernel outlives main().
Workers &workers()
{
    static auto *const all = new Workers;
    return *all;
}

[[noreturn]] void serve(const std::shared_ptr<Worker> &worker)
{
    Workers &all = workers();
    std::unique_lock lock(all.mutex);
    for (;;) {
        worker->changed.wait(lock, [&] { return worker->job != nullptr; });
        auto job = std::exchange(worker->job, nullptr);
        lock.unlock();
        job();
        job = nullptr;
        lock.lock();
        worker->done = true;
        if (std::exchange(worker->givenUp, false)) {
            all.silent.erase(all.silent.find(worker->disk));
            all.idle.push_back(worker);
        }
        worker->changed.notify_all();
    }
}

} // namespace

Result<bool> isDoneInTime(int disk, std::function<void()> job)
{
    struct stat folder = {};
    if (fstat(disk, &folder) != 0)
        return fail(Errc::Kernel, {}, "its folder can't be looked at", {}, errno);
    Workers &all = workers();
    std::unique_lock lock(all.mutex);
    const Disk which{folder.st_dev, folder.st_ino};
    if (all.silent.contains(which))
        return false;
    std::shared_ptr<Worker> worker;
    if (!all.idle.empty()) {
        worker = std::move(all.idle.back());
        all.idle.pop_back();
    } else {
        worker = std::make_shared<Worker>();
        try {
            std::thread([worker] { serve(worker); }).detach();
        } catch (const std::system_error &) {
            return fail(Errc::Kernel, {}, "no thread to be had", {}, ENOMEM);
        }
    }
    worker->disk = which;
    worker->done = false;
    worker->job = std::move(job);
    worker->changed.notify_all();
    if (worker->changed.wait_for(lock, all.patience, [&] { return worker->done; })) {
        all.idle.push_back(std::move(worker));
        return true;
    }
    worker->givenUp = true;
    all.silent.insert(which);
    return false;
}

bool isAnyDiskSilent()
{
    Workers &all = workers();
    const std::scoped_lock lock(all.mutex);
    return !all.silent.empty();
}

void setPatience(std::chrono::milliseconds patience)
{
    Workers &all = workers();
    const std::scoped_lock lock(all.mutex);
    all.patience = patience;
}

} // namespace diskwright
