// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "health.h"

#include <QDBusConnection>

namespace diskwright::health {

/// What a running UDisks2 has stored about the whole disk \p disk. Only properties are read, which it holds
/// in memory: no drive is asked, and a service that does not run is not started. Blocks for at most three
/// times \p time; call it from a worker. Safe with any thread's connection.
[[nodiscard]] DriveHealth readDriveHealth(const QDBusConnection &bus, const BlockNode &disk,
                                          std::chrono::milliseconds time = patience);

/// D-Bus path of a block device in UDisks2, by its kernel name.
[[nodiscard]] QString udisksPath(std::string_view kernelName);

} // namespace diskwright::health
