// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/atomicfile.h"

#include "helper/access/descriptor.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace diskwright;

class TestAtomicFile final : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    Descriptor m_fd;

    QString path(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    std::string stdPath(const char *name) const { return path(name).toStdString(); }
    QByteArray content(const char *name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
    }
    void put(const char *name, const char *text) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QStringList everything() const
    {
        return QDir(m_folder->path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot | QDir::System);
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fd =
            Descriptor(open(m_folder->path().toLocal8Bit().constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        QVERIFY(m_fd.isOpen());
    }

    void aNewFileGetsTheMode()
    {
        umask(0077);
        QVERIFY(replaceFile(m_fd.get(), "f", "new", 0644));
        umask(0022);
        struct stat information = {};
        QCOMPARE(stat(stdPath("f").c_str(), &information), 0);
        QCOMPARE(information.st_mode & 07777, 0644U);
        QCOMPARE(content("f"), QByteArray("new"));
        QCOMPARE(everything(), QStringList{QStringLiteral("f")});
    }

    void modeAndAttributesStay()
    {
        put("f", "old");
        QCOMPARE(chmod(stdPath("f").c_str(), 0640), 0);
        QCOMPARE(setxattr(stdPath("f").c_str(), "user.note", "mine", 4, 0), 0);
        QVERIFY(replaceFile(m_fd.get(), "f", "new", 0644));
        struct stat information = {};
        QCOMPARE(stat(stdPath("f").c_str(), &information), 0);
        QCOMPARE(information.st_mode & 07777, 0640U);
        char value[8] = {};
        QCOMPARE(getxattr(stdPath("f").c_str(), "user.note", value, sizeof value), 4);
        QCOMPARE(QByteArray(value), QByteArray("mine"));
        QCOMPARE(content("f"), QByteArray("new"));
    }

    void uncommittedLeavesNothing()
    {
        put("f", "old");
        {
            const auto pending = PendingFile::prepare(m_fd.get(), "f", "new", 0644);
            QVERIFY(pending);
            QCOMPARE(everything().size(), 2);
        }
        QCOMPARE(content("f"), QByteArray("old"));
        QCOMPARE(everything(), QStringList{QStringLiteral("f")});
    }

    void aStaleTemporaryIsReplaced()
    {
        put(".f.diskwright-new", "half");
        QVERIFY(replaceFile(m_fd.get(), "f", "new", 0644));
        QCOMPARE(everything(), QStringList{QStringLiteral("f")});
        put(".f.diskwright-new", "half");
        removeStaleTemporary(m_fd.get(), "f");
        QCOMPARE(everything(), QStringList{QStringLiteral("f")});
    }

    void aPlantedTemporaryLinkIsNotFollowed()
    {
        put("victim", "untouched");
        QVERIFY(QFile::link(path("victim"), path(".f.diskwright-new")));
        QVERIFY(replaceFile(m_fd.get(), "f", "new", 0644));
        QCOMPARE(content("victim"), QByteArray("untouched"));
        QCOMPARE(content("f"), QByteArray("new"));
    }

    void aLinkIsRefused()
    {
        put("target", "old");
        QVERIFY(QFile::link(path("target"), path("f")));
        const auto replaced = replaceFile(m_fd.get(), "f", "new", 0644);
        QVERIFY(!replaced);
        QCOMPARE(replaced.error().sysErrno, ELOOP);
        QCOMPARE(replaced.error().code, Errc::StateFile);
        QVERIFY(!removeFile(m_fd.get(), "f"));
        QVERIFY(!readFileIn(m_fd.get(), "f", 100));
        QCOMPARE(content("target"), QByteArray("old"));
    }

    void whatIsNoRegularFileIsRefused()
    {
        QCOMPARE(mkfifo(stdPath("f").c_str(), 0600), 0);
        QCOMPARE(replaceFile(m_fd.get(), "f", "new", 0644).error().sysErrno, EINVAL);
        QVERIFY(QDir().mkdir(path("d")));
        QCOMPARE(replaceFile(m_fd.get(), "d", "new", 0644).error().sysErrno, EINVAL);
    }

    void aSecondNameIsRefused()
    {
        put("f", "old");
        QCOMPARE(link(stdPath("f").c_str(), stdPath("other").c_str()), 0);
        QCOMPARE(replaceFile(m_fd.get(), "f", "new", 0644).error().sysErrno, EMLINK);
        QCOMPARE(content("other"), QByteArray("old"));
    }

    void anImmutableFileIsRefusedBeforeAnythingIsWritten()
    {
        put("f", "old");
        const Descriptor file(open(stdPath("f").c_str(), O_RDONLY | O_CLOEXEC));
        int flags = 0;
        QCOMPARE(ioctl(file.get(), FS_IOC_GETFLAGS, &flags), 0);
        const int plain = flags;
        flags |= FS_IMMUTABLE_FL;
        if (ioctl(file.get(), FS_IOC_SETFLAGS, &flags) != 0) {
            // Without the right to set the flag the file is at least proven to be replaceable.
            QVERIFY(replaceFile(m_fd.get(), "f", "new", 0644));
            return;
        }
        const auto prepared = PendingFile::prepare(m_fd.get(), "f", "new", 0644);
        const QStringList left = everything();
        QCOMPARE(ioctl(file.get(), FS_IOC_SETFLAGS, &plain), 0);
        QVERIFY(!prepared);
        QCOMPARE(prepared.error().sysErrno, EPERM);
        QCOMPARE(left, QStringList{QStringLiteral("f")});
        QCOMPARE(content("f"), QByteArray("old"));
    }

    void tooLongIsNotRead()
    {
        put("f", "12345");
        QCOMPARE(readFileIn(m_fd.get(), "f", 4).error().sysErrno, EFBIG);
        QCOMPARE(readFileIn(m_fd.get(), "f", 5), Result<std::optional<std::string>>("12345"));
        QCOMPARE(readFileIn(m_fd.get(), "none", 5), Result<std::optional<std::string>>(std::nullopt));
    }

    void moveReplaces()
    {
        QVERIFY(QDir().mkdir(path("d")));
        const Descriptor other(open(stdPath("d").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        put("f", "moved");
        QVERIFY(moveFile(m_fd.get(), other.get(), "f", 100));
        QCOMPARE(content("d/f"), QByteArray("moved"));
        QCOMPARE(content("f"), QByteArray("<none>"));
        QCOMPARE(moveFile(m_fd.get(), other.get(), "f", 100).error().sysErrno, ENOENT);
    }

    void moveCrossesFileSystems()
    {
        const QTemporaryDir elsewhere(QStringLiteral("/dev/shm/diskwright-XXXXXX"));
        QVERIFY(elsewhere.isValid());
        const Descriptor other(
            open(elsewhere.path().toLocal8Bit().constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        put("f", "moved");
        QVERIFY(moveFile(m_fd.get(), other.get(), "f", 100));
        QFile arrived(elsewhere.filePath(QStringLiteral("f")));
        QVERIFY(arrived.open(QIODevice::ReadOnly));
        QCOMPARE(arrived.readAll(), QByteArray("moved"));
        QCOMPARE(content("f"), QByteArray("<none>"));
    }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomicfile.moc"
