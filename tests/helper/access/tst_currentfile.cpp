// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/access/currentfile.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace diskwright;

class TestCurrentFile : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    Descriptor m_directory;

    [[nodiscard]] QByteArray path(const char *name) const
    {
        return QFile::encodeName(m_folder.filePath(QLatin1String(name)));
    }
    void write(const char *name, const QByteArray &text) const
    {
        QFile file(QFile::decodeName(path(name)));
        QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate));
        QCOMPARE(file.write(text), text.size());
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_directory =
            Descriptor(::open(QFile::encodeName(m_folder.path()).constData(), O_RDONLY | O_DIRECTORY));
        QVERIFY(m_directory.isOpen());
    }

    void saysWhatIsThere()
    {
        write("file", "text");
        QCOMPARE(symlink("file", path("link").constData()), 0);
        QCOMPARE(link(path("file").constData(), path("second").constData()), 0);
        QCOMPARE(mkfifo(path("fifo").constData(), 0600), 0);
        const auto file = openCurrent(m_directory.get(), "file");
        QVERIFY(file.has_value());
        QCOMPARE(file->information.st_nlink, nlink_t{2});
        QCOMPARE(file->information.st_size, off_t{4});
        QCOMPARE(openCurrent(m_directory.get(), "none").error(), ENOENT);
        QCOMPARE(openCurrent(m_directory.get(), "link").error(), ELOOP);
        // Neither waits for the other end of a pipe.
        QVERIFY(S_ISFIFO(openCurrent(m_directory.get(), "fifo")->information.st_mode));
    }

    void isNeverOneThatLostItsName()
    {
        constexpr int looks = 200'000;
        write("replaced", "0");
        std::atomic<bool> isOver = false;
        std::atomic<int> replaced = 0;
        const QByteArray from = path("new");
        const QByteArray to = path("replaced");
        {
            const std::jthread replacer([&] {
                for (; !isOver; ++replaced) {
                    const Descriptor file(::open(from.constData(), O_WRONLY | O_CREAT | O_EXCL, 0600));
                    if (!file.isOpen() || rename(from.constData(), to.constData()) != 0)
                        break;
                }
            });
            int lost = 0;
            for (int look = 0; look < looks; ++look) {
                const auto file = openCurrent(m_directory.get(), "replaced");
                if (file && file->information.st_nlink == 1)
                    continue;
                ++lost;
                qWarning("look %d: errno %d, names %ju", look, file ? 0 : file.error(),
                         file ? uintmax_t{file->information.st_nlink} : 0);
            }
            isOver = true;
            QCOMPARE(lost, 0);
        }
        QVERIFY(replaced > 100);
    }
};

QTEST_GUILESS_MAIN(TestCurrentFile)
#include "tst_currentfile.moc"
