// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "deadline.h"

#include <algorithm>
#include <ctime>
#include <poll.h>
#include <syslog.h>

namespace diskwright {

namespace {

constexpr int pollMilliseconds = 500;

// However long it takes: whoever holds the lock may hang in the kernel, and the deadline stands all the same.
Result<Descriptor> lockPatiently(const JournalStore &journals)
{
    for (;;) {
        auto lock = journals.lock();
        if (lock || lock.error().code != Errc::Busy)
            return lock;
        constexpr timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
        nanosleep(&pause, nullptr);
    }
}

// Why the waiting is over. Only the pipe's end ends a lease early: a journal that can't be read says nothing.
enum class Wake : std::uint8_t { IsOver, ToBeLookedAt, ClientIsGone };

Wake waitFor(const JournalStore &journals, const std::string &transaction, int pipe)
{
    for (;;) {
        const auto journal = loadJournal(journals.state(), Folder::Open, transaction);
        if (!journal)
            return journal.error().code == Errc::UnknownTransaction ? Wake::IsOver : Wake::ToBeLookedAt;
        const std::uint64_t now = boottimeNanoseconds();
        const bool passed = now >= journal->deadlineBoottimeNanoseconds;
        if (passed || journal->bootId != journals.bootId())
            return Wake::ToBeLookedAt;
        const std::uint64_t left = (journal->deadlineBoottimeNanoseconds - now) / 1'000'000 + 1;
        pollfd watched{.fd = pipe, .events = POLLIN, .revents = 0};
        if (poll(&watched, 1, static_cast<int>(std::min<std::uint64_t>(left, pollMilliseconds))) > 0)
            return Wake::ClientIsGone;
    }
}

void log(const std::string &transaction, std::string_view what)
{
    syslog(LOG_NOTICE, "transaction %s: %.*s", printable(transaction, 40).c_str(),
           static_cast<int>(what.size()), what.data());
}

} // namespace

int endAtDeadline(const JournalStore &journals, const std::string &transaction, int pipe)
{
    if (!transactionIdFromHex(transaction))
        return 1;
    for (Wake wake = waitFor(journals, transaction, pipe); wake != Wake::IsOver;
         wake = waitFor(journals, transaction, pipe)) {
        const auto lock = lockPatiently(journals);
        if (!lock)
            return 1;
        // Under the lock everything is looked at again: it may be confirmed, ended or prolonged meanwhile.
        auto journal = loadJournal(journals.state(), Folder::Open, transaction);
        const bool isLost = wake == Wake::ClientIsGone && journal &&
                            journal->kind == TransactionKind::Lease &&
                            journal->state == JournalState::Pending && journal->bootId == journals.bootId();
        if (isLost) {
            const bool ended = journals.end(*journal);
            log(transaction, name(journal->outcome));
            return ended ? 0 : 1;
        }
        for (const std::string &line : journals.recover())
            log(transaction, line);
        journal = loadJournal(journals.state(), Folder::Open, transaction);
        const bool isOver = !journal && journal.error().code == Errc::UnknownTransaction;
        if (!isOver && (!journal || journal->state != JournalState::Pending))
            return 1;
    }
    return 0;
}

int resumeDeadlines(const JournalStore &journals)
{
    std::vector<Journal> open;
    {
        const auto lock = lockPatiently(journals);
        if (!lock)
            return 1;
        for (const std::string &line : journals.recover())
            log("resume", line);
        auto pending = journals.pending();
        if (!pending)
            return 1;
        open = std::move(*pending);
    }
    std::ranges::sort(open, {}, &Journal::deadlineBoottimeNanoseconds);
    int status = 0;
    for (const Journal &journal : open)
        status |= endAtDeadline(journals, toHex(journal.id), -1);
    return status;
}

int recoverAtStart(const JournalStore &journals)
{
    const auto lock = journals.lock();
    if (!lock)
        return 1;
    journals.state().sweep();
    for (const std::string &line : journals.recover())
        log("start", line);
    journals.releaseHolds();
    return 0;
}

} // namespace diskwright
