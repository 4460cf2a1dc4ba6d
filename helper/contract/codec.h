// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalogue.h"

#include <string>
#include <vector>

namespace diskwright {

/// What one attribute says: its value, and for a bracketed choice everything the kernel lists.
struct Parsed {
    Value value;
    std::vector<std::string> offered;
};

/// Reads kernel text strictly (one trailing newline allowed). Errors: Malformed with the text as input.
[[nodiscard]] Result<Parsed> parseKernelText(const SettingSpec &spec, std::string_view text);

/// A user's text as a value of this row's type: decimal digits only, or a word. No range check.
/// Errors: Malformed, naming the row's accepted range.
[[nodiscard]] Result<Value> parseUserText(const SettingSpec &spec, std::string_view text);

/// The bytes that one write(2) sends to the attribute: canonical decimal or the word, no newline.
[[nodiscard]] std::string kernelText(const Value &value);

/// Checks type, range and grid, and for a choice that the word is known and, if \p offered is given, listed
/// there. Errors: Malformed (wrong type), OutOfRange, NotAMultiple, NotOffered; each with input and accepted.
[[nodiscard]] Result<> validate(const SettingSpec &spec, const Value &value,
                                const std::vector<std::string> *offered = nullptr);

/// The accepted range or set in words: "0 to 32768 KiB in steps of 4", "none, mq-deadline, kyber, bfq".
[[nodiscard]] std::string acceptedText(const SettingSpec &spec,
                                       const std::vector<std::string> *offered = nullptr);

} // namespace diskwright
