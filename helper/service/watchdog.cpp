// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "watchdog.h"

#include "../executor/patience.h"
#include "../wire/callerrors.h"

#include <PolkitQt1/Authority>

#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusContext>
#include <QDBusMessage>
#include <QTimer>
#include <QVariant>

#include <limits>
#include <syslog.h>
#include <unistd.h>

namespace diskwright {

namespace {

using namespace std::chrono_literals;

constexpr const char *serviceName = "org.diskwright.helper";
constexpr auto interval = 500ms;
constexpr auto longestAuthorization = 120s;
constexpr auto longestIdle = 10s;
// KAuth's own timer never comes to its end; how far it has come is how long nothing was asked.
constexpr auto never = std::chrono::milliseconds(std::numeric_limits<int>::max());

// The call that is being authorized or carried out; null if there is none.
QDBusContext *contextOfCall()
{
    QObject *object = QDBusConnection::systemBus().objectRegisteredAt(QStringLiteral("/"));
    auto *context = object ? static_cast<QDBusContext *>(object->qt_metacast("QDBusContext")) : nullptr;
    return context && context->calledFromDBus() ? context : nullptr;
}

// \p error is what the caller is told, who would not know otherwise that nothing was changed.
[[noreturn]] void leave(const char *reason, const char *error = nullptr)
{
    syslog(LOG_ERR, "leaving, nothing was changed: %s", reason);
    const QDBusContext *context = error ? contextOfCall() : nullptr;
    if (context) {
        auto bus = QDBusConnection::systemBus();
        bus.send(context->message().createErrorReply(QLatin1String(error), QLatin1String(reason)));
        // Messages keep their order: once this is answered, the one before is on its way.
        static_cast<void>(bus.interface()->isServiceRegistered(context->message().service()));
    }
    _exit(1);
}

} // namespace

QString senderOfCall()
{
    const QDBusContext *context = contextOfCall();
    return context ? context->message().service() : QString();
}

Watchdog::Watchdog(QObject *responder)
    : m_responder(responder)
    , m_timer(new QTimer(this))
    , m_idleSince(std::chrono::steady_clock::now())
{
    m_timer->setInterval(interval);
    connect(m_timer, &QTimer::timeout, this, &Watchdog::look);
    // Timers need the application, which KAuth makes later.
    QMetaObject::invokeMethod(m_timer, qOverload<>(&QTimer::start), Qt::QueuedConnection);
}

void Watchdog::look()
{
    if (PolkitQt1::Authority::instance()->hasError())
        leave("polkit does not answer", callerrors::noPolkit);
    // KAuth stops this timer while a call is authorized or carried out. Slots never run the event loop, so
    // whenever this is reached with the timer stopped, an authorization is waited for.
    auto *idle = m_responder->property("__KAuth_Helper_Shutdown_Timer").value<QTimer *>();
    if (!idle || idle->isActive()) {
        m_idleSince = std::chrono::steady_clock::now();
        if (idle)
            leaveIfIdle(*idle);
        return;
    }
    if (std::chrono::steady_clock::now() - m_idleSince > longestAuthorization)
        leave("an authorization took more than two minutes", callerrors::notAnswered);
    const auto isThere = QDBusConnection::systemBus().interface()->isServiceRegistered(senderOfCall());
    if (isThere.isValid() && !isThere.value())
        leave("the caller is gone");
}

void Watchdog::leaveIfIdle(QTimer &idle)
{
    const auto isIdle = [&] {
        return idle.isActive() && idle.intervalAsDuration() - idle.remainingTimeAsDuration() >= longestIdle;
    };
    if (idle.intervalAsDuration() != never) {
        // Others may be late by a share of their interval, and this one is a month.
        idle.setTimerType(Qt::PreciseTimer);
        idle.setInterval(never);
    }
    // While a disk is silent, leaving would not give the name on the bus back, and nobody could take this
    // helper's place.
    if (!isIdle() || isAnyDiskSilent())
        return;
    // A call may have arrived just now.
    QCoreApplication::processEvents();
    if (!isIdle())
        return;
    // From here on calls go to the next helper; those before the answer to this one are carried out still.
    QDBusConnection::systemBus().unregisterService(QLatin1String(serviceName));
    QCoreApplication::processEvents();
    QCoreApplication::quit();
}

} // namespace diskwright
