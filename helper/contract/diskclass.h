// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace diskwright {

/// Kinds of disk that a rule may match instead of one disk. Closed: each has fixed match keys. Its place is
/// its number on the wire.
enum class DiskClass : std::uint8_t { UsbRemovable, SataRotational, SataSolidState, Nvme, Mmc };

[[nodiscard]] std::string_view name(DiskClass kind) noexcept; ///< "usb-removable" …
[[nodiscard]] std::optional<DiskClass> diskClassFromName(std::string_view name) noexcept;
/// All names, as a message lists them.
[[nodiscard]] std::string_view diskClassNames() noexcept;

} // namespace diskwright
