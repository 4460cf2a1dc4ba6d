// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonline.h"
#include "surroundings.h"
#include "workload.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace diskwright::engine {

/// The engine's conversation with whoever started it: one JSON object a line, requests in, events out. The
/// format is written down in docs/measuring.md. One request runs at a time, in a thread of its own, so that a
/// cancel or the end of the input is heard at any moment.
class Session final
{
public:
    /// \p in and \p out stay the caller's.
    Session(int in, int out);
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    /// Until the end of the input or a cancel. Does not return while a request runs: then it stops it, and if
    /// the kernel keeps it longer than 150 ms, ends the process, which frees the nameless test file as well.
    void run();

private:
    enum class Job { None, Prepare, Run };
    struct RunReport {
        Workload workload;
        RunOutcome outcome;
        Disturbance disturbance;
    };

    bool readInput();
    bool handle(std::string_view line);
    void prepare(const JsonLine &line);
    void startRun(const JsonLine &line);
    void finishJob();
    void reportProgress(bool everything);
    void reportRun(const RunReport &report);
    void stopJob();
    void send(const JsonWriter &event);
    void sendError(const Error &error);
    void start(Job job, std::function<void()> work);

    int m_in;
    int m_out;
    Descriptor m_done; ///< eventfd: the job is done
    std::string m_input;
    std::atomic<bool> m_stop = false;
    std::atomic<std::uint64_t> m_written = 0;
    std::uint64_t m_writtenTold = 0;
    std::uint64_t m_toWrite = 0;
    Job m_job = Job::None;
    std::jthread m_worker;
    std::shared_ptr<Collector> m_collector;
    std::shared_ptr<TestFile> m_file;
    Result<std::shared_ptr<TestFile>> m_prepared;
    Result<RunReport> m_result;
};

} // namespace diskwright::engine
