// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/applier.h"

namespace diskwright::ui {

/// Applies through the helper on the system bus. The bus is not touched before the first call.
class SessionApplier final : public Applier
{
    Q_OBJECT

public:
    explicit SessionApplier(QString root, HelperClient::FindParent findParent, QObject *parent = nullptr);

    QString whyNot() const override;
    void apply(const Plan &plan, std::chrono::seconds trial, AtStart atStart, Done done) override;
    void confirm(const TransactionId &transaction, Done done) override;
    void prolong(const TransactionId &transaction, std::chrono::seconds more, Done done) override;
    void end(const TransactionId &transaction, Done done) override;
    void undo(const TransactionId &transaction, bool force, bool staysKept, Done done) override;
    void keepReplacing(const TransactionId &transaction, const std::vector<std::uint16_t> &items,
                       std::optional<DiskClass> forClass, Done done) override;
    void restoreAll(const RestorePreview &expected, Done done) override;
    void previewRestore(PreviewDone done) override;
    void forget(const KeptSet &keptSet, const std::vector<std::uint16_t> &items, bool replaceEdited,
                Done done) override;
    void cancel() override;
    std::unique_ptr<bench::LeaseHolder> createLease(Identify identify) override;
    std::vector<PendingTrial> pendingTrials() const override;
    void awaitEnd(const TrialRecord &trial, Done done) override;
    std::vector<EndedTrial> resume() override;

    [[nodiscard]] HelperClient &client();

private:
    [[nodiscard]] ApplySession &session();

    QString m_root;
    HelperClient::FindParent m_findParent;
    HelperClient *m_client = nullptr;
    ApplySession *m_session = nullptr;
};

} // namespace diskwright::ui
