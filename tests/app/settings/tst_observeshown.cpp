// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/observeshown.h"

#include "app/settings/shown.h"
#include "tests/helper/access/faketree.h"

#include <QString>
#include <QTest>

#include <algorithm>

using namespace diskwright;

namespace {

/// A disk with described and unknown files, some of them hostile.
struct Machine {
    FakeTree tree;

    Machine()
    {
        tree.disk("sda", "8:0",
                  {{"queue/scheduler", "none [strange] bfq\n"},
                   {"queue/read_ahead_kb", "128\n"},
                   {"queue/logical_block_size", "512\n"},
                   {"queue/write_cache", "write back\n"},
                   {"queue/brand_new", "7\n"},
                   {"queue/many_lines", "one\ntwo\tthree\n"},
                   {"queue/binary", std::string("\0\x01\xff\x1b[2J", 8)},
                   {"queue/huge", std::string(100000, 'x')},
                   {"queue/empty", ""},
                   {"queue/bad name", "1\n"},
                   {"queue/bad:name", "1\n"},
                   {"queue/" + std::string(200, 'n'), "1\n"},
                   {"queue/folder/inside", "1\n"},
                   {"queue/iosched/strange_value", "42\n"}});
        tree.file("proc/sys/vm/overcommit_memory", "0\n");
        tree.file("proc/sys/vm/drop_caches", "3\n");
        tree.file("proc/sys/vm/lowmem_reserve_ratio", "256\t256\t32\t0\t0\n");
        tree.file("proc/sys/vm/swappiness", "60\n");
        tree.file("proc/sys/vm/from_tomorrow", "-5\n");
        tree.file("proc/sys/vm/command", "");
        std::filesystem::permissions(tree.path() / "proc/sys/vm/command",
                                     std::filesystem::perms::owner_write);
    }
    [[nodiscard]] DiskList disks() const { return scanDisks(tree.root()).value(); }
    [[nodiscard]] std::vector<Observation> shown() const
    {
        return observeShown(tree.root(), *disks().find("sda"));
    }
};

const Observation *find(const std::vector<Observation> &all, std::string_view id)
{
    const auto found = std::ranges::find(all, id, &Observation::settingId);
    return found != all.end() ? &*found : nullptr;
}

} // namespace

class TestObserveShown : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void describedOnesSayWhy()
    {
        const auto all = Machine().shown();
        const Observation *size = find(all, "queue/logical_block_size");
        QVERIFY(size);
        QCOMPARE(size->value, std::optional(number(512)));
        QCOMPARE(size->state, ObservedState::ReadOnly);
        QCOMPARE(size->unit, Unit::Bytes);
        QCOMPARE(size->reason, std::string(findShown("queue/logical_block_size")->why));
        QCOMPARE(toText(size->address()), std::string("queue:sda:logical_block_size"));
        QVERIFY(!size->spec && !size->defaultValue && !size->kept);
        QCOMPARE(find(all, "queue/write_cache")->value, std::optional(word("write back")));
    }
    void unknownOnesAreShownWithoutADescription()
    {
        const auto all = Machine().shown();
        const Observation *fresh = find(all, "queue/brand_new");
        QVERIFY(fresh);
        QCOMPARE(fresh->value, std::optional(number(7)));
        QCOMPARE(fresh->reason, std::string(noDescription()));
        const Observation *tunable = find(all, "iosched/strange/strange_value");
        QVERIFY(tunable);
        QCOMPARE(tunable->value, std::optional(number(42)));
        QCOMPARE(toText(tunable->address()), std::string("iosched:sda:strange/strange_value"));
        QCOMPARE(find(all, "queue/many_lines")->value, std::optional(word("one two three")));
    }
    void settableAndAbsentOnesAreNot()
    {
        const auto all = Machine().shown();
        QVERIFY(!find(all, "queue/read_ahead_kb"));
        QVERIFY(!find(all, "queue/scheduler"));
        QVERIFY(!find(all, "queue/zoned"));
        QVERIFY(!find(all, "queue/iosched"));
        QVERIFY(!find(all, "queue/folder"));
    }
    void hostileContentIsCleanAndBounded()
    {
        const Machine machine;
        for (int extra = 0; extra < 500; ++extra)
            machine.tree.file("sys/block/sda/queue/extra" + std::to_string(extra), "1\n");
        const auto all = machine.shown();
        QVERIFY(all.size() < 80);
        for (const Observation &seen : all) {
            const std::string text = seen.value ? toText(*seen.value) : std::string();
            QVERIFY(text.size() < 1000);
            QVERIFY(QString::fromStdString(text).toStdString() == text); // valid UTF-8
            for (const std::string &part : {text, seen.key, seen.reason, seen.rawText})
                QVERIFY(std::ranges::none_of(part, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }));
            QVERIFY(seen.key.size() <= 80 && seen.key.find(':') == std::string::npos);
        }
        QVERIFY(!find(all, "queue/bad name") && !find(all, "queue/bad:name"));
    }
    void vmToo()
    {
        const auto all = observeShownVm(Machine().tree.root());
        QCOMPARE(find(all, "vm/overcommit_memory")->value, std::optional(number(0)));
        QCOMPARE(find(all, "vm/lowmem_reserve_ratio")->value, std::optional(word("256 256 32 0 0")));
        QCOMPARE(find(all, "vm/from_tomorrow")->value, std::optional(number(-5)));
        QVERIFY(!find(all, "vm/swappiness"));
        const Observation *action = find(all, "vm/drop_caches");
        QVERIFY(action && !action->value);
        QCOMPARE(action->state, ObservedState::ReadOnly);
        const Observation *command = find(all, "vm/command");
        QVERIFY(command && !command->value);
        QCOMPARE(command->state, ObservedState::Unreadable);
        // Why nothing is seen of it, not why it is not set.
        QCOMPARE(command->reason, std::string("the kernel lets nobody read it"));
    }
    void oneByItsAddress()
    {
        const Machine machine;
        const DiskList list = machine.disks();
        const SystemRoot root = machine.tree.root();
        const auto see = [&](const char *text) {
            return observeSetting(root, list, resolveShownAddress(list, text).value());
        };
        QCOMPARE(see("queue:sda:logical_block_size")->value, std::optional(number(512)));
        QCOMPARE(see("queue:sda:zoned")->state, ObservedState::Absent);
        QCOMPARE(see("queue:sda:brand_new")->value, std::optional(number(7)));
        QCOMPARE(see("iosched:sda:strange_value")->value, std::optional(number(42)));
        QCOMPARE(see("vm::from_tomorrow")->value, std::optional(number(-5)));
        for (const char *text : {"queue:sda:nothing", "queue:sda:../size", "queue:sda:folder", "queue:sda:.",
                                 "iosched:sda:other/strange_value", "iosched:sda:../../size", "vm::nothing",
                                 "vm::../kernel/osrelease", "ata:sda:apm"})
            QCOMPARE(see(text).error().code, Errc::UnknownSetting);
    }
    void noMachineNoValues()
    {
        const FakeTree empty;
        QVERIFY(observeShownVm(empty.root()).empty());
        BlockNode gone;
        gone.name = "sdz";
        QVERIFY(observeShown(empty.root(), gone).empty());
    }
    void theRealKernelIsReadable()
    {
        const SystemRoot root = SystemRoot::live().value();
        const auto all = observeShownVm(root);
        QVERIFY(all.size() > 20);
        for (const Observation &seen : all)
            QVERIFY(seen.state == ObservedState::ReadOnly || seen.state == ObservedState::Unreadable);
    }
};

QTEST_APPLESS_MAIN(TestObserveShown)
#include "tst_observeshown.moc"
