// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QObject;

namespace diskwright::ui {

/// Loads a library that not every start needs: from beside the program in a build folder, else from where the
/// package puts it. It stays loaded. Null, with the loader's words in \p problem, if it can't be had.
[[nodiscard]] QObject *loadPart(const QString &file, QString *problem = nullptr);

} // namespace diskwright::ui
