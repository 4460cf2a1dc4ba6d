// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helperservice.h"

#include "../executor/deadline.h"
#include "../persist/bootstore.h"
#include "../wire/reportcodec.h"
#include "../wire/requestcodec.h"
#include "audit.h"
#include "deadlinestarter.h"

#include <PolkitQt1/Authority>
#include <PolkitQt1/Subject>

#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusUnixFileDescriptor>

#include <fcntl.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

namespace diskwright {

namespace {

using namespace Qt::StringLiterals;

constexpr const char *stateFolder = "/var/lib/diskwright";
constexpr const char *runtimeFolder = "/run/diskwright";
constexpr unsigned int longestAnswerSeconds = 30;

// Everything that a call works on; opened anew each time, so that nothing lives only in memory.
struct Ground {
    SystemRoot root;
    StateDirectory state;
    std::optional<BootStore> kept;
    [[nodiscard]] JournalStore journals() const { return {root, state, kept ? &*kept : nullptr}; }
};

Result<Ground> openGround()
{
    auto root = SystemRoot::live();
    if (!root)
        return std::unexpected(root.error());
    auto state = StateDirectory::open(stateFolder, runtimeFolder);
    if (!state)
        return std::unexpected(state.error());
    auto kept = BootStore::live();
    return Ground{std::move(*root), std::move(*state), kept ? std::optional(std::move(*kept)) : std::nullopt};
}

struct Arguments {
    QByteArray request;
    std::optional<QDBusUnixFileDescriptor> cancel;
};

bool isPipesReadEnd(int fd)
{
    struct stat information = {};
    const int flags = fcntl(fd, F_GETFL);
    return fstat(fd, &information) == 0 && S_ISFIFO(information.st_mode) && flags >= 0 &&
           (flags & O_PATH) == 0 && (flags & O_ACCMODE) == O_RDONLY;
}

// Exactly the keys and types of docs/formats.md; nothing is converted.
std::optional<Arguments> readArguments(const QVariantMap &map)
{
    const QVariant request = map.value(u"request"_s);
    if (request.metaType() != QMetaType::fromType<QByteArray>())
        return std::nullopt;
    Arguments arguments{request.toByteArray(), std::nullopt};
    if (map.size() == 1)
        return arguments;
    const QVariant cancel = map.value(u"cancel"_s);
    if (map.size() != 2 || cancel.metaType() != QMetaType::fromType<QDBusUnixFileDescriptor>())
        return std::nullopt;
    arguments.cancel = cancel.value<QDBusUnixFileDescriptor>();
    if (!arguments.cancel->isValid() || !isPipesReadEnd(arguments.cancel->fileDescriptor()))
        return std::nullopt;
    return arguments;
}

bool polkitWouldAllow(const QString &sender, const QString &action)
{
    using PolkitQt1::Authority;
    // The call blocks, and the lock is held: a polkit that hangs must not keep deadlines from being met. To
    // die is harmless here, since nothing is written yet.
    alarm(longestAnswerSeconds);
    const auto answer = Authority::instance()->checkAuthorizationSync(
        u"org.diskwright.helper."_s + action, PolkitQt1::SystemBusNameSubject(sender), Authority::None);
    alarm(0);
    // A challenge is covered by the prompt of the plan.
    return !Authority::instance()->hasError() && (answer == Authority::Yes || answer == Authority::Challenge);
}

QString actionFor(ActionClass kind)
{
    switch (kind) {
    case ActionClass::Tune: return u"tune"_s;
    case ActionClass::Remount: return u"remount"_s;
    case ActionClass::Ata: return u"ata"_s;
    }
    return {};
}

KAuth::ActionReply refusal(Errc why)
{
    syslog(LOG_NOTICE, "refused: %s", std::string(name(why)).c_str());
    return KAuth::ActionReply::HelperErrorReply(static_cast<int>(why));
}

} // namespace

HelperService::HelperService()
    : m_watchdog(this)
{
}

void HelperService::recover()
{
    const auto ground = openGround();
    if (!ground) {
        syslog(LOG_ERR, "no state: %s: %s", ground.error().input.c_str(), ground.error().reason.c_str());
        return;
    }
    const auto journals = ground->journals();
    static_cast<void>(recoverAtStart(journals));
    const auto lock = ground->state.lock();
    if (lock && ground->kept && !ground->kept->repair())
        syslog(LOG_ERR, "kept files can't be repaired");
}

KAuth::ActionReply HelperService::tune(const QVariantMap &arguments)
{
    return answer(Action::Tune, arguments);
}

KAuth::ActionReply HelperService::persist(const QVariantMap &arguments)
{
    return answer(Action::Persist, arguments);
}

KAuth::ActionReply HelperService::plan(const QVariantMap &arguments)
{
    return answer(Action::Plan, arguments);
}

KAuth::ActionReply HelperService::settle(const QVariantMap &arguments)
{
    return answer(Action::Settle, arguments);
}

KAuth::ActionReply HelperService::answer(Action action, const QVariantMap &map)
{
    const auto arguments = readArguments(map);
    const auto request = arguments ? decodeRequest(arguments->request) : fail(Errc::Malformed);
    if (!request)
        return refusal(request.error().code);
    const QString sender = senderOfCall();
    const auto uid = sender.isEmpty() ? QDBusReply<uint>(QDBusError(QDBusError::Other, {}))
                                      : QDBusConnection::systemBus().interface()->serviceUid(sender);
    if (!uid.isValid())
        return refusal(Errc::Cancelled);
    const Caller caller{
        .uid = uid.value(),
        .action = action,
        .cancel = arguments->cancel ? arguments->cancel->fileDescriptor() : -1,
        .mayChange = [&](ActionClass kind) { return polkitWouldAllow(sender, actionFor(kind)); },
        .mayKeep = [&] { return polkitWouldAllow(sender, u"persist"_s); }};
    Report report;
    if (const auto ground = openGround()) {
        const auto journals = ground->journals();
        DeadlineStarter deadlines;
        report = Executor(journals, deadlines).run(*request, caller);
    } else {
        report.request = request->id;
        report.why = ground.error().code;
        report.sysErrno = ground.error().sysErrno;
    }
    syslog(LOG_NOTICE, "%s", auditLine(*request, caller, report).c_str());
    KAuth::ActionReply reply = KAuth::ActionReply::SuccessReply();
    reply.addData(u"report"_s, encode(report));
    return reply;
}

} // namespace diskwright
