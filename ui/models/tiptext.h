// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace diskwright::ui {

/// \p text as a tool tip shows it. Tool tips take for markup what looks like it, and disks are called what
/// others called them.
[[nodiscard]] inline QString tipText(const QString &text)
{
    const bool maySeemMarkup = text.contains(u'<') || text.contains(u'&');
    return maySeemMarkup ? QStringLiteral("<p>") + text.toHtmlEscaped() + QStringLiteral("</p>") : text;
}

} // namespace diskwright::ui
