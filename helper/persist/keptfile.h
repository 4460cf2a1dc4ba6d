// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace diskwright {

/// Whose a file in one of our places is.
enum class FileOwner : std::uint8_t {
    Ours,    ///< marker there, body as we wrote it
    Edited,  ///< marker there, body changed since
    Foreign, ///< no marker: not written by us
};

/// Puts the marker line and the SHA-256 of \p body in front of it.
[[nodiscard]] std::string withMarker(std::string_view body);

[[nodiscard]] FileOwner ownerOf(std::string_view text) noexcept;

/// What follows the two marker lines; the whole text if they are not there.
[[nodiscard]] std::string_view bodyOf(std::string_view text) noexcept;

/// Most bytes that a rendered file can have.
inline constexpr std::size_t keptFileBytes = std::size_t{1024} * 1024;

} // namespace diskwright
