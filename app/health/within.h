// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace diskwright::health {

template <class Value>
std::optional<Value> within(std::chrono::milliseconds time, std::function<Value()> work)
{
    struct Shared {
        std::mutex mutex;
        std::condition_variable done;
        std::optional<Value> value;
    };
    const auto shared = std::make_shared<Shared>();
    // Detached: a call that hangs in the kernel can't be ended, and nothing of the caller's is used in it.
    std::thread([shared, work = std::move(work)] {
        Value value = work();
        const std::lock_guard lock(shared->mutex);
        shared->value = std::move(value);
        shared->done.notify_one();
    }).detach();
    std::unique_lock lock(shared->mutex);
    shared->done.wait_for(lock, time, [&] { return shared->value.has_value(); });
    return std::move(shared->value);
}

} // namespace diskwright::health
