// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/bootlimit.h"
#include "keepingmachine.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::test;

namespace {

struct LimitMachine : KeepingMachine {
    LimitMachine()
    {
        write("sys/block/sda/bdi/max_bytes", "838860800\n");
        write("sys/block/sda/bdi/max_ratio_fine", "1000000\n");
    }
    static ApplyRequest limit()
    {
        ApplyRequest request;
        request.devices = {disk("sda")};
        request.changes = {{0, "bdi/max_bytes", number(838860800), number(67108864)}};
        request.keep = true;
        return request;
    }
};

/// Its second disk is a stick.
struct StickMachine : KeepingMachine {
    explicit StickMachine(bool hasId = false)
    {
        write("run/udev/data/b8:16",
              hasId ? "S:disk/by-id/usb-STICK_1\nE:ID_SERIAL=STICK_1\nE:ID_BUS=usb\n" : "E:ID_BUS=usb\n");
        write("sys/block/sdb/removable", "1\n");
        write("sys/block/sdb/queue/rotational", "1\n");
    }
    static ApplyRequest readAhead()
    {
        ApplyRequest request;
        request.devices = {disk("sdb")};
        request.changes = {{0, "queue/read_ahead_kb", number(128), number(256)}};
        request.keep = true;
        return request;
    }
};

} // namespace

class TestKeepFor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aByteLimitIsKeptAsAskedAndNoted()
    {
        LimitMachine machine;
        const Report report = machine.run(LimitMachine::limit(), Machine::plan());
        QCOMPARE(report.outcome, Outcome::Applied);
        QVERIFY(report.kept);
        QVERIFY(machine.items()[0].value == number(67108864));
        QCOMPARE(machine.items()[0].original, (Original{"bdi/max_ratio_fine", number(1000000)}));
        QCOMPARE(machine.read("run/diskwright/limits/1"), "67108864 1000000 0 20");
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
        // The bytes move with the memory, and nothing has changed by that.
        machine.write("sys/block/sda/bdi/max_bytes", "50000000\n");
        QCOMPARE(machine.run(Machine::readAhead(4096), Machine::tune()).outcome, Outcome::Applied);
        QCOMPARE(machine.list("run/diskwright/hold"), QStringList());
    }

    void otherDirtyLimitsBringAKeptByteLimitAnew()
    {
        LimitMachine machine;
        QVERIFY(machine.run(LimitMachine::limit(), Machine::plan()).kept);
        machine.write("sys/block/sda/bdi/max_bytes", "33554432\n");
        ApplyRequest dirty;
        dirty.changes = {{std::nullopt, "vm/dirty_ratio", number(20), number(15)}};
        QCOMPARE(machine.run(dirty, Machine::tune()).outcome, Outcome::Applied);
        QCOMPARE(machine.read("sys/block/sda/bdi/max_bytes"), "67108864");
    }

    void aClassIsKeptFromOneOfItsDisks()
    {
        // sda carries the system here, so the disk that is asked for is the other one.
        StickMachine machine;
        ApplyRequest request = StickMachine::readAhead();
        request.keepFor = DiskClass::Nvme;
        Report report = machine.run(request, Machine::plan());
        QCOMPARE(report.outcome, Outcome::Applied);
        QCOMPARE(report.keepWhy, Errc::NotOfClass);
        QVERIFY(machine.items().empty());
        const TransactionId id = machine.lastId;
        report = machine.run(KeepRequest{id, {0}, {}, false, DiskClass::UsbRemovable}, Machine::persist());
        QVERIFY(report.kept);
        QCOMPARE(machine.items()[0].match, Match(DiskClass::UsbRemovable));
        QCOMPARE(
            machine.list("run/diskwright/system"),
            QStringList({QStringLiteral("1"), QStringLiteral("known"), QStringLiteral("serial-DISK_1")}));
        QVERIFY(machine.read("etc/udev/rules.d/80-diskwright.rules").contains(R"(ENV{ID_BUS}=="usb")"));
        // Taking the change back stops keeping it for the class.
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::plan()).outcome, Outcome::Undone);
        QVERIFY(machine.items().empty());
    }

    void aRuleThatStaysIsSaid()
    {
        StickMachine machine(true);
        QVERIFY(machine.run(StickMachine::readAhead(), Machine::plan()).kept);
        const TransactionId id = machine.lastId;
        QVERIFY(
            machine.run(KeepRequest{id, {0}, {}, false, DiskClass::UsbRemovable}, Machine::persist()).kept);
        QCOMPARE(machine.items().size(), 2u);
        const Report undone = machine.run(UndoRequest{id, false}, Machine::plan());
        QCOMPARE(undone.outcome, Outcome::Undone);
        QCOMPARE(machine.items().size(), 1u);
        QVERIFY2(undone.kept, "the disk's own rule sets it again");
    }

    void aSystemDiskIsOfNoClass()
    {
        KeepingMachine machine;
        ApplyRequest request;
        request.devices = {Machine::disk("sda")};
        request.changes = {{0, "queue/read_ahead_kb", number(128), number(256)}};
        request.keep = true;
        request.keepFor = DiskClass::SataSolidState;
        const Report report = machine.run(request, Machine::plan());
        QCOMPARE(report.outcome, Outcome::Applied);
        QCOMPARE(report.keepWhy, Errc::NotOfClass);
        QVERIFY(machine.items().empty());
    }

    // The limit is another share then, which is nobody else's change.
    void aKeptLimitIsUndoneAfterTheDirtyLimitsChanged()
    {
        LimitMachine machine;
        QVERIFY(machine.run(LimitMachine::limit(), Machine::plan()).kept);
        const TransactionId id = machine.lastId;
        // What the kernel makes of writing the bytes again under another dirty limit.
        machine.write("sys/block/sda/bdi/max_ratio_fine", "106667\n");
        machine.write("proc/sys/vm/dirty_ratio", "15\n");
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::plan()).why, Errc::Stale);
        const auto disk = machine.root->blockDevice("sda");
        QVERIFY(noteLimit(*machine.root, *disk, number(67108864)));
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::plan()).outcome, Outcome::Undone);
        QCOMPARE(machine.read("sys/block/sda/bdi/max_ratio_fine"), "1000000");
        QVERIFY(machine.items().empty());
    }

    // The original is the stored share: no number of bytes is written, and 0 least of all.
    void aKeptLimitIsUndoneInAnotherBoot()
    {
        LimitMachine machine;
        QVERIFY(machine.run(LimitMachine::limit(), Machine::plan()).kept);
        const TransactionId id = machine.lastId;
        machine.write("proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n");
        machine.write("sys/block/sda/bdi/max_bytes", "67104768\n");
        machine.write("sys/block/sda/bdi/max_ratio_fine", "80000\n");
        machine.reopen();
        const Report report = machine.run(UndoRequest{id, false}, Machine::plan());
        QCOMPARE(report.outcome, Outcome::Undone);
        QCOMPARE(machine.read("sys/block/sda/bdi/max_ratio_fine"), "1000000");
        QCOMPARE(machine.read("sys/block/sda/bdi/max_bytes"), "67104768");
        QVERIFY(machine.items().empty());
    }

    void anotherLimitInAnotherBootIsForeign()
    {
        LimitMachine machine;
        QVERIFY(machine.run(LimitMachine::limit(), Machine::plan()).kept);
        const TransactionId id = machine.lastId;
        machine.write("proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n");
        machine.write("sys/block/sda/bdi/max_bytes", "33554432\n");
        machine.write("sys/block/sda/bdi/max_ratio_fine", "40000\n");
        machine.reopen();
        QCOMPARE(machine.run(UndoRequest{id, false}, Machine::plan()).why, Errc::Stale);
        QCOMPARE(machine.items().size(), 1UZ);
        QCOMPARE(machine.run(UndoRequest{id, true}, Machine::plan()).outcome, Outcome::Undone);
        QCOMPARE(machine.read("sys/block/sda/bdi/max_ratio_fine"), "1000000");
    }

    // Only the disk that the original was read from gets it back.
    void aClassIsUndoneInAnotherBoot()
    {
        for (const bool hasId : {true, false}) {
            StickMachine machine(hasId);
            ApplyRequest request = StickMachine::readAhead();
            request.keepFor = DiskClass::UsbRemovable;
            QVERIFY(machine.run(request, Machine::plan()).kept);
            const TransactionId id = machine.lastId;
            machine.write("proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n");
            machine.reopen();
            const Report report = machine.run(UndoRequest{id, false}, Machine::plan());
            QCOMPARE(report.outcome, Outcome::Undone);
            QCOMPARE(report.steps[0].why, hasId ? Errc::None : Errc::NoStableId);
            QCOMPARE(machine.read("sys/block/sdb/queue/read_ahead_kb"), hasId ? "128" : "256");
            QVERIFY(machine.items().empty());
        }
    }

    void puttingAllBackGuessesNoOriginal()
    {
        StickMachine machine;
        machine.addDisk("sdc", 8, 32, 3);
        machine.write("run/udev/data/b8:32", "E:ID_BUS=usb\n");
        machine.write("sys/block/sdc/removable", "1\n");
        ApplyRequest request = StickMachine::readAhead();
        request.keepFor = DiskClass::UsbRemovable;
        QVERIFY(machine.run(request, Machine::plan()).kept);
        machine.write("sys/block/sdc/queue/read_ahead_kb", "256\n");
        const Report report = machine.run(RestoreAllRequest{}, Machine::plan());
        QCOMPARE(machine.read("sys/block/sdb/queue/read_ahead_kb"), "128");
        QCOMPARE(machine.read("sys/block/sdc/queue/read_ahead_kb"), "256");
        QCOMPARE(report.steps.size(), 2UZ);
        QCOMPARE(report.steps[0].result, StepResult::Applied);
        QCOMPARE(report.steps[1].why, Errc::NoStableId);
        QVERIFY(machine.items().empty());
    }

    void theSwitchThatTellsClassesApartIsKeptForNone()
    {
        StickMachine machine;
        ApplyRequest request = StickMachine::readAhead();
        request.changes = {{0, "queue/rotational", number(1), number(0)}};
        request.keepFor = DiskClass::UsbRemovable;
        const Report report = machine.run(request, Machine::plan());
        QCOMPARE(report.outcome, Outcome::Applied);
        QCOMPARE(report.keepWhy, Errc::NotOfClass);
        QVERIFY(machine.items().empty());
    }
};

QTEST_APPLESS_MAIN(TestKeepFor)
#include "tst_executor_keepfor.moc"
