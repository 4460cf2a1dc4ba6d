// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/catalogue.h"
#include "helper/contract/value.h"

#include <QWidget>

#include <string>
#include <vector>

namespace diskwright::ui {

/// One control for one setting. What it is follows from the row's Accepts and from nothing else.
class Editor : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual Value value() const = 0;
    /// Shows a value without emitting edited().
    virtual void setValue(const Value &value) = 0;
    /// Whether the unit stands beside the control.
    virtual void setUnitShown(bool) {}
    /// Accessible name and description, for the control that takes the focus.
    virtual void describe(const QString &name, const QString &description) = 0;

Q_SIGNALS:
    /// By the user only.
    void edited(const diskwright::Value &value);
};

/// The control for a row. \p offered: for a choice, what this device offers (intersected with the row's
/// words).
[[nodiscard]] Editor *createEditor(const SettingSpec &spec, const std::vector<std::string> &offered,
                                   QWidget *parent);

} // namespace diskwright::ui
