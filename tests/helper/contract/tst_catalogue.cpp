// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/contract/catalogue.h"

#include <QTest>

#include <set>

using namespace diskwright;

namespace {

const SettingSpec &row(std::string_view id)
{
    const SettingSpec *spec = findSetting(id);
    if (!spec)
        qFatal("no such row");
    return *spec;
}

std::set<std::string_view> all(bool (*relation)(const SettingSpec &, const SettingSpec &) noexcept,
                               std::string_view cause)
{
    std::set<std::string_view> found;
    for (const SettingSpec &other : catalogue()) {
        if (relation(row(cause), other) && other.scheduler != "adios" && other.scheduler != "bfq" &&
            other.scheduler != "kyber")
            found.insert(other.id);
    }
    return found;
}

using Ids = std::set<std::string_view>;

} // namespace

class TestCatalogue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // What can cost data or hang a machine is on no list of root's.
    void neverListed_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const char *id : {"queue/write_cache",
                               "queue/fua",
                               "queue/io_timeout",
                               "queue/io_poll",
                               "queue/io_poll_delay",
                               "queue/stable_writes",
                               "queue/zoned_qd1_writes",
                               "queue/write_zeroes_unmap_max_bytes",
                               "bdi/min_ratio",
                               "bdi/min_bytes",
                               "bdi/min_ratio_fine",
                               "bdi/read_ahead_kb",
                               "vm/drop_caches",
                               "vm/overcommit_memory",
                               "vm/overcommit_ratio",
                               "vm/overcommit_kbytes",
                               "vm/compact_memory",
                               "vm/lowmem_reserve_ratio",
                               "vm/panic_on_oom",
                               "vm/nr_hugepages",
                               "vm/max_map_count",
                               "vm/zone_reclaim_mode",
                               "vm/mmap_min_addr",
                               "iosched/adios/reset_bq_stats",
                               "iosched/adios/reset_lat_model",
                               "iosched/adios/lat_model_read"})
            QTest::newRow(id) << QByteArray(id);
    }
    void neverListed()
    {
        QFETCH(QByteArray, id);
        QCOMPARE(findSetting(id.toStdString()), nullptr);
        const qsizetype slash = id.indexOf('/');
        const auto domain = domainFromName(id.left(slash).toStdString());
        QVERIFY(domain);
        QCOMPARE(findSetting(*domain, id.mid(slash + 1).toStdString()), nullptr);
    }

    void everyFamilyIsThere()
    {
        std::set<Domain> domains;
        std::set<std::string_view> schedulers;
        for (const SettingSpec &spec : catalogue()) {
            domains.insert(spec.domain);
            if (!spec.scheduler.empty())
                schedulers.insert(spec.scheduler);
        }
        QCOMPARE(domains, (std::set{Domain::Queue, Domain::IoSched, Domain::Bdi, Domain::Vm}));
        QCOMPARE(schedulers, (Ids{"mq-deadline", "kyber", "bfq", "adios"}));
        QCOMPARE(row("queue/queue_depth").attribute, "device/queue_depth");
        QCOMPARE(row("bdi/strict_limit").attribute, "bdi/strict_limit");
        QCOMPARE(row("vm/page-cluster").attribute, "page-cluster");
        QCOMPARE(row("iosched/bfq/slice_idle").attribute, "queue/iosched/slice_idle");
        QCOMPARE(row("iosched/bfq/slice_idle").key, "bfq/slice_idle");
    }

    // The order in which a queue is written: who resets others comes before them.
    void causesComeFirst()
    {
        for (const SettingSpec &cause : catalogue()) {
            for (const SettingSpec &other : catalogue()) {
                if (resets(cause, other) || disturbs(cause, other))
                    QVERIFY2(cause.order < other.order,
                             (std::string(cause.id) + " before " + std::string(other.id)).c_str());
            }
        }
    }

    void whatResetsWhat()
    {
        QCOMPARE(all(resets, "queue/scheduler"),
                 (Ids{"queue/nr_requests", "queue/async_depth", "queue/wbt_lat_usec",
                      "iosched/mq-deadline/async_depth", "iosched/mq-deadline/fifo_batch",
                      "iosched/mq-deadline/front_merges", "iosched/mq-deadline/prio_aging_expire",
                      "iosched/mq-deadline/read_expire", "iosched/mq-deadline/write_expire",
                      "iosched/mq-deadline/writes_starved"}));
        QCOMPARE(all(resets, "queue/nr_requests"),
                 (Ids{"queue/async_depth", "iosched/mq-deadline/async_depth"}));
        QCOMPARE(all(resets, "vm/dirty_ratio"), Ids());
        for (const char *limit : {"queue/rotational", "queue/max_sectors_kb", "queue/iostats",
                                  "queue/add_random", "queue/discard_max_bytes"})
            QCOMPARE(all(disturbs, limit), Ids{"queue/read_ahead_kb"});
        QCOMPARE(all(disturbs, "queue/nomerges"), Ids());
    }

    void oneValueUnderSeveralNames()
    {
        const auto same = [](std::string_view one, std::string_view other) {
            const bool is = isSameValue(row(one), row(other));
            return is == isSameValue(row(other), row(one)) && is;
        };
        QVERIFY(same("bdi/max_ratio", "bdi/max_ratio"));
        QVERIFY(same("bdi/max_ratio", "bdi/max_bytes"));
        QVERIFY(same("bdi/max_ratio", "bdi/max_ratio_fine"));
        QVERIFY(same("iosched/bfq/slice_idle", "iosched/bfq/slice_idle_us"));
        QVERIFY(same("vm/dirty_bytes", "vm/dirty_ratio"));
        QVERIFY(!isSameValue(row("vm/dirty_bytes"), row("vm/dirty_background_bytes")));
        QVERIFY(!isSameValue(row("queue/nomerges"), row("queue/rq_affinity")));
        QVERIFY(!isSameValue(row("bdi/strict_limit"), row("bdi/max_ratio")));
    }
};

QTEST_APPLESS_MAIN(TestCatalogue)

#include "tst_catalogue.moc"
