// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "roundsource.h"

#include <memory>

namespace diskwright::bench {

struct RunOptions {
    quint64 sizeBytes = defaultSizeBytes; ///< of the test file; of an existing file at most so much is used
    int rounds = defaultRounds;           ///< 1 to 1000
    int milliseconds = defaultRoundMilliseconds; ///< a round, 100 to 600000
    QString name;
    quint64 seed = 1;
};
/// Errors: OutOfRange, naming the option and what is accepted.
[[nodiscard]] Result<void> check(const RunOptions &options);

/// One run of a test: several rounds on one file. Ends with exactly one of finished, failed and cancelled,
/// after which nothing of it is left but the result.
class Runner final : public QObject
{
    Q_OBJECT

public:
    /// \p source is used for this run only and owned.
    explicit Runner(std::unique_ptr<RoundSource> source, QObject *parent = nullptr);

    void start(const diskwright::bench::TestSpec &test, const diskwright::bench::Target &target,
               const diskwright::bench::RunOptions &options);
    void cancel();

Q_SIGNALS:
    void preparing(quint64 writtenBytes, quint64 sizeBytes);
    void slotDone(const diskwright::bench::Slot &slot);
    void roundDone(int number, const diskwright::bench::Round &round);
    void finished(const diskwright::bench::RunResult &result);
    void failed(const diskwright::Error &error);
    void cancelled();

private:
    void nextRound();

    std::unique_ptr<RoundSource> m_source;
    TestSpec m_test{};
    RunOptions m_options;
    RunResult m_result;
};

} // namespace diskwright::bench
