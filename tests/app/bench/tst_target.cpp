// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/target.h"
#include "app/disks/stack.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <array>

#include <unistd.h>

using namespace diskwright;
using namespace diskwright::bench;

class TargetTest : public QObject
{
    Q_OBJECT

    static DiskList disksOf(const std::string &root)
    {
        return scanDisks(root == "/" ? SystemRoot::live().value() : SystemRoot::at(root).value()).value();
    }
    static DiskList recorded(const char *machine)
    {
        return disksOf(std::string(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/") + machine);
    }
    const DiskList m_disks = disksOf("/");

private Q_SLOTS:
    void namesTheStackDownToTheDisks()
    {
        const DiskList laptop = recorded("laptop-luks-on-lvm");
        QCOMPARE(stackLabels(laptop, *laptop.find("dm-3")),
                 (QStringList{QStringLiteral("dm-3 (LUKS)"), QStringLiteral("dm-2 (LVM)"),
                              QStringLiteral("sda1"), QStringLiteral("sda")}));
        const DiskList server = recorded("server-md-spare-lvm");
        QCOMPARE(
            stackLabels(server, *server.find("dm-2")),
            (QStringList{QStringLiteral("dm-2 (LVM)"), QStringLiteral("md0 (RAID)"), QStringLiteral("sdb2"),
                         QStringLiteral("sdb"), QStringLiteral("sdc2"), QStringLiteral("sdc")}));
    }
    // Every member of a btrfs serves its reads; whatever lies between counts as what the files lie on.
    void laysAFileSystemOnAllItsDevices()
    {
        const DiskList nas = recorded("nas-btrfs-raid1-luks");
        Target target;
        layOn(target, nas, mountedAt(nas, "/home"));
        QVERIFY2(target.disks.size() >= 2, qPrintable(target.disks.join(u' ')));
        for (const QString &disk : std::as_const(target.disks))
            QVERIFY(target.liesOn(disk));
        const DiskList laptop = recorded("laptop-luks-on-lvm");
        Target layered;
        layOn(layered, laptop, std::array{laptop.find("dm-3")});
        for (const char *device : {"dm-3", "dm-2", "sda1", "sda"})
            QVERIFY2(layered.liesOn(QString::fromLatin1(device)), device);
        for (const char *device : {"dm", "sd", "sdb", "", "LUKS"})
            QVERIFY2(!layered.liesOn(QString::fromLatin1(device)), device);
        QVERIFY(!Target{}.liesOn(QStringLiteral("sda")));
    }
    void namesEachDeviceOnce()
    {
        const DiskList disks = recorded("server-lvm-thin-cache");
        QStringList labels = stackLabels(disks, *disks.find("dm-10"));
        QVERIFY(labels.contains(QStringLiteral("sdc1")));
        QCOMPARE(labels.removeDuplicates(), 0);
    }

    void resolvesAFolderAndAFileOnThisMachine()
    {
        QTemporaryDir folder(QStringLiteral(WORK_FOLDER "/target-XXXXXX"));
        auto target = resolveTarget(folder.path(), m_disks);
        QVERIFY(target.has_value());
        QVERIFY(target->isFolder);
        QVERIFY(target->freeBytes > 0);
        QVERIFY(!target->fileSystem.isEmpty());
        QVERIFY2(!target->disks.isEmpty(), "the build folder must be on a disk");
        QCOMPARE(target->stackText(), QStringLiteral("file → ") + target->fileSystem + QStringLiteral(" → ") +
                                          target->stack.join(QStringLiteral(" → ")));
        const QString path = folder.filePath(QStringLiteral("a file"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(path, folder.filePath(QStringLiteral("link"))));
        target = resolveTarget(folder.filePath(QStringLiteral("link")), m_disks);
        QVERIFY(target.has_value());
        QVERIFY(!target->isFolder);
        QCOMPARE(target->path, QFileInfo(path).canonicalFilePath());
    }
    void memoryHasNoDisk()
    {
        const auto target = resolveTarget(QStringLiteral("/dev/shm"), m_disks);
        QVERIFY(target.has_value());
        QVERIFY(target->disks.isEmpty());
        QCOMPARE(target->stackText(), QStringLiteral("file → tmpfs"));
    }
    void refusesWhatCannotBeMeasured_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("code");
        QTest::newRow("empty") << QString() << static_cast<int>(Errc::UnknownTarget);
        QTest::newRow("missing") << QStringLiteral("/nonexistent/x") << static_cast<int>(Errc::UnknownTarget);
        QTest::newRow("device") << QStringLiteral("/dev/null") << static_cast<int>(Errc::UnknownTarget);
        QTest::newRow("NUL") << QString(QStringLiteral("/tmp") + QChar::Null)
                             << static_cast<int>(Errc::UnknownTarget);
        QTest::newRow("below a file")
            << QStringLiteral("/proc/version/x") << static_cast<int>(Errc::UnknownTarget);
    }
    void refusesWhatCannotBeMeasured()
    {
        QFETCH(QString, path);
        QFETCH(int, code);
        const auto target = resolveTarget(path, m_disks);
        QVERIFY(!target);
        QCOMPARE(static_cast<int>(target.error().code), code);
        QVERIFY(!target.error().reason.empty() && !target.error().accepted.empty());
    }
    // "Not authorized" is polkit's word, with an exit code of its own: a folder of somebody else is the wrong
    // target.
    void refusesWhatTheUserCannotWrite()
    {
        QTemporaryDir folder;
        QVERIFY(QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther |
                                                         QFile::ExeOther));
        const bool asRoot = geteuid() == 0;
        if (asRoot)
            QCOMPARE(setresuid(65534, 65534, 0), 0);
        const auto target = resolveTarget(folder.path(), m_disks);
        if (asRoot)
            QCOMPARE(setresuid(0, 0, 0), 0);
        QVERIFY(!target);
        QCOMPARE(target.error().code, Errc::UnknownTarget);
        QCOMPARE(target.error().input, folder.path().toStdString());
        QCOMPARE(target.error().sysErrno, EACCES);
    }
    void findsAFolderOnADisk()
    {
        const auto here = resolveTarget(QStringLiteral(WORK_FOLDER), m_disks);
        QVERIFY(here && !here->disks.isEmpty());
        const auto target = targetOnDisk(here->disks.first(), m_disks);
        QVERIFY2(target.has_value(), target ? "" : target.error().reason.c_str());
        QVERIFY(target->isFolder);
        QVERIFY(target->disks.contains(here->disks.first()));
        QCOMPARE(targetOnDisk(QStringLiteral("/dev/") + here->disks.first(), m_disks)->path, target->path);
        for (const char *bad : {"", "nosuchdisk", "../sda", "/dev/null"}) {
            const auto none = targetOnDisk(QString::fromLatin1(bad), m_disks);
            QVERIFY(!none);
            QCOMPARE(none.error().code, Errc::UnknownTarget);
        }
    }
};

QTEST_GUILESS_MAIN(TargetTest)
#include "tst_target.moc"
