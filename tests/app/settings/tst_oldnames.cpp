// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/oldnames.h"

#include <QElapsedTimer>
#include <QString>
#include <QTest>

#include <algorithm>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

/// "queue/scheduler=none@sda scheduler/noop" for each answer, joined by " | ".
std::string answersTo(const std::string &text)
{
    std::string all;
    for (const OldNameAnswer &answer : findByOldName(text)) {
        std::string one = answer.settingId;
        if (answer.value)
            one += '=' + toText(*answer.value);
        if (!answer.target.empty())
            one += '@' + answer.target;
        if (answer.vanished)
            one += (one.empty() ? "" : " ") + std::string(answer.vanished->id);
        all += (all.empty() ? "" : " | ") + one;
    }
    return all;
}

} // namespace

class TestOldNames : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isFound_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted"); // the first answers
        const auto row = [](const char *text, const char *wanted) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(wanted);
        };
        // hdparm and blockdev count sectors of 512 bytes
        row("-a1024", "queue/read_ahead_kb=512");
        row("-a 1024", "queue/read_ahead_kb=512");
        row("hdparm -a1024 /dev/sda", "queue/read_ahead_kb=512@sda");
        row("sudo /sbin/hdparm -a 256 /dev/sdb", "queue/read_ahead_kb=128@sdb");
        row("hdparm -a /dev/sda", "queue/read_ahead_kb@sda");
        row("blockdev --setra 1024 /dev/sda", "queue/read_ahead_kb=512@sda");
        row("--setra 8192", "queue/read_ahead_kb=4096");
        row("blockdev --getra /dev/sda", "queue/read_ahead_kb@sda");
        row("read_ahead_sect = 1024", "queue/read_ahead_kb=512");
        row("-a1023", "queue/read_ahead_kb=508"); // whole pages
        row("-a0", "queue/read_ahead_kb=0");
        row("-Q1", "queue/queue_depth=1");
        row("-d1", "drive/dma");
        row("-m16", "drive/multcount");
        row("-c3", "drive/io32");
        row("-u1", "drive/unmask");
        row("-k1", "drive/keep");
        row("-K1", "drive/keep");
        row("-X66", "drive/xfermode");
        row("-X", "drive/xfermode");
        row("-A1", "drive/lookahead");
        row("-W0", "queue/write_cache drive/write_cache");
        row("-B255", "drive/apm");
        row("-M", "drive/aam");
        row("-S", "drive/standby");
        row("-tT", "drive/bench");
        row("hdparm -d1 -m16 -a1024 /dev/sda",
            "@sda drive/dma | @sda drive/multcount | queue/read_ahead_kb=512@sda");
        // several in one word, as getopt and hdparm take them
        row("hdparm -d1u1a1024 /dev/hda", "@hda drive/dma | @hda drive/unmask | queue/read_ahead_kb=512@hda");
        row("-d1u1m16", "drive/dma | drive/unmask | drive/multcount");
        row("-A0a512", "drive/lookahead | queue/read_ahead_kb=256");
        row("-qa1024u1", "queue/read_ahead_kb=512 | drive/unmask");
        row("hdparm -qa 1024 -u1 /dev/sda", "queue/read_ahead_kb=512@sda | @sda drive/unmask");
        row("-Xudma5d1", "drive/xfermode | drive/dma");
        row("-W0Q1", "queue/write_cache drive/write_cache | queue/queue_depth=1");
        row("-z", "drive/reread");
        row("-Z", "drive/seagate");
        row("-D1", "drive/defects");
        row("multcount:16", "drive/multcount");
        row("file_readahead:124", "queue/read_ahead_kb proc/ide-file_readahead");
        row("multcount:16 in /proc/ide/hda/settings", "drive/multcount | proc/ide");
        row("/proc/ide/hda/settings", "proc/ide");
        row("echo using_dma:1 > /proc/ide/hda/settings", "drive/dma | proc/ide");
        row("mult_sect_io = 16", "drive/multcount");
        row("spindown_time = 60", "drive/standby");
        row("/dev/discs", "dev/devfs");
        row("/dev/discs/disc0/part1", "dev/devfs");
        row("/dev/hda", "dev/hda");
        // schedulers
        row("noop", "queue/scheduler=none scheduler/noop");
        row("NOOP", "queue/scheduler=none scheduler/noop");
        row("deadline", "queue/scheduler=mq-deadline scheduler/deadline");
        row("cfq", "queue/scheduler scheduler/cfq");
        row("as", "queue/scheduler scheduler/anticipatory");
        row("anticipatory", "queue/scheduler scheduler/anticipatory");
        row("sio", "queue/scheduler scheduler/sio");
        row("bfq", "queue/scheduler=bfq");
        row("none", "queue/scheduler=none");
        row("elevator=cfq", "queue/scheduler boot/elevator | queue/scheduler scheduler/cfq");
        row("quiet elevator=noop splash",
            "queue/scheduler boot/elevator | queue/scheduler=none scheduler/noop");
        row("ide=nodma", "boot/ide");
        row("idebus=66", "boot/ide");
        row("GRUB_CMDLINE_LINUX=elevator=cfq",
            "queue/scheduler boot/elevator | queue/scheduler scheduler/cfq");
        row("GRUB_CMDLINE_LINUX=\"elevator=cfq\"",
            "queue/scheduler boot/elevator | queue/scheduler scheduler/cfq");
        row("GRUB_CMDLINE_LINUX_DEFAULT=\"quiet elevator=cfq\"",
            "queue/scheduler boot/elevator | queue/scheduler scheduler/cfq");
        row("for i in /sys/block/sd?/queue/scheduler; do echo noop > $i; done",
            "queue/scheduler=none | queue/scheduler=none scheduler/noop");
        row("for i in sda sdb; do echo noop > /sys/block/$i/queue/scheduler; done",
            "queue/scheduler=none@sda | queue/scheduler=none@sda scheduler/noop | "
            "queue/scheduler=none@sdb | queue/scheduler=none@sdb scheduler/noop");
        row("for d in /dev/sda /dev/sdb; do hdparm -a 1024 ${d}; done",
            "queue/read_ahead_kb=512@sda | queue/read_ahead_kb=512@sdb");
        row("echo deadline > /sys/block/sda/queue/scheduler",
            "queue/scheduler=mq-deadline@sda | queue/scheduler=mq-deadline@sda scheduler/deadline");
        row("for i in ...; do echo noop > $i; done", "queue/scheduler=none scheduler/noop");
        row("cd /sys/block/sda/queue && echo 64 > nr_requests", "queue/nr_requests=64@sda");
        row("group_isolation", "queue/scheduler scheduler/cfq-group_isolation");
        row("quantum", "iosched/bfq/max_budget scheduler/cfq-quantum");
        row("slice_sync", "iosched/bfq/timeout_sync scheduler/cfq-slice_sync");
        row("slice_idle", "iosched/bfq/slice_idle");
        row("antic_expire", "queue/scheduler scheduler/anticipatory");
        row("wr_max_time", "iosched/bfq/low_latency scheduler/bfq-old");
        row("iosched/fifo_batch", "iosched/mq-deadline/fifo_batch");
        row("fifo_batch", "iosched/mq-deadline/fifo_batch");
        row("elvtune", "iosched/mq-deadline/read_expire tool/elvtune");
        row("ionice -c 3 cp a b", "tool/ionice");
        row("elvtune -r 64 /dev/hda", "dev/hda | iosched/mq-deadline/read_expire tool/elvtune");
        // memory
        row("pdflush", "vm/dirty_writeback_centisecs vm/pdflush");
        row("nr_pdflush_threads", "vm/nr_pdflush_threads");
        row("vm.nr_pdflush_threads", "vm/nr_pdflush_threads");
        row("vm.scan_unevictable_pages", "vm/scan_unevictable_pages");
        row("max_readahead", "queue/read_ahead_kb vm/max-readahead");
        row("block_dump", "vm/block_dump");
        row("swap_token_timeout", "vm/swappiness vm/swap_token_timeout");
        row("laptop_mode", "vm/laptop_mode");
        row("bdflush", "vm/dirty_background_ratio vm/bdflush");
        row("vm.dirty_ratio=5", "vm/dirty_ratio=5");
        row("vm.dirty_ratio = 5", "vm/dirty_ratio=5");
        row("vm.dirty_ratio =5", "vm/dirty_ratio=5");
        row("sysctl -w vm.dirty_ratio=5", "vm/dirty_ratio=5");
        row("vm.dirty_bytes=268435456", "vm/dirty_bytes=268435456");
        row("dirty_bytes", "vm/dirty_bytes");
        row("dirty_writeback", "vm/dirty_writeback_centisecs");
        row("dirty_expire", "vm/dirty_expire_centisecs");
        row("dirty_writeback_centisecs", "vm/dirty_writeback_centisecs");
        row("dirty_expire_centisecs", "vm/dirty_expire_centisecs");
        row("vm.overcommit_memory=2", "vm/overcommit_memory");
        row("vm::swappiness", "vm/swappiness");
        // paths
        row("/sys/block/sda/queue/read_ahead_kb", "queue/read_ahead_kb@sda");
        row("/sys/block/sda/queue/iosched/fifo_batch", "iosched/mq-deadline/fifo_batch@sda");
        row("/sys/block/sda/device/queue_depth", "queue/queue_depth@sda");
        row("/sys/block/sda/bdi/max_ratio", "bdi/max_ratio@sda");
        row("/sys/class/bdi/8:0/max_ratio", "bdi/max_ratio");
        row("/proc/sys/vm/dirty_ratio", "vm/dirty_ratio");
        row("echo 64 > /sys/block/sda/queue/nr_requests", "queue/nr_requests=64@sda");
        row("echo 64 >/sys/block/sda/queue/nr_requests", "queue/nr_requests=64@sda");
        row("echo bfq | sudo tee /sys/block/sda/queue/scheduler", "queue/scheduler=bfq@sda");
        row("echo cfq > /sys/block/sda/queue/scheduler",
            "queue/scheduler@sda | queue/scheduler@sda scheduler/cfq");
        row("echo 10 > /proc/sys/vm/swappiness", "vm/swappiness=10");
        row("echo -n 10 >> /proc/sys/vm/swappiness", "vm/swappiness=10");
        row("echo 64 > /sys/block/sda/queue/nr_requests 2>/dev/null", "queue/nr_requests=64@sda");
        row("printf 5 > /proc/sys/vm/dirty_ratio", "vm/dirty_ratio=5");
        row("printf '5\\n' > /proc/sys/vm/dirty_ratio", "vm/dirty_ratio=5");
        row("printf '%s\\n' 5 > /proc/sys/vm/dirty_ratio", "vm/dirty_ratio=5");
        row("echo 5 | sudo tee -a /proc/sys/vm/dirty_ratio > /dev/null", "vm/dirty_ratio=5");
        row("tee /proc/sys/vm/swappiness <<< 10", "vm/swappiness=10");
        row("sudo tee /proc/sys/vm/swappiness <<<'10'", "vm/swappiness=10");
        row("sudo sh -c 'echo noop > /sys/block/sda/queue/scheduler'",
            "queue/scheduler=none@sda | queue/scheduler=none@sda scheduler/noop");
        row("bash -c \"echo 5 >/proc/sys/vm/dirty_ratio\"", "vm/dirty_ratio=5");
        row("su - root -c 'echo 5 > /proc/sys/vm/dirty_ratio'", "vm/dirty_ratio=5");
        row("root@host:~# echo 5 > /proc/sys/vm/dirty_ratio", "vm/dirty_ratio=5");
        row("user@pc:~$ sudo hdparm -a1024 /dev/sda", "queue/read_ahead_kb=512@sda");
        row("[root@pc ~]# blockdev --setra 1024 /dev/sda", "queue/read_ahead_kb=512@sda");
        row("$ sudo sysctl -w vm.dirty_ratio=5", "vm/dirty_ratio=5");
        row("# echo 5 > /proc/sys/vm/dirty_ratio", "vm/dirty_ratio=5");
        row("vm.dirty_ratio = 5 # less", "vm/dirty_ratio=5");
        row("echo write back > /sys/block/sda/queue/write_cache", "queue/write_cache@sda");
        // what only reads asks for no value
        for (const char *reader : {"cat", "head -n 1", "less", "sudo more", "/bin/cat", "watch cat", "grep .",
                                   "grep noop", "ls -l", "awk 1"}) {
            QTest::addRow("%s a scheduler", reader)
                << QString::fromLatin1(reader) + u" /sys/block/sda/queue/scheduler"_s
                << u"queue/scheduler@sda"_s;
            QTest::addRow("%s a sysctl", reader)
                << QString::fromLatin1(reader) + u" /proc/sys/vm/swappiness"_s << u"vm/swappiness"_s;
        }
        // partitions are answered as their disks, and each disk and command
        row("hdparm -a 1024 /dev/sda1", "queue/read_ahead_kb=512@sda");
        row("blockdev --setra 1024 /dev/nvme0n1p2", "queue/read_ahead_kb=512@nvme0n1");
        row("blockdev --setra=1024 /dev/mmcblk0p1", "queue/read_ahead_kb=512@mmcblk0");
        row("hdparm -Q1 /dev/vda1", "queue/queue_depth=1@vda");
        row("hdparm -a1024 -d1 /dev/sda /dev/sdb",
            "queue/read_ahead_kb=512@sda | @sda drive/dma | queue/read_ahead_kb=512@sdb");
        row("blockdev --setra 1024 /dev/sda /dev/sdb",
            "queue/read_ahead_kb=512@sda | queue/read_ahead_kb=512@sdb");
        row("hdparm -a1024 /dev/sda; sysctl vm.dirty_ratio=5 && echo 10 > /proc/sys/vm/swappiness",
            "queue/read_ahead_kb=512@sda | vm/dirty_ratio=5 | vm/swappiness=10");
        row("vm.dirty_ratio = 5\nvm.swappiness = 10", "vm/dirty_ratio=5 | vm/swappiness=10");
        row("vm.dirty_expire", "vm/dirty_expire_centisecs");
        row("/proc/sys/vm/dirty_expire", "vm/dirty_expire_centisecs");
        row("cat /proc/sys/vm/block_dump", "vm/block_dump");
        row("/sys/block/sda/queue/iosched/quantum", "iosched/bfq/max_budget@sda scheduler/cfq-quantum");
        row("max_hw_sectors_kb", "queue/max_hw_sectors_kb");
        row("queue:sda:read_ahead_kb", "queue/read_ahead_kb@sda");
        row("queue:sda:read_ahead_kb=256", "queue/read_ahead_kb=256@sda");
        row("ACTION==\"add\", ATTR{queue/scheduler}=\"bfq\"", "queue/scheduler=bfq");
        // what drives and tools are told
        row("-w", "drive/reset");
        row("-b0", "drive/bus");
        row("-x1", "drive/bus");
        row("hdparm -U 1 /dev/hda", "@hda drive/bus");
        row("-E8", "drive/cd-speed");
        row("-f", "vm/dirty_expire_centisecs drive/flush");
        row("-F", "vm/dirty_expire_centisecs drive/flush");
        row("blockdev --flushbufs /dev/sda", "vm/dirty_expire_centisecs@sda drive/flush");
        row("-L0", "drive/doorlock");
        row("hdparm --security-erase PASSWORD /dev/sda", "@sda drive/long-options");
        row("hdparm --whatever /dev/sda", "@sda drive/long-options");
        row("blockdev --setbsz 4096 /dev/sda", "queue/logical_block_size@sda drive/block-size");
        row("blockdev --getmaxsect /dev/sda", "queue/max_sectors_kb@sda");
        row("blockdev --getss --getpbsz /dev/sda",
            "queue/logical_block_size@sda | queue/physical_block_size@sda");
        row("blockdev --getsize64 /dev/sda", "@sda drive/size");
        row("blockdev --report", "drive/size");
        row("write_cache = off", "queue/write_cache drive/write_cache");
        row("/dev/sda {\n write_cache = off\n}", "queue/write_cache drive/write_cache");
        row("write_cache", "queue/write_cache");
        row("sdparm --set WCE /dev/sda", "queue/write_cache@sda drive/write_cache");
        row("sdparm --clear=WCE /dev/sda1", "queue/write_cache@sda drive/write_cache");
        row("sdparm --all /dev/sda", "tool/sdparm");
        // other places
        row("vm.hugepages_treat_as_movable=1", "vm/hugepages_treat_as_movable");
        row("/proc/sys/vm/hugepages_treat_as_movable", "vm/hugepages_treat_as_movable");
        row("vm.lower_zone_protection", "vm/lowmem_reserve_ratio vm/lower_zone_protection");
        row("vm.extra_free_kbytes", "vm/watermark_scale_factor vm/extra_free_kbytes");
        row("vm.heap-stack-gap", "vm/heap-stack-gap");
        row("vm.inactive_clean_percent", "vm/dirty_background_ratio vm/inactive_clean_percent");
        row("vm.pagecache_limit_mb=1024", "vm/swappiness vm/pagecache_limit_mb");
        row("dev.raid.speed_limit_max=200000", "md/sync_speed");
        row("echo 50000 > /proc/sys/dev/raid/speed_limit_min", "md/sync_speed");
        row("echo max > /sys/block/md0/md/sync_speed_max", "@md0 md/sync_speed");
        row("echo 8192 > /sys/block/md0/md/stripe_cache_size", "@md0 md/stripe_cache_size");
        row("fs.xfs.xfssyncd_centisecs", "fs/xfssyncd");
        row("/proc/sys/fs/xfs/xfssyncd_centisecs", "fs/xfssyncd");
        row("dm_mod.use_blk_mq=y", "boot/dm_use_blk_mq");
        row("libata.noacpi=1", "link/libata-noacpi");
        row("/dev/raw/raw1", "dev/raw");
        row("hdc=ide-scsi", "boot/ide-scsi | dev/hda");
        row("nvme.io_queue_depth=64", "queue/nr_requests nvme/io_queue_depth");
        row("/sys/module/nvme/parameters/io_queue_depth", "queue/nr_requests nvme/io_queue_depth");
        row("transparent_hugepage=never", "vm/transparent_hugepage");
        row("echo never > /sys/kernel/mm/transparent_hugepage/enabled", "vm/transparent_hugepage");
        row("zcache", "vm/zcache");
        row("ramzswap", "vm/ramzswap");
        row("blkio.weight", "cgroup/weight");
        row("bfq_weight", "cgroup/weight");
        row("nr_congestion_on", "queue/nr_requests queue/nr_congestion");
        // mounts
        row("mount -o journal_async_commit /dev/sda1 /mnt", "mount/journal-checksum");
        row("nodelalloc", "mount/delalloc");
        row("largeio", "mount/xfs-place");
        row("inode64", "mount/xfs-place");
        row("allocsize=64m", "mount/xfs-log");
        row("nodelaylog", "mount/xfs-old");
        row("ihashsize=100", "mount/xfs-old");
        row("osyncisdsync", "mount/xfs-old");
        row("orlov", "mount/ext-old");
        row("nobh,oldalloc", "mount/ext-old");
        row("data_err=abort", "mount/data_err");
        row("no_journal_checksum", "mount/journal-checksum");
        row("inode_cache", "mount/inode_cache");
        row("data=writeback", "mount/data");
        row("noatime", "mount/atime");
        row("nodiratime", "mount/nodiratime");
        row("commit=60", "vm/dirty_expire_centisecs mount/commit");
        row("barrier=0", "mount/barrier");
        row("tune2fs -o journal_data_writeback /dev/sda1", "mount/data");
        row("mount -o noatime /dev/sda1 /mnt", "mount/atime");
        row("/dev/sda1 / ext4 noatime,nodiratime,data=writeback 0 1",
            "mount/atime | mount/nodiratime | mount/data");
    }
    void isFound()
    {
        QFETCH(QString, text);
        QFETCH(QString, wanted);
        QCOMPARE(QString::fromStdString(answersTo(text.toStdString())), wanted);
    }
    void saysHowItConverted()
    {
        const auto answers = findByOldName("-a1024");
        QCOMPARE(answers.size(), std::size_t{1});
        QCOMPARE(answers.front().note, std::string("1024 sectors of 512 bytes are 512 KiB"));
    }
    void refusesValuesWithAReason_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("more than fits") << QByteArray("-a99999999999999999999");
        QTest::newRow("largest number") << QByteArray("-a9223372036854775807");
        QTest::newRow("words") << QByteArray("-a=many");
        QTest::newRow("negative") << QByteArray("--setra -1");
        QTest::newRow("out of range") << QByteArray("vm.dirty_ratio=500");
        QTest::newRow("not whole") << QByteArray("vm.dirty_ratio=5.5");
        QTest::newRow("not off") << QByteArray("vm.dirty_ratio=");
        QTest::newRow("hostile") << QByteArray("vm.dirty_ratio=\xff\xfe\x1b[2J");
        QTest::newRow("scheduler that is gone") << QByteArray("echo cfq > /sys/block/sda/queue/scheduler");
    }
    void refusesValuesWithAReason()
    {
        QFETCH(QByteArray, text);
        const auto answers = findByOldName(text.toStdString());
        QVERIFY(!answers.empty());
        QVERIFY(!answers.front().value);
        QVERIFY(!answers.front().note.empty() || text.endsWith('='));
        QVERIFY(answers.front().note.size() < 300);
        QVERIFY(std::ranges::all_of(answers.front().note, [](char c) { return c >= 0x20 && c < 0x7f; }));
    }
    void nothingIsMadeUp_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"",         " ",
                                 "-",        "--",
                                 "-1",       "/",
                                 "//",       "=",
                                 ":",        "::",
                                 ",",        ",,,,",
                                 "echo",     "hdparm",
                                 "sysctl",   "sysctl -p",
                                 "xyzzy",    "a",
                                 "vm.",      "vm.swapiness",
                                 "/dev/sda", "/sys/block/sda",
                                 "echo > ",  "queue:",
                                 "\\",       ">",
                                 "| |",      "-é"})
            QTest::newRow(text) << QByteArray(text);
        QTest::newRow("NUL") << QByteArray("\0\0\0", 3);
        QTest::newRow("no UTF-8") << QByteArray("\xff\xfe\x80");
    }
    void nothingIsMadeUp()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(answersTo(text.toStdString()), std::string());
    }
    void controlCharactersSeparate()
    {
        QCOMPARE(answersTo(std::string("no\0op", 5)), std::string());
        QCOMPARE(answersTo(std::string("elevator=noop\0x", 15)),
                 std::string("queue/scheduler boot/elevator | queue/scheduler=none scheduler/noop"));
    }
    void anyTextIsBounded_data()
    {
        QTest::addColumn<QByteArray>("piece");
        for (const char *piece : {"a", "-a1 ", "noop,", "vm.", "/", "x=y ", ":", "echo 1 > /sys/block/",
                                  "--setra ", "ATTR{", "\xff", "elevator=noop "})
            QTest::newRow(piece) << QByteArray(piece);
    }
    void anyTextIsBounded()
    {
        QFETCH(QByteArray, piece);
        const std::string text = piece.repeated(1024 * 1024 / piece.size()).toStdString();
        QElapsedTimer timer;
        timer.start();
        const auto answers = findByOldName(text);
        QVERIFY(answers.size() < 16);
        QVERIFY(timer.elapsed() < 1000);
        for (const OldNameAnswer &answer : answers)
            QVERIFY(answer.note.size() < 300 && answer.target.size() <= 32);
    }
};

QTEST_APPLESS_MAIN(TestOldNames)
#include "tst_oldnames.moc"
