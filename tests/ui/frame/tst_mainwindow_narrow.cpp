// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// The smallest window and the longest language: nothing is cut at the right edge of any page.
#include "tests/ui/machinecopy.h"
#include "tests/ui/rig.h"

#include "app/apply/describe.h"

#include <QApplication>
#include <QScrollArea>
#include <QTest>
#include <QTranslator>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr QSize smallest(1024, 600);

void openEverything(QWidget *page)
{
    // What unfolds may bring more to unfold.
    for (int round = 0; round < 4; ++round) {
        for (Expander *expander : page->findChildren<Expander *>()) {
            if (expander->isVisible())
                expander->setChecked(true);
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
}

/// Whether anything ends beyond \p width, and then the innermost widgets that ask for most.
QStringList tooWide(const QWidget *inside, int width)
{
    bool isCut = false;
    std::vector<std::pair<int, QString>> asking;
    for (const QWidget *widget : inside->findChildren<QWidget *>()) {
        if (!widget->isVisibleTo(inside))
            continue;
        isCut = isCut || widget->mapTo(inside, QPoint(widget->width(), 0)).x() > width;
        if (widget->findChild<QWidget *>())
            continue;
        const int least = std::max(widget->minimumSizeHint().width(), widget->minimumWidth());
        asking.emplace_back(least, u"%1 asks for %2 of %3: \"%4\""_s
                                       .arg(QString::fromLatin1(widget->metaObject()->className()))
                                       .arg(least)
                                       .arg(width)
                                       .arg(widget->property("text").toString().left(200)));
    }
    if (!isCut)
        return {};
    constexpr std::size_t most = 4;
    std::ranges::sort(asking, std::greater(), &std::pair<int, QString>::first);
    QStringList found;
    for (std::size_t at = 0; at < std::min(most, asking.size()); ++at)
        found << asking[at].second;
    return found;
}

/// What is cut at the right on any page of the smallest window, everything unfolded.
QStringList tooWideOn(Rig &rig)
{
    QStringList wide;
    rig.window->resize(smallest);
    int areas = 0;
    for (const Place &place : rig.places()) {
        rig.window->go(place);
        openEverything(rig.window->page());
        if (rig.window->size() != smallest)
            wide << u"%1: the window grows to %2"_s.arg(rig.window->page()->title()).arg(rig.window->width());
        for (const QScrollArea *area : rig.window->page()->findChildren<QScrollArea *>()) {
            if (!area->isVisible() || area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff)
                continue;
            ++areas;
            for (const QString &line : tooWide(area->widget(), area->viewport()->width()))
                wide << rig.window->page()->title() + u": "_s + line;
        }
    }
    if (areas < static_cast<int>(rig.places().size()))
        wide << u"only %1 pages were looked at"_s.arg(areas);
    return wide;
}

} // namespace

class NarrowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QVERIFY(m_pseudo.load(u"diskwright_xx-pseudo"_s, QStringLiteral(DISKWRIGHT_TRANSLATIONS)));
        QVERIFY(QCoreApplication::installTranslator(&m_pseudo));
    }

    void everyPageFits_data()
    {
        QTest::addColumn<QString>("machine");
        for (const char *name : {"desktop-sata-ssd-hdd", "laptop-nvme-luks-lvm", "server-md-spare-lvm",
                                 "server-sas-multipath", "handheld-nvme-sd-zram"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyPageFits()
    {
        QFETCH(QString, machine);
        Rig rig(machine);
        const QStringList wide = tooWideOn(rig);
        QVERIFY2(wide.isEmpty(), qPrintable(wide.join(u'\n')));
    }

    void whatFitsIsNotShortened()
    {
        Expander expander(u"Same thing as commands, and how to copy them"_s);
        Label label(Label::Role::Title, u"Samsung SSD 860 EVO 500GB"_s);
        label.setShortens();
        for (QWidget *widget : {static_cast<QWidget *>(&expander), static_cast<QWidget *>(&label)}) {
            widget->resize(widget->sizeHint());
            const QImage whole = widget->grab().toImage();
            widget->resize(widget->sizeHint() + QSize(40, 0));
            const QImage roomy = widget->grab(QRect(QPoint(), widget->sizeHint())).toImage();
            QVERIFY2(whole == roomy, widget->metaObject()->className());
            widget->resize(widget->sizeHint() - QSize(20, 0));
            QVERIFY(widget->grab().toImage() != whole.copy(0, 0, whole.width() - 20, whole.height()));
        }
    }

    void answersAreTranslatedToo()
    {
        ApplyReport report;
        report.call = CallState::Answered;
        report.outcome = Outcome::RolledBack;
        QVERIFY2(describe(report).startsWith(u'['), qPrintable(describe(report)));
        QVERIFY2(describe(Errc::OutOfRange).startsWith(u'['), qPrintable(describe(Errc::OutOfRange)));
    }

    void longNamesAreShortened()
    {
        const MachineCopy copy(u"laptop-nvme-luks-lvm"_s);
        const QByteArray name(120, 'n');
        const QByteArray path = "/srv/" + QByteArray(240, 'p') + "/end";
        replace(copy.root() + u"/proc/self/mountinfo"_s, " /home ", ' ' + path + ' ');
        for (const char *dm : {"dm-0", "dm-1", "dm-2"}) {
            QFile file(copy.root() + u"/sys/devices/virtual/block/"_s + QLatin1String(dm) + u"/dm/name"_s);
            QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate));
            file.write(name + dm + '\n');
        }
        Rig rig(copy.root());
        rig.machine.setListsAll(true);
        QVERIFY(std::ranges::any_of(rig.machine.disks().disks(), [&](const BlockNode &disk) {
            return rig.machine.diskTitle(disk.name).size() > name.size() ||
                   std::ranges::any_of(disk.mounts, [&](const MountUse &mount) {
                       return mount.target == path.toStdString();
                   });
        }));
        const QStringList wide = tooWideOn(rig);
        QVERIFY2(wide.isEmpty(), qPrintable(wide.join(u'\n')));
    }

private:
    static void replace(const QString &path, const QByteArray &from, const QByteArray &to)
    {
        QFile file(path);
        QVERIFY(file.open(QFile::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        QVERIFY(text.contains(from));
        QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate));
        file.write(text.replace(from, to));
    }

    QTranslator m_pseudo;
};

QTEST_MAIN(NarrowTest)
#include "tst_mainwindow_narrow.moc"
