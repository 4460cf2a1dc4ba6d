// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/sidebar.h"
#include "ui/pages/page.h"

#include <QElapsedTimer>
#include <QMainWindow>
#include <QTimer>

#include <map>

class KMessageWidget;
class QLineEdit;
class QStackedWidget;
class QVBoxLayout;

namespace diskwright::ui {

class BlockEvents;
class SearchPage;
class StagedBar;
class TrialBar;

/// The frame: side bar, pages, and the bars of what is staged or on trial.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const Context &context, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Opens a place, or the overview if it is not listed.
    void go(const Place &place);
    [[nodiscard]] Page *page() const;

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    /// The Tab key goes as a person reads: side bar, search, page, bars.
    bool focusNextPrevChild(bool next) override;

private:
    [[nodiscard]] QWidget *buildSide();
    [[nodiscard]] QWidget *buildContent();
    void buildShortcuts();
    void open(const Place &place);
    void showPage(Page *wanted);
    [[nodiscard]] Page *create(const Place &place);
    void search(const QString &text);
    void showSetting(const Address &address);
    void followDisk(const std::string &from, const std::string &to);
    void placeSearch();
    void connectPage(Page *page);
    void review();
    void measure(const Address &address);
    void forget(const Address &address);
    void forgotten(const KeptSet &kept, std::uint16_t index, const ApplyReport &report);
    void hideNews();
    void closeMessageGap();
    void say(const QString &text, bool problem);
    void showMessage();
    void dropClosedMessage();
    [[nodiscard]] bool isLookedAt() const;
    void look();
    void listen();
    void watch();
    void lookAtTrials();
    [[nodiscard]] bool keepsShowing(const std::string &target) const;

    Context m_context;
    SidebarModel m_places;
    Sidebar *m_sidebar = nullptr;
    QLineEdit *m_search = nullptr;
    SearchPage *m_found = nullptr;
    QStackedWidget *m_pages = nullptr;
    QVBoxLayout *m_messages = nullptr;
    KMessageWidget *m_message = nullptr;
    QString m_problem; ///< in the message: stays until it is closed
    QString m_news;    ///< in the message: what went well, below the problem
    StagedBar *m_staged = nullptr;
    TrialBar *m_trial = nullptr;
    std::map<std::pair<int, std::string>, Page *> m_known;
    QTimer m_poll;
    QElapsedTimer m_inactive; ///< since another window took over
    BlockEvents *m_events = nullptr;
};

} // namespace diskwright::ui
