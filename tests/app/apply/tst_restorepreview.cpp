// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/restorepreview.h"

#include "app/apply/rescuenote.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace diskwright;

namespace {

struct Tree {
    Tree()
    {
        write(u"proc/sys/kernel/random/boot_id"_s, "01234567-89ab-cdef-0123-456789abcdef\n");
        write(u"proc/sys/vm/dirty_ratio"_s, "20\n");
        write(u"proc/sys/vm/swappiness"_s, "60\n");
    }
    void write(const QString &relative, const QByteArray &bytes)
    {
        const QString path = folder.filePath(relative);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("can't write %s", qPrintable(path));
    }
    void change(int id, int start, const QByteArray &setting, int before, int after,
                const QByteArray &outcome = "applied", const QByteArray &extra = {},
                const QByteArray &reason = {})
    {
        const QByteArray name = QByteArray::number(id).rightJustified(32, '0');
        write(u"var/lib/diskwright/history/"_s + QString::fromLatin1(name) + u".json"_s,
              R"({"transaction":")" + name + R"(","time":100,"start":)" + QByteArray::number(start) +
                  R"(,"boot_id":"0123456789abcdef0123456789abcdef","uid":1000,"outcome":")" + outcome +
                  R"(","lease":false,"kept":false,"undoable":true,"reason":")" + reason + R"(",)" + extra +
                  R"("steps":[{"setting":")" + setting + R"(","id":null,"before":)" +
                  QByteArray::number(before) + R"(,"requested":)" + QByteArray::number(after) +
                  R"(,"after":)" + QByteArray::number(after) +
                  R"(,"result":"applied","errno":0,"message":""}]})");
    }
    void keep(const QByteArray &value, const QByteArray &original)
    {
        write(u"etc/diskwright/boot-set.json"_s,
              "{\n\"version\": 1,\n\"items\": [\n{\"setting\": \"vm/swappiness\", \"machine\": true, "
              "\"value\": " +
                  value + ", \"original\": {\"setting\": \"vm/swappiness\", \"value\": " + original +
                  "}, \"origin\": \"\", \"kept_at\": 12, \"boot_id\": \"other\"}\n]\n}\n");
    }
    RestorePreview preview(const std::vector<TrialRecord> &trials = {})
    {
        return previewRestore(folder.path(), trials).value();
    }
    QTemporaryDir folder;
};

} // namespace

class RestorePreviewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatCantBeReadIsNotNothing()
    {
        Tree tree;
        tree.write(u"var/lib/diskwright/history"_s, "no folder");
        const auto preview = previewRestore(tree.folder.path(), {});
        QVERIFY(!preview && preview.error().code == Errc::StateFile);
    }
    void nothingWasChanged()
    {
        Tree tree;
        QVERIFY(tree.preview().isEmpty());
    }

    void theFirstValueOfTheBootIsTheTarget()
    {
        Tree tree;
        // Of one second: only the start tells which was first.
        tree.change(2, 10, "vm::dirty_ratio", 20, 15);
        tree.change(1, 20, "vm::dirty_ratio", 15, 8);
        tree.write(u"proc/sys/vm/dirty_ratio"_s, "8\n");
        const auto preview = tree.preview();
        QCOMPARE(preview.steps.size(), 1U);
        QVERIFY(preview.steps[0].target == number(20));
        QVERIFY(preview.steps[0].now == number(8));
        QVERIFY(!preview.steps[0].foreign);
        tree.write(u"proc/sys/vm/dirty_ratio"_s, "9\n");
        QVERIFY(tree.preview().steps[0].foreign);
    }

    void whatWasPutBackDoesNotCount()
    {
        Tree tree;
        tree.change(1, 10, "vm::dirty_ratio", 20, 15, "undone", {}, "already undone");
        tree.change(2, 20, "vm::dirty_ratio", 15, 20, "undone");
        tree.write(u"proc/sys/vm/dirty_ratio"_s, "9\n");
        QVERIFY(tree.preview().isEmpty());
        tree.change(3, 30, "vm::dirty_ratio", 9, 20, "undone", R"("restores_all":true,)");
        QVERIFY(tree.preview().isEmpty());
    }

    void aTrialIsOurs()
    {
        Tree tree;
        tree.write(u"proc/sys/vm/dirty_ratio"_s, "15\n");
        TrialRecord trial;
        trial.items.push_back({{Domain::Vm, "", "dirty_ratio"}, "", "", number(20), number(15)});
        const auto preview = tree.preview({trial});
        QCOMPARE(preview.trials, 1U);
        QCOMPARE(preview.steps.size(), 1U);
        QVERIFY(!preview.steps[0].foreign);
        QVERIFY(preview.steps[0].target == number(20));
    }

    void keptValuesGoBackToTheirOriginal()
    {
        Tree tree;
        tree.keep("10", "60");
        tree.write(u"proc/sys/vm/swappiness"_s, "10\n");
        auto preview = tree.preview();
        QCOMPARE(preview.kept, 1U);
        QCOMPARE(preview.steps.size(), 1U);
        QVERIFY(preview.steps[0].kept);
        QVERIFY(preview.steps[0].target == number(60));
        QVERIFY(preview.steps[0].obstacle == Errc::None);
        tree.keep("10", "60000");
        preview = tree.preview();
        QVERIFY(preview.steps[0].obstacle == Errc::OutOfRange);
        tree.write(u"etc/diskwright/boot-set.json"_s, "half");
        QVERIFY(!previewRestore(tree.folder.path()));
    }

    void aKeptDiskIsTheOneThatTheRuleMatches()
    {
        Tree tree;
        const auto addDisk = [&](const QString &name, const QByteArray &number, const QByteArray &sectors) {
            const QString folder = u"sys/block/"_s + name + u'/';
            tree.write(folder + u"dev"_s, number + "\n");
            tree.write(folder + u"size"_s, sectors + "\n");
            tree.write(folder + u"queue/read_ahead_kb"_s, "512\n");
            tree.write(u"run/udev/data/b"_s + QString::fromLatin1(number), "E:ID_SERIAL=ONE\n");
        };
        tree.write(
            u"etc/diskwright/boot-set.json"_s,
            R"({"version":1,"items":[{"setting":"queue/read_ahead_kb","disk":{"id":"ata-ONE","wwn":"",)"
            R"("serial":"ONE","size_bytes":1024,"name":"sda"},"value":512,"original":)"
            R"({"setting":"queue/read_ahead_kb","value":128},"origin":"","kept_at":1,"boot_id":"other"}]})");
        addDisk(u"sda"_s, "8:0", "4");
        QCOMPARE(tree.preview().kept, 1U);
        QVERIFY2(tree.preview().steps.empty(), "another disk has its serial number");
        addDisk(u"sdb"_s, "8:16", "2");
        auto steps = tree.preview().steps;
        QCOMPARE(steps.size(), 1U);
        QCOMPARE(toText(steps[0].address), "queue:sdb:read_ahead_kb");
        QVERIFY(steps[0].obstacle == Errc::None && steps[0].target == number(128));
        addDisk(u"sdc"_s, "8:32", "2");
        steps = tree.preview().steps;
        QCOMPARE(steps.size(), 2U);
        for (const RestoreStep &step : steps)
            QVERIFY(step.obstacle == Errc::NoStableId);
    }

    void theRescueNoteNamesWhatIsKept()
    {
        Tree tree;
        QVERIFY(rescueNote(tree.folder.path())->contains(u"sets nothing at the start"_s));
        tree.keep("10", "60");
        const QString note = rescueNote(tree.folder.path()).value();
        QVERIFY(note.contains(u"vm::swappiness = 10   (before: 60)"_s));
        for (const QString &word : {u"diskwright.off"_s, u"diskwright-boot restore --yes"_s,
                                    u"/etc/udev/rules.d/80-diskwright.rules"_s})
            QVERIFY2(note.contains(word), qPrintable(word));
        for (const QString &line : note.split(u'\n', Qt::SkipEmptyParts))
            QVERIFY2(line.size() <= 90, qPrintable(line));
    }
};

QTEST_GUILESS_MAIN(RestorePreviewTest)
#include "tst_restorepreview.moc"
