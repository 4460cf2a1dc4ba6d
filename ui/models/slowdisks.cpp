// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "slowdisks.h"

#include "app/disks/stack.h"

#include <algorithm>

namespace diskwright::ui {

namespace {

constexpr std::int64_t mebibyte = 1'048'576;

Address bytesOf(const std::string &disk)
{
    return {Domain::Bdi, disk, "max_bytes"};
}

// Without it the limit is looked at only when all disks together have much unwritten.
Address strictnessOf(const std::string &disk)
{
    return {Domain::Bdi, disk, "strict_limit"};
}

std::optional<std::int64_t> numberOf(const Machine &machine, const Address &address)
{
    const Observation *seen = machine.setting(address);
    const auto *integer = seen && seen->value ? std::get_if<std::int64_t>(&*seen->value) : nullptr;
    return integer ? std::optional(*integer) : std::nullopt;
}

bool isSlowAndRemovable(const BlockNode &disk)
{
    const bool stick = disk.removable.value_or(false) && disk.type == "disk";
    // A card in a reader of its own does not say that it can be taken out.
    const bool card = std::ranges::contains(disk.notes, "sd-card");
    return stick || card || (disk.transport == "usb" && disk.rotational.value_or(false));
}

bool isMountedForWriting(const DiskList &disks, const BlockNode &disk)
{
    return std::ranges::any_of(mountsAbove(disks, disk, true), [](const MountedOn &place) {
        const std::string &options = place.mount->options;
        return options == "rw" || options.starts_with("rw,");
    });
}

} // namespace

std::vector<std::string> slowDisks(const Machine &machine)
{
    std::vector<std::string> names;
    for (const BlockNode &disk : machine.disks().disks()) {
        if (isSlowAndRemovable(disk) && machine.lists(disk) && isMountedForWriting(machine.disks(), disk))
            names.push_back(disk.name);
    }
    return names;
}

UnwrittenLimit unwrittenLimit(const Machine &machine, const ChangeSet &staged, const std::string &disk)
{
    if (staged.find(bytesOf(disk)))
        return UnwrittenLimit::Staged;
    const auto strict = numberOf(machine, strictnessOf(disk));
    if (!strict || !numberOf(machine, bytesOf(disk)))
        return UnwrittenLimit::Unknown;
    const auto share = numberOf(machine, {Domain::Bdi, disk, "max_ratio_fine"});
    return *strict == 1 && share.value_or(1'000'000) < 1'000'000 ? UnwrittenLimit::InForce
                                                                 : UnwrittenLimit::None;
}

std::int64_t sensibleLimit(const std::optional<WritebackSample> &now)
{
    constexpr std::int64_t most = 64 * mebibyte;
    // What makes the wait of sync(2) ten times shorter (docs/freezes.md).
    constexpr double share = 1.0 / 32;
    const auto part = now ? static_cast<std::int64_t>(now->limit * share) / mebibyte * mebibyte : most;
    return std::clamp(part, mebibyte, most);
}

std::optional<std::int64_t> limitBytes(const Machine &machine, const ChangeSet &staged,
                                       const std::string &disk)
{
    if (const StagedEdit *edit = staged.find(bytesOf(disk)))
        return std::get<std::int64_t>(edit->wanted);
    return numberOf(machine, bytesOf(disk));
}

Result<> stageLimit(StagedChanges &staged, const Machine &machine, const std::string &disk,
                    std::int64_t bytes)
{
    const auto current = [&](const Address &address) {
        const Observation *seen = machine.setting(address);
        return seen ? seen->value : std::nullopt;
    };
    if (auto done = staged.stage(strictnessOf(disk), current(strictnessOf(disk)), number(1)); !done)
        return done;
    return staged.stage(bytesOf(disk), current(bytesOf(disk)), number(bytes));
}

void unstageLimit(StagedChanges &staged, const std::string &disk)
{
    staged.unstage(bytesOf(disk));
    staged.unstage(strictnessOf(disk));
}

} // namespace diskwright::ui
