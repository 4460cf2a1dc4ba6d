// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/drivewords.h"

#include <QDateTime>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t now = 1'800'000'000;

health::DriveHealth warm(std::int64_t secondsAgo)
{
    health::DriveHealth health;
    health.state = health::DriveHealth::State::Known;
    health.celsius = 34.4;
    health.updated = now - secondsAgo;
    return health;
}

BlockNode diskOf(const char *name, std::uint64_t sequence)
{
    BlockNode disk;
    disk.name = name;
    disk.diskseq = sequence;
    return disk;
}

} // namespace

class TestDriveWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void aTemperatureOfNowIsShown()
    {
        QCOMPARE(driveWords(warm(60), now), u"34 °C"_s);
        QCOMPARE(driveWords(warm(7200), now), QString());
        QCOMPARE(driveWords({}, now), QString());
    }

    void aFailingDriveIsSaidWheneverItWasAsked()
    {
        health::DriveHealth health = warm(7200);
        health.failing = true;
        QVERIFY(driveWords(health, now).startsWith(u"⚠ "_s));
    }

    void isReadInAThreadAndForThisVeryDisk()
    {
        const QThread *window = QThread::currentThread();
        std::atomic<bool> elsewhere = false;
        const auto reader = [&](const BlockNode &) {
            elsewhere = QThread::currentThread() != window;
            health::DriveHealth health = warm(0);
            health.updated = QDateTime::currentSecsSinceEpoch();
            return health;
        };
        DriveWords words(reader, [] { return std::vector{diskOf("sda", 7)}; });
        QSignalSpy changed(&words, &DriveWords::changed);
        QCOMPARE(words.words(diskOf("sda", 7)), QString());
        words.start(0ms);
        QVERIFY(changed.wait());
        QVERIFY(elsewhere);
        QCOMPARE(words.words(diskOf("sda", 7)), u"34 °C"_s);
        QCOMPARE(words.words(diskOf("sda", 8)), QString());
    }
};

QTEST_GUILESS_MAIN(TestDriveWords)
#include "tst_drivewords.moc"
