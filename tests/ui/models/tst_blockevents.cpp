// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/blockevents.h"

#include <QLibrary>
#include <QSignalSpy>
#include <QTest>

using namespace diskwright::ui;

/// The few functions of umockdev's library that are needed; its headers are not.
class MockDevices
{
public:
    MockDevices()
    {
        QLibrary library(QStringLiteral("umockdev"), 0);
        const auto make = reinterpret_cast<void *(*)()>(library.resolve("umockdev_testbed_new"));
        m_add = reinterpret_cast<Add>(library.resolve("umockdev_testbed_add_devicev"));
        m_event = reinterpret_cast<Event>(library.resolve("umockdev_testbed_uevent"));
        m_forget = reinterpret_cast<void (*)(void *)>(library.resolve("g_object_unref"));
        if (!make || !m_add || !m_event || !m_forget)
            qFatal("umockdev: %s", qPrintable(library.errorString()));
        m_bed = make();
    }
    ~MockDevices() { m_forget(m_bed); }
    Q_DISABLE_COPY_MOVE(MockDevices)

    /// The device's path in sysfs.
    QByteArray add(const char *subsystem, const char *name)
    {
        const char *none[] = {nullptr};
        char *path = m_add(m_bed, subsystem, name, nullptr, none, none);
        const QByteArray copy(path);
        free(path);
        return copy;
    }
    void say(const QByteArray &path, const char *action) { m_event(m_bed, path.constData(), action); }

private:
    using Add = char *(*)(void *, const char *, const char *, const char *, const char **, const char **);
    using Event = void (*)(void *, const char *, const char *);
    void *m_bed = nullptr;
    Add m_add = nullptr;
    Event m_event = nullptr;
    void (*m_forget)(void *) = nullptr;
};

class TestBlockEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBurstIsOneSignal()
    {
        MockDevices devices;
        const QByteArray disk = devices.add("block", "sdx");
        BlockEvents events;
        QVERIFY(events.isListening());
        QSignalSpy changed(&events, &BlockEvents::changed);
        // No more than a socket takes before it is read (net.unix.max_dgram_qlen).
        for (int i = 0; i < 8; ++i)
            devices.say(disk, i % 2 == 0 ? "change" : "add");
        QVERIFY(changed.wait());
        QCOMPARE(changed.count(), 1);
        devices.say(disk, "remove");
        QVERIFY(changed.wait());
        QCOMPARE(changed.count(), 2);
    }

    void onlyBlockDevicesCount()
    {
        MockDevices devices;
        const QByteArray mouse = devices.add("input", "input7");
        const QByteArray disk = devices.add("block", "sdy");
        BlockEvents events;
        QSignalSpy changed(&events, &BlockEvents::changed);
        devices.say(mouse, "add");
        QTest::qWait(3 * BlockEvents::gatherMilliseconds);
        QCOMPARE(changed.count(), 0);
        devices.say(disk, "add");
        QVERIFY(changed.wait());
    }
};

QTEST_GUILESS_MAIN(TestBlockEvents)
#include "tst_blockevents.moc"
