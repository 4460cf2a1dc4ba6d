// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/shown.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace diskwright;

class TestShown : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void noneIsInTheCatalogue()
    {
        for (const ShownSetting &row : shownSettings())
            QVERIFY2(!findSetting(row.id), std::string(row.id).c_str());
    }
    void allAreExplained()
    {
        std::set<std::string_view> ids;
        for (const ShownSetting &row : shownSettings()) {
            QVERIFY2(ids.insert(row.id).second, std::string(row.id).c_str());
            QVERIFY(!row.title.empty() && row.title.size() <= 60);
            QVERIFY2(row.text.ends_with('.'), std::string(row.id).c_str());
            QVERIFY2(row.why.ends_with('.'), std::string(row.id).c_str());
            QVERIFY(row.document.starts_with("Documentation/"));
            for (const std::string_view view : {row.title, row.text, row.why})
                QCOMPARE(view.data()[view.size()], '\0');
            QCOMPARE(findShown(row.id), &row);
        }
        QVERIFY(std::ranges::is_sorted(shownSettings(), {}, &ShownSetting::id));
        QVERIFY(noDescription().ends_with('.'));
    }
    void whatMustNeverBeWrittenIsHere()
    {
        for (const char *id : {"queue/write_cache", "queue/fua", "queue/io_poll", "queue/io_timeout",
                               "queue/stable_writes", "queue/logical_block_size", "vm/overcommit_memory",
                               "vm/overcommit_ratio", "vm/drop_caches", "vm/min_unmapped_ratio"})
            QVERIFY2(findShown(id), id);
        QVERIFY(findShown("queue/write_cache")->why.find("believes") != std::string_view::npos);
    }
    void actionsAreNotRead()
    {
        for (const char *id : {"vm/drop_caches", "vm/compact_memory", "vm/stat_refresh"})
            QVERIFY(!findShown(id)->isRead);
    }
    void findsByDomainAndKey()
    {
        QCOMPARE(findShown(Domain::Queue, "fua"), findShown("queue/fua"));
        QVERIFY(!findShown(Domain::Vm, "fua"));
        QVERIFY(!findShown(Domain::Queue, ""));
        QVERIFY(!findShown("queue/"));
    }
};

QTEST_APPLESS_MAIN(TestShown)
#include "tst_shown.moc"
