// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "bootset.h"
#include "bootstate.h"

#include <optional>
#include <string>
#include <vector>

/// The steps from which keeping, forgetting and guarding are made. docs/boot.md says in which order they
/// happen and what a crash between any two of them leaves.
namespace diskwright {

/// etc/diskwright/boot/state.json; the default if there is no file. Errors: StateFile, Malformed,
/// UnsupportedVersion.
[[nodiscard]] Result<BootState> readBootState(const SystemRoot &root);
[[nodiscard]] Result<> writeBootState(const SystemRoot &root, const BootState &state);

/// etc/diskwright/boot-set.json as bytes, or null. Errors: StateFile.
[[nodiscard]] Result<std::optional<std::string>> readBootSetText(const SystemRoot &root);

struct WriteOptions {
    bool replaceEdited = false; ///< replace, backed up, what somebody else changed
    bool backInPlace = false;   ///< what was set aside or switched off is in force again
    bool leaveForeign = false;  ///< for removing: a file without our marker stays where it is
};

/// Lets \p next and the files rendered from it take the place of what is there: all of them or none. The set
/// is on probation afterwards. Errors: FileChanged, StateFile.
[[nodiscard]] Result<> writeBootSet(const SystemRoot &root, const BootSet &next, WriteOptions options);

/// Moves the kept files where the state says: in their places or aside. Errors: StateFile.
[[nodiscard]] Result<> moveKeptFiles(const SystemRoot &root, Aside aside);

/// Ends what a crash interrupted: removes stale temporary files, moves the files where the state says, and
/// if a writing was not completed renders them anew from the set. Errors: StateFile, Malformed.
[[nodiscard]] Result<> repairKeptFiles(const SystemRoot &root);

/// Paths of the files without our marker that are in our places, or set aside. Errors: StateFile.
[[nodiscard]] Result<std::vector<std::string>> foreignFiles(const SystemRoot &root);

/// Whether a kept file is there, in its place or set aside. A file that can't be read counts as there.
[[nodiscard]] bool hasKeptFiles(const SystemRoot &root);

} // namespace diskwright
