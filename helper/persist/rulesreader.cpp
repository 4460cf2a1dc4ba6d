// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulesreader.h"

#include "../contract/codec.h"
#include "keptfile.h"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace diskwright {

namespace {

struct Token {
    std::string_view key;  ///< ENV{ID_SERIAL}, ATTR{queue/scheduler}, TEST …
    std::string_view mark; ///< ==, !=, = or +=
    std::string_view value;
};

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (const auto part : std::views::split(bodyOf(text), '\n')) {
        const std::string_view line(part.begin(), part.end());
        if (!line.empty() && line.front() != '#')
            lines.push_back(line);
    }
    return lines;
}

std::unexpected<Error> notOurs(std::string_view line)
{
    return fail(Errc::Malformed, printable(line), "not a line that this program writes");
}

// Values hold no quote and no escape, so a quote always ends one.
std::optional<std::vector<Token>> tokensOf(std::string_view line)
{
    std::vector<Token> tokens;
    while (!line.empty()) {
        const std::size_t open = line.find('"');
        const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
        if (close == std::string_view::npos)
            return std::nullopt;
        const std::string_view left = line.substr(0, open);
        const std::size_t mark = left.find_first_of("=!+");
        if (mark == 0 || mark == std::string_view::npos)
            return std::nullopt;
        tokens.push_back({left.substr(0, mark), left.substr(mark), line.substr(open + 1, close - open - 1)});
        line.remove_prefix(close + 1);
        if (line.starts_with(", "))
            line.remove_prefix(2);
        else if (!line.empty())
            return std::nullopt;
    }
    return tokens;
}

const SettingSpec *rowOfAttribute(std::string_view attribute, std::string_view schedulerPattern)
{
    const auto rows = catalogue();
    const auto found = std::ranges::find_if(rows, [&](const SettingSpec &row) {
        return row.keptBy == KeptBy::UdevRule && row.attribute == attribute &&
               (row.scheduler.empty() ? schedulerPattern.empty()
                                      : schedulerPattern.ends_with('|' + std::string(row.scheduler)));
    });
    return found != rows.end() ? &*found : nullptr;
}

Match matchOf(const std::vector<Token> &tokens)
{
    DiskMatch disk;
    std::string_view bus;
    std::string_view kernel;
    std::string_view rotational;
    for (const Token &token : tokens) {
        if (token.key == "ENV{ID_WWN_WITH_EXTENSION}")
            disk.wwn = token.value;
        else if (token.key == "ENV{ID_SERIAL}")
            disk.serial = token.value;
        else if (token.key == "ATTR{size}") {
            std::from_chars(token.value.data(), token.value.data() + token.value.size(), disk.sizeBytes);
            disk.sizeBytes *= 512;
        } else if (token.key == "ENV{ID_BUS}")
            bus = token.value;
        else if (token.key == "KERNEL" && token.mark == "==")
            kernel = token.value;
        else if (token.key == "ATTR{queue/rotational}")
            rotational = token.value;
    }
    if (kernel.empty())
        return disk;
    if (kernel.starts_with("nvme"))
        return DiskClass::Nvme;
    if (kernel.starts_with("mmc"))
        return DiskClass::Mmc;
    if (bus == "usb")
        return DiskClass::UsbRemovable;
    return rotational == "1" ? DiskClass::SataRotational : DiskClass::SataSolidState;
}

} // namespace

Result<std::vector<RenderedSetting>> readUdevRules(std::string_view text)
{
    std::vector<RenderedSetting> settings;
    for (const std::string_view line : linesOf(text)) {
        if (line.contains("GOTO=") || line.starts_with("LABEL=") || line.starts_with("IMPORT{cmdline}="))
            continue;
        const auto tokens = tokensOf(line);
        if (!tokens || tokens->empty())
            return notOurs(line);
        const Token &last = tokens->back();
        std::string_view pattern;
        for (const Token &token : *tokens) {
            if (token.key == "ATTR{queue/scheduler}" && token.mark == "==")
                pattern = token.value;
            if (&token != &last && token.mark == "=")
                return notOurs(line);
        }
        if (last.key == "ENV{DISKWRIGHT_MAX_BYTES}" && last.mark == "=") {
            const auto bytes = parseUserText(*findSetting("bdi/max_bytes"), last.value);
            if (!bytes)
                return std::unexpected(bytes.error());
            settings.push_back({"bdi/max_bytes", matchOf(*tokens), *bytes});
            continue;
        }
        if (last.mark != "=" || !last.key.starts_with("ATTR{") || !last.key.ends_with('}'))
            return notOurs(line);
        const SettingSpec *row = rowOfAttribute(last.key.substr(5, last.key.size() - 6), pattern);
        const auto value = row ? parseUserText(*row, last.value) : notOurs(line);
        if (!value)
            return std::unexpected(value.error());
        settings.push_back({std::string(row->id), matchOf(*tokens), *value});
    }
    return settings;
}

Result<std::vector<RenderedSetting>> readSysctl(std::string_view text)
{
    std::vector<RenderedSetting> settings;
    for (const std::string_view line : linesOf(text)) {
        const std::size_t equals = line.find(" = ");
        if (!line.starts_with("vm.") || equals == std::string_view::npos)
            return notOurs(line);
        const SettingSpec *row = findSetting(Domain::Vm, line.substr(3, equals - 3));
        const auto value = row ? parseUserText(*row, line.substr(equals + 3)) : notOurs(line);
        if (!value)
            return std::unexpected(value.error());
        settings.push_back({std::string(row->id), MachineMatch{}, *value});
    }
    return settings;
}

} // namespace diskwright
