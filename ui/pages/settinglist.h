// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/models/settinglistmodel.h"

#include <QWidget>

#include <optional>
#include <vector>

class QVBoxLayout;

namespace diskwright::ui {

class SettingRow;

/// All settings of a target: "Often changed" at once, the others folded by family, and those that are not
/// here behind one more click.
class SettingList final : public QWidget
{
    Q_OBJECT

public:
    explicit SettingList(SettingListModel &model, QWidget *parent = nullptr);

    /// Unfolds what hides the setting, opens its row and gives it the focus. The widget to scroll to; null if
    /// it is not listed.
    QWidget *reveal(const Address &address);

Q_SIGNALS:
    void measureWanted(const diskwright::Address &address);
    void forgetWanted(const diskwright::Address &address);

private:
    struct Section {
        SettingGroup group;
        std::optional<SettingFamily> family; ///< none: settings of every family
        Label *heading = nullptr;            ///< above the section; may be none
        Expander *expander = nullptr;        ///< none for the section that is always open
        Card *card = nullptr;
        std::vector<std::pair<int, QWidget *>> rows;
    };

    void rebuild();
    void refresh();
    void addSection(SettingGroup group, std::optional<SettingFamily> family);
    void fill(Section &section);
    void fillByReason(Section &section);
    [[nodiscard]] QString title(const Section &section) const;

    SettingListModel &m_model;
    QVBoxLayout *m_layout;
    std::vector<Section> m_sections;
    std::vector<SettingRow *> m_settings;
    std::vector<std::pair<int, Label *>> m_shownValues;
};

} // namespace diskwright::ui
