// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/catalogue.h"
#include "systemroot.h"

#include <string>

/// What a kept byte limit became. The kernel stores bytes as a share of the dirty limit of the moment
/// (mm/page-writeback.c, bdi_set_max_bytes), so the bytes that are read move with the free memory; the stored
/// share and the dirty limits tell whether the limit is still the one that was written.
namespace diskwright {

inline constexpr std::string_view limitNotes = "run/diskwright/limits";

/// The name of the disk's note: its sequence number; empty if it has none.
[[nodiscard]] std::string limitNoteName(const Directory &disk);
/// What the note would say now, of a limit of \p wanted.
[[nodiscard]] std::string limitNoteText(const SystemRoot &root, const Directory &disk, const Value &wanted);
/// Whether the disk's note says that what is stored now is what \p wanted meant.
[[nodiscard]] bool isLimitAsNoted(const SystemRoot &root, const Directory &disk, const Value &wanted);

/// Whether \p current, read from the disk, is the kept value.
[[nodiscard]] bool isKeptInForce(const SystemRoot &root, const Directory &disk, const SettingSpec &spec,
                                 const Value &kept, const Value &current);

} // namespace diskwright
