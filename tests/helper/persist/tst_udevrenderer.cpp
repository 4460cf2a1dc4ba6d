// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/udevrenderer.h"

#include "helper/persist/keptfile.h"
#include "helper/persist/rulesreader.h"
#include "sampleset.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace diskwright;

namespace {

constexpr std::string_view golden = R"(
ACTION=="remove", GOTO="diskwright_end"
SUBSYSTEM!="block", GOTO="diskwright_end"
ENV{DEVTYPE}!="disk", GOTO="diskwright_end"
ACTION!="add", TEST=="/run/diskwright/hold/%k", GOTO="diskwright_end"
IMPORT{cmdline}="diskwright.off"
ENV{diskwright.off}=="?*", GOTO="diskwright_end"

# every disk of the class usb-removable
KERNEL=="sd*", ENV{ID_BUS}=="usb", ATTR{removable}=="1", TEST=="/run/diskwright/system/known", TEST!="/run/diskwright/system/$attr{diskseq}", TEST!="/run/diskwright/system/serial-$env{ID_SERIAL}", TEST=="queue/scheduler", ATTR{queue/scheduler}="bfq"

# wwn-0x5000c50015ea71ac, sda when it was kept
ENV{ID_WWN_WITH_EXTENSION}=="0x5000c50015ea71ac", ENV{ID_SERIAL}=="QEMU_SSD_A_ATA0001", ATTR{size}=="2097152", TEST=="queue/scheduler", ATTR{queue/scheduler}="mq-deadline"
ENV{ID_WWN_WITH_EXTENSION}=="0x5000c50015ea71ac", ENV{ID_SERIAL}=="QEMU_SSD_A_ATA0001", ATTR{size}=="2097152", TEST=="queue/nr_requests", ATTR{queue/nr_requests}="64"
ENV{ID_WWN_WITH_EXTENSION}=="0x5000c50015ea71ac", ENV{ID_SERIAL}=="QEMU_SSD_A_ATA0001", ATTR{size}=="2097152", TEST=="queue/iosched/read_expire", ATTR{queue/scheduler}=="*[[]mq-deadline]*|mq-deadline", ATTR{queue/iosched/read_expire}="224"
ENV{ID_WWN_WITH_EXTENSION}=="0x5000c50015ea71ac", ENV{ID_SERIAL}=="QEMU_SSD_A_ATA0001", ATTR{size}=="2097152", TEST=="queue/read_ahead_kb", ATTR{queue/read_ahead_kb}="1024"

# usb-QEMU_QEMU_HARDDISK_USB01-0:0, sdb when it was kept
ENV{ID_SERIAL}=="QEMU_QEMU_HARDDISK_USB01-0:0", ATTR{size}=="131072", TEST=="queue/read_ahead_kb", ATTR{queue/read_ahead_kb}="2048"

LABEL="diskwright_end"
)";

Match onlyKeys(Match match)
{
    if (auto *disk = std::get_if<DiskMatch>(&match))
        disk->id = disk->name = {};
    return match;
}

std::string keyOf(const RenderedSetting &setting)
{
    return addressTarget(setting.match) + setting.setting + toText(setting.value) +
           (std::holds_alternative<DiskMatch>(setting.match) ? std::get<DiskMatch>(setting.match).serial
                                                             : "");
}

} // namespace

class TestUdevRenderer final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rendersTheGoldenText()
    {
        const std::string text = renderUdevRules(sample::mixedSet());
        QCOMPARE(QByteArray::fromStdString(std::string(bodyOf(text))),
                 QByteArray(golden.data(), static_cast<qsizetype>(golden.size())));
        QCOMPARE(ownerOf(text), FileOwner::Ours);
    }

    void nothingKeptRendersNothing()
    {
        QCOMPARE(renderUdevRules({}), std::string());
        BootSet vm;
        vm.items.push_back(sample::item("vm/dirty_bytes", MachineMatch{}, number(8192), number(0)));
        QCOMPARE(renderUdevRules(vm), std::string());
    }

    // Every row that a rule can hold: in the catalogue's order, and read back as what it was.
    void everyRowOfADisk()
    {
        BootSet set;
        for (const SettingSpec &row : catalogue()) {
            if (row.keptBy != KeptBy::UdevRule)
                continue;
            const auto *range = std::get_if<Range>(&row.accepts);
            const Value value = std::holds_alternative<Choice>(row.accepts) ? word("bfq")
                                : range                                     ? number(range->min)
                                                                            : number(1);
            set.items.push_back(sample::item(std::string(row.id), sample::ataDisk(), value, value));
        }
        QVERIFY(set.items.size() >= 50);
        const std::string text = renderUdevRules(set);
        QVERIFY(text.contains(R"(TEST=="bdi/strict_limit", ATTR{bdi/strict_limit}="1")"));
        QVERIFY(text.contains(R"(TEST=="device/queue_depth", ATTR{device/queue_depth}="1")"));
        QVERIFY(
            text.contains(R"(ATTR{queue/scheduler}=="*[[]bfq]*|bfq", ATTR{queue/iosched/slice_idle}="0")"));
        const auto read = readUdevRules(text);
        QVERIFY2(read.has_value(), read ? "" : read.error().input.c_str());
        QCOMPARE(read->size(), set.items.size());
        std::int16_t last = 0;
        for (const RenderedSetting &line : *read) {
            const auto item = std::ranges::find(set.items, line.setting, &BootItem::setting);
            QVERIFY(item != set.items.end() && item->value == line.value);
            QVERIFY(findSetting(line.setting)->order >= last);
            last = findSetting(line.setting)->order;
        }
    }

    // What bytes mean hangs on the moment: a unit writes them, the rule only calls it.
    void aByteLimitCallsItsUnit()
    {
        BootSet set;
        set.items.push_back(
            sample::item("bdi/max_bytes", DiskClass::UsbRemovable, number(67108864), number(0)));
        const std::string text = renderUdevRules(set);
        QVERIFY(text.contains(R"(TEST=="bdi/max_bytes", TAG+="systemd", )"
                              R"(ENV{SYSTEMD_WANTS}+="diskwright-limits@%k.service", )"
                              R"(ENV{DISKWRIGHT_MAX_BYTES}="67108864")"));
        QVERIFY(!text.contains("ATTR{bdi/max_bytes}="));
        const auto read = readUdevRules(text);
        QVERIFY2(read.has_value(), read ? "" : read.error().input.c_str());
        QCOMPARE(*read, (std::vector<RenderedSetting>{
                            {"bdi/max_bytes", DiskClass::UsbRemovable, number(67108864)}}));
    }

    // Also those whose disks appear before they are mounted, and none at all while nobody has looked.
    void aClassLeavesTheSystemAlone()
    {
        BootSet set;
        set.items.push_back(sample::item("queue/read_ahead_kb", DiskClass::Nvme, number(512), number(128)));
        QVERIFY(renderUdevRules(set).contains(
            R"(KERNEL=="nvme*n*", ATTR{queue/rotational}=="0", TEST=="/run/diskwright/system/known", )"
            R"(TEST!="/run/diskwright/system/$attr{diskseq}", )"
            R"(TEST!="/run/diskwright/system/serial-$env{ID_SERIAL}", TEST=="queue/read_ahead_kb", )"
            R"(ATTR{queue/read_ahead_kb}="512")"));
    }

    void readsBackToTheSet()
    {
        const BootSet set = sample::mixedSet();
        auto read = readUdevRules(renderUdevRules(set));
        QVERIFY2(read.has_value(), read ? "" : read.error().input.c_str());
        std::vector<RenderedSetting> wanted;
        for (const BootItem &item : set.items) {
            if (!std::holds_alternative<MachineMatch>(item.match))
                wanted.push_back({item.setting, onlyKeys(item.match), item.value});
        }
        std::ranges::sort(wanted, {}, keyOf);
        std::ranges::sort(*read, {}, keyOf);
        QCOMPARE(*read, wanted);
    }

    void everyClassReadsBack()
    {
        using enum DiskClass;
        for (const DiskClass kind : {UsbRemovable, SataRotational, SataSolidState, Nvme, Mmc}) {
            BootSet set;
            set.items.push_back(sample::item("queue/read_ahead_kb", kind, number(512), number(128)));
            const auto read = readUdevRules(renderUdevRules(set));
            QVERIFY(read.has_value());
            QCOMPARE(read->size(), 1UZ);
            QCOMPARE(read->front().match, Match(kind));
            QCOMPARE(diskClassFromName(name(kind)), std::optional(kind));
        }
    }

    void aForeignLineIsNamed_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("run") << QByteArray(R"(ENV{ID_SERIAL}=="x", RUN+="/bin/sh")");
        QTest::newRow("two assignments")
            << QByteArray(R"(ENV{ID_SERIAL}=="x", ATTR{ro}="1", ATTR{queue/read_ahead_kb}="128")");
        QTest::newRow("another attribute")
            << QByteArray(R"(ENV{ID_SERIAL}=="x", ATTR{queue/write_cache}="1")");
        QTest::newRow("climbing") << QByteArray(R"(ENV{ID_SERIAL}=="x", ATTR{../../x}="1")");
        QTest::newRow("no value") << QByteArray(R"(ENV{ID_SERIAL}=="x", ATTR{queue/read_ahead_kb}=)");
        QTest::newRow("words") << QByteArray("hello");
    }

    void aForeignLineIsNamed()
    {
        QFETCH(QByteArray, line);
        const auto read = readUdevRules(renderUdevRules(sample::mixedSet()) + line.toStdString() + '\n');
        QVERIFY(!read);
        QCOMPARE(read.error().code, Errc::Malformed);
        QCOMPARE(read.error().input, line.toStdString());
    }

    void anEditIsNoticed()
    {
        std::string text = renderUdevRules(sample::mixedSet());
        QCOMPARE(ownerOf(text + "# mine\n"), FileOwner::Edited);
        QCOMPARE(ownerOf(text.substr(0, text.find('\n') + 1)), FileOwner::Edited);
        QCOMPARE(ownerOf("# something else\n"), FileOwner::Foreign);
        QCOMPARE(ownerOf(""), FileOwner::Foreign);
        text[text.find("1024")] = '2';
        QCOMPARE(ownerOf(text), FileOwner::Edited);
    }

    void udevAcceptsIt()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("80-diskwright.rules"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(renderUdevRules(sample::mixedSet())));
        file.close();
        QProcess udevadm;
        udevadm.start(QStringLiteral("udevadm"), {QStringLiteral("verify"), path});
        QVERIFY(udevadm.waitForFinished());
        QVERIFY2(udevadm.exitCode() == 0, udevadm.readAllStandardError().constData());
    }
};

QTEST_GUILESS_MAIN(TestUdevRenderer)
#include "tst_udevrenderer.moc"
