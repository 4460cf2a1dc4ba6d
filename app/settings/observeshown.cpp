// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "observeshown.h"

#include "shown.h"

#include "app/disks/names.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>

namespace diskwright {

namespace {

constexpr std::size_t mostUnknown = 64; // files a folder that nobody described
constexpr std::size_t longestName = 64;
constexpr std::size_t longestValue = 240;

bool isPlainName(std::string_view name)
{
    return !name.empty() && name.size() <= longestName && name.front() != '.' &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || c == '.';
           });
}

/// A number where the text is one, else the text as one bounded, clean line.
Value valueOf(std::string_view text)
{
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    std::int64_t integer = 0;
    const char *begin = text.data();
    const char *textEnd = begin + text.size();
    const auto [end, error] = std::from_chars(begin, textEnd, integer);
    if (!text.empty() && error == std::errc{} && end == textEnd)
        return number(integer);
    std::string line(text.substr(0, longestValue));
    std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return word(cleanText(line) + (text.size() > longestValue ? " …" : ""));
}

struct Place {
    Domain domain = Domain::Queue;
    std::string key;
    std::string attribute; ///< below the anchor
};

/// Where an address's file would lie; none if the address can't be one.
std::optional<Place> placeOf(const Address &address)
{
    std::string_view file = address.key;
    std::string folder;
    if (address.domain == Domain::IoSched) {
        const std::size_t slash = file.find('/');
        if (slash == std::string_view::npos || !isPlainName(file.substr(0, slash)))
            return std::nullopt;
        file.remove_prefix(slash + 1);
        folder = "queue/iosched/";
    } else if (address.domain == Domain::Queue) {
        folder = "queue/";
    } else if (address.domain == Domain::Bdi) {
        folder = "bdi/";
    } else if (address.domain != Domain::Vm) {
        return std::nullopt;
    }
    if (!isPlainName(file))
        return std::nullopt;
    return Place{address.domain, address.key, folder + std::string(file)};
}

Observation begin(const Place &place)
{
    Observation seen;
    seen.settingId = std::string(name(place.domain)) + '/' + place.key;
    seen.domain = place.domain;
    seen.key = place.key;
    const ShownSetting *shown = findShown(seen.settingId);
    seen.unit = shown ? shown->unit : Unit::None;
    seen.reason = shown ? shown->why : noDescription();
    return seen;
}

/// Fills in what the file says. False if there is none.
bool read(Observation &seen, const Directory &anchor, const Place &place)
{
    seen.state = ObservedState::ReadOnly;
    if (const ShownSetting *shown = findShown(seen.settingId); shown && !shown->isRead)
        return anchor.has(place.attribute);
    // Files that only take commands are never opened, by nobody.
    struct stat information = {};
    if (fstatat(anchor.fd(), place.attribute.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0) {
        if (!S_ISREG(information.st_mode))
            return false;
        if ((information.st_mode & S_IROTH) == 0) {
            seen.state = ObservedState::Unreadable;
            seen.reason = (information.st_mode & S_IRUSR) == 0 ? "the kernel lets nobody read it"
                                                               : "the kernel lets only root read it";
            return true;
        }
    }
    auto text = anchor.read(place.attribute);
    if (!text) {
        if (text.error().code == Errc::Absent)
            return false;
        seen.state = ObservedState::Unreadable;
        seen.reason = "the kernel does not show it now: " + text.error().reason;
        return true;
    }
    seen.value = valueOf(*text);
    seen.rawText = toText(*seen.value);
    return true;
}

/// Names in a folder that are plain files and nowhere described.
std::vector<std::string> unknownIn(const Directory &anchor, const std::string &folder, Domain domain,
                                   const std::string &keyPrefix)
{
    auto entries = folder.empty() ? anchor.entries() : anchor.entries(folder);
    if (!entries)
        return {};
    std::ranges::sort(*entries);
    std::vector<std::string> keys;
    for (const std::string &entry : *entries) {
        const std::string key = keyPrefix + entry;
        if (keys.size() == mostUnknown)
            break;
        if (isPlainName(entry) && !findSetting(domain, key) && !findShown(domain, key))
            keys.push_back(key);
    }
    return keys;
}

void addAll(std::vector<Observation> &all, const Directory &anchor, Domain domain,
            const std::vector<std::string> &keys, const BlockNode *disk)
{
    for (const std::string &key : keys) {
        const auto place = placeOf({domain, {}, key});
        if (!place)
            continue;
        Observation seen = begin(*place);
        if (disk) {
            seen.target = disk->name;
            seen.id = disk->id;
        }
        if (read(seen, anchor, *place))
            all.push_back(std::move(seen));
    }
}

std::vector<std::string> describedKeys(Domain domain)
{
    const std::string prefix = std::string(name(domain)) + '/';
    std::vector<std::string> keys;
    for (const ShownSetting &row : shownSettings()) {
        if (row.id.starts_with(prefix))
            keys.emplace_back(row.id.substr(prefix.size()));
    }
    return keys;
}

} // namespace

std::vector<Observation> observeShown(const SystemRoot &root, const BlockNode &disk)
{
    std::vector<Observation> all;
    const auto device = root.blockDevice(disk.name);
    if (!device)
        return all;
    for (const Domain domain : {Domain::Queue, Domain::Bdi})
        addAll(all, *device, domain, describedKeys(domain), &disk);
    addAll(all, *device, Domain::Queue, unknownIn(*device, "queue", Domain::Queue, {}), &disk);
    const std::string active = disk.scheduler.value_or("none");
    if (active != "none" && isPlainName(active))
        addAll(all, *device, Domain::IoSched,
               unknownIn(*device, "queue/iosched", Domain::IoSched, active + '/'), &disk);
    return all;
}

std::vector<Observation> observeShownVm(const SystemRoot &root)
{
    std::vector<Observation> all;
    const auto vm = root.vm();
    if (!vm)
        return all;
    addAll(all, *vm, Domain::Vm, describedKeys(Domain::Vm), nullptr);
    addAll(all, *vm, Domain::Vm, unknownIn(*vm, {}, Domain::Vm, {}), nullptr);
    return all;
}

static Result<Observation> observeShownAt(const Result<Directory> &anchor, const BlockNode *disk,
                                          const Address &address)
{
    const auto place = placeOf(address);
    if (!place)
        return fail(Errc::UnknownSetting, printable(toText(address)));
    Observation seen = begin(*place);
    if (disk) {
        seen.target = disk->name;
        seen.id = disk->id;
    }
    const std::string active = disk ? disk->scheduler.value_or("none") : std::string();
    const bool isOther = address.domain == Domain::IoSched && !address.key.starts_with(active + '/');
    if (!isOther && anchor && read(seen, *anchor, *place))
        return seen;
    if (!findShown(seen.settingId))
        return fail(Errc::UnknownSetting, printable(toText(address)));
    seen.state = ObservedState::Absent;
    seen.reason = anchor ? "not offered by this kernel or device" : "the device is gone";
    return seen;
}

Result<Observation> observeShownOnDisk(const Result<Directory> &device, const BlockNode &disk,
                                       const Address &address)
{
    return observeShownAt(device, &disk, address);
}

Result<Observation> observeShownOnMachine(const Result<Directory> &vm, const Address &address)
{
    return observeShownAt(vm, nullptr, address);
}

} // namespace diskwright
