// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rescue.h"

#include "../contract/address.h"
#include "../contract/codec.h"
#include "restoreall.h"

#include <cstring>

namespace diskwright {

namespace {

std::string addressOf(const Journal &journal, const JournalItem &item)
{
    const SettingSpec &spec = *findSetting(item.setting);
    const JournalDevice *device = item.device ? &journal.devices[*item.device] : nullptr;
    // Of a disk that is not there only the id says which one was meant.
    const bool isAbsent = device && device->identity.diskseq == 0;
    const std::string target = !device ? "" : isAbsent ? device->id : device->identity.name;
    return toText(Address{spec.domain, target, std::string(spec.key)});
}

std::string reasonOf(const JournalItem &item)
{
    if (item.why == Errc::NoStableId)
        return "its disk is not the only one of its kind: restart";
    if (item.why == Errc::OutOfRange)
        return "the value before is out of range: restart";
    if (item.sysErrno != 0)
        return std::strerror(item.sysErrno);
    return item.after ? "it is " + printable(toText(*item.after)) : "can't be read";
}

void tell(RestoreReport &report, const Journal &journal, const JournalItem &item)
{
    const std::string address = addressOf(journal, item);
    switch (item.result) {
    case StepResult::Applied:
    case StepResult::Adjusted:
    case StepResult::RolledBack:
        report.done.push_back(address + '=' + toText(item.before.value_or(Value())) +
                              (item.wanted ? " (was " + printable(toText(*item.wanted)) + ')' : ""));
        return;
    case StepResult::Unchanged:
    case StepResult::NotAttempted: return;
    case StepResult::DeviceGone:
        report.done.push_back(address + ": its disk is not there, so there is nothing to put back");
        return;
    case StepResult::Stale:
    case StepResult::Rejected:
    case StepResult::Unsupported:
    case StepResult::RollbackFailed: report.failed.push_back(address + ": " + reasonOf(item)); return;
    }
}

} // namespace

RestoreReport restoreInRescueShell(const JournalStore &journals, const TransactionId &id)
{
    RestoreReport report;
    for (const std::string &line : journals.recover())
        report.done.push_back("interrupted or overdue: " + line);
    const auto plan = planRestore(journals);
    const bool keeps = plan && plan->keeps;
    const auto journal = restoreEverything(journals, id, 0, Unrecorded::GoOn);
    if (!journal) {
        report.failed.push_back("the records of this boot: " + journal.error().reason);
        const RestoreReport kept = restoreKept(journals.root());
        report.done.insert(report.done.end(), kept.done.begin(), kept.done.end());
        report.failed.insert(report.failed.end(), kept.failed.begin(), kept.failed.end());
        return report;
    }
    for (const JournalItem &item : journal->items) {
        // What the kernel disturbs and is only written again is nothing to tell, unless it failed.
        if (item.asked || item.result == StepResult::RollbackFailed)
            tell(report, *journal, item);
    }
    if (journal->kept)
        report.failed.push_back("kept files are left: " + std::string(name(journal->why)));
    else if (keeps)
        report.done.emplace_back("kept files removed");
    if (plan && plan->incomplete)
        report.failed.emplace_back("a record or the list of what is kept was damaged: restart");
    return report;
}

} // namespace diskwright
