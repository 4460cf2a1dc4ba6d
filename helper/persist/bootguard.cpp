// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootguard.h"

#include "../access/diskid.h"
#include "atomicfile.h"
#include "bootwriter.h"
#include "systemmarks.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace diskwright {

namespace {

constexpr std::uint32_t bootsBeforeAsideOnProbation = 1;
constexpr std::uint32_t bootsBeforeAsideWhenProven = 2;

std::string describe(const Error &error)
{
    return error.input + ": " + error.reason;
}

std::string describe(const BootState &state)
{
    switch (state.aside) {
    case Aside::Unfinished:
        return "the kept settings are set aside, because " + std::to_string(state.unfinished) +
               (state.unfinished == 1 ? " boot" : " boots") + " with them did not finish";
    case Aside::CommandLine: return "this boot goes without the kept settings: diskwright.off";
    case Aside::SwitchedOff: return "the kept settings are switched off";
    case Aside::No: break;
    }
    if (state.running.empty())
        return "rescue or emergency mode: this boot does not count";
    return state.proven ? "the kept settings are in force" : "the kept settings are in force, on probation";
}

} // namespace

CommandLine parseCommandLine(std::string_view text) noexcept
{
    static constexpr auto rescueWords =
        std::to_array<std::string_view>({"single", "s", "S", "1", "rescue", "emergency", "-b", "-s",
                                         "systemd.unit=rescue.target", "systemd.unit=emergency.target"});
    CommandLine commandLine;
    for (const auto part : std::views::split(text, ' ')) {
        std::string_view word(part.begin(), part.end());
        if (word.ends_with('\n'))
            word.remove_suffix(1);
        if (word == "diskwright.off" || word.starts_with("diskwright.off="))
            commandLine.off = true;
        if (std::ranges::find(rescueWords, word) != rescueWords.end())
            commandLine.rescue = true;
    }
    return commandLine;
}

BootState stateForBoot(BootState state, const std::string &thisBoot, CommandLine commandLine, bool filesKept)
{
    if (state.running == thisBoot)
        return state;
    if (state.aside == Aside::CommandLine)
        state.aside = Aside::No;
    if (!state.running.empty()) {
        state.running.clear();
        ++state.unfinished;
        if (state.unfinished >= (state.proven ? bootsBeforeAsideWhenProven : bootsBeforeAsideOnProbation) &&
            state.aside == Aside::No)
            state.aside = Aside::Unfinished;
    }
    if (commandLine.off && state.aside == Aside::No)
        state.aside = Aside::CommandLine;
    if (filesKept && state.aside == Aside::No && !commandLine.rescue)
        state.running = thisBoot;
    return state;
}

BootState finished(BootState state, const std::string &thisBoot)
{
    if (state.running != thisBoot)
        return state;
    state.running.clear();
    state.unfinished = 0;
    // A set that was changed after this boot began has not been through a boot yet.
    if (state.changed != thisBoot)
        state.proven = true;
    return state;
}

BootState neutral(BootState state, const std::string &thisBoot)
{
    if (state.running == thisBoot)
        state.running.clear();
    return state;
}

std::vector<std::string> guardBoot(const SystemRoot &root)
{
    std::vector<std::string> messages;
    const auto note = [&](const Result<> &result, std::string_view what) {
        if (!result)
            messages.push_back(std::string(what) + describe(result.error()));
        return result.has_value();
    };
    note(repairKeptFiles(root), "an interrupted change can't be completed: ");
    if (const auto set = readBootSetText(root); set && *set && (*set)->contains("\"class\": "))
        note(markSystemDisks(root), "system disks can't be marked: ");
    const bool filesKept = hasKeptFiles(root);
    const auto known = readBootState(root);
    if (!known)
        messages.push_back("starting over, on probation: " + describe(known.error()));
    const BootState before = known.value_or(BootState{});
    if (!filesKept && before == BootState{})
        return messages;
    const auto thisBoot = bootId(root);
    if (!thisBoot) {
        messages.push_back("the boot goes on unguarded: " + describe(thisBoot.error()));
        return messages;
    }
    const CommandLine commandLine = parseCommandLine(root.readFile("proc/cmdline", 64 * 1024).value_or(""));
    const BootState after = stateForBoot(before, *thisBoot, commandLine, filesKept);
    if ((after != before || !known) &&
        !note(writeBootState(root, after), "the boot goes on unguarded, its state can't be written: "))
        return messages;
    if (note(moveKeptFiles(root, after.aside), "the kept files can't be moved: ") && filesKept)
        messages.push_back(describe(after));
    return messages;
}

Result<> endBoot(const SystemRoot &root, BootState (*change)(BootState, const std::string &))
{
    const auto before = readBootState(root);
    const auto thisBoot = before ? bootId(root) : std::unexpected(before.error());
    if (!thisBoot)
        return std::unexpected(thisBoot.error());
    const BootState after = change(*before, *thisBoot);
    return after == *before ? Result<>() : writeBootState(root, after);
}

} // namespace diskwright
