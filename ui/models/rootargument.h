// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace diskwright::ui {

/// The machine that `--root FOLDER` or `--root=FOLDER` names, cleaned; the last one counts. "/", this
/// machine, if none does, and nothing if an empty one is named. It is needed before Qt's own parser can be
/// asked. \p arguments: without the program.
[[nodiscard]] QString rootOf(const QStringList &arguments);

/// Why the program must not go on with \p used, in one line; empty if it may. \p parsed is what the parser
/// makes of the same arguments, "/" if they name none: if both differ, changes would go to a machine that
/// nobody meant.
[[nodiscard]] QString whyNotRoot(const QString &used, const QString &parsed);

} // namespace diskwright::ui
