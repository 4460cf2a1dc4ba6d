// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace diskwright::ui {

/// Most answers are there by then, and nothing flickers; a person does not notice the wait.
inline constexpr std::chrono::milliseconds shortWait{50};

/// Runs \p work in a thread of its own and hands its result to \p then in the thread of \p receiver: at once
/// if it is there within shortWait, else from the event loop; never if \p receiver is gone by then. For what
/// reads files of disks: one that hangs must not hold the window up. \p work must use nothing that the window
/// owns.
template <typename Value>
void runAside(QObject *receiver, std::function<Value()> work, std::function<void(const Value &)> then)
{
    struct Mailbox {
        std::mutex mutex;
        std::condition_variable wake;
        QObject *receiver = nullptr; ///< null while it waits, and once it is gone
        std::optional<Value> value;
        std::function<void(const Value &)> then;
    };
    const auto mailbox = std::make_shared<Mailbox>();
    try {
        std::thread([mailbox, work = std::move(work)] {
            Value value = work();
            const std::scoped_lock lock(mailbox->mutex);
            mailbox->value = std::move(value);
            mailbox->wake.notify_all();
            if (mailbox->receiver)
                QMetaObject::invokeMethod(
                    mailbox->receiver, [mailbox] { mailbox->then(*mailbox->value); }, Qt::QueuedConnection);
        }).detach();
    } catch (const std::system_error &) {
        // No thread is to be had: the answer never comes, as with a disk that hangs.
        return;
    }
    std::unique_lock lock(mailbox->mutex);
    if (mailbox->wake.wait_for(lock, shortWait, [&] { return mailbox->value.has_value(); })) {
        lock.unlock();
        then(*mailbox->value);
        return;
    }
    mailbox->then = std::move(then);
    mailbox->receiver = receiver;
    QObject::connect(receiver, &QObject::destroyed, receiver, [mailbox] {
        const std::scoped_lock gone(mailbox->mutex);
        mailbox->receiver = nullptr;
    });
}

} // namespace diskwright::ui
