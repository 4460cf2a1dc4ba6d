// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace diskwright::ui {

/// Controls below \p root that the Tab key reaches, in the order of the layouts: as a person reads the page.
/// (Qt's own order is that of making, and rows are made when they are unfolded.)
[[nodiscard]] QList<QWidget *> tabOrder(QWidget *root);

} // namespace diskwright::ui
