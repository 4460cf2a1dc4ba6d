// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/health/subject.h"

#include "answer.h"

#include <QElapsedTimer>
#include <QTest>

#include <thread>

using namespace diskwright;
using namespace diskwright::health;

class TestSubject : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesOfTheKernelsTree()
    {
        QVERIFY(isUsbDevice("2-1.4") && isUsbDevice("10-2"));
        QVERIFY(!isUsbDevice("2-1.4:1.0") && !isUsbDevice("usb2") && !isUsbDevice("-1") &&
                !isUsbDevice("1-"));
        QVERIFY(isPciFunction("0000:03:00.0") && isPciFunction("10000:e1:00.7"));
        QVERIFY(!isPciFunction("pci0000:00") && !isPciFunction("0000:03:00") && !isPciFunction("0:0:0:0"));
        QVERIFY(isNumbered("ata12", "ata") && !isNumbered("ata", "ata") && !isNumbered("ata_port", "ata"));
    }
    void numbers()
    {
        QCOMPARE(parseInteger("0x1f"), std::optional<std::int64_t>(31));
        QCOMPARE(parseInteger("-5"), std::optional<std::int64_t>(-5));
        for (const char *text : {"", "0x", "5 ", "five", "99999999999999999999"})
            QVERIFY2(!parseInteger(text), text);
    }
    void identifyPages()
    {
        std::string text;
        for (int word = 0; word < 256; ++word)
            text += word % 8 == 7 ? "00ff\n" : "1234 ";
        QCOMPARE(parseIdentify(text).size(), 256u);
        QCOMPARE(parseIdentify(text)[7], std::uint16_t{0xff});
        QVERIFY(parseIdentify(text + "1234").empty());
        QVERIFY(parseIdentify(text.substr(5)).empty());
        QVERIFY(parseIdentify("xyzw" + text.substr(4)).empty());
        QVERIFY(parseIdentify({}).empty());
    }
    void aPathByItsLink()
    {
        const FakeTree tree;
        tree.folder("sys/devices/pci0000:00/0000:00:17.0/block/sda");
        tree.link("sys/class/block/sda", "../../devices/pci0000:00/0000:00:17.0/block/sda");
        tree.link("sys/class/block/sdb", "../../../../../../../etc/passwd");
        const SystemRoot root = tree.root();
        const DevicePath path = DevicePath::of(root, "sda");
        QCOMPARE(path.text(), std::string("sys/devices/pci0000:00/0000:00:17.0/block/sda"));
        QCOMPARE(path.last(isPciFunction), 4u);
        QCOMPARE(path.last(isPciFunction, 3), 0u);
        // Nothing leaves the tree.
        QCOMPARE(DevicePath::of(root, "sdb").text(), std::string("etc/passwd"));
        QCOMPARE(DevicePath::of(root, "sdc").text(), std::string("sys/block/sdc"));
    }
    void whatHangsIsNotWaitedFor()
    {
        using namespace std::chrono_literals;
        QElapsedTimer timer;
        timer.start();
        const auto late = within<int>(50ms, [] {
            std::this_thread::sleep_for(600ms);
            return 1;
        });
        QVERIFY(!late);
        QVERIFY(timer.elapsed() < 500);
        QCOMPARE(within<int>(5s, [] { return 2; }), std::optional(2));
        std::this_thread::sleep_for(700ms);
    }
};

QTEST_APPLESS_MAIN(TestSubject)
#include "tst_subject.moc"
