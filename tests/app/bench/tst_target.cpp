// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/target.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace diskwright;
using namespace diskwright::bench;

class TargetTest : public QObject
{
    Q_OBJECT

    /// A sysfs of ours: disks, partitions, and what is stacked on them.
    class Sysfs
    {
    public:
        void device(const QString &name, const QString &parent = {}, const QStringList &slaves = {})
        {
            const QString folder =
                QStringLiteral("devices/") + (parent.isEmpty() ? name : parent + u'/' + name);
            QDir root(m_folder.path());
            root.mkpath(folder + QStringLiteral("/slaves"));
            root.mkpath(QStringLiteral("class/block"));
            if (!parent.isEmpty())
                file(folder + QStringLiteral("/partition"), "1\n");
            for (const QString &slave : slaves)
                QFile::link(root.filePath(QStringLiteral("class/block/") + slave),
                            root.filePath(folder + QStringLiteral("/slaves/") + slave));
            QFile::link(root.filePath(folder), root.filePath(QStringLiteral("class/block/") + name));
        }
        void file(const QString &path, const QByteArray &text)
        {
            QDir(m_folder.path()).mkpath(QFileInfo(path).path());
            QFile file(QDir(m_folder.path()).filePath(path));
            if (file.open(QIODevice::WriteOnly))
                file.write(text);
        }
        QString path() const { return m_folder.path(); }

    private:
        QTemporaryDir m_folder;
    };

private Q_SLOTS:
    void followsTheStackToTheDisks()
    {
        Sysfs sysfs;
        sysfs.device(QStringLiteral("nvme0n1"));
        sysfs.device(QStringLiteral("nvme0n1p2"), QStringLiteral("nvme0n1"));
        sysfs.device(QStringLiteral("dm-0"), {}, {QStringLiteral("nvme0n1p2")});
        sysfs.file(QStringLiteral("devices/dm-0/dm/uuid"), "CRYPT-LUKS2-0123-root\n");
        sysfs.device(QStringLiteral("dm-1"), {}, {QStringLiteral("dm-0")});
        sysfs.file(QStringLiteral("devices/dm-1/dm/uuid"), "LVM-abc\n");
        QStringList leaves;
        QCOMPARE(stackBelow(QStringLiteral("dm-1"), sysfs.path(), leaves),
                 (QStringList{QStringLiteral("dm-1 (LVM)"), QStringLiteral("dm-0 (LUKS)"),
                              QStringLiteral("nvme0n1p2"), QStringLiteral("nvme0n1")}));
        QCOMPARE(leaves, QStringList{QStringLiteral("nvme0n1")});
    }
    void aMirrorHasTwoLeaves()
    {
        Sysfs sysfs;
        for (const char *disk : {"sda", "sdb"})
            sysfs.device(QString::fromLatin1(disk));
        sysfs.device(QStringLiteral("md0"), {}, {QStringLiteral("sda"), QStringLiteral("sdb")});
        sysfs.file(QStringLiteral("devices/md0/md/level"), "raid1\n");
        QStringList leaves;
        QCOMPARE(stackBelow(QStringLiteral("md0"), sysfs.path(), leaves).first(),
                 QStringLiteral("md0 (RAID)"));
        leaves.sort();
        QCOMPARE(leaves, (QStringList{QStringLiteral("sda"), QStringLiteral("sdb")}));
    }
    void aCircleEnds()
    {
        Sysfs sysfs;
        sysfs.device(QStringLiteral("dm-0"), {}, {QStringLiteral("dm-1")});
        sysfs.device(QStringLiteral("dm-1"), {}, {QStringLiteral("dm-0")});
        QStringList leaves;
        QCOMPARE(stackBelow(QStringLiteral("dm-0"), sysfs.path(), leaves).size(), 2);
        QVERIFY(leaves.isEmpty());
        QVERIFY(stackBelow(QStringLiteral("none"), sysfs.path(), leaves).isEmpty());
    }

    void resolvesAFolderAndAFileOnThisMachine()
    {
        QTemporaryDir folder(QStringLiteral(WORK_FOLDER "/target-XXXXXX"));
        auto target = resolveTarget(folder.path());
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
        target = resolveTarget(folder.filePath(QStringLiteral("link")));
        QVERIFY(target.has_value());
        QVERIFY(!target->isFolder);
        QCOMPARE(target->path, QFileInfo(path).canonicalFilePath());
    }
    void memoryHasNoDisk()
    {
        const auto target = resolveTarget(QStringLiteral("/dev/shm"));
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
        const auto target = resolveTarget(path);
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
        const auto target = resolveTarget(folder.path());
        if (asRoot)
            QCOMPARE(setresuid(0, 0, 0), 0);
        QVERIFY(!target);
        QCOMPARE(target.error().code, Errc::UnknownTarget);
        QCOMPARE(target.error().input, folder.path().toStdString());
        QCOMPARE(target.error().sysErrno, EACCES);
    }
    void findsAFolderOnADisk()
    {
        const auto here = resolveTarget(QStringLiteral(WORK_FOLDER));
        QVERIFY(here && !here->disks.isEmpty());
        const auto target = targetOnDisk(here->disks.first());
        QVERIFY2(target.has_value(), target ? "" : target.error().reason.c_str());
        QVERIFY(target->isFolder);
        QVERIFY(target->disks.contains(here->disks.first()));
        QCOMPARE(targetOnDisk(QStringLiteral("/dev/") + here->disks.first())->path, target->path);
        for (const char *bad : {"", "nosuchdisk", "../sda", "/dev/null"}) {
            const auto none = targetOnDisk(QString::fromLatin1(bad));
            QVERIFY(!none);
            QCOMPARE(none.error().code, Errc::UnknownTarget);
        }
    }
};

QTEST_GUILESS_MAIN(TargetTest)
#include "tst_target.moc"
