// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/knowledge.h"
#include "app/disks/scaninstead.h"
#include "app/health/health.h"
#include "app/settings/observation.h"

#include <QString>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace diskwright::ui {

/// History and kept set. Read again only when their files changed: a thousand records take their time.
struct Records {
    History history;
    KeptSet kept;                   ///< as it was last read, if there is an error
    std::optional<Error> keptError; ///< the kept set is there, but can't be read now
    std::string historyStamp;       ///< of the folder; empty if there is none
    FirstValues firstValues;
};

/// Everything one reading of the machine found.
struct Reading {
    DiskList disks;
    std::map<std::string, std::vector<Observation>> settings; ///< by kernel name; "" is the machine's vm
    std::map<std::string, std::vector<Observation>> shown;    ///< the same of what is only shown
    std::shared_ptr<const Records> records;
    std::optional<StartStatus> start;                     ///< if it was asked for and could be read
    std::optional<Error> startError;                      ///< if it was asked for and could not be read
    std::optional<Error> error;                           ///< no disk could be listed, because
    std::optional<std::vector<health::Finding>> problems; ///< of all disks, if they were asked for
};

/// What a reading is to cover.
struct ReadingWish {
    std::vector<std::string> targets; ///< whose settings are read; "" is the machine's vm
    bool allDisks = false;            ///< and those of every disk that is not hidden
    bool allShown = false;            ///< and what is only shown of them
    bool startStatus = false;         ///< and whether kept settings hold
    bool problems = false;            ///< and what is wrong with the disks that are not hidden
    /// Disks that do not answer, as they were last seen. Nothing of them is read.
    std::map<std::string, BlockNode> silent;
    std::shared_ptr<const Records> known; ///< read before; may be null
    /// Called by the worker before a disk is read. Tests let a disk hang here.
    std::function<void(const std::string &)> beforeDisk;
};

/// Reads the tree at \p root ("/" is the live system). Blocks for as long as sysfs takes: for a worker.
[[nodiscard]] Reading readMachine(const QString &root, const ReadingWish &wish);
[[nodiscard]] Reading readMachine(const QString &root, const std::vector<std::string> &targets);

/// A copy of \p history with what is derived from it.
[[nodiscard]] std::shared_ptr<const Records> makeRecords(History history, KeptSet kept);

/// One reading in a thread of its own, which may be left behind: a disk can hang for half a minute, and no
/// signal ends the system call that waits for it.
class ReadingJob final
{
public:
    using Clock = std::chrono::steady_clock;
    struct Place {
        std::string disk; ///< kernel name; empty while no disk is being read
        Clock::time_point since;
    };

    /// \p ended is called from the thread, once, after the result is there.
    [[nodiscard]] static std::shared_ptr<ReadingJob>
    start(QString root, ReadingWish wish, std::function<void(std::shared_ptr<ReadingJob>)> ended = {});

    /// What is being read now, and since when.
    [[nodiscard]] Place place() const;
    /// False if it did not end in \p most.
    [[nodiscard]] bool waitFor(std::chrono::milliseconds most) const;
    /// The result, once it has ended; taken once.
    [[nodiscard]] Reading take();

private:
    void enter(const std::string &disk);

    mutable std::mutex m_mutex;
    mutable std::condition_variable m_wake;
    Place m_place;
    bool m_ended = false;
    Reading m_reading;
};

} // namespace diskwright::ui
