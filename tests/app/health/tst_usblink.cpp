// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::health;

namespace {

const std::string device = "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/";

std::string raw(std::initializer_list<int> bytes)
{
    std::string text;
    for (const int byte : bytes)
        text += static_cast<char>(byte);
    return text;
}

const std::string store5 = raw({5, 15, 15, 0, 1, 10, 16, 3, 0, 0x0e, 0, 1, 10, 0xff, 7});
// SuperSpeedPlus with two entries of 10 Gbit/s.
const std::string store10 = raw({5, 15, 35, 0, 2, 10, 16, 3, 0, 0x0e, 0,    1,  10, 0xff, 7,    20, 16, 10,
                                 0, 1,  0,  0, 0, 0,  0,  0, 0, 0x30, 0x40, 10, 0,  0xb0, 0x40, 10, 0});
const std::string bulk = raw({9, 4, 0, 0, 2, 8, 6, 0x50, 0});
const std::string uas = raw({9, 4, 0, 1, 4, 8, 6, 0x62, 0});

struct Usb {
    std::string speed = "5000";
    std::string version = " 3.00";
    std::string store = {};
    std::string descriptors = bulk;
    std::string driver = "usb-storage";
    std::string quirks = {};
};

Health seen(const Usb &usb)
{
    const FakeTree tree;
    placeDisk(tree, "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/host4/target4:0:0/4:0:0:0", "sda", {});
    tree.file(device + "speed", usb.speed + '\n');
    tree.file(device + "version", usb.version + '\n');
    tree.file(device + "idVendor", "0781\n");
    tree.file(device + "idProduct", "55ae\n");
    tree.file(device + "bos_descriptors", usb.store);
    tree.file(device + "descriptors", usb.descriptors);
    tree.file("sys/module/usb_storage/parameters/quirks", usb.quirks + '\n');
    tree.link(device + "1-2:1.0/driver", "../../../../../../bus/usb/drivers/" + usb.driver);
    return look(tree, "sda");
}

} // namespace

class TestUsbLink : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aLinkAtItsBestIsNoFinding()
    {
        QCOMPARE(ids(seen({})), Words{});
        QCOMPARE(ids(seen({.store = store5})), Words{});
        QCOMPARE(ids(seen({.speed = "10000", .version = " 3.20", .store = store10})), Words{});
        QCOMPARE(ids(seen({.descriptors = bulk + uas, .driver = "uas"})), Words{});
    }
    void usb3OnUsb2()
    {
        QCOMPARE(ids(seen({.speed = "480", .version = " 2.10"})), Words{"usb-link-slow"});
        QCOMPARE(ids(seen({.speed = "480", .version = " 2.01", .store = store5})), Words{"usb-link-slow"});
        QCOMPARE(ids(seen({.speed = "480", .version = " 2.00"})), Words{"usb2-device"});
        QCOMPARE(ids(seen({.speed = "480", .version = " 2.01"})), Words{"usb2-device"});
        for (const std::string version : {" 1.10", " 2.00", " 2.10"}) {
            const Health full = seen({.speed = "12", .version = version});
            QCOMPARE(ids(full), Words{"usb-very-slow"});
            QVERIFY(english(full.findings[0].text).contains("12 Mbit/s, about 1 MB/s"));
            const Health low = seen({.speed = "1.5", .version = version});
            QCOMPARE(ids(low), Words{"usb-very-slow"});
            QVERIFY(english(low.findings[0].text).contains("1.5 Mbit/s, 0.15 MB/s"));
            QCOMPARE(fact(low, "usb.speed"), std::string("1.5 Mbit/s"));
        }
        for (const char *speed : {"unknown", "-480", "0", "12x", "nan"}) {
            const Health none = seen({.speed = speed});
            QCOMPARE(ids(none), Words{});
            QVERIFY(std::ranges::contains(unknownIds(none), "usb.speed"));
        }
    }
    void fasterThanItsPort()
    {
        const Health found = seen({.store = store10});
        QCOMPARE(ids(found), Words{"usb-link-below-device"});
        QVERIFY(english(finding(found, "usb-link-below-device")->text).contains("10000"));
    }
    void withoutUas()
    {
        const Health asked = seen({.descriptors = bulk + uas, .quirks = "1234:5678:k,0781:55ae:u"});
        QCOMPARE(ids(asked), Words{"usb-without-uas"});
        QVERIFY(finding(asked, "usb-without-uas")->fact.contains("quirks"));
        const Health alone = seen({.descriptors = bulk + uas, .quirks = "1234:5678:u"});
        QCOMPARE(ids(alone), Words{"usb-without-uas"});
        QVERIFY(!finding(alone, "usb-without-uas")->fact.contains("quirks"));
    }
    void brokenDescriptors()
    {
        for (const std::string &text : {raw({0, 0, 0}), raw({255}), raw({9, 4, 0}), raw({1, 16}),
                                        raw({2, 16, 3}), raw({4, 16, 10, 0}), std::string(70'000, '\x09')}) {
            QCOMPARE(ids(seen({.store = text, .descriptors = text})), Words{});
        }
        // An entry count that goes beyond the descriptor.
        QCOMPARE(ids(seen({.store = raw({16, 16, 10, 0, 0x1f, 0, 0, 0, 0, 0, 0, 0, 0x30, 0, 5, 0})})),
                 Words{});
    }
};

QTEST_APPLESS_MAIN(TestUsbLink)
#include "tst_usblink.moc"
