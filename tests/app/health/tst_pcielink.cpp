// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::health;

namespace {

struct Ends {
    std::array<std::string, 4> drive; ///< current speed, current width, most speed, most width
    std::array<std::string, 2> slot;  ///< most speed, most width
    std::string power = "active";
};

Health seen(const Ends &ends)
{
    const FakeTree tree;
    const std::string port = "sys/devices/pci0000:00/0000:00:1d.0/";
    const std::string function = port + "0000:03:00.0/";
    const std::string disk = function + "nvme/nvme0/nvme0n1";
    tree.file(disk + "/dev", "259:0\n");
    tree.link("sys/block/nvme0n1", "../" + disk.substr(4));
    tree.link("sys/class/block/nvme0n1", "../../" + disk.substr(4));
    tree.file(function + "current_link_speed", ends.drive[0] + '\n');
    tree.file(function + "current_link_width", ends.drive[1] + '\n');
    tree.file(function + "max_link_speed", ends.drive[2] + '\n');
    tree.file(function + "max_link_width", ends.drive[3] + '\n');
    tree.file(function + "power/runtime_status", ends.power + '\n');
    tree.file(port + "max_link_speed", ends.slot[0] + '\n');
    tree.file(port + "max_link_width", ends.slot[1] + '\n');
    return look(tree, "nvme0n1");
}

} // namespace

class TestPcieLink : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aLinkAtItsBestIsNoFinding()
    {
        QCOMPARE(ids(seen({{"16.0 GT/s PCIe", "4", "16.0 GT/s PCIe", "4"}, {"32.0 GT/s PCIe", "16"}})),
                 Words{});
    }
    void theSlotIsTheLimit()
    {
        const Health narrow = seen({{"16.0 GT/s PCIe", "2", "16.0 GT/s PCIe", "4"}, {"16.0 GT/s PCIe", "2"}});
        QCOMPARE(ids(narrow), Words{"pcie-slot-slow"});
        QCOMPARE(finding(narrow, "pcie-slot-slow")->fact,
                 std::string("link: 16.0 GT/s x2, drive: 16.0 GT/s x4, slot: 16.0 GT/s x2"));
        QVERIFY(english(finding(narrow, "pcie-slot-slow")->text).contains("3.9 GB"));
        QCOMPARE(ids(seen({{"8.0 GT/s PCIe", "4", "16.0 GT/s PCIe", "4"}, {"8.0 GT/s PCIe", "4"}})),
                 Words{"pcie-slot-slow"});
    }
    void theLinkIsBelowBothEnds()
    {
        QCOMPARE(ids(seen({{"2.5 GT/s PCIe", "4", "8.0 GT/s PCIe", "4"}, {"8.0 GT/s PCIe", "4"}})),
                 Words{"pcie-link-low"});
        QCOMPARE(ids(seen({{"8.0 GT/s PCIe", "1", "8.0 GT/s PCIe", "4"}, {"", ""}})), Words{"pcie-link-low"});
    }
    void whatIsNotKnownIsNotClaimed()
    {
        const Health none = seen({{"Unknown speed", "0", "16.0 GT/s PCIe", "4"}, {"", ""}});
        QCOMPARE(ids(none), Words{});
        QVERIFY(std::ranges::contains(unknownIds(none), "pcie.link"));
        const Health half = seen({{"16.0 GT/s PCIe", "4", "Unknown", "255"}, {"", ""}});
        QVERIFY(std::ranges::contains(unknownIds(half), "pcie.drive"));
        QCOMPARE(ids(seen({{"16.0 GT/s PCIe", "4", "Unknown", "255"}, {"", ""}})), Words{});
        QCOMPARE(ids(seen({{"8.0 GT/s", "-4", "8.0 GT/s", "4"}, {"", ""}})), Words{});
    }
    void aSleepingDriveIsNotAsked()
    {
        const Health asleep =
            seen({{"2.5 GT/s PCIe", "1", "16.0 GT/s PCIe", "4"}, {"16.0 GT/s PCIe", "4"}, "suspended"});
        QCOMPARE(ids(asleep), Words{"asleep"});
        QCOMPARE(fact(asleep, "pcie.link"), std::string());
        QVERIFY(std::ranges::contains(unknownIds(asleep), "pcie.link"));
        QVERIFY(std::ranges::contains(unknownIds(asleep), "temperature"));
    }
    void severalControllersOfOneSubsystem()
    {
        const FakeTree tree;
        const std::string subsystem = "sys/devices/virtual/nvme-subsystem/nvme-subsys0/";
        tree.file(subsystem + "nvme0n1/dev", "259:0\n");
        tree.link("sys/block/nvme0n1", "../" + subsystem.substr(4) + "nvme0n1");
        for (const std::string number : {"0", "1"}) {
            const std::string function = "sys/devices/pci0000:0" + number + "/0000:0" + number + ":00.0/";
            tree.file(function + "current_link_speed", number == "1" ? "2.5 GT/s PCIe\n" : "8.0 GT/s PCIe\n");
            tree.file(function + "current_link_width", "4\n");
            tree.file(function + "max_link_speed", "8.0 GT/s PCIe\n");
            tree.file(function + "max_link_width", "4\n");
            tree.folder(function + "nvme/nvme" + number);
            tree.link("sys/class/nvme/nvme" + number, "../../" + function.substr(4) + "nvme/nvme" + number);
            tree.link(subsystem + "nvme" + number,
                      "../../../../" + function.substr(4) + "nvme/nvme" + number);
        }
        const Health health = look(tree, "nvme0n1");
        QCOMPARE(ids(health), Words{"pcie-link-low"});
        QVERIFY(finding(health, "pcie-link-low")->source.contains("0000:01:00.0"));
    }
};

QTEST_APPLESS_MAIN(TestPcieLink)
#include "tst_pcielink.moc"
