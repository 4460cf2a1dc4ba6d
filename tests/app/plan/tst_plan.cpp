// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plan/plan.h"

#include <QTest>

#include <algorithm>

using namespace diskwright;

namespace {

Address queue(const char *disk, const char *key)
{
    return {Domain::Queue, disk, key};
}

Address vm(const char *key)
{
    return {Domain::Vm, "", key};
}

PlanSnapshot machine()
{
    PlanSnapshot snapshot;
    snapshot.add(PlanDisk{{"sda", 8, 0, 1, 1000}, "wwn-0x5002538e40a1b2c3", "870 EVO", true});
    snapshot.add(PlanDisk{{"sdb", 8, 16, 2, 2000}, "ata-WD", "WD Blue", false});
    for (const char *disk : {"sda", "sdb"}) {
        snapshot.add(PlanSetting{
            queue(disk, "scheduler"), word("mq-deadline"), {"none", "mq-deadline", "bfq"}, std::nullopt});
        snapshot.add(PlanSetting{queue(disk, "nr_requests"), number(64), {}, std::nullopt});
        snapshot.add(PlanSetting{queue(disk, "read_ahead_kb"), number(128), {}, std::nullopt});
        snapshot.add(
            PlanSetting{{Domain::IoSched, disk, "mq-deadline/read_expire"}, number(500), {}, std::nullopt});
    }
    snapshot.add(PlanSetting{vm("dirty_ratio"), number(20), {}, std::nullopt});
    snapshot.add(PlanSetting{vm("dirty_background_ratio"), number(10), {}, std::nullopt});
    snapshot.add(PlanSetting{vm("dirty_bytes"), number(0), {}, std::nullopt});
    snapshot.add(PlanSetting{vm("dirty_background_bytes"), number(0), {}, std::nullopt});
    return snapshot;
}

struct Edit {
    Address address;
    Value wanted;
};

ChangeSet staged(const std::vector<Edit> &edits)
{
    ChangeSet set;
    for (const Edit &edit : edits) {
        // An unknown current value: also edits that turn out to be no-ops are in the set.
        const auto done = set.stage(edit.address, std::nullopt, edit.wanted);
        Q_ASSERT(done.has_value());
    }
    return set;
}

std::vector<std::string> keys(const Plan &plan)
{
    std::vector<std::string> found;
    for (const PlanStep &step : plan.steps)
        found.push_back(toText(step.address));
    return found;
}

bool has(const PlanStep &step, CautionKind kind)
{
    return std::ranges::any_of(step.cautions, [&](const Caution &caution) { return caution.kind == kind; });
}

} // namespace

class PlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void orders();
    void dropsNoOps();
    void keepsEqualValuesBehindASwitch();
    void warnsOfResets();
    void systemDiskIsATrial();
    void ioschedFollowsTheScheduler();
    void refuses_data();
    void refuses();
    void dirtyPairs();
    void rangeOfTheDevice();
    void oneNumberUnderTwoNames();
    void limitsComeBeforeReadAhead();
    void carriesIdentityAndBefore();
    void commands();
    void quotesOddNames();
};

void PlanTest::orders()
{
    const auto plan = makePlan(staged({{vm("dirty_bytes"), number(67108864)},
                                       {queue("sdb", "read_ahead_kb"), number(4096)},
                                       {queue("sdb", "nr_requests"), number(256)},
                                       {queue("sdb", "scheduler"), word("bfq")},
                                       {queue("sda", "read_ahead_kb"), number(512)}}),
                               machine());
    QVERIFY(plan);
    QCOMPARE(keys(*plan), (std::vector<std::string>{"queue:sdb:scheduler", "queue:sdb:nr_requests",
                                                    "queue:sdb:read_ahead_kb", "queue:sda:read_ahead_kb",
                                                    "vm::dirty_bytes"}));
    QVERIFY(plan->action == ActionClass::Tune);
    QVERIFY(!plan->severalClasses);
    QVERIFY(!plan->mustBeTrial);
}

void PlanTest::dropsNoOps()
{
    const auto plan = makePlan(staged({{queue("sda", "read_ahead_kb"), number(128)},
                                       {queue("sda", "scheduler"), word("mq-deadline")},
                                       {queue("sda", "nr_requests"), number(64)}}),
                               machine());
    QVERIFY(plan);
    QVERIFY(plan->isEmpty());
    QVERIFY(!plan->mustBeTrial);
    QVERIFY(plan->devices.empty());
}

void PlanTest::keepsEqualValuesBehindASwitch()
{
    const auto plan = makePlan(
        staged({{queue("sdb", "nr_requests"), number(64)}, {queue("sdb", "scheduler"), word("bfq")}}),
        machine());
    QVERIFY(plan);
    QCOMPARE(plan->steps.size(), 2U);
    QVERIFY(has(plan->steps[1], CautionKind::AfterReset));
}

void PlanTest::warnsOfResets()
{
    const auto plan = makePlan(
        staged({{queue("sdb", "scheduler"), word("bfq")}, {vm("dirty_bytes"), number(67108864)}}), machine());
    QVERIFY(plan);
    const auto &caution = plan->steps[0].cautions.front();
    QVERIFY(caution.kind == CautionKind::ResetsOthers);
    QCOMPARE(caution.others.size(), 2U);
    QVERIFY(has(plan->steps[1], CautionKind::ResetsPair));
    QCOMPARE(toText(plan->steps[1].cautions.front().others.front()), "vm::dirty_ratio");
}

void PlanTest::systemDiskIsATrial()
{
    const auto plan = makePlan(staged({{queue("sda", "scheduler"), word("none")}}), machine());
    QVERIFY(plan);
    QVERIFY(plan->mustBeTrial);
    QVERIFY(has(plan->steps[0], CautionKind::MustBeTrial));
    const auto harmless = makePlan(staged({{queue("sda", "read_ahead_kb"), number(256)}}), machine());
    QVERIFY(harmless);
    QVERIFY(!harmless->mustBeTrial);
}

void PlanTest::ioschedFollowsTheScheduler()
{
    const Address expire{Domain::IoSched, "sdb", "mq-deadline/read_expire"};
    const auto alone = makePlan(staged({{expire, number(222)}}), machine());
    QVERIFY(alone);
    QVERIFY(has(alone->steps[0], CautionKind::MayBeAdjusted));

    const auto away =
        makePlan(staged({{expire, number(222)}, {queue("sdb", "scheduler"), word("bfq")}}), machine());
    QVERIFY(!away);
    QVERIFY(away.error().code == Errc::Absent);
    QVERIFY(away.error().input.contains("read_expire=222"));

    PlanSnapshot none = machine();
    none.add(PlanSetting{queue("sdb", "scheduler"), word("none"), {"none", "mq-deadline"}, std::nullopt});
    none.add(PlanSetting{expire, std::nullopt, {}, Errc::Absent});
    QVERIFY(!makePlan(staged({{expire, number(222)}}), none));
    const auto towards =
        makePlan(staged({{expire, number(222)}, {queue("sdb", "scheduler"), word("mq-deadline")}}), none);
    QVERIFY(towards);
    QCOMPARE(towards->steps.size(), 2U);
    QVERIFY(!towards->steps[1].before);
}

void PlanTest::refuses_data()
{
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("value");
    QTest::addColumn<int>("code");
    const auto row = [](const char *tag, const char *setting, const char *value, Errc code) {
        QTest::newRow(tag) << QString::fromLatin1(setting) << QString::fromLatin1(value)
                           << static_cast<int>(code);
    };
    row("no such disk", "queue:sdz:read_ahead_kb", "256", Errc::UnknownTarget);
    row("not offered", "queue:sda:scheduler", "kyber", Errc::NotOffered);
    row("read-only", "queue:sdc:nr_requests", "128", Errc::ReadOnly);
    row("absent", "queue:sdc:read_ahead_kb", "128", Errc::Absent);
    row("background above", "vm::dirty_background_ratio", "20", Errc::Conflict);
    row("dirty below background", "vm::dirty_ratio", "5", Errc::Conflict);
}

void PlanTest::refuses()
{
    QFETCH(QString, setting);
    QFETCH(QString, value);
    QFETCH(int, code);
    PlanSnapshot snapshot = machine();
    snapshot.add(PlanDisk{{"sdc", 8, 32, 3, 3000}, "", "sdc", false});
    snapshot.add(PlanSetting{queue("sdc", "nr_requests"), number(64), {}, Errc::ReadOnly});
    const auto address = parseAddress(setting.toStdString());
    QVERIFY(address);
    bool isNumber = false;
    const qint64 integer = value.toLongLong(&isNumber);
    const auto plan =
        makePlan(staged({{*address, isNumber ? number(integer) : word(value.toStdString())}}), snapshot);
    QVERIFY(!plan);
    QCOMPARE(static_cast<int>(plan.error().code), code);
    QCOMPARE(plan.error().input, setting.toStdString() + '=' + value.toStdString());
    QVERIFY(!plan.error().reason.empty());
}

void PlanTest::dirtyPairs()
{
    // Both limits go to bytes: compared as bytes, although the kernel still has percentages.
    const auto both =
        staged({{vm("dirty_bytes"), number(67108864)}, {vm("dirty_background_bytes"), number(134217728)}});
    const auto refused = makePlan(both, machine());
    QVERIFY(!refused);
    QVERIFY(refused.error().code == Errc::Conflict);
    QVERIFY(refused.error().reason.contains("67108864"));

    const auto good = makePlan(
        staged({{vm("dirty_bytes"), number(134217728)}, {vm("dirty_background_bytes"), number(67108864)}}),
        machine());
    QVERIFY(good);

    // Percent against bytes depends on free memory and is left to the kernel, which copes.
    QVERIFY(makePlan(staged({{vm("dirty_bytes"), number(67108864)}}), machine()));

    // Back from bytes to percent: the byte limit no longer counts.
    PlanSnapshot inBytes = machine();
    inBytes.add(PlanSetting{vm("dirty_bytes"), number(67108864), {}, std::nullopt});
    inBytes.add(PlanSetting{vm("dirty_ratio"), number(0), {}, std::nullopt});
    QVERIFY(makePlan(staged({{vm("dirty_ratio"), number(20)}}), inBytes));
    QVERIFY(!makePlan(staged({{vm("dirty_ratio"), number(10)}}), inBytes));
}

// Without a scheduler requests are the driver's own; what they may be under another one shows when it is
// there.
void PlanTest::rangeOfTheDevice()
{
    PlanSnapshot snapshot = machine();
    snapshot.add(PlanSetting{queue("sdb", "scheduler"), word("none"), {"none", "bfq"}, std::nullopt});
    snapshot.add(
        PlanSetting{queue("sdb", "nr_requests"), number(32), {}, std::nullopt, Range{.min = 4, .max = 32}});
    const Edit more{queue("sdb", "nr_requests"), number(64)};
    const auto refused = makePlan(staged({more}), snapshot);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Errc::OutOfRange);
    QCOMPARE(refused.error().accepted, "4 to 32");
    QVERIFY(makePlan(staged({more, {queue("sdb", "scheduler"), word("bfq")}}), snapshot));
}

void PlanTest::oneNumberUnderTwoNames()
{
    PlanSnapshot snapshot = machine();
    const Address ratio{Domain::Bdi, "sdb", "max_ratio"};
    const Address bytes{Domain::Bdi, "sdb", "max_bytes"};
    snapshot.add(PlanSetting{ratio, number(100), {}, std::nullopt});
    snapshot.add(PlanSetting{bytes, number(800000000), {}, std::nullopt});
    ChangeSet set;
    QVERIFY(set.request(ratio, number(100), number(50)));
    QCOMPARE(set.request(bytes, number(800000000), number(67108864)).error().code, Errc::Conflict);
    // Staged one after the other, as in a window, the later one takes the place of the earlier.
    const auto plan = makePlan(staged({{ratio, number(50)}, {bytes, number(67108864)}}), snapshot);
    QVERIFY(plan);
    QCOMPARE(keys(*plan), std::vector<std::string>{"bdi:sdb:max_bytes"});
    QVERIFY(has(plan->steps[0], CautionKind::MayBeAdjusted));
    QCOMPARE(plan->steps[0].command, "echo 67108864 | sudo tee /sys/block/sdb/bdi/max_bytes");
}

void PlanTest::limitsComeBeforeReadAhead()
{
    PlanSnapshot snapshot = machine();
    for (const char *key : {"max_sectors_kb", "iostats", "rotational", "nomerges", "async_depth"})
        snapshot.add(PlanSetting{queue("sdb", key), number(1), {}, std::nullopt});
    const auto plan = makePlan(staged({{queue("sdb", "nomerges"), number(0)},
                                       {queue("sdb", "read_ahead_kb"), number(256)},
                                       {queue("sdb", "iostats"), number(0)},
                                       {queue("sdb", "rotational"), number(0)},
                                       {queue("sdb", "max_sectors_kb"), number(256)},
                                       {queue("sdb", "nr_requests"), number(32)}}),
                               snapshot);
    QVERIFY(plan);
    QCOMPARE(keys(*plan), (std::vector<std::string>{"queue:sdb:nr_requests", "queue:sdb:max_sectors_kb",
                                                    "queue:sdb:rotational", "queue:sdb:iostats",
                                                    "queue:sdb:read_ahead_kb", "queue:sdb:nomerges"}));
    QCOMPARE(plan->steps[0].cautions.front().others, std::vector<Address>{queue("sdb", "async_depth")});
    QVERIFY(has(plan->steps[2], CautionKind::RowRisk));
}

void PlanTest::carriesIdentityAndBefore()
{
    const auto plan = makePlan(staged({{queue("sda", "read_ahead_kb"), number(512)},
                                       {queue("sda", "nr_requests"), number(32)},
                                       {queue("sdb", "read_ahead_kb"), number(512)},
                                       {vm("dirty_ratio"), number(30)}}),
                               machine());
    QVERIFY(plan);
    QCOMPARE(plan->devices.size(), 2U);
    QCOMPARE(plan->devices[0].name, "sda");
    QCOMPARE(plan->steps[0].device.value(), 0);
    QCOMPARE(plan->steps[2].device.value(), 1);
    QVERIFY(!plan->steps[3].device);
    QVERIFY(plan->steps[0].before == number(64));
    QCOMPARE(plan->steps[0].displayName, "870 EVO");
    QCOMPARE(plan->steps[0].diskId, "wwn-0x5002538e40a1b2c3");
    QVERIFY(plan->steps[3].displayName.empty());
}

void PlanTest::commands()
{
    const auto plan = makePlan(staged({{queue("sdb", "scheduler"), word("mq-deadline")},
                                       {queue("sdb", "read_ahead_kb"), number(4096)},
                                       {{Domain::IoSched, "sdb", "mq-deadline/read_expire"}, number(222)},
                                       {vm("dirty_bytes"), number(268435456)}}),
                               machine());
    QVERIFY(plan);
    QCOMPARE(equivalentCommands(*plan), (std::vector<std::string>{
                                            "echo 222 | sudo tee /sys/block/sdb/queue/iosched/read_expire",
                                            "echo 4096 | sudo tee /sys/block/sdb/queue/read_ahead_kb",
                                            "sudo sysctl -w vm.dirty_bytes=268435456",
                                        }));
}

void PlanTest::quotesOddNames()
{
    const SettingSpec *spec = findSetting("queue/read_ahead_kb");
    QCOMPARE(equivalentCommand(queue("cciss!c0d0", "read_ahead_kb"), *spec, number(8)),
             "echo 8 | sudo tee '/sys/block/cciss!c0d0/queue/read_ahead_kb'");
}

QTEST_APPLESS_MAIN(PlanTest)
#include "tst_plan.moc"
