// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "runline.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

using Outcome = test::LineOutcome;

Outcome run(const char *machine, const std::vector<std::string> &arguments)
{
    return test::runLine(arguments, std::string(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/health/") + machine);
}

} // namespace

class TestWhyCommand : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void asDocument()
    {
        const Outcome outcome = run("sata-slowed-down", {"why", "sda", "--json"});
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.err, QByteArray());
        QCOMPARE(outcome.json.keys(),
                 QStringList({u"disk"_s, u"disks"_s, u"facts"_s, u"findings"_s, u"not_known"_s}));
        QCOMPARE(outcome.json[u"disk"].toString(), u"sda"_s);
        const QJsonObject finding = outcome.json[u"findings"][0].toObject();
        QCOMPARE(finding.keys(), QStringList({u"device"_s, u"fact"_s, u"help"_s, u"id"_s, u"severity"_s,
                                              u"source"_s, u"text"_s}));
        QCOMPARE(finding[u"id"].toString(), u"sata-link-lowered"_s);
        QCOMPARE(finding[u"severity"].toString(), u"slow"_s);
        QVERIFY(finding[u"text"].toString().contains(u"1.5 Gbps"_s));
        QVERIFY(finding[u"source"].toString().startsWith(u"/sys/devices/"_s));
        const QJsonObject fact = outcome.json[u"facts"][0].toObject();
        QCOMPARE(fact.keys(), QStringList({u"device"_s, u"id"_s, u"source"_s, u"value"_s}));
        const QJsonObject unknown = outcome.json[u"not_known"][0].toObject();
        QCOMPARE(unknown.keys(), QStringList({u"device"_s, u"id"_s, u"text"_s}));
    }
    void asText()
    {
        const Outcome outcome = run("misaligned-hdd", {"why", "/data"});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.startsWith("Slow: The partition sdb1 does not begin"), outcome.out.constData());
        QVERIFY(outcome.out.contains("\nNot known:\n"));
        QVERIFY(outcome.out.contains("\nLooked at:\n"));
        QVERIFY(outcome.out.contains("SATA speed"));
    }
    void nothingFound()
    {
        const Outcome outcome = run("sound-ssd", {"why", "sda"});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.startsWith("Nothing found that slows this disk.\n"), outcome.out.constData());
    }
    void nothingLookedAt()
    {
        QTemporaryDir tree;
        QVERIFY(QDir(tree.path()).mkpath(u"sys/block/sda/slaves/sdb"_s));
        QVERIFY(QDir(tree.path()).mkpath(u"sys/block/sdb/slaves/sda"_s));
        std::ostringstream out;
        std::ostringstream err;
        QCOMPARE(runCommandLine({"--root", tree.path().toStdString(), "why", "sda"}, out, err), 0);
        QVERIFY2(out.str().starts_with("Nothing of this disk could be looked at.\n"), out.str().c_str());
        QVERIFY(out.str().contains("none was found"));
    }
    void unknownDisks()
    {
        const Outcome outcome = run("hdd-swap", {"why", "sdz", "--json"});
        QCOMPARE(outcome.code, 3);
        QCOMPARE(outcome.json[u"error"][u"input"].toString(), u"sdz"_s);
        QVERIFY(outcome.json[u"error"][u"accepted"].toString().startsWith(u"sda"_s));
        QCOMPARE(run("hdd-swap", {"why"}).code, 2);
        QCOMPARE(run("hdd-swap", {"why", "sda", "sdb"}).code, 2);
    }
};

QTEST_APPLESS_MAIN(TestWhyCommand)
#include "tst_whycommand.moc"
