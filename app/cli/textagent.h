// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

namespace diskwright {

/// polkit's own password prompt for a terminal (pkttyagent), registered for this process while this object
/// lives; a desktop's agent goes before it.
class TextAgent final
{
public:
    /// Starts it and waits until it is registered, at most a few seconds. Without it, or if it fails, calls
    /// are answered as without an agent.
    TextAgent();
    ~TextAgent();
    TextAgent(const TextAgent &) = delete;
    TextAgent &operator=(const TextAgent &) = delete;

private:
    pid_t m_process = -1;
};

} // namespace diskwright
