// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

using namespace diskwright;
using namespace diskwright::health;
using namespace Qt::StringLiterals;

static std::string machine(const QString &name)
{
    return QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/health/%1").arg(name).toStdString();
}

class TestExamine : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // Every machine of tests/fixtures/health, worst first.
    void findsWhatIsSo_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QStringList>("findings");
        const auto row = [](const char *name, const char *target, const Words &findings) {
            QStringList words;
            for (const std::string &word : findings)
                words << QString::fromStdString(word);
            QTest::addRow("%s of %s", target, name)
                << QString::fromUtf8(name) << QString::fromUtf8(target) << words;
        };
        row("sound-ssd", "sda", {});
        row("sata-slowed-down", "sda", {"sata-link-lowered", "ata-slowed-down", "ata-errors"});
        row("usb3-on-usb2", "sda", {"usb-link-slow", "usb-without-uas", "no-discard"});
        row("nvme-narrow-slot", "nvme0n1", {"pcie-slot-slow", "hot"});
        row("misaligned-hdd", "sdb", {"misaligned"});
        row("ssd-luks-no-discard", "sda", {"sata-port-slow", "ncq-off", "discard-blocked"});
        row("ssd-luks-no-discard", "luks-home", {"sata-port-slow", "ncq-off", "discard-blocked"});
        row("ssd-luks-no-discard", "/home", {"sata-port-slow", "ncq-off", "discard-blocked"});
        row("hdd-swap", "sda",
            {"timeouts", "io-errors", "write-cache-off", "swap-on-hard-disk", "mounted-sync",
             "unwritten-data"});
        row("shingled-host-aware", "sda", {"shingled"});
        row("raid-degraded", "/srv", {"raid-degraded", "raid-busy", "sata-link-lowered"});
        row("raid-degraded", "sda", {"raid-degraded", "raid-busy"});
        row("ssd-without-trim", "sda", {"misaligned-flash", "no-trim"});
    }
    void findsWhatIsSo()
    {
        QFETCH(QString, name);
        QFETCH(QString, target);
        QFETCH(QStringList, findings);
        QElapsedTimer timer;
        timer.start();
        const Health health = look(machine(name), target.toStdString());
        QVERIFY(timer.elapsed() < 5000);
        QStringList got;
        for (const Finding &finding : health.findings) {
            got << QString::fromUtf8(finding.id.data(), qsizetype(finding.id.size()));
            QVERIFY(!finding.text.isEmpty() && !finding.help.isEmpty());
            QVERIFY(!finding.fact.empty() && !finding.source.empty());
            QVERIFY2(!english(finding.text).contains("%1"), english(finding.text).c_str());
        }
        QCOMPARE(got, findings);
        for (const Fact &fact : health.facts)
            QVERIFY2(*factTitle(fact.id) != '\0', std::string(fact.id).c_str());
    }
    void everyMachineNamesItsSource()
    {
        const QDir machines(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/health"));
        const QStringList names = machines.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(names.size() >= 9);
        for (const QString &name : names) {
            QFile file(machines.filePath(name + QStringLiteral("/SOURCE.md")));
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
            QVERIFY(file.readAll().contains("https://"));
        }
    }
    void nothingIsFoundWhereNothingIsKnown()
    {
        const FakeTree tree;
        tree.folder("sys/block/sda");
        const Health health = look(tree, "sda");
        QCOMPARE(ids(health), Words{});
        QVERIFY(std::ranges::contains(unknownIds(health), "health"));
        QVERIFY(std::ranges::contains(unknownIds(health), "temperature"));
        QVERIFY(std::ranges::contains(unknownIds(health), "fs.free"));
        QVERIFY(std::ranges::contains(unknownIds(health), "load"));
    }
    void anUnknownTargetNamesWhatThereIs()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        const auto disks = scanDisks(tree.root()).value();
        const auto none = findTarget(tree.root(), disks, "sdz\n");
        QCOMPARE(none.error().code, Errc::UnknownTarget);
        QCOMPARE(none.error().input, std::string("sdz\\x0a"));
        QVERIFY(none.error().accepted.starts_with("sda"));
        QCOMPARE(findTarget(tree.root(), disks, "/nowhere").error().code, Errc::UnknownTarget);
        QCOMPARE(readHealth("/nowhere/at/all", "sda", quiet()).error().code, Errc::UnknownTarget);
    }
    void aTargetIsFoundByEachOfItsNames()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.partition("sda", "sda1", "8:1");
        tree.disk("cciss!c0d0", "104:0");
        tree.disk("dm-0", "254:0", {{"dm/name", "vg-root"}, {"dm/uuid", "LVM-abc"}});
        tree.file("run/udev/data/b8:0", "S:disk/by-id/ata-Disk_1\nS:disk/by-path/pci-1\n");
        tree.file("run/udev/data/b8:1", "S:disk/by-uuid/abc\n");
        tree.file("run/udev/data/b254:0", "S:vg/root\n");
        tree.file("proc/self/mountinfo", "28 1 8:1 / /boot/efi rw - vfat /dev/sda1 rw\n"
                                         "29 1 254:0 / / rw - ext4 /dev/mapper/vg-root rw\n");
        const auto disks = scanDisks(tree.root()).value();
        const auto nameOf = [&](const char *text) {
            const auto found = findTarget(tree.root(), disks, text);
            return found ? (*found)->name : found.error().reason;
        };
        for (const char *text : {"sda", "/dev/sda", "/dev/sda/", "//dev//sda", "ata-Disk_1",
                                 "/dev/disk/by-id/ata-Disk_1", "/dev/disk/by-path/pci-1"})
            QCOMPARE(nameOf(text), std::string("sda"));
        for (const char *text :
             {"sda1", "/dev/sda1", "/dev/disk/by-uuid/abc", "/boot/efi", "/boot/efi/", "/boot//efi//"})
            QCOMPARE(nameOf(text), std::string("sda1"));
        for (const char *text : {"dm-0", "/dev/dm-0", "vg-root", "/dev/mapper/vg-root", "/dev/vg/root", "/"})
            QCOMPARE(nameOf(text), std::string("dm-0"));
        QCOMPARE(nameOf("/dev/cciss/c0d0"), std::string("cciss!c0d0"));
        QCOMPARE(nameOf("/dev/sdz"), std::string("no such disk or layer"));
        QCOMPARE(nameOf("/boot"), std::string("no disk is mounted there"));
        std::filesystem::remove(tree.path() / "proc/self/mountinfo");
        const auto without = scanDisks(tree.root()).value();
        QCOMPARE(findTarget(tree.root(), without, "/boot").error().reason,
                 std::string("what is mounted there is not known"));
    }
    void problemsAreToldQuickly()
    {
        const auto problems = [](const std::string &folder) {
            const auto root = SystemRoot::at(folder).value();
            const auto disks = scanDisks(root).value();
            Words words;
            for (const BlockNode &disk : disks.disks()) {
                for (const Finding &one : problemsOf(root, disks, disk))
                    words.push_back(one.device + ' ' + std::string(one.id));
            }
            return words;
        };
        const std::string fixtures = DISKWRIGHT_SOURCE_DIR "/tests/fixtures/";
        QCOMPARE(problems(fixtures + "health/raid-degraded").size(), 1u);
        QCOMPARE(problems(fixtures + "machines/server-md-failed-member"),
                 (Words{"md1 raid-degraded", "sda3 raid-member-failed"}));
        QCOMPARE(problems(fixtures + "machines/desktop-sata-ssd-hdd"), Words{});
        const FakeTree tree;
        placeDisk(tree, "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0", "sda", {{"ro", "1\n"}});
        QCOMPARE(problems(tree.path().string()), Words{"sda read-only"});
        const FakeTree gone;
        placeDisk(gone, "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0", "sda", {});
        gone.file("sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/state", "offline\n");
        QCOMPARE(problems(gone.path().string()), Words{"sda not-running"});
        BlockNode locked;
        locked.name = "sdb";
        locked.type = "disk";
        locked.notes = {"unreadable"};
        const DiskList list({locked});
        const auto found = problemsOf(tree.root(), list, list.disks().front());
        QCOMPARE(found.size(), 1u);
        QCOMPARE(found[0].id, std::string_view("unreadable"));
    }
    void problemsOfWhatIsStored()
    {
        const FakeTree tree;
        BlockNode disk;
        disk.name = "sda";
        disk.type = "disk";
        DriveHealth drive;
        drive.state = DriveHealth::State::Known;
        drive.hasSmart = true;
        drive.updated = 1;
        drive.failing = true;
        const auto found = problemsOf(tree.root(), disk, drive);
        QCOMPARE(found.size(), 1u);
        QCOMPARE(found[0].id, std::string_view("smart-failing"));
        drive.failing = false;
        QVERIFY(problemsOf(tree.root(), disk, drive).empty());
        drive.failing = true;
        drive.state = DriveHealth::State::NotRunning;
        QVERIFY(problemsOf(tree.root(), disk, drive).empty());
    }
    void aLoopOfLayersEnds()
    {
        const FakeTree tree;
        tree.disk("dm-0", "254:0");
        tree.disk("dm-1", "254:1");
        tree.slave("dm-0", "dm-1");
        tree.slave("dm-1", "dm-0");
        QCOMPARE(ids(look(tree, "dm-0")), Words{});
    }
    void withoutADiskAtTheBottomNothingWasLookedAt()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.disk("sdb", "8:16");
        tree.slave("sda", "sdb");
        tree.slave("sdb", "sda");
        const Health none = look(tree, "sda");
        QCOMPARE(none.disks, Words{});
        QCOMPARE(unknownIds(none), Words{"disks"});
        QVERIFY(!wasLookedAt(none));
        // What stands on itself and on a disk is examined there, and the rest is said.
        tree.disk("sdc", "8:32", {{"queue/rotational", "0\n"}});
        tree.slave("sdb", "sdc");
        const Health part = look(tree, "sda");
        QCOMPARE(part.disks, Words{"sdc"});
        QVERIFY(std::ranges::contains(unknownIds(part), "disks"));
        QVERIFY(wasLookedAt(part));
        // Two ways to one disk are no loop.
        tree.disk("dm-0", "254:0");
        tree.disk("dm-1", "254:1");
        tree.slave("dm-1", "dm-0");
        tree.slave("dm-1", "sdc");
        tree.slave("dm-0", "sdc");
        QCOMPARE(look(tree, "dm-1").disks, Words{"sdc"});
        QVERIFY(!std::ranges::contains(unknownIds(look(tree, "dm-1")), "disks"));
    }
    void aDiskWithoutFactsWasNotLookedAt()
    {
        const FakeTree tree;
        tree.folder("sys/block/sda");
        tree.file("proc/meminfo", "Dirty:  5 kB\nWriteback:  0 kB\n");
        const Health found = look(tree, "sda");
        QVERIFY(!wasLookedAt(found));
        QVERIFY(std::ranges::contains(unknownIds(found), "link"));
    }
    // What a kind of disk would show and this copy does not.
    void whatIsMissingIsSaidByKind_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QStringList>("unknown");
        QTest::newRow("ata") << "desktop-sata-ssd-hdd" << "sda"
                             << QStringList{u"sata.speed"_s,     u"ata.identify"_s, u"ata.slowdowns"_s,
                                            u"ata.errors"_s,     u"ata.mode"_s,     u"device.errors"_s,
                                            u"device.timeouts"_s};
        QTest::newRow("nvme") << "handheld-nvme-sd-zram" << "nvme0n1"
                              << QStringList{u"pcie.link"_s, u"temperature"_s};
        QTest::newRow("card") << "handheld-nvme-sd-zram" << "mmcblk0" << QStringList{u"link"_s};
        QTest::newRow("usb") << "usb-enclosure-twins" << "sda"
                             << QStringList{u"usb.speed"_s, u"device.errors"_s, u"device.timeouts"_s};
        QTest::newRow("sas") << "server-sas-multipath" << "sdj" << QStringList{u"link"_s, u"device.errors"_s};
        QTest::newRow("hyper-v") << "cloud-scsi-unpartitioned" << "sda" << QStringList{u"host"_s};
    }
    void whatIsMissingIsSaidByKind()
    {
        QFETCH(QString, name);
        QFETCH(QString, target);
        QFETCH(QStringList, unknown);
        const std::string root =
            QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/%1").arg(name).toStdString();
        const Health found = look(root, target.toStdString());
        for (const QString &id : unknown) {
            const auto entry = std::ranges::find(found.unknown, id.toStdString(), &Unknown::id);
            QVERIFY2(entry != found.unknown.end(), qPrintable(id));
            QVERIFY(english(entry->text).contains(": "));
            QVERIFY(fact(found, id.toStdString()).empty());
        }
    }
    void aReadingThatIsNotWantedEnds()
    {
        std::stop_source stop;
        stop.request_stop();
        Options options = quiet();
        options.stop = stop.get_token();
        QCOMPARE(look(machine(QStringLiteral("hdd-swap")), "sda", options).findings.size(), 0u);
    }
    void hostileFilesAreNoFacts()
    {
        // Binary, huge, negative, overflowing, empty: neither a crash nor a claim.
        for (const std::string &text : {std::string("\0\xff\x1b[31m\n", 7), std::string(100'000, '9'),
                                        std::string("-1\n"), std::string("99999999999999999999\n"),
                                        std::string(), std::string("\n\n\n"), std::string("%1 %2 %3\n")}) {
            const FakeTree tree;
            const std::string place = "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";
            const std::string link = "sys/devices/pci0000:00/0000:00:17.0/ata1/link1/";
            const std::string device = link + "dev1.0/ata_device/dev1.0/";
            for (const char *file : {"sata_spd", "sata_spd_limit", "hw_sata_spd_limit"})
                tree.file(link + "ata_link/link1/" + file, text);
            for (const char *file : {"id", "ering", "spdn_cnt", "xfer_mode", "dma_mode", "pio_mode"})
                tree.file(device + file, text);
            const std::string base = placeDisk(tree, place, "sda",
                                               {{"queue/rotational", text},
                                                {"queue/zoned", text},
                                                {"queue/discard_max_bytes", text},
                                                {"queue/physical_block_size", text},
                                                {"queue/optimal_io_size", text},
                                                {"queue/write_cache", text},
                                                {"stat", text},
                                                {"sda1/partition", "1\n"},
                                                {"sda1/dev", "8:1\n"},
                                                {"sda1/size", "2048\n"},
                                                {"sda1/start", text}});
            for (const char *file : {"iorequest_cnt", "ioerr_cnt", "queue_depth", "power/runtime_status"})
                tree.file("sys/devices/" + place + '/' + file, text);
            tree.file("proc/swaps", text);
            tree.file("proc/meminfo", text);
            tree.file("proc/self/mountinfo", text);
            const Health health = look(tree, "sda");
            QCOMPARE(ids(health), Words{});
            for (const Fact &fact : health.facts)
                QVERIFY(std::ranges::none_of(fact.value, [](char c) { return c >= 0 && c < ' '; }));
        }
    }
    void everyFactHasItsTitle() { QCOMPARE(QByteArray(factTitle("no.such")), QByteArray("")); }
};

QTEST_APPLESS_MAIN(TestExamine)
#include "tst_examine.moc"
