// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/models/applier.h"
#include "ui/models/stageddisks.h"

#include "app/plan/changeset.h"

#include <QTimer>

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

/// "Trying 2 changes, put back in 0:12   [It works] [More time] [Put back now]"; there only during a trial.
class TrialBar final : public QWidget
{
    Q_OBJECT

public:
    explicit TrialBar(Applier &applier, QWidget *parent = nullptr);

    /// Looks for a trial of this user.
    void refresh();
    [[nodiscard]] bool isTrying() const noexcept { return m_trial.has_value(); }

Q_SIGNALS:
    /// What became of a trial, for a message.
    void settled(const diskwright::ApplyReport &report);

private:
    void tick();
    void tellEnd();
    void setBusy(bool busy);

    Applier &m_applier;
    std::optional<PendingTrial> m_trial;
    Label *m_text;
    QPushButton *m_works;
    QPushButton *m_more;
    QPushButton *m_back;
    QTimer m_timer;
    qint64 m_shownSeconds = -1;
    bool m_isBusy = false;
};

} // namespace diskwright::ui
