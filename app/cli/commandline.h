// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace diskwright {

/// Runs one command line (without the program's name) and returns the exit code. No exception leaves it.
[[nodiscard]] int runCommandLine(const std::vector<std::string> &arguments, std::ostream &out,
                                 std::ostream &err);

} // namespace diskwright
