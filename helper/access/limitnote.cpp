// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "limitnote.h"

#include <algorithm>

namespace diskwright {

namespace {

constexpr std::size_t noteBytes = 256;

std::string oneLine(const Result<std::string> &text)
{
    return text && text->ends_with('\n') ? text->substr(0, text->size() - 1) : std::string();
}

} // namespace

std::string limitNoteName(const Directory &disk)
{
    const std::string sequence = oneLine(disk.read("diskseq"));
    const bool isNumber =
        !sequence.empty() && std::ranges::all_of(sequence, [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? sequence : std::string();
}

std::string limitNoteText(const SystemRoot &root, const Directory &disk, const Value &wanted)
{
    const auto vm = root.vm();
    const auto limit = [&](const char *file) { return vm ? oneLine(vm->read(file)) : std::string(); };
    return toText(wanted) + ' ' + oneLine(disk.read("bdi/max_ratio_fine")) + ' ' + limit("dirty_bytes") +
           ' ' + limit("dirty_ratio") + '\n';
}

bool isLimitAsNoted(const SystemRoot &root, const Directory &disk, const Value &wanted)
{
    const auto folder = root.directory(limitNotes);
    const std::string sequence = limitNoteName(disk);
    if (!folder || sequence.empty())
        return false;
    const auto note = folder->read(sequence, noteBytes);
    return note && *note == limitNoteText(root, disk, wanted);
}

bool isKeptInForce(const SystemRoot &root, const Directory &disk, const SettingSpec &spec, const Value &kept,
                   const Value &current)
{
    return isAsWanted(spec, kept, current) || (spec.drifts && isLimitAsNoted(root, disk, kept));
}

} // namespace diskwright
