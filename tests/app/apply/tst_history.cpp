// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/history.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cerrno>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace diskwright;

namespace {

const QByteArray thisBoot = "0123456789abcdef0123456789abcdef";

QByteArray entryText(const char *id, qint64 time, const QByteArray &extra = {},
                     const QByteArray &boot = thisBoot)
{
    return R"({"transaction":")" + QByteArray(id) + R"(","time":)" + QByteArray::number(time) +
           R"(,"boot_id":")" + boot +
           R"(","uid":1000,"outcome":"applied","lease":false,"kept":false,"undoable":true,"reason":"",)" +
           R"("steps":[{"setting":"queue:sda:read_ahead_kb","id":null,"before":128,"requested":256,)" +
           R"("after":256,"result":"applied","errno":0,"message":""})" + extra + "]}";
}

constexpr auto idA = "00000000000000000000000000000001";
constexpr auto idB = "00000000000000000000000000000002";

} // namespace

class HistoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void missingFolderIsEmpty();
    void aFolderThatCantBeReadIsNotEmpty();
    void aDamagedNoteOfTheGuardIsSaid();
    void readsNewestFirst();
    void valuesOfEarlierBootsAreOver();
    void skipsAndNamesHostileFiles_data();
    void skipsAndNamesHostileFiles();
    void findsOne();
    void readsTheKeptSet();
    void refusesABrokenKeptSet();
    void readsTheStartStatus();
    void verifiesWhatIsKept();
    void aDiskIsTheOneThatTheRuleMatches();
    void everyStateHasAWord();
    void theBootIdOfACopyNeverBlocks();

private:
    void write(const QString &relative, const QByteArray &bytes);
    void writeEntry(const QString &name, const QByteArray &bytes);
    [[nodiscard]] QString root() const { return m_root->path(); }

    std::unique_ptr<QTemporaryDir> m_root;
};

void HistoryTest::init()
{
    m_root = std::make_unique<QTemporaryDir>();
    write(u"proc/sys/kernel/random/boot_id"_s, "01234567-89ab-cdef-0123-456789abcdef\n");
}

void HistoryTest::write(const QString &relative, const QByteArray &bytes)
{
    const QString path = root() + u'/' + relative;
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

void HistoryTest::writeEntry(const QString &name, const QByteArray &bytes)
{
    write(u"var/lib/diskwright/history/"_s + name, bytes);
}

void HistoryTest::missingFolderIsEmpty()
{
    const History history = readHistory(root());
    QVERIFY(history.entries.empty());
    QVERIFY(history.skipped.empty());
}

void HistoryTest::aFolderThatCantBeReadIsNotEmpty()
{
    QVERIFY(!readHistory(root()).error);
    write(u"var/lib/diskwright/history"_s, "no folder");
    const History history = readHistory(root());
    QVERIFY(history.entries.empty());
    QVERIFY(history.error && history.error->code == Errc::StateFile && history.error->sysErrno == ENOTDIR);
}

void HistoryTest::aDamagedNoteOfTheGuardIsSaid()
{
    write(u"etc/diskwright/boot-set.json"_s,
          R"({"version":1,"items":[{"setting":"vm/swappiness","machine":true,"value":10,"origin":"",)"
          R"("kept_at":1}]})");
    QVERIFY(readStartStatus(root())->state == StartState::Probation);
    for (const char *text : {"", "{", "[]"}) {
        write(u"etc/diskwright/boot/state.json"_s, text);
        const auto status = readStartStatus(root());
        QVERIFY(!status && status.error().code == Errc::StateFile);
        QVERIFY(readKeptSet(root()));
    }
}

void HistoryTest::readsNewestFirst()
{
    writeEntry(QString::fromLatin1(idA) + u".json"_s, entryText(idA, 100));
    writeEntry(QString::fromLatin1(idB) + u".json"_s, entryText(idB, 200));
    writeEntry(u".tmp-of-the-helper"_s, "half");
    const History history = readHistory(root());
    QCOMPARE(history.entries.size(), 2U);
    QVERIFY(history.skipped.empty());
    QCOMPARE(history.entries[0].transaction, idB);
    const HistoryEntry &entry = history.entries[1];
    QCOMPARE(entry.timeSeconds, 100);
    QCOMPARE(entry.uid, 1000U);
    QVERIFY(entry.outcome == Outcome::Applied);
    QVERIFY(entry.undoable);
    QCOMPARE(entry.steps.size(), 1U);
    QCOMPARE(toText(entry.steps[0].address), "queue:sda:read_ahead_kb");
    QVERIFY(entry.steps[0].before == number(128));
    QVERIFY(entry.steps[0].result == StepResult::Applied);
}

void HistoryTest::valuesOfEarlierBootsAreOver()
{
    writeEntry(QString::fromLatin1(idA) + u".json"_s, entryText(idA, 100, {}, QByteArray(32, 'f')));
    const History history = readHistory(root());
    QCOMPARE(history.entries.size(), 1U);
    QVERIFY(!history.entries[0].undoable);
    QCOMPARE(history.entries[0].reason, "ended by restart");
}

void HistoryTest::skipsAndNamesHostileFiles_data()
{
    QTest::addColumn<QString>("fileName");
    QTest::addColumn<QByteArray>("bytes");
    const QString name = QString::fromLatin1(idA) + u".json"_s;
    QTest::newRow("other name") << u"passwd"_s << entryText(idA, 1);
    QTest::newRow("upper case") << u"0000000000000000000000000000000A.json"_s << entryText(idA, 1);
    QTest::newRow("empty") << name << QByteArray();
    QTest::newRow("garbage") << name << QByteArray(100, '\xff');
    QTest::newRow("a fraction") << name << entryText(idA, 1).replace("\"before\":128", "\"before\":1.5");
    QTest::newRow("beyond 64 bits") << name << entryText(idA, 1).replace("\"before\":128", "\"before\":1e22");
    QTest::newRow("escape in a setting")
        << name << entryText(idA, 1).replace("read_ahead_kb", "read_ahead\\u001b[31m");
    QTest::newRow("cut short") << name << entryText(idA, 1).chopped(3);
    QTest::newRow("another's id") << name << entryText(idB, 1);
    QTest::newRow("too long") << name << entryText(idA, 1) + QByteArray(2 * 1024 * 1024, ' ');
    QTest::newRow("number as text") << name << entryText(idA, 1).replace("\"time\":1", "\"time\":\"1\"");
    QTest::newRow("fraction of a uid") << name << entryText(idA, 1).replace("1000,", "-1,");
    QTest::newRow("unknown outcome") << name
                                     << entryText(idA, 1).replace("\"outcome\":\"applied\"",
                                                                  "\"outcome\":\"great\"");
    QTest::newRow("unknown result") << name
                                    << entryText(idA, 1).replace("\"result\":\"applied\"",
                                                                 "\"result\":\"great\"");
    QTest::newRow("no address") << name
                                << entryText(idA, 1).replace("queue:sda:read_ahead_kb", "/etc/shadow");
    QTest::newRow("list") << name << QByteArray("[1,2,3]");
}

void HistoryTest::skipsAndNamesHostileFiles()
{
    QFETCH(QString, fileName);
    QFETCH(QByteArray, bytes);
    writeEntry(QString::fromLatin1(idB) + u".json"_s, entryText(idB, 200));
    writeEntry(fileName, bytes);
    const History history = readHistory(root());
    QCOMPARE(history.entries.size(), 1U);
    QCOMPARE(history.entries[0].transaction, idB);
    QCOMPARE(history.skipped.size(), 1U);
    QCOMPARE(history.skipped[0].name, fileName.toStdString());
    QVERIFY(!history.skipped[0].reason.empty());
}

void HistoryTest::findsOne()
{
    writeEntry(QString::fromLatin1(idA) + u".json"_s, entryText(idA, 100));
    QVERIFY(readHistoryEntry(idA, root()));
    QVERIFY(readHistoryEntry(idB, root()).error().code == Errc::UnknownTransaction);
    const auto bad = readHistoryEntry("../../../etc/passwd", root());
    QVERIFY(bad.error().code == Errc::UnknownTransaction);
    QVERIFY(bad.error().accepted.contains("32"));
    QVERIFY(QFile::link(u"/etc/hostname"_s,
                        root() + u"/var/lib/diskwright/history/"_s + QString::fromLatin1(idB) + u".json"_s));
    QVERIFY(readHistoryEntry(idB, root()).error().code == Errc::StateFile);
}

void HistoryTest::readsTheKeptSet()
{
    const auto none = readKeptSet(root());
    QVERIFY(none);
    QVERIFY(!none->present);
    const QByteArray text =
        "{\n\"version\": 1,\n\"items\": [\n"
        R"({"setting": "queue/read_ahead_kb", "disk": {"id": "wwn-0x1", "wwn": "0x1", "serial": "", )"
        R"("size_bytes": 512, "name": "sda"}, "value": 256, "original": {"setting": "queue/read_ahead_kb", )"
        R"("value": 128}, "origin": "", "kept_at": 12, "boot_id": "x"})"
        ",\n"
        R"({"setting": "queue/scheduler", "class": "usb-removable", "value": "bfq", "original": )"
        R"({"setting": "queue/scheduler", "value": "none"}, "origin": "Music", "kept_at": 13, "boot_id": "x"})"
        ",\n"
        R"({"setting": "vm/dirty_bytes", "machine": true, "value": 67108864, "original": )"
        R"({"setting": "vm/dirty_ratio", "value": 20}, "origin": "", "kept_at": 14, "boot_id": "x"})"
        "\n]\n}\n";
    write(u"etc/diskwright/boot-set.json"_s, text);
    const auto set = readKeptSet(root());
    QVERIFY(set);
    QVERIFY(set->present);
    QVERIFY(set->useAtStart);
    QCOMPARE(set->items.size(), 3U);
    QCOMPARE(set->items[0].target, "wwn-0x1");
    QCOMPARE(set->items[0].kernelName, "sda");
    QCOMPARE(set->items[1].target, "usb-removable");
    QCOMPARE(set->items[1].origin, "Music");
    QVERIFY(set->items[2].value == number(67108864));
    QVERIFY(set->items[2].target.empty());
    const QByteArray hash = QCryptographicHash::hash(text, QCryptographicHash::Sha256);
    QVERIFY(
        std::ranges::equal(set->sha256, hash, {}, {}, [](char c) { return static_cast<std::uint8_t>(c); }));
}

void HistoryTest::refusesABrokenKeptSet()
{
    for (const char *text : {"", "{}", "{\"version\": 2, \"items\": []}", "{\"version\": 1, \"items\": [1]}",
                             "{\"version\": 1, \"items\": [{\"setting\": \"nosuch\"}]}"}) {
        write(u"etc/diskwright/boot-set.json"_s, text);
        const auto set = readKeptSet(root());
        QVERIFY2(!set, text);
        QVERIFY(set.error().code == Errc::StateFile);
    }
}

void HistoryTest::readsTheStartStatus()
{
    const auto none = readStartStatus(root());
    QVERIFY(none);
    QVERIFY(none->state == StartState::None);
    // What held at the start, and has been forgotten since.
    write(u"run/diskwright/boot.json"_s, R"({"state":"proven","total":2,"holds":2,"items":[]})");
    QVERIFY(readStartStatus(root())->state == StartState::None);
    QCOMPARE(readStartStatus(root())->total, 0);
    write(u"etc/diskwright/boot-set.json"_s, "{}");
    QVERIFY(!readStartStatus(root()));
}

void HistoryTest::verifiesWhatIsKept()
{
    write(
        u"etc/diskwright/boot-set.json"_s,
        R"({"version":1,"items":[{"setting":"vm/dirty_ratio","machine":true,"value":10,"origin":"","kept_at":1},)"
        R"({"setting":"vm/dirty_background_ratio","machine":true,"value":5,"origin":"","kept_at":1},)"
        R"({"setting":"queue/read_ahead_kb","disk":{"id":"wwn-0x1","wwn":"0x1","serial":"","size_bytes":1024,)"
        R"("name":"sda"},"value":8,"origin":"","kept_at":1}]})");
    write(u"proc/sys/vm/dirty_ratio"_s, "10\n");
    write(u"proc/sys/vm/dirty_background_ratio"_s, "7\n");
    const auto status = readStartStatus(root());
    QVERIFY(status);
    QVERIFY(status->state == StartState::Probation);
    QCOMPARE(status->total, 3);
    QCOMPARE(status->holds, 1);
    QVERIFY(status->items[1].state == StartItemState::Differs);
    QVERIFY(status->items[1].current == number(7));
    QVERIFY(status->items[2].state == StartItemState::NotYetSeen);
    QCOMPARE(status->items[2].setting, "queue:wwn-0x1:read_ahead_kb");
    for (const auto &[aside, state] :
         {std::pair("switched-off", StartState::Off), std::pair("unfinished", StartState::SetAside),
          std::pair("command-line", StartState::SetAside), std::pair("no", StartState::Proven)}) {
        write(u"etc/diskwright/boot/state.json"_s,
              QByteArray(R"({"proven":true,"aside":")") + aside + R"("})");
        QVERIFY(readStartStatus(root())->state == state);
        QCOMPARE(readKeptSet(root())->useAtStart, state != StartState::Off);
    }
}

// As the rule does it: by what udev says and the size, never by the link that the id is.
void HistoryTest::aDiskIsTheOneThatTheRuleMatches()
{
    const auto addDisk = [&](const QString &name, const char *number, const char *wwn, const char *sectors) {
        const QString folder = u"sys/block/"_s + name + u'/';
        write(folder + u"dev"_s, QByteArray(number) + "\n");
        write(folder + u"size"_s, QByteArray(sectors) + "\n");
        write(folder + u"queue/read_ahead_kb"_s, "8\n");
        write(u"run/udev/data/b"_s + QString::fromLatin1(number),
              QByteArray("S:disk/by-id/wwn-0x1\nE:ID_WWN_WITH_EXTENSION=") + wwn + "\n");
    };
    write(u"etc/diskwright/boot-set.json"_s,
          R"({"version":1,"items":[{"setting":"queue/read_ahead_kb","disk":{"id":"wwn-0x1","wwn":"0x1",)"
          R"("serial":"","size_bytes":1024,"name":"sda"},"value":8,"origin":"","kept_at":1}]})");
    addDisk(u"sda"_s, "8:0", "0x2", "2");
    addDisk(u"sdb"_s, "8:16", "0x1", "4");
    QVERIFY(QDir(root()).mkpath(u"dev/disk/by-id"_s));
    QVERIFY(QFile::link(u"../../sdb"_s, root() + u"/dev/disk/by-id/wwn-0x1"_s));
    auto status = readStartStatus(root());
    QVERIFY(status);
    QCOMPARE(status->total, 1);
    QVERIFY(status->items[0].state == StartItemState::NotYetSeen);
    addDisk(u"sdc"_s, "8:32", "0x1", "2");
    status = readStartStatus(root());
    QCOMPARE(status->total, 1);
    QCOMPARE(status->items[0].setting, "queue:sdc:read_ahead_kb");
    QVERIFY(status->items[0].state == StartItemState::Holds);
    addDisk(u"sdd"_s, "8:48", "0x1", "2");
    QCOMPARE(readStartStatus(root())->total, 2);

    const auto set = readKeptSet(root());
    const SettingSpec &spec = *findSetting("queue/read_ahead_kb");
    DiskFacts facts{.name = "sdc", .wwn = "0x1", .serial = {}, .bus = {}, .sizeBytes = 1024};
    QCOMPARE(findKept(*set, spec, &facts), &set->items[0]);
    facts.sizeBytes = 2048;
    QVERIFY(!findKept(*set, spec, &facts));
    QVERIFY(!findKept(*set, spec, nullptr));
}

// A copy of a machine may hold anything: a pipe that nobody writes to, a link to endless zeroes.
void HistoryTest::theBootIdOfACopyNeverBlocks()
{
    QCOMPARE(bootIdOf(root()), "0123456789abcdef0123456789abcdef");
    const QString path = root() + u"/proc/sys/kernel/random/boot_id"_s;
    QVERIFY(QFile::remove(path));
    QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    QCOMPARE(bootIdOf(root()), "");
    QVERIFY(QFile::remove(path) && QFile::link(u"/dev/zero"_s, path));
    QCOMPARE(bootIdOf(root()), "");
    QVERIFY(QFile::remove(path));
    QCOMPARE(bootIdOf(root()), "");
}

void HistoryTest::everyStateHasAWord()
{
    QCOMPARE(name(StartState::None), "none");
    QCOMPARE(name(StartState::Probation), "probation");
    QCOMPARE(name(StartState::Proven), "proven");
    QCOMPARE(name(StartState::SetAside), "set-aside");
    QCOMPARE(name(StartState::Off), "off");
    QCOMPARE(name(StartItemState::NotYetSeen), "not-yet-seen");
}

QTEST_GUILESS_MAIN(HistoryTest)
#include "tst_history.moc"
