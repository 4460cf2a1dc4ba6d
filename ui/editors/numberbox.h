// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/catalogue.h"

#include <QAbstractSpinBox>

#include <optional>

namespace diskwright::ui {

/// A spin box for the whole numbers of a Range, 64 bits wide. Bytes are shown in MiB, or in KiB where a value
/// is no whole number of them. The arrows step as a person thinks: sizes and counts double, times go
/// 1, 2, 5, percent one by one; any number on the row's grid can be typed.
class NumberBox final : public QAbstractSpinBox
{
    Q_OBJECT

public:
    explicit NumberBox(const Range &range, QWidget *parent = nullptr);

    /// In the row's unit.
    [[nodiscard]] qint64 value() const noexcept { return m_value; }
    void setValue(qint64 value);
    [[nodiscard]] QString unitText() const;

    void stepBy(int steps) override;
    void fixup(QString &input) const override;
    QValidator::State validate(QString &input, int &position) const override;
    /// Leaves Ctrl+Z to the window: it takes back the last staged edit, not letters.
    bool event(QEvent *event) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void edited(qint64 value);
    void unitChanged(const QString &unit);

protected:
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    [[nodiscard]] qint64 onGrid(qint64 value) const;
    [[nodiscard]] qint64 next(qint64 value, bool up) const;
    [[nodiscard]] std::optional<qint64> parse(const QString &text) const;
    void chooseScale();
    void showValue();
    void take(qint64 value);

    Range m_range;
    qint64 m_value = 0;
    qint64 m_scale = 1;
};

} // namespace diskwright::ui
