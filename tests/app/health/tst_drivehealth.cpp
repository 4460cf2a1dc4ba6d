// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::health;

namespace {

Health seen(const DriveHealth &drive, const char *rotational = "1", const FakeTree &tree = FakeTree())
{
    tree.disk("sda", "8:0", {{"queue/rotational", rotational}});
    Options options = quiet();
    options.drive = [drive](const BlockNode &) { return drive; };
    return look(tree, "sda", options);
}

DriveHealth sound()
{
    DriveHealth drive;
    drive.state = DriveHealth::State::Known;
    drive.hasSmart = true;
    drive.updated = 1'790'000'000;
    drive.failing = false;
    drive.badSectors = 0;
    drive.failingAttributes = 0;
    drive.selftest = "success";
    drive.celsius = 35;
    return drive;
}

template <class Change>
Health changed(Change change)
{
    DriveHealth drive = sound();
    change(drive);
    return seen(drive);
}

Health nvme(const std::string &now, const std::string &high, const std::string &critical)
{
    const FakeTree tree;
    const std::string controller = "sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/";
    tree.file(controller + "nvme0n1/dev", "259:0\n");
    tree.link("sys/block/nvme0n1", "../" + controller.substr(4) + "nvme0n1");
    tree.file(controller + "hwmon3/temp1_input", now);
    tree.file(controller + "hwmon3/temp1_max", high);
    tree.file(controller + "hwmon3/temp1_crit", critical);
    return look(tree, "nvme0n1");
}

} // namespace

class TestDriveHealth : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aSoundDrive()
    {
        const Health found = seen(sound());
        QCOMPARE(ids(found), Words{});
        QCOMPARE(fact(found, "health.failing"), std::string("no"));
        QCOMPARE(fact(found, "health.updated"), std::string("2026-09-21 14:13 UTC"));
        QCOMPARE(fact(found, "drive.temperature"), std::string("35 °C"));
        QVERIFY(!std::ranges::contains(unknownIds(found), "health"));
    }
    void failingDrives()
    {
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.failing = true; })), Words{"smart-failing"});
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.badSectors = 8; })), Words{"bad-sectors"});
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.failingAttributes = 2; })),
                 Words{"smart-attributes"});
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.selftest = "error_read"; })),
                 Words{"selftest-failed"});
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.selftest = "aborted"; })), Words{});
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.badSectors = -1; })),
                 Words{}); // UDisks2: unknown
        // The disk has 2048 sectors.
        const Health more = changed([](DriveHealth &drive) { drive.badSectors = 281'474'976'710'655; });
        QCOMPARE(ids(more), Words{});
        QVERIFY(std::ranges::contains(unknownIds(more), "health.bad-sectors"));
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.criticalWarnings = {"spare", "surprise"}; })),
                 (Words{"drive-warns", "drive-warns"}));
        for (const Finding &one : changed([](DriveHealth &drive) { drive.failing = true; }).findings)
            QCOMPARE(one.severity, Severity::Problem);
    }
    void whatWasNeverReadIsNotKnown()
    {
        const Health never = changed([](DriveHealth &drive) {
            drive.updated.reset();
            drive.failing = true;
        });
        QCOMPARE(ids(never), Words{});
        QVERIFY(std::ranges::contains(unknownIds(never), "health"));
        for (const auto state : {DriveHealth::State::NotAsked, DriveHealth::State::NotRunning,
                                 DriveHealth::State::NotListed, DriveHealth::State::NoAnswer}) {
            DriveHealth drive;
            drive.state = state;
            QVERIFY(std::ranges::contains(unknownIds(seen(drive)), "health"));
        }
    }
    void hotDrives()
    {
        QCOMPARE(ids(changed([](DriveHealth &drive) { drive.celsius = 61; })), Words{"hot"});
        DriveHealth warm = sound();
        warm.celsius = 61;
        QCOMPARE(ids(seen(warm, "0")), Words{});
    }
    void theSensorOfAnNvmeDrive()
    {
        QCOMPARE(ids(nvme("45850\n", "81850\n", "84850\n")), Words{});
        QCOMPARE(finding(nvme("78850\n", "81850\n", "84850\n"), "hot")->severity, Severity::Hint);
        QCOMPARE(finding(nvme("82850\n", "81850\n", "84850\n"), "hot")->severity, Severity::Slow);
        QCOMPARE(finding(nvme("85850\n", "81850\n", "84850\n"), "hot")->severity, Severity::Problem);
        QCOMPARE(ids(nvme("85850\n", "", "")), Words{}); // no limit of its own is known
        for (const char *text : {"", "hot\n", "-300000\n", "99999999\n"})
            QVERIFY(std::ranges::contains(unknownIds(nvme(text, "81850\n", "84850\n")), "temperature"));
    }
    void theSensorsOfADriveWithSeveralPaths()
    {
        for (const char *power : {"active\n", "suspended\n"}) {
            const FakeTree tree;
            const std::string subsystem = "sys/devices/virtual/nvme-subsystem/nvme-subsys0/";
            const std::string function = "sys/devices/pci0000:00/0000:01:00.0/";
            tree.file(subsystem + "nvme0n1/dev", "259:0\n");
            tree.link("sys/block/nvme0n1", "../" + subsystem.substr(4) + "nvme0n1");
            tree.file(function + "nvme/nvme0/hwmon2/temp1_input", "40000\n");
            tree.file(function + "power/runtime_status", power);
            tree.link("sys/class/nvme/nvme0", "../../" + function.substr(4) + "nvme/nvme0");
            tree.link(subsystem + "nvme0", "../../../../" + function.substr(4) + "nvme/nvme0");
            const Health found = look(tree, "nvme0n1");
            const bool isActive = power[0] == 'a';
            QCOMPARE(fact(found, "drive.temperature"), std::string(isActive ? "40 °C" : ""));
            QCOMPARE(std::ranges::contains(unknownIds(found), "temperature"), !isActive);
        }
    }
    void whyTheTemperatureIsNotKnown_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("why");
        QTest::newRow("nvme") << "pci0000:00/0000:03:00.0/nvme/nvme0" << "nvme0n1" << "no sensor";
        QTest::newRow("ata") << "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0" << "sda"
                             << "wake it";
        QTest::newRow("usb") << "pci0000:00/usb1/1-2/1-2:1.0/host6/target6:0:0/6:0:0:0" << "sda" << "wake it";
        QTest::newRow("rom") << "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0" << "sr0" << "";
        QTest::newRow("virtio") << "pci0000:00/0000:00:02.0/virtio1" << "vda" << "";
        for (const char *name : {"loop0", "zram0", "zd0", "md0", "dm-0", "nbd0"})
            QTest::newRow(name) << "virtual" << name << "";
        QTest::newRow("card") << "pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001" << "mmcblk0" << "";
    }
    void whyTheTemperatureIsNotKnown()
    {
        QFETCH(QString, place);
        QFETCH(QString, name);
        QFETCH(QString, why);
        const FakeTree tree;
        placeDisk(tree, place.toStdString(), name.toStdString(),
                  {{"queue/rotational", "1\n"}, {"queue/zoned", "none\n"}});
        const Health found = look(tree, name.toStdString());
        const auto temperature = std::ranges::find(found.unknown, "temperature", &Unknown::id);
        QCOMPARE(temperature != found.unknown.end(), !why.isEmpty());
        if (!why.isEmpty())
            QVERIFY2(english(temperature->text).contains(why.toStdString()),
                     english(temperature->text).c_str());
        // Tracks can overlap only in a hard disk.
        const bool isHardDisk = name == QLatin1String("sda");
        QCOMPARE(std::ranges::contains(unknownIds(found), "shingled"), isHardDisk);
    }
    void theSensorOfAnAtaDriveIsLeftAlone()
    {
        const FakeTree tree;
        const std::string place = "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";
        placeDisk(tree, place, "sda", {});
        tree.file("sys/devices/" + place + "/hwmon/hwmon1/temp1_input", "41000\n");
        const Health found = look(tree, "sda");
        QCOMPARE(fact(found, "drive.temperature"), std::string());
        QVERIFY(std::ranges::contains(unknownIds(found), "temperature"));
    }
};

QTEST_APPLESS_MAIN(TestDriveHealth)
#include "tst_drivehealth.moc"
