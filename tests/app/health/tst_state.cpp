// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::health;
using Files = std::map<std::string, std::string>;

namespace {

const std::string sataDisk = "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";

Health seen(const Files &disk, const Files &device = {}, const std::string &udev = {})
{
    const FakeTree tree;
    placeDisk(tree, sataDisk, "sda", disk);
    for (const auto &[file, text] : device)
        tree.file("sys/devices/" + sataDisk + '/' + file, text);
    tree.file("run/udev/data/b8:0", udev);
    return look(tree, "sda");
}

} // namespace

class TestState : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void devicesThatDoNotRun()
    {
        QCOMPARE(ids(seen({}, {{"state", "running\n"}})), Words{});
        for (const char *state : {"offline\n", "blocked\n", "quiesce\n", "transport-offline\n"})
            QCOMPARE(ids(seen({}, {{"state", state}})), Words{"not-running"});
    }
    void countersOfErrors()
    {
        const auto counted = [](const char *requests, const char *errors, const char *timeouts) {
            return ids(
                seen({}, {{"iorequest_cnt", requests}, {"ioerr_cnt", errors}, {"iotmo_cnt", timeouts}}));
        };
        QCOMPARE(counted("0x1000", "0x10", "0x0"), Words{}); // unknown commands at start are normal
        QCOMPARE(counted("0x1000", "0x100", "0x0"), Words{"io-errors"});
        QCOMPARE(counted("0x1000000", "0x100", "0x0"), Words{}); // one in 65,536
        QCOMPARE(counted("0x1000", "0x0", "0x1"), Words{"timeouts"});
        QCOMPARE(counted("0x0", "0x100", "-1"), Words{});
    }
    void countersThatContradictEachOtherAreNotKnown()
    {
        struct Case {
            const char *requests;
            const char *errors;
            const char *timeouts;
            Words unknown;
        };
        for (const Case &one :
             {Case{"0x1", "0xffffffffffff", "0x0", {"device.errors"}},
              Case{"0x64", "0x65", "0x0", {"device.errors"}}, Case{"0x64", "0x0", "0x65", {"device.errors"}},
              Case{"0xffffffffffff", "0xfffffffffff", "0x0", {"device.errors"}},
              Case{"0x64", "-5", "-1", {"device.errors", "device.timeouts"}}}) {
            const Health found = seen(
                {},
                {{"iorequest_cnt", one.requests}, {"ioerr_cnt", one.errors}, {"iotmo_cnt", one.timeouts}});
            QCOMPARE(ids(found), Words{});
            QCOMPARE(fact(found, "device.errors"), std::string());
            for (const std::string &id : one.unknown)
                QVERIFY2(std::ranges::contains(unknownIds(found), id), id.c_str());
        }
        const Health sound =
            seen({}, {{"iorequest_cnt", "0x64"}, {"ioerr_cnt", "0x2"}, {"iotmo_cnt", "0x0"}});
        QCOMPARE(fact(sound, "device.errors"), std::string("2"));
        QVERIFY(!std::ranges::contains(unknownIds(sound), "device.errors"));
    }
    void sleepIsSaidAndNotDisturbed()
    {
        const Health asleep = seen({}, {{"power/runtime_status", "suspended\n"}});
        QCOMPARE(ids(asleep), Words{"asleep"});
        QCOMPARE(ids(seen({}, {{"power/runtime_status", "active\n"}})), Words{});
        QCOMPARE(ids(seen({}, {{"power/runtime_status", "unsupported\n"}})), Words{});
    }
    void ofAVirtualDiskTheHostKnowsMore()
    {
        const FakeTree tree;
        placeDisk(tree, "pci0000:00/0000:00:02.0/virtio1", "vda",
                  {{"queue/rotational", "1\n"}, {"queue/zoned", "none\n"}});
        const Health found = look(tree, "vda");
        QVERIFY(std::ranges::contains(unknownIds(found), "host"));
        QVERIFY(!std::ranges::contains(unknownIds(found), "shingled"));
        QVERIFY(!std::ranges::contains(unknownIds(found), "temperature"));
    }
    void whatIsAttachedReadOnlyIsNoDyingDrive_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("severity");
        const auto row = [](const char *place, const char *name, const char *model, const char *severity) {
            QTest::addRow("%s %s", name, model) << place << name << model << severity;
        };
        const char *ahci = "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";
        row("pci0000:00/0000:00:02.0/virtio1", "vda", "", "hint");
        row("pci0000:00/0000:00:05.0/virtio2/host0/target0:0:0/0:0:0:0", "sda", "", "hint");
        row("LNXSYSTM:00/LNXSYBUS:00/VMBUS:00/0-0/host0/target0:0:0/0:0:0:0", "sda", "Virtual Disk", "hint");
        row(ahci, "sda", "QEMU HARDDISK", "hint");
        row(ahci, "sda", "VMware Virtual S", "hint");
        row(ahci, "sda", "VBOX HARDDISK", "hint");
        row("platform/host3/session1/target3:0:0/3:0:0:0", "sda", "disk", "hint");
        row("vbd-51712", "xvda", "", "hint");
        row("virtual", "loop0", "", "hint");
        row("virtual", "dm-0", "", "hint");
        row("virtual", "md0", "", "hint");
        row("virtual", "zd0", "", "hint");
        row("virtual", "nbd0", "", "hint");
        row("pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001", "mmcblk0", "SD", "hint");
        row("pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001", "mmcblk0boot0", "MMC", "hint");
        row("pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001", "mmcblk0", "MMC", "problem");
        row(ahci, "sr0", "DVD", "");
        row(ahci, "sda", "WDC WD40EFRX", "problem");
        row("pci0000:00/0000:00:1d.0/0000:03:00.0/nvme/nvme0", "nvme0n1", "NVMe 512GB", "problem");
    }
    void whatIsAttachedReadOnlyIsNoDyingDrive()
    {
        QFETCH(QString, place);
        QFETCH(QString, name);
        QFETCH(QString, model);
        QFETCH(QString, severity);
        const FakeTree tree;
        placeDisk(tree, place.toStdString(), name.toStdString(), {{"ro", "1\n"}});
        const bool isCard = name.startsWith(QLatin1String("mmc"));
        tree.file("sys/devices/" + place.toStdString() + (isCard ? "/type" : "/model"),
                  model.toStdString() + '\n');
        const Health found = look(tree, name.toStdString());
        if (severity.isEmpty()) {
            QCOMPARE(ids(found), Words{});
            return;
        }
        QCOMPARE(found.findings.size(), 1u);
        const Finding &only = found.findings.front();
        QCOMPARE(only.id,
                 std::string_view(severity == QLatin1String("hint") ? "attached-read-only" : "read-only"));
        QCOMPARE(QString::fromUtf8(diskwright::health::name(only.severity).data()), severity);
        QCOMPARE(english(only.text).contains("end of their life"), severity == QLatin1String("problem"));
    }
    void readOnlyDisks() { QCOMPARE(ids(seen({{"ro", "1\n"}})), Words{"read-only"}); }
    void theFlagOfRotation()
    {
        QCOMPARE(ids(seen({{"queue/rotational", "1\n"}}, {}, "E:ID_ATA_ROTATION_RATE_RPM=0\n")),
                 Words{"rotational-wrong"});
        QCOMPARE(ids(seen({{"queue/rotational", "0\n"}}, {}, "E:ID_ATA_ROTATION_RATE_RPM=7200\n")),
                 Words{"rotational-wrong"});
        QCOMPARE(ids(seen({{"queue/rotational", "1\n"}}, {}, "E:ID_ATA_ROTATION_RATE_RPM=7200\n")), Words{});
        QCOMPARE(ids(seen({{"queue/rotational", "1\n"}})), Words{}); // nobody says
        QCOMPARE(ids(seen({{"queue/rotational", "1\n"}}, {}, "E:ID_ATA_ROTATION_RATE_RPM=-7\n")), Words{});
    }
    void zones()
    {
        QCOMPARE(ids(seen({{"queue/zoned", "host-aware\n"}})), Words{"shingled"});
        QCOMPARE(ids(seen({{"queue/zoned", "host-managed\n"}})), Words{"shingled"});
        const Health plain = seen({{"queue/zoned", "none\n"}, {"queue/rotational", "1\n"}});
        QCOMPARE(ids(plain), Words{});
        QVERIFY(std::ranges::contains(unknownIds(plain), "shingled"));
        const Health flash = seen({{"queue/zoned", "none\n"}, {"queue/rotational", "0\n"}});
        QVERIFY(!std::ranges::contains(unknownIds(flash), "shingled"));
    }
};

QTEST_APPLESS_MAIN(TestState)
#include "tst_state.moc"
