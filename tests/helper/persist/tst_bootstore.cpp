// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/bootstore.h"

#include "helper/persist/bootwriter.h"
#include "helper/persist/keptfile.h"
#include "helper/persist/rulesreader.h"
#include "helper/persist/stablematch.h"
#include "testmachine.h"

#include <QTest>

#include <cerrno>

using namespace diskwright;

namespace {

constexpr const char *rules = "etc/udev/rules.d/80-diskwright.rules";
constexpr const char *sysctl = "etc/sysctl.d/80-diskwright.conf";
constexpr const char *rulesAside = "etc/diskwright/boot/80-diskwright.rules";
constexpr const char *setFile = "etc/diskwright/boot-set.json";
constexpr const char *stateFile = "etc/diskwright/boot/state.json";

KeepItem onDisk(const TestMachine::Disk &disk, const char *row, const Value &value, const Value &original)
{
    return {.spec = findSetting(row),
            .device = TestMachine::identityOf(disk),
            .value = value,
            .original = original,
            .pairOriginal = {}};
}

KeepItem readAhead(const TestMachine::Disk &disk, std::int64_t value, std::int64_t original = 128)
{
    return onDisk(disk, "queue/read_ahead_kb", number(value), number(original));
}

KeepItem dirtyBytes(std::int64_t value)
{
    return {.spec = findSetting("vm/dirty_bytes"),
            .device = {},
            .value = number(value),
            .original = number(0),
            .pairOriginal = number(20)};
}

} // namespace

class TestBootStore final : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<TestMachine> m_machine;
    const TestMachine::Disk m_ata = TestMachine::ata();
    const TestMachine::Disk m_usb = TestMachine::usb();

    BootStore store() const { return std::move(*BootStore::at(m_machine->root())); }
    auto keep(const std::vector<KeepItem> &items, const char *origin = "", bool replace = false) const
    {
        return store().keep(items, origin, replace);
    }
    BootSet set() const { return store().load().value_or(LoadedBootSet{}).set; }

private Q_SLOTS:
    void init()
    {
        m_machine = std::make_unique<TestMachine>();
        m_machine->addDisk(m_ata);
        m_machine->addDisk(m_usb);
    }

    void nothingKept()
    {
        const auto loaded = store().load();
        QVERIFY(loaded);
        QVERIFY(loaded->set.items.empty());
        QCOMPARE(loaded->hash, sha256(""));
        QCOMPARE(store().state(), Result<BootState>(BootState{}));
        QVERIFY(store().forget(sha256(""), {}, false));
        QVERIFY(!m_machine->has("etc/diskwright"));
    }

    void keepWritesAllFiles()
    {
        const auto kept = keep({readAhead(m_ata, 1024), dirtyBytes(1 << 20)}, "Fast");
        QVERIFY2(kept, kept ? "" : kept.error().error.reason.c_str());
        QVERIFY(kept->replaced.empty());
        QCOMPARE(ownerOf(m_machine->read(rules).toStdString()), FileOwner::Ours);
        QVERIFY(m_machine->read(rules).contains("ENV{ID_SERIAL}==\"QEMU_SSD_A_ATA0001\""));
        QVERIFY(m_machine->read(sysctl).contains("\nvm.dirty_bytes = 1048576\n"));
        const BootSet kept2 = set();
        QCOMPARE(kept2.items.size(), 2UZ);
        QCOMPARE(std::get<DiskMatch>(kept2.items[0].match).id, std::string("wwn-0x5000c50015ea71ac"));
        QCOMPARE(kept2.items[0].origin, std::string("Fast"));
        QCOMPARE(kept2.items[0].bootId, TestMachine::bootId('1').toStdString());
        QCOMPARE(kept2.items[1].original, (Original{"vm/dirty_ratio", number(20)}));
        const auto state = store().state();
        QVERIFY(state);
        QVERIFY(!state->proven && !state->writing && state->aside == Aside::No);
        QCOMPARE(state->changed, TestMachine::bootId('1').toStdString());
    }

    void theFirstOriginalStaysAndAClashIsReported()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}, "Fast"));
        const auto again = keep({readAhead(m_usb, 64), readAhead(m_ata, 2048, 1024)});
        QVERIFY(again);
        QCOMPARE(again->replaced.size(), 1UZ);
        QCOMPARE(again->replaced[0].item, std::uint16_t{1});
        QCOMPARE(again->replaced[0].previous.value, number(1024));
        QCOMPARE(again->replaced[0].previous.origin, std::string("Fast"));
        QCOMPARE(set().items.size(), 2UZ);
        QCOMPARE(set().items[0].value, number(2048));
        QCOMPARE(set().items[0].original.value, number(128));
    }

    void theOtherHalfOfAPairTakesItsPlace()
    {
        QVERIFY(keep({dirtyBytes(1 << 20)}));
        const KeepItem ratio{.spec = findSetting("vm/dirty_ratio"),
                             .device = {},
                             .value = number(5),
                             .original = number(0),
                             .pairOriginal = number(1 << 20)};
        const auto kept = keep({ratio});
        QVERIFY(kept);
        QCOMPARE(kept->replaced.size(), 1UZ);
        QCOMPARE(set().items.size(), 1UZ);
        QCOMPARE(set().items[0].original, (Original{"vm/dirty_ratio", number(20)}));
        QVERIFY(!m_machine->read(sysctl).contains("dirty_bytes"));
        QVERIFY(m_machine->read(sysctl).contains("vm.dirty_ratio = 5\n"));
    }

    void refusedKeepsChangeNothing_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("code");
        QTest::newRow("no systemd") << 0 << int(Errc::NeedsSystemd);
        QTest::newRow("no udev") << 1 << int(Errc::NeedsSystemd);
        QTest::newRow("another disk by now") << 2 << int(Errc::DeviceChanged);
        QTest::newRow("no id") << 3 << int(Errc::NoStableId);
        QTest::newRow("unsafe serial, no wwn") << 4 << int(Errc::NoStableId);
        QTest::newRow("twin") << 5 << int(Errc::NoStableId);
        QTest::newRow("no such disk") << 6 << int(Errc::UnknownTarget);
        QTest::newRow("out of range") << 7 << int(Errc::OutOfRange);
        QTest::newRow("twice") << 8 << int(Errc::Conflict);
        QTest::newRow("pair twice") << 9 << int(Errc::Conflict);
        QTest::newRow("origin with a newline") << 10 << int(Errc::Malformed);
        QTest::newRow("vm on a disk") << 11 << int(Errc::Malformed);
        QTest::newRow("path as a name") << 12 << int(Errc::UnknownTarget);
    }

    void refusedKeepsChangeNothing()
    {
        QFETCH(int, which);
        QFETCH(int, code);
        std::vector<KeepItem> items{readAhead(m_usb, 64), readAhead(m_ata, 1024)};
        const char *origin = "";
        TestMachine::Disk other = m_ata;
        other.name = "sdc";
        other.minor = 32;
        switch (which) {
        case 0: QDir(m_machine->path("run/systemd")).removeRecursively(); break;
        case 1: QDir(m_machine->path("run/udev")).removeRecursively(); break;
        case 2: items[1].device->diskseq = 10; break;
        case 3: m_machine->write("run/udev/data/b8:0", "E:ID_SERIAL=QEMU_SSD_A_ATA0001\n"); break;
        case 4:
            m_machine->write("run/udev/data/b8:0",
                             "S:disk/by-id/ata-ok\nE:ID_SERIAL=x\", RUN+=\"/bin/sh -c id>/tmp/p\n");
            break;
        case 5: m_machine->addDisk(other); break;
        case 6: items[1].device->name = "sdz"; break;
        case 7: items[1].value = number(1 << 20); break;
        case 8: items.push_back(readAhead(m_ata, 512)); break;
        case 9:
            items.push_back(dirtyBytes(8192));
            items.push_back({.spec = findSetting("vm/dirty_ratio"),
                             .device = {},
                             .value = number(5),
                             .original = number(20),
                             .pairOriginal = {}});
            break;
        case 10: origin = "x\ny"; break;
        case 11:
            items[1] = dirtyBytes(8192);
            items[1].device = TestMachine::identityOf(m_ata);
            break;
        case 12: items[1].device->name = "../block/sda"; break;
        default: QFAIL("no such case");
        }
        const auto kept = keep(items, origin);
        QVERIFY(!kept);
        QCOMPARE(int(kept.error().error.code), code);
        QVERIFY(!kept.error().error.reason.empty());
        QVERIFY(!m_machine->has(setFile));
        QVERIFY(!m_machine->has(rules));
        QVERIFY(!m_machine->has(stateFile));
    }

    void aSafeWwnIsEnough()
    {
        m_machine->write("run/udev/data/b8:0", "S:disk/by-id/wwn-0x5\nE:ID_WWN_WITH_EXTENSION=0x5\n"
                                               "E:ID_SERIAL=with * star\n");
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        QVERIFY(!m_machine->read(rules).contains("ID_SERIAL"));
    }

    void forgetRemovesOneThenAll()
    {
        QVERIFY(keep({readAhead(m_ata, 1024), dirtyBytes(1 << 20)}));
        const Sha256 hash = store().load()->hash;
        const std::vector<std::uint16_t> second{1};
        QVERIFY(store().forget(hash, second, false));
        QVERIFY(!m_machine->has(sysctl));
        QVERIFY(m_machine->has(rules));
        const auto stale = store().forget(hash, {}, false);
        QVERIFY(!stale);
        QCOMPARE(stale.error().code, Errc::Stale);
        QVERIFY(store().forget(store().load()->hash, {}, false));
        for (const char *file : {rules, sysctl, setFile, stateFile, rulesAside})
            QVERIFY2(!m_machine->has(file), file);
    }

    void forgetNamesAWrongIndex()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        const std::vector<std::uint16_t> wrong{1};
        QCOMPARE(store().forget(store().load()->hash, wrong, false).error().code, Errc::UnknownTarget);
        QCOMPARE(set().items.size(), 1UZ);
    }

    void forgetAnOrigin()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}, "Fast"));
        QVERIFY(keep({readAhead(m_usb, 64)}));
        QVERIFY(store().forgetOrigin("Fast", false));
        QCOMPARE(set().items.size(), 1UZ);
        QCOMPARE(store().forgetOrigin("Fast", false).error().code, Errc::UnknownTarget);
    }

    void aSetThatDoesNotDecodeCanStillBeForgotten()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        m_machine->write(setFile, "{\"version\": 9}");
        QVERIFY(!keep({readAhead(m_usb, 64)}));
        QVERIFY(store().forget(sha256("{\"version\": 9}"), {}, false));
        QVERIFY(!m_machine->has(rules));
        QVERIFY(!m_machine->has(setFile));
    }

    void anEditedFileIsNotOverwrittenUnasked()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        const QByteArray edited = m_machine->read(rules) + "# mine\n";
        m_machine->write(rules, edited);
        const auto kept = keep({readAhead(m_ata, 2048)});
        QVERIFY(!kept);
        QCOMPARE(kept.error().error.code, Errc::FileChanged);
        QCOMPARE(kept.error().error.input, std::string("/etc/udev/rules.d/80-diskwright.rules"));
        QCOMPARE(m_machine->read(rules), edited);
        QCOMPARE(set().items[0].value, number(1024));
        QVERIFY(keep({readAhead(m_ata, 2048)}, "", true));
        QVERIFY(m_machine->read(rules).contains("\"2048\""));
        const QDir backup(m_machine->path("var/lib/diskwright/backup"));
        QCOMPARE(backup.entryList(QDir::Files).size(), 1);
        QCOMPARE(m_machine->read("var/lib/diskwright/backup/" + backup.entryList(QDir::Files)[0].toLatin1()),
                 edited);
    }

    void aForeignFileIsNotOurs()
    {
        m_machine->write(sysctl, "vm.swappiness = 10\n");
        QCOMPARE(keep({dirtyBytes(8192)}).error().error.code, Errc::FileChanged);
        QCOMPARE(m_machine->read(sysctl), QByteArray("vm.swappiness = 10\n"));
        QVERIFY(!m_machine->has(setFile));
    }

    void backupsAreBounded()
    {
        for (int version = 0; version < 15; ++version) {
            m_machine->write(rules, "# version " + QByteArray::number(version) + '\n');
            QVERIFY(keep({readAhead(m_ata, 4 * (version + 1))}, "", true));
        }
        QCOMPARE(QDir(m_machine->path("var/lib/diskwright/backup")).entryList(QDir::Files).size(), 10);
    }

    void aLinkInOurPlaceIsRefused()
    {
        m_machine->write("etc/passwd", "root\n");
        QVERIFY(QFile::link(m_machine->path("etc/passwd"), m_machine->path(rules)));
        const auto kept = keep({readAhead(m_ata, 1024)}, "", true);
        QVERIFY(!kept);
        QCOMPARE(kept.error().error.code, Errc::StateFile);
        QCOMPARE(kept.error().error.sysErrno, ELOOP);
        QCOMPARE(m_machine->read("etc/passwd"), QByteArray("root\n"));
        QVERIFY(!m_machine->has(setFile));
    }

    void offAndOnAgain()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        const QByteArray before = m_machine->read(rules);
        QVERIFY(store().useAtStart(false));
        QVERIFY(!m_machine->has(rules));
        QCOMPARE(m_machine->read(rulesAside), before);
        QCOMPARE(store().state()->aside, Aside::SwitchedOff);
        QVERIFY(store().useAtStart(true));
        QCOMPARE(m_machine->read(rules), before);
        QVERIFY(!m_machine->has(rulesAside));
        QCOMPARE(store().state()->aside, Aside::No);
        QCOMPARE(store().state()->writing, false);
    }

    void filesThatStayAreSaidEachTime()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        const QByteArray before = m_machine->read(rules);
        // In the way of the move, as an immutable file would be.
        QVERIFY(QDir().mkpath(m_machine->path(rulesAside) + QStringLiteral("/folder")));
        for (int attempt = 0; attempt < 2; ++attempt) {
            QVERIFY(!store().useAtStart(false));
            QCOMPARE(m_machine->read(rules), before);
            QCOMPARE(store().state()->aside, Aside::No);
        }
        QVERIFY(QDir(m_machine->path(rulesAside)).removeRecursively());
        QVERIFY(store().useAtStart(false));
        QVERIFY(!m_machine->has(rules));
    }

    void onAgainRendersWhatWasDeleted()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        QVERIFY(store().useAtStart(false));
        m_machine->remove(rulesAside);
        QVERIFY(store().useAtStart(true));
        QVERIFY(m_machine->read(rules).contains("\"1024\""));
    }

    void forgettingWhileOffStaysOff()
    {
        QVERIFY(keep({readAhead(m_ata, 1024), readAhead(m_usb, 64)}));
        QVERIFY(store().useAtStart(false));
        const std::vector<std::uint16_t> first{0};
        QVERIFY(store().forget(store().load()->hash, first, false));
        QVERIFY(!m_machine->has(rules));
        QCOMPARE(readUdevRules(m_machine->read(rulesAside).toStdString())->size(), 1UZ);
        QCOMPARE(store().state()->aside, Aside::SwitchedOff);
    }

    void keepingEndsOff()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        QVERIFY(store().useAtStart(false));
        QVERIFY(keep({readAhead(m_usb, 64)}));
        QCOMPARE(readUdevRules(m_machine->read(rules).toStdString())->size(), 2UZ);
        QVERIFY(!m_machine->has(rulesAside));
        QCOMPARE(store().state()->aside, Aside::No);
    }

    void useNeedsSomethingKept() { QCOMPARE(store().useAtStart(false).error().code, Errc::Absent); }

    void repairCompletesAnInterruptedWriting()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        const QByteArray wanted = m_machine->read(rules);
        // As a crash after the set took its place leaves it: old rules, "writing".
        m_machine->write(rules, QByteArray::fromStdString(withMarker("\n# older\n")));
        m_machine->write("etc/udev/rules.d/.80-diskwright.rules.diskwright-new", "half");
        BootState state = *store().state();
        state.writing = true;
        QVERIFY(writeBootState(store().root(), state));
        QVERIFY(store().repair());
        QCOMPARE(m_machine->read(rules), wanted);
        QVERIFY(!m_machine->has("etc/udev/rules.d/.80-diskwright.rules.diskwright-new"));
        QCOMPARE(store().state()->writing, false);
    }

    void repairRespectsADeletedOrEditedFile()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        m_machine->remove(rules);
        QVERIFY(store().repair());
        QVERIFY(!m_machine->has(rules));
        m_machine->write(rules, "# mine\n");
        BootState state = *store().state();
        state.writing = true;
        QVERIFY(writeBootState(store().root(), state));
        QVERIFY(store().repair());
        QCOMPARE(m_machine->read(rules), QByteArray("# mine\n"));
    }

    void itemsForADiskUnderAnotherName()
    {
        QVERIFY(keep({readAhead(m_ata, 1024), readAhead(m_usb, 64)}));
        m_machine->removeDisk(m_ata);
        m_machine->removeDisk(m_usb);
        TestMachine::Disk swapped = m_usb;
        swapped.name = "sda";
        swapped.minor = 0;
        m_machine->addDisk(swapped);
        const auto items = store().itemsFor("sda");
        QVERIFY(items);
        QCOMPARE(items->size(), 1UZ);
        QCOMPARE(items->front().value, number(64));
        QCOMPARE(store().itemsFor("sdb").error().code, Errc::UnknownTarget);
        QVERIFY(keep({dirtyBytes(8192)}));
        QCOMPARE(store().keptMachineValue("vm/dirty_bytes"), Result<std::optional<Value>>(number(8192)));
        QCOMPARE(store().keptMachineValue("vm/dirty_ratio"), Result<std::optional<Value>>(std::nullopt));
    }

    void aDamagedStateDoesNotStandInTheWay()
    {
        QVERIFY(keep({readAhead(m_ata, 1024)}));
        m_machine->write(stateFile, "garbage");
        QVERIFY(keep({readAhead(m_ata, 2048)}));
        QVERIFY(store().state());
    }
};

QTEST_APPLESS_MAIN(TestBootStore)
#include "tst_bootstore.moc"
