// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace diskwright::health {

/// An amount of data, shown in powers of 1000.
struct Bytes {
    std::uint64_t count = 0;
    bool operator==(const Bytes &) const = default;
};

/// An amount of memory, shown in powers of 1024 as everywhere where memory is set.
struct MemoryBytes {
    std::uint64_t count = 0;
    bool operator==(const MemoryBytes &) const = default;
};

/// What fills one place (%1, %2 …) of a sentence: a name or the kernel's words, a number, an amount.
using Argument = std::variant<std::string, std::int64_t, Bytes, MemoryBytes>;

/// One sentence: the English source, marked for Qt translation in messageContext, and what fills its places.
struct Message {
    const char *text = "";
    std::vector<Argument> arguments;

    [[nodiscard]] bool isEmpty() const noexcept { return *text == '\0'; }
};

inline constexpr const char *messageContext = "Health";

/// The places of \p text filled, each once: what an argument holds is never looked at again.
[[nodiscard]] std::string fill(std::string_view text, const std::vector<std::string> &arguments);

/// The sentence in English, numbers without separators, amounts as disks are sold ("1.5 GB").
[[nodiscard]] std::string english(const Message &message);

/// "1.5 GB", "512 MB", "0 B": three digits at most, powers of 1000.
[[nodiscard]] std::string amountText(Bytes bytes);
/// "1.5 GiB", "512 MiB": the same in powers of 1024.
[[nodiscard]] std::string amountText(MemoryBytes bytes);

} // namespace diskwright::health
