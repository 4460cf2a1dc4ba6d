// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wording.h"

#include "app/settings/shown.h"
#include "ui/text/format.h"

#include <QCoreApplication>

namespace diskwright::ui {

// Every switch here is over a closed list and has no default: a new code without words does not compile.
QString outcomeWord(Outcome outcome)
{
    const auto say = [](const char *text) { return QCoreApplication::translate("OutcomeWord", text); };
    switch (outcome) {
    case Outcome::Applied: return say(QT_TRANSLATE_NOOP("OutcomeWord", "applied"));
    case Outcome::Adjusted: return say(QT_TRANSLATE_NOOP("OutcomeWord", "applied, adjusted by the kernel"));
    case Outcome::Trial: return say(QT_TRANSLATE_NOOP("OutcomeWord", "on trial"));
    case Outcome::Unchanged: return say(QT_TRANSLATE_NOOP("OutcomeWord", "so already"));
    case Outcome::Refused: return say(QT_TRANSLATE_NOOP("OutcomeWord", "refused"));
    case Outcome::NotAuthorized: return say(QT_TRANSLATE_NOOP("OutcomeWord", "not authorized"));
    case Outcome::RolledBack: return say(QT_TRANSLATE_NOOP("OutcomeWord", "failed, put back"));
    case Outcome::RollbackFailed: return say(QT_TRANSLATE_NOOP("OutcomeWord", "failed, partly put back"));
    case Outcome::Busy: return say(QT_TRANSLATE_NOOP("OutcomeWord", "busy"));
    case Outcome::Confirmed: return say(QT_TRANSLATE_NOOP("OutcomeWord", "tried and confirmed"));
    case Outcome::Prolonged: return say(QT_TRANSLATE_NOOP("OutcomeWord", "on trial"));
    case Outcome::Ended: return say(QT_TRANSLATE_NOOP("OutcomeWord", "put back"));
    case Outcome::Kept: return say(QT_TRANSLATE_NOOP("OutcomeWord", "set at every start"));
    case Outcome::Forgotten: return say(QT_TRANSLATE_NOOP("OutcomeWord", "no longer at every start"));
    case Outcome::Undone: return say(QT_TRANSLATE_NOOP("OutcomeWord", "put back"));
    case Outcome::LeaseHeld: return say(QT_TRANSLATE_NOOP("OutcomeWord", "measuring"));
    }
    return {};
}

QString riskText(Risk risk)
{
    switch (risk) {
    case Risk::Safe: return QCoreApplication::translate("Risk", "Risk: none, undone at any time.");
    case Risk::Caution:
        return QCoreApplication::translate("Risk", "Risk: may make things slower or stop a program.");
    case Risk::DataLoss:
        return QCoreApplication::translate("Risk", "Risk: may lose data at a power cut or crash.");
    }
    return {};
}

static QString absentText(const Observation &seen)
{
    const SettingSpec &spec = *seen.spec;
    // A scheduler may be active and still lack a value that others of its name have.
    if (!spec.scheduler.empty() && seen.reason.starts_with("exists only while"))
        return QCoreApplication::translate("WhyNot", "Exists only while the scheduler is %1.")
            .arg(toQString(spec.scheduler));
    return isPerDisk(spec.domain)
               ? QCoreApplication::translate("WhyNot", "This kernel or disk does not have it.")
               : QCoreApplication::translate("WhyNot", "This kernel does not have it.");
}

static QString readOnlyText(const Observation &seen)
{
    if (std::holds_alternative<Choice>(seen.spec->accepts) && seen.rawText.find('[') == std::string::npos)
        return QCoreApplication::translate("WhyNot", "This disk offers no choice.");
    // Narrowed to the disk until nothing was left.
    if (seen.min && seen.max && *seen.max < *seen.min)
        return QCoreApplication::translate("WhyNot",
                                           "Without a scheduler this disk takes exactly %1 at once.")
            .arg(numberText(*seen.max));
    return QCoreApplication::translate("WhyNot",
                                       "It can be read only: the kernel lets nobody change it here.");
}

QString whyNotText(const Observation &seen)
{
    switch (seen.state) {
    case ObservedState::Current: return {};
    case ObservedState::Absent: return absentText(seen);
    case ObservedState::Unreadable: return QCoreApplication::translate("WhyNot", "It can't be read here.");
    case ObservedState::Unparsable:
        return QCoreApplication::translate("WhyNot",
                                           "The kernel says “%1”, which Diskwright does not understand.")
            .arg(toQString(seen.rawText).simplified().left(60));
    case ObservedState::ReadOnly: return readOnlyText(seen);
    }
    return {};
}

QString shownTitle(const Observation &seen)
{
    const ShownSetting *shown = findShown(seen.settingId);
    return shown ? QCoreApplication::translate(shownContext, shown->title.data()) : toQString(seen.key);
}

QString shownValue(const Observation &seen)
{
    if (seen.value)
        return valueText(seen.unit, *seen.value);
    return seen.state == ObservedState::Unreadable
               ? QCoreApplication::translate("WhyNot", "It can't be read here.")
               : QString();
}

QString shownText(const Observation &seen)
{
    const ShownSetting *shown = findShown(seen.settingId);
    return shown ? QCoreApplication::translate(shownContext, shown->text.data()) : QString();
}

QString shownReason(const Observation &seen)
{
    // Why it is not set matters less than why nothing is seen of it.
    if (seen.state == ObservedState::Unreadable) {
        if (seen.reason == "the kernel lets only root read it")
            return QCoreApplication::translate("WhyNot", "The kernel lets only root read it.");
        if (seen.reason == "the kernel lets nobody read it")
            return QCoreApplication::translate("WhyNot", "The kernel lets nobody read it.");
        return QCoreApplication::translate("WhyNot", "The kernel does not show it now.");
    }
    const ShownSetting *shown = findShown(seen.settingId);
    return QCoreApplication::translate(shownContext, shown ? shown->why.data() : noDescription().data());
}

static QString vanishedText(std::string_view text)
{
    return text.empty() ? QString() : QCoreApplication::translate(vanishedContext, text.data());
}

QString vanishedTitle(const VanishedSetting &vanished)
{
    return vanishedText(vanished.title);
}

QString vanishedSince(const VanishedSetting &vanished)
{
    if (vanished.since.empty() || vanished.fate == Fate::Elsewhere || vanished.fate == Fate::OutOfTree)
        return {};
    const QString since = toQString(vanished.since);
    return vanished.fate == Fate::Gone
               ? QCoreApplication::translate("Vanished", "gone since Linux %1").arg(since)
               : QCoreApplication::translate("Vanished", "without effect since Linux %1").arg(since);
}

QString vanishedStory(const VanishedSetting &vanished)
{
    QStringList text{vanishedText(vanished.was), vanishedText(vanished.today)};
    text.removeAll(QString());
    return text.join(u' ');
}

QString whyNotUndoableText(std::string_view reason)
{
    struct Words {
        std::string_view reason;
        const char *text;
    };
    static constexpr Words known[]{
        {"already undone", QT_TRANSLATE_NOOP("WhyNotUndoable", "it was undone already")},
        {"still on trial", QT_TRANSLATE_NOOP("WhyNotUndoable", "it is still on trial")},
        {"ended by restart", QT_TRANSLATE_NOOP("WhyNotUndoable", "the restart has ended it")},
        {"nothing was changed", QT_TRANSLATE_NOOP("WhyNotUndoable", "nothing was changed")},
        {"was put back", QT_TRANSLATE_NOOP("WhyNotUndoable", "it was put back already")},
    };
    for (const Words &words : known) {
        if (words.reason == reason)
            return QCoreApplication::translate("WhyNotUndoable", words.text);
    }
    // A newer helper may know more reasons than this window.
    return reason.empty() ? QCoreApplication::translate("WhyNotUndoable", "the reason is not known")
                          : toQString(reason);
}

} // namespace diskwright::ui
