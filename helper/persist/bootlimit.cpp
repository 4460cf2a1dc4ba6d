// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootlimit.h"

#include "../contract/codec.h"
#include "atomicfile.h"
#include "bootguard.h"
#include "bootwriter.h"
#include "keptplaces.h"
#include "stablematch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace diskwright {

namespace {

Result<Value> readValue(const Directory &disk, const SettingSpec &spec)
{
    const auto text = disk.read(spec.attribute);
    const auto parsed = text ? parseKernelText(spec, *text) : std::unexpected(text.error());
    return parsed ? Result<Value>(parsed->value) : std::unexpected(parsed.error());
}

Result<> writeOnce(const Directory &disk, const SettingSpec &spec, const Value &value)
{
    const auto file = disk.openForWriting(spec.attribute);
    if (!file)
        return std::unexpected(file.error());
    const std::string text = kernelText(value);
    const ssize_t written = ::write(file->get(), text.data(), text.size());
    if (written == static_cast<ssize_t>(text.size()))
        return {};
    return fail(Errc::Kernel, std::string(spec.id), written < 0 ? std::strerror(errno) : "short write", {},
                written < 0 ? errno : 0);
}

Result<> bringIntoForce(const SystemRoot &root, const Directory &disk, const BootItem &item)
{
    const SettingSpec &spec = *findSetting(item.setting);
    const auto before = readValue(disk, spec);
    if (!before)
        return std::unexpected(before.error());
    if (!isKeptInForce(root, disk, spec, item.value, *before)) {
        if (const auto written = writeOnce(disk, spec, item.value); !written)
            return written;
        const auto after = readValue(disk, spec);
        if (!after)
            return std::unexpected(after.error());
        if (!isAsWanted(spec, item.value, *after))
            return fail(Errc::Kernel, std::string(spec.id),
                        "the kernel made it " + printable(toText(*after)));
    }
    // Where the note is right already, its time of writing would be all that changes.
    if (spec.drifts && !isLimitAsNoted(root, disk, item.value))
        return noteLimit(root, disk, item.value);
    return {};
}

bool isOff(const SystemRoot &root)
{
    return readBootState(root).value_or(BootState{}).aside != Aside::No ||
           parseCommandLine(root.readFile("proc/cmdline", 64 * 1024).value_or("")).off;
}

bool isHeld(const SystemRoot &root, std::string_view kernelName, const std::string &sequence)
{
    const auto holds = root.directory("run/diskwright/hold");
    const auto held = holds ? holds->read(kernelName) : std::unexpected(holds.error());
    return held && *held == sequence + '\n';
}

} // namespace

std::string_view name(LimitState state) noexcept
{
    switch (state) {
    case LimitState::NothingKept: return "nothing is kept for it";
    case LimitState::Off: return "kept settings are off";
    case LimitState::Held: return "under trial, left alone";
    case LimitState::InForce: return "in force";
    }
    return {};
}

Result<> noteLimit(const SystemRoot &root, const Directory &disk, const Value &wanted)
{
    const std::string sequence = limitNoteName(disk);
    if (sequence.empty())
        return fail(Errc::Absent, "diskseq", "the disk is not there any more");
    const auto folder = makePlace(root, Place::Limits);
    return folder ? replaceFile(folder->get(), sequence, limitNoteText(root, disk, wanted), 0644)
                  : std::unexpected(folder.error());
}

Result<LimitState> applyKeptLimit(const SystemRoot &root, std::string_view kernelName)
{
    const auto text = readBootSetText(root);
    if (!text)
        return std::unexpected(text.error());
    const auto set = *text ? decodeBootSet(**text) : BootSet{};
    if (!set)
        return std::unexpected(set.error());
    // Opened before anything is looked up: once the disk is gone, nothing can be written through this.
    const auto disk = root.blockDevice(kernelName);
    if (!disk)
        return std::unexpected(disk.error());
    if (disk->has("partition"))
        return fail(Errc::UnknownTarget, printable(kernelName), "a partition, not a whole disk");
    const auto facts = readDiskFacts(root, kernelName);
    if (!facts)
        return std::unexpected(facts.error());
    const std::string sequence = limitNoteName(*disk);
    if (sequence.empty() || sequence != std::to_string(facts->diskseq))
        return fail(Errc::DeviceChanged, printable(kernelName), "is another disk by now");
    std::vector<const BootItem *> items;
    bool hasLimit = false;
    for (const BootItem *item : itemsOn(*set, *facts)) {
        const bool isLimit = findSetting(item->setting)->keptBy == KeptBy::LimitUnit;
        hasLimit = hasLimit || isLimit;
        if (isLimit || item->setting == "bdi/strict_limit")
            items.push_back(item);
    }
    if (!hasLimit)
        return LimitState::NothingKept;
    if (isOff(root))
        return LimitState::Off;
    if (isHeld(root, kernelName, sequence))
        return LimitState::Held;
    std::ranges::stable_sort(items, {},
                             [](const BootItem *item) { return findSetting(item->setting)->order; });
    for (const BootItem *item : items) {
        if (const auto done = bringIntoForce(root, *disk, *item); !done)
            return std::unexpected(done.error());
    }
    return LimitState::InForce;
}

std::vector<std::string> applyKeptLimits(const SystemRoot &root)
{
    std::vector<std::string> failed;
    for (const DiskFacts &facts : readAllDiskFacts(root)) {
        const auto done = applyKeptLimit(root, facts.name);
        if (!done)
            failed.push_back(facts.name + ": " + done.error().input + ": " + done.error().reason);
    }
    return failed;
}

} // namespace diskwright
