// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../executor/deadlinekeeper.h"

namespace diskwright {

/// With systemd: a transient timer for a trial, a transient service for a lease. Without: a detached process
/// in a session of its own.
class DeadlineStarter final : public DeadlineKeeper
{
public:
    [[nodiscard]] Result<> start(const std::string &transaction, std::uint64_t afterNanoseconds,
                                 int pipe) override;
};

} // namespace diskwright
