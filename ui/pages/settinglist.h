// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/models/settinglistmodel.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace diskwright::ui {

class SettingRow;

/// All settings of a target: "Often changed" at once, the others and those that are not here behind a click.
class SettingList final : public QWidget
{
    Q_OBJECT

public:
    explicit SettingList(SettingListModel &model, QWidget *parent = nullptr);

    void setFilter(const QString &text);

Q_SIGNALS:
    void measureWanted(const diskwright::Address &address);
    void forgetWanted(const diskwright::Address &address);

private:
    struct Section {
        SettingGroup group;
        QWidget *head = nullptr;
        Expander *expander = nullptr; ///< none for the section that is always open
        Card *card = nullptr;
        std::vector<std::pair<int, QWidget *>> rows;
    };

    void rebuild();
    void refresh();
    void showMatches();
    void fill(Section &section);

    SettingListModel &m_model;
    QString m_filter;
    QVBoxLayout *m_layout;
    std::vector<Section> m_sections;
    std::vector<SettingRow *> m_settings;
    Label *m_nothing;
};

} // namespace diskwright::ui
