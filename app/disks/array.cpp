// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "array.h"

#include "helper/contract/address.h"

#include <algorithm>

namespace diskwright {

namespace {

std::string word(const Directory &folder, const std::string &file)
{
    std::string text = folder.read(file).value_or(std::string());
    if (text.ends_with('\n'))
        text.pop_back();
    return text;
}

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether "in_sync,write_mostly" holds the word.
bool hasState(std::string_view states, std::string_view wanted)
{
    while (!states.empty()) {
        const std::size_t end = std::min(states.find(','), states.size());
        if (states.substr(0, end) == wanted)
            return true;
        states.remove_prefix(std::min(end + 1, states.size()));
    }
    return false;
}

std::string_view memberNote(const Directory &folder, const std::string &entry)
{
    const std::string states = word(folder, entry + "/state");
    if (hasState(states, "faulty"))
        return "failed-member";
    if (!hasState(states, "spare"))
        return {};
    // A spare that is being filled has the number of its place already.
    return isNumber(word(folder, entry + "/slot")) ? "rebuilding-member" : "spare-member";
}

} // namespace

ArrayState readArray(const Directory &folder)
{
    ArrayState state;
    const auto md = folder.below("md");
    const auto entries = md ? md->entries() : std::unexpected(md.error());
    if (!entries)
        return state;
    const std::string active = word(*md, "array_state");
    if (active == "inactive" || active == "clear")
        state.notes.push_back("inactive");
    const std::string missing = word(*md, "degraded");
    if (isNumber(missing) && missing.find_first_not_of('0') != std::string::npos)
        state.notes.push_back("degraded");
    const std::string action = word(*md, "sync_action");
    if (action == "recover" || action == "resync" || action == "reshape")
        state.notes.push_back("rebuilding");
    for (const std::string &entry : *entries) {
        const std::string_view name = std::string_view(entry).substr(std::min<std::size_t>(entry.size(), 4));
        if (!entry.starts_with("dev-") || !isKernelName(name))
            continue;
        if (const std::string_view note = memberNote(*md, entry); !note.empty())
            state.members.push_back({std::string(name), note});
    }
    std::ranges::sort(state.members, {}, &ArrayMember::name);
    return state;
}

} // namespace diskwright
