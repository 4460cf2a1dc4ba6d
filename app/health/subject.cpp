// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "subject.h"

#include "app/disks/names.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <unistd.h>

namespace diskwright::health {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHex(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f');
}

std::string readLink(const SystemRoot &root, const std::string &relative)
{
    char target[PATH_MAX] = {};
    const ssize_t length = readlinkat(root.fd(), relative.c_str(), target, sizeof target - 1);
    return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

/// \p path without "." and ".."; what would leave the tree stays at its top.
std::vector<std::string> normalised(std::string_view path)
{
    std::vector<std::string> segments;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view segment = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (segment == ".." && !segments.empty())
            segments.pop_back();
        else if (!segment.empty() && segment != "." && segment != "..")
            segments.emplace_back(segment);
    }
    return segments;
}

} // namespace

DevicePath DevicePath::ofLink(const SystemRoot &root, const std::string &relative)
{
    DevicePath path;
    const std::string target = readLink(root, relative);
    if (target.starts_with('/'))
        path.m_segments = normalised(target);
    else if (!target.empty())
        path.m_segments = normalised(relative + "/../" + target);
    return path;
}

DevicePath DevicePath::of(const SystemRoot &root, const std::string &name)
{
    for (const char *folder : {"sys/class/block/", "sys/block/"}) {
        DevicePath path = ofLink(root, folder + name);
        if (!path.isEmpty())
            return path;
    }
    DevicePath path;
    path.m_segments = {"sys", "block", name};
    return path;
}

std::string DevicePath::upTo(std::size_t count) const
{
    std::string text;
    for (std::size_t at = 0; at < std::min(count, m_segments.size()); ++at)
        text += (at == 0 ? "" : "/") + m_segments[at];
    return text;
}

std::size_t DevicePath::last(const std::function<bool(std::string_view)> &fits, std::size_t before) const
{
    for (std::size_t count = std::min(before, m_segments.size()); count > 0; --count) {
        if (fits(m_segments[count - 1]))
            return count;
    }
    return 0;
}

bool isNumbered(std::string_view segment, std::string_view prefix)
{
    return segment.size() > prefix.size() && segment.starts_with(prefix) &&
           std::ranges::all_of(segment.substr(prefix.size()), isDigit);
}

bool isUsbDevice(std::string_view segment)
{
    // "2-1.4"; an interface is "2-1.4:1.0", a root hub "usb2".
    const std::size_t dash = segment.find('-');
    if (dash == 0 || dash == std::string_view::npos || dash + 1 == segment.size())
        return false;
    return std::ranges::all_of(segment.substr(0, dash), isDigit) &&
           std::ranges::all_of(segment.substr(dash + 1), [](char c) { return isDigit(c) || c == '.'; });
}

bool isPciFunction(std::string_view segment)
{
    // "0000:03:00.0"; the domain may have more digits.
    if (segment.size() < 12)
        return false;
    const std::string_view tail = segment.substr(segment.size() - 8);
    const std::string_view domain = segment.substr(0, segment.size() - 8);
    return std::ranges::all_of(domain, isHex) && tail[0] == ':' && isHex(tail[1]) && isHex(tail[2]) &&
           tail[3] == ':' && isHex(tail[4]) && isHex(tail[5]) && tail[6] == '.' && isDigit(tail[7]);
}

std::optional<std::int64_t> parseInteger(std::string_view text) noexcept
{
    int base = 10;
    if (text.starts_with("0x")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::vector<std::uint16_t> parseIdentify(std::string_view text)
{
    constexpr std::size_t count = 256;
    std::vector<std::uint16_t> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        if (end != 0) {
            std::uint16_t value = 0;
            const auto [last, error] = std::from_chars(text.data(), text.data() + end, value, 16);
            if (end != 4 || error != std::errc{} || last != text.data() + end || words.size() == count)
                return {};
            words.push_back(value);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words.size() == count ? words : std::vector<std::uint16_t>{};
}

Subject::Subject(const SystemRoot &tree, const DiskList &list, const BlockNode &node, const Options &wanted,
                 Health &health)
    : root(tree)
    , disks(list)
    , disk(node)
    , options(wanted)
    , path(DevicePath::of(tree, node.name))
    , nature(natureOf(tree, node, path))
    , m_health(health)
{
    climb(disk);
    // The disk itself, then the devices that carry it.
    for (std::size_t count = path.segments().size(); count > 0 && !m_asleep; --count) {
        const std::string &segment = path.segments()[count - 1];
        if (std::ranges::count(segment, ':') == 3 || isUsbDevice(segment) || isPciFunction(segment))
            m_asleep = word(path.upTo(count) + "/power/runtime_status") == "suspended";
    }
}

void Subject::climb(const BlockNode &node)
{
    if (std::ranges::find(m_tower, &node) != m_tower.end())
        return;
    m_tower.push_back(&node);
    for (const BlockNode &partition : node.partitions)
        climb(partition);
    for (const std::string &holder : node.holders) {
        if (const BlockNode *above = disks.find(holder))
            climb(*above);
    }
}

std::optional<std::string> Subject::word(const std::string &file) const
{
    const auto text = root.readFile(file, 4096);
    std::string clean = text ? cleanText(*text) : std::string();
    return clean.empty() ? std::nullopt : std::optional(std::move(clean));
}

std::optional<std::int64_t> Subject::number(const std::string &file) const
{
    const auto text = word(file);
    return text ? parseInteger(*text) : std::nullopt;
}

std::string Subject::bytes(const std::string &file, std::size_t limit) const
{
    return root.readFile(file, limit).value_or(std::string());
}

std::string Subject::linkName(const std::string &link) const
{
    const std::string target = readLink(root, link);
    return cleanText(std::string_view(target).substr(target.rfind('/') + 1));
}

std::vector<std::string> Subject::entries(const std::string &folder) const
{
    const auto directory = root.directory(folder);
    auto names =
        directory ? directory->entries().value_or(std::vector<std::string>{}) : std::vector<std::string>{};
    std::ranges::sort(names, deviceNameLess);
    return names;
}

std::vector<DevicePath> Subject::controllers() const
{
    // A disk with several paths hangs below its subsystem; the controllers are links in it.
    const auto isSubsystem = [](std::string_view segment) { return isNumbered(segment, "nvme-subsys"); };
    const std::size_t at = path.last(isSubsystem);
    if (at == 0 || path.last(isPciFunction) != 0)
        return {path};
    std::vector<DevicePath> places;
    for (const std::string &entry : entries(path.upTo(at))) {
        if (isNumbered(entry, "nvme"))
            places.push_back(DevicePath::ofLink(root, "sys/class/nvme/" + entry));
    }
    return places;
}

/// Files are named from the top, D-Bus properties by their name.
static std::string placed(std::string source)
{
    for (const std::string top : {"sys/", "proc/", "run/", "etc/", "usr/"}) {
        if (source.starts_with(top))
            source.insert(0, 1, '/');
        for (std::size_t at = source.find(", " + top); at != std::string::npos;
             at = source.find(", " + top, at + 1))
            source.insert(at + 2, 1, '/');
    }
    return source;
}

void Subject::fact(std::string_view id, std::string value, std::string source, const BlockNode *about)
{
    m_health.facts.push_back(
        {id, about ? about->name : disk.name, std::move(value), placed(std::move(source))});
}

void Subject::finding(std::string_view id, Severity severity, Message text, Message help, std::string fact,
                      std::string source, const BlockNode *about)
{
    m_health.findings.push_back({id, severity, about ? about->name : disk.name, std::move(text),
                                 std::move(help), std::move(fact), placed(std::move(source))});
}

void Subject::factOfAll(std::string_view id, std::string value, std::string source)
{
    m_health.facts.push_back({id, {}, std::move(value), placed(std::move(source))});
}

void Subject::findingOfAll(std::string_view id, Severity severity, Message text, Message help,
                           std::string fact, std::string source)
{
    m_health.findings.push_back(
        {id, severity, {}, std::move(text), std::move(help), std::move(fact), placed(std::move(source))});
}

void Subject::unknown(std::string_view id, Message text)
{
    m_health.unknown.push_back({id, disk.name, std::move(text)});
}

void Subject::nothingIn(std::string_view id, const char *text, const std::string &file)
{
    unknown(id, {text, {'/' + file}});
}

} // namespace diskwright::health
