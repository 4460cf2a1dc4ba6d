// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **)
{
    if (argc != 1) {
        std::fputs("engine: takes no arguments; requests come on the standard input (docs/measuring.md)\n",
                   stderr);
        return 2;
    }
    // It never outlives whoever started it. The end of the input says the same, should the parent have died
    // before this call.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A terminal's Ctrl+C goes to its whole foreground group. Whoever started this process ends it in order.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGQUIT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    diskwright::engine::Session(STDIN_FILENO, STDOUT_FILENO).run();
    return 0;
}
