// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wording.h"

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
    case Risk::Caution: return QCoreApplication::translate("Risk", "Risk: may make things slower or stop a program.");
    case Risk::DataLoss: return QCoreApplication::translate("Risk", "Risk: may lose data at a power cut or crash.");
    }
    return {};
}

} // namespace diskwright::ui
