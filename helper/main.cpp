// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "service/helperservice.h"

#include <KAuth/HelperSupport>

#include <QTimer>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <syslog.h>
#include <unistd.h>

#include <linux/close_range.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace {

// Only what tells where the bus is survives; a bus or systemd started us, never a user.
void clearEnvironment()
{
    constexpr std::array kept{"DBUS_SYSTEM_BUS_ADDRESS", "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE"};
    std::array<std::string, kept.size()> values;
    for (std::size_t at = 0; at < kept.size(); ++at) {
        const char *value = std::getenv(kept[at]);
        values[at] = value ? value : "";
    }
    clearenv();
    // Qt complains in the log about any other.
    setenv("LC_ALL", "C.UTF-8", 1);
    for (std::size_t at = 0; at < kept.size(); ++at) {
        if (!values[at].empty())
            setenv(kept[at], values[at].c_str(), 1);
    }
    setenv("LC_ALL", "C", 1);
}

// KAuth sends messages to the bus, where everybody can read them.
void messagesToLog(QtMsgType, const QMessageLogContext &, const QString &text)
{
    syslog(LOG_WARNING, "%s", diskwright::printable(text.toStdString()).c_str());
}

} // namespace

int main(int argc, char **argv)
{
    if (geteuid() != 0)
        return EXIT_FAILURE;
    clearEnvironment();
    umask(0022);
    const rlimit noCore{.rlim_cur = 0, .rlim_max = 0};
    // Waiting calls hold descriptors of their callers, so ours must not run out with the usual 1,024.
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    if (chdir("/") != 0 || setrlimit(RLIMIT_CORE, &noCore) != 0 || setrlimit(RLIMIT_NOFILE, &files) != 0 ||
        close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC) != 0)
        return EXIT_FAILURE;
    // Detached keepers of deadlines are nobody's to wait for; a client's closed pipe is no reason to die.
    std::signal(SIGCHLD, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    openlog("diskwright-helper", LOG_PID, LOG_DAEMON);
    diskwright::HelperService::recover();
    diskwright::HelperService service;
    QMetaObject::invokeMethod(&service, [] { qInstallMessageHandler(messagesToLog); }, Qt::QueuedConnection);
    return KAuth::HelperSupport::helperMain(argc, argv, "org.diskwright.helper", &service);
}
