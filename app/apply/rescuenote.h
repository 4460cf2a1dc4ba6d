// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/error.h"

#include <QString>

namespace diskwright {

/// A page of plain text to print or copy down: what is kept here, and how to get a machine to start without
/// it, by the boot menu, in a rescue shell, or by hand. Errors: as readKeptSet.
[[nodiscard]] Result<QString> rescueNote(const QString &root = QStringLiteral("/"));

} // namespace diskwright
