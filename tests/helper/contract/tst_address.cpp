// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/contract/address.h"
#include "helper/contract/domains.h"
#include "helper/contract/request.h"

#include <QTest>

using namespace diskwright;

class TestAddress : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("disk") << QByteArray("queue:sda:read_ahead_kb") << QByteArray("sda")
                              << QByteArray("read_ahead_kb");
        QTest::newRow("id with colons") << QByteArray("queue:ata-A:B_0:0:scheduler")
                                        << QByteArray("ata-A:B_0:0") << QByteArray("scheduler");
        QTest::newRow("iosched") << QByteArray("iosched:sda:bfq/slice_idle") << QByteArray("sda")
                                 << QByteArray("bfq/slice_idle");
        QTest::newRow("vm") << QByteArray("vm::swappiness") << QByteArray() << QByteArray("swappiness");
        QTest::newRow("mount") << QByteArray("mount:/home:atime") << QByteArray("/home")
                               << QByteArray("atime");
    }
    void parses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, key);
        const auto address = parseAddress(text.toStdString());
        QVERIFY(address);
        QCOMPARE(address->target, target.toStdString());
        QCOMPARE(address->key, key.toStdString());
        QCOMPARE(toText(*address), text.toStdString());
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"", ":", "::", "queue", "queue:sda", "queue::scheduler", "queue:sda:", "vm:sda:swappiness",
              "vm.swappiness", "block:sda:scheduler", "Queue:sda:scheduler"})
            QTest::newRow(text) << QByteArray(text);
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        const auto address = parseAddress(text.toStdString());
        QVERIFY(!address);
        QCOMPARE(address.error().input, text.toStdString());
        QVERIFY(!address.error().accepted.empty());
    }

    void offersOnlyDomainsThatHaveSettings()
    {
        QCOMPARE(parseAddress("block:sda:scheduler").error().accepted, "queue, iosched, bdi, vm");
        for (const SettingSpec &row : catalogue())
            QVERIFY(settableDomains().contains(name(row.domain)));
    }

    void assignmentSplitsAtTheLastEqualsSign()
    {
        const auto assignment = parseAssignment("queue:usb-A=B:scheduler=bfq");
        QVERIFY(assignment);
        QCOMPARE(assignment->setting, "queue:usb-A=B:scheduler");
        QCOMPARE(assignment->value, "bfq");
        QVERIFY(!parseAssignment("queue:sda:scheduler"));
    }

    void kernelNames()
    {
        for (const char *name : {"sda", "nvme0n1", "mmcblk0", "dm-0", "md127", "cciss!c0d0", "zram0"})
            QVERIFY2(isKernelName(name), name);
        for (const std::string_view name :
             {"", ".", "..", "/", "sda/../sdb", "../../kernel", "/dev/sda", "Sda", "sda\n", "0sd"})
            QVERIFY(!isKernelName(name));
        QVERIFY(!isKernelName(std::string(33, 'a')));
        QVERIFY(!isKernelName(std::string_view("sda\0x", 5)));
    }

    void diskIds()
    {
        QVERIFY(isSafeDiskId("wwn-0x5000c50015ea71ac"));
        QVERIFY(isSafeDiskId("usb-QEMU_QEMU_HARDDISK_USB01-0:0"));
        for (const char *id :
             {"", "a b", "a*", "a?", "[a]", "a|b", "a\"", "a\\", "$env{X}", "%k", "a,b", "é"})
            QVERIFY2(!isSafeDiskId(id), id);
        QVERIFY(!isSafeDiskId(std::string(129, 'a')));
    }

    void transactionIds()
    {
        const std::string text = "00112233445566778899aabbccddeeff";
        const auto id = transactionIdFromHex(text);
        QVERIFY(id);
        QCOMPARE(toHex(*id), text);
        for (const char *bad : {"", "00", "00112233445566778899AABBCCDDEEFF",
                                "00112233445566778899aabbccddeef", "../../etc/passwd/aabbccddeeff0011"})
            QVERIFY2(!transactionIdFromHex(bad), bad);
    }
};

QTEST_APPLESS_MAIN(TestAddress)

#include "tst_address.moc"
