// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/textagent.h"

#include "helper/access/descriptor.h"

#include <cerrno>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace diskwright {

namespace {

constexpr const char *agentPath = "/usr/bin/pkttyagent";
constexpr int registrationMilliseconds = 5000;

// Between fork and exec: only calls that are safe there.
[[noreturn]] void becomeAgent(int notifyEnd, const char *notifyText, const char *processText, pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent)
        ::_exit(1);
    // Ctrl+C is for the program; the agent ends when it does.
    ::signal(SIGINT, SIG_IGN);
    const int terminal = ::open("/dev/tty", O_RDWR);
    if (terminal >= 0) {
        ::dup2(terminal, STDIN_FILENO);
        ::dup2(terminal, STDOUT_FILENO);
        ::dup2(terminal, STDERR_FILENO);
    }
    ::fcntl(notifyEnd, F_SETFD, 0);
    // A desktop's agent goes first, but polkit finds out about it only through logind; without logind it does
    // not ask an agent of that kind at all.
    if (::access("/run/systemd/seats", F_OK) == 0)
        ::execl(agentPath, agentPath, "--process", processText, "--notify-fd", notifyText, "--fallback",
                nullptr);
    else
        ::execl(agentPath, agentPath, "--process", processText, "--notify-fd", notifyText, nullptr);
    ::_exit(127);
}

} // namespace

TextAgent::TextAgent()
{
    int ends[2];
    if (::access(agentPath, X_OK) != 0 || ::pipe2(ends, O_CLOEXEC) != 0)
        return;
    const Descriptor readEnd(ends[0]);
    Descriptor writeEnd(ends[1]);
    const std::string notifyText = std::to_string(writeEnd.get());
    const pid_t parent = ::getpid();
    const std::string processText = std::to_string(parent);
    m_process = ::fork();
    if (m_process == 0)
        becomeAgent(writeEnd.get(), notifyText.c_str(), processText.c_str(), parent);
    writeEnd.close();
    if (m_process < 0)
        return;
    // The agent closes its end once it is registered, or by dying.
    pollfd waiting{readEnd.get(), POLLIN, 0};
    while (::poll(&waiting, 1, registrationMilliseconds) < 0 && errno == EINTR) {
    }
}

TextAgent::~TextAgent()
{
    if (m_process <= 0)
        return;
    ::kill(m_process, SIGTERM);
    while (::waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace diskwright
