// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/health/udisks.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <thread>

using namespace diskwright;
using namespace diskwright::health;
using namespace Qt::StringLiterals;

namespace {

BlockNode disk(const char *name, std::uint32_t major, std::uint32_t minor)
{
    BlockNode node;
    node.name = name;
    node.major = major;
    node.minor = minor;
    return node;
}

} // namespace

// Against a UDisks2 made of python-dbusmock on a bus of its own (udisksmock.py).
class TestUDisks : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_mock.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_mock.start(u"python3"_s, {QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/app/health/udisksmock.py")});
        QVERIFY(m_mock.waitForStarted());
        const QString address = line();
        QVERIFY2(address.startsWith(u"unix:"_s), qPrintable(address));
        m_bus = std::make_unique<QDBusConnection>(QDBusConnection::connectToBus(address, u"mock"_s));
        QVERIFY(m_bus->isConnected());
    }
    void cleanupTestCase()
    {
        m_bus.reset();
        QDBusConnection::disconnectFromBus(u"mock"_s);
        m_mock.closeWriteChannel();
        QVERIFY(m_mock.waitForFinished());
    }
    void pathsOfDisks()
    {
        QCOMPARE(udisksPath("sda"), u"/org/freedesktop/UDisks2/block_devices/sda"_s);
        QCOMPARE(udisksPath("dm-0"), u"/org/freedesktop/UDisks2/block_devices/dm_2d0"_s);
        QCOMPARE(udisksPath("cciss!c0d0"), u"/org/freedesktop/UDisks2/block_devices/cciss_21c0d0"_s);
    }
    void anAtaDrive()
    {
        const DriveHealth drive = readDriveHealth(*m_bus, disk("sda", 8, 0));
        QCOMPARE(drive.state, DriveHealth::State::Known);
        QVERIFY(drive.hasSmart);
        QCOMPARE(drive.updated, std::optional<std::int64_t>(1'790'000'000));
        QCOMPARE(drive.failing, std::optional(true));
        QCOMPARE(drive.badSectors, std::optional<std::int64_t>(24));
        QCOMPARE(drive.failingAttributes, std::optional<std::int64_t>(1));
        QCOMPARE(drive.selftest, std::optional<std::string>("error_read"));
        QCOMPARE(drive.rotationRate, std::optional<std::int64_t>(7200));
        QVERIFY(drive.celsius && qAbs(*drive.celsius - 37) < 0.01);
    }
    void anNvmeDrive()
    {
        const DriveHealth drive = readDriveHealth(*m_bus, disk("nvme0n1", 259, 0));
        QCOMPARE(drive.state, DriveHealth::State::Known);
        QCOMPARE(drive.criticalWarnings, (std::vector<std::string>{"spare", "degraded"}));
        QVERIFY(drive.celsius && qAbs(*drive.celsius - 44.85) < 0.01);
        QVERIFY(!drive.rotationRate);
    }
    void aDriveThatReportsNothing()
    {
        const DriveHealth drive = readDriveHealth(*m_bus, disk("sdb", 8, 16));
        QCOMPARE(drive.state, DriveHealth::State::Known);
        QVERIFY(!drive.hasSmart && !drive.updated && !drive.failing && !drive.celsius && !drive.rotationRate);
    }
    void valuesOfTheWrongTypeAreUnknown()
    {
        const DriveHealth drive = readDriveHealth(*m_bus, disk("sdc", 8, 32));
        QCOMPARE(drive.state, DriveHealth::State::Known);
        QVERIFY(!drive.hasSmart && !drive.updated && !drive.failing && !drive.badSectors && !drive.celsius);
    }
    void anotherDeviceByThatNameIsNotBelieved()
    {
        QCOMPARE(readDriveHealth(*m_bus, disk("sda", 8, 64)).state, DriveHealth::State::NotListed);
        QCOMPARE(readDriveHealth(*m_bus, disk("sdz", 65, 0)).state, DriveHealth::State::NotListed);
        QCOMPARE(readDriveHealth(*m_bus, disk("dm-0", 254, 0)).state, DriveHealth::State::NotListed);
    }
    void fromAnotherThread()
    {
        DriveHealth drive;
        std::thread([&] { drive = readDriveHealth(*m_bus, disk("sda", 8, 0)); }).join();
        QCOMPARE(drive.failing, std::optional(true));
    }
    void aServiceThatHangsIsNotWaitedFor()
    {
        tell("hang");
        QElapsedTimer timer;
        timer.start();
        const DriveHealth drive = readDriveHealth(*m_bus, disk("sda", 8, 0), std::chrono::milliseconds(300));
        QVERIFY(timer.elapsed() < 1500);
        QCOMPARE(drive.state, DriveHealth::State::NoAnswer);
        tell("go");
        QCOMPARE(readDriveHealth(*m_bus, disk("sda", 8, 0)).state, DriveHealth::State::Known);
    }
    void aServiceThatDoesNotRunIsNotStarted()
    {
        tell("end");
        QCOMPARE(readDriveHealth(*m_bus, disk("sda", 8, 0)).state, DriveHealth::State::NotRunning);
        const QDBusConnection none = QDBusConnection::connectToBus(u"unix:path=/nowhere/at/all"_s, u"none"_s);
        QCOMPARE(readDriveHealth(none, disk("sda", 8, 0)).state, DriveHealth::State::NotRunning);
    }

private:
    QString line()
    {
        while (!m_mock.canReadLine()) {
            if (!m_mock.waitForReadyRead(60'000))
                return {};
        }
        return QString::fromUtf8(m_mock.readLine()).trimmed();
    }
    void tell(const char *word)
    {
        m_mock.write(QByteArray(word) + '\n');
        QCOMPARE(line(), u"done"_s);
    }
    QProcess m_mock;
    std::unique_ptr<QDBusConnection> m_bus;
};

QTEST_GUILESS_MAIN(TestUDisks)
#include "tst_udisks.moc"
