// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/applysession.h"
#include "app/cli/textagent.h"

#include <QCoreApplication>
#include <QSocketNotifier>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace diskwright {

/// What a command needs to call the helper and to wait for it: an event loop, the client and, on a terminal,
/// a password agent. Ctrl+C asks the helper to stop and to put everything back; the answer is still awaited,
/// until Ctrl+C is pressed once more.
class HelperRun final
{
public:
    enum class Prompt { MayAsk, NeverAsks };

    explicit HelperRun(Prompt prompt);
    ~HelperRun();

    [[nodiscard]] ApplySession &session() noexcept { return *m_session; }
    [[nodiscard]] HelperClient &client() noexcept { return *m_client; }
    [[nodiscard]] const TrialStore &store() const noexcept { return m_store; }

    /// Makes a call and waits for its answer.
    [[nodiscard]] ApplyReport wait(const std::function<void(ApplySession::Done)> &call);

    /// What Ctrl+C does besides cancelling the session's calls.
    void setInterruptHandler(std::function<void()> handler) { m_onInterrupt = std::move(handler); }

    /// What Ctrl+C does the second time, besides giving the session's calls up.
    void setAbandonHandler(std::function<void()> handler) { m_onAbandon = std::move(handler); }

    /// Whether Ctrl+C was pressed since this object was made.
    [[nodiscard]] bool wasInterrupted() const noexcept { return m_interrupted; }

private:
    // Qt keeps references to these.
    int m_argumentCount = 1;
    char m_name[14] = "diskwrightctl";
    char *m_arguments[2] = {m_name, nullptr};
    std::unique_ptr<QCoreApplication> m_application;
    std::unique_ptr<TextAgent> m_agent;
    std::unique_ptr<HelperClient> m_client;
    TrialStore m_store;
    std::unique_ptr<ApplySession> m_session;
    std::unique_ptr<QSocketNotifier> m_interrupts;
    std::function<void()> m_onInterrupt;
    std::function<void()> m_onAbandon;
    bool m_interrupted = false;
};

/// What became of the user's trials whose program was gone when they ended, once.
[[nodiscard]] std::vector<std::string> endedTrials(ApplySession &session);

/// Whether a person sits at this command: standard input and output are a terminal.
[[nodiscard]] bool isInteractive();

} // namespace diskwright
