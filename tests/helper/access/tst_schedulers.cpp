// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/access/schedulers.h"
#include "tests/helper/access/faketree.h"

#include <QTest>

using namespace diskwright;
using Words = std::vector<std::string>;

class TestSchedulers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void addsInstalledModules()
    {
        const FakeTree tree;
        tree.file("proc/sys/kernel/osrelease", "6.12.1\n");
        tree.file("lib/modules/6.12.1/modules.dep",
                  "kernel/block/bfq.ko.xz:\nkernel/block/kyber-iosched.ko.zst:\n");
        tree.file("lib/modules/6.12.1/modules.builtin", "kernel/block/mq-deadline.ko\n");
        QCOMPARE(installedSchedulers(tree.root()), (Words{"mq-deadline", "kyber", "bfq"}));
        QCOMPARE(offeredSchedulers(tree.root(), {"none", "mq-deadline"}),
                 (Words{"none", "mq-deadline", "kyber", "bfq"}));
    }
    void offersNothingToADeviceThatListsNothing()
    {
        const FakeTree tree;
        tree.file("proc/sys/kernel/osrelease", "6.12.1\n");
        tree.file("lib/modules/6.12.1/modules.dep", "kernel/block/bfq.ko:\n");
        QVERIFY(offeredSchedulers(tree.root(), {}).empty());
    }
    void leavesOutUnknownAndDoubleWords()
    {
        const FakeTree tree;
        QCOMPARE(offeredSchedulers(tree.root(), {"bfq", "none", "bfq", "mystery", "adios"}),
                 (Words{"none", "bfq", "adios"}));
    }
    void otherModulesDoNotCount()
    {
        const FakeTree tree;
        tree.file("proc/sys/kernel/osrelease", "6.12.1\n");
        tree.file("lib/modules/6.12.1/modules.dep",
                  "kernel/fs/notbfq.ko:\nkernel/x/bfq-test.ko: kernel/block/bfq.ko\nkernel/x/bfq.kox:\n");
        QVERIFY(installedSchedulers(tree.root()).empty());
    }
    void followsAMergedUsr()
    {
        const FakeTree tree;
        tree.link("lib", "usr/lib");
        tree.file("proc/sys/kernel/osrelease", "6.1\n");
        tree.file("usr/lib/modules/6.1/modules.builtin", "kernel/block/bfq.ko\n");
        QCOMPARE(installedSchedulers(tree.root()), Words{"bfq"});
    }
    void refusesOtherReleases_data()
    {
        QTest::addColumn<QByteArray>("release");
        QTest::newRow("path") << QByteArray("../../etc\n");
        QTest::newRow("dots") << QByteArray("..\n");
        QTest::newRow("dot") << QByteArray(".");
        QTest::newRow("empty") << QByteArray("\n");
        QTest::newRow("blank") << QByteArray("6 1\n");
        QTest::newRow("binary") << QByteArray("6\0001\n", 4);
        QTest::newRow("endless") << QByteArray(1000, '6');
    }
    void refusesOtherReleases()
    {
        QFETCH(QByteArray, release);
        const FakeTree tree;
        tree.file("proc/sys/kernel/osrelease", release.toStdString());
        QVERIFY(kernelRelease(tree.root()).empty());
        QVERIFY(installedSchedulers(tree.root()).empty());
    }
};

QTEST_APPLESS_MAIN(TestSchedulers)
#include "tst_schedulers.moc"
