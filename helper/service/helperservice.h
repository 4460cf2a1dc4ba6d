// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../executor/executor.h"
#include "watchdog.h"

#include <KAuth/ActionReply>

#include <QObject>
#include <QVariantMap>

namespace diskwright {

/// The whole of what can be called from outside: one slot for each action of the policy. A slot is entered
/// after polkit has authorized the caller for its action.
class HelperService final : public QObject
{
    Q_OBJECT

public:
    HelperService();

    /// Repairs what a crash left behind; called before the first request can come.
    static void recover();

public Q_SLOTS:
    KAuth::ActionReply tune(const QVariantMap &arguments);
    KAuth::ActionReply persist(const QVariantMap &arguments);
    KAuth::ActionReply plan(const QVariantMap &arguments);
    KAuth::ActionReply settle(const QVariantMap &arguments);

private:
    KAuth::ActionReply answer(Action action, const QVariantMap &arguments);

    Watchdog m_watchdog;
};

} // namespace diskwright
