// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engineprocess.h"
#include "app/bench/measurement.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <sys/stat.h>
#include <sys/types.h>

using namespace diskwright;
using namespace diskwright::bench;

namespace {

/// A lease that is given and ended at once.
class WillingLease final : public LeaseHolder
{
    Q_OBJECT

public:
    void begin(const std::vector<State> &, std::size_t, std::chrono::seconds) override
    {
        later([this] { Q_EMIT began(); });
    }
    void switchTo(std::size_t state) override
    {
        later([this, state] { Q_EMIT switched(state, {number(state == 0 ? 128 : 4096)}); });
    }
    void end() override
    {
        later([this] {
            Q_EMIT over(LeaseEnd::PutBack, {.code = Errc::None, .input = {}, .reason = {}, .accepted = {}});
        });
    }
    void stay(std::size_t) override { end(); }

private:
    void later(std::function<void()> what)
    {
        QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
    }
};

} // namespace

// An engine that hangs with its disk: nothing may wait for it.
class EngineProcessTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    pid_t m_hung = 0;

    /// An engine that prepares, and from then on neither answers nor ends with its input.
    QString hungEngine()
    {
        QString path = m_folder->filePath(QStringLiteral("engine"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(
            "#!/bin/sh\necho $$ >\"${0%/*}/pid\"\n"
            "echo '{\"event\":\"prepared\",\"direct_alignment_bytes\":512}'\nexec sleep 600 </dev/null\n");
        file.close();
        chmod(QFile::encodeName(path).constData(), 0755);
        return path;
    }
    /// As a process in uninterruptible sleep takes it.
    static void cannotKill(QProcess &) {}

    void notePid()
    {
        QFile file(m_folder->filePath(QStringLiteral("pid")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_hung = file.readAll().trimmed().toInt();
        QVERIFY(m_hung > 1);
    }
    bool isRunning() const
    {
        QFile file(QStringLiteral("/proc/%1/stat").arg(m_hung));
        return file.open(QIODevice::ReadOnly) && !file.readAll().contains(") Z ");
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>(QStringLiteral(WORK_FOLDER "/process-XXXXXX"));
        QVERIFY(m_folder->isValid());
        m_hung = 0;
    }
    void cleanup()
    {
        if (m_hung <= 1)
            return;
        ::kill(m_hung, SIGKILL);
        // What was left to itself goes as soon as it can.
        QVERIFY(QTest::qWaitFor([this] { return ::kill(m_hung, 0) != 0 && errno == ESRCH; },
                                QDeadlineTimer(10'000)));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    void aCancelIsAnsweredThoughItDoesNotEnd()
    {
        {
            EngineProcess engine(hungEngine(), nullptr, cannotKill);
            QSignalSpy prepared(&engine, &EngineProcess::prepared),
                cancelled(&engine, &EngineProcess::cancelled), failed(&engine, &EngineProcess::failed);
            engine.prepare({}, 1024 * 1024);
            QVERIFY(prepared.wait(30'000));
            QCOMPARE(engine.directAlignment(), std::optional<quint64>(512));
            notePid();
            engine.makeRound(allTests()[0], 1000, 1);
            engine.cancel();
            engine.cancel();
            QVERIFY(cancelled.wait(10'000));
            QVERIFY(isRunning());
            QCOMPARE(cancelled.size(), 1);
            QVERIFY(failed.isEmpty());
        }
        // Had the destructor waited for it, it would have killed it in the end.
        QVERIFY(isRunning());
    }

    void destroyingItDoesNotWait()
    {
        {
            EngineProcess engine(hungEngine(), nullptr, cannotKill);
            QSignalSpy prepared(&engine, &EngineProcess::prepared);
            engine.prepare({}, 1024 * 1024);
            QVERIFY(prepared.wait(30'000));
            notePid();
        }
        QVERIFY(!awaitEngines(std::chrono::milliseconds(50)));
        QVERIFY(isRunning());
    }

    void destroyingItKillsWhatCanBeKilled()
    {
        {
            EngineProcess engine(hungEngine());
            QSignalSpy prepared(&engine, &EngineProcess::prepared);
            engine.prepare({}, 1024 * 1024);
            QVERIFY(prepared.wait(30'000));
            notePid();
        }
        // Who unmounts its disk now does not find it busy.
        QVERIFY(awaitEngines(std::chrono::seconds(30)));
        QVERIFY(!isRunning());
    }

    void aMeasurementPutsBackThoughTheDiskHangs()
    {
        const auto readAhead = [](std::int64_t kibibytes) {
            return State{{.address = {.domain = Domain::Queue, .target = "sda", .key = "read_ahead_kb"},
                          .value = number(kibibytes)}};
        };
        WillingLease lease;
        {
            Measurement measurement(lease,
                                    std::make_unique<EngineProcess>(hungEngine(), nullptr, cannotKill));
            QSignalSpy began(&lease, &LeaseHolder::began), finished(&measurement, &Measurement::finished);
            measurement.start({.now = readAhead(128),
                               .wanted = readAhead(4096),
                               .test = *findTest(QStringLiteral("seq1m-q1t1-read")),
                               .target = {},
                               .settleMilliseconds = 0});
            QVERIFY(began.wait(30'000));
            notePid();
            QTest::qWait(100); // into the first round, whose length does not matter
            measurement.cancel();
            QVERIFY(!finished.isEmpty() || finished.wait(10'000));
            QCOMPARE(finished[0][0].value<MeasureResult>().end, LeaseEnd::PutBack);
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(isRunning());
    }
};

QTEST_GUILESS_MAIN(EngineProcessTest)
#include "tst_engineprocess.moc"
