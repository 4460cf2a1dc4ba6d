// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/countdown.h"

#include "app/cli/reportjson.h"

#include <QEventLoop>
#include <QSocketNotifier>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cerrno>

#include <termios.h>
#include <unistd.h>

namespace diskwright {

namespace {

using Answer = TrialAnswer;

constexpr std::chrono::seconds moreTime{60};

std::uint64_t secondsUntil(std::uint64_t deadlineBoottime)
{
    constexpr std::uint64_t second = 1'000'000'000U;
    const std::uint64_t now = boottimeNanoseconds();
    return deadlineBoottime > now ? (deadlineBoottime - now + second - 1) / second : 0;
}

/// A trial on the terminal. Other programs of the user may settle or prolong it meanwhile: what is told is
/// what became of it, not what is due.
class Countdown final
{
public:
    Countdown(CommandContext &context, HelperRun &run, const ApplyReport &trial, const TransactionId &id)
        : m_context(context)
        , m_run(run)
        , m_steps(trial.steps)
        , m_id(id)
        , m_deadline(trial.deadlineBoottimeNanoseconds)
    {
        const auto record = run.session().trial(id);
        m_hasRecord = record.has_value();
        if (record)
            m_steps = stepsOf(*record);
    }

    Answer ask()
    {
        Answer answer = Answer::None;
        QEventLoop loop;
        QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
        QObject::connect(&input, &QSocketNotifier::activated, &loop, [&] {
            answer = readAnswer(STDIN_FILENO);
            if (answer != Answer::None)
                loop.quit();
        });
        QTimer tick;
        const auto show = [&] {
            const bool isSettled = !look();
            const std::uint64_t left = secondsUntil(m_deadline);
            if (left == 0 || isSettled || m_run.wasInterrupted()) {
                answer = m_run.wasInterrupted() && !isSettled ? Answer::No : answer;
                loop.quit();
                return;
            }
            m_context.print("\rDoes it work? Put back in " + std::to_string(left) +
                            " s. [y/N, m: one more minute] ");
        };
        QObject::connect(&tick, &QTimer::timeout, &loop, show);
        tick.start(200);
        show();
        // What is so at once quits a loop that does not run yet.
        if (secondsUntil(m_deadline) > 0 && look() && !m_run.wasInterrupted())
            loop.exec();
        m_context.print("\n");
        return look() ? answer : Answer::None;
    }

    void prolong()
    {
        const ApplyReport prolonged = m_run.wait(
            [&](ApplySession::Done done) { m_run.session().prolong(m_id, moreTime, std::move(done)); });
        if (prolonged.call == CallState::Answered && prolonged.deadlineBoottimeNanoseconds != 0)
            m_deadline = prolonged.deadlineBoottimeNanoseconds;
        else if (!isOver(prolonged))
            static_cast<void>(printReport(m_context, prolonged)); // the countdown goes on
    }

    ExitCode settle(bool works)
    {
        const ApplyReport report = m_run.wait([&](ApplySession::Done done) {
            if (works)
                m_run.session().confirm(m_id, std::move(done));
            else
                m_run.session().end(m_id, std::move(done));
        });
        return isOver(report) ? tellEnd() : printReport(m_context, report);
    }

    ExitCode tellEnd()
    {
        if (secondsUntil(m_deadline) == 0)
            m_context.print("Not confirmed in time.\n");
        return printReport(m_context, m_run.wait([&](ApplySession::Done done) {
            m_run.session().awaitEnd(m_id, m_steps, std::move(done));
        }));
    }

private:
    static bool isOver(const ApplyReport &report)
    {
        return report.call == CallState::Answered && report.outcome == Outcome::Refused &&
               (report.why == Errc::Expired || report.why == Errc::UnknownTransaction);
    }

    /// Whether the trial is still there; takes over a deadline that another program gave it.
    bool look()
    {
        const auto record = m_run.session().trial(m_id);
        if (record)
            m_deadline = std::max(m_deadline, record->deadlineBoottimeNanoseconds);
        return record || !m_hasRecord;
    }

    CommandContext &m_context;
    HelperRun &m_run;
    std::vector<AppliedStep> m_steps;
    TransactionId m_id;
    std::uint64_t m_deadline = 0;
    bool m_hasRecord = false;
};

} // namespace

TrialAnswer answerIn(std::string_view line)
{
    const auto word = QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())).trimmed().toLower();
    if (word == u"m")
        return TrialAnswer::More;
    return word == u"y" || word == u"yes" ? TrialAnswer::Yes : TrialAnswer::No;
}

TrialAnswer readAnswer(int terminal)
{
    std::array<char, 64> line{};
    const ssize_t length = ::read(terminal, line.data(), line.size());
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return TrialAnswer::None;
    dropTyped(terminal);
    // The beginning of a longer line is no answer.
    if (length == std::ssize(line) && line.back() != '\n')
        return TrialAnswer::No;
    return answerIn({line.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))});
}

void dropTyped(int terminal)
{
    // In the background it would stop the whole program. On what is no terminal it fails, and nobody was
    // asked.
    const pid_t foreground = ::tcgetpgrp(terminal);
    if (foreground < 0 || foreground == ::getpgrp())
        static_cast<void>(::tcflush(terminal, TCIFLUSH));
}

ExitCode askWhetherItWorks(CommandContext &context, HelperRun &run, const ApplyReport &trial)
{
    const auto id = transactionIdFromHex(trial.transaction);
    if (!id)
        return ExitCode::Internal;
    Countdown countdown(context, run, trial, *id);
    dropTyped(STDIN_FILENO);
    for (;;) {
        switch (countdown.ask()) {
        case Answer::More: countdown.prolong(); break;
        case Answer::None: return countdown.tellEnd();
        case Answer::Yes: return countdown.settle(true);
        case Answer::No: return countdown.settle(false);
        }
    }
}

} // namespace diskwright
