// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/settinglistmodel.h"
#include "ui/pages/page.h"

#include <string>

class QTabBar;
class QStackedWidget;

namespace diskwright::ui {

class SettingList;
class BenchmarkPanel;
class WhySlowCard;

/// A disk: what it is, and the settings of its queue; measuring in a second tab.
class DiskPage final : public Page
{
    Q_OBJECT

public:
    DiskPage(const Context &context, std::string disk, QWidget *parent = nullptr);

    void enter() override;
    void leave() override;
    Needs needs() const override { return {.targets = {m_disk}}; }
    void reveal(const Address &address) override;

    [[nodiscard]] const std::string &disk() const noexcept { return m_disk; }
    /// Opens the measuring tab on a comparison of this setting.
    void openMeasure(const Address &address);

private:
    void refresh();
    void showPresence();
    void showTab(int tab);

    Context m_context;
    std::string m_disk;
    SettingListModel m_model;
    Label *m_holds;
    Label *m_presence;
    QTabBar *m_tabs;
    QWidget *m_queue;
    WhySlowCard *m_why;
    SettingList *m_list;
    BenchmarkPanel *m_measure = nullptr;
    Label *m_waiting;
};

} // namespace diskwright::ui
