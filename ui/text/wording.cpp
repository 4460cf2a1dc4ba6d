// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wording.h"

#include "format.h"

#include <QCoreApplication>
#include <QLocale>

#include <cerrno>
#include <system_error>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// Every switch here is over a closed list and has no default: a new code without words does not compile.
static QString codeText(Errc why)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("Reason", text); };
    switch (why) {
    case Errc::None: return {};
    case Errc::Malformed:
        return tr(QT_TRANSLATE_NOOP("Reason", "It could not be understood."));
    case Errc::UnsupportedVersion:
        return tr(QT_TRANSLATE_NOOP("Reason",
                                    "The window and its system part are of different versions. Start the "
                                    "program again after the update."));
    case Errc::UnknownSetting:
        return tr(QT_TRANSLATE_NOOP("Reason", "There is no such setting."));
    case Errc::UnknownTarget:
        return tr(QT_TRANSLATE_NOOP("Reason", "There is no such disk."));
    case Errc::OutOfRange:
        return tr(QT_TRANSLATE_NOOP("Reason", "The value is outside of what this setting accepts."));
    case Errc::NotOffered:
        return tr(QT_TRANSLATE_NOOP("Reason", "This kernel or disk does not offer it."));
    case Errc::NotAMultiple:
        return tr(QT_TRANSLATE_NOOP("Reason", "The value is not a multiple of the step."));
    case Errc::Conflict:
        return tr(QT_TRANSLATE_NOOP("Reason", "It contradicts another value."));
    case Errc::Stale:
        return tr(QT_TRANSLATE_NOOP("Reason", "Somebody else changed the value since it was shown here."));
    case Errc::DeviceChanged:
        return tr(QT_TRANSLATE_NOOP("Reason", "Another disk has this name now."));
    case Errc::Absent:
        return tr(QT_TRANSLATE_NOOP("Reason", "This setting does not exist on this kernel or disk."));
    case Errc::ReadOnly:
        return tr(QT_TRANSLATE_NOOP("Reason", "The kernel lets nobody change this value."));
    case Errc::Busy:
        return tr(QT_TRANSLATE_NOOP("Reason", "Another change, trial or measurement holds this disk."));
    case Errc::NotAuthorized:
        return tr(QT_TRANSLATE_NOOP("Reason", "It was not authorized."));
    case Errc::UnknownTransaction:
        return tr(QT_TRANSLATE_NOOP("Reason", "This change is not on record."));
    case Errc::WrongToken:
        return tr(QT_TRANSLATE_NOOP("Reason", "The trial belongs to another user or program."));
    case Errc::Expired:
        return tr(QT_TRANSLATE_NOOP("Reason", "The time was over already."));
    case Errc::DuplicateId:
        return tr(QT_TRANSLATE_NOOP("Reason", "This change was asked for twice; it was done once."));
    case Errc::StateFile:
        return tr(QT_TRANSLATE_NOOP("Reason", "The record of changes can't be read or written."));
    case Errc::FileChanged:
        return tr(QT_TRANSLATE_NOOP("Reason", "Somebody edited the file that is read at every start."));
    case Errc::NoStableId:
        return tr(QT_TRANSLATE_NOOP("Reason", "The disk has no serial number that is surely its own, so a "
                                              "value can't be set for it at every start."));
    case Errc::NeedsSystemd:
        return tr(QT_TRANSLATE_NOOP("Reason", "Values at every start need systemd and udev, and they are "
                                              "not running here."));
    case Errc::SwitchLimit:
        return tr(QT_TRANSLATE_NOOP("Reason", "The measurement has used all its switches."));
    case Errc::NotUndoable:
        return tr(QT_TRANSLATE_NOOP("Reason", "It ended with a restart; there is nothing to put back."));
    case Errc::Kernel:
        return tr(QT_TRANSLATE_NOOP("Reason", "The kernel refused it."));
    case Errc::Cancelled:
        return tr(QT_TRANSLATE_NOOP("Reason", "It was stopped."));
    case Errc::Internal:
        return tr(QT_TRANSLATE_NOOP("Reason", "An error inside the program."));
    }
    return {};
}

QString errnoText(int sysErrno)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("Errno", text); };
    switch (sysErrno) {
    case EINVAL: return tr(QT_TRANSLATE_NOOP("Errno", "invalid argument"));
    case EPERM:
    case EACCES: return tr(QT_TRANSLATE_NOOP("Errno", "not permitted"));
    case EBUSY: return tr(QT_TRANSLATE_NOOP("Errno", "in use"));
    case ENOENT:
    case ENODEV:
    case ENXIO: return tr(QT_TRANSLATE_NOOP("Errno", "no longer there"));
    case EIO: return tr(QT_TRANSLATE_NOOP("Errno", "input/output error"));
    case ENOSPC: return tr(QT_TRANSLATE_NOOP("Errno", "no space left"));
    case EROFS: return tr(QT_TRANSLATE_NOOP("Errno", "read-only"));
    case ENOMEM: return tr(QT_TRANSLATE_NOOP("Errno", "out of memory"));
    default: return QString::fromStdString(std::generic_category().message(sysErrno)).toLower();
    }
}

QString reasonText(Errc why, int sysErrno)
{
    const QString text = codeText(why);
    if (sysErrno == 0 || text.isEmpty())
        return text;
    if (why == Errc::Kernel)
        return QCoreApplication::translate("Reason", "The kernel refused it: %1.").arg(errnoText(sysErrno));
    return QCoreApplication::translate("Reason", "%1 (%2)").arg(text, errnoText(sysErrno));
}

QString errorText(const Error &error)
{
    QString text = reasonText(error.code, error.sysErrno);
    if (!error.input.empty())
        text = QCoreApplication::translate("Reason", "%1: %2").arg(toQString(error.input), text);
    if (!error.accepted.empty()) {
        text += u' ' + QCoreApplication::translate("Reason", "Accepted: %1.").arg(toQString(error.accepted));
    }
    return text;
}

QString stepText(const SettingSpec &spec, const Value &asked, StepResult result,
                 const std::optional<Value> &after, Errc why, int sysErrno)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("Step", text); };
    const QString wanted = valueText(spec, asked);
    const QString kept = after ? valueText(spec, *after) : QString();
    switch (result) {
    case StepResult::Applied: return tr(QT_TRANSLATE_NOOP("Step", "%1 applied.")).arg(wanted);
    case StepResult::Adjusted:
        return tr(QT_TRANSLATE_NOOP("Step", "Asked for %1, the kernel keeps %2.")).arg(wanted, kept);
    case StepResult::Unchanged: return tr(QT_TRANSLATE_NOOP("Step", "%1 already.")).arg(wanted);
    case StepResult::Stale:
        return tr(QT_TRANSLATE_NOOP("Step", "Left alone: somebody else changed it meanwhile."));
    case StepResult::Rejected:
        if (sysErrno != 0) {
            return tr(QT_TRANSLATE_NOOP("Step", "%1 refused by the kernel (%2)."))
                .arg(wanted, errnoText(sysErrno));
        }
        return tr(QT_TRANSLATE_NOOP("Step", "%1 refused. %2")).arg(wanted, reasonText(why)).trimmed();
    case StepResult::Unsupported: return tr(QT_TRANSLATE_NOOP("Step", "This kernel or disk does not have it."));
    case StepResult::DeviceGone: return tr(QT_TRANSLATE_NOOP("Step", "The disk is no longer there."));
    case StepResult::RolledBack:
        return kept.isEmpty() ? tr(QT_TRANSLATE_NOOP("Step", "Put back."))
                              : tr(QT_TRANSLATE_NOOP("Step", "Put back to %1.")).arg(kept);
    case StepResult::RollbackFailed:
        return kept.isEmpty() ? tr(QT_TRANSLATE_NOOP("Step", "Could not be put back."))
                              : tr(QT_TRANSLATE_NOOP("Step", "Could not be put back: it is %1 now.")).arg(kept);
    case StepResult::NotAttempted: return tr(QT_TRANSLATE_NOOP("Step", "Not tried."));
    }
    return {};
}

QString outcomeText(Outcome outcome, int steps, Errc why, int sysErrno)
{
    const auto tr = [](const char *text, int n = -1) {
        return QCoreApplication::translate("Outcome", text, nullptr, n);
    };
    const QString reason = reasonText(why, sysErrno);
    switch (outcome) {
    case Outcome::Applied: return tr(QT_TRANSLATE_N_NOOP("Outcome", "%n change(s) applied."), steps);
    case Outcome::Adjusted:
        return tr(QT_TRANSLATE_NOOP("Outcome", "Applied; the kernel keeps other values than asked for."));
    case Outcome::Trial:
        return tr(QT_TRANSLATE_N_NOOP("Outcome", "%n change(s) applied on trial."), steps);
    case Outcome::Unchanged: return tr(QT_TRANSLATE_NOOP("Outcome", "Everything was so already."));
    case Outcome::Refused:
        return tr(QT_TRANSLATE_NOOP("Outcome", "Nothing was changed. %1")).arg(reason).trimmed();
    case Outcome::NotAuthorized: return tr(QT_TRANSLATE_NOOP("Outcome", "Nothing was changed: it was not authorized."));
    case Outcome::RolledBack:
        return tr(QT_TRANSLATE_NOOP("Outcome", "Nothing is changed: a step failed and the others were put back."));
    case Outcome::RollbackFailed:
        return tr(QT_TRANSLATE_NOOP("Outcome", "A step failed, and not everything could be put back."));
    case Outcome::Busy:
        return tr(QT_TRANSLATE_NOOP("Outcome", "Nothing was changed: another change, trial or measurement is "
                                               "going on."));
    case Outcome::Confirmed: return tr(QT_TRANSLATE_NOOP("Outcome", "The trial is over: it works."));
    case Outcome::Prolonged: return tr(QT_TRANSLATE_NOOP("Outcome", "The trial goes on."));
    case Outcome::Ended: return tr(QT_TRANSLATE_N_NOOP("Outcome", "%n change(s) put back."), steps);
    case Outcome::Kept: return tr(QT_TRANSLATE_NOOP("Outcome", "It will be set at every start."));
    case Outcome::Forgotten: return tr(QT_TRANSLATE_NOOP("Outcome", "It is no longer set at every start."));
    case Outcome::Undone: return tr(QT_TRANSLATE_N_NOOP("Outcome", "%n change(s) put back."), steps);
    case Outcome::LeaseHeld: return tr(QT_TRANSLATE_NOOP("Outcome", "The measurement may switch values."));
    }
    return {};
}

QString outcomeWord(Outcome outcome)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("OutcomeWord", text); };
    switch (outcome) {
    case Outcome::Applied: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "applied"));
    case Outcome::Adjusted: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "applied, adjusted by the kernel"));
    case Outcome::Trial: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "on trial"));
    case Outcome::Unchanged: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "so already"));
    case Outcome::Refused: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "refused"));
    case Outcome::NotAuthorized: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "not authorized"));
    case Outcome::RolledBack: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "failed, put back"));
    case Outcome::RollbackFailed: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "failed, partly put back"));
    case Outcome::Busy: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "busy"));
    case Outcome::Confirmed: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "tried and confirmed"));
    case Outcome::Prolonged: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "on trial"));
    case Outcome::Ended: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "put back"));
    case Outcome::Kept: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "set at every start"));
    case Outcome::Forgotten: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "no longer at every start"));
    case Outcome::Undone: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "put back"));
    case Outcome::LeaseHeld: return tr(QT_TRANSLATE_NOOP("OutcomeWord", "measuring"));
    }
    return {};
}

QString riskText(Risk risk)
{
    switch (risk) {
    case Risk::Safe: return QCoreApplication::translate("Risk", "Risk: none, undone at any time.");
    case Risk::Caution: return QCoreApplication::translate("Risk", "Risk: may make things slower or stop a program.");
    case Risk::DataLoss: return QCoreApplication::translate("Risk", "Risk: may lose data at a power cut or crash.");
    }
    return {};
}

} // namespace diskwright::ui
