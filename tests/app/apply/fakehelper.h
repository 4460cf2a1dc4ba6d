// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/report.h"
#include "helper/contract/request.h"

#include <QByteArray>
#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QMap>
#include <QObject>
#include <QProcess>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

using FakeDescriptors = QMap<QString, QDBusUnixFileDescriptor>;
Q_DECLARE_METATYPE(FakeDescriptors)

namespace diskwright::test {

/// A bus of the test's own.
class PrivateBus
{
public:
    PrivateBus();
    ~PrivateBus();

    /// A new connection each time.
    [[nodiscard]] QDBusConnection connect() const;
    void kill();

private:
    QProcess m_daemon;
    QString m_address;
};

/// What KAuth's helper side would write: map, error code, type (0 KAuth's error, 1 the helper's, 2 success),
/// words.
[[nodiscard]] QByteArray kauthReply(const QVariantMap &data, int errorCode, unsigned type,
                                    const QString &words = {});
[[nodiscard]] QByteArray success(const Report &report);

/// Sits where the helper would and answers what a test tells it to.
class FakeHelper : public QObject, protected QDBusContext
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.kde.kf6auth")

public:
    struct Call {
        QString action;
        QString signature;
        QByteArray callerId;
        QVariantMap details;
        QVariantMap arguments;
        FakeDescriptors descriptors;
        std::optional<Request> request;
    };
    /// The reply's bytes; nullopt: no reply now (answer() later or never).
    using Script = std::function<std::optional<QByteArray>(const Call &)>;

    explicit FakeHelper(QDBusConnection connection);
    ~FakeHelper() override;

    void setScript(Script script) { m_script = std::move(script); }
    [[nodiscard]] const std::vector<Call> &calls() const { return m_calls; }
    [[nodiscard]] QDBusConnection connection() const { return m_connection; }
    /// Answers the oldest call that was left without a reply.
    void answer(const QByteArray &bytes);
    void answerError(const QString &name);
    /// As KAuth does: to everybody.
    void broadcast(int type, const QString &action, const QByteArray &blob);

public Q_SLOTS:
    QByteArray performAction(const QString &action, const QByteArray &callerId, const QVariantMap &details,
                             const QByteArray &arguments, const FakeDescriptors &descriptors);

Q_SIGNALS:
    void remoteSignal(int type, const QString &action, const QByteArray &blob);

private:
    QDBusConnection m_connection;
    Script m_script;
    std::vector<Call> m_calls;
    std::vector<QDBusMessage> m_open;
};

/// Whether the other end of the pipe is closed.
[[nodiscard]] bool isAtEnd(int readEnd);

} // namespace diskwright::test
