// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/whyslowcard.h"

#include <QAccessible>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

QString machine(const QString &name)
{
    return QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/health/") + name;
}

QStringList visibleTexts(const QWidget &card)
{
    QStringList texts;
    for (const QLabel *label : card.findChildren<QLabel *>()) {
        if (label->isVisible())
            texts << label->text();
    }
    return texts;
}

bool says(const QWidget &card, const QString &part)
{
    const QStringList texts = visibleTexts(card);
    return std::ranges::any_of(texts, [&](const QString &text) { return text.contains(part); });
}

QList<Expander *> expanders(const QWidget &card)
{
    QList<Expander *> found;
    for (Expander *one : card.findChildren<Expander *>()) {
        if (one->isVisible())
            found << one;
    }
    return found;
}

} // namespace

class TestWhySlowCard : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void showsWhatWasFound()
    {
        WhySlowCard card(machine(u"sata-slowed-down"_s));
        card.show();
        QSignalSpy read(&card, &WhySlowCard::wasRead);
        card.setDisk("sda");
        QVERIFY(says(card, u"Looking"_s));
        QVERIFY(read.wait(10'000));
        QVERIFY(says(card, u"The kernel holds the SATA link at 1.5 Gbps"_s));
        QVERIFY(says(card, u"Replace the SATA cable"_s));
        QVERIFY(says(card, u"sata_spd = 1.5 Gbps"_s));
        // The third of three is one key away.
        QVERIFY(!says(card, u"failed transfers"_s));
        QCOMPARE(expanders(card).size(), 2);
        for (Expander *expander : expanders(card)) {
            QVERIFY(!expander->accessibleName().isEmpty());
            expander->setFocus();
            QTest::keyClick(expander, Qt::Key_Space);
        }
        QVERIFY(says(card, u"failed transfers"_s));
        QVERIFY(says(card, u"SATA speed"_s));
        QVERIFY(says(card, u"Not known"_s));
    }
    void oneLineWhenNothingIsFound()
    {
        WhySlowCard card(machine(u"sound-ssd"_s));
        card.show();
        QSignalSpy read(&card, &WhySlowCard::wasRead);
        card.setDisk("sda");
        QVERIFY(read.wait(10'000));
        QCOMPARE(visibleTexts(card),
                 QStringList({u"Why is this disk slow?"_s, u"Nothing found that slows this disk."_s}));
        QVERIFY2(card.sizeHint().height() < 5 * card.fontMetrics().height(),
                 QByteArray::number(card.sizeHint().height()));
    }
    void withoutADiskNothingWasFoundIsNotSaid()
    {
        const QTemporaryDir tree;
        QVERIFY(QDir(tree.path()).mkpath(u"sys/block/sda/slaves/sdb"_s));
        QVERIFY(QDir(tree.path()).mkpath(u"sys/block/sdb/slaves/sda"_s));
        WhySlowCard card(tree.path());
        card.show();
        QSignalSpy read(&card, &WhySlowCard::wasRead);
        card.setDisk("sda");
        QVERIFY(read.wait(10'000));
        QVERIFY(says(card, u"Nothing of this disk could be looked at."_s));
        QVERIFY(!says(card, u"Nothing found"_s));
        QCOMPARE(expanders(card).size(), 1); // why
    }
    void anotherDiskEndsTheReading()
    {
        WhySlowCard card(machine(u"raid-degraded"_s));
        card.show();
        QSignalSpy read(&card, &WhySlowCard::wasRead);
        card.setDisk("sda");
        card.setDisk("sdb");
        QVERIFY(read.wait(10'000));
        QVERIFY(!card.isReading());
        QCOMPARE(card.disk(), std::string("sdb"));
        QVERIFY(!read.wait(300)); // nothing of the first comes after
        QCOMPARE(read.size(), 1);
    }
    void theWindowIsNotHeldUp()
    {
        QElapsedTimer timer;
        timer.start();
        {
            // The disks of this machine, with everything that takes time.
            WhySlowCard card(u"/"_s);
            card.setDisk("sda");
            card.setDisk("vda");
        }
        QVERIFY2(timer.elapsed() < 200, QByteArray::number(timer.elapsed()));
    }
    void aDiskThatWentAwayIsSaid()
    {
        WhySlowCard card(machine(u"hdd-swap"_s));
        card.show();
        QSignalSpy read(&card, &WhySlowCard::wasRead);
        card.setDisk("sdz");
        QVERIFY(read.wait(10'000));
        QVERIFY(says(card, u"Could not look"_s));
    }
    void everyFindingHasItsName()
    {
        WhySlowCard card(machine(u"hdd-swap"_s));
        card.show();
        QSignalSpy read(&card, &WhySlowCard::wasRead);
        card.setDisk("sda");
        QVERIFY(read.wait(10'000));
        int named = 0;
        for (const QWidget *widget : card.findChildren<QWidget *>()) {
            if (widget->accessibleName().contains(u": "_s) && !widget->accessibleDescription().isEmpty())
                ++named;
        }
        QCOMPARE(named, 6);
        // Looking again keeps what was opened.
        expanders(card).constFirst()->setChecked(true);
        card.readAgain();
        QVERIFY(read.wait(10'000));
        QVERIFY(expanders(card).constFirst()->isChecked());
    }
};

QTEST_MAIN(TestWhySlowCard)
#include "tst_whyslowcard.moc"
