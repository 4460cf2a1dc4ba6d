// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QTest>

#include <format>

using namespace diskwright;
using namespace diskwright::health;

namespace {

const std::string port = "sys/devices/pci0000:00/0000:00:17.0/ata1/";

/// 256 words, those of a drive of three speeds with NCQ and UDMA 6 but for \p changes.
std::string identify(const std::map<std::size_t, unsigned> &changes = {})
{
    std::vector<unsigned> words(256, 0);
    words[53] = 7;
    words[75] = 31;
    words[76] = 0x850e;
    words[82] = 0x20;
    words[88] = 0x407f;
    for (const auto &[word, value] : changes)
        words[word] = value;
    std::string text;
    for (std::size_t word = 0; word < words.size(); ++word)
        text += std::format("{:04x}{}", words[word], word % 8 == 7 ? '\n' : ' ');
    return text;
}

struct Link {
    std::string speed = "6.0 Gbps";
    std::string limit = "<unknown>";
    std::string hardware = "<unknown>";
    std::string id = identify();
    std::string mode = "XFER_UDMA_6";
    std::string queueDepth = "32";
    std::string rotational = "0";
    std::string queueCache = "write back";
    std::string driveCache = "write back";
};

Words findings(const Link &link)
{
    const FakeTree tree;
    placeDisk(tree, "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0", "sda",
              {{"queue/rotational", link.rotational}, {"queue/write_cache", link.queueCache + '\n'}});
    if (!link.driveCache.empty())
        tree.file(port + "host0/target0:0:0/0:0:0:0/scsi_disk/0:0:0:0/cache_type", link.driveCache + '\n');
    tree.file(port + "host0/target0:0:0/0:0:0:0/queue_depth", link.queueDepth);
    tree.file(port + "link1/ata_link/link1/sata_spd", link.speed + '\n');
    tree.file(port + "link1/ata_link/link1/sata_spd_limit", link.limit + '\n');
    tree.file(port + "link1/ata_link/link1/hw_sata_spd_limit", link.hardware + '\n');
    tree.file(port + "link1/dev1.0/ata_device/dev1.0/id", link.id);
    tree.file(port + "link1/dev1.0/ata_device/dev1.0/xfer_mode", link.mode + '\n');
    return ids(look(tree, "sda"));
}

} // namespace

class TestAtaLink : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aLinkAtItsBestIsNoFinding()
    {
        QCOMPARE(findings({}), Words{});
        QCOMPARE(findings({.limit = "6.0 Gbps", .hardware = "6.0 Gbps"}), Words{});
        // A drive of 3.0 Gbps on such a link, though the kernel had to lower it from nothing.
        QCOMPARE(findings({.speed = "3.0 Gbps", .limit = "3.0 Gbps", .id = identify({{76, 0x0106}})}),
                 Words{});
    }
    void slowerThanTheDrive()
    {
        QCOMPARE(findings({.speed = "3.0 Gbps"}), Words{"sata-link-slow"});
        QCOMPARE(findings({.speed = "3.0 Gbps", .hardware = "3.0 Gbps"}), Words{"sata-port-slow"});
        QCOMPARE(findings({.speed = "1.5 Gbps", .limit = "1.5 Gbps"}), Words{"sata-link-lowered"});
        QCOMPARE(findings({.speed = "3.0 Gbps", .limit = "3.0 Gbps", .hardware = "6.0 Gbps"}),
                 Words{"sata-link-lowered"});
        // Both say 3.0: that is what the port can.
        QCOMPARE(findings({.speed = "3.0 Gbps", .limit = "3.0 Gbps", .hardware = "3.0 Gbps"}),
                 Words{"sata-port-slow"});
    }
    void whatIsNotKnownIsNotClaimed()
    {
        QCOMPARE(findings({.speed = "<unknown>"}), Words{});
        QCOMPARE(findings({.speed = "3.0 Gbps", .id = {}}), Words{});
        QCOMPARE(findings({.speed = "3.0 Gbps", .id = identify({{76, 0xFFFF}})}), Words{});
    }
    void transferModes()
    {
        QCOMPARE(findings({.mode = "XFER_PIO_4"}), Words{"ata-without-dma"});
        QCOMPARE(findings({.mode = "XFER_UDMA_2"}), Words{"ata-mode-low"});
        QCOMPARE(findings({.mode = "XFER_UDMA_5"}), Words{}); // a SATA controller's usual limit
        QCOMPARE(findings({.speed = "<unknown>", .id = identify({{76, 0}}), .mode = "XFER_UDMA_5"}),
                 Words{"ata-mode-low"});
        QCOMPARE(findings({.id = identify({{53, 0}}), .mode = "XFER_UDMA_2"}),
                 Words{}); // word 88 says nothing
        QCOMPARE(findings({.mode = "XFER_UDMA_x"}), Words{});
    }
    void commandQueueing()
    {
        QCOMPARE(findings({.queueDepth = "1"}), Words{"ncq-off"});
        QCOMPARE(findings({.id = identify({{76, 0x000e}}), .queueDepth = "1"}), Words{});
    }
    // What the kernel believes is not what the drive does.
    void writeCacheOfDriveAndKernel()
    {
        QCOMPARE(findings({.queueCache = "write through", .driveCache = "write through"}),
                 Words{"write-cache-off"});
        QCOMPARE(findings({.queueCache = "write through", .driveCache = "write back"}),
                 Words{"cache-not-flushed"});
        QCOMPARE(findings({.queueCache = "write through", .driveCache = "write back, no read (daft)"}),
                 Words{"cache-not-flushed"});
        QCOMPARE(findings({.queueCache = "write through", .driveCache = ""}), Words{}); // not known
        // "temporary write through" was written to cache_type: the drive's own words tell.
        QCOMPARE(findings({.id = identify({{85, 0x20}, {87, 0x4000}}),
                           .queueCache = "write through",
                           .driveCache = "write through"}),
                 Words{"cache-not-flushed"});
        QCOMPARE(findings({.id = identify({{85, 0}, {87, 0x4000}}),
                           .queueCache = "write through",
                           .driveCache = "write through"}),
                 Words{"write-cache-off"});
        QCOMPARE(findings({.queueCache = "write back", .driveCache = "write through"}), Words{});
        QCOMPARE(
            findings({.id = identify({{82, 0}}), .queueCache = "write through", .driveCache = "write back"}),
            Words{});
    }
    void shingledByItsOwnWord()
    {
        QCOMPARE(findings({.id = identify({{69, 2}}), .rotational = "1"}), Words{"shingled"});
        QCOMPARE(findings({.id = identify({{69, 0}}), .rotational = "1"}), Words{});
    }
    void behindAPortMultiplier()
    {
        const FakeTree tree;
        placeDisk(tree, "pci0000:00/0000:00:17.0/ata1/host0/target0:3:0/0:3:0:0", "sdc",
                  {{"queue/rotational", "0"}});
        tree.file(port + "link1.3/ata_link/link1.3/sata_spd", "1.5 Gbps\n");
        tree.file(port + "link1.3/dev1.3.0/ata_device/dev1.3.0/id", identify());
        const Health health = look(tree, "sdc");
        QCOMPARE(ids(health), Words{"sata-link-slow"});
        QVERIFY(finding(health, "sata-link-slow")->source.contains("link1.3"));
    }
    void udevAloneSaysAtLeast()
    {
        const FakeTree tree;
        placeDisk(tree, "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0", "sda", {});
        tree.file(port + "link1/ata_link/link1/sata_spd", "1.5 Gbps\n");
        tree.file("run/udev/data/b8:0",
                  "E:ID_ATA_SATA_SIGNAL_RATE_GEN1=1\nE:ID_ATA_SATA_SIGNAL_RATE_GEN2=1\n");
        const Health health = look(tree, "sda");
        QCOMPARE(ids(health), Words{"sata-link-slow"});
        QVERIFY(finding(health, "sata-link-slow")->fact.contains("at least 3.0 Gbps"));
    }
};

QTEST_APPLESS_MAIN(TestAtaLink)
#include "tst_atalink.moc"
