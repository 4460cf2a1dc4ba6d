// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonwriter.h"

#include "app/settings/oldnames.h"

#include <string>
#include <vector>

namespace diskwright {

/// What a word of show's line meant that is no address.
struct ShownAnswer {
    std::string input;
    OldNameAnswer answer;
};

/// One line an answer: what the word is today, or the story of what became of it.
[[nodiscard]] std::string answersText(const std::vector<ShownAnswer> &answers);

/// An array of objects with the keys input, setting, target, value, unit, note, vanished; vanished is null or
/// an object with id, title, fate, since, was, today.
void writeAnswers(JsonWriter &json, const std::vector<ShownAnswer> &answers);

} // namespace diskwright
