// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/style.h"

#include "app/disks/disk.h"
#include "ui/models/sidebarmodel.h"

#include <BreezeIcons>

#include <QImage>
#include <QPixmap>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

class StyleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        BreezeIcons::initIcons();
        QIcon::setThemeName(u"breeze"_s);
    }

    /// On a fine screen a theme may have a filled drawing, which is a spot when it is of one colour.
    void picturesOfDisksAreLinesAtEveryScale()
    {
        BlockNode fixed, removable, optical;
        fixed.rotational = false;
        removable.removable = true;
        optical.type = "rom";
        for (const BlockNode *disk : {&fixed, &removable, &optical}) {
            const QString name = SidebarModel::diskIcon(*disk);
            for (const qreal ratio : {1.0, 1.25, 1.5, 2.0, 3.0}) {
                const QImage image = tinted(QIcon::fromTheme(name), Qt::black, 16, ratio).toImage();
                QVERIFY2(!image.isNull(), qPrintable(name));
                double covered = 0;
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < image.width(); ++x)
                        covered += image.pixelColor(x, y).alphaF();
                }
                const double share = covered / (static_cast<double>(image.width()) * image.height());
                QVERIFY2(share > 0.05 && share < 0.5,
                         qPrintable(u"%1 at %2: %3"_s.arg(name).arg(ratio).arg(share)));
            }
        }
    }
};

QTEST_MAIN(StyleTest)
#include "tst_style.moc"
