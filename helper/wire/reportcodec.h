// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/report.h"

#include <QByteArray>
#include <QByteArrayView>

namespace diskwright {

/// The report as versioned CBOR (docs/formats.md); numbers and byte strings only.
[[nodiscard]] QByteArray encode(const Report &report);

/// As strict as decodeRequest. Errors: Malformed, UnsupportedVersion.
[[nodiscard]] Result<Report> decodeReport(QByteArrayView bytes);

} // namespace diskwright
