// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/search.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QTranslator>

#include <algorithm>

using namespace diskwright;

namespace {

bool finds(const std::string &text, std::string_view id)
{
    return std::ranges::any_of(searchSettings(text), [&](const SearchHit &hit) {
        return hit.answer.settingId == id || (hit.answer.vanished && hit.answer.vanished->id == id);
    });
}

/// Knows one title in another language.
class OneTitle final : public QTranslator
{
public:
    QString translate(const char *context, const char *source, const char * /*remark*/,
                      int /*n*/) const override
    {
        const bool isIt = QLatin1StringView(context) == QLatin1StringView("SettingText") &&
                          QLatin1StringView(source) == QLatin1StringView("Read-ahead");
        return isIt ? QStringLiteral("Größe des Vorauslesens") : QString();
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

} // namespace

class TestSearch : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ranksNamesFirst()
    {
        const auto hits = searchSettings("swappiness");
        QVERIFY(!hits.empty());
        QCOMPARE(hits.front().match, Match::Exact);
        QCOMPARE(hits.front().answer.settingId, std::string("vm/swappiness"));
        QVERIFY(std::ranges::is_sorted(hits, {}, &SearchHit::match));
    }
    void findsByEverything()
    {
        QVERIFY(finds("read-ahead", "queue/read_ahead_kb"));
        QVERIFY(finds("READAHEAD", "queue/read_ahead_kb"));
        QVERIFY(finds("-a1024", "queue/read_ahead_kb"));
        QVERIFY(finds("usb copy", "bdi/max_bytes"));
        QVERIFY(finds("block size", "queue/logical_block_size"));
        QVERIFY(finds("pdflush", "vm/pdflush"));
        QVERIFY(finds("completely fair", "scheduler/cfq"));
        QVERIFY(finds("dirty", "vm/dirty_expire_centisecs"));
        QVERIFY(finds("dirty", "vm/dirty_writeback_centisecs"));
        QVERIFY(!finds("qqqq", "vm/swappiness"));
        QVERIFY(searchSettings("").empty());
        QVERIFY(searchSettings("   ").empty());
    }
    /// By kernel name, old name or option; never inside a sentence or a longer word.
    void namesAreWholeWordsOrBeginnings()
    {
        const auto named = [](const std::string &text) {
            std::vector<std::string> ids;
            for (const SearchHit &hit : searchSettings(text)) {
                if (hit.match <= Match::Name)
                    ids.push_back(hit.answer.vanished ? std::string(hit.answer.vanished->id)
                                                      : hit.answer.settingId);
            }
            return ids;
        };
        using Ids = std::vector<std::string>;
        for (const char *nothing : {"/", "//", "\n", " \n\t ", "-", "=", "e", "ma", "aster"})
            QCOMPARE(named(nothing), Ids{});
        QVERIFY(searchSettings("\n").empty() && searchSettings("/").empty());
        QCOMPARE(named("as"), Ids{"scheduler/anticipatory"});
        QCOMPARE(named("all"), Ids{"mount/xfs-log"}); // allocsize
        QCOMPARE(named("mem"), (Ids{"vm/compaction_proactiveness", "vm/memfd_noexec",
                                    "vm/memory_failure_early_kill", "vm/memory_failure_recovery"}));
        QCOMPARE(named("swapp"), Ids{"vm/swappiness"});
        QVERIFY(!named("ahead").empty() && !named("read ahead").empty());
    }
    /// What is found by its own name does not bring along what only has it inside an old name.
    void exactNamesAreAlone_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("wanted");
        QTest::newRow("read_expire") << QByteArray("read_expire")
                                     << QByteArray("iosched/mq-deadline/read_expire");
        QTest::newRow("sync") << QByteArray("sync") << QByteArray("mount/sync");
        QTest::newRow("async") << QByteArray("async") << QByteArray("mount/sync");
    }
    void exactNamesAreAlone()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, wanted);
        QVERIFY(finds(text.toStdString(), wanted.toStdString()));
        for (const SearchHit &hit : searchSettings(text.toStdString()))
            QVERIFY(
                hit.match > Match::Name || !hit.answer.vanished ||
                (hit.answer.vanished->id != "scheduler/sio" && hit.answer.vanished->id != "mount/discard"));
    }
    void hyphensAreUnderscores()
    {
        for (const char *text : {"read-ahead", "read_ahead", "read-ahead-kb", "Read-Ahead"}) {
            const auto hits = searchSettings(text);
            QVERIFY2(std::ranges::any_of(hits,
                                         [](const SearchHit &hit) {
                                             return hit.match <= Match::Name &&
                                                    hit.answer.settingId == "queue/read_ahead_kb";
                                         }),
                     text);
        }
        QVERIFY(!finds("nvme.io_queue_depth", "queue/queue_depth"));
        QVERIFY(finds("nvme.io_queue_depth", "nvme/io_queue_depth"));
        QVERIFY(finds("io_queue_depth", "nvme/io_queue_depth"));
    }
    void optionsAreCaseSensitive()
    {
        QVERIFY(finds("-a", "queue/read_ahead_kb") && !finds("-a", "drive/lookahead"));
        QVERIFY(finds("-A", "drive/lookahead") && !finds("-A", "queue/read_ahead_kb"));
        QVERIFY(finds("-z", "drive/reread") && !finds("-z", "drive/seagate"));
        QVERIFY(finds("-Z", "drive/seagate") && !finds("-Z", "drive/reread"));
        QVERIFY(finds("-F", "drive/flush") && finds("-E", "drive/cd-speed"));
        QVERIFY(finds("hdparm -a", "queue/read_ahead_kb") && !finds("hdparm -a", "drive/lookahead"));
    }
    void findsByTheTranslatedTitle()
    {
        QVERIFY(!finds("größe des vorauslesens", "queue/read_ahead_kb"));
        OneTitle german;
        QVERIFY(QCoreApplication::installTranslator(&german));
        QVERIFY(finds("größe des vorauslesens", "queue/read_ahead_kb"));
        QVERIFY(finds("VORAUSLESEN", "queue/read_ahead_kb"));
        QVERIFY(finds("Read-ahead", "queue/read_ahead_kb"));
        QCoreApplication::removeTranslator(&german);
    }
    void eachOnce()
    {
        for (const char *text : {"scheduler", "dirty", "hdparm", "e", "mq-deadline read"}) {
            const auto hits = searchSettings(text);
            for (std::size_t a = 0; a < hits.size(); ++a) {
                for (std::size_t b = a + 1; b < hits.size(); ++b)
                    QVERIFY(hits[a].answer.settingId != hits[b].answer.settingId ||
                            hits[a].answer.vanished != hits[b].answer.vanished);
            }
        }
    }
    void misspeltOnesAreSuggested_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char *text, const char *wanted) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(wanted);
        };
        row("vm.swapiness", "vm/swappiness");
        row("vm.swapiness=10", "vm/swappiness");
        row("swapinness", "vm/swappiness");
        row("vm/drity_ratio", "vm/dirty_ratio");
        row("queue:sda:read_ahed_kb", "queue/read_ahead_kb");
        row("nr_request", "queue/nr_requests");
        row("bdi/read_ahead_k", "bdi/read_ahead_kb");
        row("SHEDULER", "queue/scheduler");
        // the beginning of a name, and memory first where memory is named
        row("vm.dirty_backgr", "vm/dirty_background_bytes");
        row("/proc/sys/vm/dirty_expir", "vm/dirty_expire_centisecs");
        row("vm::dirty_expire", "vm/dirty_expire_centisecs");
        row("vm.read_expir", "iosched/mq-deadline/read_expire");
    }
    void misspeltOnesAreSuggested()
    {
        QFETCH(QString, text);
        QFETCH(QString, wanted);
        const auto similar = similarSettings(text.toStdString());
        QVERIFY(!similar.empty());
        QVERIFY(similar.size() <= 3);
        QCOMPARE(QString::fromStdString(similar.front()), wanted);
        QVERIFY(finds(text.toStdString(), wanted.toStdString()));
    }
    void farOnesAreNot()
    {
        for (const char *text : {"", "a", "vm.", "banana", "sdz", "elephant", "\xff\xff\xff\xff"})
            QVERIFY2(similarSettings(text).empty(), text);
    }
    void anyTextIsBounded()
    {
        for (const char *piece : {"a", "e ", "\xff", "swappines", "vm."}) {
            std::string text;
            while (text.size() < std::size_t{1024} * 1024)
                text += piece;
            text += std::string("\0noop", 5);
            QElapsedTimer timer;
            timer.start();
            QVERIFY(searchSettings(text).size() < 400);
            QVERIFY(similarSettings(text).size() <= 3);
            QVERIFY(timer.elapsed() < 2000);
        }
    }
    void writesAddresses()
    {
        QCOMPARE(addressOf("vm/swappiness"), std::string("vm::swappiness"));
        QCOMPARE(addressOf("queue/scheduler"), std::string("queue:DISK:scheduler"));
        QCOMPARE(addressOf("iosched/bfq/slice_idle", "sda"), std::string("iosched:sda:bfq/slice_idle"));
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "tst_search.moc"
