// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pastedlines.h"

#include <algorithm>
#include <array>
#include <span>

namespace diskwright {

namespace {

constexpr std::size_t mostWords = 64;
constexpr std::size_t mostTurns = 8; // of a loop

bool isOneOf(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

bool isSeparator(std::string_view word)
{
    static constexpr std::array<std::string_view, 5> separators{";", "&&", "||", "&", "\n"};
    return isOneOf(word, separators);
}

bool isGap(char c)
{
    return (static_cast<unsigned char>(c) <= ' ' && c != '\n') || c == '\x7f' || c == '"' || c == '\'' ||
           c == '`';
}

/// The redirection or separator that \p rest begins with; empty if it begins with neither.
std::string_view signAt(std::string_view rest)
{
    for (const std::string_view sign : {"<<<", "&&", "||", ">", "|", ";", "\n"}) {
        if (rest.starts_with(sign))
            return rest.substr(0, sign.size());
    }
    return {};
}

/// At white space, control characters and quotes.
std::vector<std::string_view> split(std::string_view text)
{
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size() && words.size() < mostWords;) {
        const std::string_view rest = text.substr(at);
        if (isGap(text[at])) {
            ++at;
            continue;
        }
        if (rest.starts_with("\\\n")) { // the line goes on
            at += 2;
            continue;
        }
        if (const std::string_view sign = signAt(rest); !sign.empty()) {
            words.push_back(sign);
            at += sign.size();
            while (sign == ">" && at < text.size() &&
                   text[at] == '>') // >> writes to a file of the kernel alike
                ++at;
            continue;
        }
        std::size_t end = at + 1;
        while (end < text.size() && !isGap(text[end]) && signAt(text.substr(end)).empty())
            ++end;
        std::string_view word = text.substr(at, end - at);
        at = end;
        while (word.size() > 1 && word.back() == ',')
            word.remove_suffix(1);
        words.push_back(word);
    }
    return words;
}

/// root@host:~#, [user@host ~]$, host:~ #, sh-5.2$, $ and #; a comment at the end goes too.
void removePrompt(Command &words)
{
    constexpr std::size_t longestPrompt = 3; // words
    for (std::size_t at = 0; at < std::min(words.size(), longestPrompt); ++at) {
        const char last = words[at].back();
        const bool isAlone = words[at].size() == 1;
        const bool hasPlace = std::any_of(
            words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
            [](const std::string &word) { return word.find_first_of("@~:[") != std::string::npos; });
        const bool ends = last == '$' || last == '#' || (last == '%' && (isAlone || hasPlace));
        if (!ends || (isAlone && at > 0 && !hasPlace))
            continue;
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        break;
    }
    words.erase(std::ranges::find(words, "#"), words.end());
}

/// sudo -u root, exec, sh -c: what runs the command that is meant.
void removeRunners(Command &words)
{
    static constexpr std::array<std::string_view, 6> runners{"sudo", "doas", "pkexec",
                                                             "exec", "env",  "nohup"};
    static constexpr std::array<std::string_view, 3> withName{"-u", "-g", "-U"};
    static constexpr std::array<std::string_view, 7> shells{"sh", "bash", "dash", "ash", "zsh", "ksh", "su"};
    while (words.size() > 1) {
        if (std::ranges::any_of(runners, [&](std::string_view one) { return isTool(words.front(), one); })) {
            words.erase(words.begin());
            while (!words.empty() && words.front().starts_with('-')) {
                const bool takesName = isOneOf(words.front(), withName) && words.size() > 1;
                words.erase(words.begin(), words.begin() + (takesName ? 2 : 1));
            }
            continue;
        }
        if (std::ranges::none_of(shells, [&](std::string_view one) { return isTool(words.front(), one); }))
            return;
        const auto option = std::ranges::find_if(words, [](const std::string &word) {
            return word.size() > 1 && word.front() == '-' && word[1] != '-' && word.back() == 'c';
        });
        if (option == words.end())
            return;
        words.erase(words.begin(), option + 1);
    }
}

/// What stood before a command on the line and changes what its words mean.
struct Before {
    std::string variable; ///< of a loop: "$i"
    Command turns;        ///< what the variable is, one turn after the other
    std::string folder;   ///< of cd
};

/// "/sys/block/$i/queue" for each turn of the loop.
void addTurns(Command &words, const std::string &word, const Before &before)
{
    const std::string braced =
        before.variable.empty() ? std::string() : "${" + before.variable.substr(1) + '}';
    for (const std::string &name : {before.variable, braced}) {
        const std::size_t at = name.empty() ? std::string::npos : word.find(name);
        if (at == std::string::npos)
            continue;
        const bool isWhole = at == 0 && word.size() == name.size();
        bool isAdded = false;
        for (const std::string &turn : before.turns) {
            if (isWhole && !turn.starts_with('/'))
                continue;
            words.push_back(std::string(word).replace(at, name.size(), turn));
            isAdded = true;
        }
        if (isAdded)
            return;
    }
    words.push_back(word);
}

Command completed(const Command &words, const Before &before)
{
    Command all;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const bool isFile =
            at > 0 && (words[at - 1] == ">" || words[at - 1] == "tee" || isReader(words.front()));
        if (!before.folder.empty() && isFile && words[at].find_first_of("/$-") == std::string::npos)
            all.push_back(before.folder + '/' + words[at]);
        else
            addTurns(all, words[at], before);
    }
    return all;
}

/// Takes in for, do, done and cd; whether \p words are still a command.
bool takeIn(Command &words, Before &before)
{
    static constexpr std::array<std::string_view, 3> ends{"done", "fi", "}"};
    if (words.size() > 3 && words[0] == "for" && words[2] == "in") {
        before.variable = '$' + words[1];
        before.turns.assign(words.begin() + 3, words.begin() + static_cast<std::ptrdiff_t>(
                                                                   std::min(words.size(), 3 + mostTurns)));
        return false;
    }
    if (words.size() > 1 && words[0] == "cd") {
        before.folder = words[1].starts_with('/') ? words[1] : std::string();
        while (before.folder.ends_with('/'))
            before.folder.pop_back();
        return false;
    }
    if (words.size() > 1 && (words[0] == "do" || words[0] == "then" || words[0] == "else"))
        words.erase(words.begin());
    return !isOneOf(words[0], ends);
}

} // namespace

bool isTool(std::string_view word, std::string_view tool)
{
    return word == tool || (word.ends_with(tool) && word[word.size() - tool.size() - 1] == '/');
}

bool isReader(std::string_view word)
{
    static constexpr std::array<std::string_view, 17> readers{
        "cat", "head", "tail", "grep", "egrep", "fgrep", "less", "more",   "watch",
        "od",  "xxd",  "bat",  "ls",   "stat",  "awk",   "wc",   "strings"};
    return std::ranges::any_of(readers, [&](std::string_view one) { return isTool(word, one); });
}

std::vector<Command> commandsOf(std::string_view text)
{
    std::vector<Command> commands;
    Before before;
    Command words;
    const auto finish = [&] {
        removePrompt(words);
        if (!words.empty() && takeIn(words, before)) {
            removeRunners(words);
            // sh -c 'for … do …'
            if (!words.empty() && takeIn(words, before))
                commands.push_back(completed(words, before));
        }
        words.clear();
    };
    for (const std::string_view word : split(text)) {
        if (isSeparator(word))
            finish();
        else
            words.emplace_back(word);
    }
    finish();
    return commands;
}

std::string wholeDiskName(std::string_view name)
{
    constexpr std::string_view digits = "0123456789";
    const std::size_t last = name.find_last_not_of(digits);
    if (last == std::string_view::npos || last + 1 == name.size())
        return std::string(name);
    // nvme0n1p2, mmcblk0p1, loop0p1, md0p1
    if (name[last] == 'p' && last > 0 && digits.find(name[last - 1]) != std::string_view::npos)
        return std::string(name.substr(0, last));
    const std::string_view letters = name.substr(0, last + 1);
    const bool hasLetters = std::ranges::any_of(
        std::array<std::string_view, 4>{"sd", "hd", "vd", "xvd"}, [&](std::string_view driver) {
            return letters.starts_with(driver) && letters.size() > driver.size();
        });
    const bool isPlain = std::ranges::all_of(letters, [](char c) { return c >= 'a' && c <= 'z'; });
    return std::string(hasLetters && isPlain ? letters : name);
}

} // namespace diskwright
