// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "watchdog.h"

#include "../executor/patience.h"
#include "../wire/callerrors.h"

#include <PolkitQt1/Authority>

#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusContext>
#include <QDBusMessage>
#include <QTimer>
#include <QVariant>

#include <syslog.h>
#include <unistd.h>

namespace diskwright {

namespace {

using namespace std::chrono_literals;

constexpr auto interval = 500ms;
constexpr auto longestAuthorization = 120s;

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
        // Leaving would not give the name on the bus back, and nobody could take this helper's place.
        if (idle && isAnyDiskSilent())
            idle->start();
        m_idleSince = std::chrono::steady_clock::now();
        return;
    }
    if (std::chrono::steady_clock::now() - m_idleSince > longestAuthorization)
        leave("an authorization took more than two minutes", callerrors::notAnswered);
    const auto isThere = QDBusConnection::systemBus().interface()->isServiceRegistered(senderOfCall());
    if (isThere.isValid() && !isThere.value())
        leave("the caller is gone");
}

} // namespace diskwright
