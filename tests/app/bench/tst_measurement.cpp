// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engineprocess.h"
#include "app/bench/measurement.h"

#include "app/bench/report.h"
#include "helper/contract/catalogue.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <deque>

using namespace diskwright;
using namespace diskwright::bench;

namespace {

State readAhead(std::int64_t kibibytes)
{
    return {{.address = {.domain = Domain::Queue, .target = "sda", .key = "read_ahead_kb"},
             .value = number(kibibytes)}};
}

/// A lease by a script. Every call is logged; trouble comes at the call that the test names.
class ScriptedLease final : public LeaseHolder
{
    Q_OBJECT

public:
    enum class Trouble {
        None,
        Refuse,
        Stale,
        SwitchRefused,
        LostWhileMeasuring,
        EndFails,
        ForeignAtEnd,
        KernelKeepsOld,
        KernelRounds
    };

    void begin(const std::vector<State> &states, std::size_t mostSwitches,
               std::chrono::seconds duration) override
    {
        m_states = states;
        limit = mostSwitches;
        lasts = duration;
        log << QStringLiteral("begin");
        later([this] {
            if (trouble == Trouble::Refuse)
                Q_EMIT refused(
                    {.code = Errc::NotAuthorized, .input = {}, .reason = "dismissed", .accepted = {}});
            else
                Q_EMIT began();
        });
    }
    void switchTo(std::size_t state) override
    {
        log << QStringLiteral("switch %1").arg(state);
        ++switches;
        later([this, state] {
            if (switches == troubleAt && trouble == Trouble::Stale)
                return finish(LeaseEnd::Foreign, Errc::Stale);
            if (switches == troubleAt && trouble == Trouble::SwitchRefused)
                return finish(LeaseEnd::PutBack, Errc::Kernel);
            inForce = state;
            std::vector<Value> readBack{m_states[state][0].value};
            if (trouble == Trouble::KernelKeepsOld)
                readBack = {m_states[0][0].value};
            if (trouble == Trouble::KernelRounds && state == 1)
                readBack = {number(4)};
            Q_EMIT switched(state, readBack);
        });
    }
    void end() override
    {
        log << QStringLiteral("end");
        later([this] {
            inForce = 0;
            if (trouble == Trouble::ForeignAtEnd)
                return finish(LeaseEnd::Foreign, Errc::Stale);
            finish(trouble == Trouble::EndFails ? LeaseEnd::Unknown : LeaseEnd::PutBack,
                   trouble == Trouble::EndFails ? Errc::Kernel : Errc::None);
        });
    }
    void stay(std::size_t state) override
    {
        log << QStringLiteral("stay %1").arg(state);
        later([this] { finish(LeaseEnd::Stayed, Errc::None); });
    }
    void lose() { finish(LeaseEnd::Unknown, Errc::Expired); }

    Trouble trouble = Trouble::None;
    int troubleAt = 0;
    int switches = 0;
    std::size_t inForce = 0;
    std::size_t limit = 0;
    std::chrono::seconds lasts{0};
    QStringList log;
    bool isOver = false;

private:
    void finish(LeaseEnd how, Errc code)
    {
        isOver = true;
        Q_EMIT over(
            how, {.code = code, .input = {}, .reason = code == Errc::None ? "" : "scripted", .accepted = {}});
    }
    void later(std::function<void()> what)
    {
        QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
    }

    std::vector<State> m_states;
};

/// Rounds by a script: a speed for each state, noise that does not favour one, trouble at a named round.
class ScriptedRounds final : public RoundSource
{
    Q_OBJECT

public:
    explicit ScriptedRounds(ScriptedLease &lease)
        : m_lease(lease)
    {
    }
    void prepare(const Target &, quint64) override
    {
        m_lease.log << QStringLiteral("prepare");
        later([this] {
            if (failToPrepare)
                Q_EMIT failed({.code = Errc::OutOfRange,
                               .input = "/here",
                               .reason = "too little space",
                               .accepted = "less"});
            else
                Q_EMIT prepared();
        });
    }
    std::optional<quint64> directAlignment() const override { return alignment; }
    void makeRound(const TestSpec &, int, quint64 seed) override
    {
        ++made;
        m_lease.log << QStringLiteral("seed %1").arg(seed >> 1); // as the engine gets it
        m_lease.log << QStringLiteral("round %1").arg(m_lease.inForce);
        if (made == loseLeaseAt)
            return later([this] { m_lease.lose(); });
        if (made == failAt)
            return later([this] {
                Q_EMIT failed(
                    {.code = Errc::Kernel, .input = "/here", .reason = "reading: EIO", .accepted = {}});
            });
        if (made == hangAt)
            return;
        const double noise = 1 + 0.004 * std::sin(made * 1.7);
        const bool stalls = stalledRounds.contains(made);
        const double speed = (m_lease.inForce == 0 ? nowSpeed : wantedSpeed) * noise;
        Round round{.bytes = stalls ? 0 : static_cast<quint64>(speed),
                    .ios = stalls ? 0u : 100u,
                    .seconds = 1,
                    .latency = {},
                    .cpuNanosecondsPerIo = 1000,
                    .engine =
                        made == otherEngineAt ? QStringLiteral("pread-threads") : QStringLiteral("preadv2"),
                    .engineDetails = {},
                    .direct = false,
                    .cachedShare = 0,
                    .disturbed = disturbedRounds.contains(made) ? QStringList{disturbance} : QStringList{},
                    .foreignReadBytes = {},
                    .foreignWrittenBytes = {},
                    .timeline = {}};
        if (stalls)
            round.disturbed << QStringLiteral("stalled");
        later([this, round] { Q_EMIT roundDone(round); });
    }
    void cancel() override
    {
        m_lease.log << QStringLiteral("cancel");
        later([this] { Q_EMIT cancelled(); });
    }

    double nowSpeed = 1000e6;
    double wantedSpeed = 1500e6;
    int made = 0;
    int failAt = 0, loseLeaseAt = 0, hangAt = 0, otherEngineAt = 0;
    QList<int> disturbedRounds;
    QList<int> stalledRounds;
    std::optional<quint64> alignment = 512;
    QString disturbance = QStringLiteral("foreign-reads");
    bool failToPrepare = false;

private:
    void later(std::function<void()> what)
    {
        QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
    }
    ScriptedLease &m_lease;
};

} // namespace

class MeasurementTest : public QObject
{
    Q_OBJECT

    using Trouble = ScriptedLease::Trouble;

    static MeasureOptions options(const char *test = "seq1m-q1t1-read")
    {
        return {.now = readAhead(128),
                .wanted = readAhead(4096),
                .test = *findTest(QString::fromLatin1(test)),
                .target = {.path = QStringLiteral("/here"), .fileSystem = {}, .stack = {}, .disks = {}},
                .milliseconds = 1000,
                .settleMilliseconds = 0};
    }

    struct Ending {
        std::optional<MeasureResult> result;
        std::optional<Error> refusal;
        QStringList log;
    };
    /// Runs one to its end; \p change sets the script up.
    static Ending run(const std::function<void(ScriptedLease &, ScriptedRounds &)> &change = {},
                      MeasureOptions with = options(), int cancelAfterRounds = 0)
    {
        ScriptedLease lease;
        auto source = std::make_unique<ScriptedRounds>(lease);
        if (change)
            change(lease, *source);
        Measurement measurement(lease, std::move(source));
        Ending ending;
        int endings = 0;
        connect(&measurement, &Measurement::finished, &measurement, [&](const MeasureResult &result) {
            ending.result = result;
            ++endings;
        });
        connect(&measurement, &Measurement::refused, &measurement, [&](const Error &error) {
            ending.refusal = error;
            ++endings;
        });
        int rounds = 0;
        connect(&measurement, &Measurement::roundDone, &measurement, [&] {
            if (++rounds == cancelAfterRounds)
                QMetaObject::invokeMethod(&measurement, &Measurement::cancel, Qt::QueuedConnection);
        });
        measurement.start(with);
        if (!QTest::qWaitFor([&] { return endings > 0; }, QDeadlineTimer(10'000)))
            qWarning("no ending: %s", qPrintable(lease.log.join(u' ')));
        QCoreApplication::processEvents();
        if (endings != 1)
            qWarning("%d endings", endings);
        ending.log = lease.log;
        return ending;
    }

    /// The rounds since the last switch are kept and do not count.
    static void checkLastStretchIsExcluded(const MeasureResult &result)
    {
        qsizetype first = result.rounds.size();
        while (first > 0 && result.rounds[first - 1].state == result.rounds.last().state)
            --first;
        QVERIFY(first < result.rounds.size());
        for (qsizetype index = 0; index < result.rounds.size(); ++index)
            QCOMPARE(result.rounds[index].excluded, index >= first);
    }

private Q_SLOTS:
    void sixBlocksOnOneLeaseThenPutBack()
    {
        const Ending ending = run();
        QVERIFY(ending.result && !ending.refusal);
        const MeasureResult &result = *ending.result;
        QCOMPARE(result.comparison.verdict, Verdict::Faster);
        QVERIFY(std::abs(result.comparison.effect - 0.5) < 0.02);
        QCOMPARE(result.comparison.blocks, 6u);
        QCOMPARE(result.rounds.size(), 12);
        QVERIFY(result.reasons.isEmpty());
        QCOMPARE(result.end, LeaseEnd::PutBack);
        QVERIFY(!result.stayed && !result.error);
        QCOMPARE(exitCode(result), 0);
        QCOMPARE(ending.log.first(), QStringLiteral("prepare"));
        QCOMPARE(ending.log[1], QStringLiteral("begin"));
        QCOMPARE(ending.log.last(), QStringLiteral("end"));
        QCOMPARE(ending.log.count(QStringLiteral("round 0")), 6);
        QCOMPARE(ending.log.count(QStringLiteral("round 1")), 6);
    }

    void everyRoundIsMadeInItsStateAndBlocksAreInterleaved()
    {
        const Ending ending = run();
        QVERIFY(ending.result.has_value());
        qsizetype index = 0;
        for (const Block &block : makeSchedule(2, 6, options().seed))
            for (const std::size_t state : block)
                QCOMPARE(ending.result->rounds[index++].state, state);
        std::size_t inForce = 0;
        for (const QString &call : ending.log) {
            if (call.startsWith(u"switch "))
                inForce = call.last(1).toUInt();
            if (call.startsWith(u"round "))
                QCOMPARE(static_cast<std::size_t>(call.last(1).toUInt()), inForce);
        }
        QVERIFY(ending.log.count(QStringLiteral("switch 1")) >= 2);
    }

    void asksForNoMoreThanItNeeds()
    {
        ScriptedLease lease;
        lease.trouble = Trouble::Refuse;
        Measurement measurement(lease, std::make_unique<ScriptedRounds>(lease));
        QSignalSpy refused(&measurement, &Measurement::refused);
        measurement.start(options());
        QVERIFY(refused.wait());
        QVERIFY(lease.limit >= 12 && lease.limit <= 14);
        QVERIFY(lease.lasts <= std::chrono::minutes(3));
    }

    void staysOnlyIfAskedAndFaster()
    {
        MeasureOptions with = options();
        with.stay = true;
        Ending ending = run({}, with);
        QCOMPARE(ending.log.last(), QStringLiteral("stay 1"));
        QVERIFY(ending.result->stayed);
        QCOMPARE(ending.result->end, LeaseEnd::Stayed);
        for (const double speed : {1000e6, 800e6}) {
            ending = run([&](ScriptedLease &, ScriptedRounds &rounds) { rounds.wantedSpeed = speed; }, with);
            QCOMPARE(ending.log.last(), QStringLiteral("end"));
            QVERIFY(!ending.result->stayed);
            QCOMPARE(ending.result->comparison.verdict, speed < 1000e6 ? Verdict::Slower : Verdict::Same);
        }
    }

    void refusedBeforeItBegan()
    {
        Ending ending = run([](ScriptedLease &lease, ScriptedRounds &) { lease.trouble = Trouble::Refuse; });
        QVERIFY(!ending.result && ending.refusal);
        QCOMPARE(ending.refusal->code, Errc::NotAuthorized);
        QCOMPARE(exitCode(*ending.refusal), 4);
        QVERIFY(!ending.log.join(u' ').contains(u"round"));
        ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.failToPrepare = true; });
        QCOMPARE(ending.refusal->code, Errc::OutOfRange);
        QCOMPARE(exitCode(*ending.refusal), 3);
        QVERIFY2(!ending.log.contains(QStringLiteral("begin")), "no password for what can't be measured");
    }

    void refusesSenselessOptions()
    {
        MeasureOptions with = options();
        with.wanted = with.now;
        QCOMPARE(run({}, with).refusal->code, Errc::Conflict);
        with = options();
        with.wanted[0].address.key = "nr_requests";
        QCOMPARE(run({}, with).refusal->code, Errc::Conflict);
        with = options();
        with.now.clear();
        QCOMPARE(run({}, with).refusal->code, Errc::Conflict);
        for (const std::size_t blocks : {std::size_t{5}, std::size_t{251}}) {
            with = options();
            with.blocks = blocks;
            QCOMPARE(run({}, with).refusal->code, Errc::OutOfRange);
        }
        with = options();
        with.milliseconds = 0;
        QCOMPARE(run({}, with).refusal->code, Errc::OutOfRange);
        with = options();
        with.blocks = 250;
        with.milliseconds = 60'000;
        QCOMPARE(run({}, with).refusal->code, Errc::OutOfRange);
    }

    void aStaleSwitchEndsItAndKeepsTheSamples()
    {
        const Ending ending = run([](ScriptedLease &lease, ScriptedRounds &) {
            lease.trouble = Trouble::Stale;
            lease.troubleAt = 4;
        });
        QVERIFY(ending.result.has_value());
        const MeasureResult &result = *ending.result;
        QCOMPARE(result.end, LeaseEnd::Foreign);
        QVERIFY(!result.rounds.isEmpty() && result.rounds.size() < 12);
        checkLastStretchIsExcluded(result);
        QCOMPARE(result.comparison.verdict, Verdict::CannotTell);
        QVERIFY(result.reasons.contains(QStringLiteral("changed-by-others")));
        QVERIFY(result.reasons.contains(QStringLiteral("too-few-blocks")));
        QCOMPARE(result.error->code, Errc::Stale);
        QCOMPARE(exitCode(result), 6);
        QVERIFY2(!ending.log.contains(QStringLiteral("end")), "nothing is called after it is over");
        QVERIFY(sentence(result).contains(QStringLiteral("left as it is")));
    }

    void aRefusedSwitchIsPutBackAndSaid()
    {
        const Ending ending = run([](ScriptedLease &lease, ScriptedRounds &) {
            lease.trouble = Trouble::SwitchRefused;
            lease.troubleAt = 1;
        });
        QCOMPARE(ending.result->end, LeaseEnd::PutBack);
        QCOMPARE(ending.result->comparison.verdict, Verdict::CannotTell);
        QCOMPARE(exitCode(*ending.result), 5);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("lease-lost")));
    }

    void aForeignChangeSeenAtTheEndTakesTheRoundsSinceTheLastLook()
    {
        const Ending ending =
            run([](ScriptedLease &lease, ScriptedRounds &) { lease.trouble = Trouble::ForeignAtEnd; });
        const MeasureResult &result = *ending.result;
        QCOMPARE(result.rounds.size(), 12);
        checkLastStretchIsExcluded(result);
        QVERIFY(result.comparison.blocks < 6);
        QCOMPARE(result.comparison.verdict, Verdict::CannotTell);
        QVERIFY(result.reasons.contains(QStringLiteral("too-few-blocks")));
        qsizetype saved = 0;
        const auto runs = result.runs();
        for (const RunResult &state : runs)
            saved += state.rounds.size();
        QCOMPARE(saved, std::ranges::count_if(result.rounds, &StateRound::counts));
    }

    void aLeaseLostInMidRoundStopsTheRound()
    {
        const Ending ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.loseLeaseAt = 8; });
        QCOMPARE(ending.log.last(), QStringLiteral("cancel"));
        QCOMPARE(ending.result->rounds.size(), 7);
        QVERIFY(std::ranges::none_of(ending.result->rounds, &StateRound::excluded));
        QCOMPARE(ending.result->end, LeaseEnd::Unknown);
        QCOMPARE(ending.result->comparison.blocks, 3u);
        QCOMPARE(exitCode(*ending.result), 6);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("lease-lost")));
    }

    void aLeaseLostAfterTheLastRoundStillHasItsVerdict()
    {
        const Ending ending =
            run([](ScriptedLease &lease, ScriptedRounds &) { lease.trouble = Trouble::EndFails; });
        QCOMPARE(ending.result->comparison.verdict, Verdict::Faster);
        QCOMPARE(ending.result->end, LeaseEnd::Unknown);
        QCOMPARE(exitCode(*ending.result), 6);
        QVERIFY(!ending.result->stayed);
    }

    void aFailingEngineStillPutsBack()
    {
        const Ending ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.failAt = 5; });
        QCOMPARE(ending.log.last(), QStringLiteral("end"));
        QCOMPARE(ending.result->rounds.size(), 4);
        QCOMPARE(ending.result->end, LeaseEnd::PutBack);
        QCOMPARE(ending.result->error->code, Errc::Kernel);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("engine-failed")));
        QCOMPARE(exitCode(*ending.result), 5);
    }

    void whatTheKernelDidNotTakeIsNotCompared()
    {
        Ending ending =
            run([](ScriptedLease &lease, ScriptedRounds &) { lease.trouble = Trouble::KernelKeepsOld; });
        QCOMPARE(ending.result->comparison.verdict, Verdict::NotComparable);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("not-taken")));
        QCOMPARE(ending.result->end, LeaseEnd::PutBack);
        ending = run([](ScriptedLease &lease, ScriptedRounds &) { lease.trouble = Trouble::KernelRounds; });
        QCOMPARE(ending.result->comparison.verdict, Verdict::Faster);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("adjusted")));
        QCOMPARE(ending.result->toJson()[u"differs"][0][u"read_back"].toString(), QStringLiteral("4"));
    }

    void disturbedRoundsAreRepeatedAndKept()
    {
        Ending ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.disturbedRounds = {2, 7}; });
        QCOMPARE(ending.result->rounds.size(), 14);
        QCOMPARE(std::ranges::count(ending.result->rounds, true, &StateRound::repeated), 2);
        QVERIFY(ending.result->reasons.isEmpty());
        QCOMPARE(ending.result->comparison.blocks, 6u);
        // A machine that is never quiet does not make it endless, and the verdict says so.
        ending = run([](ScriptedLease &, ScriptedRounds &rounds) {
            for (int round = 1; round < 100; ++round)
                rounds.disturbedRounds << round;
        });
        QCOMPARE(ending.result->rounds.size(), 15);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("disturbed")));
        QCOMPARE(ending.result->comparison.blocks, 6u);
    }

    void unlikeRoundsAreNotCompared()
    {
        Ending ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.otherEngineAt = 6; });
        QCOMPARE(ending.result->comparison.verdict, Verdict::NotComparable);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("engines-differ")));
        ending = run([](ScriptedLease &, ScriptedRounds &rounds) {
            rounds.disturbance = QStringLiteral("warm");
            for (int round = 1; round < 100; ++round)
                rounds.disturbedRounds << round;
        });
        QCOMPARE(ending.result->comparison.verdict, Verdict::NotComparable);
        QVERIFY(ending.result->reasons.contains(QStringLiteral("warm")));
    }

    void aDiskThatNobodyCanCheckIsNotCompared()
    {
        for (const char *word : {"device-unknown", "counters-off"}) {
            const auto marked = [word](ScriptedLease &, ScriptedRounds &rounds) {
                rounds.disturbance = QString::fromLatin1(word);
                for (int round = 1; round < 100; ++round)
                    rounds.disturbedRounds << round;
            };
            Ending ending = run(marked, options("rnd4k-q32t1-read"));
            QCOMPARE(ending.result->comparison.verdict, Verdict::NotComparable);
            QCOMPARE(ending.result->reasons, QStringList{QString::fromLatin1(word)});
            QVERIFY(sentence(*ending.result).contains(QStringLiteral("memory answered")));
            QVERIFY2(ending.result->rounds.size() == 12, "another round would show it as well");
            // Reading through the page cache has other checks against that.
            ending = run(marked);
            QCOMPARE(ending.result->comparison.verdict, Verdict::Faster);
            QCOMPARE(ending.result->reasons, QStringList{QString::fromLatin1(word)});
        }
    }

    void aStalledRoundIsRepeatedAndNamed()
    {
        Ending ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.stalledRounds = {3}; });
        QCOMPARE(ending.result->rounds.size(), 13);
        QCOMPARE(ending.result->comparison.verdict, Verdict::Faster);
        QVERIFY(ending.result->reasons.isEmpty());
        // A disturbed round is better than none at all.
        ending = run([](ScriptedLease &, ScriptedRounds &rounds) {
            rounds.stalledRounds = {4};
            rounds.disturbedRounds = {3};
        });
        QCOMPARE(ending.result->comparison.verdict, Verdict::Faster);
        QCOMPARE(ending.result->reasons, QStringList{QStringLiteral("disturbed")});

        ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.stalledRounds = {3, 4}; });
        const MeasureResult &result = *ending.result;
        QCOMPARE(result.comparison.verdict, Verdict::NotComparable);
        QCOMPARE(result.reasons, QStringList{QStringLiteral("stalled")});
        QVERIFY(sentence(result).contains(QStringLiteral("gave nothing")));
        const QJsonObject document = result.toJson();
        for (const char *key : {"effect", "low", "high"}) {
            QVERIFY2(document[QString::fromLatin1(key)].isNull(), key);
            QVERIFY2(document[u"metrics"][0][QString::fromLatin1(key)].isNull(), key);
        }
    }

    void fewReadsAreNeverCalledEqual()
    {
        const auto slow = [](ScriptedLease &, ScriptedRounds &rounds) {
            rounds.nowSpeed = rounds.wantedSpeed = 90e6; // of 1 MiB each: one is more than 1 % of the round
        };
        Ending ending = run(slow);
        QCOMPARE(ending.result->comparison.verdict, Verdict::CannotTell);
        QCOMPARE(ending.result->reasons, QStringList{QStringLiteral("too-coarse")});
        QVERIFY(sentence(*ending.result).contains(QStringLiteral("too few reads")));
        const QJsonObject document = ending.result->toJson();
        QCOMPARE(document[u"metrics"][0][u"verdict"].toString(), QStringLiteral("cannot-tell"));
        QCOMPARE(document[u"metrics"][4][u"verdict"].toString(), QStringLiteral("same"));
        // The same speed in small reads is fine enough; and a clear difference stays one.
        QCOMPARE(run(slow, options("rnd4k-q32t1-read")).result->comparison.verdict, Verdict::Same);
        ending = run([](ScriptedLease &, ScriptedRounds &rounds) {
            rounds.nowSpeed = 60e6;
            rounds.wantedSpeed = 90e6;
        });
        QCOMPARE(ending.result->comparison.verdict, Verdict::Faster);
        QVERIFY(ending.result->reasons.isEmpty());
    }

    void noPasswordForWhatCantBeRead()
    {
        const auto with = [](std::optional<quint64> alignment) {
            return [alignment](ScriptedLease &, ScriptedRounds &rounds) { rounds.alignment = alignment; };
        };
        Ending ending = run(with(std::nullopt), options("rnd4k-q32t1-read"));
        QCOMPARE(ending.refusal->code, Errc::Absent);
        QCOMPARE(ending.refusal->input, std::string("/here"));
        QVERIFY(!ending.refusal->reason.empty() && !ending.refusal->accepted.empty());
        QVERIFY(!ending.log.contains(QStringLiteral("begin")));
        ending = run(with(8192), options("rnd4k-q32t1-read"));
        QCOMPARE(ending.refusal->code, Errc::NotAMultiple);
        QVERIFY(!ending.log.contains(QStringLiteral("begin")));
        QVERIFY(run(with(4096), options("rnd4k-q32t1-read")).result.has_value());
        QVERIFY(run(with(std::nullopt)).result.has_value());
    }

    void noTwoRoundsReadTheSamePlaces()
    {
        const Ending ending =
            run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.disturbedRounds = {2}; });
        const QStringList seeds = ending.log.filter(QStringLiteral("seed "));
        QCOMPARE(seeds.size(), 13);
        QCOMPARE(QSet<QString>(seeds.begin(), seeds.end()).size(), 13);
    }

    void stoppingPutsBackWhateverItIsDoing()
    {
        for (int after = 1; after <= 11; after += 2) {
            const Ending ending = run({}, options(), after);
            QVERIFY(ending.result.has_value());
            QCOMPARE(ending.log.last(), QStringLiteral("end"));
            QVERIFY(ending.result->reasons.contains(QStringLiteral("stopped")));
            QCOMPARE(ending.result->end, LeaseEnd::PutBack);
            QVERIFY(ending.result->rounds.size() >= after && ending.result->rounds.size() < 12);
        }
        // While a round hangs.
        const Ending ending = run([](ScriptedLease &, ScriptedRounds &rounds) { rounds.hangAt = 4; },
                                  [] {
                                      MeasureOptions with = options();
                                      with.stay = true;
                                      return with;
                                  }(),
                                  3);
        QCOMPARE(ending.result->end, LeaseEnd::PutBack);
    }

    void documentHasTheStableKeys()
    {
        const QJsonObject document = run().result->toJson();
        for (const char *key : {"verdict", "effect", "low", "high", "metric", "interleaved", "reasons",
                                "metrics", "differs", "stayed"})
            QVERIFY2(document.contains(QString::fromLatin1(key)), key);
        QCOMPARE(document[u"verdict"].toString(), QStringLiteral("faster"));
        QCOMPARE(document[u"interleaved"].toBool(), true);
        QCOMPARE(document[u"metric"].toString(), QStringLiteral("throughput"));
        QCOMPARE(document[u"differs"][0][u"setting"].toString(), QStringLiteral("queue:sda:read_ahead_kb"));
        QVERIFY(document[u"low"].toDouble() <= document[u"effect"].toDouble());
        for (const QJsonValue &row : document[u"metrics"].toArray())
            if (row[u"metric"].toString() == u"cpu_per_io")
                QCOMPARE(row[u"verdict"].toString(), QStringLiteral("same"));
    }

    void sentenceSaysHowMuchAndWhatIsSoNow()
    {
        const QString faster = sentence(*run().result);
        QVERIFY2(faster.contains(QStringLiteral("4096 is faster than 128 by")) &&
                     faster.endsWith(QStringLiteral("128 is in force again.")),
                 qPrintable(faster));
        // Equal in one test is not equal in every use.
        const auto equal = [](ScriptedLease &, ScriptedRounds &rounds) { rounds.wantedSpeed = 1000e6; };
        QString same = sentence(*run(equal).result);
        QVERIFY2(same.contains(QStringLiteral("equally fast within 2.0 % when reading a large file")),
                 qPrintable(same));
        same = sentence(*run(equal, options("rnd4k-q32t1-read")).result);
        QVERIFY2(same.contains(QStringLiteral("within 2.0 % when reading 4 KiB at random places.")),
                 qPrintable(same));
    }

    void theTestFollowsTheSetting()
    {
        QHash<QString, QString> tests;
        for (const SettingSpec &spec : catalogue()) {
            const Address address{.domain = spec.domain, .target = "sda", .key = std::string(spec.key)};
            const QString id = QString::fromStdString(std::string(spec.id));
            if (const auto fitting = fittingTest(address)) {
                tests[id] = QString::fromLatin1(fitting->test.id);
                QCOMPARE(fitting->settleMilliseconds >= 1000, id == u"queue/scheduler");
                continue;
            } else {
                QCOMPARE(fitting.error().code, Errc::NotOffered);
                QVERIFY(!fitting.error().reason.empty() && !fitting.error().accepted.empty());
            }
            const bool ofWriting = fittingTest(address).error().reason.contains("only writing");
            tests[id] = ofWriting ? QStringLiteral("writing") : QStringLiteral("none");
        }
        const QString inOrder = QStringLiteral("seq1m-q1t1-read"),
                      random = QStringLiteral("rnd4k-q32t1-read");
        const QString writing = QStringLiteral("writing"), none = QStringLiteral("none");
        for (const auto &[id, test] : std::initializer_list<std::pair<const char *, QString>>{
                 {"queue/read_ahead_kb", inOrder},
                 {"queue/max_sectors_kb", inOrder},
                 {"queue/scheduler", random},
                 {"queue/nr_requests", random},
                 {"queue/queue_depth", random},
                 {"queue/rq_affinity", random},
                 {"queue/nomerges", random},
                 {"queue/rotational", random},
                 {"queue/add_random", random},
                 {"queue/wbt_lat_usec", writing},
                 {"queue/async_depth", writing},
                 {"queue/iostats", none},
                 {"queue/discard_max_bytes", none},
                 {"iosched/mq-deadline/read_expire", random},
                 {"iosched/mq-deadline/fifo_batch", random},
                 {"iosched/mq-deadline/write_expire", writing},
                 {"iosched/mq-deadline/writes_starved", writing},
                 {"iosched/mq-deadline/async_depth", writing},
                 {"iosched/bfq/slice_idle", random},
                 {"iosched/bfq/fifo_expire_sync", random},
                 {"iosched/bfq/fifo_expire_async", writing},
                 {"iosched/kyber/read_lat_nsec", random},
                 {"iosched/kyber/write_lat_nsec", writing},
                 {"iosched/adios/batch_limit_read", random},
                 {"iosched/adios/batch_limit_write", writing},
                 {"iosched/adios/lat_target_read", writing},
                 {"iosched/adios/lat_target_write", writing},
                 {"iosched/adios/lat_target_discard", none},
                 {"bdi/max_bytes", writing},
                 {"bdi/strict_limit", writing},
                 {"vm/dirty_bytes", writing},
                 {"vm/swappiness", none},
                 {"vm/vfs_cache_pressure", none}})
            QCOMPARE(qMakePair(id, tests.value(QString::fromLatin1(id))), qMakePair(id, test));
        // Not in the catalogue, or not resolved yet.
        const auto of = [](Domain domain, const char *key) {
            return fittingTest({.domain = domain, .target = "sda", .key = key});
        };
        QCOMPARE(of(Domain::Queue, "io_poll")->test.id, findTest(random)->id);
        QVERIFY(of(Domain::IoSched, "read_expire").has_value());
        QVERIFY(!of(Domain::IoSched, "lat_target_read"));
        QVERIFY(!of(Domain::Queue, "write_cache"));
    }

    void aNamedTestMustBeAbleToShowIt()
    {
        const TestSpec inOrder = *findTest(QStringLiteral("seq1m-q1t1-read"));
        const TestSpec random = *findTest(QStringLiteral("rnd4k-q32t1-read"));
        const Address ahead{.domain = Domain::Queue, .target = "sda", .key = "read_ahead_kb"};
        QVERIFY(canShow(inOrder, ahead).has_value());
        const auto direct = canShow(random, ahead);
        QCOMPARE(direct.error().code, Errc::Conflict);
        QCOMPARE(direct.error().accepted, std::string(inOrder.id));
        const Address scheduler{.domain = Domain::Queue, .target = "sda", .key = "scheduler"};
        QVERIFY(canShow(random, scheduler).has_value());
        const auto ordered = canShow(inOrder, scheduler);
        QCOMPARE(ordered.error().code, Errc::Conflict);
        QCOMPARE(ordered.error().input, std::string(inOrder.id));
        QCOMPARE(ordered.error().reason, std::string("reading in order does not show this"));
        QCOMPARE(ordered.error().accepted, std::string(random.id));
        const Address sectors{.domain = Domain::Queue, .target = "sda", .key = "max_sectors_kb"};
        QVERIFY(canShow(inOrder, sectors).has_value());
        const auto scattered = canShow(random, sectors);
        QCOMPARE(scattered.error().code, Errc::Conflict);
        QCOMPARE(scattered.error().reason, std::string("reading at random places does not show this"));
        QCOMPARE(scattered.error().accepted, std::string(inOrder.id));
        const Address dirty{.domain = Domain::Vm, .target = {}, .key = "dirty_bytes"};
        QCOMPARE(canShow(inOrder, dirty).error().code, Errc::NotOffered);
    }

    void minutesBecomeBlocks()
    {
        QCOMPARE(blocksIn(0, 2000, 200), leastBlocks);
        QCOMPARE(blocksIn(1, 2000, 500), 12u);
        QCOMPARE(blocksIn(10'000, 100, 0), 250u);
        QCOMPARE(blocksIn(-5, 2000, 200), leastBlocks);
    }

    void wholeLoopWithTheRealEngine()
    {
        QTemporaryDir folder(QStringLiteral(WORK_FOLDER "/measure-XXXXXX"));
        const auto target = resolveTarget(folder.path(), scanDisks(SystemRoot::live().value()).value());
        QVERIFY(target.has_value());
        ScriptedLease lease;
        Measurement measurement(lease, std::make_unique<EngineProcess>(QStringLiteral(ENGINE_PATH)));
        QSignalSpy finished(&measurement, &Measurement::finished),
            slotSpy(&measurement, &Measurement::slotDone);
        MeasureOptions with = options();
        with.target = *target;
        with.sizeBytes = 16 * 1024 * 1024;
        with.milliseconds = 200;
        measurement.start(with);
        QVERIFY(finished.wait(60'000));
        const auto result = finished[0][0].value<MeasureResult>();
        QVERIFY(result.rounds.size() >= 12 && result.rounds.size() <= 15);
        QCOMPARE(result.comparison.blocks, 6u);
        QVERIFY(!slotSpy.isEmpty());
        QVERIFY(!result.rounds[0].round.timeline.isEmpty());
        QCOMPARE(result.end, LeaseEnd::PutBack);
        // Where the build folder lies on no disk that is known the verdict says so, and only there.
        QCOMPARE(result.reasons.contains(QStringLiteral("device-unknown")), target->disks.isEmpty());
        QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }
};

QTEST_GUILESS_MAIN(MeasurementTest)
#include "tst_measurement.moc"
