// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "part.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPluginLoader>

namespace diskwright::ui {

QObject *loadPart(const QString &file, QString *problem)
{
    QString path = QCoreApplication::applicationDirPath() + u'/' + file;
    if (!QFileInfo::exists(path))
        path = QStringLiteral(DISKWRIGHT_PLUGIN_DIR) + u'/' + file;
    QPluginLoader loader(path);
    // What it makes outlives the loader.
    loader.setLoadHints(QLibrary::PreventUnloadHint);
    QObject *instance = loader.instance();
    if (!instance && problem)
        *problem = loader.errorString();
    return instance;
}

} // namespace diskwright::ui
