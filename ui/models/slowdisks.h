// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/machine.h"
#include "ui/models/writeback.h"

#include "app/plan/changeset.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Disks to which a long copy may slow every program down, and the limit that keeps it from that.
namespace diskwright::ui {

/// Slow removable disks that are listed and mounted for writing, by kernel name.
[[nodiscard]] std::vector<std::string> slowDisks(const Machine &machine);

enum class UnwrittenLimit : std::uint8_t {
    Unknown, ///< its settings were not read yet, or this kernel has no limit for one disk
    None,
    Staged,
    InForce,
};
[[nodiscard]] UnwrittenLimit unwrittenLimit(const Machine &machine, const ChangeSet &staged,
                                            const std::string &disk);

/// Bytes that such a disk shall have unwritten at most: a 32nd of what all disks together may have, 1 to 64
/// MiB.
[[nodiscard]] std::int64_t sensibleLimit(const std::optional<WritebackSample> &now);
/// The bytes that are staged or in force for the disk.
[[nodiscard]] std::optional<std::int64_t> limitBytes(const Machine &machine, const ChangeSet &staged,
                                                     const std::string &disk);

/// Stages the limit for this disk alone, or takes it back. Errors as StagedChanges::stage.
[[nodiscard]] Result<> stageLimit(StagedChanges &staged, const Machine &machine, const std::string &disk,
                                  std::int64_t bytes);
void unstageLimit(StagedChanges &staged, const std::string &disk);

} // namespace diskwright::ui
