// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"

#include <cerrno>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace diskwright {

/// Runs \p job on another thread. True once it is done; false if it takes too long, or if an earlier job for
/// the same disk (its folder's descriptor) did and has not come back: the job is then left to itself, or not
/// begun. Errors: Kernel with ENOMEM, no thread to be had.
[[nodiscard]] Result<bool> isDoneInTime(int disk, std::function<void()> job);

/// What reads or writes a file of a disk: it may wait for the disk, which nobody can interrupt, and then must
/// hold up nobody but itself. \p access gets a directory of its own, for it may outlive the caller's. Errors
/// also: Kernel with ETIMEDOUT for a disk that does not answer.
template <class T, class Access>
Result<T> patiently(const Directory &disk, std::string_view what, Access access)
{
    auto own = disk.below(".");
    if (!own)
        return std::unexpected(own.error());
    struct Job {
        Directory directory;
        std::optional<Result<T>> result;
    };
    const auto job = std::make_shared<Job>(std::move(*own), std::nullopt);
    const auto done =
        isDoneInTime(disk.fd(), [job, access = std::move(access)] { job->result = access(job->directory); });
    if (!done)
        return std::unexpected(done.error());
    if (!*done)
        return fail(Errc::Kernel, printable(what), "the disk does not answer", {}, ETIMEDOUT);
    return std::move(*job->result);
}

/// Whether a job that was given up still waits for its disk. A process that ends now would not be gone: it
/// would keep its name on the bus until the disk answers.
[[nodiscard]] bool isAnyDiskSilent();

/// How long a disk may take over one file: half a minute, unless a test is in a hurry.
void setPatience(std::chrono::milliseconds patience);

} // namespace diskwright
