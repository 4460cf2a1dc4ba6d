// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include "app/disks/bypath.h"
#include "app/disks/mounts.h"
#include "app/disks/names.h"
#include "helper/access/mountinfo.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// How full the file systems are, what swaps, what is being rebuilt, who works with the disk now.
namespace diskwright::health {

namespace {

/// File systems that know their free space without reading the disk (FAT counts it on the first question).
bool knowsItsSpace(std::string_view fstype)
{
    static constexpr std::array<std::string_view, 6> known{"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs"};
    return std::ranges::contains(known, fstype);
}

bool isAbove(const std::string &outer, const std::string &inner)
{
    return outer == "/" ||
           (inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/'));
}

/// Whether the way to \p mount leads only through local file systems, and nothing is mounted over it.
bool isReachable(const std::vector<MountEntry> &mounts, const MountEntry &mount)
{
    return std::ranges::none_of(mounts, [&](const MountEntry &other) {
        if (&other == &mount || !isAbove(other.target, mount.target))
            return false;
        if (other.target == mount.target)
            return &other > &mount;
        return !knowsItsSpace(other.fstype) && other.fstype != "tmpfs" && other.fstype != "devtmpfs" &&
               other.fstype != "overlay";
    });
}

struct Space {
    std::uint64_t total = 0;
    std::uint64_t free = 0; ///< what an ordinary user may still write
};

std::optional<Space> spaceOf(const std::string &target, std::optional<dev_t> device)
{
    const int fd = open(target.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return std::nullopt;
    struct stat status = {};
    struct statvfs space = {};
    const bool isRight =
        fstat(fd, &status) == 0 && (!device || status.st_dev == *device) && fstatvfs(fd, &space) == 0;
    close(fd);
    if (!isRight || space.f_blocks == 0)
        return std::nullopt;
    return Space{space.f_blocks * space.f_frsize, space.f_bavail * space.f_frsize};
}

void judgeSpace(Subject &subject, const BlockNode &node, const std::string &target, const Space &space)
{
    const auto percent = static_cast<std::int64_t>(
        std::floor(static_cast<double>(space.free) * 100 / static_cast<double>(space.total)));
    subject.fact("fs.free", std::to_string(percent) + " % of " + amountText(Bytes{space.total}),
                 "statvfs " + cleanText(target), &node);
    // A tenth of a large disk is much: nobody has to act on 200 GB.
    if (percent >= 10 || space.free > 100'000'000'000)
        return;
    subject.finding(
        "nearly-full", percent < 3 ? Severity::Slow : Severity::Hint,
        {QT_TRANSLATE_NOOP("Health",
                           "%1 is nearly full (%2 % free, %3): new files are scattered over what is "
                           "left."),
         {cleanText(target), percent, Bytes{space.free}}},
        {QT_TRANSLATE_NOOP("Health", "Free a tenth of it, or move large files to another disk."), {}},
        std::to_string(percent) + " % free of " + amountText(Bytes{space.total}),
        "statvfs " + cleanText(target), &node);
}

void checkSpace(Subject &subject, const std::vector<MountEntry> &mounts)
{
    for (const BlockNode *node : subject.tower()) {
        const auto use = std::ranges::find_if(node->mounts, [&](const MountUse &one) {
            const auto mount = std::ranges::find(mounts, one.mountId, &MountEntry::id);
            return mount != mounts.end() && knowsItsSpace(mount->fstype) && isReachable(mounts, *mount);
        });
        if (use == node->mounts.end())
            continue;
        const auto mount = std::ranges::find(mounts, use->mountId, &MountEntry::id);
        // Each subvolume of btrfs has a number of its own.
        const auto device =
            mount->fstype == "btrfs" ? std::nullopt : std::optional(makedev(mount->major, mount->minor));
        const std::string target = use->target;
        const auto space =
            within<std::optional<Space>>(patience, [target, device] { return spaceOf(target, device); });
        if (space && *space)
            judgeSpace(subject, *node, target, **space);
        else
            subject.unknown("fs.free",
                            {QT_TRANSLATE_NOOP("Health", "how full %1 is: it did not answer, or may not be "
                                                         "looked at"),
                             {cleanText(target)}});
        // What hung once is not asked again: each question would wait as long.
        if (!space || subject.options.stop.stop_requested())
            return;
    }
}

void checkMountOptions(Subject &subject, const std::vector<MountEntry> &mounts)
{
    for (const BlockNode *node : subject.tower()) {
        for (const MountUse &use : node->mounts) {
            const auto mount = std::ranges::find(mounts, use.mountId, &MountEntry::id);
            if (mount == mounts.end())
                continue;
            const std::string all = ',' + mount->options + ',' + mount->superOptions + ',';
            if (!all.contains(",sync,"))
                continue;
            subject.finding(
                "mounted-sync", Severity::Slow,
                {QT_TRANSLATE_NOOP("Health", "%1 is mounted with \"sync\": every single write waits for the "
                                             "disk."),
                 {cleanText(use.target)}},
                {QT_TRANSLATE_NOOP("Health", "Mount it without \"sync\", and take sticks out only after "
                                             "they were unmounted."),
                 {}},
                "options: " + cleanText(mount->options), "proc/self/mountinfo", node);
            break;
        }
    }
}

struct SwapArea {
    std::string path;
    bool isFile = false;
    std::int64_t usedBytes = 0;
};

std::vector<SwapArea> swapAreas(const Subject &subject)
{
    std::vector<SwapArea> areas;
    const std::string text = subject.bytes("proc/swaps");
    std::size_t at = std::min(text.find('\n'), text.size());
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at + 1), text.size());
        const std::string_view line = std::string_view(text).substr(at + 1, end - at - 1);
        at = end;
        std::vector<std::string_view> columns;
        for (std::size_t from = 0; from < line.size();) {
            const std::size_t begin = line.find_first_not_of(" \t", from);
            if (begin == std::string_view::npos)
                break;
            from = std::min(line.find_first_of(" \t", begin), line.size());
            columns.push_back(line.substr(begin, from - begin));
        }
        // A path whose folder or file was removed has a note behind it, its blank written as \040.
        const auto used = columns.size() >= 4 ? parseInteger(columns[3]) : std::nullopt;
        if (used && *used >= 0 && *used <= INT64_MAX / 1024)
            areas.push_back({unescapeOctal(columns[0]), columns[1] == "file", *used * 1024});
    }
    return areas;
}

/// The device of the tower whose file system holds the swap file \p path.
const BlockNode *holderOfFile(const Subject &subject, std::string_view path)
{
    const auto mounts = readMountInfo(subject.root).value_or(std::vector<MountEntry>{});
    const MountEntry *mount = mountOfPath(mounts, coveredMounts(mounts), path);
    for (const BlockNode *node : subject.tower()) {
        if (mount && std::ranges::contains(node->mounts, mount->id, &MountUse::mountId))
            return node;
    }
    return nullptr;
}

/// The device of the tower that a swap area lies on: by its name, or by the file system that holds the file.
const BlockNode *holderOf(const Subject &subject, const SwapArea &area)
{
    std::string_view path = area.path;
    constexpr std::string_view deleted = " (deleted)";
    if (path.ends_with(deleted))
        path.remove_suffix(deleted.size());
    if (area.isFile)
        return holderOfFile(subject, path);
    // Swap that was started before the root was switched shows as "/zram0" or "/dm-1", without its /dev.
    const BlockNode *named = nullptr;
    if (path.starts_with("/dev/"))
        named = deviceByPath(subject.root, subject.disks, path);
    else if (path.starts_with('/'))
        named = subject.disks.find(path.substr(1));
    return named && std::ranges::contains(subject.tower(), named) ? named : nullptr;
}

std::string raidAction(const Subject &subject, const std::string &md)
{
    const auto action = subject.word(md + "sync_action");
    return action && *action != "idle" && *action != "frozen" ? *action : std::string();
}

/// An array that could not be started; the boxes of firmware RAIDs, which never run, have no members' places.
void checkRunning(Subject &subject, const BlockNode &node, const std::string &md, std::int64_t members)
{
    if (!std::ranges::contains(node.notes, "inactive") || members <= 0)
        return;
    const std::string state = subject.word(md + "array_state").value_or("?");
    subject.finding(
        "raid-inactive", Severity::Problem,
        {QT_TRANSLATE_NOOP("Health", "The RAID %1 is not running: nothing on it can be reached."),
         {node.name}},
        {QT_TRANSLATE_NOOP("Health", "Often disks of it are missing. Check their plugs and cables; mdadm "
                                     "--examine and the kernel's log tell more."),
         {}},
        "array_state = " + state, md + "array_state", &node);
}

/// How fast an array works on itself, in bytes a second; null where the kernel names no number ("none").
std::optional<Bytes> raidSpeed(const Subject &subject, const std::string &md)
{
    const auto speed = subject.number(md + "sync_speed");
    if (!speed || *speed <= 0 || *speed >= INT64_MAX / 1024)
        return std::nullopt;
    return Bytes{static_cast<std::uint64_t>(*speed) * 1024};
}

void checkActivity(Subject &subject, const BlockNode &node, const std::string &md)
{
    const std::string action = raidAction(subject, md);
    if (action.empty())
        return;
    subject.fact("raid.action", action, md + "sync_action", &node);
    const std::string done = subject.word(md + "sync_completed").value_or("?");
    const std::string numbers = "sync_action = " + action + ", sync_completed = " + done;
    // Another array on the same disks has its turn first.
    if (done == "delayed") {
        subject.finding(
            "raid-busy", Severity::Hint,
            {QT_TRANSLATE_NOOP("Health",
                               "The RAID %1 waits with work on itself (%2) until another one on the "
                               "same disks is done: then everything else waits longer."),
             {node.name, action}},
            {QT_TRANSLATE_NOOP("Health", "Wait until it is done. Its share of the disks is set in "
                                         "sync_speed_min and sync_speed_max."),
             {}},
            numbers, md + "sync_action, sync_completed", &node);
        return;
    }
    const auto rate = raidSpeed(subject, md);
    subject.finding(
        "raid-busy", Severity::Slow,
        rate
            ? Message{QT_TRANSLATE_NOOP("Health", "The RAID %1 is busy with itself now (%2, %3 a second): "
                                                  "everything else waits longer."),
                      {node.name, action, *rate}}
            : Message{QT_TRANSLATE_NOOP("Health", "The RAID %1 is busy with itself now (%2): everything else "
                                                  "waits longer."),
                      {node.name, action}},
        {QT_TRANSLATE_NOOP("Health", "Wait until it is done. Its share of the disks is set in "
                                     "sync_speed_min and sync_speed_max."),
         {}},
        numbers, md + "sync_action, sync_speed", &node);
}

void checkArray(Subject &subject, const BlockNode &node)
{
    const std::string md = DevicePath::of(subject.root, node.name).text() + "/md/";
    const auto degraded = subject.number(md + "degraded");
    const auto members = subject.number(md + "raid_disks");
    checkRunning(subject, node, md, members.value_or(0));
    if (degraded && (*degraded < 0 || (members && *degraded > *members))) {
        subject.unknown("raid.missing",
                        {QT_TRANSLATE_NOOP("Health", "how many disks the RAID %1 misses: the kernel's "
                                                     "numbers contradict each other (%2 missing)"),
                         {node.name, *degraded}});
    } else if (degraded) {
        subject.fact("raid.missing", std::to_string(*degraded), md + "degraded", &node);
        if (*degraded > 0)
            subject.finding(
                "raid-degraded", Severity::Problem,
                {QT_TRANSLATE_NOOP("Health", "The RAID %1 misses disks (%2): it is slower, and the next "
                                             "failure may lose everything."),
                 {node.name, *degraded}},
                {QT_TRANSLATE_NOOP("Health", "Copy your data, then put in a new disk and add it to the "
                                             "array (mdadm --add)."),
                 {}},
                "degraded = " + std::to_string(*degraded), md + "degraded", &node);
    }
    checkActivity(subject, node, md);
}

/// Columns of Documentation/block/stat.rst.
struct Counters {
    std::int64_t requests = 0;
    std::int64_t readSectors = 0;
    std::int64_t writtenSectors = 0;
    std::int64_t inFlight = 0;
    std::int64_t busyMilliseconds = 0;
};

std::optional<Counters> countersOf(const Subject &subject)
{
    const std::string text = subject.bytes(subject.path.text() + "/stat", 4096);
    std::vector<std::int64_t> numbers;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t begin = text.find_first_not_of(" \n", from);
        if (begin == std::string::npos)
            break;
        from = std::min(text.find_first_of(" \n", begin), text.size());
        const auto value = parseInteger(std::string_view(text).substr(begin, from - begin));
        if (!value)
            return std::nullopt;
        numbers.push_back(*value);
    }
    if (numbers.size() < 11)
        return std::nullopt;
    return Counters{numbers[0] + numbers[4], numbers[2], numbers[6], numbers[8], numbers[9]};
}

void checkBusy(Subject &subject)
{
    if (subject.number(subject.path.text() + "/queue/iostats") == 0) {
        subject.unknown("load",
                        {QT_TRANSLATE_NOOP("Health", "whether others use the disk now: its counters are "
                                                     "off (iostats)"),
                         {}});
        return;
    }
    if (!subject.root.isLive() || subject.options.sample.count() <= 0) {
        subject.unknown(
            "load", {QT_TRANSLATE_NOOP("Health", "whether others use the disk now: it was not watched"), {}});
        return;
    }
    const auto before = countersOf(subject);
    const auto begin = std::chrono::steady_clock::now();
    // The sample ends early when the reading is not wanted any more.
    std::mutex mutex;
    std::condition_variable_any waiting;
    std::unique_lock lock(mutex);
    waiting.wait_for(lock, subject.options.stop, subject.options.sample, [] { return false; });
    const auto after = countersOf(subject);
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin)
            .count();
    if (!before || !after || passed <= 0 || subject.options.stop.stop_requested())
        return;
    const std::int64_t percent =
        std::clamp<std::int64_t>((after->busyMilliseconds - before->busyMilliseconds) * 100 / passed, 0, 100);
    const std::int64_t sectors = std::max<std::int64_t>(0, after->readSectors - before->readSectors) +
                                 std::max<std::int64_t>(0, after->writtenSectors - before->writtenSectors);
    const Bytes rate{static_cast<std::uint64_t>(sectors * 512 * 1000 / passed)};
    subject.fact("load.busy",
                 std::to_string(percent) + " %, " + amountText(rate) + "/s, " +
                     std::to_string(after->inFlight) + " waiting",
                 subject.path.text() + "/stat");
    if (percent < 50)
        return;
    subject.finding(
        "busy", Severity::Slow,
        {QT_TRANSLATE_NOOP("Health", "Others use the disk right now: busy %1 % of the time with %2 a second, "
                                     "%3 requests waiting."),
         {percent, rate, after->inFlight}},
        {QT_TRANSLATE_NOOP("Health", "Wait, or find the program: system monitors list who reads and "
                                     "writes."),
         {}},
        std::to_string(percent) + " % in " + std::to_string(passed) + " ms", subject.path.text() + "/stat");
}

/// The number behind \p name at the start of a line: "Dirty:   1234 kB", "nr_dirty_threshold 1234". Null if
/// it is not there, or with \p factor more than any machine has.
std::optional<std::uint64_t> lineNumber(std::string_view text, std::string_view name, std::int64_t factor)
{
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with(name))
            continue;
        line.remove_prefix(std::min(line.find_first_not_of(' ', name.size()), line.size()));
        const auto value = parseInteger(line.substr(0, line.find(' ')));
        if (!value || *value < 0 || *value > INT64_MAX / factor)
            return std::nullopt;
        return static_cast<std::uint64_t>(*value) * static_cast<std::uint64_t>(factor);
    }
    return std::nullopt;
}

/// mm/page-writeback.c: from the background limit on the kernel writes, from half way to the limit it lets
/// programs wait that write more.
void checkUnwritten(Subject &subject)
{
    const std::string memory = subject.bytes("proc/meminfo");
    const auto dirty = lineNumber(memory, "Dirty:", 1024);
    const auto writing = lineNumber(memory, "Writeback:", 1024);
    if (!dirty || !writing)
        return;
    const MemoryBytes both{*dirty + *writing};
    subject.factOfAll("memory.unwritten", amountText(both), "proc/meminfo (Dirty, Writeback)");
    const std::string counters = subject.bytes("proc/vmstat");
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    const auto limit = lineNumber(counters, "nr_dirty_threshold ", page);
    const auto background = lineNumber(counters, "nr_dirty_background_threshold ", page);
    if (!limit || !background) {
        subject.nothingIn("memory.limit",
                          QT_TRANSLATE_NOOP("Health",
                                            "from how much unwritten data on programs have to wait: "
                                            "nothing usable in %1"),
                          "proc/vmstat");
        return;
    }
    if (both.count < *background || both.count == 0)
        return;
    const bool haveToWait = both.count >= *background / 2 + *limit / 2;
    subject.findingOfAll(
        "unwritten-data", Severity::Hint,
        {haveToWait ? QT_TRANSLATE_NOOP("Health", "%1 of data wait in memory to be written, to all disks "
                                                  "together, and %2 are allowed: programs that save have to "
                                                  "queue behind them.")
                    : QT_TRANSLATE_NOOP("Health", "%1 of data wait in memory to be written, to all disks "
                                                  "together; the kernel writes them now. Near %2 programs "
                                                  "that save have to wait."),
         {both, MemoryBytes{*limit}}},
        {QT_TRANSLATE_NOOP("Health", "Wait until a running copy is done. If it freezes programs, limit "
                                     "unwritten data under Memory and writeback."),
         {}},
        "Dirty = " + amountText(MemoryBytes{*dirty}) + ", Writeback = " + amountText(MemoryBytes{*writing}) +
            ", limits = " + amountText(MemoryBytes{*background}) + ", " + amountText(MemoryBytes{*limit}),
        "proc/meminfo, proc/vmstat");
}

} // namespace

void checkUse(Subject &subject)
{
    const auto read = readMountInfo(subject.root);
    if (!read)
        subject.nothingIn("mounts",
                          QT_TRANSLATE_NOOP("Health", "what of it is mounted: nothing usable in %1"),
                          "proc/self/mountinfo");
    const auto mounts = read.value_or(std::vector<MountEntry>{});
    checkMountOptions(subject, mounts);
    if (subject.root.isLive())
        checkSpace(subject, mounts);
    else
        subject.unknown("fs.free",
                        {QT_TRANSLATE_NOOP("Health", "how full it is: a copy of a machine does not show "
                                                     "that"),
                         {}});
}

void checkSwap(Subject &subject)
{
    for (const SwapArea &area : swapAreas(subject)) {
        const BlockNode *node = holderOf(subject, area);
        if (!node)
            continue;
        const Bytes used{static_cast<std::uint64_t>(area.usedBytes)};
        subject.fact("swap.used", amountText(used), "proc/swaps", node);
        if (!subject.isRotating())
            continue;
        subject.finding(
            "swap-on-hard-disk", area.usedBytes > 0 ? Severity::Slow : Severity::Hint,
            {area.usedBytes > 0
                 ? QT_TRANSLATE_NOOP("Health",
                                     "Memory is swapped out to this rotating disk (%1 now): when it "
                                     "is wanted back, programs stand still.")
                 : QT_TRANSLATE_NOOP("Health", "Swap lies on this rotating disk (%1 used now): if memory "
                                               "runs short, programs stand still."),
             {used}},
            {QT_TRANSLATE_NOOP("Health", "Put swap on a solid state disk or into compressed memory (zram), "
                                         "or close programs that need much memory."),
             {}},
            "used = " + amountText(used), "proc/swaps, " + subject.path.text() + "/queue/rotational", node);
    }
}

void checkRaid(Subject &subject)
{
    for (const BlockNode *node : subject.tower()) {
        if (node->transport == "md" || isNumbered(node->name, "md"))
            checkArray(subject, *node);
    }
}

void checkLoad(Subject &subject)
{
    checkUnwritten(subject);
    checkBusy(subject);
}

} // namespace diskwright::health
