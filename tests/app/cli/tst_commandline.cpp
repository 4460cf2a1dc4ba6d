// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "runline.h"

#include "app/cli/commandcontext.h"
#include "helper/contract/catalogue.h"
#include "tests/helper/access/faketree.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QTest>

#include <algorithm>
#include <sstream>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

using Outcome = test::LineOutcome;

Outcome run(const std::vector<std::string> &arguments, const FakeTree *tree = nullptr)
{
    return test::runLine(arguments, tree ? tree->path().string() : std::string());
}

/// sda with a partition, loop0, the dirty limits.
const FakeTree &machine()
{
    static const FakeTree tree;
    static const bool made = [] {
        tree.disk("sda", "8:0",
                  {{"queue/scheduler", "none [mq-deadline]\n"},
                   {"queue/iosched/read_expire", "500\n"},
                   {"queue/read_ahead_kb", "128\n"},
                   {"queue/write_cache", "write back\n"},
                   {"queue/nr_requests", "64\n"},
                   {"queue/wonder", "7\n"}});
        tree.partition("sda", "sda1", "8:1");
        tree.disk("loop0", "7:0");
        tree.file("run/udev/data/b8:0", "S:disk/by-id/ata-A:B_1\n");
        for (const char *key :
             {"dirty_ratio", "dirty_bytes", "dirty_background_ratio", "dirty_background_bytes"})
            tree.file(std::string("proc/sys/vm/") + key, "10\n");
        tree.file("proc/sys/vm/overcommit_memory", "0\n");
        return true;
    }();
    Q_UNUSED(made)
    return tree;
}

} // namespace

class TestCommandLine : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void listsDisks()
    {
        const Outcome some = run({"disks", "--json"}, &machine());
        QCOMPARE(some.code, 0);
        QCOMPARE(some.err, QByteArray());
        const QJsonArray disks = some.json["disks"_L1].toArray();
        QCOMPARE(disks.size(), 1);
        const QStringList keys{u"fstype"_s,     u"holders"_s,   u"id"_s,         u"label"_s,
                               u"model"_s,      u"mounts"_s,    u"name"_s,       u"notes"_s,
                               u"partitions"_s, u"removable"_s, u"rotational"_s, u"scheduler"_s,
                               u"size_bytes"_s, u"slaves"_s,    u"system"_s,     u"table"_s,
                               u"transport"_s,  u"type"_s,      u"uuid"_s};
        QCOMPARE(disks[0].toObject().keys(), keys);
        QCOMPARE(disks[0]["partitions"_L1].toArray()[0].toObject().keys(), keys);
        QCOMPARE(disks[0]["size_bytes"_L1].toInteger(), 2048 * 512);
        QVERIFY(disks[0]["model"_L1].isNull());
        QCOMPARE(run({"--json", "disks", "--all"}, &machine()).json["disks"_L1].toArray().size(), 2);
        const Outcome table = run({"disks"}, &machine());
        QCOMPARE(table.code, 0);
        QVERIFY(table.out.contains("sda1"));
        QVERIFY(!table.out.contains("loop0"));
        QVERIFY(run({"disks", "--all"}, &machine()).out.contains("loop0"));
    }
    void showsSettings()
    {
        const Outcome all = run({"show", "--json"}, &machine());
        QCOMPARE(all.code, 0);
        const auto count = [](const Outcome &shown, QLatin1StringView state) {
            return std::ranges::count_if(shown.json["settings"_L1].toArray(), [&](const QJsonValue &setting) {
                return setting["state"_L1].toString() == state;
            });
        };
        QCOMPARE(count(all, "current"_L1), 8);
        QCOMPARE(all.json["settings"_L1].toArray().size(), static_cast<qsizetype>(catalogue().size()) + 3);
        QCOMPARE(all.json["answers"_L1].toArray().size(), 0);
        const QStringList keys{
            u"action"_s,   u"current"_s, u"default"_s, u"default_source"_s, u"id"_s,     u"kept"_s,
            u"kept_for"_s, u"max"_s,     u"min"_s,     u"offered"_s,        u"reason"_s, u"restorable"_s,
            u"risk"_s,     u"set_by"_s,  u"setting"_s, u"state"_s,          u"step"_s,   u"unit"_s};
        QCOMPARE(all.json["settings"_L1].toArray()[0].toObject().keys(), keys);
        QCOMPARE(count(run({"show", "vm", "--json"}, &machine()), "current"_L1), 4);
        QCOMPARE(count(run({"show", "ata-A:B_1", "--json"}, &machine()), "current"_L1), 4);
        const QJsonObject one = run({"show", "queue:sda:read_ahead_kb", "--json"}, &machine())
                                    .json["settings"_L1]
                                    .toArray()[0]
                                    .toObject();
        QCOMPARE(one["setting"_L1].toString(), QStringLiteral("queue:sda:read_ahead_kb"));
        QCOMPARE(one["current"_L1].toInteger(), 128);
        QCOMPARE(one["unit"_L1].toString(), QStringLiteral("KiB"));
        QCOMPARE(one["action"_L1].toString(), QStringLiteral("tune"));
        const Outcome table = run({"show", "iosched:sda:read_expire"}, &machine());
        QCOMPARE(table.code, 0);
        QVERIFY(table.out.contains("iosched:sda:mq-deadline/read_expire"));
        QVERIFY(table.out.contains("500 ms"));
    }
    void showsWhatIsOnlyShown()
    {
        const Outcome one = run({"show", "queue:sda:write_cache", "--json"}, &machine());
        QCOMPARE(one.code, 0);
        const QJsonObject setting = one.json["settings"_L1].toArray()[0].toObject();
        QCOMPARE(setting["setting"_L1].toString(), u"queue:sda:write_cache"_s);
        QCOMPARE(setting["current"_L1].toString(), u"write back"_s);
        QCOMPARE(setting["state"_L1].toString(), u"read-only"_s);
        QVERIFY(setting["reason"_L1].toString().contains("never written"_L1));
        QVERIFY(setting["risk"_L1].isNull() && setting["action"_L1].isNull());
        QCOMPARE(setting["restorable"_L1].toBool(true), false);
        QVERIFY(run({"show", "sda"}, &machine()).out.contains("queue:sda:write_cache"));
        QVERIFY(run({"show", "vm"}, &machine()).out.contains("vm::overcommit_memory"));
    }
    void answersOldNames_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("setting"); // of the first answer; empty: none
        QTest::addColumn<QString>("vanished");
        QTest::addColumn<QStringList>("shown");
        const QStringList readAhead{u"queue:sda:read_ahead_kb"_s};
        const QStringList scheduler{u"queue:sda:scheduler"_s};
        QTest::newRow("option") << QStringList{u"-a1024"_s} << u"queue:DISK:read_ahead_kb"_s << QString()
                                << readAhead;
        QTest::newRow("line of a tool") << QStringList{u"hdparm"_s, u"-a"_s, u"1024"_s, u"/dev/sda"_s}
                                        << u"queue:sda:read_ahead_kb"_s << QString() << readAhead;
        QTest::newRow("line of a tool, partition") << QStringList{u"blockdev --setra 1024 /dev/sda1"_s}
                                                   << u"queue:sda:read_ahead_kb"_s << QString() << readAhead;
        QTest::newRow("noop") << QStringList{u"noop"_s} << u"queue:DISK:scheduler"_s << u"scheduler/noop"_s
                              << scheduler;
        QTest::newRow("sysctl") << QStringList{u"vm.dirty_ratio"_s} << u"vm::dirty_ratio"_s << QString()
                                << QStringList{u"vm::dirty_ratio"_s};
        QTest::newRow("path") << QStringList{u"/sys/block/sda/queue/nr_requests"_s}
                              << u"queue:sda:nr_requests"_s << QString()
                              << QStringList{u"queue:sda:nr_requests"_s};
        QTest::newRow("prompt with a colon") << QStringList{u"user@pc:~$ sudo hdparm -a1024 /dev/sda"_s}
                                             << u"queue:sda:read_ahead_kb"_s << QString() << readAhead;
        QTest::newRow("parameter with colons") << QStringList{u"usb-storage.quirks=1234:5678:u"_s}
                                               << QString() << u"link/usb-quirks"_s << QStringList{};
        QTest::newRow("without a setting")
            << QStringList{u"-d1"_s} << QString() << u"drive/dma"_s << QStringList{};
        QTest::newRow("beside a target") << QStringList{u"queue:sda:read_ahead_kb"_s, u"block_dump"_s}
                                         << QString() << u"vm/block_dump"_s << readAhead;
    }
    void answersOldNames()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, setting);
        QFETCH(QString, vanished);
        QFETCH(QStringList, shown);
        std::vector<std::string> line{"--json", "show", "--"};
        for (const QString &one : words)
            line.push_back(one.toStdString());
        const Outcome json = run(line, &machine());
        QCOMPARE(json.code, 0);
        const QJsonObject first = json.json["answers"_L1].toArray()[0].toObject();
        QCOMPARE(first.keys(), (QStringList{u"input"_s, u"note"_s, u"setting"_s, u"target"_s, u"unit"_s,
                                            u"value"_s, u"vanished"_s}));
        QCOMPARE(first["setting"_L1].toString(), setting);
        QCOMPARE(first["vanished"_L1]["id"_L1].toString(), vanished);
        QStringList found;
        for (const QJsonValue &one : json.json["settings"_L1].toArray())
            found << one["setting"_L1].toString();
        QCOMPARE(found, shown);
        line.erase(line.begin());
        const Outcome text = run(line, &machine());
        QCOMPARE(text.code, 0);
        QVERIFY(text.out.contains(": "));
        for (const QString &one : shown)
            QVERIFY(text.out.contains(one.toUtf8()));
    }
    void saysTheConvertedValue()
    {
        const Outcome text = run({"show", "--", "-a1024"}, &machine());
        QVERIFY2(text.out.contains("512 KiB"), text.out);
        QVERIFY2(text.out.contains("1024 sectors of 512 bytes"), text.out);
        const QJsonObject answer =
            run({"--json", "show", "--", "-a1024"}, &machine()).json["answers"_L1].toArray()[0].toObject();
        QCOMPARE(answer["value"_L1].toInteger(), 512);
        QCOMPARE(answer["unit"_L1].toString(), u"KiB"_s);
        const Outcome noop = run({"show", "noop"}, &machine());
        QVERIFY2(noop.out.contains("gone since Linux 5.0"), noop.out);
        QVERIFY2(noop.out.contains("Today's word for it: none"), noop.out);
        QVERIFY2(!noop.out.contains("Today's value"), noop.out);
    }
    /// One thing only: what the kernel takes is not called refused, and what only reads asks for nothing.
    void doesNotContradictItself()
    {
        for (const char *line :
             {"echo deadline > /sys/block/sda/queue/scheduler", "echo noop > /sys/block/sda/queue/scheduler",
              "cat /sys/block/sda/queue/scheduler"}) {
            const Outcome outcome = run({"show", line}, &machine());
            QCOMPARE(outcome.code, 0);
            QVERIFY2(!outcome.out.contains("is not accepted here"), outcome.out);
        }
        const Outcome old = run({"show", "echo deadline > /sys/block/sda/queue/scheduler"}, &machine());
        QVERIFY2(old.out.contains("queue:sda:scheduler = mq-deadline (today's word for 'deadline')"),
                 old.out);
    }
    void saysThatADiskLacksTheSetting()
    {
        const Outcome depth = run({"show", "hdparm -Q1 /dev/sda"}, &machine());
        QCOMPARE(depth.code, 0);
        QVERIFY2(depth.out.contains("not there on sda now"), depth.out);
        const Outcome there = run({"show", "hdparm -a1024 /dev/sda"}, &machine());
        QVERIFY2(!there.out.contains("not there"), there.out);
    }
    void findsWhatNobodyDescribed()
    {
        QVERIFY(run({"show", "sda"}, &machine()).out.contains("queue:sda:wonder"));
        for (const char *word : {"wonder", "/sys/block/sda/queue/wonder", "queue:sda:wonder"}) {
            const Outcome outcome = run({"--json", "show", word}, &machine());
            QCOMPARE(outcome.code, 0);
            QCOMPARE(outcome.json["settings"_L1].toArray().size(), 1);
            QCOMPARE(outcome.json["settings"_L1].toArray()[0].toObject()["setting"_L1].toString(),
                     u"queue:sda:wonder"_s);
        }
        for (const char *word : {"wonde", "/sys/block/sdb/queue/wonder", "vm.wonder"})
            QCOMPARE(run({"show", word}, &machine()).code, 3);
    }
    void answersNothingByChance()
    {
        for (const char *word : {"/", "\n", "ma", "-"}) {
            const Outcome outcome = run({"show", "--", word}, &machine());
            QCOMPARE(outcome.code, 3);
            QCOMPARE(outcome.out, QByteArray());
        }
        const auto answers = [](const char *word) {
            QStringList ids;
            for (const QJsonValue &one :
                 run({"--json", "show", word}, &machine()).json["answers"_L1].toArray())
                ids << one["vanished"_L1]["id"_L1].toString();
            return ids;
        };
        QCOMPARE(answers("as"), QStringList{u"scheduler/anticipatory"_s});
        QCOMPARE(answers("all"), QStringList{u"mount/xfs-log"_s});
    }
    void saysThatADiskIsNotThere()
    {
        const Outcome json = run({"--json", "show", "hdparm -a1024 /dev/sdz"}, &machine());
        QCOMPARE(json.code, 0);
        const QJsonObject answer = json.json["answers"_L1].toArray()[0].toObject();
        QCOMPARE(answer["value"_L1].toInteger(), 512);
        QVERIFY(answer["note"_L1].toString().contains("there is no disk sdz here"_L1));
        QCOMPARE(json.json["settings"_L1].toArray().size(), 0);
        QVERIFY(run({"show", "hdparm -a1024 /dev/sdz"}, &machine()).out.contains("no disk sdz"));
    }
    void saysHowToGiveALineOfATool()
    {
        for (const std::vector<std::string> &line :
             {std::vector<std::string>{"show", "-a1024"}, {"show", "hdparm", "-a1024"}}) {
            const Outcome outcome = run(line, &machine());
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.err.contains("show \"hdparm -a1024\""), outcome.err);
            QVERIFY2(outcome.err.contains("show -- -a1024"), outcome.err);
        }
    }
    void showsEachOnce()
    {
        const auto rows = [](const std::vector<std::string> &line) {
            return run(line, &machine()).json["settings"_L1].toArray().size();
        };
        QCOMPARE(rows({"--json", "show", "sda", "sda"}), rows({"--json", "show", "sda"}));
        QCOMPARE(rows({"--json", "show", "vm", "vm::swappiness", "vm"}), rows({"--json", "show", "vm"}));
        QCOMPARE(rows({"--json", "show", "ata-A:B_1", "queue:sda:scheduler", "sda"}),
                 rows({"--json", "show", "sda"}));
        const Outcome twice = run({"show", "noop", "noop"}, &machine());
        QCOMPARE(twice.out, run({"show", "noop"}, &machine()).out);
        const Outcome unknown = run({"show", "nosuch"}, &machine());
        QCOMPARE(unknown.code, 3);
        QCOMPARE(unknown.err.count("nosuch"), 1);
    }
    void tellsWhatBecameOfAScheduler()
    {
        const auto refusal = [](const char *word) {
            const Outcome outcome =
                run({"set", std::string("queue:sda:scheduler=") + word, "--dry-run"}, &machine());
            return outcome.code == 3 ? outcome.err : QByteArray("not refused");
        };
        QVERIFY2(refusal("noop").contains("replaced by none since Linux 5.0"), refusal("noop"));
        QVERIFY2(refusal("deadline").contains("replaced by mq-deadline since Linux 5.0"),
                 refusal("deadline"));
        QVERIFY2(refusal("cfq").contains("gone since Linux 5.0"), refusal("cfq"));
        QVERIFY(!refusal("frob").contains("since"));
    }
    void suggestsForMisspeltOnes()
    {
        const Outcome colons = run({"show", "what:is:this"}, &machine());
        QCOMPARE(colons.code, 3);
        QVERIFY2(!colons.err.contains("domain:target:key"), colons.err);
        for (const char *misspelt : {"vm.swapiness", "vm::swapiness", "swapiness"}) {
            const Outcome outcome = run({"show", misspelt}, &machine());
            QCOMPARE(outcome.code, 3);
            QVERIFY2(outcome.err.contains("did you mean vm::swappiness"), outcome.err);
        }
    }
    void refusesLines_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("named");
        QTest::newRow("nothing") << QStringList{} << 2 << QByteArray("no command");
        QTest::newRow("unknown command") << QStringList{u"frobnicate"_s} << 2 << QByteArray("frobnicate");
        QTest::newRow("unknown command of a command")
            << QStringList{u"boot"_s, u"nope"_s} << 2
            << QByteArray("nope: unknown command (accepted: boot status");
        QTest::newRow("no command of a command")
            << QStringList{u"boot"_s} << 2 << QByteArray("no command given (accepted: boot status");
        QTest::newRow("empty seconds") << QStringList{u"prolong"_s, u"x"_s, u""_s} << 3 << QByteArray("''");
        QTest::newRow("unknown option") << QStringList{u"--frob"_s, u"disks"_s} << 2 << QByteArray("--frob");
        QTest::newRow("unknown option of a command")
            << QStringList{u"disks"_s, u"--frob"_s} << 2 << QByteArray("--frob");
        QTest::newRow("word too many") << QStringList{u"disks"_s, u"sda"_s} << 2 << QByteArray("sda");
        QTest::newRow("--root without a folder")
            << QStringList{u"disks"_s, u"--root"_s} << 2 << QByteArray("--root");
        QTest::newRow("--root of an unset variable")
            << QStringList{u"disks"_s, u"--root"_s, QString()} << 2 << QByteArray("--root");
        QTest::newRow("folder that is not there")
            << QStringList{u"disks"_s, u"--root"_s, u"/no/such"_s} << 3 << QByteArray("/no/such");
        QTest::newRow("root that is a file") << QStringList{u"disks"_s, u"--root"_s, u"/proc/self/status"_s}
                                             << 3 << QByteArray("/proc/self/status");
        QTest::newRow("root without sys")
            << QStringList{u"disks"_s, u"--root"_s, u"/proc/self"_s} << 3 << QByteArray("sys/block");
        QTest::newRow("unknown disk") << QStringList{u"show"_s, u"sdz"_s} << 3 << QByteArray("sdz");
        QTest::newRow("partition") << QStringList{u"show"_s, u"sda1"_s} << 3 << QByteArray("sda1");
        QTest::newRow("empty word") << QStringList{u"show"_s, u""_s} << 3 << QByteArray("no disk");
        QTest::newRow("unknown setting")
            << QStringList{u"show"_s, u"queue:sda:frob"_s} << 3 << QByteArray("queue:sda:frob");
        QTest::newRow("unknown domain")
            << QStringList{u"show"_s, u"frob:sda:scheduler"_s} << 3 << QByteArray("frob:sda:scheduler");
        QTest::newRow("one colon") << QStringList{u"show"_s, u"queue:sda"_s} << 3 << QByteArray("queue:sda");
        QTest::newRow("control characters")
            << QStringList{u"show"_s, u"\x1b[2J"_s} << 3 << QByteArray("\\x1b[2J");
        for (const char *list : {"[]", "[,]", "[queue:sda:read_ahead_kb,vm::dirty_ratio]", "{}", "++"}) {
            const QString word = QString::fromLatin1(list);
            for (const char *command : {"forget", "show", "set", "keep"}) {
                const QString name = QString::fromLatin1(command);
                QTest::addRow("%s %s", command, list) << QStringList{name, word} << 2 << QByteArray(list);
                QTest::addRow("%s -- %s", command, list)
                    << QStringList{name, u"--"_s, word} << 2 << QByteArray(list);
            }
        }
        QTest::newRow("list of assignments")
            << QStringList{u"set"_s, u"--dry-run"_s, u"[vm::dirty_ratio=20,vm::dirty_background_ratio=5]"_s}
            << 2 << QByteArray("brackets");
        QTest::newRow("list after a word")
            << QStringList{u"forget"_s, u"vm::dirty_ratio"_s, u"[]"_s} << 2 << QByteArray("[]: ");
        QTest::newRow("empty list of two words")
            << QStringList{u"forget"_s, u"{}"_s, QString()} << 2 << QByteArray("{}: ");
        QTest::newRow("command as an option")
            << QStringList{u"--forget.replace-edited"_s} << 2 << QByteArray("--forget.replace-edited: ");
        QTest::newRow("--try of an unset variable")
            << QStringList{u"set"_s, u"--dry-run"_s, u"--try"_s, QString(), u"vm::dirty_ratio=20"_s} << 2
            << QByteArray("--try");
        QTest::newRow("--target of an unset variable")
            << QStringList{u"bench"_s, u"run"_s, u"device-read"_s, u"--target"_s, QString()} << 2
            << QByteArray("--target");
        for (const char *line : {"history", "boot status", "boot note", "show", "disks", "why sda",
                                 "restore-all --dry-run", "set --dry-run vm::dirty_ratio=20"})
            QTest::addRow("folder that is not there: %s", line)
                << (QString::fromLatin1(line).split(u' ') << u"--root"_s << u"/no/such"_s) << 3
                << QByteArray("/no/such");
        QTest::newRow("good and bad") << QStringList{u"show"_s, u"vm"_s, u"sdz"_s} << 3 << QByteArray("sdz");
    }
    void refusesLines()
    {
        QFETCH(QStringList, line);
        QFETCH(int, code);
        QFETCH(QByteArray, named);
        std::vector<std::string> arguments;
        for (const QString &word : line)
            arguments.push_back(word.toStdString());
        const FakeTree *tree = line.contains("--root"_L1) ? nullptr : &machine();
        const Outcome text = run(arguments, tree);
        QCOMPARE(text.code, code);
        QCOMPARE(text.out, QByteArray());
        QVERIFY2(text.err.startsWith("diskwrightctl: ") && text.err.contains(named), text.err);
        QVERIFY2(text.err.contains("accepted: ") || text.err.contains("--root"), text.err);
        QCOMPARE(text.err.count('\n'), 1);
        QVERIFY(!text.err.contains('\x1b'));
        arguments.insert(arguments.begin(), "--json");
        const Outcome json = run(arguments, tree);
        QCOMPARE(json.code, code);
        QCOMPARE(json.json[u"error"_s].toObject().keys(),
                 (QStringList{u"accepted"_s, u"code"_s, u"input"_s, u"message"_s, u"reason"_s}));
        QVERIFY(!json.json["error"_L1]["reason"_L1].toString().isEmpty());
    }
    void jsonMayStandAnywhere()
    {
        QVERIFY(run({"frobnicate", "--json"}, &machine()).json.contains("error"_L1));
        QVERIFY(run({"disks", "--frob", "--json"}, &machine()).json.contains("error"_L1));
        QCOMPARE(run({"show", "--", "--json"}, &machine()).out, QByteArray());
        QVERIFY(run({"frobnicate", "--json=true"}, &machine()).json.contains("error"_L1));
        QCOMPARE(run({"frobnicate", "--json=false"}, &machine()).out, QByteArray());
    }
    void aBadValueOfJsonIsADocumentToo()
    {
        const Outcome bad = run({"--json=maybe", "disks"}, &machine());
        QCOMPARE(bad.code, 2);
        QCOMPARE(bad.json["error"_L1]["code"_L1].toString(), u"malformed"_s);
        QCOMPARE(run({"--json=false", "disks"}, &machine()).json, QJsonObject());
    }
    void helpsAndNamesItsVersion()
    {
        const Outcome version = run({"--version"});
        QCOMPARE(version.code, 0);
        QCOMPARE(version.out, QByteArray("diskwrightctl " DISKWRIGHT_VERSION "\n"));
        const Outcome help = run({"--help"});
        QCOMPARE(help.code, 0);
        for (const char *word : {"disks", "show", "--json", "--root", "Exit codes"})
            QVERIFY(help.out.contains(word));
        QVERIFY(run({"disks", "--help"}).out.contains("--all"));
        QCOMPARE(run({"show", "--help"}).code, 0);
    }
    void helpIsADocumentTooWhereOneIsAskedFor()
    {
        for (const std::vector<std::string> &line : {std::vector<std::string>{"--json", "--help"},
                                                     {"--help", "--json"},
                                                     {"disks", "--json", "--help"},
                                                     {"disks", "--help", "--json"}}) {
            const Outcome help = run(line);
            QCOMPARE(help.code, 0);
            QCOMPARE(help.json.keys(), (QStringList{u"help"_s, u"program"_s}));
            QVERIFY(help.json["help"_L1].toString().contains("--all"_L1) ||
                    help.json["help"_L1].toString().contains("Exit codes"_L1));
        }
        for (const std::vector<std::string> &line :
             {std::vector<std::string>{"--json", "--version"}, {"--version", "--json"}}) {
            const Outcome version = run(line);
            QCOMPARE(version.code, 0);
            QCOMPARE(version.json["version"_L1].toString(), QStringLiteral(DISKWRIGHT_VERSION));
        }
    }
    void aLostOutputIsAnError()
    {
        std::ostringstream out;
        out.setstate(std::ios::badbit);
        std::ostringstream err;
        QCOMPARE(runCommandLine({"--version"}, out, err), 1);
        QVERIFY(!err.str().empty());
    }
    void everyErrorHasAnExitCode()
    {
        for (int code = 0; code <= static_cast<int>(lastErrc); ++code) {
            const int exit = static_cast<int>(exitCodeFor(static_cast<Errc>(code)));
            QVERIFY(exit >= 0 && exit <= 8);
            QCOMPARE(exit == 0, code == 0);
        }
        QCOMPARE(exitCodeFor(Errc::Busy), ExitCode::Busy);
        QCOMPARE(exitCodeFor(Errc::NotAuthorized), ExitCode::NotAuthorized);
        QCOMPARE(exitCodeFor(Errc::OutOfRange), ExitCode::Refused);
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
