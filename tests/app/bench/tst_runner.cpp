// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engineprocess.h"
#include "app/bench/report.h"
#include "app/bench/runner.h"

#include <QDir>
#include <QJsonArray>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace diskwright;
using namespace diskwright::bench;

namespace {

/// Makes no rounds and keeps what it was asked for; the engine gets the seed without its lowest bit.
class SeedKeeper final : public RoundSource
{
    Q_OBJECT

public:
    void prepare(const Target &, quint64) override { Q_EMIT prepared(); }
    void makeRound(const TestSpec &, int, quint64 seed) override
    {
        seeds->append(seed >> 1);
        QMetaObject::invokeMethod(this, [this] { Q_EMIT roundDone(Round{}); }, Qt::QueuedConnection);
    }
    void cancel() override {}

    QList<quint64> *seeds = nullptr;
};

} // namespace

class RunnerTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    Target m_target;

    bool folderIsEmpty() const
    {
        return QDir(m_folder->path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }
    static RunOptions options()
    {
        return {.sizeBytes = 16 * 1024 * 1024,
                .rounds = 2,
                .milliseconds = 200,
                .name = QStringLiteral("before")};
    }
    static TestSpec test(const char *id) { return *findTest(QString::fromLatin1(id)); }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>(QStringLiteral(WORK_FOLDER "/runner-XXXXXX"));
        const auto target = resolveTarget(m_folder->path(), scanDisks(SystemRoot::live().value()).value());
        QVERIFY(target.has_value());
        m_target = *target;
    }

    void runsEveryTest_data()
    {
        QTest::addColumn<QString>("id");
        for (const TestSpec &spec : allTests())
            QTest::newRow(spec.id) << QString::fromLatin1(spec.id);
    }
    void runsEveryTest()
    {
        QFETCH(QString, id);
        Runner runner(std::make_unique<EngineProcess>(QStringLiteral(ENGINE_PATH)));
        QSignalSpy finished(&runner, &Runner::finished), failed(&runner, &Runner::failed),
            slotSpy(&runner, &Runner::slotDone);
        runner.start(*findTest(id), m_target, options());
        QVERIFY2(finished.wait(30'000),
                 failed.isEmpty() ? "no end" : qPrintable(errorText(failed[0][0].value<Error>())));
        const auto result = finished[0][0].value<RunResult>();
        QCOMPARE(result.test, id);
        QCOMPARE(result.name, QStringLiteral("before"));
        QCOMPARE(result.rounds.size(), 2);
        QVERIFY(result.rounds[0].ios > 0);
        QVERIFY(!slotSpy.isEmpty());
        // What nobody could check is marked: the build folder may lie on no disk that is known.
        QCOMPARE(result.rounds[0].disturbed.contains(QStringLiteral("device-unknown")),
                 m_target.disks.isEmpty());
        QCOMPARE(result.rounds[1].timeline.size(), 2);
        quint64 bytes = 0;
        for (const Slot &slot : result.rounds[1].timeline)
            bytes += slot.bytes;
        QCOMPARE(bytes, result.rounds[1].bytes);
        const QJsonObject document = result.toJson();
        for (const char *key : {"run", "test", "target", "stack", "engine", "direct", "bytes", "seconds",
                                "throughput_bytes_per_s", "iops", "latency_ns", "cpu_ns_per_io", "rounds",
                                "estimate", "disturbed", "settings"})
            QVERIFY2(document.contains(QString::fromLatin1(key)), key);
        QCOMPARE(document[u"run"].toString().size(), 32);
        QVERIFY(document[u"throughput_bytes_per_s"].toDouble() > 0);
        QVERIFY(document[u"stack"].toString().startsWith(QStringLiteral("file → ")));
        QVERIFY(!runText(result).isEmpty());
        QVERIFY(folderIsEmpty());
    }

    void aStalledRoundIsNotLeftOut()
    {
        RunResult result;
        Round read;
        read.bytes = 100;
        read.ios = 1;
        read.seconds = 1;
        result.rounds = {read, Round{}};
        result.rounds[1].disturbed << QStringLiteral("stalled");
        QCOMPARE(result.estimate()->low, 0.0);
        QCOMPARE(result.estimate()->value, 50.0);
    }

    void everyRoundReadsOtherPlaces()
    {
        auto source = std::make_unique<SeedKeeper>();
        QList<quint64> seeds;
        source->seeds = &seeds;
        Runner runner(std::move(source));
        QSignalSpy finished(&runner, &Runner::finished);
        RunOptions with = options();
        with.rounds = 20;
        runner.start(test("rnd4k-q32t1-read"), m_target, with);
        QVERIFY(!finished.isEmpty() || finished.wait());
        QCOMPARE(seeds.size(), 20);
        QCOMPARE(QSet<quint64>(seeds.begin(), seeds.end()).size(), 20);
    }

    void cancelEndsItOnceAndLeavesNothing_data()
    {
        QTest::addColumn<bool>("whileReading");
        QTest::newRow("writing") << false;
        QTest::newRow("reading") << true;
    }
    void cancelEndsItOnceAndLeavesNothing()
    {
        QFETCH(bool, whileReading);
        Runner runner(std::make_unique<EngineProcess>(QStringLiteral(ENGINE_PATH)));
        QSignalSpy finished(&runner, &Runner::finished), failed(&runner, &Runner::failed),
            cancelled(&runner, &Runner::cancelled);
        RunOptions with = options();
        with.sizeBytes = whileReading ? with.sizeBytes : 1024 * 1024 * 1024;
        with.milliseconds = 60'000;
        QSignalSpy begun(&runner, whileReading ? QMetaMethod::fromSignal(&Runner::slotDone)
                                               : QMetaMethod::fromSignal(&Runner::preparing));
        runner.start(test("rnd4k-q32t1-read"), m_target, with);
        QVERIFY(begun.wait(30'000));
        runner.cancel();
        runner.cancel();
        QVERIFY(cancelled.wait(10'000));
        QCoreApplication::processEvents();
        QCOMPARE(cancelled.size(), 1);
        QCOMPARE(finished.size() + failed.size(), 0);
        QVERIFY(folderIsEmpty());
    }

    void destroyingItLeavesNothing()
    {
        {
            Runner runner(std::make_unique<EngineProcess>(QStringLiteral(ENGINE_PATH)));
            QSignalSpy begun(&runner, &Runner::slotDone);
            RunOptions with = options();
            with.milliseconds = 60'000;
            runner.start(test("seq1m-q1t1-read"), m_target, with);
            QVERIFY(begun.wait(30'000));
        }
        QVERIFY(folderIsEmpty());
    }

    void failuresNameInputAndReason()
    {
        {
            Runner runner(std::make_unique<EngineProcess>(QStringLiteral("/nonexistent/engine")));
            QSignalSpy failed(&runner, &Runner::failed);
            runner.start(test("seq1m-q1t1-read"), m_target, options());
            QVERIFY(!failed.isEmpty() || failed.wait());
            QCOMPARE(failed.size(), 1);
            QCOMPARE(failed[0][0].value<Error>().input, std::string("/nonexistent/engine"));
        }
        {
            // An engine that ends without a word.
            Runner runner(std::make_unique<EngineProcess>(QStringLiteral("/bin/true")));
            QSignalSpy failed(&runner, &Runner::failed);
            runner.start(test("seq1m-q1t1-read"), m_target, options());
            QVERIFY(!failed.isEmpty() || failed.wait());
            QCOMPARE(failed.size(), 1);
        }
        {
            Runner runner(std::make_unique<EngineProcess>(QStringLiteral(ENGINE_PATH)));
            QSignalSpy failed(&runner, &Runner::failed);
            Target gone = m_target;
            gone.path = QStringLiteral("/nonexistent");
            runner.start(test("seq1m-q1t1-read"), gone, options());
            QVERIFY(failed.wait());
            QCOMPARE(failed[0][0].value<Error>().code, Errc::UnknownTarget);
        }
    }

    void optionsAreChecked()
    {
        QVERIFY(check(RunOptions{}).has_value());
        for (const RunOptions &bad : {RunOptions{.rounds = 0, .name = {}},
                                      {.rounds = 1001, .name = {}},
                                      {.milliseconds = 99, .name = {}},
                                      {.milliseconds = 600'001, .name = {}},
                                      {.sizeBytes = 0, .name = {}},
                                      {.sizeBytes = 1024 * 1024 + 1, .name = {}},
                                      {.sizeBytes = (quint64{64} << 30) + 1024 * 1024, .name = {}}}) {
            const auto checked = check(bad);
            QVERIFY(!checked);
            QVERIFY(!checked.error().input.empty() && !checked.error().reason.empty() &&
                    !checked.error().accepted.empty());
        }
    }
};

QTEST_GUILESS_MAIN(RunnerTest)
#include "tst_runner.moc"
