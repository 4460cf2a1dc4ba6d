// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/error.h"

#include <cstdint>
#include <string>

namespace diskwright {

/// Has `diskwright-boot deadline ID` run by somebody who outlives the helper, the app and the session.
class DeadlineKeeper
{
public:
    virtual ~DeadlineKeeper() = default;

    /// Starts keeping before the first value is written. \p after is from now. \p pipe is a lease's read end
    /// (else -1): it becomes the standard input of the process, which is then started at once. Errors:
    /// Internal with errno.
    [[nodiscard]] virtual Result<> start(const std::string &transaction, std::uint64_t afterNanoseconds,
                                         int pipe) = 0;
};

} // namespace diskwright
