// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/describe.h"

#include "app/apply/trialend.h"

#include "helper/contract/catalogue.h"
#include "helper/contract/limits.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

using namespace Qt::StringLiterals;

namespace diskwright {

namespace {

// The texts are collected under the namespace that this function stands in.
QString tr(const char *text, int count = -1)
{
    return QCoreApplication::translate("diskwright", text, nullptr, count);
}

QString kernelWords(int sysErrno)
{
    return QString::fromStdString(std::generic_category().message(sysErrno));
}

QString withReason(const QString &sentence, int sysErrno)
{
    return sysErrno == 0 ? sentence : sentence + u" ("_s + kernelWords(sysErrno) + u')';
}

QString valueText(const AppliedStep &step, const std::optional<Value> &value)
{
    const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
    if (!value)
        return tr("not known");
    return spec ? describe(*spec, *value) : QString::fromStdString(toText(*value));
}

// "queue:sda:nr_requests = 64"; the name alone where the value is not known.
QString settingAndValue(const Address &address, const std::optional<Value> &value)
{
    const SettingSpec *spec = findSetting(address.domain, address.key);
    return QString::fromStdString(toText(address)) +
           (spec && value ? u" = "_s + describe(*spec, *value) : QString());
}

QString reasonOf(const ApplyReport &report)
{
    return report.why == Errc::None ? QString() : u' ' + describe(report.why, report.sysErrno);
}

QString keptSentence(const ApplyReport &report)
{
    return report.keptFor ? tr("It will be so at every start, for %1.").arg(everyDiskOf(*report.keptFor))
                          : tr("It will be so at every start.");
}

QString keepSentence(const ApplyReport &report)
{
    if (report.kept)
        return u' ' + keptSentence(report);
    if (report.keepWhy != Errc::None)
        return u' ' +
               tr("It will not be so at the next start: %1").arg(describe(report.keepWhy, report.sysErrno));
    return {};
}

QString describeDenial(const ApplyReport &report)
{
    switch (report.denial) {
    case Denial::NoPolkit:
        return tr(
            "Not authorized; nothing was changed. polkit, which decides who may do this, does not answer.");
    case Denial::NotAnswered:
        return tr(
            "Not authorized; nothing was changed. Nobody answered the question for a password within two "
            "minutes.");
    case Denial::Refused: break;
    }
    return report.agentMayBeMissing
               ? tr("Not authorized; nothing was changed. Nobody was asked for a password: no password "
                    "agent may be running here. From a remote shell, use sudo diskwrightctl.")
               : tr("Not authorized; nothing was changed.");
}

// A trial that nobody overruled leaves no stale step.
QString describeConfirmed(const ApplyReport &report)
{
    const auto others = std::ranges::count(report.steps, StepResult::Stale, &AppliedStep::result);
    if (others == 0)
        return tr("Confirmed: it stays so until restart.") + keepSentence(report);
    return (static_cast<std::size_t>(others) == report.steps.size()
                ? tr("Confirmed, but nothing of it is so any more: see the single settings.")
                : tr("Confirmed, but not everything is so any more: see the single settings.")) +
           keepSentence(report);
}

// A banner shows no single settings, so it names them.
QString describeEnded(const ApplyReport &report)
{
    QStringList left, changed, gone;
    for (const AppliedStep &step : report.steps) {
        if (step.result == StepResult::DeviceGone)
            gone << QString::fromStdString(toText(step.address));
        else if (step.result == StepResult::Stale)
            (step.changedSince ? changed : left) << settingAndValue(step.address, step.after);
    }
    const bool isAnyBack =
        report.steps.empty() || static_cast<std::size_t>(left.size() + gone.size()) < report.steps.size();
    QStringList sentences;
    if (left.isEmpty())
        sentences << (isAnyBack ? tr("Put back.") : tr("Nothing was put back."));
    else
        sentences << (isAnyBack ? tr("Put back, except what somebody else has changed: %1.")
                                : tr("Nothing was put back, since somebody else has changed it: %1."))
                         .arg(left.join(u", "_s));
    if (!gone.isEmpty())
        sentences << tr("Gone with its disk: %1.").arg(gone.join(u", "_s));
    if (!changed.isEmpty())
        sentences << tr("Changed again since by somebody else: %1.").arg(changed.join(u", "_s));
    return sentences.join(u' ');
}

QString describeUndone(const ApplyReport &report)
{
    if (report.kept && report.keepWhy != Errc::None)
        return tr("Undone now, but it is still set at every start: %1")
            .arg(describe(report.keepWhy, report.sysErrno));
    if (report.kept)
        return tr("Undone until the next start, which sets it again.");
    if (report.stopsKeeping && report.keepWhy == Errc::None)
        return tr("Undone, and no longer set at every start.");
    return report.restoresAll ? tr("Everything was put back.") : tr("Undone.");
}

QString describeRefused(const ApplyReport &report)
{
    if (!report.mostMore)
        return tr("Nothing was changed.") + reasonOf(report);
    const auto most = std::chrono::duration_cast<std::chrono::minutes>(limits::longestProlongedTrial);
    const QString limit =
        tr("Nothing was changed: a trial lasts %n minutes at most.", static_cast<int>(most.count()));
    return *report.mostMore < limits::shortestTrial
               ? limit + u' ' + tr("This one can't be prolonged any more.")
               : limit + u' ' +
                     tr("This one can be prolonged by %n seconds from now.",
                        static_cast<int>(report.mostMore->count()));
}

QString describeOutcome(const ApplyReport &report)
{
    switch (report.outcome) {
    case Outcome::Applied: return tr("Applied.") + keepSentence(report);
    case Outcome::Adjusted:
        return tr("Applied; the kernel keeps another value than asked for.") + keepSentence(report);
    case Outcome::Trial: return tr("On trial: everything is put back unless you confirm that it works.");
    case Outcome::Unchanged:
        if (report.restoresAll)
            return tr("There is nothing to put back.");
        return tr("Nothing to change: it is so already.") + keepSentence(report);
    case Outcome::Refused: return describeRefused(report);
    case Outcome::NotAuthorized: return describeDenial(report);
    case Outcome::RolledBack: return tr("Failed, and everything was put back.") + reasonOf(report);
    case Outcome::RollbackFailed:
        return tr("Failed, and not everything could be put back: see the single settings.") +
               reasonOf(report) +
               (report.restoresAll && report.kept ? u' ' + tr("What is set at every start is still there.")
                                                  : QString());
    case Outcome::Busy: return tr("Another change or measurement is running; nothing was changed.");
    case Outcome::Confirmed: return describeConfirmed(report);
    case Outcome::Prolonged: return tr("The trial goes on.");
    case Outcome::Ended: return describeEnded(report);
    case Outcome::Kept: return keptSentence(report);
    case Outcome::Forgotten: return tr("It will no longer be so at every start; now nothing changes.");
    case Outcome::Undone: return describeUndone(report);
    case Outcome::LeaseHeld: return tr("Measuring may switch the settings.");
    }
    return {};
}

QString whatToDoWhenDenied(const ApplyReport &report)
{
    switch (report.denial) {
    case Denial::NoPolkit: return tr("Try again; if it stays so, look at: systemctl status polkit");
    case Denial::NotAnswered: return tr("Try again, and answer the question for a password.");
    case Denial::Refused: break;
    }
    // Where an agent may be missing, the text itself names the way.
    return report.agentMayBeMissing
               ? QString()
               : tr("Give the password of somebody who may, or let an administrator do it with sudo.");
}

QString whatToDoWithStateFile(int sysErrno)
{
    if (sysErrno == ENOSPC || sysErrno == EDQUOT)
        return tr("Make room on the disk of /var and try again.");
    return sysErrno == 0 ? QString() : tr("Look at: journalctl -u diskwright-helper");
}

// Who runs it can't be seen: a trial is in the history only once it is over.
QString whatToDoWhenBusy()
{
    return tr("Try again when it is over. A trial ends by itself, within %n minutes at most; those of other "
              "users can't be seen from here.",
              static_cast<int>(
                  std::chrono::duration_cast<std::chrono::minutes>(limits::longestProlongedTrial).count()));
}

QString whatToDoWhenRefused(Errc why, int sysErrno)
{
    if (why == Errc::Stale)
        return tr("Look at what is so now and decide again.");
    if (why == Errc::DeviceChanged || why == Errc::UnknownTarget)
        return tr("Read again which disks are there, and choose the one that you mean.");
    if (why == Errc::Kernel && sysErrno == ETIMEDOUT)
        return tr("Wait until the disk answers, or unplug it.");
    if (why == Errc::StateFile)
        return whatToDoWithStateFile(sysErrno);
    if (why == Errc::Expired || why == Errc::UnknownTransaction)
        return tr("See in the history what became of it.");
    return {};
}

QString whatToDoWhenRolledBack(const ApplyReport &report)
{
    if (report.why == Errc::Cancelled || report.why == Errc::Internal)
        return {};
    if (report.why == Errc::StateFile)
        return whatToDoWithStateFile(report.sysErrno);
    return report.why == Errc::DeviceChanged ? tr("Try again without the disk that is gone.")
                                             : tr("Try again without the setting that failed.");
}

} // namespace

QString whatToDo(const ApplyReport &report)
{
    if (report.tokenNotSaved)
        return tr("Make room in your home folder, or make it writable, and try again.");
    switch (report.call) {
    case CallState::NotAuthorized: return whatToDoWhenDenied(report);
    case CallState::Busy: return whatToDoWhenBusy();
    case CallState::HelperMissing:
        return tr("Install the package again, or look at: systemctl status diskwright-helper");
    case CallState::Incompatible: return tr("Close the program and start it again: it was upgraded.");
    case CallState::Unknown:
        return report.endNotRecorded
                   ? tr("What is still open is put back as soon as anything is changed or undone.")
                   : tr("What was half done is put back by itself; once it is over, the history shows what "
                        "was "
                        "done.");
    case CallState::Answered: break;
    }
    if (report.outcome == Outcome::NotAuthorized)
        return whatToDoWhenDenied(report);
    if (report.outcome == Outcome::Busy)
        return whatToDoWhenBusy();
    if (report.outcome == Outcome::Refused)
        return whatToDoWhenRefused(report.why, report.sysErrno);
    if (report.outcome == Outcome::Undone && report.keepWhy == Errc::StateFile)
        return whatToDoWithStateFile(report.sysErrno);
    if (report.outcome == Outcome::RollbackFailed)
        return tr("Put everything back once more; a restart ends all that is not set at every start.");
    return report.outcome == Outcome::RolledBack ? whatToDoWhenRolledBack(report) : QString();
}

static QString valuesNow(const EndedTrial &trial)
{
    QStringList now;
    for (std::size_t at = 0; at < trial.record.items.size(); ++at) {
        AppliedStep step;
        step.address = trial.record.items[at].address;
        now << QString::fromStdString(toText(step.address)) + u" = "_s +
                   valueText(step, at < trial.now.size() ? trial.now[at] : std::nullopt);
    }
    return now.join(u", "_s);
}

QString describe(const EndedTrial &trial)
{
    const QString time = QLocale().toString(timeOfEnd(trial), QLocale::ShortFormat);
    if (trial.outcome == Outcome::RollbackFailed)
        return tr("A trial ended at %1 while nobody was waiting for it. Not everything could be put back: "
                  "see "
                  "the history.")
            .arg(time);
    if (trial.outcome != Outcome::Ended && trial.outcome != Outcome::RolledBack)
        return {};
    if (!trial.isProven)
        return tr("A trial was over at %1 while nobody was waiting for it; its end was not recorded. Now: "
                  "%2.")
            .arg(time, valuesNow(trial));
    const TrialParts parts = partsOf(trial);
    QStringList back;
    QStringList left;
    QStringList gone;
    for (const TrialRecord::Item *item : parts.back)
        back << settingAndValue(item->address, item->before);
    for (const auto &[item, now] : parts.left)
        left << settingAndValue(item->address, now);
    for (const TrialRecord::Item *item : parts.gone)
        gone << QString::fromStdString(toText(item->address));
    QStringList sentences{tr("A trial ended at %1 while nobody was waiting for it.").arg(time)};
    if (!back.isEmpty())
        sentences << tr("Put back: %1.").arg(back.join(u", "_s));
    if (!left.isEmpty())
        sentences << (back.isEmpty() ? tr("Nothing was put back, since somebody else has changed it: %1.")
                                     : tr("Left, since somebody else has changed it: %1."))
                         .arg(left.join(u", "_s));
    if (!gone.isEmpty())
        sentences << tr("Gone with its disk: %1.").arg(gone.join(u", "_s));
    return sentences.join(u' ');
}

QString describe(const SettingSpec &spec, const Value &value)
{
    const auto *integer = std::get_if<std::int64_t>(&value);
    if (!integer)
        return QString::fromStdString(std::get<std::string>(value));
    const QString text = QLocale().toString(static_cast<qlonglong>(*integer));
    const auto *range = std::get_if<Range>(&spec.accepts);
    const QString unit = range ? QString::fromUtf8(name(range->unit)) : QString();
    return unit.isEmpty() ? text : text + u'\u00a0' + unit;
}

QString everyDiskOf(DiskClass kind)
{
    switch (kind) {
    case DiskClass::UsbRemovable: return tr("every removable USB disk");
    case DiskClass::SataRotational: return tr("every SATA hard disk");
    case DiskClass::SataSolidState: return tr("every SATA solid-state disk");
    case DiskClass::Nvme: return tr("every NVMe disk");
    case DiskClass::Mmc: return tr("every memory card");
    }
    return {};
}

QString describe(Errc why, int sysErrno)
{
    switch (why) {
    case Errc::None: return {};
    case Errc::Malformed: return tr("The value or request is malformed.");
    case Errc::UnsupportedVersion:
        return tr("The helper is of another version than this program: restart the program.");
    case Errc::UnknownSetting: return tr("There is no such setting.");
    case Errc::UnknownTarget: return tr("There is no such disk.");
    case Errc::OutOfRange: return tr("The value is outside the accepted range.");
    case Errc::NotOffered: return tr("This kernel or disk does not offer it.");
    case Errc::NotAMultiple: return tr("The value is not a multiple of the step.");
    case Errc::Conflict: return tr("The value contradicts another one.");
    case Errc::Stale: return tr("The value is no longer the one you saw: somebody else changed it.");
    case Errc::DeviceChanged: return tr("The disk is no longer the one you saw: it was plugged in again.");
    case Errc::Absent: return tr("This kernel or disk does not have the setting.");
    case Errc::ReadOnly: return tr("The kernel does not let anyone change it.");
    case Errc::Busy: return tr("Another change or measurement is running.");
    case Errc::NotAuthorized: return tr("You may not change this.");
    case Errc::UnknownTransaction: return tr("There is no such change, or it is over.");
    case Errc::WrongToken: return tr("It belongs to another user or program.");
    case Errc::Expired: return tr("The time is over, or the system was restarted since.");
    case Errc::DuplicateId: return tr("This change was asked for twice.");
    case Errc::StateFile: return withReason(tr("A file of Diskwright can't be read or written."), sysErrno);
    case Errc::FileChanged:
        return tr("The file with what is set at every start was edited by somebody else.");
    case Errc::NoStableId:
        return tr("The disk has no name of its own by which it would be known again at the next start.");
    case Errc::NeedsSystemd: return tr("Setting things at every start needs systemd and udev.");
    case Errc::SwitchLimit: return tr("The measurement has used up its switches.");
    case Errc::NotUndoable: return tr("It can't be undone any more.");
    case Errc::Kernel:
        if (sysErrno == ETIMEDOUT)
            return tr("The disk does not answer.");
        return withReason(tr("The kernel refused it."), sysErrno);
    case Errc::Cancelled: return tr("It was stopped.");
    case Errc::NotOfClass:
        return tr("It can't be kept for a class of disks: the disk is of none or holds this system, the "
                  "disks are of "
                  "several classes, or classes go by this very setting.");
    case Errc::Internal: return withReason(tr("An error in Diskwright."), sysErrno);
    }
    return {};
}

static QString describeStale(const AppliedStep &step)
{
    if (step.why != Errc::None && step.why != Errc::Stale)
        return describe(step.why, step.sysErrno);
    const auto &expected = step.expected ? step.expected : step.before;
    if (!step.after)
        return tr("Somebody else has changed it since.");
    return !expected || expected == step.after
               ? tr("It is %1 now: somebody else changed it.").arg(valueText(step, step.after))
               : tr("Now %1, and no longer %2: somebody else changed it.")
                     .arg(valueText(step, step.after), valueText(step, expected));
}

QString describe(const AppliedStep &step)
{
    if (step.forgotten)
        return tr("No longer set at every start.");
    switch (step.result) {
    case StepResult::Applied: return tr("%1 applied.").arg(valueText(step, step.after));
    case StepResult::Adjusted:
        return tr("Asked for %1, the kernel keeps %2.")
            .arg(valueText(step, step.requested), valueText(step, step.after));
    case StepResult::Unchanged:
        return tr("%1 already.").arg(valueText(step, step.after ? step.after : step.requested));
    case StepResult::Stale: return describeStale(step);
    case StepResult::Rejected:
        if (step.sysErrno == ETIMEDOUT)
            return describe(Errc::Kernel, step.sysErrno);
        return step.sysErrno != 0 ? tr("Refused by the kernel: %1.").arg(kernelWords(step.sysErrno))
                                  : describe(step.why == Errc::None ? Errc::Kernel : step.why);
    case StepResult::Unsupported:
        // Only putting back what an earlier start left meets these.
        if (step.why == Errc::OutOfRange || step.why == Errc::NoStableId)
            return describeObstacle(step.why);
        return describe(step.why == Errc::None ? Errc::Absent : step.why, step.sysErrno);
    case StepResult::DeviceGone: return tr("The disk is gone.");
    case StepResult::RolledBack:
        return step.after ? tr("Put back to %1.").arg(valueText(step, step.after)) : tr("Put back.");
    case StepResult::RollbackFailed:
        if (step.sysErrno == ETIMEDOUT)
            return tr("Not put back yet: the disk does not answer. It is put back when it does.");
        return step.after
                   ? withReason(tr("Could not be put back: it is %1 now.").arg(valueText(step, step.after)),
                                step.sysErrno)
                   : withReason(tr("Could not be put back."), step.sysErrno);
    case StepResult::NotAttempted:
        if (step.why == Errc::Stale)
            return tr("Somebody else has changed it since.");
        return step.after ? tr("It is %1 now.").arg(valueText(step, step.after)) : tr("Not attempted.");
    }
    return {};
}

QString describeObstacle(Errc why)
{
    return tr("Can't be put back now: it needs a restart.") + u' ' + describe(why);
}

QString describe(const Caution &caution)
{
    const auto count = static_cast<int>(caution.others.size());
    switch (caution.kind) {
    case CautionKind::ResetsOthers:
        return count == 1 ? tr("resets another value of this disk")
                          : tr("resets %n values of this disk", count);
    case CautionKind::ResetsPair:
        return caution.others.empty()
                   ? QString()
                   : tr("sets %1 to 0").arg(QString::fromStdString(caution.others.front().key));
    case CautionKind::AfterReset: return tr("after the reset");
    case CautionKind::MustBeTrial: return tr("holds this system: always a trial first");
    case CautionKind::MayBeAdjusted: return tr("the kernel may keep a neighbouring value");
    case CautionKind::RowRisk: return tr("with care: read what it does first");
    }
    return {};
}

QString describe(const ApplyReport &report)
{
    if (report.tokenNotSaved)
        return withReason(tr("Nothing was changed: the proof that this change is yours can't be saved."),
                          report.sysErrno);
    switch (report.call) {
    case CallState::Answered:
    case CallState::NotAuthorized:
    case CallState::Busy: return describeOutcome(report);
    case CallState::HelperMissing:
        return tr("Nothing was changed: the helper of Diskwright can't be started here.");
    case CallState::Incompatible:
        return tr("Nothing was changed: the helper is of another version than this program.");
    case CallState::Unknown:
        if (report.endNotRecorded)
            return tr("The trial is over, but its end was not recorded: whether everything was put back is "
                      "not known. What is so now was read again.");
        if (report.givenUp)
            return tr(
                "The helper's answer was not waited for: it is not known what was done, nor what it will "
                "do. What is so now was read again.");
        return tr("The helper's answer was lost: it is not known what was done. What is so now was read "
                  "again.");
    }
    return {};
}

std::string outcomeWord(const ApplyReport &report)
{
    switch (report.call) {
    case CallState::Answered: return std::string(name(report.outcome));
    case CallState::NotAuthorized: return "not-authorized";
    case CallState::Busy: return "busy";
    case CallState::HelperMissing:
    case CallState::Incompatible: return "refused";
    case CallState::Unknown: return "unknown";
    }
    return "unknown";
}

int exitCode(const ApplyReport &report)
{
    switch (report.call) {
    case CallState::NotAuthorized: return 4;
    case CallState::Busy: return 7;
    case CallState::HelperMissing:
    case CallState::Incompatible: return 1;
    case CallState::Unknown: return 6;
    case CallState::Answered: break;
    }
    // Applied, but not kept as asked: done it is not.
    if (report.keepWhy != Errc::None && report.outcome != Outcome::Refused &&
        report.outcome != Outcome::RollbackFailed)
        return 1;
    // It was confirmed or put back, but somebody else had changed it.
    if ((report.outcome == Outcome::Confirmed || report.outcome == Outcome::Ended) &&
        report.why == Errc::Stale)
        return 8;
    switch (report.outcome) {
    case Outcome::Applied:
    case Outcome::Adjusted:
    case Outcome::Trial:
    case Outcome::Unchanged:
    case Outcome::Confirmed:
    case Outcome::Prolonged:
    case Outcome::Ended:
    case Outcome::Kept:
    case Outcome::Forgotten:
    case Outcome::Undone:
    case Outcome::LeaseHeld: return 0;
    case Outcome::Refused: return 3;
    case Outcome::NotAuthorized: return 4;
    case Outcome::RolledBack: return 5;
    case Outcome::RollbackFailed: return 6;
    case Outcome::Busy: return 7;
    }
    return 1;
}

} // namespace diskwright
