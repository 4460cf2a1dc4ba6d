// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plan/changeset.h"

#include <QSignalSpy>
#include <QTest>

using namespace diskwright;

namespace {

Address readAhead(const char *disk = "sda")
{
    return {Domain::Queue, disk, "read_ahead_kb"};
}

} // namespace

class ChangeSetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stagesAndReplaces();
    void goingBackRemovesTheEdit();
    void pairTakesTheOthersPlace();
    void takesBackOneByOne();
    void refusesWithReason_data();
    void refusesWithReason();
    void refreshDropsWhatIsSo();
    void refreshReachesWhatUndoBringsBack();
    void findsByTarget();
    void followsARenamedDisk();
    void signalsOnlyChanges();
};

void ChangeSetTest::stagesAndReplaces()
{
    ChangeSet set;
    QVERIFY(set.stage(readAhead(), number(128), number(256)));
    QVERIFY(set.stage(readAhead(), number(128), number(512)));
    QCOMPARE(set.count(), 1U);
    QCOMPARE(toText(set.find(readAhead())->wanted), "512");
    QCOMPARE(set.find(readAhead())->spec->id, "queue/read_ahead_kb");
}

void ChangeSetTest::goingBackRemovesTheEdit()
{
    ChangeSet set;
    QVERIFY(set.stage(readAhead(), number(130), number(256)));
    // 130 is not on the grid, but it is what the kernel holds.
    QVERIFY(set.stage(readAhead(), number(130), number(130)));
    QVERIFY(set.isEmpty());
    QVERIFY(set.undoLast());
    QCOMPARE(set.count(), 1U);
}

void ChangeSetTest::pairTakesTheOthersPlace()
{
    ChangeSet set;
    const Address ratio{Domain::Vm, "", "dirty_ratio"};
    const Address bytes{Domain::Vm, "", "dirty_bytes"};
    QVERIFY(set.stage(ratio, number(20), number(10)));
    QVERIFY(set.stage(bytes, number(0), number(67108864)));
    QCOMPARE(set.count(), 1U);
    QVERIFY(!set.find(ratio));
    QVERIFY(set.find(bytes));
}

void ChangeSetTest::takesBackOneByOne()
{
    ChangeSet set;
    QVERIFY(!set.undoLast());
    QVERIFY(set.stage(readAhead(), number(128), number(256)));
    QVERIFY(set.stage(readAhead("sdb"), number(128), number(0)));
    QVERIFY(set.unstage(readAhead()));
    QVERIFY(!set.unstage(readAhead()));
    set.clear();
    QVERIFY(set.undoLast());
    QCOMPARE(set.count(), 1U);
    QVERIFY(set.undoLast());
    QCOMPARE(set.count(), 2U);
    QVERIFY(set.undoLast());
    QCOMPARE(set.count(), 1U);
    QVERIFY(set.find(readAhead()));
    QVERIFY(set.undoLast());
    QVERIFY(!set.canUndo());
    QVERIFY(set.isEmpty());
}

void ChangeSetTest::refusesWithReason_data()
{
    QTest::addColumn<int>("domain");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<int>("code");
    const auto row = [](const char *tag, Domain domain, const char *key, const char *wanted, Errc code) {
        QTest::newRow(tag) << static_cast<int>(domain) << QString::fromLatin1(key)
                           << QString::fromLatin1(wanted) << static_cast<int>(code);
    };
    row("unknown key", Domain::Queue, "nosuch", "1", Errc::UnknownSetting);
    row("not settable", Domain::Queue, "write_cache", "1", Errc::UnknownSetting);
    row("too much", Domain::Queue, "read_ahead_kb", "32772", Errc::OutOfRange);
    row("not on the grid", Domain::Queue, "read_ahead_kb", "3", Errc::NotAMultiple);
    row("negative", Domain::Queue, "nr_requests", "-1", Errc::OutOfRange);
    row("unknown word", Domain::Queue, "scheduler", "cfq", Errc::OutOfRange);
    row("word for a number", Domain::Queue, "nr_requests", "many", Errc::Malformed);
}

void ChangeSetTest::refusesWithReason()
{
    QFETCH(int, domain);
    QFETCH(QString, key);
    QFETCH(QString, wanted);
    QFETCH(int, code);
    ChangeSet set;
    const Address address{static_cast<Domain>(domain), "sda", key.toStdString()};
    bool isNumber = false;
    const qint64 integer = wanted.toLongLong(&isNumber);
    const auto staged =
        set.stage(address, std::nullopt, isNumber ? number(integer) : word(wanted.toStdString()));
    QVERIFY(!staged);
    QCOMPARE(static_cast<int>(staged.error().code), code);
    QVERIFY(staged.error().input.contains(key.toStdString()));
    QVERIFY(!staged.error().reason.empty());
    QVERIFY(set.isEmpty());
    QVERIFY(!set.canUndo());
}

void ChangeSetTest::refreshDropsWhatIsSo()
{
    ChangeSet set;
    QVERIFY(set.stage(readAhead(), number(128), number(256)));
    QVERIFY(!set.refresh(readAhead(), number(128)));
    QVERIFY(set.refresh(readAhead(), number(64)));
    QVERIFY(set.find(readAhead())->current == number(64));
    QVERIFY(set.refresh(readAhead(), number(256)));
    QVERIFY(set.isEmpty());
}

void ChangeSetTest::refreshReachesWhatUndoBringsBack()
{
    ChangeSet set;
    QVERIFY(set.stage(readAhead(), number(128), number(256)));
    set.clear();
    set.refresh(readAhead(), number(64));
    QVERIFY(set.undoLast());
    QVERIFY(set.find(readAhead())->current == number(64));
}

void ChangeSetTest::findsByTarget()
{
    ChangeSet set;
    QVERIFY(set.stage(readAhead("sdb"), number(128), number(256)));
    QVERIFY(set.stage({Domain::Vm, "", "dirty_ratio"}, number(20), number(10)));
    QVERIFY(set.stage({Domain::Queue, "sdb", "nr_requests"}, number(64), number(128)));
    QCOMPARE(set.forTarget("sdb").size(), 2U);
    QCOMPARE(set.forTarget("").size(), 1U);
    QCOMPARE(set.forTarget("sda").size(), 0U);
    QCOMPARE(set.targets(), (std::vector<std::string>{"sdb", ""}));
}

void ChangeSetTest::followsARenamedDisk()
{
    ChangeSet set;
    QVERIFY(set.stage(readAhead("sdb"), number(128), number(256)));
    QVERIFY(set.stage({Domain::Vm, "", "dirty_ratio"}, number(20), number(10)));
    QVERIFY(set.unstage(readAhead("sdb")));
    QVERIFY(!set.retarget("sdb", "sdc"));
    QVERIFY(set.undoLast());
    QCOMPARE(set.targets(), (std::vector<std::string>{"sdc", ""}));
    QVERIFY(!set.retarget("", "sdd"));
}

void ChangeSetTest::signalsOnlyChanges()
{
    StagedChanges changes;
    QSignalSpy spy(&changes, &StagedChanges::changed);
    changes.clear();
    changes.undoLast();
    changes.unstage(readAhead());
    QVERIFY(changes.stage(readAhead(), number(128), number(128)));
    QVERIFY(!changes.stage(readAhead(), number(128), number(1)));
    QCOMPARE(spy.count(), 0);
    QVERIFY(changes.stage(readAhead(), number(128), number(256)));
    QCOMPARE(spy.count(), 1);
    changes.undoLast();
    QCOMPARE(spy.count(), 2);
    QVERIFY(changes.set().isEmpty());
}

QTEST_APPLESS_MAIN(ChangeSetTest)
#include "tst_changeset.moc"
