// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/searchmodel.h"
#include "ui/pages/page.h"

class QListView;

namespace diskwright::ui {

/// What the search box found, on all pages.
class SearchPage final : public Page
{
    Q_OBJECT

public:
    explicit SearchPage(const Context &context, QWidget *parent = nullptr);

    void enter() override;
    Needs needs() const override { return {.targets = {std::string()}, .allDisks = true, .allShown = true}; }

    void setText(const QString &text);
    /// The first result becomes the current one and the list takes the focus.
    void enterList();
    /// Opens the current result, or the first.
    void openResult();

Q_SIGNALS:
    void settingWanted(const diskwright::Address &address);

private:
    void refresh();

    Context m_context;
    SearchModel m_model;
    QListView *m_view;
    Label *m_nothing;
};

} // namespace diskwright::ui
