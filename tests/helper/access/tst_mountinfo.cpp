// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/access/mountinfo.h"
#include "tests/helper/access/faketree.h"

#include <QTest>

#include <algorithm>

using namespace diskwright;

class TestMountInfo : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsEveryField()
    {
        const auto mounts = parseMountInfo(
            "36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 shared:7 - ext3 /dev/root rw,errors=continue\n"
            "40 1 0:32 / / rw - btrfs /dev/mapper/a\\134b rw,subvol=/\n");
        QCOMPARE(mounts.size(), 2u);
        QCOMPARE(mounts[0].id, 36u);
        QCOMPARE(mounts[0].parent, 35u);
        QCOMPARE(mounts[0].major, 98u);
        QCOMPARE(mounts[0].minor, 0u);
        QCOMPARE(mounts[0].root, std::string("/mnt1"));
        QCOMPARE(mounts[0].target, std::string("/mnt 2"));
        QCOMPARE(mounts[0].options, std::string("rw,noatime"));
        QCOMPARE(mounts[0].fstype, std::string("ext3"));
        QCOMPARE(mounts[0].source, std::string("/dev/root"));
        QCOMPARE(mounts[0].superOptions, std::string("rw,errors=continue"));
        QCOMPARE(mounts[1].source, std::string("/dev/mapper/a\\b"));
    }
    void leavesOutWhatIsNoMount_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("words") << QByteArray("not a mount at all");
        QTest::newRow("no number") << QByteArray("x 35 98:0 / /a rw - ext4 /dev/sda rw");
        QTest::newRow("negative") << QByteArray("-1 35 98:0 / /a rw - ext4 /dev/sda rw");
        QTest::newRow("too large") << QByteArray("99999999999999999999 1 8:0 / /a rw - ext4 /dev/sda rw");
        QTest::newRow("no colon") << QByteArray("1 1 80 / /a rw - ext4 /dev/sda rw");
        QTest::newRow("no dash") << QByteArray("1 1 8:0 / /a rw shared:1 ext4 /dev/sda rw");
        QTest::newRow("ends early") << QByteArray("1 1 8:0 / /a rw -");
        QTest::newRow("no target") << QByteArray("1 1 8:0 /  rw - ext4 /dev/sda rw");
        QTest::newRow("binary") << QByteArray("\0\xff\xfe 1 8:0 / /", 12);
    }
    void leavesOutWhatIsNoMount()
    {
        QFETCH(QByteArray, line);
        const std::string text = line.toStdString() + "\n1 1 8:0 / /good rw - ext4 /dev/sda rw\n";
        const auto mounts = parseMountInfo(text);
        QCOMPARE(mounts.size(), 1u);
        QCOMPARE(mounts[0].target, std::string("/good"));
    }
    void undoesEscapes_data()
    {
        QTest::addColumn<QByteArray>("escaped");
        QTest::addColumn<QByteArray>("plain");
        QTest::newRow("blank") << QByteArray("a\\040b") << QByteArray("a b");
        QTest::newRow("at the end") << QByteArray("a\\012") << QByteArray("a\n");
        QTest::newRow("cut off") << QByteArray("a\\04") << QByteArray("a\\04");
        QTest::newRow("no octal") << QByteArray("\\089") << QByteArray("\\089");
        QTest::newRow("above a byte") << QByteArray("\\777") << QByteArray("\\777");
        QTest::newRow("highest") << QByteArray("\\377") << QByteArray("\xff");
        QTest::newRow("backslash") << QByteArray("\\134040") << QByteArray("\\040");
        QTest::newRow("lone backslash") << QByteArray("\\") << QByteArray("\\");
    }
    void undoesEscapes()
    {
        QFETCH(QByteArray, escaped);
        QFETCH(QByteArray, plain);
        QCOMPARE(unescapeOctal(escaped.toStdString()), plain.toStdString());
    }
    void readsSwaps()
    {
        const auto swaps = parseSwaps("Filename\tType\tSize\tUsed\tPriority\n"
                                      "/dev/sda3                  partition\t100\t0\t-2\n"
                                      "/swap\\040file              file\t\t100\t0\t-3\n"
                                      "alone\n   \n");
        QCOMPARE(swaps.size(), 2u);
        QCOMPARE(swaps[0].path, std::string("/dev/sda3"));
        QVERIFY(!swaps[0].isFile);
        QCOMPARE(swaps[1].path, std::string("/swap file"));
        QVERIFY(swaps[1].isFile);
    }
    void missingFilesAreNoSwapAndAnError()
    {
        const FakeTree tree;
        QVERIFY(readSwaps(tree.root())->empty());
        QCOMPARE(readMountInfo(tree.root()).error().code, Errc::Absent);
    }
    void readsTheLiveTable()
    {
        const auto mounts = readMountInfo(SystemRoot::live().value());
        QVERIFY(mounts.has_value());
        QVERIFY(std::ranges::any_of(*mounts, [](const MountEntry &mount) { return mount.target == "/"; }));
    }
};

QTEST_APPLESS_MAIN(TestMountInfo)
#include "tst_mountinfo.moc"
