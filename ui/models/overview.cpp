// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "overview.h"

#include "app/apply/describe.h"
#include "ui/models/slowdisks.h"
#include "ui/text/diskwords.h"
#include "ui/text/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace diskwright::ui {

namespace {

constexpr std::size_t mostProblems = 3;
// Beside those: more rows than that nobody reads, and the cards have to stay in reach.
constexpr std::size_t mostDiskProblems = 12;
// What a slow stick writes in half a minute: below that nobody waits long.
constexpr double muchUnwritten = 300e6;

QString say(const char *text)
{
    return QCoreApplication::translate("Overview", text);
}

QString showWord()
{
    return say(QT_TRANSLATE_NOOP("Overview", "Show"));
}

void addSilentDisks(const Machine &machine, std::vector<OverviewFinding> &findings)
{
    for (const BlockNode &disk : machine.disks().disks()) {
        if (machine.presence(disk.name) != Presence::Silent)
            continue;
        findings.push_back({true,
                            QCoreApplication::translate("Overview", "%1 does not answer for %2.")
                                .arg(shortened(machine.distinctTitle(disk.name)),
                                     durationText(machine.silentFor(disk.name).count())),
                            showWord(),
                            {Place::Kind::Disk, disk.name},
                            {}});
    }
}

QString errorWords(const Error &error)
{
    // An error of ours says in English what was asked for; its code is worded.
    return QCoreApplication::translate("Overview", "The disks could not be read from %1: %2")
        .arg(toQString(error.input), error.code == Errc::UnknownTarget || error.code == Errc::Absent
                                         ? say(QT_TRANSLATE_NOOP("Overview", "it is not there."))
                                         : describe(error.code, error.sysErrno));
}

/// \p problems of disks as sentences, each with the way to its disk.
void addDiskProblems(const Machine &machine, const std::vector<health::Finding> &problems,
                     std::vector<OverviewFinding> &findings)
{
    std::size_t left = 0;
    for (const health::Finding &problem : problems) {
        const BlockNode *node = machine.disks().find(problem.device);
        const BlockNode *disk = node ? machine.disks().wholeDisk(*node) : nullptr;
        if (!disk || machine.presence(disk->name) == Presence::Silent)
            continue;
        if (findings.size() >= mostDiskProblems) {
            ++left;
            continue;
        }
        const QString says = messageText(problem.text);
        const QString name = shortened(machine.diskTitle(disk->name));
        // A RAID's sentence names it already.
        const bool isNamed = std::ranges::contains(problem.text.arguments, health::Argument(disk->name));
        findings.push_back({true,
                            isNamed ? says
                            : name == toQString(disk->name)
                                ? QCoreApplication::translate("Overview", "%1: %2").arg(name, says)
                                : QCoreApplication::translate("Overview", "%1 (%2): %3")
                                      .arg(name, toQString(disk->name), says),
                            showWord(),
                            {Place::Kind::Disk, disk->name},
                            {}});
    }
    if (left > 0) {
        const int count = static_cast<int>(left);
        findings.push_back(
            {true,
             QCoreApplication::translate("Overview", "%n more problem(s) of disks", nullptr, count),
             {},
             {},
             {}});
    }
}

void addKept(const Machine &machine, std::vector<OverviewFinding> &findings)
{
    const Place history{Place::Kind::History, {}};
    const auto unreadable = [&](const Error &error, const char *text) {
        findings.push_back({true, say(text).arg(toQString(error.input)), showWord(), history, {}});
    };
    if (machine.history().error)
        unreadable(*machine.history().error,
                   QT_TRANSLATE_NOOP("Overview", "%1 can't be read: what was changed is not known."));
    if (machine.keptError()) {
        unreadable(
            *machine.keptError(),
            QT_TRANSLATE_NOOP("Overview", "%1 can't be read: what is set at every start is not known."));
        return;
    }
    if (machine.startError()) {
        unreadable(
            *machine.startError(),
            QT_TRANSLATE_NOOP("Overview",
                              "%1 can't be read: whether what is set at every start holds is not known."));
        return;
    }
    const auto &start = machine.startStatus();
    if (!start || start->total == 0)
        return;
    if (start->state == StartState::SetAside) {
        findings.push_back({true,
                            say(QT_TRANSLATE_NOOP(
                                "Overview", "A start of the system did not finish, so what is set at every "
                                            "start was set aside.")),
                            showWord(),
                            history,
                            {}});
        return;
    }
    const auto differs = std::ranges::find(start->items, StartItemState::Differs, &StartStatusItem::state);
    if (differs != start->items.end()) {
        const auto count = std::ranges::count(start->items, StartItemState::Differs, &StartStatusItem::state);
        OverviewFinding finding{true,
                                QCoreApplication::translate("Overview", "%1 of %2 kept settings differ now.")
                                    .arg(count)
                                    .arg(start->total),
                                showWord(),
                                history,
                                {}};
        const auto address = parseAddress(differs->setting);
        const BlockNode *disk = address ? machine.disks().find(address->target) : nullptr;
        if (address && (disk || address->target.empty())) {
            finding.setting = *address;
            finding.place = disk ? Place{Place::Kind::Disk, disk->name} : Place{Place::Kind::Memory, {}};
            finding.setting->target = disk ? disk->name : std::string();
        }
        findings.push_back(std::move(finding));
    }
}

void addUnwritten(const Machine &machine, const std::optional<WritebackSample> &now,
                  std::vector<OverviewFinding> &findings)
{
    if (!now || now->limit < muchUnwritten)
        return;
    for (const std::string &disk : slowDisks(machine)) {
        if (unwrittenLimit(machine, {}, disk) == UnwrittenLimit::InForce)
            continue;
        findings.push_back(
            {true,
             QCoreApplication::translate(
                 "Overview", "Copying to %1 may freeze programs: %2 of unwritten data are allowed.")
                 .arg(shortened(machine.distinctTitle(disk)), memoryText(now->limit)),
             say(QT_TRANSLATE_NOOP("Overview", "Limit it…")),
             {Place::Kind::Memory, {}},
             {}});
        return;
    }
}

bool isUsed(const BlockNode &node)
{
    return !node.mounts.empty() || !node.holders.empty() ||
           std::ranges::find(node.notes, "swap") != node.notes.end();
}

} // namespace

std::vector<OverviewFinding> overviewFindings(const Machine &machine,
                                              const std::optional<WritebackSample> &now,
                                              const std::vector<health::Finding> &stored)
{
    std::vector<OverviewFinding> findings;
    if (machine.error())
        return {{true, errorWords(*machine.error()), {}, {}, {}}};
    addSilentDisks(machine, findings);
    addKept(machine, findings);
    addUnwritten(machine, now, findings);
    if (findings.size() > mostProblems)
        findings.resize(mostProblems);
    // What puts data at risk comes first.
    std::vector<health::Finding> problems = machine.problems().value_or(std::vector<health::Finding>{});
    problems.insert(problems.end(), stored.begin(), stored.end());
    std::vector<OverviewFinding> ofDisks;
    addDiskProblems(machine, problems, ofDisks);
    findings.insert(findings.begin(), ofDisks.begin(), ofDisks.end());
    if (!findings.empty())
        return findings;
    findings.push_back({false,
                        machine.problems() ? say(QT_TRANSLATE_NOOP("Overview", "Nothing needs you."))
                                           : say(QT_TRANSLATE_NOOP("Overview", "Looking at the disks…")),
                        {},
                        {},
                        {}});
    if (const auto &start = machine.startStatus(); start && start->total > 0) {
        const QString text =
            start->state == StartState::Off
                ? say(QT_TRANSLATE_NOOP("Overview", "What is kept is not used at the start now."))
                : QCoreApplication::translate("Overview", "%1 of %2 kept settings hold.")
                      .arg(start->holds)
                      .arg(start->total);
        findings.push_back({false, text, showWord(), {Place::Kind::History, {}}, {}});
    } else if (machine.history().entries.empty()) {
        findings.push_back(
            {false,
             say(QT_TRANSLATE_NOOP("Overview", "Diskwright changes nothing until you review and apply.")),
             {},
             {},
             {}});
    }
    return findings;
}

std::vector<const BlockNode *> overviewDisks(const Machine &machine)
{
    std::vector<const BlockNode *> disks;
    for (const BlockNode &disk : machine.disks().disks()) {
        if (machine.lists(disk) && disk.slaves.empty())
            disks.push_back(&disk);
    }
    return disks;
}

QString differingWords(const Machine &machine, const std::string &disk)
{
    if (!machine.hasRead(disk))
        return {};
    int known = 0;
    int differing = 0;
    int unknown = 0;
    for (const Observation &seen : machine.settings(disk)) {
        if (seen.state != ObservedState::Current)
            continue;
        if (!seen.defaultValue) {
            ++unknown;
            continue;
        }
        ++known;
        differing += seen.differsFromDefault() ? 1 : 0;
    }
    if (known == 0)
        return say(QT_TRANSLATE_NOOP("Overview", "Its defaults are not known"));
    if (differing == 0 && unknown > 0)
        return say(QT_TRANSLATE_NOOP("Overview", "As by default, as far as that is known"));
    return differing == 0 ? say(QT_TRANSLATE_NOOP("Overview", "Settings as by default"))
                          : QCoreApplication::translate("Overview", "%n setting(s) not as by default",
                                                        nullptr, differing);
}

std::vector<DiskStretch> stretchesOf(const BlockNode &disk)
{
    if (!disk.sizeBytes || *disk.sizeBytes == 0)
        return {};
    const auto whole = static_cast<double>(*disk.sizeBytes);
    if (disk.partitions.empty())
        return {{disk.fstype || isUsed(disk) ? disk.name : std::string(), 1, isUsed(disk)}};
    std::vector<DiskStretch> stretches;
    double left = 1;
    for (const BlockNode &partition : disk.partitions) {
        // An extended partition is counted by those inside it; a damaged table may claim more than there is.
        const double share = std::min(left, static_cast<double>(partition.sizeBytes.value_or(0)) / whole);
        if (share <= 0)
            continue;
        stretches.push_back({partition.name, share, isUsed(partition)});
        left -= share;
    }
    if (left > 0.001)
        stretches.push_back({{}, left, false});
    return stretches;
}

QString partitionWords(const BlockNode &disk)
{
    if (!disk.sizeBytes || *disk.sizeBytes == 0)
        return {};
    if (disk.partitions.empty()) {
        return disk.fstype ? QCoreApplication::translate("Overview", "%1 without partitions")
                                 .arg(toQString(*disk.fstype))
                           : say(QT_TRANSLATE_NOOP("Overview", "No partitions"));
    }
    // lupdate overlooks a plural form whose number is more than a name.
    const int count = static_cast<int>(disk.partitions.size());
    QString text = QCoreApplication::translate("Overview", "%n partition(s)", nullptr, count);
    const auto stretches = stretchesOf(disk);
    if (!stretches.empty() && stretches.back().name.empty() && stretches.back().share > 0.01)
        text = QCoreApplication::translate("Overview", "%1, %2 in none of them")
                   .arg(text, diskSizeText(static_cast<std::uint64_t>(stretches.back().share *
                                                                      static_cast<double>(*disk.sizeBytes))));
    return text;
}

} // namespace diskwright::ui
