// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/descriptor.h"
#include "helper/contract/report.h"
#include "helper/contract/request.h"

#include <QDBusConnection>
#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace diskwright {

/// The helper's actions (polkit ids org.diskwright.helper.NAME).
enum class HelperAction : std::uint8_t { Query, Tune, Persist, Plan, Settle };
[[nodiscard]] QString actionId(HelperAction action);

/// What is known about a call once it is over.
enum class CallState : std::uint8_t {
    Answered,      ///< report is the helper's answer to this very request
    NotAuthorized, ///< refused, dismissed or no agent: nothing was changed
    Busy,          ///< the helper works for somebody else: nothing was changed
    HelperMissing, ///< the helper or the system bus is not there: nothing was changed
    Incompatible,  ///< the helper that is there does not know the action: nothing was changed
    Unknown,       ///< anything else: the change may or may not have been made; read the system again
};

/// Why a call was not authorized, as far as it is known.
enum class Denial : std::uint8_t {
    Refused,     ///< refused, dismissed, or nobody could be asked
    NoPolkit,    ///< polkit, which decides, is not there or does not answer
    NotAnswered, ///< nobody answered the prompt in two minutes
};

struct CallResult {
    CallState state = CallState::Unknown;
    Report report;                   ///< if Answered
    QString detail;                  ///< English words of the bus or of KAuth for a log, may be empty
    Denial denial = Denial::Refused; ///< if NotAuthorized
    bool agentMayBeMissing = false;  ///< NotAuthorized came sooner than a person can answer
};

/// What the desktop's password agent can be told of the window that asks; empty: nothing.
struct PromptParent {
    QString handle; ///< the X11 window number in decimal, or the handle exported by xdg-foreign on Wayland
    QString activation; ///< a token of xdg-activation: with it the prompt may take the focus on Wayland
};

/// The end of the pipe whose other end the helper watches. While a call runs, closing it asks the helper to
/// stop after the current item and to put everything back; a lease lives until it is closed.
class CancelPipe final
{
public:
    explicit CancelPipe(Descriptor writeEnd) noexcept
        : m_writeEnd(std::move(writeEnd))
    {
    }
    void close() noexcept { m_writeEnd.close(); }
    [[nodiscard]] bool isOpen() const noexcept { return m_writeEnd.isOpen(); }

private:
    Descriptor m_writeEnd;
};

/// Sends requests to the helper on KAuth's wire and reads the answer from the method return alone: broadcast
/// results are matched by action name only and may be somebody else's. Never blocks.
class HelperClient final : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const CallResult &)>;
    using TellAgent = std::function<void(const PromptParent &)>;
    /// Finds the window that asks and tells of it, at once or later and in parts: the request never waits for
    /// it, and the agent takes it while its prompt is open too.
    using FindParent = std::function<void(TellAgent)>;

    explicit HelperClient(QObject *parent = nullptr);
    /// \p bus in place of the system bus, \p sessionBus in place of the session bus.
    HelperClient(const QDBusConnection &bus, const QDBusConnection &sessionBus, QObject *parent = nullptr);
    ~HelperClient() override;

    void setPromptParent(FindParent find) { m_findParent = std::move(find); }

    /// Sends \p request. \p done is called exactly once, from the event loop, unless this object is destroyed
    /// first. Waits as long as it takes: a password prompt has no time limit of ours. The client holds the
    /// returned pipe while the call runs; keep it to hold a lease, close it to cancel.
    std::shared_ptr<CancelPipe> call(HelperAction action, const Request &request, const Done &done);

    /// Calls that are not answered yet.
    [[nodiscard]] int running() const noexcept { return m_running; }

private:
    void announceWindow(HelperAction action);
    void tellAgent(HelperAction action, const PromptParent &parent);

    // Connected to at the first call: nothing is asked of any bus before.
    std::optional<QDBusConnection> m_bus;
    std::optional<QDBusConnection> m_sessionBus;
    FindParent m_findParent;
    int m_running = 0;
};

} // namespace diskwright
