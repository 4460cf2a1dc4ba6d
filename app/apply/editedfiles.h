// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace diskwright {

/// A file with what is set at every start that somebody has edited, or that this program did not write.
struct EditedFile {
    QString path;           ///< as the user knows it: /etc/udev/rules.d/80-diskwright.rules
    QStringList difference; ///< lines: "- " as this program wrote it, "+ " as it is, "  " around them
};

/// The files that differ from what the program wrote, by their marker and checksum. The difference is known
/// once the helper refused to replace them, which leaves there what it would have written.
[[nodiscard]] std::vector<EditedFile> readEditedFiles(const QString &root = QStringLiteral("/"));

/// The changed lines with at most two on each side; "…" where some were left out.
[[nodiscard]] QStringList differenceOf(const QStringList &before, const QStringList &after);

} // namespace diskwright
