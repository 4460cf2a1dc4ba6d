// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "leaseholder.h"
#include "roundsource.h"
#include "schedule.h"

#include <QJsonObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace diskwright::bench {

struct MeasureOptions {
    State now;    ///< what is so now, read by the caller
    State wanted; ///< the same settings in the same order
    TestSpec test{};
    Target target;
    quint64 sizeBytes = defaultSizeBytes / 4; ///< of the test file
    std::size_t blocks = leastBlocks;         ///< 6 to 250
    int milliseconds = defaultRoundMilliseconds;
    int settleMilliseconds = 200; ///< after each switch; a scheduler needs 1000
    bool stay = false;            ///< leave the wanted state in force if the verdict is faster
    double threshold = 0.02;
    quint64 seed = 1;
};
/// Blocks that fit in \p minutes with rounds and settling of the given length, 6 at least.
[[nodiscard]] std::size_t blocksIn(int minutes, int roundMilliseconds, int settleMilliseconds);

/// The test on which a setting shows, and how long a switch of it needs to settle. Errors: NotOffered (no
/// test shows it: the dirty limits act on writing, say, and reads are all that is measured).
struct Fitting {
    TestSpec test;
    int settleMilliseconds = 200;
};
[[nodiscard]] Result<Fitting> fittingTest(const Address &setting);

/// Whether a test that the user named can show a setting. Errors: NotOffered (no test does), Conflict (this
/// one does not; the one that does is named).
[[nodiscard]] Result<void> canShow(const TestSpec &test, const Address &setting);

/// Errors: OutOfRange, Conflict (states that differ in their settings, or not at all).
[[nodiscard]] Result<void> check(const MeasureOptions &options);

/// A round and where it belongs.
struct StateRound {
    std::size_t block = 0;
    std::size_t state = 0;
    bool repeated = false; ///< a quieter one took its place in the comparison
    Round round;
    bool excluded = false; ///< somebody may have changed a value before it ended: its state is not known

    [[nodiscard]] bool counts() const { return !repeated && !excluded; }
};

/// Words of reasons, closed list, see docs/measuring.md: "too-few-blocks", "disturbed", "lease-lost",
/// "changed-by-others", "stopped", "engine-failed", "not-taken" (the kernel kept the value of now),
/// "adjusted", "warm", "engines-differ", "device-unknown", "counters-off", "stalled", "too-coarse".
struct MeasureResult {
    QString id;
    QDateTime time;
    MeasureOptions options;
    QList<StateRound> rounds; ///< all that were made, in the order they were made
    PairedComparison comparison;
    QStringList reasons;
    std::optional<LeaseEnd> end; ///< none: there was no lease
    bool stayed = false;
    std::optional<Error> error;        ///< why it did not come to its end
    std::vector<Value> wantedReadBack; ///< what the kernel kept for the wanted state

    /// Whether one read more or less in a round is too much of it for two values to be called equal.
    [[nodiscard]] bool isTooCoarse() const;
    /// Compare's document and "stayed".
    [[nodiscard]] QJsonObject toJson() const;
    /// One run for each state, for the database.
    [[nodiscard]] QList<RunResult> runs() const;
    /// Blocks with both rounds, by a figure; blocks that lack it are left out.
    [[nodiscard]] std::vector<Pair>
    pairs(const std::function<std::optional<double>(const Round &)> &figure) const;
};

/// The verdict as a sentence in the user's language: what, how much, how sure; and what is in force now.
[[nodiscard]] QString sentence(const MeasureResult &result);

/// "Measure this": now against wanted in randomised blocks on one lease. Ends with exactly one of finished,
/// refused. What was measured before something failed is kept and judged as what it is. The state of now is
/// put back whatever happens, unless asked to stay and faster, or unless somebody else changed the values.
class Measurement final : public QObject
{
    Q_OBJECT

public:
    /// Both are used for this measurement only. \p holder stays the caller's and must outlive it.
    Measurement(LeaseHolder &holder, std::unique_ptr<RoundSource> source, QObject *parent = nullptr);

    /// Errors of check() come as refused.
    void start(const diskwright::bench::MeasureOptions &options);
    /// Puts back and finishes with what is there.
    void cancel();

Q_SIGNALS:
    void preparing(quint64 writtenBytes, quint64 sizeBytes);
    /// Rounds made and rounds to make.
    void progress(int done, int all);
    void slotDone(std::size_t state, const diskwright::bench::Slot &slot);
    void roundDone(const diskwright::bench::StateRound &round);
    void finished(const diskwright::bench::MeasureResult &result);
    /// Nothing was changed and nothing measured.
    void refused(const diskwright::Error &error);

private:
    struct Step {
        std::size_t block = 0;
        std::size_t state = 0;
    };
    enum class Phase { Idle, Preparing, Asking, Switching, Settling, Measuring, Ending, Done };

    void onPrepared();
    void refuse(const Error &error);
    void nextStep();
    void onSwitched(std::size_t state, const std::vector<Value> &readBack);
    void measureNow();
    void onRoundDone(const Round &round);
    void onSourceFailed(const Error &error);
    void endLease();
    void onOver(LeaseEnd how, const Error &error);
    void onCancelled();
    /// \p seen: words of rounds that count.
    void noteWords(const QStringList &seen);
    void judge();
    void finish();
    void note(const QString &reason);

    LeaseHolder &m_holder;
    std::unique_ptr<RoundSource> m_source;
    QTimer m_settle;
    Phase m_phase = Phase::Idle;
    MeasureResult m_result;
    std::vector<Step> m_steps;
    std::size_t m_next = 0;
    std::optional<std::size_t> m_inForce;
    qsizetype m_roundsSeenRight =
        0; ///< made before the last look at the values, which found them as they were left
    bool m_repeating = false;
    int m_repeatsLeft = 0;
    bool m_sourceOver = false;
};

} // namespace diskwright::bench
