// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurement.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <format>

using namespace Qt::StringLiterals;

namespace diskwright::bench {
namespace {

constexpr int mostRepeats = 3;          // so that a busy machine does not take twice the time
constexpr std::size_t mostBlocks = 250; // two switches each, and a lease has 512
constexpr std::chrono::seconds longestLease{60 * 60};

// Seen in each round of its kind: another would show it as well.
constexpr std::array<QLatin1StringView, 4> lastingWords{"device-unknown"_L1, "counters-off"_L1,
                                                        "cache-unknown"_L1, "holes"_L1};
// Words that are reasons themselves; any other makes the reason "disturbed".
constexpr std::array<QLatin1StringView, 4> reasonWords{"warm"_L1, "device-unknown"_L1, "counters-off"_L1,
                                                       "stalled"_L1};
// What a judgement says of the rounds, and the next one says anew.
constexpr std::array<QLatin1StringView, 8> judgedReasons{
    "disturbed"_L1,    "warm"_L1,    "engines-differ"_L1, "device-unknown"_L1,
    "counters-off"_L1, "stalled"_L1, "too-coarse"_L1,     "too-few-blocks"_L1};

bool canBeBetter(const Round &round)
{
    return std::ranges::any_of(
        round.disturbed, [](const QString &word) { return !std::ranges::contains(lastingWords, word); });
}

/// Whether direct reads of the prepared file are possible. Errors: Absent, NotAMultiple.
Result<void> checkAlignment(const MeasureOptions &options, std::optional<quint64> alignment)
{
    if (!options.test.direct)
        return {};
    const std::string path = printable(options.target.path.toStdString());
    if (!alignment || *alignment == 0)
        return fail(Errc::Absent, path,
                    "this file system has no direct reads, so its page cache would be measured",
                    "a folder on another file system, or a buffered test");
    if (options.test.blockBytes % *alignment != 0)
        return fail(Errc::NotAMultiple, std::format("{}: {} bytes at once", path, options.test.blockBytes),
                    std::format("direct reads here are a multiple of {} bytes", *alignment),
                    "a folder on another file system, or another test");
    return {};
}

} // namespace

std::size_t blocksIn(int minutes, int roundMilliseconds, int settleMilliseconds)
{
    const int block = 2 * (roundMilliseconds + settleMilliseconds);
    const auto fitting = static_cast<std::size_t>(std::max(minutes, 0)) * 60'000 /
                         static_cast<std::size_t>(std::max(block, 1));
    return std::clamp(fitting, leastBlocks, mostBlocks);
}

Result<void> check(const MeasureOptions &options)
{
    if (options.now.empty() || options.now.size() != options.wanted.size())
        return fail(Errc::Conflict, "states", "both states must name the same settings");
    for (std::size_t index = 0; index < options.now.size(); ++index)
        if (options.now[index].address != options.wanted[index].address)
            return fail(Errc::Conflict, toText(options.wanted[index].address),
                        "both states must name the same settings");
    if (options.now == options.wanted)
        return fail(Errc::Conflict, toText(options.wanted.front().address),
                    std::format("is {} already", toText(options.wanted.front().value)),
                    "another value than that of now");
    if (options.blocks < leastBlocks || options.blocks > mostBlocks)
        return fail(Errc::OutOfRange, std::format("{} blocks", options.blocks), "not a number of blocks",
                    std::format("{} to {}", leastBlocks, mostBlocks));
    if (options.milliseconds < 100 || options.milliseconds > 600'000)
        return fail(Errc::OutOfRange, std::format("{} ms", options.milliseconds), "not a length of a round",
                    "100 ms to 10 minutes");
    const auto milliseconds =
        static_cast<std::int64_t>(options.blocks) * 2 * (options.milliseconds + options.settleMilliseconds);
    if (std::chrono::milliseconds(milliseconds) > longestLease - std::chrono::minutes(5))
        return fail(Errc::OutOfRange, std::format("{} minutes", milliseconds / 60'000),
                    "longer than a lease lasts", "up to 55 minutes");
    return {};
}

Measurement::Measurement(LeaseHolder &holder, std::unique_ptr<RoundSource> source, QObject *parent)
    : QObject(parent)
    , m_holder(holder)
    , m_source(std::move(source))
{
    m_settle.setSingleShot(true);
    connect(&m_settle, &QTimer::timeout, this, &Measurement::measureNow);
    connect(m_source.get(), &RoundSource::preparing, this, &Measurement::preparing);
    connect(m_source.get(), &RoundSource::prepared, this, &Measurement::onPrepared);
    connect(m_source.get(), &RoundSource::roundDone, this, &Measurement::onRoundDone);
    connect(m_source.get(), &RoundSource::failed, this, &Measurement::onSourceFailed);
    connect(m_source.get(), &RoundSource::cancelled, this, &Measurement::onCancelled);
    connect(m_source.get(), &RoundSource::slotDone, this,
            [this](const Slot &slot) { Q_EMIT slotDone(m_inForce.value_or(0), slot); });
    connect(&m_holder, &LeaseHolder::began, this, [this] {
        if (m_phase != Phase::Asking)
            return;
        m_inForce = 0;
        nextStep();
    });
    connect(&m_holder, &LeaseHolder::refused, this, &Measurement::refuse);
    connect(&m_holder, &LeaseHolder::switched, this, &Measurement::onSwitched);
    connect(&m_holder, &LeaseHolder::over, this, &Measurement::onOver);
}

void Measurement::start(const MeasureOptions &options)
{
    m_result.id = RunResult::newId();
    m_result.time = QDateTime::currentDateTimeUtc();
    m_result.options = options;
    if (const auto checked = check(options); !checked) {
        m_phase = Phase::Done;
        Q_EMIT refused(checked.error());
        return;
    }
    std::size_t block = 0;
    for (const Block &states : makeSchedule(2, options.blocks, options.seed)) {
        for (const std::size_t state : states)
            m_steps.push_back({block, state});
        ++block;
    }
    m_repeatsLeft = mostRepeats;
    m_phase = Phase::Preparing;
    // The file comes before the lease: what can be refused without a password is refused without one.
    m_source->prepare(options.target, options.sizeBytes);
}

void Measurement::refuse(const Error &error)
{
    m_phase = Phase::Done;
    // Ends the engine; from inside one of its signals only later.
    m_source.release()->deleteLater();
    Q_EMIT refused(error);
}

void Measurement::onPrepared()
{
    const MeasureOptions &options = m_result.options;
    if (const auto possible = checkAlignment(options, m_source->directAlignment()); !possible) {
        refuse(possible.error());
        return;
    }
    m_phase = Phase::Asking;
    const auto planned = std::chrono::milliseconds(
        static_cast<std::int64_t>(m_steps.size() + mostRepeats) *
        (options.milliseconds + options.settleMilliseconds + options.test.warmUpMilliseconds));
    const auto duration =
        std::min(longestLease,
                 std::chrono::duration_cast<std::chrono::seconds>(planned * 2) + std::chrono::seconds(60));
    m_holder.begin({options.now, options.wanted}, m_steps.size() + 2, duration);
}

void Measurement::nextStep()
{
    Q_EMIT progress(static_cast<int>(m_next), static_cast<int>(m_steps.size()));
    if (m_next == m_steps.size()) {
        endLease();
        return;
    }
    const std::size_t state = m_steps[m_next].state;
    if (m_inForce == state) {
        measureNow();
        return;
    }
    m_phase = Phase::Switching;
    m_holder.switchTo(state);
}

void Measurement::onSwitched(std::size_t state, const std::vector<Value> &readBack)
{
    if (m_phase != Phase::Switching)
        return;
    m_inForce = state;
    m_roundsSeenRight = m_result.rounds.size();
    const MeasureOptions &options = m_result.options;
    if (state == 1) {
        m_result.wantedReadBack = readBack;
        bool asNow = true, asWanted = true;
        for (std::size_t index = 0; index < std::min(readBack.size(), options.wanted.size()); ++index) {
            asNow = asNow && readBack[index] == options.now[index].value;
            asWanted = asWanted && readBack[index] == options.wanted[index].value;
        }
        if (asNow) {
            note(QStringLiteral("not-taken"));
            endLease();
            return;
        }
        if (!asWanted)
            note(QStringLiteral("adjusted"));
    }
    if (m_next == m_steps.size()) { // stopped meanwhile
        endLease();
        return;
    }
    m_phase = Phase::Settling;
    m_settle.start(options.settleMilliseconds);
}

void Measurement::measureNow()
{
    m_phase = Phase::Measuring;
    m_source->makeRound(m_result.options.test, m_result.options.milliseconds,
                        roundSeed(m_result.options.seed, static_cast<quint64>(m_result.rounds.size())));
}

void Measurement::onRoundDone(const Round &round)
{
    if (m_phase != Phase::Measuring)
        return;
    const Step &step = m_steps[m_next];
    m_result.rounds.append({step.block, step.state, false, round});
    Q_EMIT roundDone(m_result.rounds.last());
    if (canBeBetter(round) && !m_repeating && m_repeatsLeft > 0) {
        --m_repeatsLeft;
        m_repeating = true;
        measureNow();
        return;
    }
    if (m_repeating) {
        // Of the two the quieter one counts; both are kept.
        const qsizetype last = m_result.rounds.size() - 1;
        const Round &first = m_result.rounds[last - 1].round, &second = m_result.rounds[last].round;
        const bool better = first.isStalled() != second.isStalled()
                                ? first.isStalled()
                                : second.disturbed.size() <= first.disturbed.size();
        m_result.rounds[better ? last - 1 : last].repeated = true;
    }
    m_repeating = false;
    ++m_next;
    nextStep();
}

void Measurement::onSourceFailed(const Error &error)
{
    m_sourceOver = true;
    m_result.error = error;
    if (m_phase == Phase::Preparing) {
        m_phase = Phase::Done;
        Q_EMIT refused(error);
        return;
    }
    if (m_phase == Phase::Done)
        return;
    note(QStringLiteral("engine-failed"));
    m_settle.stop();
    if (m_phase == Phase::Measuring || m_phase == Phase::Settling)
        endLease();
    else
        m_next = m_steps.size(); // the answer that is awaited comes first, then the end
}

void Measurement::endLease()
{
    judge();
    const bool stays = m_result.options.stay && m_result.comparison.verdict == Verdict::Faster &&
                       m_next == m_steps.size() && !m_result.error &&
                       !m_result.reasons.contains(QStringLiteral("stopped"));
    m_phase = Phase::Ending;
    if (stays)
        m_holder.stay(1);
    else
        m_holder.end();
}

void Measurement::onOver(LeaseEnd how, const Error &error)
{
    if (m_phase == Phase::Done || m_phase == Phase::Idle)
        return;
    m_result.end = how;
    m_result.stayed = how == LeaseEnd::Stayed;
    if (error.code != Errc::None && !m_result.error)
        m_result.error = error;
    if (how == LeaseEnd::Foreign) {
        note(QStringLiteral("changed-by-others"));
        for (qsizetype index = m_roundsSeenRight; index < m_result.rounds.size(); ++index)
            m_result.rounds[index].excluded = true;
    }
    if (m_phase == Phase::Ending) {
        finish();
        return;
    }
    note(QStringLiteral("lease-lost"));
    m_settle.stop();
    const bool measuring = m_phase == Phase::Measuring;
    m_phase = Phase::Ending;
    if (measuring && !m_sourceOver)
        m_source->cancel();
    else
        finish();
}

void Measurement::cancel()
{
    if (m_phase == Phase::Idle || m_phase == Phase::Done || m_phase == Phase::Ending)
        return;
    note(QStringLiteral("stopped"));
    m_settle.stop();
    m_next = m_steps.size();
    const Phase phase = m_phase;
    if (phase == Phase::Preparing || phase == Phase::Measuring) {
        m_source->cancel();
    } else if (phase == Phase::Settling) {
        endLease();
    }
    // While asking or switching the answer is awaited: the lease must not begin behind our back.
}

void Measurement::onCancelled()
{
    m_sourceOver = true;
    switch (m_phase) {
    case Phase::Preparing:
        m_phase = Phase::Done;
        Q_EMIT refused(
            {.code = Errc::Cancelled, .input = {}, .reason = "stopped before it began", .accepted = {}});
        break;
    case Phase::Measuring: endLease(); break;
    case Phase::Ending: finish(); break;
    case Phase::Idle:
    case Phase::Asking:
    case Phase::Switching:
    case Phase::Settling:
    case Phase::Done: break;
    }
}

void Measurement::note(const QString &reason)
{
    if (!m_result.reasons.contains(reason))
        m_result.reasons.append(reason);
}

void Measurement::noteWords(const QStringList &seen)
{
    for (const QLatin1StringView word : reasonWords)
        if (seen.contains(word))
            note(word);
    // Warm rounds are counted among the disturbed ones as well.
    if (std::ranges::any_of(seen, [](const QString &word) {
            return word == "warm"_L1 || !std::ranges::contains(reasonWords, word);
        }))
        note(QStringLiteral("disturbed"));
}

void Measurement::judge()
{
    for (const QLatin1StringView reason : judgedReasons)
        m_result.reasons.removeIf([&](const QString &noted) { return noted == reason; });
    const Metric metric = m_result.options.test.metric;
    const auto blocks = m_result.pairs([metric](const Round &round) { return round.value(metric); });
    m_result.comparison = compare(blocks, {.threshold = m_result.options.threshold});
    QStringList engines, words;
    for (const StateRound &made : std::as_const(m_result.rounds)) {
        if (!made.counts())
            continue;
        engines << made.round.engine + made.round.engineDetails.join(u' ');
        words << made.round.disturbed;
    }
    engines.removeDuplicates();
    noteWords(words);
    if (engines.size() > 1)
        note(QStringLiteral("engines-differ"));
    if (blocks.size() < leastBlocks)
        note(QStringLiteral("too-few-blocks"));
    Verdict &verdict = m_result.comparison.verdict;
    if (verdict == Verdict::Same && m_result.isTooCoarse()) {
        note(QStringLiteral("too-coarse"));
        verdict = Verdict::CannotTell;
    }
    const auto has = [&](QLatin1StringView reason) { return m_result.reasons.contains(reason); };
    // What was read past the page cache may have come from memory all the same, and nobody could see it.
    const bool maybeMemory =
        m_result.options.test.direct && (has("device-unknown"_L1) || has("counters-off"_L1));
    if (has("warm"_L1) || has("engines-differ"_L1) || has("not-taken"_L1) || has("stalled"_L1) || maybeMemory)
        verdict = Verdict::NotComparable;
}

void Measurement::finish()
{
    judge();
    m_phase = Phase::Done;
    // Ends the engine; from inside one of its signals only later.
    m_source.release()->deleteLater();
    Q_EMIT finished(m_result);
}

bool MeasureResult::isTooCoarse() const
{
    for (const StateRound &made : rounds)
        if (made.counts() && static_cast<double>(options.test.blockBytes) >=
                                 static_cast<double>(made.round.bytes) * comparison.threshold / 2)
            return true;
    return false;
}

std::vector<Pair>
MeasureResult::pairs(const std::function<std::optional<double>(const Round &)> &figure) const
{
    std::vector<std::array<std::optional<double>, 2>> blocks(options.blocks);
    for (const StateRound &made : rounds)
        if (made.counts() && made.block < blocks.size() && made.state < 2)
            blocks[made.block][made.state] = figure(made.round);
    std::vector<Pair> result;
    for (const auto &[now, wanted] : blocks)
        if (now && wanted)
            result.push_back({*now, *wanted});
    return result;
}

QList<RunResult> MeasureResult::runs() const
{
    QList<RunResult> result;
    for (std::size_t state = 0; state < 2; ++state) {
        RunResult run{.id = RunResult::newId(),
                      .time = time,
                      .name = id,
                      .test = QString::fromLatin1(options.test.id),
                      .target = options.target.path,
                      .stack = options.target.stackText(),
                      .metric = options.test.metric,
                      .rounds = {},
                      .settings = {}};
        for (const StateItem &item : state == 0 ? options.now : options.wanted)
            run.settings[QString::fromStdString(toText(item.address))] =
                QString::fromStdString(toText(item.value));
        for (const StateRound &made : rounds)
            if (made.state == state && made.counts())
                run.rounds.append(made.round);
        if (!run.rounds.isEmpty())
            result.append(run);
    }
    return result;
}

} // namespace diskwright::bench
