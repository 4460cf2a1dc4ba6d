// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "deadlinestarter.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusUnixFileDescriptor>
#include <QDBusVariant>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace diskwright {

// org.freedesktop.systemd1.Manager.StartTransientUnit(ssa(sv)a(sa(sv))).
struct UnitProperty {
    QString name;
    QDBusVariant value;
};
struct AuxiliaryUnit {
    QString name;
    QList<UnitProperty> properties;
};
struct UnitCommand {
    QString path;
    QStringList arguments;
    bool ignoreFailure = false;
};

QDBusArgument &operator<<(QDBusArgument &out, const UnitProperty &property)
{
    out.beginStructure();
    out << property.name << property.value;
    out.endStructure();
    return out;
}
QDBusArgument &operator<<(QDBusArgument &out, const AuxiliaryUnit &unit)
{
    out.beginStructure();
    out << unit.name << unit.properties;
    out.endStructure();
    return out;
}
QDBusArgument &operator<<(QDBusArgument &out, const UnitCommand &command)
{
    out.beginStructure();
    out << command.path << command.arguments << command.ignoreFailure;
    out.endStructure();
    return out;
}
// Registration asks for readers too, of this shape; nothing of this is ever received.
// NOLINTBEGIN(bugprone-return-const-ref-from-parameter)
const QDBusArgument &operator>>(const QDBusArgument &in, UnitProperty &)
{
    return in;
}
const QDBusArgument &operator>>(const QDBusArgument &in, AuxiliaryUnit &)
{
    return in;
}
const QDBusArgument &operator>>(const QDBusArgument &in, UnitCommand &)
{
    return in;
}
// NOLINTEND(bugprone-return-const-ref-from-parameter)

namespace {

using namespace Qt::StringLiterals;

constexpr const char *program = DISKWRIGHT_LIBEXEC "/diskwright-boot";

Result<> viaSystemd(const QString &transaction, std::uint64_t afterNanoseconds, int pipe)
{
    qDBusRegisterMetaType<UnitProperty>();
    qDBusRegisterMetaType<QList<UnitProperty>>();
    qDBusRegisterMetaType<AuxiliaryUnit>();
    qDBusRegisterMetaType<QList<AuxiliaryUnit>>();
    qDBusRegisterMetaType<UnitCommand>();
    qDBusRegisterMetaType<QList<UnitCommand>>();
    const auto property = [](const QString &name, const QVariant &value) {
        return UnitProperty{name, QDBusVariant(value)};
    };
    const QString unit = u"diskwright-deadline-"_s + transaction;
    const QList<UnitCommand> command{
        {QLatin1String(program), {QLatin1String(program), u"deadline"_s, transaction}, false}};
    QList<UnitProperty> service{property(u"Description"_s, u"Diskwright: put a change back"_s),
                                property(u"ExecStart"_s, QVariant::fromValue(command)),
                                // Killed or out of memory, it begins again; what it does may be repeated.
                                property(u"Restart"_s, u"on-failure"_s),
                                property(u"RestartUSec"_s, quint64{1'000'000}),
                                // However often it could not, it tries again.
                                property(u"StartLimitIntervalUSec"_s, quint64{0})};
    auto call =
        QDBusMessage::createMethodCall(u"org.freedesktop.systemd1"_s, u"/org/freedesktop/systemd1"_s,
                                       u"org.freedesktop.systemd1.Manager"_s, u"StartTransientUnit"_s);
    if (pipe >= 0) {
        // It lives as long as the lease and waits for the end of the pipe or the deadline.
        service += property(u"Type"_s, u"exec"_s);
        service +=
            property(u"StandardInputFileDescriptor"_s, QVariant::fromValue(QDBusUnixFileDescriptor(pipe)));
        call << QString(unit + u".service") << u"fail"_s << QVariant::fromValue(service)
             << QVariant::fromValue(QList<AuxiliaryUnit>{});
    } else {
        service += property(u"Type"_s, u"oneshot"_s);
        const QList<UnitProperty> timer{property(u"Description"_s, u"Diskwright: deadline of a trial"_s),
                                        property(u"RemainAfterElapse"_s, false),
                                        property(u"AccuracyUSec"_s, quint64{1000}),
                                        // Microseconds, in spite of the name.
                                        property(u"OnActiveSec"_s, quint64{afterNanoseconds / 1000})};
        call << QString(unit + u".timer") << u"fail"_s << QVariant::fromValue(timer)
             << QVariant::fromValue(QList<AuxiliaryUnit>{{unit + u".service", service}});
    }
    constexpr int timeoutMilliseconds = 10'000;
    const QDBusMessage reply = QDBusConnection::systemBus().call(call, QDBus::Block, timeoutMilliseconds);
    if (reply.type() != QDBusMessage::ReplyMessage)
        return fail(Errc::Internal, "systemd", printable(reply.errorMessage().toStdString()));
    return {};
}

Result<> viaProcess(const std::string &transaction, int pipe)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    posix_spawn_file_actions_init(&actions);
    if (pipe >= 0)
        posix_spawn_file_actions_adddup2(&actions, pipe, STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    std::string id = transaction;
    std::string path = program;
    std::string verb = "deadline";
    std::string locale = "LC_ALL=C";
    const std::array<char *, 4> arguments{path.data(), verb.data(), id.data(), nullptr};
    const std::array<char *, 2> environment{locale.data(), nullptr};
    pid_t child = 0;
    const int number =
        posix_spawn(&child, program, &actions, &attributes, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (number != 0)
        return fail(Errc::Internal, program, std::strerror(number), {}, number);
    return {};
}

} // namespace

Result<> DeadlineStarter::start(const std::string &transaction, std::uint64_t afterNanoseconds, int pipe)
{
    // sd_booted(3).
    if (access("/run/systemd/system/", F_OK) == 0)
        return viaSystemd(QString::fromStdString(transaction), afterNanoseconds, pipe);
    return viaProcess(transaction, pipe);
}

} // namespace diskwright

Q_DECLARE_METATYPE(diskwright::UnitProperty)
Q_DECLARE_METATYPE(diskwright::AuxiliaryUnit)
Q_DECLARE_METATYPE(diskwright::UnitCommand)
