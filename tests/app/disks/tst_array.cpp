// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/array.h"
#include "tests/helper/access/faketree.h"

#include <QTest>

using namespace diskwright;

namespace {

ArrayState stateOf(const FakeTree &tree)
{
    return readArray(tree.root().blockDevice("md0").value());
}

} // namespace

class TestArray : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aHealthyArrayHasNothingToSay()
    {
        const FakeTree tree;
        tree.disk("md0", "9:0",
                  {{"md/array_state", "clean\n"},
                   {"md/degraded", "0\n"},
                   {"md/sync_action", "check\n"},
                   {"md/dev-sda1/state", "in_sync,write_mostly\n"},
                   {"md/dev-sda1/slot", "0\n"}});
        QVERIFY(stateOf(tree).notes.empty());
        QVERIFY(stateOf(tree).members.empty());
    }
    void tellsFailedSpareAndRebuilding()
    {
        const FakeTree tree;
        tree.disk("md0", "9:0",
                  {{"md/array_state", "active\n"},
                   {"md/degraded", "1\n"},
                   {"md/sync_action", "recover\n"},
                   {"md/dev-sda1/state", "faulty,write_error\n"},
                   {"md/dev-sda1/slot", "none\n"},
                   {"md/dev-sdb1/state", "in_sync\n"},
                   {"md/dev-sdc1/state", "spare\n"},
                   {"md/dev-sdc1/slot", "0\n"},
                   {"md/dev-sdd1/state", "spare\n"},
                   {"md/dev-sdd1/slot", "none\n"}});
        const ArrayState state = stateOf(tree);
        QCOMPARE(state.notes, (std::vector<std::string_view>{"degraded", "rebuilding"}));
        QCOMPARE(state.members.size(), 3u);
        QCOMPARE(state.members[0].name, std::string("sda1"));
        QCOMPARE(state.members[0].note, std::string_view("failed-member"));
        QCOMPARE(state.members[1].note, std::string_view("rebuilding-member"));
        QCOMPARE(state.members[2].note, std::string_view("spare-member"));
    }
    void anArrayThatIsNotRunning()
    {
        const FakeTree tree;
        tree.disk("md0", "9:0", {{"md/array_state", "inactive\n"}});
        QCOMPARE(stateOf(tree).notes, std::vector<std::string_view>{"inactive"});
    }
    void whatCantBeReadSaysNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("negative") << QByteArray("-1\n");
        QTest::newRow("words") << QByteArray("not faulty at all\n");
        QTest::newRow("binary") << QByteArray("\0\xff,\n", 4);
        QTest::newRow("huge") << QByteArray(1 << 20, '1');
    }
    void whatCantBeReadSaysNothing()
    {
        QFETCH(QByteArray, text);
        const std::string value = text.toStdString();
        const FakeTree tree;
        tree.disk("md0", "9:0",
                  {{"md/array_state", value},
                   {"md/degraded", value},
                   {"md/sync_action", value},
                   {"md/dev-sda1/state", value},
                   {"md/dev-sda1/slot", value},
                   {"md/dev-Bad name/state", "faulty\n"},
                   {"md/dev-/state", "faulty\n"}});
        QVERIFY(stateOf(tree).notes.empty());
        QVERIFY(stateOf(tree).members.empty());
    }
    void noArrayAtAll()
    {
        const FakeTree tree;
        tree.disk("md0", "9:0", {{"md", "a file\n"}});
        QVERIFY(stateOf(tree).notes.empty());
    }
};

QTEST_APPLESS_MAIN(TestArray)
#include "tst_array.moc"
