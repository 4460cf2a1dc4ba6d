// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/drivewords.h"
#include "ui/models/overview.h"
#include "ui/pages/page.h"

class QGridLayout;

namespace diskwright::ui {

class DiskCard;

/// What have I got, is anything wrong, will my settings last? At most three findings, then a card a disk.
class OverviewPage final : public Page
{
    Q_OBJECT

public:
    explicit OverviewPage(const Context &context, QWidget *parent = nullptr);

    void enter() override;
    void leave() override;
    Needs needs() const override
    {
        return {.targets = {}, .allDisks = true, .startStatus = true, .problems = true};
    }

Q_SIGNALS:
    void settingWanted(const diskwright::Address &address);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void refreshCards();
    void refreshCard(const std::string &disk);
    void showFindings();
    [[nodiscard]] QWidget *findingRow(std::size_t index);
    void arrange();
    void add(const Pulse &pulse);
    [[nodiscard]] std::vector<BlockNode> disksOfCards() const;

    Context m_context;
    Card *m_findings;
    std::vector<OverviewFinding> m_shown;
    std::vector<Label *> m_texts;
    QGridLayout *m_grid;
    std::vector<DiskCard *> m_cards;
    Label *m_empty;
    std::map<std::string, Throughput> m_throughput;
    std::optional<WritebackSample> m_writeback;
    PulseReader m_pulse;
    DriveWords m_health;
    int m_columns = 0;
};

} // namespace diskwright::ui
