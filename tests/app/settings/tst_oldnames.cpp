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
            "queue/scheduler | queue/scheduler=none scheduler/noop");
        row("for i in sda sdb; do echo noop > /sys/block/$i/queue/scheduler; done",
            "queue/scheduler | queue/scheduler=none scheduler/noop");
        row("for i in ...; do echo noop > $i; done", "queue/scheduler=none scheduler/noop");
        row("cd /sys/block/sda/queue && echo 64 > nr_requests", "queue/nr_requests=64");
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
        row("cat /proc/sys/vm/block_dump", "vm/block_dump");
        row("/sys/block/sda/queue/iosched/quantum", "iosched/bfq/max_budget@sda scheduler/cfq-quantum");
        row("max_hw_sectors_kb", "queue/max_hw_sectors_kb");
        row("queue:sda:read_ahead_kb", "queue/read_ahead_kb@sda");
        row("queue:sda:read_ahead_kb=256", "queue/read_ahead_kb=256@sda");
        row("ACTION==\"add\", ATTR{queue/scheduler}=\"bfq\"", "queue/scheduler=bfq");
        // mounts
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
