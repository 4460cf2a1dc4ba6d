// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "oldnames.h"

#include "pastedlines.h"
#include "shown.h"
#include "texts.h"

#include "helper/contract/address.h"
#include "helper/contract/codec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace diskwright {

namespace {

constexpr std::size_t mostRead = 1024;  // of a text; a longer line is no setting
constexpr std::size_t mostAnswers = 64; // a line may name many disks

using Tokens = Command;
using Answers = std::vector<OldNameAnswer>;

char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameIgnoringCase(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](char x, char y) { return lowered(x) == lowered(y); });
}

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Each once: for each disk that is named, and a story that leads to no setting once for all of them.
void add(Answers &answers, OldNameAnswer answer)
{
    const bool isKnown = std::ranges::any_of(answers, [&](const OldNameAnswer &known) {
        const bool isSameDisk =
            answer.target.empty() || answer.settingId.empty() || known.target == answer.target;
        return isSameDisk && known.settingId == answer.settingId && known.vanished == answer.vanished;
    });
    if (!isKnown && answers.size() < mostAnswers)
        answers.push_back(std::move(answer));
}

/// The value that \p text asks of the row, if it takes it; else the note says why it does not.
void setValue(OldNameAnswer &answer, std::string_view text)
{
    const SettingSpec *spec = findSetting(answer.settingId);
    if (!spec || text.empty())
        return;
    const auto value = parseUserText(*spec, text);
    const auto valid = value ? validate(*spec, *value) : std::unexpected(value.error());
    if (valid)
        answer.value = *value;
    else
        answer.note = "'" + printable(text, 64) + "' is not accepted here: " + valid.error().accepted;
}

/// Read-ahead in sectors of 512 bytes, as hdparm and blockdev count; the kernel keeps whole pages.
OldNameAnswer readAheadOfSectors(std::string_view text)
{
    OldNameAnswer answer{"queue/read_ahead_kb", nullptr, {}, {}, {}};
    if (text.empty())
        return answer;
    std::int64_t sectors = 0;
    const char *begin = text.data();
    const char *textEnd = begin + text.size();
    const auto [end, error] = std::from_chars(begin, textEnd, sectors);
    constexpr std::int64_t sectorsInPage = 8; // 4096 bytes
    constexpr std::int64_t kibInPage = 4;
    if (error != std::errc{} || end != textEnd || sectors < 0) {
        answer.note = "'" + printable(text, 64) + "' is not a number of sectors";
        return answer;
    }
    const std::int64_t kib = sectors / sectorsInPage * kibInPage;
    setValue(answer, std::to_string(kib));
    answer.note = std::to_string(sectors) + " sectors of 512 bytes are " + std::to_string(kib) + " KiB" +
                  (answer.value ? std::string() : "; " + answer.note);
    return answer;
}

/// The disk that a file below /dev/ stands for or is a partition of; empty if it is none of the kernel's
/// names.
std::string targetOf(std::string_view devicePath)
{
    constexpr std::string_view folder = "/dev/";
    if (!devicePath.starts_with(folder))
        return {};
    devicePath.remove_prefix(folder.size());
    return isKernelName(devicePath) ? wholeDiskName(devicePath) : std::string();
}

/// Of all disks that a command names; one empty target if it names none.
std::vector<std::string> targetsOf(const Tokens &tokens)
{
    std::vector<std::string> targets;
    for (const std::string &token : tokens) {
        std::string target = targetOf(token);
        if (!target.empty() && std::ranges::find(targets, target) == targets.end())
            targets.push_back(std::move(target));
    }
    if (targets.empty())
        targets.emplace_back();
    return targets;
}

/// Whether the row is called \p name by its id, its key or the last part of its key.
bool isCalled(std::string_view id, std::string_view name)
{
    if (!id.ends_with(name))
        return false;
    return id.size() == name.size() || id[id.size() - name.size() - 1] == '/';
}

void addRows(Answers &answers, std::string_view name, std::string_view value, const std::string &target)
{
    const auto addRow = [&](std::string_view id) {
        OldNameAnswer answer{std::string(id), nullptr, target, {}, {}};
        setValue(answer, value);
        add(answers, std::move(answer));
    };
    for (const SettingSpec &row : catalogue()) {
        if (isCalled(row.id, name))
            addRow(row.id);
    }
    for (const ShownSetting &row : shownSettings()) {
        if (isCalled(row.id, name))
            addRow(row.id);
    }
}

void addAliases(Answers &answers, std::string_view name, std::string_view value, const std::string &target)
{
    for (const SettingText &text : settingTexts()) {
        if (!std::ranges::any_of(text.aliases,
                                 [&](std::string_view alias) { return sameIgnoringCase(alias, name); }))
            continue;
        OldNameAnswer answer{std::string(text.id), nullptr, target, {}, {}};
        setValue(answer, value);
        add(answers, std::move(answer));
    }
}

/// \p isFlag: a tool's option, where upper and lower case are different things.
void addVanished(Answers &answers, std::string_view name, const std::string &target, bool isFlag = false)
{
    for (const VanishedSetting &entry : vanishedSettings()) {
        const bool isIt = std::ranges::any_of(entry.names, [&](std::string_view known) {
            return isFlag || known.starts_with('-') ? known == name : sameIgnoringCase(known, name);
        });
        if (!isIt)
            continue;
        OldNameAnswer answer{std::string(entry.setting), &entry, target, {}, {}};
        // What went on under another name.
        if (entry.id == "scheduler/noop")
            setValue(answer, "none");
        else if (entry.id == "scheduler/deadline")
            setValue(answer, "mq-deadline");
        add(answers, std::move(answer));
    }
}

void addScheduler(Answers &answers, std::string_view word, const std::string &target)
{
    const auto known = knownSchedulers();
    const auto found =
        std::ranges::find_if(known, [&](std::string_view name) { return sameIgnoringCase(name, word); });
    if (found == known.end())
        return;
    OldNameAnswer answer{"queue/scheduler", nullptr, target, {}, {}};
    setValue(answer, *found);
    add(answers, std::move(answer));
}

/// A scheduler that is gone, asked for by a setting that is not.
void addGoneScheduler(Answers &answers, std::string_view value, const std::string &target)
{
    const auto setting = std::ranges::find_if(answers, [&](const OldNameAnswer &answer) {
        return answer.settingId == "queue/scheduler" && !answer.vanished && answer.target == target;
    });
    if (value.empty() || setting == answers.end())
        return;
    Answers gone;
    addVanished(gone, value, target);
    for (OldNameAnswer &answer : gone) {
        if (answer.value) {
            setting->value = answer.value;
            setting->note = "today's word for '" + printable(value, 64) + "'";
        }
    }
    for (OldNameAnswer &answer : gone)
        add(answers, std::move(answer));
}

/// A bare name, with the value that stood beside it.
void addName(Answers &answers, std::string_view name, std::string_view value = {},
             const std::string &target = {})
{
    while (name.starts_with('/'))
        name.remove_prefix(1);
    if (name.size() < 2)
        return;
    const std::size_t before = answers.size();
    std::string plain(name);
    std::ranges::transform(plain, plain.begin(), lowered);
    // A scheduler's file is named without its scheduler, and sysctl writes a dot.
    std::string_view row = plain;
    std::string path;
    for (const std::string_view prefix : {"queue/iosched/", "iosched/"}) {
        if (row.starts_with(prefix) && row.find('/', prefix.size()) == std::string_view::npos)
            row.remove_prefix(prefix.size());
    }
    if (row.starts_with("vm."))
        row = path = "vm/" + std::string(row.substr(3));
    if (row == "device/queue_depth")
        row = "queue/queue_depth";
    addRows(answers, row, value, target);
    if (value.empty())
        addScheduler(answers, plain, target);
    addAliases(answers, plain, value, target);
    addVanished(answers, plain, target);
    if (row != plain || plain.starts_with("vm/"))
        addVanished(answers, row.substr(row.rfind('/') + 1), target);
    // vm.dirty_expire is meant as dirty_expire, but never as a name of a disk's setting.
    if (row.starts_with("vm/")) {
        Answers ofMemory;
        addAliases(ofMemory, row.substr(3), value, target);
        for (OldNameAnswer &answer : ofMemory) {
            if (answer.settingId.starts_with("vm/"))
                add(answers, std::move(answer));
        }
    }
    addGoneScheduler(answers, value, target);
    // read-ahead for read_ahead; never the other way round, as mq-deadline is no mq_deadline.
    if (answers.size() == before && plain.find('-') != std::string::npos) {
        std::ranges::replace(plain, '-', '_');
        addName(answers, plain, value, target);
    }
}

struct Place {
    std::string name; ///< "queue/nr_requests", "vm/dirty_ratio"; empty if it is no path that we know
    std::string target;
};

Place placeOf(std::string_view path)
{
    const auto after = [&](std::string_view mark) -> std::string_view {
        const std::size_t at = path.find(mark);
        return at == std::string_view::npos ? std::string_view() : path.substr(at + mark.size());
    };
    if (const auto rest = after("/proc/sys/vm/"); !rest.empty())
        return {"vm/" + std::string(rest), {}};
    if (const auto rest = after("/proc/sys/"); !rest.empty()) { // dev.raid.speed_limit_max, as sysctl says
        std::string dotted(rest);
        std::ranges::replace(dotted, '/', '.');
        return {std::move(dotted), {}};
    }
    if (!path.starts_with("/sys/"))
        return {};
    if (const auto rest = after("/bdi/"); !rest.empty() && path.find("/block/") == std::string_view::npos) {
        const std::size_t slash = rest.find('/');
        return slash == std::string_view::npos ? Place{}
                                               : Place{"bdi/" + std::string(rest.substr(slash + 1)), {}};
    }
    if (const auto rest = after("/block/"); !rest.empty()) {
        const std::size_t slash = rest.find('/');
        const std::string disk(rest.substr(0, slash));
        if (slash == std::string_view::npos)
            return {};
        return {std::string(rest.substr(slash + 1)),
                isKernelName(disk) ? wholeDiskName(disk) : std::string()};
    }
    return {std::string(path.substr(path.rfind('/') + 1)), {}};
}

void addPath(Answers &answers, std::string_view path, std::string_view value = {})
{
    const std::size_t found = answers.size();
    if (const Place place = placeOf(path); !place.name.empty())
        addName(answers, place.name, value, place.target);
    if (answers.size() != found)
        return;
    // The longest name that the path begins with: /dev/discs/disc0/part1 is a name below /dev/discs.
    while (path.size() > 1) {
        const std::size_t before = answers.size();
        addVanished(answers, path, {});
        const std::size_t slash = path.rfind('/');
        if (answers.size() != before || slash == std::string_view::npos)
            return;
        path = path.substr(0, slash);
    }
}

/// queue:sda:read_ahead_kb, vm::dirty_ratio, multcount:16, vm.dirty_ratio=5, elevator=cfq, commit=60.
void addAssignment(Answers &answers, std::string_view token)
{
    if (const auto address = parseAddress(token.substr(0, token.find('=')))) {
        const std::size_t equals = token.find('=');
        const std::string key = std::string(name(address->domain)) + '/' + address->key;
        addName(answers, key,
                equals == std::string_view::npos ? std::string_view() : token.substr(equals + 1),
                isKernelName(address->target) ? wholeDiskName(address->target) : std::string());
        return;
    }
    addVanished(answers, token, {});
    const std::size_t at = token.find_first_of("=:");
    if (at == std::string_view::npos)
        return;
    const std::string_view left = token.substr(0, at);
    const std::string_view right = token.substr(at + 1);
    if (left.starts_with("GRUB_CMDLINE_LINUX")) {
        addAssignment(answers, right);
    } else if (sameIgnoringCase(left, "elevator")) {
        addVanished(answers, "elevator=", {});
        addVanished(answers, right, {});
        addScheduler(answers, right, {});
    } else if (sameIgnoringCase(left, "read_ahead_sect")) {
        add(answers, readAheadOfSectors(right));
    } else if (left == "write_cache" && (right == "on" || right == "off")) { // of hdparm.conf
        addVanished(answers, "-W", {}, true);
    } else if (left.starts_with('/')) {
        addPath(answers, left, right);
    } else {
        addName(answers, left, right);
    }
}

/// What hdparm reads behind the letter, as its own main() does: digits, for -X also a mode's name.
std::string_view packedValue(char letter, std::string_view rest)
{
    std::size_t end = letter == 'N' && rest.starts_with('p') ? 1 : 0;
    if (letter == 'X' && !rest.empty() && rest[0] >= 'a' && rest[0] <= 'z') {
        while (end < rest.size() && rest[end] >= 'a' && rest[end] <= 'z')
            ++end;
    }
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9')
        ++end;
    return rest.substr(0, end);
}

void addOption(Answers &answers, char letter, std::string_view value, const std::string &target)
{
    if (letter == 'a') {
        OldNameAnswer answer = readAheadOfSectors(value);
        answer.target = target;
        add(answers, std::move(answer));
    } else if (letter == 'Q') {
        OldNameAnswer answer{"queue/queue_depth", nullptr, target, {}, {}};
        setValue(answer, value);
        add(answers, std::move(answer));
    } else {
        const std::array<char, 2> option{'-', letter};
        addVanished(answers, {option.data(), option.size()}, target, true);
    }
}

void addOptionsOn(Answers &answers, const Tokens &tokens, std::size_t first, const std::string &target)
{
    for (std::size_t at = first; at < tokens.size(); ++at) {
        const std::string &token = tokens[at];
        // Long options are orders to the drive or questions, whatever their name.
        if (first > 0 && token.size() > 2 && token.starts_with("--"))
            add(answers, {{}, findVanished("drive/long-options"), target, {}, {}});
        if (token.size() < 2 || token[0] != '-' || token[1] == '-')
            continue;
        std::string_view packed = std::string_view(token).substr(1);
        while (!packed.empty()) {
            const char letter = packed.front();
            packed.remove_prefix(1);
            const bool isLetter = lowered(letter) >= 'a' && lowered(letter) <= 'z';
            if (!isLetter)
                break;
            std::string_view value = packedValue(letter, packed);
            packed.remove_prefix(value.size());
            if (packed.empty() && value.empty() && at + 1 < tokens.size() && isNumber(tokens[at + 1]))
                value = tokens[++at];
            // What is neither a number nor another option was meant as the value.
            const bool isOdd = value.empty() && !packed.empty() &&
                               (lowered(packed.front()) < 'a' || lowered(packed.front()) > 'z');
            addOption(answers, letter, isOdd ? packed : value, target);
        }
    }
}

/// Options of hdparm from \p first on: -a1024, -a 1024, -W0 /dev/sda, or several in one word, -d1u1a1024.
void addOptions(Answers &answers, const Tokens &tokens, std::size_t first)
{
    for (const std::string &target : targetsOf(tokens))
        addOptionsOn(answers, tokens, first, target);
}

/// What blockdev prints and a row shows.
std::string_view rowOfGetter(std::string_view option)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> getters{
        {{"--getss", "queue/logical_block_size"},
         {"--getpbsz", "queue/physical_block_size"},
         {"--getiomin", "queue/minimum_io_size"},
         {"--getioopt", "queue/optimal_io_size"},
         {"--getmaxsect", "queue/max_sectors_kb"}}};
    const auto *const found = std::ranges::find(getters, option, [](const auto &one) { return one.first; });
    return found == getters.end() ? std::string_view() : found->second;
}

void addBlockdevOn(Answers &answers, const Tokens &tokens, const std::string &target)
{
    static constexpr std::array<std::string_view, 4> readAhead{"--setra", "--setfra", "--getra", "--getfra"};
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const std::string_view token = tokens[at];
        const std::string_view option = token.substr(0, token.find('='));
        if (!option.starts_with("--"))
            continue;
        if (std::ranges::find(readAhead, option) != readAhead.end()) {
            std::string_view value;
            if (option.size() < token.size())
                value = token.substr(option.size() + 1);
            else if (at + 1 < tokens.size() && !tokens[at + 1].starts_with('/'))
                value = tokens[at + 1];
            OldNameAnswer answer =
                readAheadOfSectors(option.starts_with("--set") ? value : std::string_view());
            answer.target = target;
            add(answers, std::move(answer));
        } else if (const std::string_view row = rowOfGetter(option); !row.empty()) {
            add(answers, {std::string(row), nullptr, target, {}, {}});
        } else {
            addVanished(answers, option, target, true);
        }
    }
}

/// blockdev --setra 1024 /dev/sda
void addBlockdev(Answers &answers, const Tokens &tokens)
{
    for (const std::string &target : targetsOf(tokens))
        addBlockdevOn(answers, tokens, target);
}

/// sdparm --set WCE /dev/sda
void addSdparm(Answers &answers, const Tokens &tokens)
{
    for (const std::string &target : targetsOf(tokens)) {
        for (const std::string &token : tokens) {
            const std::size_t equals = token.find('=');
            const std::string_view field = equals == std::string::npos
                                               ? std::string_view(token)
                                               : std::string_view(token).substr(equals + 1);
            if (sameIgnoringCase(field, "wce"))
                addVanished(answers, field, target);
        }
    }
    if (answers.empty())
        addVanished(answers, "sdparm", {});
}

/// What a command writes: the words of echo or printf, or what stands behind <<<. Any other command reads, or
/// what it writes is not on the line.
std::string writtenValue(const Tokens &tokens)
{
    const auto here = std::ranges::find(tokens, "<<<");
    if (here != tokens.end())
        return here + 1 != tokens.end() ? here[1] : std::string();
    const bool isPrintf = isTool(tokens.front(), "printf");
    if (!isPrintf && !isTool(tokens.front(), "echo"))
        return {};
    static constexpr std::array<std::string_view, 5> flags{"-n", "-e", "-E", "-ne", "-en"};
    std::string value;
    for (std::size_t at = 1; at < tokens.size(); ++at) {
        std::string word = tokens[at];
        if (word == ">" || word == "|" || word.starts_with('/'))
            break;
        const bool isFormat = isPrintf && word.find('%') != std::string::npos;
        if (isFormat || std::ranges::find(flags, word) != flags.end())
            continue;
        if (word.ends_with("\\n"))
            word.resize(word.size() - 2);
        value += (value.empty() ? "" : " ") + word;
    }
    return value;
}

/// echo 64 > /sys/block/sda/queue/nr_requests, echo 64 | sudo tee /sys/…, cat /proc/sys/vm/…
void addRedirection(Answers &answers, const Tokens &tokens)
{
    const std::string value = writtenValue(tokens);
    // multcount:16 and the like, which went to /proc/ide
    if (value.find(':') != std::string::npos)
        addAssignment(answers, value);
    for (const std::string &token : tokens) {
        if (token.starts_with('/'))
            addPath(answers, token, value);
    }
    // Into a file that the line does not name in full: the name's end or the value tell.
    const auto arrow = std::ranges::find(tokens, ">");
    if (answers.empty() && arrow != tokens.end() && arrow + 1 != tokens.end()) {
        if (arrow[1].starts_with('$'))
            addName(answers, value);
        else
            addName(answers, arrow[1], value);
    }
}

/// ATTR{queue/scheduler}="bfq" of a udev rule; the quotes separated the tokens.
void addUdevAttributes(Answers &answers, const Tokens &tokens)
{
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const std::size_t begin = tokens[at].find("ATTR{");
        const std::size_t end = tokens[at].find('}');
        if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
            continue;
        const bool hasValue = tokens[at].substr(end) == "}=" && at + 1 < tokens.size();
        addName(answers, tokens[at].substr(begin + 5, end - begin - 5),
                hasValue ? tokens[at + 1] : std::string_view());
    }
}

/// \p isListed: one of several between commas, as mount options are.
void addToken(Answers &answers, std::string_view token, bool isListed)
{
    if (token.starts_with('/'))
        addPath(answers, token);
    if (token.find_first_of("=:") != std::string_view::npos)
        addAssignment(answers, token);
    else if (isListed)
        addVanished(answers, token, {});
}

void addTokens(Answers &answers, std::string_view text, bool isOption)
{
    const bool isList = isOption || text.find(',') != std::string_view::npos;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        addToken(answers, text.substr(0, comma), isList);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
}

std::string joined(const Tokens &tokens)
{
    std::string line;
    for (const std::string &token : tokens)
        (line += line.empty() ? "" : " ") += token;
    return line;
}

/// KEY = VALUE, as sysctl.conf and hdparm.conf are written, with blanks on one side or both.
void addSpreadAssignments(Answers &answers, const Tokens &tokens)
{
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        const std::string &left = tokens[at];
        const std::string &right = tokens[at + 1];
        const bool isUdev = left.ends_with("}=") || left.ends_with("==") || left.ends_with("+=");
        if (right == "=" && at + 2 < tokens.size())
            addAssignment(answers, left + '=' + tokens[at + 2]);
        else if ((right.size() > 1 && right[0] == '=' && right[1] != '=') ||
                 (left.size() > 1 && left.ends_with('=') && !isUdev))
            addAssignment(answers, left + right);
    }
}

Answers findInCommand(Tokens tokens)
{
    Answers answers;
    const std::string line = joined(tokens);
    const std::string first = tokens.front();
    if (isTool(first, "hdparm")) {
        addOptions(answers, tokens, 1);
        return answers;
    }
    const bool isHere = std::ranges::find(tokens, "<<<") != tokens.end();
    if (isTool(first, "blockdev") || first.starts_with("--"))
        addBlockdev(answers, tokens);
    else if (isTool(first, "sdparm"))
        addSdparm(answers, tokens);
    else if (first.starts_with('-'))
        addOptions(answers, tokens, 0);
    else if (isHere || isTool(first, "echo") || isTool(first, "printf") || isTool(first, "tee") ||
             isReader(first))
        addRedirection(answers, tokens);
    if (!answers.empty())
        return answers;
    if (isTool(first, "sysctl"))
        std::erase_if(tokens, [&](const std::string &token) { return token == first || token[0] == '-'; });
    addUdevAttributes(answers, tokens);
    addSpreadAssignments(answers, tokens);
    if (tokens.size() == 1)
        addName(answers, tokens.front());
    else
        addName(answers, line);
    for (std::size_t at = 0; at < tokens.size(); ++at) // mount -o noatime, tune2fs -o journal_data_writeback
        addTokens(answers, tokens[at], at > 0 && tokens[at - 1] == "-o");
    // A tool with whatever it was called with.
    Answers tools;
    addVanished(tools, std::string_view(first).substr(first.rfind('/') + 1), {});
    for (OldNameAnswer &tool : tools) {
        if (tool.vanished->id.starts_with("tool/"))
            add(answers, std::move(tool));
    }
    return answers;
}

} // namespace

std::vector<OldNameAnswer> findByOldName(std::string_view text)
{
    Answers answers;
    for (const Command &command : commandsOf(text.substr(0, mostRead))) {
        for (OldNameAnswer &answer : findInCommand(command))
            add(answers, std::move(answer));
    }
    return answers;
}

} // namespace diskwright
