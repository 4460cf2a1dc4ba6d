// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/observation.h"
#include "tests/helper/access/faketree.h"

#include <QString>
#include <QTest>

#include <algorithm>

using namespace diskwright;
using namespace Qt::StringLiterals;
using Words = std::vector<std::string>;

namespace {

/// One disk, sda, with an id, and a partition of it.
struct Machine {
    FakeTree tree;

    explicit Machine(const std::string &schedulers = "none [mq-deadline] bfq\n")
    {
        tree.disk("sda", "8:0",
                  {{"queue/scheduler", schedulers},
                   {"queue/rotational", "0\n"},
                   {"queue/nr_requests", "64\n"},
                   {"queue/read_ahead_kb", "4096\n"},
                   {"queue/optimal_io_size", "0\n"},
                   {"mq/0/nr_tags", "32\n"}});
        if (schedulers.find("[mq-deadline]") != std::string::npos)
            tree.file("sys/block/sda/queue/iosched/read_expire", "500\n");
        tree.partition("sda", "sda1", "8:1");
        tree.file("run/udev/data/b8:0", "S:disk/by-id/wwn-0x1\n");
        for (const auto &[key, text] : std::map<std::string, std::string>{
                 {"dirty_ratio", "20\n"}, {"dirty_bytes", "0\n"}, {"dirty_background_ratio", "5\n"}})
            tree.file("proc/sys/vm/" + key, text);
    }
    [[nodiscard]] DiskList disks() const { return scanDisks(tree.root()).value(); }
    [[nodiscard]] Observation seen(const std::string &address, const Knowledge &knowledge = {}) const
    {
        const DiskList list = disks();
        return observeSetting(tree.root(), list, resolveAddress(list, address).value(), knowledge).value();
    }
};

} // namespace

class TestObservation : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsANumber()
    {
        const Observation seen = Machine().seen("queue:wwn-0x1:read_ahead_kb");
        QCOMPARE(seen.state, ObservedState::Current);
        QCOMPARE(seen.settingId, std::string("queue/read_ahead_kb"));
        QCOMPARE(seen.domain, Domain::Queue);
        QCOMPARE(seen.key, std::string("read_ahead_kb"));
        QCOMPARE(seen.unit, Unit::KiB);
        QCOMPARE(seen.target, std::string("sda"));
        QCOMPARE(seen.id, std::optional<std::string>("wwn-0x1"));
        QCOMPARE(seen.value, std::optional(number(4096)));
        QCOMPARE(seen.rawText, std::string("4096"));
        QCOMPARE(seen.min, std::optional<std::int64_t>(0));
        QCOMPARE(seen.max, std::optional<std::int64_t>(32768));
        QCOMPARE(seen.step, std::optional<std::int64_t>(4));
        QCOMPARE(seen.defaultValue, std::optional(number(128)));
        QCOMPARE(seen.defaultSource, DefaultSource::KernelRule);
        QVERIFY(seen.differsFromDefault());
        QVERIFY(seen.reason.empty());
        QCOMPARE(toText(seen.address()), std::string("queue:sda:read_ahead_kb"));
    }
    void readsAChoiceWithWhatIsInstalled()
    {
        const Machine machine;
        machine.tree.file("proc/sys/kernel/osrelease", "6.12.1\n");
        machine.tree.file("lib/modules/6.12.1/modules.dep", "kernel/block/kyber-iosched.ko:\n");
        const Observation seen = machine.seen("queue:sda:scheduler");
        QCOMPARE(seen.value, std::optional(word("mq-deadline")));
        QCOMPARE(seen.offered, (Words{"none", "mq-deadline", "kyber", "bfq"}));
        QVERIFY(!seen.min);
    }
    void aDeviceWithoutChoiceIsReadOnly()
    {
        const Observation seen = Machine("none\n").seen("queue:sda:scheduler");
        QCOMPARE(seen.state, ObservedState::ReadOnly);
        QCOMPARE(seen.offered, Words{"none"});
        QVERIFY(!seen.reason.empty());
    }
    void schedulerSettingsComeAndGoWithTheScheduler()
    {
        QCOMPARE(Machine().seen("iosched:sda:mq-deadline/read_expire").value, std::optional(number(500)));
        const Observation gone =
            Machine("none mq-deadline [bfq]\n").seen("iosched:sda:mq-deadline/read_expire");
        QCOMPARE(gone.state, ObservedState::Absent);
        QVERIFY(gone.reason.find("bfq") != std::string::npos);
        QVERIFY(!gone.value);
    }
    /// Nothing but what the kernel writes counts as a value.
    void junkIsUnparsable_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"", "[none", "none [mq-deadline] [bfq]", "none bfq", "[]", "[no ne]", "[NONE\x1b]", "[none]/",
              "none\t[bfq]", "[a-name-that-is-too-long] none", "<html>"})
            QTest::addRow("scheduler %s", text) << u"scheduler"_s << QByteArray(text);
        QTest::newRow("requests") << u"nr_requests"_s << QByteArray("-1");
        QTest::newRow("rotational") << u"rotational"_s << QByteArray("2");
        QTest::newRow("rotational, negative") << u"rotational"_s << QByteArray("-1");
        QTest::newRow("read-ahead") << u"read_ahead_kb"_s << QByteArray("-4");
    }
    void junkIsUnparsable()
    {
        QFETCH(QString, key);
        QFETCH(QByteArray, text);
        const Machine machine;
        machine.tree.file("sys/block/sda/queue/" + key.toStdString(), text.toStdString() + '\n');
        const Observation seen = machine.seen("queue:sda:" + key.toStdString());
        QCOMPARE(seen.state, ObservedState::Unparsable);
        QVERIFY(!seen.value && !seen.reason.empty());
    }
    void aSchedulerThatTheKernelLacksIsSaid()
    {
        const Machine machine;
        QVERIFY(machine.seen("iosched:sda:adios/batch_limit_read").reason.starts_with("exists only while"));
        machine.tree.file("proc/sys/kernel/osrelease", "6.12.1\n");
        machine.tree.file("lib/modules/6.12.1/modules.dep", "kernel/block/kyber-iosched.ko:\n");
        for (const SettingSpec &row : catalogue()) {
            if (row.scheduler == "adios")
                QCOMPARE(machine.seen("iosched:sda:" + std::string(row.key)).reason,
                         std::string("this kernel has no adios"));
            if (row.scheduler == "kyber" || row.scheduler == "bfq")
                QVERIFY(
                    machine.seen("iosched:sda:" + std::string(row.key)).reason.starts_with("exists only"));
        }
        const auto accepted = [&] {
            return observeSetting(machine.tree.root(), machine.disks(), {Domain::IoSched, "sda", "bfq/frob"})
                .error()
                .accepted;
        };
        QVERIFY(!accepted().contains("adios") && accepted().contains("kyber"));
        QVERIFY(!resolveAddress(machine.disks(), "iosched:sda:bfq/frob").error().accepted.contains("adios"));
        machine.tree.file("lib/modules/6.12.1/modules.dep", "kernel/block/adios.ko:\n");
        QVERIFY(accepted().contains("adios") && !accepted().contains("kyber"));
        QVERIFY(machine.seen("iosched:sda:adios/batch_limit_read").reason.starts_with("exists only while"));
    }
    void aNumberIsNarrowedToTheDevice()
    {
        QCOMPARE(Machine().seen("queue:sda:nr_requests").max, std::optional<std::int64_t>(2048));
        QCOMPARE(Machine("[none] bfq\n").seen("queue:sda:nr_requests").max, std::optional<std::int64_t>(32));
        const Machine single("[none] bfq\n");
        single.tree.file("sys/block/sda/mq/0/nr_tags", "1\n");
        QCOMPARE(single.seen("queue:sda:nr_requests").state, ObservedState::ReadOnly);
    }
    void absentUnparsableAndReadOnly()
    {
        const Machine machine;
        std::filesystem::remove(machine.tree.path() / "sys/block/sda/queue/nr_requests");
        QCOMPARE(machine.seen("queue:sda:nr_requests").state, ObservedState::Absent);
        QCOMPARE(machine.seen("vm::dirty_background_bytes").state, ObservedState::Absent);
        for (const char *text :
             {"", "many\n", "12 13\n", "12\n13\n", "99999999999999999999\n", "\x1b[2J\n"}) {
            machine.tree.file("sys/block/sda/queue/read_ahead_kb", text);
            const Observation seen = machine.seen("queue:sda:read_ahead_kb");
            QCOMPARE(seen.state, ObservedState::Unparsable);
            QVERIFY(!seen.value && !seen.reason.empty());
            QVERIFY(seen.reason.find('\x1b') == std::string::npos);
        }
        const auto attribute = machine.tree.path() / "proc/sys/vm/dirty_ratio";
        std::filesystem::permissions(attribute, std::filesystem::perms::owner_read);
        const Observation locked = machine.seen("vm::dirty_ratio");
        QCOMPARE(locked.state, ObservedState::ReadOnly);
        QCOMPARE(locked.value, std::optional(number(20)));
    }
    void anErrorOfTheKernelIsUnreadable()
    {
        const Machine machine;
        std::filesystem::remove(machine.tree.path() / "sys/block/sda/queue/nr_requests");
        machine.tree.folder("sys/block/sda/queue/nr_requests"); // EISDIR
        QCOMPARE(machine.seen("queue:sda:nr_requests").state, ObservedState::Unreadable);
    }
    void asksOthersForWhatOnlyTheyKnow()
    {
        const Machine machine;
        machine.tree.file("sys/block/sda/queue/optimal_io_size", "?\n");
        Knowledge knowledge;
        knowledge.beforeFirstChange = [](const SettingSpec &spec, std::string_view target,
                                         const std::string *id) {
            const bool asked = spec.id == "queue/read_ahead_kb" && target == "sda" && id && *id == "wwn-0x1";
            return asked ? std::optional(number(256)) : std::nullopt;
        };
        knowledge.kept = [](const SettingSpec &, std::string_view) {
            return std::optional(Knowledge::Kept{number(512), DiskClass::UsbRemovable, 7});
        };
        const Observation seen = machine.seen("queue:sda:read_ahead_kb", knowledge);
        QCOMPARE(seen.defaultValue, std::optional(number(256)));
        QCOMPARE(seen.defaultSource, DefaultSource::SawBeforeFirstChange);
        QCOMPARE(seen.kept, std::optional(number(512)));
        QCOMPARE(seen.keptFor, std::optional(DiskClass::UsbRemovable));
        QCOMPARE(seen.keptItem, 7u);
        QCOMPARE(machine.seen("vm::dirty_ratio", knowledge).defaultSource, DefaultSource::KernelRule);
        QCOMPARE(machine.seen("queue:sda:read_ahead_kb").defaultSource, DefaultSource::Unknown);
        QVERIFY(!machine.seen("queue:sda:read_ahead_kb").differsFromDefault());
    }
    void observesWholeTargets()
    {
        const Machine machine;
        const DiskList list = machine.disks();
        const auto disk = observe(machine.tree.root(), *list.find("sda"));
        const auto vm = observeVm(machine.tree.root());
        QCOMPARE(disk.size() + vm.size(), catalogue().size());
        QVERIFY(std::ranges::all_of(
            disk, [](const Observation &seen) { return seen.spec && seen.target == "sda"; }));
        BlockNode gone = *list.find("sda");
        gone.name = "sdz";
        for (const Observation &seen : observe(machine.tree.root(), gone))
            QCOMPARE(seen.state, ObservedState::Absent);
    }
    void resolvesAddresses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("resolved");
        QTest::newRow("name") << u"queue:sda:read_ahead_kb"_s << u"queue:sda:read_ahead_kb"_s;
        QTest::newRow("id") << u"queue:wwn-0x1:read_ahead_kb"_s << u"queue:sda:read_ahead_kb"_s;
        QTest::newRow("short form") << u"iosched:sda:read_expire"_s
                                    << u"iosched:sda:mq-deadline/read_expire"_s;
        QTest::newRow("long form") << u"iosched:wwn-0x1:mq-deadline/read_expire"_s
                                   << u"iosched:sda:mq-deadline/read_expire"_s;
        QTest::newRow("vm") << u"vm::dirty_bytes"_s << u"vm::dirty_bytes"_s;
    }
    void resolvesAddresses()
    {
        QFETCH(QString, text);
        QFETCH(QString, resolved);
        QCOMPARE(toText(resolveAddress(Machine().disks(), text.toStdString()).value()),
                 resolved.toStdString());
    }
    void refusesAddresses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("code");
        const auto row = [](const char *name, const QByteArray &text, Errc code) {
            QTest::newRow(name) << text << static_cast<int>(code);
        };
        row("empty", "", Errc::Malformed);
        row("one word", "scheduler", Errc::Malformed);
        row("one colon", "queue:scheduler", Errc::Malformed);
        row("no target", "queue::scheduler", Errc::Malformed);
        row("no key", "queue:sda:", Errc::Malformed);
        row("vm with target", "vm:sda:dirty_ratio", Errc::Malformed);
        row("unknown domain", "kernel:sda:scheduler", Errc::UnknownSetting);
        row("only shown", "queue:sda:write_cache", Errc::ReadOnly);
        row("unknown key", "queue:sda:write_cash", Errc::UnknownSetting);
        row("path as key", "queue:sda:../size", Errc::UnknownSetting);
        row("only shown, vm", "vm::overcommit_memory", Errc::ReadOnly);
        row("unknown vm key", "vm::swapiness", Errc::UnknownSetting);
        row("domain without rows", "nvme:sda:power_latency_us", Errc::UnknownSetting);
        row("other scheduler", "iosched:sda:cfq/slice_idle", Errc::UnknownSetting);
        row("unknown short form", "iosched:sda:slice_idle", Errc::UnknownSetting);
        row("unknown disk", "queue:sdz:scheduler", Errc::UnknownTarget);
        row("path as disk", "queue:../sda:scheduler", Errc::UnknownTarget);
        row("partition", "queue:sda1:scheduler", Errc::UnknownTarget);
        row("control characters", "queue:s\x1b[2Jda:scheduler", Errc::UnknownTarget);
        row("not ASCII", "queue:sd\xC3\xA4:scheduler", Errc::UnknownTarget);
        row("long", QByteArray("queue:") + QByteArray(100000, 'x') + ":scheduler", Errc::UnknownTarget);
    }
    void refusesAddresses()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, code);
        const auto address = resolveAddress(Machine().disks(), text.toStdString());
        QVERIFY(!address);
        const Error &error = address.error();
        QCOMPARE(static_cast<int>(error.code), code);
        QVERIFY(!error.reason.empty());
        QVERIFY(!error.accepted.empty());
        QVERIFY(text.isEmpty() || !error.input.empty());
        for (const std::string &part : {error.input, error.reason}) {
            QVERIFY(part.size() < 600);
            QVERIFY(std::ranges::none_of(part, [](char c) { return c < 0x20 || c == 0x7f; }));
        }
    }
    void saysThatNothingOfADomainCanBeSet()
    {
        for (const char *text : {"ata:sda:apm", "nvme:sda:power_latency_us", "link:sda:power_policy"}) {
            const auto address = resolveAddress(Machine().disks(), text);
            QVERIFY(!address);
            QVERIFY2(address.error().reason.starts_with("nothing of '"), address.error().reason.c_str());
            QCOMPARE(address.error().accepted, "queue, iosched, bdi, vm");
        }
    }
    void suggestsWhatIsSpeltNearlySo()
    {
        const DiskList list = Machine().disks();
        QCOMPARE(resolveAddress(list, "vm::swapiness").error().reason,
                 std::string("no such setting; did you mean vm::swappiness"));
        const Error near = resolveAddress(list, "queue:wwn-0x1:nr_request").error();
        QVERIFY(near.reason.find("queue:sda:nr_requests") != std::string::npos);
        const Error shown = resolveAddress(list, "queue:sda:write_cache").error();
        QVERIFY(shown.reason.find("never written") != std::string::npos);
        QCOMPARE(toText(resolveShownAddress(list, "queue:wwn-0x1:write_cache").value()),
                 std::string("queue:sda:write_cache"));
    }
    void theShortFormNeedsAnActiveScheduler()
    {
        const auto address = resolveAddress(Machine("[none] bfq\n").disks(), "iosched:sda:read_expire");
        QCOMPARE(address.error().code, Errc::Absent);
        QVERIFY(!address.error().accepted.empty());
    }
    void refusesWhatWasNotResolved()
    {
        const Machine machine;
        const DiskList list = machine.disks();
        QCOMPARE(observeSetting(machine.tree.root(), list, {Domain::Queue, "sda", "nope"}).error().code,
                 Errc::UnknownSetting);
        QCOMPARE(observeSetting(machine.tree.root(), list, {Domain::Queue, "sdz", "scheduler"}).error().code,
                 Errc::UnknownTarget);
    }
    void theRealKernelAnswersEveryRow()
    {
        const SystemRoot root = SystemRoot::live().value();
        const DiskList list = scanDisks(root).value();
        for (const BlockNode &disk : list.disks()) {
            for (const Observation &seen : observe(root, disk))
                QVERIFY2(seen.state != ObservedState::Unparsable, seen.rawText.c_str());
        }
        for (const Observation &seen : observeVm(root)) {
            QVERIFY(seen.value || seen.state == ObservedState::Absent);
            // It is computed from the size of the memory.
            QVERIFY(seen.defaultValue || seen.settingId == "vm/min_free_kbytes");
        }
    }
};

QTEST_APPLESS_MAIN(TestObservation)
#include "tst_observation.moc"
