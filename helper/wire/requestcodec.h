// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/request.h"
#include "../contract/error.h"

#include <QByteArray>
#include <QByteArrayView>

namespace diskwright {

/// The request as versioned CBOR (docs/formats.md): integer keys in ascending order, definite lengths.
[[nodiscard]] QByteArray encode(const Request &request);

/// Strict and bounded: at most limits::requestBytes, nesting of 6, exact keys and types, shortest-form
/// integers, no tags, floats, indefinite lengths or trailing bytes; every string at most limits::stringBytes
/// of printable ASCII; counts and numbers inside their limits. Knows nothing of the catalogue. Errors:
/// Malformed, UnsupportedVersion.
[[nodiscard]] Result<Request> decodeRequest(QByteArrayView bytes);

} // namespace diskwright
