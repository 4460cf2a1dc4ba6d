// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/health/health.h"
#include "ui/frame/look.h"

#include <QWidget>

#include <memory>
#include <stop_token>
#include <string>

class QGridLayout;
class QVBoxLayout;

namespace diskwright::ui {

class SlowReading;

/// "Why is this disk slow?": what was found for one disk, each with the fact it rests on and what helps. One
/// line when there is nothing. Reads in a thread of its own; a reading that is no longer wanted is given up.
class WhySlowCard final : public QWidget
{
    Q_OBJECT

public:
    /// \p root is the tree that is read, "/" the live system.
    explicit WhySlowCard(QString root, QWidget *parent = nullptr);
    ~WhySlowCard() override;

    /// Starts looking at another disk, by kernel name or id; empty: at none.
    void setDisk(const std::string &disk);
    [[nodiscard]] const std::string &disk() const noexcept { return m_disk; }
    /// Looks again, unless the disk is away; what is shown stays until the answer is there.
    void readAgain();
    /// The disk is gone or does not answer: nothing is looked at, and what was found steps back. When it is
    /// there again it is looked at anew.
    void setAway(bool away);
    [[nodiscard]] bool isReading() const noexcept { return m_reading != nullptr; }

    /// Shows an answer as if it had been read.
    void showHealth(const health::Health &health);

Q_SIGNALS:
    /// A reading ended and is shown.
    void wasRead();

private:
    void finish();
    void giveUp();
    void showError(const Error &error);
    void clear();
    void addFacts(const health::Health &health);
    void fillFindings(const health::Health &health);

    QString m_root;
    std::string m_disk;
    bool m_away = false;
    bool m_showsAnswer = false;
    QWidget *m_inside;
    std::shared_ptr<SlowReading> m_reading;
    Label *m_summary;
    QWidget *m_first;
    QWidget *m_others;
    QWidget *m_facts;
    Expander *m_moreFindings;
    Expander *m_moreFacts;
};

} // namespace diskwright::ui
