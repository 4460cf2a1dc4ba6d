// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "runline.h"

#include "tests/helper/access/faketree.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QTest>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

using Outcome = test::LineOutcome;

Outcome run(const std::vector<std::string> &arguments, const FakeTree *tree = nullptr)
{
    return test::runLine(arguments, tree ? tree->path().string() : std::string());
}

/// sda holds the system, sdb does not; history, boot set and start status of an earlier boot.
const FakeTree &machine()
{
    static const FakeTree tree;
    static const bool made = [] {
        for (const auto &[name, number] : {std::pair("sda", "8:0"), std::pair("sdb", "8:16")})
            tree.disk(name, number,
                      {{"queue/scheduler", "none [mq-deadline]\n"},
                       {"queue/iosched/read_expire", "500\n"},
                       {"queue/read_ahead_kb", "128\n"},
                       {"queue/nr_requests", "64\n"}});
        tree.partition("sda", "sda1", "8:1");
        tree.file("proc/self/mountinfo", "30 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n");
        tree.file("run/udev/data/b8:0", "S:disk/by-id/ata-A:B_1\n");
        tree.file("proc/sys/vm/dirty_ratio", "20\n");
        tree.file("proc/sys/vm/dirty_background_ratio", "10\n");
        tree.file("proc/sys/vm/dirty_bytes", "0\n");
        tree.file("proc/sys/vm/dirty_background_bytes", "0\n");
        tree.file("proc/sys/kernel/random/boot_id", "01234567-89ab-cdef-0123-456789abcdef\n");
        tree.file(
            "var/lib/diskwright/history/00000000000000000000000000000001.json",
            R"({"transaction":"00000000000000000000000000000001","time":1700000000,"boot_id":"x","uid":1000,)"
            R"("outcome":"applied","lease":false,"kept":false,"undoable":true,"reason":"","steps":[)"
            R"({"setting":"queue:sda:scheduler","id":"ata-A:B_1","before":"none","requested":"bfq",)"
            R"("after":"bfq","result":"applied","errno":0,"message":""}]})");
        tree.file("var/lib/diskwright/history/evil", "x");
        tree.file(
            "etc/diskwright/boot-set.json",
            R"({"version":1,"items":[{"setting":"vm/dirty_background_ratio","machine":true,"value":10,)"
            R"("origin":"","kept_at":1},{"setting":"vm/dirty_ratio","machine":true,"value":10,"origin":"",)"
            R"("kept_at":1}]})");
        return true;
    }();
    Q_UNUSED(made)
    return tree;
}

/// sda holds the system; sdb and sdc are sticks, sdd a hard disk; something is kept for sticks.
const FakeTree &sticks()
{
    static const FakeTree tree;
    static const bool made = [] {
        const auto add = [](const char *name, int minor, const char *udev, const char *removable) {
            const std::string disk(name);
            tree.disk(disk, "8:" + std::to_string(minor),
                      {{"queue/scheduler", "none [mq-deadline]\n"},
                       {"queue/read_ahead_kb", "512\n"},
                       {"queue/rotational", "1\n"},
                       {"bdi/max_bytes", "30000000\n"},
                       {"bdi/max_ratio_fine", "20000\n"},
                       {"removable", removable},
                       {"diskseq", std::to_string(minor + 1) + "\n"}});
            tree.file("run/udev/data/b8:" + std::to_string(minor), udev);
        };
        add("sda", 0, "E:ID_BUS=ata\n", "0\n");
        add("sdb", 16, "E:ID_BUS=usb\n", "1\n");
        add("sdc", 32, "S:disk/by-id/usb-OWN\nE:ID_SERIAL=OWN\nE:ID_BUS=usb\n", "1\n");
        add("sdd", 48, "E:ID_BUS=ata\n", "0\n");
        tree.partition("sda", "sda1", "8:1");
        tree.file("proc/self/mountinfo", "30 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n");
        tree.file("proc/sys/vm/dirty_bytes", "0\n");
        tree.file("proc/sys/vm/dirty_ratio", "20\n");
        tree.link("dev/disk/by-id/usb-OWN", "../../sdc");
        tree.file("run/diskwright/limits/17", "67108864 20000 0 20\n");
        const std::string tail = R"(,"origin":"","kept_at":1,"original":{"setting":"x","value":1}})";
        tree.file(
            "etc/diskwright/boot-set.json",
            R"({"version":1,"items":[{"setting":"queue/read_ahead_kb","class":"usb-removable","value":512)" +
                tail + R"(,{"setting":"bdi/max_bytes","class":"usb-removable","value":67108864)" + tail +
                R"(,{"setting":"queue/read_ahead_kb","disk":{"id":"usb-OWN","wwn":"","serial":"OWN",)"
                R"("size_bytes":1048576,"name":"sdc"},"value":256)" +
                tail + "]}");
        return true;
    }();
    Q_UNUSED(made)
    return tree;
}

} // namespace

class SetCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plansWithoutTheHelper();
    void unchangedIsSaid();
    void systemDiskImpliesATrial();
    void textNamesResetsAndCommands();
    void saysWhichMachineTheCommandsAreFor();
    void refuses_data();
    void refuses();
    void changesOnlyTheLiveSystem();
    void refusesBadIds_data();
    void refusesBadIds();
    void listsHistory();
    void whatCantBeReadIsNotNothing();
    void saysWhatHolds();
    void keepsForAClass();
    void saysWhatKeepingReplaces();
    void refusesClasses_data();
    void refusesClasses();
    void saysWhatHoldsForAClass();
    void showsWhatIsKeptForAClass();
    void refusesBadMeasurements_data();
    void refusesBadMeasurements();
};

void SetCommandTest::plansWithoutTheHelper()
{
    const Outcome plan = run({"set", "--json", "--dry-run", "queue:sdb:read_ahead_kb=1024",
                              "queue:sdb:scheduler=none", "vm::dirty_bytes=67108864"},
                             &machine());
    QCOMPARE(plan.code, 0);
    QCOMPARE(plan.err, QByteArray());
    QCOMPARE(plan.json["outcome"_L1].toString(), u"planned"_s);
    QVERIFY(plan.json["transaction"_L1].isNull());
    QVERIFY(plan.json["trial"_L1].isNull());
    const QJsonArray steps = plan.json["steps"_L1].toArray();
    QCOMPARE(steps.size(), 3);
    QCOMPARE(steps[0]["setting"_L1].toString(), u"queue:sdb:scheduler"_s);
    QCOMPARE(steps[0]["before"_L1].toString(), u"mq-deadline"_s);
    QCOMPARE(steps[0]["requested"_L1].toString(), u"none"_s);
    QVERIFY(steps[0]["after"_L1].isNull());
    QCOMPARE(steps[0]["result"_L1].toString(), u"not-attempted"_s);
    QCOMPARE(steps[1]["before"_L1].toInteger(), 128);
    QCOMPARE(steps[1]["requested"_L1].toInteger(), 1024);
    QVERIFY(steps[1]["errno"_L1].isDouble());
    QCOMPARE(plan.json["commands"_L1].toArray()[2].toString(), u"sudo sysctl -w vm.dirty_bytes=67108864"_s);
}

void SetCommandTest::keepsForAClass()
{
    const Outcome plan = run({"set", "--json", "--dry-run", "--keep", "--class",
                              "queue:sdb:read_ahead_kb=1024", "vm::dirty_ratio=10"},
                             &sticks());
    QCOMPARE(plan.code, 0);
    QCOMPARE(plan.json["kept_for"_L1].toString(), u"usb-removable"_s);
    QCOMPARE(plan.json["kept"_L1].toBool(true), false);
    const Outcome text =
        run({"set", "--dry-run", "--keep", "--class", "queue:sdb:read_ahead_kb=1024"}, &sticks());
    QVERIFY2(text.out.contains("at every start, for every removable USB disk"), text.out.constData());
    const Outcome plain =
        run({"set", "--json", "--dry-run", "--keep", "queue:sdb:read_ahead_kb=1024"}, &sticks());
    QVERIFY(plain.json["kept_for"_L1].isNull());
    QCOMPARE(plain.json["would_keep"_L1].toBool(), true);
    QVERIFY(run({"set", "--dry-run", "--keep", "queue:sdb:read_ahead_kb=1024"}, &sticks())
                .out.contains("at every start\n"));
    QVERIFY(run({"set", "--dry-run", "--keep", "--try", "60", "queue:sdb:read_ahead_kb=1024"}, &sticks())
                .out.contains("once confirmed, at every start\n"));
}

void SetCommandTest::saysWhatKeepingReplaces()
{
    const auto replaced = [](const std::vector<std::string> &words) {
        std::vector<std::string> line{"set", "--json", "--dry-run", "--keep"};
        line.insert(line.end(), words.begin(), words.end());
        return run(line, &sticks()).json["replaces_kept"_L1].toArray();
    };
    const QJsonArray own = replaced({"queue:sdc:read_ahead_kb=1024"});
    QCOMPARE(own.size(), 1);
    QCOMPARE(own[0]["setting"_L1].toString(), u"queue:sdc:read_ahead_kb"_s);
    QCOMPARE(own[0]["value"_L1].toInteger(), 256);
    QCOMPARE(replaced({"queue:sdc:read_ahead_kb=256"}), QJsonArray());
    // What is kept for its class stays beside what is kept for the disk.
    QCOMPARE(replaced({"queue:sdb:read_ahead_kb=1024"}), QJsonArray());
    QCOMPARE(replaced({"--class", "queue:sdb:read_ahead_kb=1024"})[0]["value"_L1].toInteger(), 512);
    const Outcome text = run({"set", "--dry-run", "--keep", "queue:sdc:read_ahead_kb=1024"}, &sticks());
    QVERIFY2(text.out.contains("    in place of queue:sdc:read_ahead_kb=256, kept now\n"),
             text.out.constData());
}

void SetCommandTest::refusesClasses_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("reason");
    QTest::newRow("system disk") << QStringList{u"queue:sda:read_ahead_kb=8"_s}
                                 << u"queue:sda:read_ahead_kb"_s << u"holds this system"_s;
    QTest::newRow("several") << QStringList{u"queue:sdb:read_ahead_kb=8"_s, u"queue:sdd:read_ahead_kb=8"_s}
                             << u"queue:sdd:read_ahead_kb"_s << u"several"_s;
    QTest::newRow("its key") << QStringList{u"queue:sdd:rotational=0"_s} << u"queue:sdd:rotational"_s
                             << u"classes of disks go by"_s;
    QTest::newRow("no disk") << QStringList{u"vm::dirty_ratio=10"_s} << u"--class"_s << u"no disk"_s;
}

void SetCommandTest::refusesClasses()
{
    QFETCH(QStringList, words);
    QFETCH(QString, input);
    QFETCH(QString, reason);
    std::vector<std::string> line{"set", "--json", "--dry-run", "--keep", "--class"};
    for (const QString &word : words)
        line.push_back(word.toStdString());
    const Outcome refused = run(line, &sticks());
    QCOMPARE(refused.code, 3);
    const QJsonObject error = refused.json["error"_L1].toObject();
    QCOMPARE(error["code"_L1].toString(), u"not-of-class"_s);
    QCOMPARE(error["input"_L1].toString(), input);
    QVERIFY2(error["reason"_L1].toString().contains(reason), qPrintable(error["reason"_L1].toString()));
    QVERIFY(error["accepted"_L1].toString().contains(u"usb-removable"_s));
    // Without --keep it means nothing.
    QCOMPARE(run({"set", "--class", "--dry-run", "queue:sdb:read_ahead_kb=8"}, &sticks()).code, 2);
}

void SetCommandTest::saysWhatHoldsForAClass()
{
    const Outcome status = run({"boot", "status", "--json"}, &sticks());
    QCOMPARE(status.code, 8);
    QStringList lines;
    for (const auto &item : status.json["items"_L1].toArray())
        lines << item["setting"_L1].toString() + u' ' + item["kept_for"_L1].toString(u"-"_s) + u' ' +
                     item["state"_L1].toString();
    QCOMPARE(lines, (QStringList{u"queue:sdb:read_ahead_kb usb-removable holds"_s,
                                 u"bdi:sdb:max_bytes usb-removable holds"_s,
                                 u"bdi:sdc:max_bytes usb-removable differs"_s,
                                 u"queue:sdc:read_ahead_kb - differs"_s}));
    QCOMPARE(status.json["total"_L1].toInteger(), 4);
    QCOMPARE(status.json["holds"_L1].toInteger(), 2);
}

void SetCommandTest::showsWhatIsKeptForAClass()
{
    const auto shown = [](const char *setting) {
        return run({"show", "--json", setting}, &sticks()).json["settings"_L1].toArray()[0].toObject();
    };
    QCOMPARE(shown("queue:sdb:read_ahead_kb")["kept"_L1].toInteger(), 512);
    QCOMPARE(shown("queue:sdb:read_ahead_kb")["kept_for"_L1].toString(), u"usb-removable"_s);
    QCOMPARE(shown("queue:sdc:read_ahead_kb")["kept"_L1].toInteger(), 256);
    QVERIFY(shown("queue:sdc:read_ahead_kb")["kept_for"_L1].isNull());
    QVERIFY(shown("queue:sdd:read_ahead_kb")["kept"_L1].isNull());
    const Outcome text = run({"show", "queue:sdb:read_ahead_kb"}, &sticks());
    QVERIFY2(text.out.contains("at every start: 512 KiB, for every removable USB disk"),
             text.out.constData());
}

void SetCommandTest::unchangedIsSaid()
{
    const Outcome plan = run({"set", "--json", "--dry-run", "queue:sdb:read_ahead_kb=128"}, &machine());
    QCOMPARE(plan.code, 0);
    QCOMPARE(plan.json["outcome"_L1].toString(), u"unchanged"_s);
    QCOMPARE(plan.json["steps"_L1].toArray()[0]["result"_L1].toString(), u"unchanged"_s);
}

void SetCommandTest::systemDiskImpliesATrial()
{
    const Outcome implied = run({"set", "--json", "--dry-run", "queue:sda:scheduler=none"}, &machine());
    QCOMPARE(implied.code, 0);
    QCOMPARE(implied.json["trial"_L1]["seconds_left"_L1].toInteger(), 15);
    QCOMPARE(implied.json["steps"_L1].toArray()[0]["id"_L1].toString(), u"ata-A:B_1"_s);
    const Outcome asked =
        run({"set", "--json", "--dry-run", "--try", "60", "queue:sda:scheduler=none"}, &machine());
    QCOMPARE(asked.json["trial"_L1]["seconds_left"_L1].toInteger(), 60);
}

void SetCommandTest::textNamesResetsAndCommands()
{
    const Outcome plan = run({"set", "--dry-run", "queue:sdb:scheduler=none"}, &machine());
    QCOMPARE(plan.code, 0);
    QVERIFY(plan.out.contains("mq-deadline -> none"));
    QVERIFY(plan.out.contains("resets 2 values"));
    QVERIFY(plan.out.contains("echo none | sudo tee /sys/block/sdb/queue/scheduler"));
}

void SetCommandTest::saysWhichMachineTheCommandsAreFor()
{
    const std::string folder = machine().path().string();
    const Outcome text = run({"set", "--dry-run", "queue:sdb:scheduler=none"}, &machine());
    const QByteArray heading =
        "For the machine recorded in " + QByteArray::fromStdString(folder) + ", not for this one:\n";
    QVERIFY2(text.out.startsWith(heading), text.out.constData());
    const Outcome recorded = run({"set", "--json", "--dry-run", "queue:sdb:scheduler=none"}, &machine());
    QCOMPARE(recorded.json["commands_for"_L1].toString().toStdString(), folder);
    const Outcome live = run({"set", "--json", "--dry-run", "vm::swappiness=7"});
    QCOMPARE(live.code, 0);
    QVERIFY(live.json.contains("commands_for"_L1) && live.json["commands_for"_L1].isNull());
    QVERIFY(!run({"set", "--dry-run", "vm::swappiness=7"}).out.contains("recorded"));
}

void SetCommandTest::refuses_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exit");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("input");
    const auto row = [](const char *tag, const QStringList &words, int exit, const char *code,
                        const char *input) {
        QTest::newRow(tag) << words << exit << QString::fromLatin1(code) << QString::fromLatin1(input);
    };
    row("no equals sign", {u"queue:sdb:read_ahead_kb"_s}, 2, "malformed", "queue:sdb:read_ahead_kb");
    row("nothing", {}, 2, "malformed", "");
    row("empty word", {QString()}, 2, "malformed", "''");
    row("no setting", {u"=5"_s}, 3, "", "=5");
    row("unknown option", {u"--force"_s, u"queue:sdb:nr_requests=8"_s}, 2, "malformed", "--force");
    row("no such disk", {u"queue:sdz:nr_requests=8"_s}, 3, "unknown-target", "");
    row("no such key", {u"queue:sdb:nosuch=8"_s}, 3, "unknown-setting", "");
    row("never written", {u"queue:sdb:write_cache=write through"_s}, 3, "read-only", "");
    row("misspelt", {u"vm::swapiness=10"_s}, 3, "unknown-setting", "");
    row("partition", {u"queue:sda1:nr_requests=8"_s}, 3, "", "");
    row("empty value", {u"queue:sdb:nr_requests="_s}, 3, "malformed", "queue:sdb:nr_requests=");
    row("hexadecimal", {u"queue:sdb:nr_requests=0x80"_s}, 3, "malformed", "queue:sdb:nr_requests=0x80");
    row("octal", {u"queue:sdb:nr_requests=010"_s}, 3, "malformed", "queue:sdb:nr_requests=010");
    row("sign", {u"queue:sdb:nr_requests=+8"_s}, 3, "malformed", "queue:sdb:nr_requests=+8");
    row("far too long", {u"queue:sdb:nr_requests=99999999999999999999"_s}, 3, "out-of-range",
        "queue:sdb:nr_requests=99999999999999999999");
    row("too much", {u"queue:sdb:nr_requests=4096"_s}, 3, "out-of-range", "queue:sdb:nr_requests=4096");
    row("off the grid", {u"queue:sdb:read_ahead_kb=3"_s}, 3, "not-a-multiple", "queue:sdb:read_ahead_kb=3");
    row("unknown word", {u"queue:sdb:scheduler=cfq"_s}, 3, "out-of-range", "queue:sdb:scheduler=cfq");
    row("shell", {u"queue:sdb:scheduler=none;reboot"_s}, 3, "out-of-range",
        "queue:sdb:scheduler=none;reboot");
    row("line break", {u"queue:sdb:scheduler=none\nbfq"_s}, 3, "out-of-range",
        "queue:sdb:scheduler=none\\x0abfq");
    row("twice", {u"queue:sdb:nr_requests=8"_s, u"queue:sdb:nr_requests=16"_s}, 3, "conflict",
        "queue:sdb:nr_requests=16");
    row("both of a pair", {u"vm::dirty_ratio=30"_s, u"vm::dirty_bytes=67108864"_s}, 3, "conflict",
        "vm::dirty_bytes=67108864");
    row("background above", {u"vm::dirty_background_ratio=20"_s}, 3, "conflict",
        "vm::dirty_background_ratio=20");
    row("one is bad", {u"queue:sdb:nr_requests=8"_s, u"queue:sdb:read_ahead_kb=1"_s}, 3, "not-a-multiple",
        "queue:sdb:read_ahead_kb=1");
    row("too short a trial", {u"--try"_s, u"4"_s, u"queue:sdb:nr_requests=8"_s}, 3, "out-of-range", "4");
    row("too long a trial", {u"--try"_s, u"601"_s, u"queue:sdb:nr_requests=8"_s}, 3, "out-of-range", "601");
    row("a trial of words", {u"--try"_s, u"soon"_s, u"queue:sdb:nr_requests=8"_s}, 3, "malformed", "soon");
    row("a trial past all numbers", {u"--try"_s, u"99999999999"_s, u"queue:sdb:nr_requests=8"_s}, 3,
        "out-of-range", "99999999999");
}

void SetCommandTest::refuses()
{
    QFETCH(QStringList, words);
    QFETCH(int, exit);
    QFETCH(QString, code);
    QFETCH(QString, input);
    // Also without --dry-run: a bad line never comes as far as the helper.
    for (const bool dryRun : {true, false}) {
        std::vector<std::string> arguments{"set", "--json"};
        if (dryRun)
            arguments.push_back("--dry-run");
        for (const QString &word : words)
            arguments.push_back(word.toStdString());
        const Outcome refused = run(arguments, &machine());
        QCOMPARE(refused.code, exit);
        const QJsonObject error = refused.json["error"_L1].toObject();
        QVERIFY2(!error.isEmpty(), refused.out.constData());
        if (!code.isEmpty())
            QCOMPARE(error["code"_L1].toString(), code);
        if (!input.isEmpty())
            QCOMPARE(error["input"_L1].toString(), input);
        QVERIFY(!error["reason"_L1].toString().isEmpty());
        QVERIFY(!refused.err.isEmpty());
        QVERIFY(!refused.err.contains('\x1b'));
        if (exit == 3) {
            QCOMPARE(refused.json["outcome"_L1].toString(), u"refused"_s);
            QVERIFY(refused.json["steps"_L1].isArray());
        }
        if (code == u"out-of-range"_s || code == u"not-a-multiple"_s)
            QVERIFY(!error["accepted"_L1].toString().isEmpty());
    }
}

void SetCommandTest::changesOnlyTheLiveSystem()
{
    const std::string id(32, '0');
    for (const std::vector<std::string> &line : {std::vector<std::string>{"set", "queue:sdb:nr_requests=8"},
                                                 {"confirm", id},
                                                 {"revert", id},
                                                 {"prolong", id, "60"},
                                                 {"undo", id},
                                                 {"keep", "queue:sdb:nr_requests"},
                                                 {"forget"},
                                                 {"boot", "use", "on"},
                                                 {"measure", "queue:sdb:nr_requests=8"}}) {
        std::vector<std::string> arguments = line;
        arguments.push_back("--json");
        const Outcome refused = run(arguments, &machine());
        QCOMPARE(refused.code, 3);
        QCOMPARE(refused.json["error"_L1]["input"_L1].toString(), u"--root"_s);
    }
}

void SetCommandTest::refusesBadIds_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exit");
    QTest::newRow("no ID") << QStringList{u"confirm"_s} << 2;
    QTest::newRow("short") << QStringList{u"confirm"_s, u"abc"_s} << 3;
    QTest::newRow("upper case") << QStringList{u"revert"_s, QString(32, u'A')} << 3;
    QTest::newRow("path") << QStringList{u"undo"_s, u"../../../../../../etc/passwd"_s} << 3;
    QTest::newRow("unknown trial") << QStringList{u"confirm"_s, QString(32, u'0')} << 3;
    QTest::newRow("unknown change") << QStringList{u"undo"_s, QString(32, u'0')} << 3;
    QTest::newRow("no seconds") << QStringList{u"prolong"_s, QString(32, u'0')} << 2;
    QTest::newRow("too few seconds") << QStringList{u"prolong"_s, QString(32, u'0'), u"4"_s} << 3;
    QTest::newRow("too many seconds") << QStringList{u"prolong"_s, QString(32, u'0'), u"1801"_s} << 3;
    QTest::newRow("neither on nor off") << QStringList{u"boot"_s, u"use"_s, u"maybe"_s} << 3;
    QTest::newRow("boot alone") << QStringList{u"boot"_s} << 2;
}

void SetCommandTest::refusesBadIds()
{
    QFETCH(QStringList, words);
    QFETCH(int, exit);
    std::vector<std::string> arguments{"--json"};
    for (const QString &word : words)
        arguments.push_back(word.toStdString());
    const Outcome refused = run(arguments);
    QCOMPARE(refused.code, exit);
    QVERIFY(!refused.json["error"_L1]["reason"_L1].toString().isEmpty());
    QVERIFY(!refused.err.isEmpty());
}

void SetCommandTest::listsHistory()
{
    const Outcome history = run({"history", "--json"}, &machine());
    QCOMPARE(history.code, 0);
    const QJsonObject entry = history.json["transactions"_L1].toArray()[0].toObject();
    QCOMPARE(entry["transaction"_L1].toString(), u"00000000000000000000000000000001"_s);
    QCOMPARE(entry["time"_L1].toInteger(), 1700000000);
    QCOMPARE(entry["uid"_L1].toInteger(), 1000);
    QCOMPARE(entry["outcome"_L1].toString(), u"applied"_s);
    QCOMPARE(entry["kept"_L1].toBool(true), false);
    QCOMPARE(entry["undoable"_L1].toBool(true), false);
    QCOMPARE(entry["reason"_L1].toString(), u"ended by restart"_s);
    QCOMPARE(entry["steps"_L1].toArray()[0]["after"_L1].toString(), u"bfq"_s);
    QVERIFY(history.err.contains("evil: left out"));
    const Outcome text = run({"history"}, &machine());
    QVERIFY(text.out.contains("queue:sda:scheduler  none -> bfq  applied"));
}

void SetCommandTest::whatCantBeReadIsNotNothing()
{
    FakeTree tree;
    QCOMPARE(run({"history"}, &tree).out, QByteArray("Nothing was changed yet.\n"));
    tree.file("proc/sys/kernel/random/boot_id", "01234567-89ab-cdef-0123-456789abcdef\n");
    tree.file("var/lib/diskwright/history", "no folder");
    for (const std::vector<std::string> &line :
         {std::vector<std::string>{"history", "--json"}, {"restore-all", "--dry-run", "--json"}}) {
        const Outcome outcome = run(line, &tree);
        QCOMPARE(outcome.code, 3);
        QCOMPARE(outcome.json["error"_L1]["code"_L1].toString(), u"state-file"_s);
    }
}

void SetCommandTest::saysWhatHolds()
{
    const Outcome status = run({"boot", "status", "--json"}, &machine());
    QCOMPARE(status.code, 8);
    QCOMPARE(status.json["state"_L1].toString(), u"probation"_s);
    QCOMPARE(status.json["total"_L1].toInteger(), 2);
    QCOMPARE(status.json["holds"_L1].toInteger(), 1);
    QCOMPARE(status.json["items"_L1].toArray()[1]["state"_L1].toString(), u"differs"_s);
    const FakeTree empty;
    const Outcome nothing = run({"boot", "status", "--json"}, &empty);
    QCOMPARE(nothing.code, 0);
    QCOMPARE(nothing.json["state"_L1].toString(), u"none"_s);
}

void SetCommandTest::refusesBadMeasurements_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exit");
    const auto row = [](const char *tag, const QStringList &words, int exit) {
        QTest::newRow(tag) << words << exit;
    };
    row("no such test", {u"bench"_s, u"run"_s, u"nosuch"_s}, 3);
    row("no test", {u"bench"_s, u"run"_s}, 2);
    row("no size", {u"bench"_s, u"run"_s, u"rnd4k-q32t1-read"_s, u"--size"_s, u"big"_s}, 3);
    row("no rounds", {u"bench"_s, u"run"_s, u"rnd4k-q32t1-read"_s, u"--rounds"_s, u"0"_s}, 3);
    row("too long", {u"bench"_s, u"run"_s, u"rnd4k-q32t1-read"_s, u"--time"_s, u"601"_s}, 3);
    row("no such folder", {u"bench"_s, u"run"_s, u"rnd4k-q32t1-read"_s, u"--target"_s, u"/nonexistent"_s}, 3);
    row("no equals sign", {u"measure"_s, u"vm::dirty_ratio"_s}, 2);
    row("no such setting", {u"measure"_s, u"vm::nosuch=1"_s}, 3);
    row("no such run", {u"bench"_s, u"show"_s, u"0000"_s}, 3);
    row("bench alone", {u"bench"_s}, 2);
}

void SetCommandTest::refusesBadMeasurements()
{
    QFETCH(QStringList, words);
    QFETCH(int, exit);
    std::vector<std::string> arguments{"--json"};
    for (const QString &word : words)
        arguments.push_back(word.toStdString());
    const Outcome refused = run(arguments);
    QCOMPARE(refused.code, exit);
    QVERIFY2(!refused.json["error"_L1]["reason"_L1].toString().isEmpty(), refused.out.constData());
}

int main(int argc, char *argv[])
{
    // Not this user's own trials and results.
    static FakeTree home;
    qputenv("XDG_STATE_HOME", QByteArray::fromStdString(home.path().string()));
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString(home.path().string()));
    SetCommandTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_setcommand.moc"
