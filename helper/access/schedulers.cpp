// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "schedulers.h"

#include "../contract/catalogue.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace diskwright {

namespace {

/// The scheduler whose module a line of a module list begins with: kernel/block/bfq.ko,
/// kernel/block/kyber-iosched.ko.xz are bfq's and kyber's; empty for any other module.
std::string_view schedulerOfLine(std::string_view line)
{
    const std::string_view path = line.substr(0, line.find(':'));
    std::string_view module = path.substr(path.rfind('/') + 1); // the whole path where there is no slash
    const std::size_t suffix = module.find(".ko");
    if (suffix == std::string_view::npos || (module.size() > suffix + 3 && module[suffix + 3] != '.'))
        return {};
    module = module.substr(0, suffix);
    constexpr std::string_view iosched = "-iosched";
    if (module.ends_with(iosched))
        module.remove_suffix(iosched.size());
    const auto known = std::ranges::find(knownSchedulers(), module);
    return known != knownSchedulers().end() ? *known : std::string_view();
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
    std::set<std::string_view> found;
    for (const std::string_view list : {"modules.builtin", "modules.dep"}) {
        const auto text = root.readFile("lib/modules/" + release + '/' + std::string(list), 16 * 1024 * 1024);
        for (const auto line : std::views::split(text ? std::string_view(*text) : std::string_view(), '\n'))
            found.insert(schedulerOfLine(std::string_view(line)));
    }
    for (const std::string_view scheduler : knownSchedulers()) {
        if (found.contains(scheduler))
            installed.emplace_back(scheduler);
    }
    return installed;
}

std::vector<std::string> offeredSchedulers(const std::vector<std::string> &installed,
                                           const std::vector<std::string> &listed)
{
    std::vector<std::string> offered;
    if (listed.empty())
        return offered;
    for (const std::string_view scheduler : knownSchedulers()) {
        if (std::ranges::find(listed, scheduler) != listed.end() ||
            std::ranges::find(installed, scheduler) != installed.end())
            offered.emplace_back(scheduler);
    }
    return offered;
}

std::vector<std::string> offeredSchedulers(const SystemRoot &root, const std::vector<std::string> &listed)
{
    return listed.empty() ? std::vector<std::string>() : offeredSchedulers(installedSchedulers(root), listed);
}

} // namespace diskwright
