// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::health;
using Files = std::map<std::string, std::string>;

namespace {

const std::string place = "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";

struct Disk {
    std::string rotational = "0";
    std::string physical = "512";
    std::string optimal = "0";
    std::string discard = "2147450880";
    std::string start = "2048";
    std::string offset = "0";
    std::string size = "2000000";
    std::string mount = "28 1 8:1 / / rw - ext4 /dev/sda1 rw";
    Files more = {};
};

void build(const FakeTree &tree, const Disk &disk)
{
    placeDisk(tree, place, "sda",
              {{"queue/rotational", disk.rotational},
               {"queue/physical_block_size", disk.physical},
               {"queue/optimal_io_size", disk.optimal},
               {"queue/discard_max_bytes", disk.discard},
               {"sda1/dev", "8:1"},
               {"sda1/partition", "1"},
               {"sda1/start", disk.start},
               {"sda1/alignment_offset", disk.offset},
               {"sda1/size", disk.size}});
    tree.file("proc/self/mountinfo", disk.mount + '\n');
    for (const auto &[file, text] : disk.more)
        tree.file(file, text);
}

Health seen(const Disk &disk)
{
    const FakeTree tree;
    build(tree, disk);
    return look(tree, "sda");
}

const Files timer{{"etc/systemd/system/timers.target.wants/fstrim.timer", ""}};
const Files systemd{{"etc/systemd/system/default.target", ""}};

} // namespace

class TestLayout : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void alignedPartitions()
    {
        QCOMPARE(ids(seen({.physical = "4096", .more = timer})), Words{});
        QCOMPARE(ids(seen({.rotational = "1", .start = "63"})), Words{}); // 512-byte sectors of a hard disk
    }
    void misalignedPartitions()
    {
        QCOMPARE(ids(seen({.rotational = "1", .physical = "4096", .start = "63", .offset = "512"})),
                 Words{"misaligned"});
        // A disk whose first boundary is not at 0: the kernel's own number decides.
        QCOMPARE(ids(seen({.rotational = "1", .physical = "4096", .start = "63", .offset = "0"})), Words{});
        QCOMPARE(ids(seen({.start = "63", .more = timer})), Words{"misaligned-flash"});
        QCOMPARE(ids(seen({.rotational = "1", .optimal = "1048576", .start = "8"})),
                 Words{"misaligned-stripe"});
        // What a USB case calls best is often 65,535 sectors.
        QCOMPARE(ids(seen({.rotational = "1", .optimal = "33553920", .start = "8"})), Words{});
        QCOMPARE(ids(seen({.start = "63", .size = "2", .more = timer})), Words{}); // holds logical partitions
        QCOMPARE(ids(seen({.start = "9223372036854775807", .more = timer})), Words{});
    }
    void misalignedLayers()
    {
        const FakeTree tree;
        build(tree, {.rotational = "1"});
        tree.disk("md0", "9:0", {{"alignment_offset", "-1\n"}});
        tree.slave("md0", "sda1");
        QCOMPARE(ids(look(tree, "sda")), Words{"misaligned-layer"});
    }
    void regularTrim()
    {
        QCOMPARE(ids(seen({.more = timer})), Words{});
        QCOMPARE(ids(seen({.more = systemd})), Words{"no-trim"});
        QCOMPARE(ids(seen({.mount = "28 1 8:1 / / rw - ext4 /dev/sda1 rw,discard", .more = systemd})),
                 Words{});
        QCOMPARE(ids(seen({.mount = "28 1 8:1 / / rw - btrfs /dev/sda1 rw,discard=async", .more = systemd})),
                 Words{});
        QCOMPARE(ids(seen({.mount = "28 1 8:1 / / rw - ext4 /dev/sda1 rw,nodiscard", .more = systemd})),
                 Words{"no-trim"});
        QCOMPARE(ids(seen({.mount = "28 1 8:1 / / ro - ext4 /dev/sda1 ro", .more = systemd})), Words{});
        QCOMPARE(ids(seen({.rotational = "1", .more = systemd})), Words{});
    }
    void withoutTheFoldersNothingIsClaimed()
    {
        const Health unknown = seen({});
        QCOMPARE(ids(unknown), Words{});
        QVERIFY(std::ranges::contains(unknownIds(unknown), "trim.regular"));
    }
    void aMaskedTimerDoesNotRun()
    {
        const auto helpWith = [](const std::string &unit) {
            const FakeTree tree;
            build(tree, {.more = timer});
            tree.link(unit, "/dev/null");
            const Health health = look(tree, "sda");
            return finding(health, "no-trim") ? english(finding(health, "no-trim")->help) : std::string();
        };
        // Enabling alone fails on what is masked.
        QVERIFY(helpWith("etc/systemd/system/fstrim.timer").contains("systemctl unmask fstrim.timer, then"));
        QVERIFY(helpWith("etc/systemd/system/fstrim.service").contains("unmask fstrim.service, then"));
        QVERIFY(helpWith("run/systemd/system/fstrim.timer").contains("unmask --runtime fstrim.timer, then"));
        QCOMPARE(ids(seen({.more = {{"etc/systemd/system/fstrim.timer", ""}}})), Words{"no-trim"});
        const Health off = seen({.more = systemd});
        QVERIFY(!english(finding(off, "no-trim")->help).contains("unmask"));
    }
    void aCronJobCountsIfItTrims()
    {
        const auto withJob = [](const std::string &file, const std::string &text, bool runs = true) {
            const FakeTree tree;
            build(tree, {.more = systemd});
            tree.file(file, text);
            if (runs)
                std::filesystem::permissions(tree.path() / file, std::filesystem::perms::owner_exec,
                                             std::filesystem::perm_options::add);
            return ids(look(tree, "sda"));
        };
        const std::string job = "#!/bin/sh\n/sbin/fstrim -a\n";
        QCOMPARE(withJob("etc/cron.weekly/fstrim", job), Words{});
        QCOMPARE(withJob("etc/cron.daily/care-for-disks", job), Words{});
        QCOMPARE(withJob("etc/crontab", "0 3 * * 0 root fstrim -a\n"), Words{});
        QCOMPARE(withJob("etc/cron.d/disks", "0 3 * * 0 root fstrim -a\n"), Words{});
        QCOMPARE(withJob("etc/cron.weekly/trim-logs", "#!/bin/sh\ntruncate -s 0 /var/log/x\n"),
                 Words{"no-trim"});
        QCOMPARE(withJob("etc/cron.weekly/fstrim", "#!/bin/sh\n  # fstrim -a\n"), Words{"no-trim"});
        QCOMPARE(withJob("etc/cron.weekly/fstrim", job, false), Words{"no-trim"});
        QCOMPARE(withJob("etc/cron.weekly/fstrim.dpkg-old", job), Words{"no-trim"});
    }
    void disksWithoutDiscard() { QCOMPARE(ids(seen({.discard = "0", .more = timer})), Words{"no-discard"}); }
    void layersThatKeepDiscardsBack()
    {
        for (const char *limit : {"0", "2147450880"}) {
            const FakeTree tree;
            build(tree, {.mount = "28 1 254:1 / / rw - ext4 /dev/mapper/vg-root rw", .more = timer});
            tree.disk(
                "dm-0", "254:0",
                {{"dm/name", "luks"}, {"dm/uuid", "CRYPT-LUKS2-1-luks"}, {"queue/discard_max_bytes", limit}});
            tree.disk("dm-1", "254:1",
                      {{"dm/name", "vg-root"}, {"dm/uuid", "LVM-abc"}, {"queue/discard_max_bytes", limit}});
            tree.slave("dm-0", "sda1");
            tree.slave("dm-1", "dm-0");
            const Health found = look(tree, "sda");
            if (std::string_view(limit) != "0") {
                QCOMPARE(ids(found), Words{});
                continue;
            }
            QCOMPARE(ids(found), Words{"discard-blocked"});
            // The lowest layer is the reason; those above it only follow.
            QCOMPARE(finding(found, "discard-blocked")->device, std::string("dm-0"));
            QVERIFY(english(finding(found, "discard-blocked")->help).contains("cryptsetup"));
        }
    }
};

QTEST_APPLESS_MAIN(TestLayout)
#include "tst_layout.moc"
