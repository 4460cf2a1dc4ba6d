// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemmarks.h"

#include "../access/systemdisks.h"
#include "../contract/address.h"
#include "atomicfile.h"
#include "keptplaces.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <unistd.h>

namespace diskwright {

namespace {

constexpr std::size_t rememberedBytes = std::size_t{64} * 1024;

Result<> addMark(int folder, const std::string &name)
{
    return Directory(Descriptor(dup(folder))).has(name) ? Result<>() : replaceFile(folder, name, {}, 0644);
}

Result<std::set<std::string>> rememberedSerials(const SystemRoot &root)
{
    std::set<std::string> serials;
    const auto folder = openPlace(root, Place::Boot);
    const auto text = folder && folder->isOpen() ? readFileIn(folder->get(), systemDisksName, rememberedBytes)
                                                 : std::optional<std::string>();
    if (!text)
        return std::unexpected(text.error());
    const std::string lines = text->value_or(std::string());
    for (const auto part : std::views::split(lines, '\n')) {
        if (const std::string serial(part.begin(), part.end()); isSafeDiskId(serial))
            serials.insert(serial);
    }
    return serials;
}

} // namespace

bool hasClasses(const BootSet &set) noexcept
{
    return std::ranges::any_of(
        set.items, [](const BootItem &item) { return std::holds_alternative<DiskClass>(item.match); });
}

Result<> markSystemDisks(const SystemRoot &root)
{
    const auto disks = systemDisks(root);
    if (!disks)
        return std::unexpected(disks.error());
    const auto folder = makePlace(root, Place::System);
    if (!folder)
        return std::unexpected(folder.error());
    for (const std::string &name : *disks) {
        const auto facts = readDiskFacts(root, name);
        if (!facts || facts->diskseq == 0)
            continue;
        if (const auto marked = addMark(folder->get(), std::to_string(facts->diskseq)); !marked)
            return marked;
    }
    const auto remembered = rememberedSerials(root);
    if (!remembered)
        return std::unexpected(remembered.error());
    for (const std::string &serial : *remembered) {
        if (const auto marked = addMark(folder->get(), std::string(serialMark) + serial); !marked)
            return marked;
    }
    return addMark(folder->get(), std::string(marksAreMade));
}

Result<> rememberSystemDisks(const SystemRoot &root)
{
    const auto disks = systemDisks(root);
    if (!disks)
        return std::unexpected(disks.error());
    std::set<std::string> serials;
    for (const std::string &name : *disks) {
        if (const auto facts = readDiskFacts(root, name); facts && isSafeDiskId(facts->serial))
            serials.insert(facts->serial);
    }
    // What can't be read is written anew.
    if (rememberedSerials(root).value_or(std::set<std::string>()) == serials)
        return {};
    const auto folder = makePlace(root, Place::Boot);
    if (!folder)
        return std::unexpected(folder.error());
    std::string text;
    for (const std::string &serial : serials)
        text += serial + '\n';
    return replaceFile(folder->get(), systemDisksName, text, 0644);
}

Result<> forgetSystemDisks(const SystemRoot &root)
{
    const auto folder = openPlace(root, Place::Boot);
    if (!folder || !folder->isOpen())
        return folder ? Result<>() : std::unexpected(folder.error());
    if (!Directory(Descriptor(dup(folder->get()))).has(systemDisksName))
        return {};
    return removeFile(folder->get(), systemDisksName);
}

} // namespace diskwright
