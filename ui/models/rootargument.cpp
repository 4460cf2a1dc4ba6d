// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rootargument.h"

#include <QDir>
#include <QFileInfo>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

QString rootOf(const QStringList &arguments)
{
    QString root = u"/"_s;
    for (qsizetype at = 0; at < arguments.size() && arguments[at] != "--"_L1; ++at) {
        if (arguments[at] == "--root"_L1 && at + 1 < arguments.size())
            root = QDir::cleanPath(arguments[++at]);
        else if (arguments[at].startsWith("--root="_L1))
            root = QDir::cleanPath(arguments[at].sliced(7));
    }
    return root;
}

QString whyNotRoot(const QString &used, const QString &parsed)
{
    if (QDir::cleanPath(parsed) != used)
        return u"--root: it is not clear which machine is meant, %1 or %2. Say it once, as --root=FOLDER."_s
            .arg(used, parsed);
    if (used.isEmpty())
        return u"--root: no folder is named. Name one that holds the files of a machine."_s;
    if (!QFileInfo(used).isDir())
        return u"--root: %1 is no folder. Name one that holds the files of a machine."_s.arg(used);
    return {};
}

} // namespace diskwright::ui
