// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionapplier.h"

#include "app/apply/leaseclient.h"
#include "ui/models/aside.h"

#include <QDir>

namespace diskwright::ui {

SessionApplier::SessionApplier(QString root, HelperClient::FindParent findParent, QObject *parent)
    : Applier(parent)
    , m_root(std::move(root))
    , m_findParent(std::move(findParent))
{
}

HelperClient &SessionApplier::client()
{
    if (!m_client) {
        m_client = new HelperClient(this);
        m_client->setPromptParent(m_findParent);
    }
    return *m_client;
}

ApplySession &SessionApplier::session()
{
    if (!m_session) {
        m_session = new ApplySession(client(), TrialStore(), this);
        m_session->setRoot(m_root);
        // The window's thread waits for it. What is not read by then is said to be not known.
        m_session->setReader(CurrentReader(readCurrent, shortWait));
        connect(m_session, &ApplySession::trialsChanged, this, &Applier::trialsChanged);
        connect(m_session, &ApplySession::systemChanged, this, &Applier::systemChanged);
    }
    return *m_session;
}

QString SessionApplier::whyNot() const
{
    return m_root == QStringLiteral("/") ? QString()
                                         : tr("This is a copy of a machine: nothing can be applied to it.");
}

void SessionApplier::apply(const Plan &plan, std::chrono::seconds trial, AtStart atStart, Done done)
{
    session().apply(plan, trial, atStart, std::move(done));
}

void SessionApplier::confirm(const TransactionId &transaction, Done done)
{
    session().confirm(transaction, std::move(done));
}

void SessionApplier::prolong(const TransactionId &transaction, std::chrono::seconds more, Done done)
{
    session().prolong(transaction, more, std::move(done));
}

void SessionApplier::end(const TransactionId &transaction, Done done)
{
    session().end(transaction, std::move(done));
}

void SessionApplier::undo(const TransactionId &transaction, bool force, bool staysKept, Done done)
{
    session().undo(transaction, force, staysKept, std::move(done));
}

void SessionApplier::keepReplacing(const TransactionId &transaction, const std::vector<std::uint16_t> &items,
                                   std::optional<DiskClass> forClass, Done done)
{
    session().keep(transaction, items, std::move(done), {}, true, forClass);
}

void SessionApplier::restoreAll(const RestorePreview &expected, Done done)
{
    session().restoreAll(expected, std::move(done));
}

void SessionApplier::previewRestore(PreviewDone done)
{
    std::vector<TrialRecord> trials;
    for (PendingTrial &trial : session().pendingTrials())
        trials.push_back(std::move(trial.record));
    runAside<Result<RestorePreview>>(
        this,
        [root = m_root, trials = std::move(trials)] { return diskwright::previewRestore(root, trials); },
        std::move(done));
}

void SessionApplier::forget(const KeptSet &keptSet, const std::vector<std::uint16_t> &items,
                            bool replaceEdited, Done done)
{
    session().forget(keptSet, items, std::move(done), replaceEdited);
}

std::unique_ptr<bench::LeaseHolder> SessionApplier::createLease(Identify identify)
{
    auto lease = std::make_unique<LeaseClient>(client(), TrialStore(), std::move(identify));
    lease->setRoot(m_root);
    return lease;
}

void SessionApplier::cancel()
{
    if (m_session)
        m_session->cancel();
}

std::vector<PendingTrial> SessionApplier::pendingTrials() const
{
    return m_session ? m_session->pendingTrials() : std::vector<PendingTrial>{};
}

void SessionApplier::awaitEnd(const TrialRecord &trial, Done done)
{
    session().awaitEnd(trial.transaction, stepsOf(trial), std::move(done));
}

std::vector<EndedTrial> SessionApplier::resume()
{
    // Nothing was left behind: nothing to ask the bus for.
    if (QDir(TrialStore().folder()).isEmpty(QDir::Files | QDir::NoDotAndDotDot))
        return {};
    return session().resume();
}

} // namespace diskwright::ui
