// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/access/udevdb.h"
#include "tests/helper/access/faketree.h"

#include <QTest>

using namespace diskwright;

class TestUdevDatabase : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsLinksAndProperties()
    {
        const UdevEntry entry = parseUdevEntry("S:disk/by-id/ata-X\nI:123\nE:ID_MODEL=a=b\nE:EMPTY=\nV:1\n");
        QCOMPARE(entry.links, std::vector<std::string>{"disk/by-id/ata-X"});
        QCOMPARE(*entry.property("ID_MODEL"), std::string("a=b"));
        QCOMPARE(*entry.property("EMPTY"), std::string());
        QVERIFY(!entry.property("ID_NONE"));
    }
    void ignoresUnsoundLines_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("newlines") << QByteArray("\n\n\n");
        QTest::newRow("letter only") << QByteArray("E");
        QTest::newRow("no body") << QByteArray("E:");
        QTest::newRow("no equals") << QByteArray("E:ID_MODEL");
        QTest::newRow("no key") << QByteArray("E:=x");
        QTest::newRow("blank in key") << QByteArray("E:ID MODEL=x");
        QTest::newRow("escape sequence") << QByteArray("E:ID_MODEL=\x1b[2J");
        QTest::newRow("NUL") << QByteArray("E:ID_MODEL=a\0b", 14);
        QTest::newRow("carriage return") << QByteArray("E:ID_MODEL=a\r");
        QTest::newRow("other letter") << QByteArray("X:ID_MODEL=a");
    }
    void ignoresUnsoundLines()
    {
        QFETCH(QByteArray, text);
        const UdevEntry entry = parseUdevEntry(text.toStdString());
        QVERIFY(entry.properties.empty());
        QVERIFY(entry.links.empty());
    }
    void refusesAnEndlessEntry()
    {
        const FakeTree tree;
        tree.file("run/udev/data/b8:0", std::string(udevEntryBytes + 1, 'x'));
        tree.file("run/udev/data/b8:1", "E:A=b\n");
        const UdevDatabase database(tree.root());
        QVERIFY(database.isPresent());
        QVERIFY(!database.block(8, 0));
        QVERIFY(database.block(8, 1));
        QVERIFY(!database.block(8, 2));
    }
    void doesNotFollowLinksOutOfTheDatabase()
    {
        const FakeTree tree;
        tree.file("secret", "E:A=b\n");
        tree.link("run/udev/data/b8:0", "../../../secret");
        QVERIFY(!UdevDatabase(tree.root()).block(8, 0));
    }
    void isAbsentWithoutUdev()
    {
        const FakeTree tree;
        const UdevDatabase database(tree.root());
        QVERIFY(!database.isPresent());
        QVERIFY(!database.block(8, 0));
    }
    void undoesEscapes_data()
    {
        QTest::addColumn<QByteArray>("escaped");
        QTest::addColumn<QByteArray>("plain");
        QTest::newRow("blank") << QByteArray("a\\x20b") << QByteArray("a b");
        QTest::newRow("upper case") << QByteArray("\\xC3\\xA4") << QByteArray("\xC3\xA4");
        QTest::newRow("cut off") << QByteArray("a\\x2") << QByteArray("a\\x2");
        QTest::newRow("no hexadecimal") << QByteArray("\\xzz") << QByteArray("\\xzz");
        QTest::newRow("at the end") << QByteArray("\\x41") << QByteArray("A");
    }
    void undoesEscapes()
    {
        QFETCH(QByteArray, escaped);
        QFETCH(QByteArray, plain);
        QCOMPARE(unescapeUdev(escaped.toStdString()), plain.toStdString());
    }
};

QTEST_APPLESS_MAIN(TestUdevDatabase)
#include "tst_udevdb.moc"
