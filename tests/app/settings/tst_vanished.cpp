// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/vanished.h"

#include "app/settings/kerneldefault.h"
#include "app/settings/shown.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace diskwright;

class TestVanished : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyEntryTellsItsStory()
    {
        std::set<std::string_view> seen;
        for (const VanishedSetting &entry : vanishedSettings()) {
            const std::string id(entry.id);
            QVERIFY2(seen.insert(entry.id).second && seen.insert(entry.title).second, id.c_str());
            QVERIFY2(entry.was.ends_with('.') && entry.today.ends_with('.'), id.c_str());
            QVERIFY2(!entry.names.empty(), id.c_str());
            QVERIFY2(entry.since.empty() || parseKernelVersion(entry.since), id.c_str());
            QVERIFY2(entry.setting.empty() || findSetting(entry.setting) || findShown(entry.setting),
                     id.c_str());
            for (const std::string_view view : {entry.title, entry.was, entry.today})
                QCOMPARE(view.data()[view.size()], '\0');
            QCOMPARE(findVanished(entry.id), &entry);
        }
        QVERIFY(std::ranges::is_sorted(vanishedSettings(), {}, &VanishedSetting::id));
        QVERIFY(!findVanished("") && !findVanished("zzz"));
    }
    void noNameMeansTwoThings()
    {
        std::map<std::string_view, std::string_view> owner;
        for (const VanishedSetting &entry : vanishedSettings()) {
            for (const std::string_view known : entry.names)
                QVERIFY2(owner.emplace(known, entry.id).second, std::string(known).c_str());
        }
    }
    void goneOnesSayWhen()
    {
        for (const auto &[id, since] :
             std::map<const char *, const char *>{{"scheduler/noop", "5.0"},
                                                  {"scheduler/cfq", "5.0"},
                                                  {"scheduler/anticipatory", "2.6.33"},
                                                  {"vm/pdflush", "2.6.32"},
                                                  {"vm/block_dump", "5.14"},
                                                  {"vm/swap_token_timeout", "2.6.20"},
                                                  {"proc/ide", "5.14"},
                                                  {"boot/ide", "2.6.27"},
                                                  {"boot/use_blk_mq", "5.7"},
                                                  {"mount/reiserfs", "6.13"},
                                                  {"mount/xfs-old", "4.0"},
                                                  {"mount/inode_cache", "5.11"},
                                                  {"boot/dm_use_blk_mq", "5.0"},
                                                  {"vm/hugepages_treat_as_movable", "4.16"},
                                                  {"vm/zcache", "3.11"},
                                                  {"dev/raw", "5.14"},
                                                  {"dev/devfs", "2.6.18"}}) {
            QVERIFY2(findVanished(id), id);
            QCOMPARE(findVanished(id)->fate, Fate::Gone);
            QCOMPARE(findVanished(id)->since, since);
        }
        // The threads went first, the file years later.
        QCOMPARE(findVanished("vm/nr_pdflush_threads")->since, "4.15");
        QVERIFY(findVanished("vm/nr_pdflush_threads")->today.contains("went in Linux 2.6.32"));
        QVERIFY(findVanished("scheduler/deadline")->today.contains("still takes the word deadline"));
        QVERIFY(findVanished("scheduler/noop")->today.contains("refuses"));
        QVERIFY(findVanished("drive/dma")->today.contains("unless the link falls back to PIO"));
        QCOMPARE(findVanished("drive/aam")->fate, Fate::Elsewhere);
        QVERIFY(findShown("queue/io_poll_delay")->why.contains("Since Linux 6.4"));
        QCOMPARE(findVanished("boot/elevator")->fate, Fate::NoEffect);
        QCOMPARE(findVanished("scheduler/sio")->fate, Fate::OutOfTree);
        QCOMPARE(findVanished("mount/atime")->fate, Fate::Elsewhere);
        QVERIFY(findVanished("mount/atime")->today.contains("first read after each change"));
        QVERIFY(findVanished("mount/xfs-place")->was.contains("inode64"));
        QVERIFY(!findVanished("mount/xfs-log")->today.contains("inode64"));
        for (const Fate fate : {Fate::Gone, Fate::NoEffect, Fate::Elsewhere, Fate::OutOfTree})
            QVERIFY(!name(fate).empty());
    }
};

QTEST_APPLESS_MAIN(TestVanished)
#include "tst_vanished.moc"
