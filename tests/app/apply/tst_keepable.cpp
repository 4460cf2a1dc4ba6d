// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/keepable.h"

#include <QTest>

using namespace diskwright;

namespace {

const Address readAhead{Domain::Queue, "sdb", "read_ahead_kb"};
const Address limit{Domain::Bdi, "sdb", "max_bytes"};
constexpr const char *thisBoot = "0123456789abcdef0123456789abcdef";
constexpr const char *idA = "00000000000000000000000000000001";
constexpr const char *idB = "00000000000000000000000000000002";

/// A plan that keeps \p address as it is, seen as \p now.
struct AsIs {
    AsIs(const Address &address, std::int64_t now)
    {
        snapshot.add(PlanDisk{{"sdb", 8, 16, 1, 1000}, "wwn-0x1", "stick"});
        snapshot.add(PlanSetting{address, number(now), {}, {}});
        snapshot.add(PlanSetting{{Domain::Bdi, "sdb", "max_ratio_fine"}, number(20000), {}, {}});
        ChangeSet set;
        if (!set.request(address, number(now), number(now)))
            qFatal("the value is not accepted");
        auto made = makePlan(set, snapshot, NoOps::Include);
        if (!made)
            qFatal("%s: %s", toText(address).c_str(), made.error().reason.c_str());
        plan = std::move(*made);
    }
    [[nodiscard]] std::optional<KeepOrigin> origin(const History &history) const
    {
        return originOf(plan, snapshot, history, thisBoot);
    }
    PlanSnapshot snapshot;
    Plan plan;
};

HistoryEntry change(const char *id, const Address &address, std::int64_t requested, std::int64_t after,
                    Outcome outcome = Outcome::Applied)
{
    HistoryEntry entry;
    entry.transaction = id;
    entry.bootId = thisBoot;
    entry.outcome = outcome;
    entry.steps.push_back({address, "wwn-0x1", number(1), number(requested), number(after),
                           outcome == Outcome::Adjusted ? StepResult::Adjusted : StepResult::Applied});
    return entry;
}

} // namespace

class KeepableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheChangeThatIsInForce()
    {
        const AsIs asked(readAhead, 512);
        const History history{{change(idB, readAhead, 1024, 1024), change(idA, readAhead, 512, 512)}, {}};
        const auto origin = asked.origin(history);
        QVERIFY(origin && origin->isCertain);
        QCOMPARE(toHex(origin->transaction), idA);
        QCOMPARE(origin->items, std::vector<std::uint16_t>{0});
        QVERIFY(!asked.origin({{change(idA, readAhead, 512, 512, Outcome::RolledBack)}, {}}));
        HistoryEntry earlier = change(idA, readAhead, 512, 512);
        earlier.bootId = "ffffffffffffffffffffffffffffffff";
        QVERIFY(!asked.origin({{earlier}, {}}));
        HistoryEntry other = change(idA, readAhead, 512, 512);
        other.steps[0].diskId = "wwn-0x2";
        QVERIFY(!asked.origin({{other}, {}}));
    }
    /// What is kept of a limit is what was asked for, not what it reads as at the moment.
    void aLimitThatDriftsIsStillTheOneThatWasSet()
    {
        const History history{{change(idA, limit, 67'108'864, 67'100'672)}, {}};
        const auto near = AsIs(limit, 67'198'976).origin(history);
        QVERIFY(near && near->isCertain);
        const auto far = AsIs(limit, 75'001'856).origin(history);
        QVERIFY(far && !far->isCertain);
        QCOMPARE(toHex(far->transaction), idA);
        // The newest one that was not undone.
        History undone = history;
        undone.entries.insert(undone.entries.begin(), change(idB, limit, 90'001'408, 90'001'408));
        QCOMPARE(toHex(AsIs(limit, 75'001'856).origin(undone)->transaction), idB);
        undone.entries[0].reason = "already undone";
        QVERIFY(undone.entries[0].isUndone());
        QCOMPARE(toHex(AsIs(limit, 75'001'856).origin(undone)->transaction), idA);
    }
    void thePlanKnowsTheNumberBehindALimit()
    {
        QVERIFY(AsIs(limit, 30'003'200).plan.steps[0].exactBefore == number(20000));
        QVERIFY(!AsIs(readAhead, 512).plan.steps[0].exactBefore);
    }
};

QTEST_APPLESS_MAIN(KeepableTest)
#include "tst_keepable.moc"
