// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include <QString>
#include <QTest>

#include <clocale>

using namespace diskwright;
using namespace Qt::StringLiterals;

class TestTable : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { std::setlocale(LC_ALL, "C.UTF-8"); }
    void alignsColumns()
    {
        Table table;
        table.addColumn("NAME");
        table.addColumn("SIZE", Table::Align::Right);
        table.addColumn("WHAT");
        table.addRow({"sda", "1 B", "x"});
        table.addRow({"nvme0n1", "100 GB"});
        QCOMPARE(table.render(), std::string("NAME       SIZE  WHAT\n"
                                             "sda         1 B  x\n"
                                             "nvme0n1  100 GB\n"));
    }
    void countsCellsNotBytes()
    {
        Table table;
        table.addColumn("A");
        table.addColumn("B");
        table.addRow({"\xC3\xA4\xC3\xB6", "x"});
        table.addRow({"\xEB\x94\x94\xEC\x8A\xA4", "y"}); // two wide letters
        QCOMPARE(table.render(),
                 std::string("A     B\n\xC3\xA4\xC3\xB6    x\n\xEB\x94\x94\xEC\x8A\xA4  y\n"));
        QCOMPARE(displayWidth("\xFF\xFE"), 2u);
        QCOMPARE(displayWidth(""), 0u);
    }
    void shortensTheMiddle()
    {
        QCOMPARE(shortened("/mnt/archive/2019", 17), std::string("/mnt/archive/2019"));
        QCOMPARE(shortened("/mnt/archive/2019", 16), std::string("/mnt/ar\u2026ive/2019"));
        QCOMPARE(shortened("/mnt/archive/2019", 2), std::string("\u20269"));
        QCOMPARE(shortened("\xEB\x94\x94\xEC\x8A\xA4\xED\x81\xAC", 4), std::string("\u2026\xED\x81\xAC"));
        for (std::size_t most = 1; most < 20; ++most)
            QVERIFY(displayWidth(shortened("/\xC3\xA4/\xEB\x94\x94\xEC\x8A\xA4/a/long/path", most)) <= most);
    }
    void staysWithinTheTerminal()
    {
        Table table;
        table.addColumn("NAME");
        table.addColumn("MOUNTS", Table::Align::Left, Table::Fit::Shorten);
        table.addColumn("NOTES");
        const std::string path = "/mnt/" + std::string(200, 'x') + "/end";
        table.addRow({"sda", path, "frozen"});
        const QByteArray whole = QByteArray::fromStdString(table.render());
        QVERIFY(whole.contains(QByteArray::fromStdString(path)));
        const QByteArray narrow = QByteArray::fromStdString(table.render(80));
        for (const QByteArray &line : narrow.split('\n'))
            QVERIFY2(displayWidth(line.toStdString()) <= 80, line.constData());
        QVERIFY2(narrow.contains("/end  frozen"), narrow.constData());
        QVERIFY2(narrow.contains("\u2026"), narrow.constData());
        // Columns that have to be read whole, and what is too little to say anything, are left.
        const QByteArray least = QByteArray::fromStdString(table.render(10));
        QVERIFY2(least.contains("frozen") && least.contains("/end"), least.constData());
        QCOMPARE(table.render(400), table.render());
    }
    void headingsAloneAreATable()
    {
        Table table;
        table.addColumn("NAME");
        QCOMPARE(table.render(), std::string("NAME\n"));
    }
    void sizes_data()
    {
        QTest::addColumn<qulonglong>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0ull << u"0 B"_s;
        QTest::newRow("bytes") << 999ull << u"999 B"_s;
        QTest::newRow("kilo") << 1000ull << u"1.00 kB"_s;
        QTest::newRow("three digits") << 512110190592ull << u"512 GB"_s;
        QTest::newRow("two digits") << 31914983424ull << u"31.9 GB"_s;
        QTest::newRow("one digit") << 8001563222016ull << u"8.00 TB"_s;
        QTest::newRow("rounds up to the next unit") << 999999999ull << u"1.00 GB"_s;
        QTest::newRow("just below") << 999499999ull << u"999 MB"_s;
        QTest::newRow("rounds to fewer places") << 9999000000ull << u"10.0 GB"_s;
        QTest::newRow("largest") << 18446744073709551615ull << u"18.4 EB"_s;
    }
    void sizes()
    {
        QFETCH(qulonglong, bytes);
        QFETCH(QString, text);
        QCOMPARE(decimalSize(bytes), text.toStdString());
    }
};

QTEST_APPLESS_MAIN(TestTable)
#include "tst_table.moc"
