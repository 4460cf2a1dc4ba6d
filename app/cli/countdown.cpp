// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/countdown.h"

#include "app/cli/reportjson.h"

#include <QEventLoop>
#include <QTimer>

#include <unistd.h>

namespace diskwright {

namespace {

enum class Answer { None, Yes, No, More };

constexpr std::chrono::seconds moreTime{60};

std::uint64_t secondsUntil(std::uint64_t deadlineBoottime)
{
    constexpr std::uint64_t second = 1'000'000'000U;
    const std::uint64_t now = boottimeNanoseconds();
    return deadlineBoottime > now ? (deadlineBoottime - now + second - 1) / second : 0;
}

Answer readAnswer()
{
    char line[64] = {};
    const ssize_t length = ::read(STDIN_FILENO, line, sizeof line - 1);
    const char first = length > 0 ? line[0] : 'n';
    if (first == 'm' || first == 'M')
        return Answer::More;
    return first == 'y' || first == 'Y' ? Answer::Yes : Answer::No;
}

Answer ask(CommandContext &context, HelperRun &run, std::uint64_t deadline)
{
    Answer answer = Answer::None;
    QEventLoop loop;
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &loop, [&] {
        answer = readAnswer();
        loop.quit();
    });
    QTimer tick;
    const auto show = [&] {
        const std::uint64_t left = secondsUntil(deadline);
        if (left == 0 || run.wasInterrupted()) {
            answer = run.wasInterrupted() ? Answer::No : answer;
            loop.quit();
            return;
        }
        context.print("\rDoes it work? Put back in " + std::to_string(left) +
                      " s. [y/N, m: one more minute] ");
    };
    QObject::connect(&tick, &QTimer::timeout, &loop, show);
    tick.start(200);
    show();
    loop.exec();
    context.print("\n");
    return answer;
}

} // namespace

ExitCode askWhetherItWorks(CommandContext &context, HelperRun &run, const ApplyReport &trial)
{
    const auto id = transactionIdFromHex(trial.transaction);
    std::uint64_t deadline = trial.deadlineBoottimeNanoseconds;
    Answer answer = ask(context, run, deadline);
    while (answer == Answer::More) {
        const ApplyReport prolonged =
            run.wait([&](ApplySession::Done done) { run.session().prolong(*id, moreTime, std::move(done)); });
        if (prolonged.call == CallState::Answered && prolonged.deadlineBoottimeNanoseconds != 0)
            deadline = prolonged.deadlineBoottimeNanoseconds;
        else
            static_cast<void>(printReport(context, prolonged)); // the countdown goes on and exits by its end
        answer = ask(context, run, deadline);
    }
    switch (answer) {
    case Answer::More:
    case Answer::None: context.print("Not confirmed: put back.\n"); return ExitCode::Done;
    case Answer::Yes:
        return printReport(
            context, run.wait([&](ApplySession::Done done) { run.session().confirm(*id, std::move(done)); }));
    case Answer::No:
        return printReport(
            context, run.wait([&](ApplySession::Done done) { run.session().end(*id, std::move(done)); }));
    }
    return ExitCode::Internal;
}

} // namespace diskwright
