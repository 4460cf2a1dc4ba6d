// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <chrono>

class QTimer;

namespace diskwright {

/// Unique bus name of whoever sent the call that is being authorized or carried out; empty if there is none.
/// (KAuth itself tells the user id alone, and 0 for a caller that is gone.)
[[nodiscard]] QString senderOfCall();

/// Ends the helper when an authorization can't come to an end: when polkit is in error or the caller is gone,
/// no answer will ever arrive, and a password dialog must not keep everybody else out for more than two
/// minutes. Nothing was changed then, because slots run after authorization only; the next call starts a
/// fresh helper.
///
/// It also ends the helper that has nothing to do, in KAuth's place: that would leave with a call in its
/// queue, which would then be answered as not authorized, or not at all.
class Watchdog final : public QObject
{
    Q_OBJECT

public:
    /// \p responder is the object whose slots are called.
    explicit Watchdog(QObject *responder);

private:
    void look();
    void leaveIfIdle(QTimer &idle);

    QObject *m_responder;
    QTimer *m_timer;
    std::chrono::steady_clock::time_point m_idleSince;
};

} // namespace diskwright
