// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "health.h"

#include "subject.h"

#include "app/disks/bypath.h"
#include "app/disks/names.h"
#include "app/disks/stack.h"

#include <QtCore/qttranslation.h>

#include <algorithm>
#include <array>
#include <utility>

namespace diskwright::health {

namespace {

/// Goes down from a device to the whole disks at its bottom.
class Descent final
{
public:
    explicit Descent(const DiskList &disks)
        : m_disks(disks)
    {
    }

    /// The whole disks, each once.
    std::vector<const BlockNode *> leaves;
    bool isComplete = true; ///< false: layers stand on each other, or there are more than any machine has

    void go(const BlockNode &node, int depth = 0)
    {
        if (std::ranges::contains(m_done, &node))
            return;
        if (depth > 16 || std::ranges::contains(m_way, &node)) {
            isComplete = false;
            return;
        }
        m_way.push_back(&node);
        if (node.parent.empty())
            goBelow(node, depth);
        else if (const BlockNode *disk = m_disks.wholeDisk(node))
            go(*disk, depth + 1);
        else
            isComplete = false;
        m_way.pop_back();
        m_done.push_back(&node);
    }

private:
    void goBelow(const BlockNode &node, int depth)
    {
        bool hasBelow = false;
        for (const std::string &name : node.slaves) {
            if (const BlockNode *below = m_disks.find(name)) {
                hasBelow = true;
                go(*below, depth + 1);
            }
        }
        if (!hasBelow)
            leaves.push_back(&node);
    }

    const DiskList &m_disks;
    std::vector<const BlockNode *> m_way;
    std::vector<const BlockNode *> m_done;
};

void examineDisk(const SystemRoot &root, const DiskList &disks, const BlockNode &disk, const Options &options,
                 Health &health)
{
    Subject subject(root, disks, disk, options, health);
    if (options.drive)
        subject.drive = options.drive(disk);
    for (const auto check :
         {checkState, checkDrive, checkTemperature, checkAtaLink, checkUsbLink, checkPcieLink, checkQueue,
          checkSwap, checkRaid, checkAlignment, checkDiscard, checkUse, checkLoad}) {
        if (options.stop.stop_requested())
            return;
        check(subject);
    }
}

/// A layer that stands on several disks is found with each of them.
template <class Entry, class Same>
void removeRepeated(std::vector<Entry> &entries, Same same)
{
    for (std::size_t at = 0; at < entries.size(); ++at) {
        const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(at) + 1;
        entries.erase(std::remove_if(begin, entries.end(),
                                     [&](const Entry &other) { return same(entries[at], other); }),
                      entries.end());
    }
}

constexpr auto titles = std::to_array<std::pair<std::string_view, const char *>>({
    {"ata.dma", QT_TRANSLATE_NOOP("Health", "DMA mode")},
    {"ata.drive-mode", QT_TRANSLATE_NOOP("Health", "Fastest mode of the drive")},
    {"ata.errors", QT_TRANSLATE_NOOP("Health", "Failed transfers in the kernel's list")},
    {"ata.mode", QT_TRANSLATE_NOOP("Health", "Transfer mode")},
    {"ata.ncq", QT_TRANSLATE_NOOP("Health", "Requests the drive can queue (NCQ)")},
    {"ata.pio", QT_TRANSLATE_NOOP("Health", "PIO mode")},
    {"ata.slowdowns", QT_TRANSLATE_NOOP("Health", "Times slowed down after errors")},
    {"device.errors", QT_TRANSLATE_NOOP("Health", "Failed requests")},
    {"device.queue-depth", QT_TRANSLATE_NOOP("Health", "Requests given to the drive at a time")},
    {"device.state", QT_TRANSLATE_NOOP("Health", "State")},
    {"device.timeouts", QT_TRANSLATE_NOOP("Health", "Requests without an answer in time")},
    {"drive.rotation", QT_TRANSLATE_NOOP("Health", "Rotation")},
    {"drive.temperature", QT_TRANSLATE_NOOP("Health", "Temperature")},
    {"fs.free", QT_TRANSLATE_NOOP("Health", "Free space")},
    {"health.bad-sectors", QT_TRANSLATE_NOOP("Health", "Bad or moved sectors")},
    {"health.failing", QT_TRANSLATE_NOOP("Health", "Drive expects to fail")},
    {"health.selftest", QT_TRANSLATE_NOOP("Health", "Last self-test")},
    {"health.updated", QT_TRANSLATE_NOOP("Health", "Health read from the drive at")},
    {"health.warnings", QT_TRANSLATE_NOOP("Health", "Warnings of the drive")},
    {"load.busy", QT_TRANSLATE_NOOP("Health", "Busy just now")},
    {"memory.unwritten", QT_TRANSLATE_NOOP("Health", "Data waiting to be written, all disks")},
    {"partition.start", QT_TRANSLATE_NOOP("Health", "Start, in 512-byte sectors")},
    {"pcie.drive", QT_TRANSLATE_NOOP("Health", "PCIe link the drive can use")},
    {"pcie.link", QT_TRANSLATE_NOOP("Health", "PCIe link")},
    {"pcie.slot", QT_TRANSLATE_NOOP("Health", "PCIe link the slot can give")},
    {"queue.discard", QT_TRANSLATE_NOOP("Health", "Largest discard, in bytes")},
    {"queue.physical-block", QT_TRANSLATE_NOOP("Health", "Physical block, in bytes")},
    {"queue.rotational", QT_TRANSLATE_NOOP("Health", "Treated as rotating")},
    {"queue.scheduler", QT_TRANSLATE_NOOP("Health", "Scheduler")},
    {"queue.write-cache", QT_TRANSLATE_NOOP("Health", "Write cache")},
    {"queue.zoned", QT_TRANSLATE_NOOP("Health", "Zones")},
    {"raid.action", QT_TRANSLATE_NOOP("Health", "RAID activity")},
    {"raid.missing", QT_TRANSLATE_NOOP("Health", "Missing disks of the RAID")},
    {"sata.drive", QT_TRANSLATE_NOOP("Health", "SATA speed the drive can do")},
    {"sata.limit", QT_TRANSLATE_NOOP("Health", "SATA speed the kernel allows")},
    {"sata.port", QT_TRANSLATE_NOOP("Health", "SATA speed limit of the port")},
    {"sata.speed", QT_TRANSLATE_NOOP("Health", "SATA speed")},
    {"swap.used", QT_TRANSLATE_NOOP("Health", "Swap in use")},
    {"trim.mount", QT_TRANSLATE_NOOP("Health", "Mounted with")},
    {"trim.regular", QT_TRANSLATE_NOOP("Health", "Regular trim")},
    {"usb.ability", QT_TRANSLATE_NOOP("Health", "USB speed the device can do")},
    {"usb.driver", QT_TRANSLATE_NOOP("Health", "USB driver")},
    {"usb.speed", QT_TRANSLATE_NOOP("Health", "USB speed")},
    {"usb.uas", QT_TRANSLATE_NOOP("Health", "Case offers UAS")},
    {"usb.version", QT_TRANSLATE_NOOP("Health", "USB version the device names")},
});

} // namespace

std::string_view name(Severity severity) noexcept
{
    switch (severity) {
    case Severity::Problem: return "problem";
    case Severity::Slow: return "slow";
    case Severity::Hint: return "hint";
    }
    return {};
}

const char *factTitle(std::string_view id) noexcept
{
    const auto found =
        std::ranges::lower_bound(titles, id, {}, [](const auto &title) { return title.first; });
    return found != titles.end() && found->first == id ? found->second : "";
}

/// A path as mount points are written: no slash at the end, none twice.
static std::string tidied(std::string_view path)
{
    std::string tidy;
    for (const char c : path) {
        if (c != '/' || !tidy.ends_with('/'))
            tidy += c;
    }
    if (tidy.size() > 1 && tidy.ends_with('/'))
        tidy.pop_back();
    return tidy;
}

/// Mounts that another one covers are found if there is no other.
static const BlockNode *findMounted(const DiskList &disks, std::string_view path)
{
    if (const auto nodes = mountedAt(disks, path); !nodes.empty())
        return nodes.front();
    const auto isThere = [&](const BlockNode &node) {
        return std::ranges::contains(node.mounts, path, &MountUse::target);
    };
    for (const BlockNode &disk : disks.disks()) {
        if (isThere(disk))
            return &disk;
        const auto found = std::ranges::find_if(disk.partitions, isThere);
        if (found != disk.partitions.end())
            return &*found;
    }
    return nullptr;
}

Result<const BlockNode *> findTarget(const SystemRoot &root, const DiskList &disks, std::string_view text)
{
    const bool isPath = text.starts_with('/');
    const std::string path = isPath ? tidied(text) : std::string();
    const bool isDevice = path.starts_with("/dev/");
    const BlockNode *node = isPath ? deviceByPath(root, disks, path) : disks.find(text);
    if (!node)
        node =
            isPath ? findMounted(disks, path) : deviceByPath(root, disks, "/dev/mapper/" + std::string(text));
    if (node)
        return node;
    std::string accepted;
    for (const BlockNode &disk : disks.disks()) {
        if (!disk.hiddenByDefault)
            accepted += (accepted.empty() ? "" : ", ") + disk.name;
    }
    return fail(Errc::UnknownTarget, printable(text),
                !isPath || isDevice   ? "no such disk or layer"
                : disks.mountsKnown() ? "no disk is mounted there"
                                      : "what is mounted there is not known",
                accepted + ", a disk id or a mount point");
}

Health examine(const SystemRoot &root, const DiskList &disks, const BlockNode &target, const Options &options)
{
    Health health;
    health.disk = target.name;
    Descent descent(disks);
    descent.go(target);
    if (!descent.isComplete || descent.leaves.empty())
        health.unknown.push_back(
            {"disks",
             target.name,
             {descent.leaves.empty()
                  ? QT_TRANSLATE_NOOP("Health", "which disk lies at its bottom: none was found, the layers "
                                                "below it stand on each other or lead nowhere")
                  : QT_TRANSLATE_NOOP("Health", "whether more disks lie at its bottom: layers below it "
                                                "stand on each other or lead nowhere"),
              {}}});
    for (const BlockNode *leaf : descent.leaves) {
        health.disks.push_back(leaf->name);
        examineDisk(root, disks, *leaf, options, health);
    }
    removeRepeated(health.facts, [](const Fact &a, const Fact &b) {
        return a.id == b.id && a.device == b.device && a.value == b.value && a.source == b.source;
    });
    removeRepeated(health.findings, [](const Finding &a, const Finding &b) {
        return a.id == b.id && a.device == b.device && a.fact == b.fact && a.source == b.source;
    });
    removeRepeated(health.unknown,
                   [](const Unknown &a, const Unknown &b) { return a.id == b.id && a.device == b.device; });
    std::ranges::stable_sort(health.findings, {}, &Finding::severity);
    return health;
}

static std::vector<Finding> onlyProblems(std::vector<Finding> findings)
{
    std::erase_if(findings, [](const Finding &one) { return one.severity != Severity::Problem; });
    return findings;
}

std::vector<Finding> problemsOf(const SystemRoot &root, const DiskList &disks, const BlockNode &disk)
{
    Health health;
    const Options options{.sample = std::chrono::milliseconds(0), .stop = {}, .drive = {}};
    Subject subject(root, disks, disk, options, health);
    checkState(subject);
    // An array speaks for itself; its members would only say the same.
    if (disk.transport == "md" || isNumbered(disk.name, "md"))
        checkRaid(subject);
    return onlyProblems(std::move(health.findings));
}

std::vector<Finding> problemsOf(const SystemRoot &root, const BlockNode &disk, const DriveHealth &drive)
{
    if (drive.state != DriveHealth::State::Known)
        return {};
    Health health;
    const Options options{.sample = std::chrono::milliseconds(0), .stop = {}, .drive = {}};
    const DiskList disks({disk});
    Subject subject(root, disks, disks.disks().front(), options, health);
    subject.drive = drive;
    checkDrive(subject);
    return onlyProblems(std::move(health.findings));
}

bool wasLookedAt(const Health &health) noexcept
{
    // Unwritten data are those of all disks together.
    return std::ranges::any_of(health.facts, [](const Fact &fact) { return fact.id != "memory.unwritten"; });
}

Result<Health> readHealth(const std::string &root, std::string_view target, const Options &options)
{
    const auto tree = root == "/" ? SystemRoot::live() : SystemRoot::at(root);
    if (!tree)
        return std::unexpected(tree.error());
    const auto disks = scanDisks(*tree);
    if (!disks)
        return std::unexpected(disks.error());
    const auto node = findTarget(*tree, *disks, target);
    if (!node)
        return std::unexpected(node.error());
    return examine(*tree, *disks, **node, options);
}

} // namespace diskwright::health
