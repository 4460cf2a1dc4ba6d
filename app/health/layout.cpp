// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include "helper/access/mountinfo.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <array>
#include <format>
#include <fcntl.h>
#include <sys/stat.h>

// Where partitions begin, and whether freed space reaches the drive: Documentation/ABI/stable/sysfs-block.
namespace diskwright::health {

namespace {

constexpr std::int64_t sectorBytes = 512;

constexpr const char *repartition = QT_TRANSLATE_NOOP(
    "Health", "Only making the partition anew, starting at a whole MiB, cures it: copy the data away "
              "and back. Today's tools do so by themselves.");

void checkPartition(Subject &subject, const BlockNode &partition, std::int64_t physical, std::int64_t optimal)
{
    const std::string folder = subject.path.text() + '/' + partition.name;
    const auto start = subject.number(folder + "/start");
    const auto offset = subject.number(folder + "/alignment_offset");
    // The box of logical partitions (two sectors long) holds no data.
    if (!start || *start < 0 || *start > INT64_MAX / sectorBytes || partition.sizeBytes.value_or(0) <= 1024)
        return;
    const std::int64_t first = *start * sectorBytes;
    subject.fact("partition.start", std::to_string(*start), folder + "/start", &partition);
    const std::string numbers =
        "start = " + std::to_string(*start) +
        " × 512 bytes, physical_block_size = " + std::to_string(physical) +
        ", alignment_offset = " + (offset ? std::to_string(*offset) : std::string("?"));
    const std::string sources = folder + "/start, " + folder + "/alignment_offset, " + subject.path.text() +
                                "/queue/physical_block_size";
    const bool isOff = offset ? *offset != 0 : physical > sectorBytes && first % physical != 0;
    if (isOff) {
        subject.finding(
            "misaligned", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The partition %1 does not begin at a boundary of the disk's blocks "
                                         "(%2 bytes): each small write becomes reading and writing two."),
             {partition.name, physical}},
            {repartition, {}}, numbers, sources, &partition);
    } else if (subject.isSolidState() && first % 4096 != 0) {
        subject.finding(
            "misaligned-flash", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "The partition %1 does not begin at a multiple of 4 KiB. Flash is "
                                         "written in such pages or larger ones, whatever the disk says."),
             {partition.name}},
            {repartition, {}}, numbers, sources, &partition);
    } else if (optimal > physical && optimal % 4096 == 0 && optimal <= std::int64_t{16} << 20 &&
               (optimal & (optimal - 1)) == 0 && first % optimal != 0) {
        subject.finding(
            "misaligned-stripe", Severity::Hint,
            {QT_TRANSLATE_NOOP("Health", "The partition %1 does not begin at a multiple of %2 bytes, which "
                                         "the disk names as best: large requests are split."),
             {partition.name, optimal}},
            {repartition, {}}, numbers + ", optimal_io_size = " + std::to_string(optimal), sources,
            &partition);
    }
}

/// The first layer between a file system's device and the disk that keeps discards from passing; empty if
/// none.
struct Way {
    std::string blocker; ///< kernel name
    bool isEncrypted = false;
    bool isKnown = true;
};

std::optional<std::int64_t> discardLimit(const Subject &subject, const BlockNode &node)
{
    const std::string name = node.parent.empty() ? node.name : node.parent;
    return subject.number(DevicePath::of(subject.root, name).text() + "/queue/discard_max_bytes");
}

/// Goes down from \p node to the disk under examination.
bool goDown(const Subject &subject, const BlockNode &node, Way &way, int depth = 0)
{
    if (node.name == subject.disk.name)
        return true;
    if (depth > 16)
        return false;
    if (!node.parent.empty())
        return node.parent == subject.disk.name;
    for (const std::string &name : node.slaves) {
        const BlockNode *below = subject.disks.find(name);
        if (!below || !goDown(subject, *below, way, depth + 1))
            continue;
        const auto limit = discardLimit(subject, node);
        way.isKnown &= limit.has_value();
        if (limit == 0 && way.blocker.empty()) {
            way.blocker = node.name;
            way.isEncrypted = node.type == "crypt";
        }
        return true;
    }
    return false;
}

bool isTrimmable(const std::optional<std::string> &fstype)
{
    static constexpr std::array<std::string_view, 5> known{"ext4", "xfs", "btrfs", "f2fs", "bcachefs"};
    return fstype && std::ranges::contains(known, *fstype);
}

bool hasWord(std::string_view options, std::string_view word)
{
    while (!options.empty()) {
        const std::size_t end = std::min(options.find(','), options.size());
        const std::string_view one = options.substr(0, end);
        if (one == word || (one.starts_with(word) && one.size() > word.size() && one[word.size()] == '='))
            return true;
        options.remove_prefix(std::min(end + 1, options.size()));
    }
    return false;
}

/// What keeps a unit from being started: a link to /dev/null or an empty file in its place.
enum class Mask : std::uint8_t {
    None,
    Kept,      ///< in /etc
    UntilStart ///< in /run
};

Mask maskOf(const Subject &subject, const std::string &unit)
{
    const auto isMaskedIn = [&](const std::string &folder) {
        const std::string place = folder + unit;
        if (subject.linkName(place) == "null")
            return true;
        const auto text = subject.root.readFile(place);
        return text && text->empty();
    };
    if (isMaskedIn("etc/systemd/system/"))
        return Mask::Kept;
    return isMaskedIn("run/systemd/system/") ? Mask::UntilStart : Mask::None;
}

/// Whether a line that is no comment calls fstrim.
bool callsTrim(std::string_view text)
{
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (!line.starts_with('#') && line.contains("fstrim"))
            return true;
    }
    return false;
}

/// Whether cron's run-parts starts it: a program whose name is of letters, digits, _ and -.
bool isRunByCron(const Subject &subject, const std::string &folder, const std::string &entry)
{
    const bool isName = std::ranges::all_of(entry, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
               c == '-';
    });
    struct stat status = {};
    return isName &&
           fstatat(subject.root.fd(), (folder + '/' + entry).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           (S_ISLNK(status.st_mode) || (S_ISREG(status.st_mode) && (status.st_mode & S_IXUSR) != 0));
}

bool hasCronJob(const Subject &subject)
{
    for (const std::string folder :
         {"etc/cron.hourly", "etc/cron.daily", "etc/cron.weekly", "etc/cron.monthly"}) {
        for (const std::string &entry : subject.entries(folder)) {
            if (!isRunByCron(subject, folder, entry))
                continue;
            const auto text = subject.root.readFile(std::format("{}/{}", folder, entry));
            // What may not be read is believed by its name.
            if (text ? callsTrim(*text) : entry == "fstrim")
                return true;
        }
    }
    const auto tables = subject.entries("etc/cron.d");
    return callsTrim(subject.bytes("etc/crontab")) ||
           std::ranges::any_of(tables, [&](const std::string &table) {
               return callsTrim(subject.bytes("etc/cron.d/" + table));
           });
}

/// What is known of a regular trim.
struct RegularTrim {
    std::string word;   ///< "enabled", "not enabled", "masked"
    std::string masked; ///< the unit that is
    bool untilStart = false;
};

/// Null where that can't be told: neither systemd's folders nor cron's are there.
std::optional<RegularTrim> regularTrim(const Subject &subject)
{
    const auto has = [&](const char *folder, std::string_view entry) {
        return std::ranges::contains(subject.entries(folder), entry);
    };
    if (hasCronJob(subject))
        return RegularTrim{"enabled", {}, false};
    for (const char *unit : {"fstrim.timer", "fstrim.service"}) {
        if (const Mask mask = maskOf(subject, unit); mask != Mask::None)
            return RegularTrim{"masked", unit, mask == Mask::UntilStart};
    }
    if (has("etc/systemd/system/timers.target.wants", "fstrim.timer") ||
        has("usr/lib/systemd/system/timers.target.wants", "fstrim.timer"))
        return RegularTrim{"enabled", {}, false};
    if (subject.root.directory("etc/systemd/system") || subject.root.directory("etc/cron.weekly"))
        return RegularTrim{"not enabled", {}, false};
    return std::nullopt;
}

/// systemd enables no unit that is masked.
Message helpFor(const RegularTrim &regular)
{
    if (regular.masked.empty())
        return {QT_TRANSLATE_NOOP("Health", "Turn on the weekly trim: sudo systemctl enable --now "
                                            "fstrim.timer"),
                {}};
    return {regular.untilStart
                ? QT_TRANSLATE_NOOP("Health", "Somebody has blocked the weekly trim until the next start. To "
                                              "turn it on: sudo systemctl unmask --runtime %1, then sudo "
                                              "systemctl enable --now fstrim.timer")
                : QT_TRANSLATE_NOOP("Health", "Somebody has blocked the weekly trim. To turn it on: sudo "
                                              "systemctl unmask %1, then sudo systemctl enable --now "
                                              "fstrim.timer"),
            {regular.masked}};
}

void checkUnsupported(Subject &subject, const std::string &file)
{
    const bool isUsb = subject.disk.transport == "usb";
    subject.finding(
        "no-discard", isUsb ? Severity::Hint : Severity::Slow,
        {isUsb ? QT_TRANSLATE_NOOP("Health", "Freed space can't be reported to this disk (no trim): its case "
                                             "does not pass it on, or the disk does not know it.")
               : QT_TRANSLATE_NOOP("Health", "Freed space can't be reported to this disk (no trim): writing "
                                             "gets slower as it fills."),
         {}},
        {QT_TRANSLATE_NOOP("Health", "Leave a tenth of the disk unused, best as space without a "
                                     "partition."),
         {}},
        "discard_max_bytes = 0", file);
}

void checkBlocked(Subject &subject, const BlockNode &node, const Way &way)
{
    const BlockNode *blocker = subject.disks.find(way.blocker);
    const std::string shown = blocker && blocker->mapperName ? *blocker->mapperName : way.blocker;
    const std::string file = DevicePath::of(subject.root, way.blocker).text() + "/queue/discard_max_bytes";
    subject.finding(
        "discard-blocked", Severity::Slow,
        {way.isEncrypted
             ? QT_TRANSLATE_NOOP("Health", "Freed space of %1 is not reported to the drive: the encryption "
                                           "layer %2 was opened without allowing discards.")
             : QT_TRANSLATE_NOOP("Health",
                                 "Freed space of %1 is not reported to the drive: the layer %2 does "
                                 "not pass it on."),
         {node.mapperName.value_or(node.name), shown}},
        {way.isEncrypted
             ? QT_TRANSLATE_NOOP("Health", "Allow it with \"cryptsetup refresh --allow-discards "
                                           "--persistent\" (LUKS2) or the option discard in /etc/crypttab. "
                                           "It shows an attacker which blocks are unused.")
             : QT_TRANSLATE_NOOP("Health", "Look at the layer's own options; some kinds of RAID can't."),
         {}},
        way.blocker + ": discard_max_bytes = 0", file, blocker);
}

} // namespace

void checkAlignment(Subject &subject)
{
    const std::string queue = subject.path.text() + "/queue/";
    const std::int64_t physical = subject.number(queue + "physical_block_size").value_or(0);
    const std::int64_t optimal = subject.number(queue + "optimal_io_size").value_or(0);
    if (physical > 0)
        subject.fact("queue.physical-block", std::to_string(physical), queue + "physical_block_size");
    for (const BlockNode &partition : subject.disk.partitions)
        checkPartition(subject, partition, std::max(physical, sectorBytes), optimal);
    for (const BlockNode *node : subject.tower()) {
        if (!node->parent.empty() || node->name == subject.disk.name)
            continue;
        const std::string file = DevicePath::of(subject.root, node->name).text() + "/alignment_offset";
        const auto offset = subject.number(file);
        if (offset && *offset != 0)
            subject.finding(
                "misaligned-layer", Severity::Slow,
                {QT_TRANSLATE_NOOP("Health", "The layer %1 does not lie on the blocks of the disks below "
                                             "it: small writes are done twice."),
                 {node->mapperName.value_or(node->name)}},
                {QT_TRANSLATE_NOOP("Health", "Only making the layer anew with its tool's own alignment "
                                             "cures it: copy the data away and back."),
                 {}},
                "alignment_offset = " + std::to_string(*offset), file, node);
    }
}

void checkDiscard(Subject &subject)
{
    if (!subject.isSolidState() || subject.disk.type != "disk" || subject.disk.transport == "virtio")
        return;
    const std::string file = subject.path.text() + "/queue/discard_max_bytes";
    const auto limit = subject.number(file);
    if (!limit) {
        subject.unknown("queue.discard",
                        {QT_TRANSLATE_NOOP("Health", "whether it can be told of free space: nothing usable "
                                                     "in %1"),
                         {'/' + file}});
        return;
    }
    subject.fact("queue.discard", std::to_string(*limit), file);
    if (*limit == 0) {
        checkUnsupported(subject, file);
        return;
    }
    const auto mounts = readMountInfo(subject.root).value_or(std::vector<MountEntry>{});
    const auto regular = regularTrim(subject);
    if (regular)
        subject.fact("trim.regular", regular->word, "etc/systemd/system/timers.target.wants/fstrim.timer");
    std::string without;
    for (const BlockNode *node : subject.tower()) {
        if (node->mounts.empty() || !isTrimmable(node->fstype))
            continue;
        Way way;
        if (!goDown(subject, *node, way) || !way.isKnown)
            continue;
        if (!way.blocker.empty()) {
            checkBlocked(subject, *node, way);
            continue;
        }
        const auto mount = std::ranges::find(mounts, node->mounts.front().mountId, &MountEntry::id);
        const bool isRead = mount != mounts.end() && hasWord(mount->options, "ro");
        const bool isAtOnce = mount != mounts.end() &&
                              (hasWord(mount->superOptions, "discard") || hasWord(mount->options, "discard"));
        subject.fact("trim.mount", isAtOnce ? "discard" : "no discard", "proc/self/mountinfo", node);
        if (!isAtOnce && !isRead)
            without += (without.empty() ? "" : ", ") + node->mounts.front().target;
    }
    if (!without.empty() && !regular)
        subject.unknown(
            "trim.regular",
            {QT_TRANSLATE_NOOP("Health", "whether freed space is reported regularly: neither systemd's nor "
                                         "cron's folders are there"),
             {}});
    if (!without.empty() && regular && regular->word != "enabled")
        subject.finding(
            "no-trim", Severity::Slow,
            {QT_TRANSLATE_NOOP("Health", "Nothing tells the drive which space is free (%1): its writing gets "
                                         "slower with time."),
             {without}},
            helpFor(*regular),
            (regular->masked.empty() ? "fstrim.timer" : regular->masked) + ": " + regular->word +
                ", mounted without discard",
            "etc/systemd/system/timers.target.wants, proc/self/mountinfo");
}

} // namespace diskwright::health
