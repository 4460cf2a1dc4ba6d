// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "currentfile.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace diskwright {

std::expected<CurrentFile, int> openCurrent(int directory, const std::string &name)
{
    // Each round needs one more replacement at the wrong moment. But in memory (/run) the name leads to the
    // old file for as long as whoever replaces it is held up half-way, which is when others need the
    // processor.
    constexpr int mostRounds = 500;
    constexpr int quickRounds = 10;
    constexpr timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
    CurrentFile current;
    for (int round = 0; round < mostRounds; ++round) {
        current.file = Descriptor(
            openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (!current.file.isOpen() || fstat(current.file.get(), &current.information) != 0)
            return std::unexpected(errno);
        if (current.information.st_nlink != 0)
            break;
        if (round >= quickRounds)
            nanosleep(&pause, nullptr);
    }
    return current;
}

} // namespace diskwright
