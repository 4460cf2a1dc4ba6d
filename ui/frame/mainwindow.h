// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/sidebar.h"
#include "ui/pages/page.h"

#include <QMainWindow>
#include <QTimer>

#include <map>

class KMessageWidget;
class QLineEdit;
class QStackedWidget;
class QVBoxLayout;

namespace diskwright::ui {

class StagedBar;
class TrialBar;

/// The frame: side bar, pages, and the bars of what is staged or on trial.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const Context &context, QWidget *parent = nullptr);

    /// Opens a place, or the first disk if it is not listed.
    void go(const Place &place);
    [[nodiscard]] Page *page() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] QWidget *buildSide();
    [[nodiscard]] QWidget *buildContent();
    void buildShortcuts();
    void open(const Place &place);
    [[nodiscard]] Page *create(const Place &place);
    void applyFilter();
    void review();
    void measure(const Address &address);
    void forget(const Address &address);
    void hideNews();
    void closeMessageGap();
    void say(const QString &text, bool problem);
    void look();
    void lookAtTrials();
    [[nodiscard]] std::string watchedTarget() const;

    Context m_context;
    SidebarModel m_places;
    Sidebar *m_sidebar = nullptr;
    QLineEdit *m_filter = nullptr;
    QStackedWidget *m_pages = nullptr;
    QVBoxLayout *m_messages = nullptr;
    KMessageWidget *m_message = nullptr;
    StagedBar *m_staged = nullptr;
    TrialBar *m_trial = nullptr;
    std::map<std::pair<int, std::string>, Page *> m_known;
    QTimer m_poll;
};

} // namespace diskwright::ui
