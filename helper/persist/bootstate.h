// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace diskwright {

/// Why the kept files are not in their places.
enum class Aside : std::uint8_t {
    No,
    Unfinished,  ///< boots did not finish; stays until "use at start" or the next keep
    CommandLine, ///< diskwright.off on the kernel command line; returned by the next guard
    SwitchedOff, ///< "use at start: off"
};

/// What the guard remembers from boot to boot, in /etc/diskwright/boot/state.json. No file: the default.
struct BootState {
    bool proven = false;          ///< a boot finished since the set was last changed
    std::uint32_t unfinished = 0; ///< boots in a row that did not finish
    Aside aside = Aside::No;
    std::string running = {}; ///< boot id of a boot that began with the files in place and has not finished
    std::string changed = {}; ///< boot id of the last change: that boot proves nothing about it
    bool writing = false;     ///< the kept files may not agree with the boot set yet
    bool replacing = false;   ///< … and edited ones, backed up already, were to be replaced

    bool operator==(const BootState &) const = default;
};

[[nodiscard]] std::string encode(const BootState &state);
/// Strict, as decodeBootSet(). Errors: Malformed, UnsupportedVersion.
[[nodiscard]] Result<BootState> decodeBootState(std::string_view text);

/// none, probation, proven, set-aside, off: the word that "boot status" shows.
[[nodiscard]] std::string_view stateName(const BootState &state, bool somethingKept) noexcept;

} // namespace diskwright
