// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// The words of one command; a redirection (">", "|", "<<<") is a word of its own.
using Command = std::vector<std::string>;

/// The commands of a text that was pasted: several lines, or several joined by ; and &&. Prompts, sudo and
/// sh -c are taken off, and what a loop or a cd before stands for is put in. Nothing is run; \p text is read
/// whole, so it must be short.
[[nodiscard]] std::vector<Command> commandsOf(std::string_view text);

/// Whether \p word calls \p tool, by its name or by its path.
[[nodiscard]] bool isTool(std::string_view word, std::string_view tool);

/// Whether \p word calls a program that prints files and changes none: cat, grep, less …
[[nodiscard]] bool isReader(std::string_view word);

/// The disk of a partition ("sda1" -> "sda", "nvme0n1p2" -> "nvme0n1"), by the rules of the kernel for names;
/// any other name as it is.
[[nodiscard]] std::string wholeDiskName(std::string_view name);

} // namespace diskwright
