// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/kerneldefault.h"
#include "tests/helper/access/faketree.h"

#include <QString>
#include <QTest>

#include <map>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

struct Machine {
    FakeTree tree;
    BlockNode disk;

    explicit Machine(const std::string &name)
    {
        disk.name = name;
        tree.disk(name, "8:0");
    }
    void file(const std::string &relative, const std::string &text) const
    {
        tree.file("sys/block/" + disk.name + '/' + relative, text);
    }
    [[nodiscard]] std::string defaultOf(std::string_view id) const
    {
        const SystemRoot root = tree.root();
        const auto value = kernelDefault(root, root.blockDevice(disk.name).value(), disk, *findSetting(id));
        return value ? toText(*value) : std::string("unknown");
    }
};

} // namespace

class TestKernelDefault : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void scheduler_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("queues");
        QTest::addColumn<QString>("listed");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("one queue") << u"sda"_s << 1 << u"none [bfq] mq-deadline\n"_s << u"mq-deadline"_s;
        QTest::newRow("mq-deadline not there") << u"sda"_s << 1 << u"[none]\n"_s << u"unknown"_s;
        QTest::newRow("nvme") << u"nvme0n1"_s << 8 << u"[none] mq-deadline\n"_s << u"none"_s;
        QTest::newRow("nvme with one queue")
            << u"nvme0n1"_s << 1 << u"[none] mq-deadline\n"_s << u"mq-deadline"_s;
        QTest::newRow("virtio, several") << u"vda"_s << 2 << u"[none] mq-deadline\n"_s << u"none"_s;
        QTest::newRow("scsi, several may be shared")
            << u"sda"_s << 4 << u"[none] mq-deadline\n"_s << u"unknown"_s;
        QTest::newRow("no queues shown") << u"sda"_s << 0 << u"none [mq-deadline]\n"_s << u"unknown"_s;
        QTest::newRow("loop") << u"loop0"_s << 1 << u"[none] mq-deadline\n"_s << u"none"_s;
        QTest::newRow("stacked") << u"dm-0"_s << 1 << u"[none] mq-deadline\n"_s << u"unknown"_s;
    }
    void scheduler()
    {
        QFETCH(QString, name);
        QFETCH(int, queues);
        QFETCH(QString, listed);
        QFETCH(QString, wanted);
        const Machine machine(name.toStdString());
        for (int queue = 0; queue < queues; ++queue)
            machine.file("mq/" + std::to_string(queue) + "/nr_tags", "32\n");
        machine.file("queue/scheduler", listed.toStdString());
        QCOMPARE(machine.defaultOf("queue/scheduler"), wanted.toStdString());
    }
    void requests_data()
    {
        QTest::addColumn<QString>("scheduler");
        QTest::addColumn<QString>("tags");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("SATA") << u"mq-deadline"_s << u"32\n"_s << u"64"_s;
        QTest::newRow("USB with bfq") << u"bfq"_s << u"1\n"_s << u"2"_s;
        QTest::newRow("deep queue") << u"kyber"_s << u"1023\n"_s << u"256"_s;
        QTest::newRow("none") << u"none"_s << u"1023\n"_s << u"1023"_s;
        QTest::newRow("no scheduler file") << u""_s << u"32\n"_s << u"unknown"_s;
        QTest::newRow("no tags") << u"bfq"_s << u""_s << u"unknown"_s;
        QTest::newRow("zero tags") << u"bfq"_s << u"0\n"_s << u"unknown"_s;
        QTest::newRow("rubbish") << u"bfq"_s << u"many\n"_s << u"unknown"_s;
        QTest::newRow("rubbish behind") << u"bfq"_s << u"32 x\n"_s << u"unknown"_s;
    }
    void requests()
    {
        QFETCH(QString, scheduler);
        QFETCH(QString, tags);
        QFETCH(QString, wanted);
        Machine machine("sda");
        if (!scheduler.isEmpty())
            machine.disk.scheduler = scheduler.toStdString();
        machine.file("mq/0/nr_tags", tags.toStdString());
        QCOMPARE(machine.defaultOf("queue/nr_requests"), wanted.toStdString());
    }
    void readAhead_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("rotational");
        QTest::addColumn<QString>("optimal");
        QTest::addColumn<QString>("release");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("solid state") << u"sda"_s << false << u"0\n"_s << u"6.18.1\n"_s << u"128"_s;
        QTest::newRow("optimal request")
            << u"sda"_s << false << u"33553920\n"_s << u"6.12.1\n"_s << u"65532"_s; // whole pages
        QTest::newRow("small optimal request")
            << u"nvme0n1"_s << false << u"4096\n"_s << u"6.12.1\n"_s << u"128"_s;
        QTest::newRow("rotating, old rule")
            << u"sda"_s << true << u"0\n"_s << u"6.12.48+deb13\n"_s << u"128"_s;
        QTest::newRow("rotating, newer rule")
            << u"sda"_s << true << u"0\n"_s << u"6.18.0\n"_s << u"unknown"_s;
        QTest::newRow("rotating, kernel unknown") << u"sda"_s << true << u"0\n"_s << u"\n"_s << u"unknown"_s;
        QTest::newRow("rotating with optimal request")
            << u"sda"_s << true << u"1048576\n"_s << u"6.18.0\n"_s << u"2048"_s;
        QTest::newRow("stacked") << u"md0"_s << false << u"0\n"_s << u"6.12.1\n"_s << u"unknown"_s;
        QTest::newRow("rubbish") << u"sda"_s << false << u"x\n"_s << u"6.12.1\n"_s << u"unknown"_s;
        QTest::newRow("absurd") << u"sda"_s << false << u"9223372036854775807\n"_s << u"6.12.1\n"_s
                                << u"unknown"_s;
    }
    void readAhead()
    {
        QFETCH(QString, name);
        QFETCH(bool, rotational);
        QFETCH(QString, optimal);
        QFETCH(QString, release);
        QFETCH(QString, wanted);
        Machine machine(name.toStdString());
        machine.disk.rotational = rotational;
        machine.file("queue/optimal_io_size", optimal.toStdString());
        machine.tree.file("proc/sys/kernel/osrelease", release.toStdString());
        QCOMPARE(machine.defaultOf("queue/read_ahead_kb"), wanted.toStdString());
    }
    void fixedOnes()
    {
        QCOMPARE(kernelDefault(*findSetting("vm/dirty_ratio")), std::optional(number(20)));
        QCOMPARE(kernelDefault(*findSetting("vm/dirty_background_ratio")), std::optional(number(10)));
        QCOMPARE(kernelDefault(*findSetting("vm/dirty_bytes")), std::optional(number(0)));
        QCOMPARE(kernelDefault(*findSetting("iosched/mq-deadline/read_expire")), std::optional(number(500)));
    }
    void plainQueues()
    {
        for (const auto &[id, wanted] : std::map<std::string, std::string>{
                 {"queue/iostats", "1"}, {"queue/nomerges", "0"}, {"queue/rq_affinity", "1"}}) {
            QCOMPARE(Machine("sda").defaultOf(id), wanted);
            QCOMPARE(Machine("loop0").defaultOf(id), std::string("unknown")); // loop merges nothing itself
        }
        for (const char *id :
             {"queue/add_random", "queue/rotational", "queue/wbt_lat_usec", "queue/queue_depth",
              "queue/async_depth", "iosched/bfq/timeout_sync", "bdi/max_bytes"})
            QCOMPARE(Machine("sda").defaultOf(id), std::string("unknown"));
        QCOMPARE(Machine("sda").defaultOf("iosched/bfq/slice_idle"), std::string("8"));
        QCOMPARE(Machine("sda").defaultOf("bdi/strict_limit"), std::string("0"));
    }
    void largestRequest_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("hardware");
        QTest::addColumn<QString>("optimal");
        QTest::addColumn<QString>("release");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("small hardware")
            << u"nvme0n1"_s << u"512\n"_s << u"0\n"_s << u"6.12.1\n"_s << u"512"_s;
        QTest::newRow("capped") << u"nvme0n1"_s << u"2147483647\n"_s << u"0\n"_s << u"6.1.0\n"_s << u"1280"_s;
        QTest::newRow("newer rule") << u"nvme0n1"_s << u"512\n"_s << u"0\n"_s << u"6.18.0\n"_s
                                    << u"unknown"_s;
        QTest::newRow("optimal") << u"nvme0n1"_s << u"512\n"_s << u"4096\n"_s << u"6.12.1\n"_s
                                 << u"unknown"_s;
        QTest::newRow("scsi") << u"sda"_s << u"512\n"_s << u"0\n"_s << u"6.12.1\n"_s << u"unknown"_s;
        QTest::newRow("rubbish") << u"nvme0n1"_s << u"much\n"_s << u"0\n"_s << u"6.12.1\n"_s << u"unknown"_s;
        QTest::newRow("no kernel") << u"nvme0n1"_s << u"512\n"_s << u"0\n"_s << u"\n"_s << u"unknown"_s;
    }
    void largestRequest()
    {
        QFETCH(QString, name);
        QFETCH(QString, hardware);
        QFETCH(QString, optimal);
        QFETCH(QString, release);
        QFETCH(QString, wanted);
        const Machine machine(name.toStdString());
        machine.file("queue/max_hw_sectors_kb", hardware.toStdString());
        machine.file("queue/optimal_io_size", optimal.toStdString());
        machine.file("queue/minimum_io_size", "512\n");
        machine.tree.file("proc/sys/kernel/osrelease", release.toStdString());
        QCOMPARE(machine.defaultOf("queue/max_sectors_kb"), wanted.toStdString());
    }
    void largestTrim()
    {
        const Machine machine("sda");
        QCOMPARE(machine.defaultOf("queue/discard_max_bytes"), std::string("unknown"));
        machine.file("queue/discard_max_hw_bytes", "2147450880\n");
        QCOMPARE(machine.defaultOf("queue/discard_max_bytes"), std::string("2147450880"));
    }
    void versions_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("minor");
        QTest::newRow("debian") << u"6.12.117+deb13-amd64"_s << 6 << 12;
        QTest::newRow("short") << u"7.3"_s << 7 << 3;
        QTest::newRow("candidate") << u"6.18-rc1"_s << 6 << 18;
        QTest::newRow("empty") << u""_s << -1 << -1;
        QTest::newRow("one number") << u"6"_s << -1 << -1;
        QTest::newRow("words") << u"six.twelve"_s << -1 << -1;
        QTest::newRow("negative") << u"-6.1"_s << -1 << -1;
        QTest::newRow("overflow") << u"99999999999.1"_s << -1 << -1;
    }
    void versions()
    {
        QFETCH(QString, text);
        QFETCH(int, major);
        QFETCH(int, minor);
        const auto version = parseKernelVersion(text.toStdString());
        QCOMPARE(version.has_value(), major >= 0);
        if (version) {
            QCOMPARE(version->major, major);
            QCOMPARE(version->minor, minor);
        }
    }
};

QTEST_APPLESS_MAIN(TestKernelDefault)
#include "tst_kerneldefault.moc"
