// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/historymodel.h"
#include "ui/pages/page.h"

class QComboBox;
class QPushButton;
class QTreeView;

namespace diskwright::ui {

/// What was done, and how do I take it back?
class HistoryPage final : public Page
{
    Q_OBJECT

public:
    explicit HistoryPage(const Context &context, QWidget *parent = nullptr);

    void enter() override;

private:
    void refresh();
    void refreshButtons();
    void fillFilter();
    void undo();
    void restoreAll();
    void openRestore(const RestorePreview &preview, const QString &trouble);
    /// How an undo goes about it.
    struct Undo {
        bool force = false;     ///< also what somebody else changed since
        bool staysKept = false; ///< at the next start it is set again
    };
    void putBackNow(const HistoryEntry &entry, Undo how);
    void showUndone(const HistoryEntry &entry, Undo how, const ApplyReport &report);
    void offerToReplace(const HistoryEntry &entry, const ApplyReport &report);
    void readForeign(const HistoryEntry &entry, Undo how, const ApplyReport &report);
    void askAboutForeign(const HistoryEntry &entry, Undo how, const ApplyReport &report);
    [[nodiscard]] int currentRow() const;

    Context m_context;
    HistoryModel m_model;
    QTreeView *m_view;
    QComboBox *m_filter;
    QPushButton *m_undo;
    QPushButton *m_restore;
    int m_previews = 0; ///< how often it was asked for; only the last one counts
    bool m_awaitsPreview = false;
    Label *m_whyNot;
    Label *m_empty;
};

} // namespace diskwright::ui
