// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "udisks.h"

#include "app/disks/names.h"

#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusPendingCall>
#include <QDBusPendingReply>
#include <QVariantMap>

#include <cmath>
#include <sys/sysmacros.h>

using namespace Qt::StringLiterals;

namespace diskwright::health {

namespace {

const QString service = u"org.freedesktop.UDisks2"_s;

class Reader final
{
public:
    Reader(const QDBusConnection &bus, std::chrono::milliseconds time)
        : m_bus(bus)
        , m_time(time)
    {
    }

    /// Null on an error; isSilent() tells whether it was none in time.
    std::optional<QVariantMap> all(const QString &object, const QString &interface)
    {
        QDBusMessage call = QDBusMessage::createMethodCall(service, object,
                                                           u"org.freedesktop.DBus.Properties"_s, u"GetAll"_s);
        call << interface;
        const QDBusMessage reply = ask(call);
        if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty())
            return std::nullopt;
        return qdbus_cast<QVariantMap>(reply.arguments().constFirst());
    }

    bool isRunning()
    {
        QDBusMessage call =
            QDBusMessage::createMethodCall(u"org.freedesktop.DBus"_s, u"/org/freedesktop/DBus"_s,
                                           u"org.freedesktop.DBus"_s, u"NameHasOwner"_s);
        call << service;
        const QDBusMessage reply = ask(call);
        return reply.type() == QDBusMessage::ReplyMessage && reply.arguments().value(0).toBool();
    }

    [[nodiscard]] bool isSilent() const noexcept { return m_isSilent; }

private:
    QDBusMessage ask(QDBusMessage &call)
    {
        // It may end between two calls; it is not started again for us.
        call.setAutoStartService(false);
        QDBusPendingCall pending = m_bus.asyncCall(call, static_cast<int>(m_time.count()));
        pending.waitForFinished();
        const QDBusMessage reply = pending.reply();
        const QString error = reply.errorName();
        m_isSilent |= error == "org.freedesktop.DBus.Error.NoReply"_L1 ||
                      error == "org.freedesktop.DBus.Error.Timeout"_L1 ||
                      error == "org.freedesktop.DBus.Error.TimedOut"_L1;
        return reply;
    }

    QDBusConnection m_bus;
    std::chrono::milliseconds m_time;
    bool m_isSilent = false;
};

std::optional<std::int64_t> integer(const QVariantMap &properties, const QString &name)
{
    bool fits = false;
    const qlonglong value = properties.value(name).toLongLong(&fits);
    return fits ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<bool> boolean(const QVariantMap &properties, const QString &name)
{
    const QVariant value = properties.value(name);
    return value.typeId() == QMetaType::Bool ? std::optional(value.toBool()) : std::nullopt;
}

std::optional<std::string> word(const QVariantMap &properties, const QString &name)
{
    std::string text = cleanText(properties.value(name).toString().left(64).toStdString());
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

/// Kelvin, 0 for unknown.
std::optional<double> celsius(const QVariantMap &properties)
{
    bool fits = false;
    const double kelvin = properties.value(u"SmartTemperature"_s).toDouble(&fits);
    if (!fits || !std::isfinite(kelvin) || kelvin < 200 || kelvin > 500)
        return std::nullopt;
    return kelvin - 273.15;
}

void takeAta(const QVariantMap &ata, DriveHealth &health)
{
    health.hasSmart =
        boolean(ata, u"SmartSupported"_s).value_or(false) && boolean(ata, u"SmartEnabled"_s).value_or(false);
    health.updated = integer(ata, u"SmartUpdated"_s);
    health.failing = boolean(ata, u"SmartFailing"_s);
    health.badSectors = integer(ata, u"SmartNumBadSectors"_s);
    health.failingAttributes = integer(ata, u"SmartNumAttributesFailing"_s);
    health.selftest = word(ata, u"SmartSelftestStatus"_s);
    health.celsius = celsius(ata);
}

void takeNvme(const QVariantMap &nvme, DriveHealth &health)
{
    health.hasSmart = true;
    health.updated = integer(nvme, u"SmartUpdated"_s);
    health.selftest = word(nvme, u"SmartSelftestStatus"_s);
    health.celsius = celsius(nvme);
    const QStringList warnings = qdbus_cast<QStringList>(nvme.value(u"SmartCriticalWarning"_s));
    for (const QString &warning : warnings.first(std::min<qsizetype>(warnings.size(), 8)))
        health.criticalWarnings.push_back(cleanText(warning.left(64).toStdString()));
}

void takeDrive(Reader &reader, DriveHealth &health)
{
    const QString object = QString::fromStdString(health.object);
    if (const auto drive = reader.all(object, u"org.freedesktop.UDisks2.Drive"_s)) {
        // -1: it rotates, nobody knows how fast; 0: it does not; a drive that says nothing has 0 too.
        const auto rate = integer(*drive, u"RotationRate"_s);
        if (rate && *rate > 0)
            health.rotationRate = rate;
    }
    if (reader.isSilent())
        return;
    const auto ata = reader.all(object, u"org.freedesktop.UDisks2.Drive.Ata"_s);
    if (ata && !ata->isEmpty())
        takeAta(*ata, health);
    if (reader.isSilent() || health.hasSmart)
        return;
    const auto nvme = reader.all(object, u"org.freedesktop.UDisks2.NVMe.Controller"_s);
    if (nvme && !nvme->isEmpty())
        takeNvme(*nvme, health);
}

} // namespace

QString udisksPath(std::string_view kernelName)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string path = "/org/freedesktop/UDisks2/block_devices/";
    for (const char c : kernelName) {
        const bool isPlain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (isPlain) {
            path += c;
        } else {
            const auto byte = static_cast<std::uint8_t>(c);
            path += '_';
            path += digits[byte >> 4];
            path += digits[byte & 15];
        }
    }
    return QString::fromStdString(path);
}

DriveHealth readDriveHealth(const QDBusConnection &bus, const BlockNode &disk, std::chrono::milliseconds time)
{
    DriveHealth health;
    health.state = DriveHealth::State::NotRunning;
    if (!bus.isConnected())
        return health;
    Reader reader(bus, time);
    if (!reader.isRunning()) {
        health.state = reader.isSilent() ? DriveHealth::State::NoAnswer : DriveHealth::State::NotRunning;
        return health;
    }
    health.state = DriveHealth::State::NotListed;
    const auto block = reader.all(udisksPath(disk.name), u"org.freedesktop.UDisks2.Block"_s);
    if (reader.isSilent()) {
        health.state = DriveHealth::State::NoAnswer;
        return health;
    }
    if (!block ||
        integer(*block, u"DeviceNumber"_s) != static_cast<std::int64_t>(makedev(disk.major, disk.minor)))
        return health;
    health.object = qdbus_cast<QDBusObjectPath>(block->value(u"Drive"_s)).path().toStdString();
    if (!health.object.starts_with("/org/freedesktop/UDisks2/drives/"))
        return health;
    takeDrive(reader, health);
    health.state = reader.isSilent() ? DriveHealth::State::NoAnswer : DriveHealth::State::Known;
    if (health.updated == 0)
        health.updated.reset();
    return health;
}

} // namespace diskwright::health
