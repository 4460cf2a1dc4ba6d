// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "bootstate.h"

#include <string>
#include <string_view>
#include <vector>

/// What keeps a kept setting from ever costing a boot. Runs before udev and sysctl.
namespace diskwright {

/// What the kernel command line asks for.
struct CommandLine {
    bool off = false;    ///< diskwright.off: this boot without kept settings
    bool rescue = false; ///< rescue or emergency: neither counts nor fails
};
[[nodiscard]] CommandLine parseCommandLine(std::string_view text) noexcept;

/// The state with which this boot goes on, from the one that the last boot left. \p filesKept: there is
/// something to guard.
[[nodiscard]] BootState stateForBoot(BootState state, const std::string &thisBoot, CommandLine commandLine,
                                     bool filesKept);

/// The state after this boot has finished: 60 s after multi-user.target, or at a clean shutdown.
[[nodiscard]] BootState finished(BootState state, const std::string &thisBoot);
/// The state of a boot that ended in rescue or emergency mode.
[[nodiscard]] BootState neutral(BootState state, const std::string &thisBoot);

/// Repairs, counts, sets aside or returns the files, and notes that this boot began. Whatever goes wrong is
/// said and left: the boot goes on. Returns what a log should say, one line each; empty if nothing is kept.
[[nodiscard]] std::vector<std::string> guardBoot(const SystemRoot &root);

/// Carries finished() or neutral() out. Errors: StateFile, Malformed.
[[nodiscard]] Result<> endBoot(const SystemRoot &root, BootState (*change)(BootState, const std::string &));

} // namespace diskwright
