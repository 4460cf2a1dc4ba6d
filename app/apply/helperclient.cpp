// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/helperclient.h"

#include "helper/wire/callerrors.h"
#include "helper/wire/reportcodec.h"
#include "helper/wire/requestcodec.h"

#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusPendingCallWatcher>
#include <QDBusUnixFileDescriptor>
#include <QDataStream>
#include <QElapsedTimer>
#include <QIODevice>
#include <QMap>
#include <QPointer>
#include <QTimer>
#include <QVariantMap>

#include <chrono>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

using FileDescriptors = QMap<QString, QDBusUnixFileDescriptor>;
Q_DECLARE_METATYPE(FileDescriptors)

namespace diskwright {

namespace {

const QString helperName = u"org.diskwright.helper"_s;

// A person needs longer than this to read a prompt and dismiss it.
constexpr std::chrono::milliseconds fasterThanAPerson{1000};

// KAuth::ActionReply::Error, which is what the helper side of KAuth writes into the reply.
enum class KAuthError : std::int32_t {
    NoError = 0,
    NoResponder = 1,
    NoSuchAction = 2,
    InvalidAction = 3,
    AuthorizationDenied = 4,
    UserCancelled = 5,
    HelperBusy = 6,
};

// KAuth::ActionReply::Type.
enum class KAuthReplyType : std::uint32_t { KAuthError = 0, HelperError = 1, Success = 2 };

struct KAuthReply {
    QVariantMap data;
    std::int32_t errorCode = 0;
    std::uint32_t type = 0;
    QString description;
};

// The order in which KAuth::ActionReply::serialized() writes.
std::optional<KAuthReply> readReply(const QByteArray &bytes)
{
    KAuthReply reply;
    QDataStream stream(bytes);
    stream >> reply.data >> reply.errorCode >> reply.type >> reply.description;
    if (stream.status() != QDataStream::Ok || !stream.atEnd())
        return std::nullopt;
    return reply;
}

CallResult result(CallState state, const QString &detail)
{
    CallResult answer;
    answer.state = state;
    answer.detail = detail;
    return answer;
}

CallResult denied(Denial denial, const QString &detail)
{
    CallResult answer = result(CallState::NotAuthorized, detail);
    answer.denial = denial;
    return answer;
}

CallResult fromKAuthError(const KAuthReply &reply)
{
    const QString detail = u"KAuth error %1: %2"_s.arg(reply.errorCode).arg(reply.description);
    switch (static_cast<KAuthError>(reply.errorCode)) {
    case KAuthError::NoResponder:
    case KAuthError::NoSuchAction:
    case KAuthError::InvalidAction: return result(CallState::Incompatible, detail);
    case KAuthError::AuthorizationDenied:
    case KAuthError::UserCancelled: return result(CallState::NotAuthorized, detail);
    case KAuthError::HelperBusy: return result(CallState::Busy, detail);
    case KAuthError::NoError: break;
    }
    return result(CallState::Unknown, detail);
}

CallResult fromReply(const QDBusMessage &message, const TransactionId &id)
{
    const QList<QVariant> arguments = message.arguments();
    if (arguments.size() != 1 || arguments.first().metaType() != QMetaType::fromType<QByteArray>())
        return result(CallState::Unknown, u"the reply is not one byte array"_s);
    const auto reply = readReply(arguments.first().toByteArray());
    if (!reply)
        return result(CallState::Unknown, u"the reply does not decode"_s);
    if (static_cast<KAuthReplyType>(reply->type) == KAuthReplyType::KAuthError)
        return fromKAuthError(*reply);
    if (static_cast<KAuthReplyType>(reply->type) == KAuthReplyType::HelperError && reply->data.isEmpty() &&
        (reply->errorCode == static_cast<int>(Errc::Malformed) ||
         reply->errorCode == static_cast<int>(Errc::UnsupportedVersion)))
        return result(CallState::Incompatible, u"the helper does not understand the request"_s);
    const QVariant bytes = reply->data.value(u"report"_s);
    if (bytes.metaType() != QMetaType::fromType<QByteArray>())
        return result(CallState::Unknown, u"the reply holds no report: %1"_s.arg(reply->description));
    const auto report = decodeReport(bytes.toByteArray());
    if (!report)
        return result(CallState::Unknown, u"the report does not decode"_s);
    if (report->request != id)
        return result(CallState::Unknown, u"the report answers another request"_s);
    if (report->outcome == Outcome::NotAuthorized)
        return result(CallState::NotAuthorized,
                      u"the helper: %1"_s.arg(QString::fromUtf8(name(report->why))));
    if (report->outcome == Outcome::Busy) {
        CallResult busy = result(CallState::Busy, u"the helper is busy"_s);
        busy.report = *report;
        return busy;
    }
    CallResult answer = result(CallState::Answered, {});
    answer.report = *report;
    return answer;
}

// Only what the bus itself says before it hands over a message proves that nothing was changed.
CallResult fromError(const QDBusMessage &message)
{
    const QString error = message.errorName();
    const QString detail = error + u": "_s + message.errorMessage();
    if (error == u"org.freedesktop.DBus.Error.ServiceUnknown"_s ||
        error == u"org.freedesktop.DBus.Error.NameHasNoOwner"_s ||
        error.startsWith(u"org.freedesktop.DBus.Error.Spawn."_s) ||
        error.startsWith(u"org.freedesktop.systemd1."_s))
        return result(CallState::HelperMissing, detail);
    if (error == QLatin1String(callerrors::noPolkit))
        return denied(Denial::NoPolkit, detail);
    if (error == QLatin1String(callerrors::notAnswered))
        return denied(Denial::NotAnswered, detail);
    if (error == u"org.freedesktop.DBus.Error.AccessDenied"_s)
        return result(CallState::NotAuthorized, detail);
    if (error == u"org.freedesktop.DBus.Error.UnknownMethod"_s ||
        error == u"org.freedesktop.DBus.Error.UnknownInterface"_s ||
        error == u"org.freedesktop.DBus.Error.UnknownObject"_s ||
        error == u"org.freedesktop.DBus.Error.InvalidArgs"_s)
        return result(CallState::Incompatible, detail);
    return result(CallState::Unknown, detail);
}

struct Pipe {
    Descriptor readEnd;
    Descriptor writeEnd;
};

std::optional<Pipe> makePipe()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return std::nullopt;
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

QByteArray argumentsOf(const Request &request)
{
    QByteArray blob;
    QDataStream stream(&blob, QIODevice::WriteOnly);
    stream << QVariantMap{{u"request"_s, encode(request)}};
    return blob;
}

} // namespace

QString actionId(HelperAction action)
{
    switch (action) {
    case HelperAction::Query: return helperName + u".query"_s;
    case HelperAction::Tune: return helperName + u".tune"_s;
    case HelperAction::Persist: return helperName + u".persist"_s;
    case HelperAction::Plan: return helperName + u".plan"_s;
    case HelperAction::Settle: return helperName + u".settle"_s;
    }
    return {};
}

HelperClient::HelperClient(QObject *parent)
    : QObject(parent)
{
    qDBusRegisterMetaType<FileDescriptors>();
}

HelperClient::HelperClient(const QDBusConnection &bus, const QDBusConnection &sessionBus, QObject *parent)
    : QObject(parent)
    , m_bus(bus)
    , m_sessionBus(sessionBus)
{
    qDBusRegisterMetaType<FileDescriptors>();
}

HelperClient::~HelperClient() = default;

void HelperClient::announceWindow(HelperAction action)
{
    if (!m_findParent)
        return;
    m_findParent([self = QPointer(this), action](const PromptParent &parent) {
        if (self)
            self->tellAgent(action, parent);
    });
}

void HelperClient::tellAgent(HelperAction action, const PromptParent &parent)
{
    if (!m_sessionBus)
        m_sessionBus = QDBusConnection::sessionBus();
    const std::pair<QString, QString> words[]{{u"setWindowHandleForAction"_s, parent.handle},
                                              {u"setActivationTokenForAction"_s, parent.activation}};
    for (const auto &[method, word] : words) {
        if (word.isEmpty())
            continue;
        QDBusMessage message = QDBusMessage::createMethodCall(u"org.kde.polkit-kde-authentication-agent-1"_s,
                                                              u"/org/kde/Polkit1AuthAgent"_s,
                                                              u"org.kde.Polkit1AuthAgent"_s, method);
        message << actionId(action) << word;
        // Other desktops have no such agent: then there is nobody to tell, and nobody is started for it.
        message.setAutoStartService(false);
        m_sessionBus->send(message);
    }
}

std::shared_ptr<CancelPipe> HelperClient::call(HelperAction action, const Request &request, const Done &done)
{
    ++m_running;
    const auto answerLater = [this, done](const CallResult &answer) {
        QTimer::singleShot(0, this, [this, done, answer] {
            --m_running;
            done(answer);
        });
        return std::make_shared<CancelPipe>(Descriptor());
    };

    if (!m_bus)
        m_bus = QDBusConnection::systemBus();
    if (!m_bus->isConnected())
        return answerLater(result(CallState::HelperMissing, u"no system bus"_s));
    auto pipe = makePipe();
    if (!pipe)
        return answerLater(
            result(CallState::HelperMissing, u"no pipe: "_s + QString::fromLocal8Bit(std::strerror(errno))));

    announceWindow(action);
    QDBusMessage message =
        QDBusMessage::createMethodCall(helperName, u"/"_s, u"org.kde.kf6auth"_s, u"performAction"_s);
    const FileDescriptors descriptors{{u"cancel"_s, QDBusUnixFileDescriptor(pipe->readEnd.get())}};
    message << actionId(action) << m_bus->baseService().toUtf8() << QVariantMap() << argumentsOf(request)
            << QVariant::fromValue(descriptors);

    auto writeEnd = std::make_shared<CancelPipe>(std::move(pipe->writeEnd));
    QElapsedTimer clock;
    clock.start();
    auto *watcher =
        new QDBusPendingCallWatcher(m_bus->asyncCall(message, std::numeric_limits<int>::max()), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this,
            [this, watcher, done, clock, writeEnd, id = request.id] {
                watcher->deleteLater();
                --m_running;
                const QDBusMessage reply = watcher->reply();
                CallResult answer =
                    reply.type() == QDBusMessage::ReplyMessage ? fromReply(reply, id) : fromError(reply);
                answer.agentMayBeMissing = answer.state == CallState::NotAuthorized &&
                                           answer.denial == Denial::Refused &&
                                           clock.durationElapsed() < fasterThanAPerson;
                done(answer);
            });
    return writeEnd;
}

} // namespace diskwright
