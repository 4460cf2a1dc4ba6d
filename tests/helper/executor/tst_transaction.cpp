// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"

#include "helper/executor/transaction.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::test;

namespace {

// What the kernel would do to other files when one is written, the test does by hand between two steps.
Journal journalOf(std::vector<JournalItem> items)
{
    Journal journal;
    journal.devices = {{Machine::disk("sda"), {}}};
    journal.items = std::move(items);
    return journal;
}

JournalItem item(const char *setting, bool asked, std::int64_t before, std::optional<std::int64_t> wanted)
{
    return {.device = std::uint16_t{0},
            .setting = setting,
            .asked = asked,
            .before = number(before),
            .wanted = wanted ? std::optional(number(*wanted)) : std::nullopt,
            .after = {}};
}

std::vector<std::string> sideEffectsOf(Machine &machine, std::vector<JournalItem> items)
{
    const auto disk = openDisk(*machine.root, Machine::disk("sda")).value();
    const std::size_t asked = items.size();
    addSideEffects(items, [&](std::optional<std::uint16_t>) { return &disk.directory; });
    std::vector<std::string> names;
    for (std::size_t at = asked; at < items.size(); ++at)
        names.push_back(items[at].setting + (items[at].wanted ? "!" : ""));
    return names;
}

using Names = std::vector<std::string>;

} // namespace

class TestTransaction : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatOthersSetMeanwhileIsLeft()
    {
        Machine machine;
        Journal journal =
            journalOf({item("queue/nr_requests", true, 64, 32), item("queue/read_ahead_kb", true, 128, 256)});
        const Targets targets(*machine.root, journal);
        machine.write("sys/block/sda/queue/read_ahead_kb", "512\n");
        markChangedMeanwhile(targets, journal);
        QCOMPARE(journal.items[0].result, StepResult::NotAttempted);
        QCOMPARE(journal.items[1].result, StepResult::Stale);
        QVERIFY(putBack(targets, journal));
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "512");
    }

    void aForeignHalfOfAPairIsLeft()
    {
        Machine machine;
        Journal journal =
            journalOf({item("vm/dirty_bytes", true, 0, 1 << 20), item("vm/dirty_ratio", false, 20, {})});
        for (JournalItem &half : journal.items)
            half.device.reset();
        const Targets targets(*machine.root, journal);
        machine.write("proc/sys/vm/dirty_bytes", "4194304\n");
        machine.write("proc/sys/vm/dirty_ratio", "0\n");
        markChangedMeanwhile(targets, journal);
        QVERIFY(putBack(targets, journal));
        QCOMPARE(machine.read("proc/sys/vm/dirty_bytes"), "4194304");
        QCOMPARE(machine.read("proc/sys/vm/dirty_ratio"), "0");
    }

    void sideEffects()
    {
        Machine machine;
        machine.write("sys/block/sda/queue/async_depth", "64\n");
        machine.write("sys/block/sda/queue/iosched/async_depth", "64\n");
        machine.write("sys/block/sda/queue/wbt_lat_usec", "2000\n");
        machine.write("sys/block/sda/bdi/max_ratio_fine", "1000000\n");
        QCOMPARE(sideEffectsOf(machine, {item("queue/scheduler", true, 0, 1)}),
                 (Names{"iosched/mq-deadline/async_depth", "iosched/mq-deadline/read_expire",
                        "queue/async_depth", "queue/nr_requests", "queue/wbt_lat_usec"}));
        QCOMPARE(sideEffectsOf(machine, {item("queue/nr_requests", true, 64, 32)}),
                 (Names{"iosched/mq-deadline/async_depth", "queue/async_depth"}));
        // Nobody asked for another read-ahead: it is written again.
        for (const char *limit : {"queue/max_sectors_kb", "queue/rotational", "queue/iostats",
                                  "queue/add_random", "queue/discard_max_bytes"})
            QCOMPARE(sideEffectsOf(machine, {item(limit, true, 1, 0)}), Names{"queue/read_ahead_kb!"});
        QCOMPARE(sideEffectsOf(machine, {item("queue/rotational", true, 1, 0),
                                         item("queue/read_ahead_kb", true, 128, 256)}),
                 Names{});
        QCOMPARE(sideEffectsOf(machine, {item("bdi/max_ratio", true, 100, 50)}), Names{"bdi/max_ratio_fine"});
        QCOMPARE(sideEffectsOf(machine, {item("queue/nomerges", true, 0, 2)}), Names{});
    }

    void aDisturbedReadAheadIsWrittenAgain()
    {
        Machine machine;
        machine.write("sys/block/sda/queue/rotational", "1\n");
        machine.write("sys/block/sda/queue/read_ahead_kb", "4096\n");
        Journal journal =
            journalOf({item("queue/rotational", true, 1, 0), item("queue/read_ahead_kb", false, 4096, 4096)});
        machine.write("sys/block/sda/queue/read_ahead_kb", "128\n");
        const Targets targets(*machine.root, journal);
        QVERIFY(carryOut(targets, journal, -1));
        QVERIFY(recordAfter(targets, journal));
        QCOMPARE(machine.read("sys/block/sda/queue/rotational"), "0");
        QCOMPARE(machine.read("sys/block/sda/queue/read_ahead_kb"), "4096");
        QVERIFY(isDisturbed(journal, journal.items[1]));
        QVERIFY(!isDisturbed(journal, journal.items[0]));
    }

    // 12.5 % shows as 12: writing that back would lose the half.
    void theExactNumberIsPutBack()
    {
        Machine machine;
        machine.write("sys/block/sda/bdi/max_ratio", "12\n");
        machine.write("sys/block/sda/bdi/max_ratio_fine", "125000\n");
        Journal journal =
            journalOf({item("bdi/max_ratio", true, 12, 50), item("bdi/max_ratio_fine", false, 125000, {})});
        const Targets targets(*machine.root, journal);
        QVERIFY(carryOut(targets, journal, -1));
        QCOMPARE(machine.read("sys/block/sda/bdi/max_ratio"), "50");
        machine.write("sys/block/sda/bdi/max_ratio_fine", "500000\n");
        QVERIFY(recordAfter(targets, journal));
        QCOMPARE(&storedBehind(journal, journal.items[0]), &journal.items[1]);
        QVERIFY(isAsLeft(targets, journal, journal.items[0]).value());
        QVERIFY(!markForeign(targets, journal));
        QVERIFY(putBack(targets, journal));
        QCOMPARE(machine.read("sys/block/sda/bdi/max_ratio_fine"), "125000");
        QCOMPARE(machine.read("sys/block/sda/bdi/max_ratio"), "50");
        QCOMPARE(journal.items[0].result, StepResult::RolledBack);
    }

    // What drifts is judged by the number behind it.
    void bytesThatDriftAreNoForeignChange()
    {
        Machine machine;
        machine.write("sys/block/sda/bdi/max_bytes", "67100672\n");
        machine.write("sys/block/sda/bdi/max_ratio_fine", "80000\n");
        Journal journal = journalOf({item("bdi/max_bytes", true, 838860800, 67108864),
                                     item("bdi/max_ratio_fine", false, 1000000, {})});
        const Targets targets(*machine.root, journal);
        QVERIFY(recordAfter(targets, journal));
        QVERIFY(journal.items[0].result != StepResult::Adjusted);
        machine.write("sys/block/sda/bdi/max_bytes", "33554432\n");
        QVERIFY(recordAfter(targets, journal));
        QCOMPARE(journal.items[0].result, StepResult::Adjusted);
        machine.write("sys/block/sda/bdi/max_bytes", "66000000\n");
        QVERIFY(isAsLeft(targets, journal, journal.items[0]).value());
        QVERIFY(!markForeign(targets, journal));
        machine.write("sys/block/sda/bdi/max_ratio_fine", "90000\n");
        QVERIFY(!isAsLeft(targets, journal, journal.items[0]).value());
        QVERIFY(markForeign(targets, journal));
        QCOMPARE(journal.items[0].result, StepResult::Stale);
        QCOMPARE(journal.items[1].result, StepResult::Stale);
    }

    // Kernels before 6.2 have the rounded number only.
    void withoutTheExactNumberTheRoundedOneIsPutBack()
    {
        Machine machine;
        machine.write("sys/block/sda/bdi/max_ratio", "100\n");
        Journal journal = journalOf({item("bdi/max_ratio", true, 100, 50)});
        const Targets targets(*machine.root, journal);
        QVERIFY(carryOut(targets, journal, -1));
        QCOMPARE(&storedBehind(journal, journal.items[0]), &journal.items[0]);
        QVERIFY(putBack(targets, journal));
        QCOMPARE(machine.read("sys/block/sda/bdi/max_ratio"), "100");
    }
};

QTEST_APPLESS_MAIN(TestTransaction)

#include "tst_transaction.moc"
