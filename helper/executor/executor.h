// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/catalogue.h"
#include "deadlinekeeper.h"
#include "journalstore.h"
#include "plancheck.h"

#include <functional>

namespace diskwright {

/// The polkit actions that have a slot.
enum class Action : std::uint8_t { Tune, Persist, Plan, Settle };

/// Who asks, under which action, already authorized for it.
struct Caller {
    std::uint32_t uid = 0;
    Action action = Action::Settle;
    int cancel = -1; ///< read end of the client's pipe: its end, or a byte, asks to stop
    /// Whether the caller may change settings of a class, asked for each class in a request under Plan.
    std::function<bool(ActionClass)> mayChange;
    /// Whether the caller may keep values across restarts; asked if a request under Plan wants that.
    std::function<bool()> mayKeep;
};

/// Carries out requests: validate all, lock, record, write, read back; put back what failed. Holds nothing
/// between two calls.
class Executor final
{
public:
    Executor(const JournalStore &journals, DeadlineKeeper &deadlines) noexcept
        : m_journals(journals)
        , m_deadlines(deadlines)
    {
    }

    [[nodiscard]] Report run(const Request &request, const Caller &caller);

private:
    Report apply(const TransactionId &id, const ApplyRequest &request, const Caller &caller);
    Report lease(const TransactionId &id, const LeaseRequest &request, const Caller &caller);
    Report confirm(const ConfirmRequest &request, const Caller &caller);
    Report prolong(const ProlongRequest &request, const Caller &caller);
    Report end(const EndRequest &request, const Caller &caller);
    Report switchTo(const SwitchRequest &request, const Caller &caller);
    Report keep(const KeepRequest &request);
    Report forget(const ForgetRequest &request);
    Report useAtStart(const UseAtStartRequest &request);
    Report undo(const TransactionId &id, const UndoRequest &request, const Caller &caller);

    Report undoKept(const TransactionId &id, const UndoRequest &request, Journal &record,
                    const Caller &caller);
    Report restoreAll(const TransactionId &id, const Caller &caller);

    [[nodiscard]] bool covers(const Caller &caller, const std::vector<JournalItem> &items) const;
    [[nodiscard]] std::optional<Refusal> whyHeld(const CheckedPlan &plan) const;
    [[nodiscard]] Result<Journal> owned(const TransactionId &transaction, const Token &token,
                                        const Caller &caller) const;
    Report carryOutPlan(Journal &journal, const Caller &caller);
    Report putBack(Journal &journal) const;
    Report moveLease(Journal &journal, std::uint8_t state, const Caller &caller);
    void keepItems(Journal &journal, const KeepRequest &request, Report &report) const;
    void keepAll(Journal &journal, Report &report) const;

    const JournalStore &m_journals;
    DeadlineKeeper &m_deadlines;
};

} // namespace diskwright
