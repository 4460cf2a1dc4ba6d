// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::health;
using Files = std::map<std::string, std::string>;

namespace {

const std::string place = "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";

Health seen(const Files &disk, const Files &device = {}, const std::string &udev = {})
{
    const FakeTree tree;
    placeDisk(tree, place, "sda", disk);
    for (const auto &[file, text] : device)
        tree.file("sys/devices/" + place + '/' + file, text);
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
