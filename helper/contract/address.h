// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalogue.h"

#include <string>

namespace diskwright {

/// domain:target:key. The key is what follows the last colon, the domain what precedes the first.
struct Address {
    Domain domain = Domain::Queue;
    std::string target; ///< kernel name or disk id; empty for vm
    std::string key;    ///< long form for iosched ("bfq/slice_idle") once resolved

    bool operator==(const Address &) const = default;
};

/// Splits an address. Errors: Malformed, UnknownSetting (unknown domain), naming the input.
[[nodiscard]] Result<Address> parseAddress(std::string_view text);
[[nodiscard]] std::string toText(const Address &address);

/// Splits SETTING=VALUE at the last '='. Errors: Malformed if there is none.
struct Assignment {
    std::string setting;
    std::string value;
};
[[nodiscard]] Result<Assignment> parseAssignment(std::string_view text);

/// Whether \p name has the shape of a kernel block device name: ^[a-z][a-z0-9!_-]{0,31}$ (security R15).
[[nodiscard]] bool isKernelName(std::string_view name) noexcept;

/// Whether a disk id can stand in a udev rule unescaped: ^[A-Za-z0-9_.:+-]{1,128}$ (security R40).
[[nodiscard]] bool isSafeDiskId(std::string_view id) noexcept;

} // namespace diskwright
