// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner.h"

#include "schedule.h"

#include <format>

namespace diskwright::bench {

Result<void> check(const RunOptions &options)
{
    constexpr quint64 mebibyte = 1024 * 1024;
    if (options.rounds < 1 || options.rounds > 1000)
        return fail(Errc::OutOfRange, std::format("rounds {}", options.rounds), "not a number of rounds",
                    "1 to 1000");
    if (options.milliseconds < 100 || options.milliseconds > 600'000)
        return fail(Errc::OutOfRange, std::format("time {} ms", options.milliseconds),
                    "not a length of a round", "100 ms to 10 minutes");
    if (options.sizeBytes < mebibyte || options.sizeBytes > (quint64{64} << 30) ||
        options.sizeBytes % mebibyte != 0)
        return fail(Errc::OutOfRange, std::format("size {}", options.sizeBytes), "not a size for a test file",
                    "1 MiB to 64 GiB, whole MiB");
    return {};
}

Runner::Runner(std::unique_ptr<RoundSource> source, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
{
    connect(m_source.get(), &RoundSource::preparing, this, &Runner::preparing);
    connect(m_source.get(), &RoundSource::slotDone, this, &Runner::slotDone);
    connect(m_source.get(), &RoundSource::prepared, this, &Runner::nextRound);
    connect(m_source.get(), &RoundSource::failed, this, &Runner::failed);
    connect(m_source.get(), &RoundSource::cancelled, this, &Runner::cancelled);
    connect(m_source.get(), &RoundSource::roundDone, this, [this](const Round &round) {
        m_result.rounds.append(round);
        Q_EMIT roundDone(static_cast<int>(m_result.rounds.size()), round);
        nextRound();
    });
}

void Runner::start(const TestSpec &test, const Target &target, const RunOptions &options)
{
    m_test = test;
    m_options = options;
    m_result = {.id = RunResult::newId(),
                .time = QDateTime::currentDateTimeUtc(),
                .name = options.name,
                .test = QString::fromLatin1(test.id),
                .target = target.path,
                .stack = target.stackText(),
                .metric = test.metric,
                .rounds = {},
                .settings = {}};
    m_source->prepare(target, options.sizeBytes);
}

void Runner::cancel()
{
    if (m_source)
        m_source->cancel();
}

void Runner::nextRound()
{
    const auto done = static_cast<int>(m_result.rounds.size());
    if (done < m_options.rounds) {
        m_source->makeRound(m_test, m_options.milliseconds,
                            roundSeed(m_options.seed, static_cast<quint64>(done)));
    } else {
        // Ends the engine; from inside its signal only later.
        m_source.release()->deleteLater();
        Q_EMIT finished(m_result);
    }
}

} // namespace diskwright::bench
