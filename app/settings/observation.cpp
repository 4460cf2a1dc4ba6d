// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "observation.h"

#include "kerneldefault.h"
#include "observeshown.h"
#include "search.h"
#include "shown.h"

#include "helper/access/bounds.h"
#include "helper/access/schedulers.h"
#include "helper/contract/codec.h"
#include "helper/contract/domains.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace diskwright {

namespace {

constexpr std::size_t mostNamed = 24; // as many targets as a message lists

bool isOnReadOnlyFilesystem(const Directory &folder)
{
    struct statvfs information = {};
    return fstatvfs(folder.fd(), &information) == 0 && (information.f_flag & ST_RDONLY) != 0;
}

/// Why nobody can write the attribute, or empty.
std::string whyReadOnly(const SystemRoot &root, const Directory &folder, std::string_view attribute)
{
    struct stat information = {};
    const std::string path(attribute);
    if (fstatat(folder.fd(), path.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0 &&
        (information.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0)
        return "the kernel offers it for reading only";
    // A container shows the kernel's settings without letting anyone change them.
    if (root.isLive() && isOnReadOnlyFilesystem(folder))
        return "this system's kernel settings are mounted read-only";
    return {};
}

void setBounds(Observation &seen, const SettingSpec &spec)
{
    if (const auto *range = std::get_if<Range>(&spec.accepts)) {
        seen.unit = range->unit;
        seen.min = range->min;
        seen.max = range->max;
        seen.step = range->step;
    } else if (std::holds_alternative<Toggle>(spec.accepts)) {
        seen.min = 0;
        seen.max = 1;
        seen.step = 1;
    }
}

void setReadingError(Observation &seen, const Error &error, std::string_view where)
{
    // Where a device lacks what the file stands for, the kernel answers EINVAL (wbt_lat_usec).
    if (error.code == Errc::Absent || error.sysErrno == EINVAL) {
        seen.state = ObservedState::Absent;
        seen.reason = std::string("not offered by this ") + std::string(where);
        return;
    }
    seen.state = error.code == Errc::Malformed ? ObservedState::Unparsable : ObservedState::Unreadable;
    seen.reason = error.sysErrno == EACCES || error.sysErrno == EPERM
                      ? "this user may not read it"
                      : "the kernel does not show it now: " + error.reason;
}

/// Plain words, one of them in brackets, or a single word: what the kernel writes and nothing else does.
bool isChoiceText(std::string_view text)
{
    constexpr std::size_t longestName = 16; // ELV_NAME_MAX
    std::size_t words = 0;
    std::size_t marked = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        std::string_view word = text.substr(at, end - at);
        at = end + 1;
        if (word.empty())
            continue;
        ++words;
        if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
            word = word.substr(1, word.size() - 2);
            ++marked;
        }
        const bool isPlain =
            word.size() <= longestName && std::ranges::all_of(word, [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            });
        if (!isPlain)
            return false;
    }
    return marked == 1 || (marked == 0 && words == 1);
}

/// Why the text can't be this row's value on any kernel, or empty.
std::string whyJunk(const SettingSpec &spec, const Result<Parsed> &parsed, std::string_view text)
{
    if (spec.codec == Codec::BracketedChoice)
        return parsed && isChoiceText(text) ? "" : "a list with one choice marked";
    const auto *integer = parsed ? std::get_if<std::int64_t>(&parsed->value) : nullptr;
    if (!integer)
        return "a whole number";
    if (std::holds_alternative<Toggle>(spec.accepts) && *integer != 0 && *integer != 1)
        return "0 or 1";
    const auto *range = std::get_if<Range>(&spec.accepts);
    return range && range->min >= 0 && *integer < 0 ? "a number from 0 on" : "";
}

void parse(Observation &seen, const Parsed &parsed, const SystemRoot &root)
{
    seen.value = parsed.value;
    if (seen.spec->codec != Codec::BracketedChoice)
        return;
    // Without brackets the driver has no queue that could be scheduled; then the one word is all it takes.
    const bool canChoose = seen.rawText.find('[') != std::string::npos;
    seen.offered = canChoose && seen.spec->id == "queue/scheduler" ? offeredSchedulers(root, parsed.offered)
                                                                   : parsed.offered;
    if (!canChoose) {
        seen.state = ObservedState::ReadOnly;
        seen.reason = "this device offers no choice";
    }
}

/// Reads, parses and judges one attribute below its anchor.
void read(Observation &seen, const SystemRoot &root, const Directory &folder, std::string_view where)
{
    auto text = folder.read(seen.spec->attribute);
    if (!text) {
        setReadingError(seen, text.error(), where);
        return;
    }
    seen.rawText = std::move(*text);
    if (seen.rawText.ends_with('\n'))
        seen.rawText.pop_back();
    const auto parsed = parseKernelText(*seen.spec, seen.rawText);
    if (const std::string wanted = whyJunk(*seen.spec, parsed, seen.rawText); !wanted.empty()) {
        seen.state = ObservedState::Unparsable;
        seen.reason = "the kernel says '" + printable(seen.rawText) + "', which is not " + wanted;
        return;
    }
    seen.state = ObservedState::Current;
    parse(seen, *parsed, root);
    if (std::string why = whyReadOnly(root, folder, seen.spec->attribute); !why.empty()) {
        seen.state = ObservedState::ReadOnly;
        seen.reason = std::move(why);
    }
}

void addKnowledge(Observation &seen, std::optional<Value> kernelRule, const Knowledge &knowledge)
{
    const std::string *id = seen.id ? &*seen.id : nullptr;
    if (const auto kept = knowledge.kept ? knowledge.kept(*seen.spec, seen.target) : std::nullopt) {
        seen.kept = kept->value;
        seen.keptFor = kept->forClass;
        seen.keptItem = kept->item;
    }
    if (kernelRule) {
        seen.defaultValue = std::move(kernelRule);
        seen.defaultSource = DefaultSource::KernelRule;
    } else if (knowledge.beforeFirstChange) {
        seen.defaultValue = knowledge.beforeFirstChange(*seen.spec, seen.target, id);
        if (seen.defaultValue)
            seen.defaultSource = DefaultSource::SawBeforeFirstChange;
    }
}

/// What this machine and device make of the row's range.
void narrow(Observation &seen, const SystemRoot &root, const Directory &anchor, std::string_view scheduler)
{
    const auto here = narrowed(root, anchor, *seen.spec, scheduler);
    if (here) {
        setBounds(seen, *here);
    } else if (seen.state == ObservedState::Current) {
        seen.state = ObservedState::ReadOnly;
        seen.reason = here.error().reason;
    }
}

Observation begin(const SettingSpec &spec)
{
    Observation seen;
    seen.spec = &spec;
    seen.settingId = spec.id;
    seen.domain = spec.domain;
    seen.key = spec.key;
    return seen;
}

using Schedulers = std::optional<std::vector<std::string>>;

/// Schedulers that the kernel lists for the device or has installed; none if that can't be found out.
Schedulers schedulersOf(const SystemRoot &root, const Result<Directory> &device)
{
    const std::vector<std::string> installed = installedSchedulers(root);
    const SettingSpec *spec = findSetting("queue/scheduler");
    if (!spec || !device || installed.empty())
        return std::nullopt;
    const auto text = device->read(spec->attribute);
    if (!text)
        return std::nullopt;
    const auto parsed = parseKernelText(*spec, *text);
    return parsed ? Schedulers(offeredSchedulers(installed, parsed->offered)) : std::nullopt;
}

/// Why the rows of a scheduler that is not active are not there.
std::string whyInactive(const Schedulers &schedulers, std::string_view wanted, const std::string &active)
{
    if (schedulers && std::ranges::find(*schedulers, wanted) == schedulers->end())
        return "this kernel has no " + std::string(wanted);
    return "exists only while the scheduler is " + std::string(wanted) + "; now it is " + active;
}

Observation observeOnDisk(const SystemRoot &root, const Result<Directory> &device, const BlockNode &disk,
                          const SettingSpec &spec, const Schedulers &schedulers, const Knowledge &knowledge)
{
    Observation seen = begin(spec);
    seen.target = disk.name;
    seen.id = disk.id;
    setBounds(seen, spec);
    if (!device) {
        seen.reason = "the device is gone";
        return seen;
    }
    const std::string active = disk.scheduler.value_or("none");
    if (!spec.scheduler.empty() && spec.scheduler != active) {
        seen.reason = whyInactive(schedulers, spec.scheduler, active);
    } else {
        read(seen, root, *device, "kernel or device");
        narrow(seen, root, *device, active);
    }
    addKnowledge(seen, kernelDefault(root, *device, disk, spec), knowledge);
    return seen;
}

Observation observeOnMachine(const SystemRoot &root, const Result<Directory> &vm, const SettingSpec &spec,
                             const Knowledge &knowledge)
{
    Observation seen = begin(spec);
    setBounds(seen, spec);
    if (vm) {
        read(seen, root, *vm, "kernel");
        narrow(seen, root, *vm, {});
    } else {
        setReadingError(seen, vm.error(), "kernel");
    }
    addKnowledge(seen, kernelDefault(spec), knowledge);
    return seen;
}

bool isReadBelowDisk(const SettingSpec &spec)
{
    return spec.domain == Domain::Queue || spec.domain == Domain::IoSched || spec.domain == Domain::Bdi;
}

std::string targetNames(const DiskList &disks)
{
    std::string names;
    std::size_t count = 0;
    for (const BlockNode &disk : disks.disks()) {
        if (disk.hiddenByDefault)
            continue;
        if (++count > mostNamed)
            return names + ", …";
        names += (names.empty() ? "" : ", ") + disk.name;
    }
    return names;
}

/// \p schedulers: what the kernel has, where that is known; else adios counts as lacking, since no official
/// kernel has it, unless it is \p active.
std::string settingNames(Domain domain, const std::string &target, const Schedulers &schedulers = {},
                         std::string_view active = {})
{
    const auto isLacking = [&](std::string_view scheduler) {
        if (scheduler.empty() || scheduler == active)
            return false;
        return schedulers ? std::ranges::find(*schedulers, scheduler) == schedulers->end()
                          : scheduler == "adios";
    };
    std::string names;
    for (const SettingSpec &row : catalogue()) {
        if (row.domain != domain || isLacking(row.scheduler))
            continue;
        names += (names.empty() ? "" : ", ") +
                 toText({row.domain, isPerDisk(row.domain) ? target : std::string(), std::string(row.key)});
    }
    return names.empty() ? settableDomains() : names;
}

std::unexpected<Error> unknownSetting(const Address &address, std::string_view input,
                                      const Schedulers &schedulers = {}, std::string_view active = {})
{
    const bool isSettable = std::ranges::contains(catalogue(), address.domain, &SettingSpec::domain);
    std::string reason =
        isSettable ? "no such setting" : "nothing of '" + std::string(name(address.domain)) + "' can be set";
    for (const std::string &id : similarSettings(std::string(name(address.domain)) + '/' + address.key))
        reason += (reason.find(';') == std::string::npos ? "; did you mean " : ", ") +
                  addressOf(id, printable(address.target));
    return fail(Errc::UnknownSetting, printable(input), reason,
                settingNames(address.domain, printable(address.target), schedulers, active));
}

} // namespace

std::string_view name(ObservedState state) noexcept
{
    switch (state) {
    case ObservedState::Current: return "current";
    case ObservedState::Absent: return "absent";
    case ObservedState::Unreadable: return "unreadable";
    case ObservedState::Unparsable: return "unparsable";
    case ObservedState::ReadOnly: return "read-only";
    }
    return "unreadable";
}

std::string_view name(DefaultSource source) noexcept
{
    switch (source) {
    case DefaultSource::Unknown: return "unknown";
    case DefaultSource::KernelRule: return "kernel-rule";
    case DefaultSource::SawBeforeFirstChange: return "saw-before-first-change";
    case DefaultSource::DistributionFile: return "distribution-file";
    }
    return "unknown";
}

Address Observation::address() const
{
    return {domain, target, key};
}

bool Observation::differsFromDefault() const noexcept
{
    return value && defaultValue && *value != *defaultValue;
}

std::vector<Observation> observe(const SystemRoot &root, const BlockNode &disk, const Knowledge &knowledge)
{
    std::vector<Observation> all;
    const auto device = root.blockDevice(disk.name);
    const Schedulers schedulers = schedulersOf(root, device);
    for (const SettingSpec &spec : catalogue()) {
        if (isReadBelowDisk(spec))
            all.push_back(observeOnDisk(root, device, disk, spec, schedulers, knowledge));
    }
    return all;
}

std::vector<Observation> observeVm(const SystemRoot &root, const Knowledge &knowledge)
{
    std::vector<Observation> all;
    const auto vm = root.vm();
    for (const SettingSpec &spec : catalogue()) {
        if (spec.domain == Domain::Vm)
            all.push_back(observeOnMachine(root, vm, spec, knowledge));
    }
    return all;
}

Result<Observation> observeSetting(const SystemRoot &root, const DiskList &disks, const Address &address,
                                   const Knowledge &knowledge)
{
    const SettingSpec *spec = findSetting(address.domain, address.key);
    if (address.domain == Domain::Vm) {
        if (spec)
            return observeOnMachine(root, root.vm(), *spec, knowledge);
        auto shown = observeShownOnMachine(root.vm(), address);
        return shown ? shown : unknownSetting(address, toText(address));
    }
    const auto disk = findDisk(disks, address.target, toText(address));
    if (!disk)
        return std::unexpected(disk.error());
    const auto device = root.blockDevice((*disk)->name);
    if (spec)
        return observeOnDisk(root, device, **disk, *spec,
                             spec->scheduler.empty() ? Schedulers() : schedulersOf(root, device), knowledge);
    auto shown = observeShownOnDisk(device, **disk, address);
    if (shown)
        return shown;
    return unknownSetting(address, toText(address), schedulersOf(root, device),
                          (*disk)->scheduler.value_or("none"));
}

Result<const BlockNode *> findDisk(const DiskList &disks, std::string_view target, std::string_view input)
{
    const BlockNode *node = disks.find(target);
    if (!node)
        return fail(Errc::UnknownTarget, printable(input),
                    input == target ? "no disk has this name"
                                    : "no disk is called '" + printable(target) + "'",
                    targetNames(disks));
    if (!node->parent.empty())
        return fail(Errc::UnknownTarget, printable(input),
                    node->name + " is a partition; its settings are those of its disk", node->parent);
    return node;
}

Result<Address> resolveShownAddress(const DiskList &disks, std::string_view text)
{
    auto address = parseAddress(text);
    if (!address || address->domain == Domain::Vm)
        return address;
    const auto disk = findDisk(disks, address->target, text);
    if (!disk)
        return std::unexpected(disk.error());
    address->target = (*disk)->name;
    if (address->domain == Domain::IoSched && address->key.find('/') == std::string::npos) {
        const std::string active = (*disk)->scheduler.value_or("none");
        if (active == "none")
            return fail(Errc::Absent, printable(text), "no scheduler is active on " + address->target,
                        "the long form, as in iosched:" + address->target + ":mq-deadline/read_expire");
        address->key = active + '/' + address->key;
    }
    return address;
}

Result<Address> resolveAddress(const DiskList &disks, std::string_view text)
{
    auto address = resolveShownAddress(disks, text);
    if (!address || findSetting(address->domain, address->key))
        return address;
    if (const ShownSetting *shown = findShown(address->domain, address->key))
        return fail(Errc::ReadOnly, printable(text), std::string(shown->why),
                    settingNames(address->domain, address->target));
    const BlockNode *disk = disks.find(address->target);
    return unknownSetting(*address, text, {}, disk ? disk->scheduler.value_or("none") : std::string());
}

} // namespace diskwright
