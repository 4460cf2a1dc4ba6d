// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "faketree.h"

#include <QTest>

#include <atomic>
#include <cstdio>
#include <thread>
#include <unistd.h>

using namespace diskwright;

class TestSystemRoot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // As the kernel makes it: the disk's folder lies below its device's, and its data's in memory elsewhere.
    void theDisksTwoLinksAreFollowed()
    {
        const FakeTree tree;
        tree.file("sys/devices/host0/0:0:0:0/queue_depth", "32\n");
        tree.file("sys/devices/host0/0:0:0:0/block/sda/size", "2048\n");
        tree.link("sys/devices/host0/0:0:0:0/block/sda/device", "../../../0:0:0:0");
        tree.file("sys/devices/virtual/bdi/8:0/max_ratio", "100\n");
        tree.link("sys/devices/host0/0:0:0:0/block/sda/bdi", "../../../../virtual/bdi/8:0");
        tree.link("sys/block/sda", "../devices/host0/0:0:0:0/block/sda");
        const auto disk = tree.root().blockDevice("sda").value();
        QCOMPARE(disk.read("device/queue_depth").value(), std::string("32\n"));
        QCOMPARE(disk.read("bdi/max_ratio").value(), std::string("100\n"));
        QVERIFY(disk.has("bdi/max_ratio") && disk.isWritable("bdi/max_ratio"));
        QVERIFY(!disk.has("bdi/max_bytes"));
        {
            auto file = disk.openForWriting("bdi/max_ratio");
            QVERIFY(file);
            QCOMPARE(::write(file->get(), "50", 2), 2);
        }
        QCOMPARE(disk.read("bdi/max_ratio").value(), std::string("50"));
    }

    void aNumberIsAllOfItsFile()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        const auto disk = tree.root().blockDevice("sda").value();
        const std::pair<const char *, std::optional<std::int64_t>> texts[] = {
            {"0\n", 0},
            {"42", 42},
            {"-1\n", -1},
            {"9223372036854775807\n", INT64_MAX},
            {"9223372036854775808\n", std::nullopt},
            {"", std::nullopt},
            {"\n", std::nullopt},
            {" 1\n", std::nullopt},
            {"1 \n", std::nullopt},
            {"1\n\n", std::nullopt},
            {"1\n2\n", std::nullopt},
            {"0x10\n", std::nullopt},
            {"+1\n", std::nullopt},
            {"none\n", std::nullopt},
        };
        for (const auto &[text, expected] : texts) {
            tree.file("sys/block/sda/queue/number", text);
            QVERIFY2(disk.readNumber("queue/number") == expected, text);
        }
        QVERIFY(!disk.readNumber("queue/absent"));
    }

    void nothingElseIs()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.file("sys/kernel/uevent_helper", "\n");
        tree.link("sys/block/sda/other", "../../kernel");
        tree.link("sys/block/sda/queue", "../../kernel");
        tree.file("etc/max_ratio", "1\n");
        tree.link("sys/block/sda/bdi", "../../../etc");
        tree.link("sys/block/sda/device", "/etc");
        const auto disk = tree.root().blockDevice("sda").value();
        for (const char *path : {"other/uevent_helper", "queue/uevent_helper", "bdi/max_ratio",
                                 "device/hostname", "bdi/../dev", "device/../dev"}) {
            const auto text = disk.read(path);
            QVERIFY2(!text, path);
            QVERIFY2(!disk.openForWriting(path), path);
            QVERIFY2(!disk.has(path), path);
        }
    }

    // While others rename, the kernel may answer EAGAIN to whoever walks a link with ".." in it.
    void renamesElsewhereDoNotDisturb()
    {
        const FakeTree tree;
        tree.file("sys/devices/host0/0:0:0:0/block/sda/dev", "8:0\n");
        tree.file("sys/devices/host0/0:0:0:0/queue_depth", "32\n");
        tree.link("sys/devices/host0/0:0:0:0/block/sda/device", "../../../0:0:0:0");
        tree.link("sys/block/sda", "../devices/host0/0:0:0:0/block/sda");
        tree.file("a", "");
        const std::string one = (tree.path() / "a").string();
        const std::string other = (tree.path() / "b").string();
        std::atomic<bool> isOver = false;
        int failed = 0;
        {
            const std::jthread renamer([&] {
                while (!isOver) {
                    std::rename(one.c_str(), other.c_str());
                    std::rename(other.c_str(), one.c_str());
                }
            });
            const SystemRoot root = tree.root();
            for (int look = 0; look < 20'000; ++look) {
                const auto disk = root.blockDevice("sda");
                failed += !disk || !disk->read("device/queue_depth");
            }
            isOver = true;
        }
        QCOMPARE(failed, 0);
    }

    void aLinkBehindALinkIsNot()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        tree.file("sys/devices/virtual/bdi/8:0/max_ratio", "100\n");
        tree.file("sys/kernel/secret", "1\n");
        tree.link("sys/devices/virtual/bdi/8:0/max_bytes", "../../../../kernel/secret");
        tree.link("sys/block/sda/bdi", "../../devices/virtual/bdi/8:0");
        const auto disk = tree.root().blockDevice("sda").value();
        QVERIFY(disk.read("bdi/max_ratio"));
        QVERIFY(!disk.read("bdi/max_bytes"));
    }
};

QTEST_APPLESS_MAIN(TestSystemRoot)

#include "tst_systemroot.moc"
