// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/disks/disk.h"
#include "app/health/message.h"

#include <QString>
#include <QStringList>

/// Disks in words, the same on every page.
namespace diskwright::ui {

/// "SATA · 1.00 TB · solid state".
[[nodiscard]] QString diskFacts(const BlockNode &disk);

/// Where a disk is mounted, through everything that stands on it; sorted, each once.
[[nodiscard]] QStringList mountTargets(const BlockNode &disk, const DiskList &all);

/// "Holds this system: /  /home", "Mounted: /data", "Nothing on it is mounted." At most \p most mount points
/// are named.
[[nodiscard]] QString mountWords(const BlockNode &disk, const DiskList &all, int most = 6);

/// A sentence of app/health in the user's language, its places filled.
[[nodiscard]] QString messageText(const health::Message &message);

} // namespace diskwright::ui
