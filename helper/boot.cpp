// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// diskwright-boot: what systemd runs around a boot, a transaction's deadline, and what root may run in a
// rescue shell. Has no bus name, asks no polkit, takes no path from its caller.

#include "contract/address.h"
#include "executor/deadline.h"
#include "executor/rescue.h"
#include "executor/statedirectory.h"
#include "persist/bootguard.h"
#include "persist/bootlimit.h"
#include "persist/bootstore.h"
#include "persist/bootverify.h"
#include "persist/bootwriter.h"
#include "persist/keptplaces.h"
#include "persist/restore.h"
#include "persist/systemmarks.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <poll.h>
#include <span>
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

namespace {

using namespace diskwright;

// As the command line's (docs: exit codes of diskwrightctl).
enum Exit {
    Done = 0,
    InternalError = 1,
    BadUsage = 2,
    NotAuthorized = 4,
    Incomplete = 6,
    LockBusy = 7,
    DifferenceFound = 8
};

constexpr time_t waitForDisksSeconds = 300;
constexpr time_t waitForValuesSeconds = 60;
constexpr int mostTriesForTheLock = 100;

void say(const std::string &line)
{
    std::fprintf(stderr, "%s\n", line.c_str());
}

int failWith(const Error &error, Exit code = InternalError)
{
    say("diskwright-boot: " + (error.input.empty() ? "" : error.input + ": ") + error.reason);
    return code;
}

void pauseMilliseconds(long milliseconds)
{
    const timespec pause{.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1'000'000};
    nanosleep(&pause, nullptr);
}

time_t boottimeSeconds()
{
    timespec now = {};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec;
}

Result<Descriptor> waitForLock(const SystemRoot &root)
{
    for (int tries = 1;; ++tries) {
        auto lock = takeLock(root);
        if (lock || lock.error().code != Errc::Busy || tries == mostTriesForTheLock)
            return lock;
        pauseMilliseconds(50);
    }
}

int guard(const SystemRoot &root)
{
    // Without the lock the helper is at work already, long after the guard's time: then nothing is done. Any
    // other trouble with it is no reason to leave the boot unguarded.
    const auto lock = takeLock(root);
    if (!lock && lock.error().code == Errc::Busy)
        return failWith(lock.error(), LockBusy);
    for (const std::string &message : guardBoot(root))
        say(message);
    return Done;
}

int end(const SystemRoot &root, BootState (*change)(BootState, const std::string &))
{
    const auto lock = waitForLock(root);
    if (!lock)
        return failWith(lock.error(), LockBusy);
    const auto ended = endBoot(root, change);
    return ended ? Done : failWith(ended.error());
}

int concluded(const BootReport &report)
{
    say(report.summary());
    for (const VerifiedItem &item : report.items) {
        if (item.state == ItemState::Differs)
            say(item.setting + ": wanted " + toText(item.wanted) + ", is " +
                (item.current ? toText(*item.current) : "absent"));
        else if (item.state == ItemState::NotYetSeen)
            say(item.setting + ": its disk was not seen");
    }
    return report.count(ItemState::Differs) == 0 ? Done : DifferenceFound;
}

/// By now everything is mounted: what carries the system is remembered for the next start, when udev sees
/// disks before they are.
void noteSystemDisks(const SystemRoot &root)
{
    const auto lock = waitForLock(root);
    const auto text = lock ? readBootSetText(root) : std::unexpected(lock.error());
    const auto set = text && *text ? decodeBootSet(**text) : BootSet{};
    if (!text || !set || !hasClasses(*set))
        return;
    auto noted = rememberSystemDisks(root);
    if (noted)
        noted = markSystemDisks(root);
    if (!noted)
        failWith(noted.error());
}

/// Disks can appear long after the boot is over, so this waits for them, and for udev to have set the rest.
int verify(const SystemRoot &root)
{
    noteSystemDisks(root);
    const Descriptor watch(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    const time_t start = boottimeSeconds();
    // A disk that comes late has as long for its values as one that was there.
    time_t lastSeen = start;
    std::size_t unseen = 0;
    for (;;) {
        if (watch.isOpen())
            inotify_add_watch(watch.get(), "/run/udev/data", IN_MOVED_TO | IN_CREATE);
        const auto report = verifyBoot(root);
        if (!report)
            return failWith(report.error());
        if (const auto written = writeBootReport(root, *report); !written)
            return failWith(written.error());
        const time_t now = boottimeSeconds();
        if (const auto missing = report->count(ItemState::NotYetSeen); missing != unseen) {
            unseen = missing;
            lastSeen = now;
        }
        const bool applies = report->state == "probation" || report->state == "proven";
        const bool waits =
            applies && ((report->waitsForDisks() && now - start < waitForDisksSeconds) ||
                        (report->count(ItemState::Differs) > 0 && now - lastSeen < waitForValuesSeconds));
        if (!waits)
            return concluded(*report);
        pollfd events{.fd = watch.get(), .events = POLLIN, .revents = 0};
        poll(&events, 1, 5000);
        // A disk's partitions follow it closely; one look for all of them.
        pauseMilliseconds(500);
        alignas(inotify_event) char drained[4096];
        while (watch.isOpen() && read(watch.get(), drained, sizeof drained) > 0) {
        }
    }
}

/// Bytes that one disk may have unwritten. The lock keeps it apart from a plan that the helper carries out.
int limit(const SystemRoot &root, const std::string &disk)
{
    const auto lock = waitForLock(root);
    if (!lock)
        return failWith(lock.error(), LockBusy);
    const auto applied = applyKeptLimit(root, disk);
    if (!applied)
        return failWith(applied.error());
    say(disk + ": " + std::string(name(*applied)));
    return Done;
}

int restore(const SystemRoot &root)
{
    const auto lock = waitForLock(root);
    if (!lock && lock.error().code == Errc::Busy)
        return failWith(lock.error(), LockBusy);
    openlog("diskwright-boot", LOG_PID, LOG_DAEMON);
    const auto state = StateDirectory::open("/var/lib/diskwright", "/run/diskwright");
    const auto kept = BootStore::live();
    TransactionId id{};
    const bool isRandom = getrandom(id.data(), id.size(), 0) == static_cast<ssize_t>(id.size());
    RestoreReport report;
    if (state && kept && isRandom) {
        report = restoreInRescueShell(JournalStore(root, *state, &*kept), id);
    } else {
        say("/var/lib/diskwright: " + (state ? "can't be used" : state.error().reason) +
            "; only what is kept is put back");
        report = restoreKept(root);
    }
    for (const std::string &line : report.done)
        say("put back: " + line);
    for (const std::string &line : report.failed)
        say("NOT put back: " + line);
    return report.failed.empty() ? Done : Incomplete;
}

/// A lease's pipe is handed over as standard input.
int leasePipe()
{
    struct stat information = {};
    return fstat(STDIN_FILENO, &information) == 0 && S_ISFIFO(information.st_mode) ? STDIN_FILENO : -1;
}

int withJournals(int (*action)(const JournalStore &, const std::string &), const std::string &transaction)
{
    openlog("diskwright-boot", LOG_PID, LOG_DAEMON);
    const auto state = StateDirectory::open("/var/lib/diskwright", "/run/diskwright");
    if (!state)
        return failWith(state.error());
    const auto kept = BootStore::live();
    if (!kept)
        return failWith(kept.error());
    return action(JournalStore(kept->root(), *state, &*kept), transaction);
}

int endAtItsDeadline(const JournalStore &journals, const std::string &transaction)
{
    return endAtDeadline(journals, transaction, leasePipe());
}

int resume(const JournalStore &journals, const std::string &)
{
    return resumeDeadlines(journals);
}

int recover(const JournalStore &journals, const std::string &)
{
    return recoverAtStart(journals);
}

constexpr const char *usage =
    "usage: diskwright-boot COMMAND        (root only; systemd runs all but the last)\n"
    "  guard           before udev and sysctl: set kept settings aside after unfinished boots\n"
    "  finished        this boot has finished\n"
    "  rescue          this boot does not count\n"
    "  verify          read kept settings back, write /run/diskwright/boot.json\n"
    "  limit DISK      write the kept limit of the disk's unwritten data\n"
    "  deadline ID     put a trial or lease back at its deadline\n"
    "  resume          the same for all of them, after a sleep\n"
    "  recover         finish what a crash interrupted\n"
    "  restore --yes   put everything back that was changed in this boot or is kept, and keep nothing\n";

int run(std::span<char *const> arguments)
{
    const std::string command = arguments.empty() ? "" : arguments[0];
    const std::string parameter = arguments.size() == 2 ? arguments[1] : "";
    static constexpr auto plain =
        std::to_array<std::string_view>({"guard", "finished", "rescue", "verify", "resume", "recover"});
    const bool isPlain = arguments.size() == 1 && std::ranges::find(plain, command) != plain.end();
    const bool isDeadline = command == "deadline" && transactionIdFromHex(parameter);
    const bool isLimit = command == "limit" && isKernelName(parameter);
    const bool isRestore = command == "restore" && parameter == "--yes";
    if (!isPlain && !isDeadline && !isLimit && !isRestore) {
        std::fputs(usage, stderr);
        return BadUsage;
    }
    if (geteuid() != 0) {
        say("diskwright-boot: only root can do this");
        return NotAuthorized;
    }
    if (isDeadline)
        return withJournals(endAtItsDeadline, parameter);
    if (command == "resume" || command == "recover")
        return withJournals(command == "resume" ? resume : recover, {});
    const auto root = SystemRoot::live();
    if (!root)
        return failWith(root.error());
    if (isLimit)
        return limit(*root, parameter);
    if (isRestore)
        return restore(*root);
    if (command == "guard")
        return guard(*root);
    if (command == "verify")
        return verify(*root);
    return end(*root, command == "finished" ? finished : neutral);
}

} // namespace

int main(int argc, char *argv[])
{
    umask(0022);
    if (chdir("/") != 0)
        return InternalError;
    return run(std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0));
}
