// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/health/health.h"
#include "tests/helper/access/faketree.h"

#include <algorithm>
#include <string>
#include <vector>

namespace diskwright::health {

using Words = std::vector<std::string>;

/// Nothing is watched and nobody is asked unless a test says so.
inline Options quiet()
{
    return Options{.sample = std::chrono::milliseconds(0), .stop = {}, .drive = {}};
}

inline Health look(const std::string &root, const std::string &target, const Options &options = quiet())
{
    return readHealth(root, target, options).value();
}

inline Health look(const FakeTree &tree, const std::string &target, const Options &options = quiet())
{
    return look(tree.path().string(), target, options);
}

inline Words ids(const Health &health)
{
    Words words;
    for (const Finding &finding : health.findings)
        words.emplace_back(finding.id);
    return words;
}

inline Words unknownIds(const Health &health)
{
    Words words;
    for (const Unknown &unknown : health.unknown)
        words.emplace_back(unknown.id);
    return words;
}

inline const Finding *finding(const Health &health, std::string_view id)
{
    const auto found = std::ranges::find(health.findings, id, &Finding::id);
    return found != health.findings.end() ? &*found : nullptr;
}

/// The fact's value; empty if it was not read.
inline std::string fact(const Health &health, std::string_view id)
{
    const auto found = std::ranges::find(health.facts, id, &Fact::id);
    return found != health.facts.end() ? found->value : std::string();
}

/// A disk in the kernel's tree at sys/devices/PLACE/block/NAME, with its links.
inline std::string placeDisk(const FakeTree &tree, const std::string &place, const std::string &name,
                             const std::map<std::string, std::string> &files)
{
    const std::string base = "sys/devices/" + place + "/block/" + name;
    tree.file(base + "/dev", "8:0\n");
    tree.file(base + "/size", "2048000\n");
    for (const auto &[key, text] : files)
        tree.file(base + '/' + key, text);
    tree.link("sys/block/" + name, "../devices/" + place + "/block/" + name);
    tree.link("sys/class/block/" + name, "../../devices/" + place + "/block/" + name);
    tree.link(base + "/device", "../../../" + place.substr(place.rfind('/') + 1));
    return base;
}

} // namespace diskwright::health
