// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/frame/style.h"

#include <BreezeIcons>

#include <QApplication>
#include <QTranslator>
#include <QWidget>

/// Pictures of what a test sees, to be looked at by a person: of answers that only a script can give. They
/// are taken where DISKWRIGHT_SCREENSHOTS names a folder, in the looks that DISKWRIGHT_LOOK lists ("dark
/// pseudo").
namespace diskwright::ui {

/// Gives the program the look of the real one; once, before the first window.
inline void prepareLook()
{
    const QString look = qEnvironmentVariable("DISKWRIGHT_LOOK");
    BreezeIcons::initIcons();
    useReadableStyle();
    if (look.contains(QStringLiteral("dark")))
        QApplication::setPalette(darkPalette());
    // English too has a translation: it holds the plural forms.
    for (const char *language : {"en", "xx-pseudo"}) {
        if (QLatin1String(language) == QLatin1String("en") || look.contains(QStringLiteral("pseudo"))) {
            auto *texts = new QTranslator(qApp);
            if (!texts->load(QStringLiteral("diskwright_") + QLatin1String(language),
                             QStringLiteral(DISKWRIGHT_TRANSLATIONS)))
                qFatal("no texts in %s", DISKWRIGHT_TRANSLATIONS);
            QCoreApplication::installTranslator(texts);
        }
    }
}

inline void takePicture(QWidget *widget, const char *name)
{
    const QString folder = qEnvironmentVariable("DISKWRIGHT_SCREENSHOTS");
    if (folder.isEmpty())
        return;
    QCoreApplication::processEvents();
    const QString look = qEnvironmentVariable("DISKWRIGHT_LOOK").simplified().replace(u' ', u'-');
    const QString file = folder + u'/' + QLatin1String(name) + (look.isEmpty() ? QString() : u'-' + look) +
                         (widget->devicePixelRatioF() > 1 ? QStringLiteral("-2x") : QString()) +
                         QStringLiteral(".png");
    if (!widget->grab().save(file))
        qFatal("%s can't be written", qPrintable(file));
}

} // namespace diskwright::ui
