// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakehelper.h"

#include "helper/wire/reportcodec.h"
#include "helper/wire/requestcodec.h"

#include <QDBusMetaType>
#include <QDataStream>
#include <QIODevice>

#include <poll.h>

using namespace Qt::StringLiterals;

namespace diskwright::test {

PrivateBus::PrivateBus()
{
    m_daemon.setProcessChannelMode(QProcess::SeparateChannels);
    m_daemon.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address"_s});
    if (!m_daemon.waitForStarted() || !m_daemon.waitForReadyRead(10000))
        qFatal("no dbus-daemon");
    m_address = QString::fromLatin1(m_daemon.readLine()).trimmed();
}

PrivateBus::~PrivateBus()
{
    kill();
}

QDBusConnection PrivateBus::connect() const
{
    static int number = 0;
    return QDBusConnection::connectToBus(m_address, u"private%1"_s.arg(++number));
}

void PrivateBus::kill()
{
    m_daemon.kill();
    m_daemon.waitForFinished();
}

QByteArray kauthReply(const QVariantMap &data, int errorCode, unsigned type, const QString &words)
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << data << qint32{errorCode} << quint32{type} << words;
    return bytes;
}

QByteArray success(const Report &report)
{
    return kauthReply({{u"report"_s, encode(report)}}, 0, 2);
}

FakeHelper::FakeHelper(QDBusConnection connection)
    : m_connection(std::move(connection))
{
    qDBusRegisterMetaType<FakeDescriptors>();
    m_connection.registerObject(u"/"_s, this,
                                QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals);
    if (!m_connection.registerService(u"org.diskwright.helper"_s))
        qFatal("the helper's name is taken");
}

FakeHelper::~FakeHelper()
{
    m_connection.unregisterService(u"org.diskwright.helper"_s);
    m_connection.unregisterObject(u"/"_s);
}

QByteArray FakeHelper::performAction(const QString &action, const QByteArray &callerId,
                                     const QVariantMap &details, const QByteArray &arguments,
                                     const FakeDescriptors &descriptors)
{
    Call call{action, message().signature(), callerId, details, {}, descriptors, std::nullopt};
    QDataStream stream(arguments);
    stream >> call.arguments;
    if (const auto request = decodeRequest(call.arguments.value(u"request"_s).toByteArray()))
        call.request = *request;
    m_calls.push_back(call);
    const auto bytes = m_script ? m_script(call) : std::nullopt;
    if (bytes)
        return *bytes;
    setDelayedReply(true);
    m_open.push_back(message());
    return {};
}

void FakeHelper::answer(const QByteArray &bytes)
{
    m_connection.send(m_open.front().createReply(bytes));
    m_open.erase(m_open.begin());
}

void FakeHelper::answerError(const QString &name)
{
    m_connection.send(m_open.front().createErrorReply(name, u"by the test"_s));
    m_open.erase(m_open.begin());
}

void FakeHelper::broadcast(int type, const QString &action, const QByteArray &blob)
{
    Q_EMIT remoteSignal(type, action, blob);
}

bool isAtEnd(int readEnd)
{
    pollfd poll{readEnd, POLLIN, 0};
    return ::poll(&poll, 1, 0) == 1 && (poll.revents & POLLHUP) != 0;
}

} // namespace diskwright::test
