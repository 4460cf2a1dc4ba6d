// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editors/editor.h"
#include "ui/frame/look.h"
#include "ui/models/settinglistmodel.h"

class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace diskwright::ui {

/// One setting on a page: name, editor, default, marks, and what it means when opened. Knows nothing of any
/// particular setting.
class SettingRow final : public QWidget
{
    Q_OBJECT

public:
    SettingRow(SettingListModel &model, int row, QWidget *parent = nullptr);

    /// Shows what the model says now.
    void refresh();
    /// Opens it and puts the focus on its editor, or on its name if it can't be changed.
    void reveal();

Q_SIGNALS:
    /// "Measure…" was pressed.
    void measureWanted(const diskwright::Address &address);
    /// "Stop at every start" was pressed.
    void forgetWanted(const diskwright::Address &address);

private:
    void buildMeasure();
    void buildEditor();
    void showValue();
    void buildDetails();
    void chooseUnit(int unit);
    void take(const Value &value);
    [[nodiscard]] bool canChange() const;
    [[nodiscard]] bool canMeasure() const;

    SettingListModel &m_model;
    int m_row;
    Expander *m_title;
    Label *m_summary;
    QHBoxLayout *m_editorPlace;
    Editor *m_editor = nullptr;
    Label *m_value = nullptr; ///< in the editor's place where nothing can be changed
    QComboBox *m_unit = nullptr;
    std::size_t m_shownUnit = 0;
    Label *m_marks;
    Label *m_default;
    Label *m_problem;
    QWidget *m_details;
    QPushButton *m_measure = nullptr;
    QPushButton *m_forget = nullptr;
    bool m_detailsBuilt = false;
};

} // namespace diskwright::ui
