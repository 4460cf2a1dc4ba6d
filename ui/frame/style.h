// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>

namespace diskwright::ui {

/// Where the desktop brings no style of its own, Qt's Fusion is used. On a dark ground it draws the outline
/// of boxes darker than the ground; this makes them visible. Changes nothing under other styles.
void useReadableStyle();

/// Whether icons are the line icons that come with us, drawn for a light ground.
[[nodiscard]] bool hasLineIcons();

/// The icon in one colour, \p size logical pixels wide and high.
[[nodiscard]] QPixmap tinted(const QIcon &icon, const QColor &color, int size, qreal pixelRatio);

} // namespace diskwright::ui
