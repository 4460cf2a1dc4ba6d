// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace diskwright {

/// \p text as valid UTF-8: control characters and bytes that are no UTF-8 become U+FFFD, runs of white space
/// at both ends go. What a device reports as its model may hold anything.
[[nodiscard]] std::string cleanText(std::string_view text);

/// Whether one sound UTF-8 sequence is a control character or turns the direction of writing.
[[nodiscard]] bool isUnfit(std::string_view sequence);

/// Bytes of the UTF-8 sequence at the front, 0 if there is none (RFC 3629: no surrogates, shortest form).
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text);

/// Order for lists of devices: numbers by value (nvme2n1 before nvme10n1), sdz before sdaa.
[[nodiscard]] bool deviceNameLess(std::string_view left, std::string_view right);

} // namespace diskwright
