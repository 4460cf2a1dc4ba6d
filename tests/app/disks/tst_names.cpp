// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/names.h"

#include <QString>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace diskwright;

class TestNames : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cleansTexts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("clean");
        QTest::newRow("plain") << QByteArray("Samsung SSD") << QByteArray("Samsung SSD");
        QTest::newRow("padded") << QByteArray("  QEMU  \n\0", 10) << QByteArray("QEMU");
        QTest::newRow("umlaut") << QByteArray("Gr\xC3\xB6\xC3\x9F"
                                              "e")
                                << QByteArray("Gr\xC3\xB6\xC3\x9F"
                                              "e");
        QTest::newRow("newline inside") << QByteArray("a\nb")
                                        << QByteArray("a"
                                                      "\xEF\xBF\xBD"
                                                      "b");
        QTest::newRow("escape") << QByteArray("\x1b[2J")
                                << QByteArray("\xEF\xBF\xBD"
                                              "[2J");
        QTest::newRow("latin 1") << QByteArray("Gr\xF6")
                                 << QByteArray("Gr"
                                               "\xEF\xBF\xBD");
        QTest::newRow("cut off") << QByteArray("a\xE2\x82")
                                 << QByteArray("a"
                                               "\xEF\xBF\xBD"
                                               "\xEF\xBF\xBD");
        QTest::newRow("overlong") << QByteArray("\xC0\xAF")
                                  << QByteArray("\xEF\xBF\xBD"
                                                "\xEF\xBF\xBD");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80")
                                   << QByteArray("\xEF\xBF\xBD"
                                                 "\xEF\xBF\xBD"
                                                 "\xEF\xBF\xBD");
        QTest::newRow("right to left override") << QByteArray("a\xE2\x80\xAE"
                                                              "b")
                                                << QByteArray("a"
                                                              "\xEF\xBF\xBD"
                                                              "b");
        QTest::newRow("other marks of direction") << QByteArray("\xE2\x80\x8F\xD8\x9C\xE2\x81\xA6")
                                                  << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
        QTest::newRow("C1 control") << QByteArray("\xC2\x9B") << QByteArray("\xEF\xBF\xBD");
        QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80")
                                        << QByteArray("\xEF\xBF\xBD"
                                                      "\xEF\xBF\xBD"
                                                      "\xEF\xBF\xBD"
                                                      "\xEF\xBF\xBD");
        QTest::newRow("emoji") << QByteArray("\xF0\x9F\x92\xBE") << QByteArray("\xF0\x9F\x92\xBE");
        QTest::newRow("blank") << QByteArray("   ") << QByteArray();
    }
    void cleansTexts()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, clean);
        QCOMPARE(cleanText(text.toStdString()), clean.toStdString());
    }
    void sortsLikeAPersonWould()
    {
        const std::vector<std::string> wanted{"dm-2",      "dm-10",      "loop0",   "nvme0n1",
                                              "nvme0n1p2", "nvme0n1p10", "nvme2n1", "nvme10n1",
                                              "sda",       "sdb",        "sdz",     "sdaa"};
        std::vector<std::string> names = wanted;
        std::ranges::reverse(names);
        std::ranges::sort(names, deviceNameLess);
        QCOMPARE(names, wanted);
    }
    void orderIsStrict()
    {
        for (const char *name : {"", "sda", "sda1", "dm-0", "00", "0"})
            QVERIFY(!deviceNameLess(name, name));
        QVERIFY(deviceNameLess("a99999999999999999999998", "a99999999999999999999999"));
    }
};

QTEST_APPLESS_MAIN(TestNames)
#include "tst_names.moc"
