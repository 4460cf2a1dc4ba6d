// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "restore.h"

#include "../contract/address.h"
#include "../contract/codec.h"
#include "bootwriter.h"
#include "stablematch.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace diskwright {

namespace {

Result<> writeOnce(const Directory &anchor, const SettingSpec &spec, const Value &value)
{
    const auto file = anchor.openForWriting(spec.attribute);
    if (!file)
        return std::unexpected(file.error());
    const std::string text = kernelText(value);
    const ssize_t written = ::write(file->get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size()))
        return fail(Errc::Kernel, std::string(spec.id), written < 0 ? std::strerror(errno) : "short write",
                    {}, written < 0 ? errno : 0);
    const auto back = anchor.read(spec.attribute);
    const auto parsed = back ? parseKernelText(spec, *back) : std::unexpected(back.error());
    if (!parsed)
        return std::unexpected(parsed.error());
    return parsed->value == value ? Result<>()
                                  : fail(Errc::Kernel, std::string(spec.id),
                                         "the kernel made it " + printable(toText(parsed->value)));
}

Result<> restoreOn(const Result<Directory> &anchor, const BootItem &item)
{
    if (!anchor)
        return std::unexpected(anchor.error());
    const SettingSpec *spec = findSetting(item.original.setting);
    if (!spec)
        return fail(Errc::UnknownSetting, printable(item.original.setting), "not in the catalogue");
    if (const auto valid = validate(*spec, item.original.value); !valid)
        return fail(valid.error().code, toText(item.original.value), "the original is out of range: restart");
    const auto scheduler =
        spec->scheduler.empty() ? std::string() : anchor->read("queue/scheduler").value_or("");
    if (!spec->scheduler.empty() && !scheduler.contains('[' + std::string(spec->scheduler) + ']'))
        return {};
    return writeOnce(*anchor, *spec, item.original.value);
}

Result<std::string> onlyDisk(const Match &match, const std::vector<DiskFacts> &disks)
{
    std::vector<std::string> found;
    for (const DiskFacts &facts : disks) {
        if (matches(match, facts))
            found.push_back(facts.name);
    }
    if (found.size() == 1 && std::holds_alternative<DiskMatch>(match))
        return found.front();
    if (std::holds_alternative<DiskClass>(match) && !found.empty())
        return fail(Errc::NoStableId, addressTarget(match),
                    "was kept for a class: its values end with a disk's power or a restart");
    return fail(Errc::UnknownTarget, addressTarget(match),
                found.empty() ? "is not there: its values end with its power or a restart"
                              : "is not the only one of its kind: restart");
}

} // namespace

RestoreReport restoreKept(const SystemRoot &root)
{
    RestoreReport report;
    const auto failed = [&](const std::string &what, const Error &error) {
        report.failed.push_back(what + ": " + error.reason);
    };
    const auto text = readBootSetText(root);
    auto set = !text   ? Result<BootSet>(std::unexpected(text.error()))
               : *text ? decodeBootSet(**text)
                       : BootSet{};
    if (!set) {
        failed("/etc/diskwright/boot-set.json", set.error());
        set = BootSet{};
    }
    // A scheduler switch resets what comes after it, so the order is that of applying.
    std::ranges::stable_sort(set->items, {},
                             [](const BootItem &item) { return findSetting(item.setting)->order; });
    const auto disks = readAllDiskFacts(root);
    const auto vm = root.vm();
    for (const BootItem &item : set->items) {
        const bool isMachine = std::holds_alternative<MachineMatch>(item.match);
        const auto isOn = [&](const DiskFacts &facts) { return matches(item.match, facts); };
        if (std::holds_alternative<DiskClass>(item.match) && std::ranges::none_of(disks, isOn))
            continue;
        const auto disk = isMachine ? Result<std::string>("") : onlyDisk(item.match, disks);
        const SettingSpec &spec = *findSetting(item.original.setting);
        const std::string what = toText(Address{spec.domain, addressTarget(item.match, disk.value_or("")),
                                                std::string(spec.key)}) +
                                 '=' + toText(item.original.value);
        const auto restored = !disk       ? std::unexpected(disk.error())
                              : isMachine ? restoreOn(vm, item)
                                          : restoreOn(root.blockDevice(*disk), item);
        if (restored)
            report.done.push_back(what);
        else
            failed(what, restored.error());
    }
    const WriteOptions removal{.replaceEdited = true, .backInPlace = true, .leaveForeign = true};
    if (const auto removed = writeBootSet(root, {}, removal); removed)
        report.done.emplace_back("kept files removed");
    else
        failed("removing the kept files: " + removed.error().input, removed.error());
    if (const auto foreign = foreignFiles(root)) {
        for (const std::string &path : *foreign)
            report.failed.push_back(path + ": was not written by this program and is left as it is");
    }
    return report;
}

} // namespace diskwright
