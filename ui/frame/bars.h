// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/models/applier.h"
#include "ui/models/stageddisks.h"

#include "app/plan/changeset.h"

#include <QTimer>

#include <vector>

class QPushButton;

namespace diskwright::ui {

/// "2 changes staged on sda   [Discard] [Review…]"; there only while something is staged.
class StagedBar final : public QWidget
{
    Q_OBJECT

public:
    StagedBar(const Machine &machine, StagedChanges &staged, const StagedDisks &disks,
              QWidget *parent = nullptr);

Q_SIGNALS:
    void reviewWanted();

private:
    void refresh();

    const Machine &m_machine;
    StagedChanges &m_staged;
    const StagedDisks &m_disks;
    Label *m_text;
    Label *m_problem;
    QPushButton *m_review;
};

/// "Read-ahead on 870 EVO (sda)"
[[nodiscard]] QString titleOf(const TrialRecord::Item &item);
/// "Read-ahead on 870 EVO (sda), and 2 more"; empty of a trial that changes nothing.
[[nodiscard]] QString changesOf(const TrialRecord &record);

/// "Trying 2 changes, put back in 0:12   [It works] [More time] [Put back now]"; there only during a trial.
class TrialBar final : public QWidget
{
    Q_OBJECT

public:
    enum class About : std::uint8_t {
        Soonest, ///< of all trials of this user the one that ends first; its changes are named
        One,     ///< the one that follow() names; none before
    };
    TrialBar(Applier &applier, About about, QWidget *parent = nullptr);

    /// Is about this trial and no other from now on.
    void follow(const TransactionId &transaction);
    /// Looks for a trial of this user.
    void refresh();
    [[nodiscard]] bool isTrying() const noexcept { return m_trial.has_value(); }

Q_SIGNALS:
    /// What became of a trial, for a message.
    void settled(const diskwright::ApplyReport &report);

private:
    void tick();
    void tellEnd();
    void settle(const ApplyReport &report);
    void prolonged(const ApplyReport &report);
    void setBusy(bool busy);
    void tellOthers(const std::vector<PendingTrial> &trials);
    [[nodiscard]] bool isMine(const PendingTrial &trial) const;

    Applier &m_applier;
    About m_about;
    std::optional<TransactionId> m_followed;
    std::optional<PendingTrial> m_trial;
    std::vector<PendingTrial> m_others; ///< that run besides it
    Label *m_text;
    Label *m_changes;
    QPushButton *m_works;
    QPushButton *m_more;
    QPushButton *m_back;
    QTimer m_timer;
    qint64 m_shownSeconds = -1;
    bool m_isBusy = false;
};

} // namespace diskwright::ui
