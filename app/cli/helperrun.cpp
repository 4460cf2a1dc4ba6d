// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/helperrun.h"

#include "app/apply/describe.h"

#include <QEventLoop>

#include <array>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace diskwright {

namespace {

// Written to by the signal handler, read by the event loop.
std::array<int, 2> interruptPipe{-1, -1};

void onInterrupt(int)
{
    const char byte = 0;
    static_cast<void>(!::write(interruptPipe[1], &byte, 1));
}

void watchInterrupts()
{
    if (interruptPipe[0] < 0 && ::pipe2(interruptPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    struct sigaction action{};
    action.sa_handler = onInterrupt;
    ::sigaction(SIGINT, &action, nullptr);
}

} // namespace

std::vector<std::string> endedTrials(ApplySession &session)
{
    std::vector<std::string> lines;
    for (const EndedTrial &trial : session.resume()) {
        const std::string line = trial.record.lease ? std::string() : describe(trial).toStdString();
        if (!line.empty())
            lines.push_back(line);
    }
    return lines;
}

bool isInteractive()
{
    return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
}

HelperRun::HelperRun(Prompt prompt)
{
    if (!QCoreApplication::instance())
        m_application = std::make_unique<QCoreApplication>(m_argumentCount, m_arguments);
    // root needs no password, and without a terminal there is nobody to type one.
    if (prompt == Prompt::MayAsk && ::geteuid() != 0 && ::isatty(STDIN_FILENO) == 1)
        m_agent = std::make_unique<TextAgent>();
    m_client = std::make_unique<HelperClient>();
    m_session = std::make_unique<ApplySession>(*m_client, m_store);
    watchInterrupts();
    if (interruptPipe[0] < 0)
        return;
    m_interrupts = std::make_unique<QSocketNotifier>(interruptPipe[0], QSocketNotifier::Read);
    QObject::connect(m_interrupts.get(), &QSocketNotifier::activated, m_interrupts.get(), [this] {
        char byte = 0;
        while (::read(interruptPipe[0], &byte, 1) > 0) {
        }
        if (std::exchange(m_interrupted, true)) {
            // A helper that does not answer must not hold the terminal; a third time ends the program.
            ::signal(SIGINT, SIG_DFL);
            m_session->giveUp();
            if (m_onAbandon)
                m_onAbandon();
            return;
        }
        m_session->cancel();
        if (m_onInterrupt)
            m_onInterrupt();
    });
}

HelperRun::~HelperRun()
{
    ::signal(SIGINT, SIG_DFL);
}

ApplyReport HelperRun::wait(const std::function<void(ApplySession::Done)> &call)
{
    QEventLoop loop;
    ApplyReport answer;
    call([&](const ApplyReport &report) {
        answer = report;
        loop.quit();
    });
    loop.exec();
    return answer;
}

} // namespace diskwright
