// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "schedulers.h"

#include "../contract/catalogue.h"

#include <algorithm>

namespace diskwright {

namespace {

/// Whether one of the module lists names this scheduler's module: kernel/block/bfq.ko, kyber-iosched.ko.xz …
bool hasModule(std::string_view lists, std::string_view scheduler)
{
    for (const std::string_view suffix : {".ko", "-iosched.ko"}) {
        const std::string file = '/' + std::string(scheduler) + std::string(suffix);
        if (lists.find(file) != std::string_view::npos)
            return true;
    }
    return false;
}

} // namespace

std::string kernelRelease(const SystemRoot &root)
{
    std::string release = root.readFile("proc/sys/kernel/osrelease", 256).value_or(std::string());
    if (release.ends_with('\n'))
        release.pop_back();
    const bool isSound =
        !release.empty() && release != "." && release != ".." && std::ranges::none_of(release, [](char c) {
            return c == '/' || static_cast<unsigned char>(c) <= 0x20;
        });
    return isSound ? release : std::string();
}

std::vector<std::string> installedSchedulers(const SystemRoot &root)
{
    std::vector<std::string> installed;
    const std::string release = kernelRelease(root);
    if (release.empty())
        return installed;
    std::string lists;
    for (const std::string_view list : {"modules.builtin", "modules.dep"})
        lists += root.readFile("lib/modules/" + release + '/' + std::string(list), 16 * 1024 * 1024)
                     .value_or(std::string());
    for (const std::string_view scheduler : knownSchedulers()) {
        if (hasModule(lists, scheduler))
            installed.emplace_back(scheduler);
    }
    return installed;
}

std::vector<std::string> offeredSchedulers(const SystemRoot &root, const std::vector<std::string> &listed)
{
    std::vector<std::string> offered;
    if (listed.empty())
        return offered;
    const std::vector<std::string> installed = installedSchedulers(root);
    for (const std::string_view scheduler : knownSchedulers()) {
        if (std::ranges::find(listed, scheduler) != listed.end() ||
            std::ranges::find(installed, scheduler) != installed.end())
            offered.emplace_back(scheduler);
    }
    return offered;
}

} // namespace diskwright
