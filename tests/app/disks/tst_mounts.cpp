// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/mounts.h"

#include <QString>
#include <QTest>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

std::vector<MountEntry> parsed(const QString &lines)
{
    return parseMountInfo(lines.toStdString());
}

QString coveredIds(const std::vector<MountEntry> &mounts)
{
    const std::vector<bool> covered = coveredMounts(mounts);
    QStringList ids;
    for (std::size_t index = 0; index < mounts.size(); ++index) {
        if (covered[index])
            ids << QString::number(mounts[index].id);
    }
    return ids.join(u' ');
}

} // namespace

class TestMounts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsWhatLiesBelowAnother_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("covered");
        const QString root = u"20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"_s;
        QTest::newRow("none") << root + u"21 20 8:2 / /home rw - ext4 /dev/sda2 rw\n"_s << u""_s;
        QTest::newRow("same place twice") << root + u"21 20 8:2 / /mnt rw - ext4 /dev/sda2 rw\n"
                                                    "22 21 8:3 / /mnt rw - ext4 /dev/sda3 rw\n"_s
                                          << u"21"_s;
        QTest::newRow("three times") << root + u"21 20 8:2 / /mnt rw - ext4 /dev/sda2 rw\n"
                                               "22 21 8:3 / /mnt rw - ext4 /dev/sda3 rw\n"
                                               "23 22 8:4 / /mnt rw - ext4 /dev/sda4 rw\n"_s
                                     << u"21 22"_s;
        QTest::newRow("a folder above") << root + u"21 20 8:2 / /mnt/a rw - ext4 /dev/sda2 rw\n"
                                                  "22 20 8:3 / /mnt rw - ext4 /dev/sda3 rw\n"_s
                                        << u"21"_s;
        QTest::newRow("what is in a covered one") << root + u"21 20 8:2 / /mnt rw - ext4 /dev/sda2 rw\n"
                                                            "22 21 8:3 / /mnt/a rw - ext4 /dev/sda3 rw\n"
                                                            "23 22 8:5 / /mnt/a/b rw - ext4 /dev/sda5 rw\n"
                                                            "24 21 8:4 / /mnt rw - ext4 /dev/sda4 rw\n"
                                                            "25 24 8:6 / /mnt/c rw - ext4 /dev/sda6 rw\n"_s
                                                  << u"21 22 23"_s;
        QTest::newRow("the first root") << u"1 1 0:1 / / rw - rootfs rootfs rw\n"
                                           "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                                           "21 1 8:2 / /run rw - ext4 /dev/sda2 rw\n"_s
                                        << u"1 21"_s;
        QTest::newRow("a name that only begins alike") << root + u"21 20 8:2 / /mnt2 rw - ext4 /dev/sda2 rw\n"
                                                                 "22 20 8:3 / /mnt rw - ext4 /dev/sda3 rw\n"_s
                                                       << u""_s;
        QTest::newRow("a circle of parents") << u"20 21 8:1 / /a rw - ext4 /dev/sda1 rw\n"
                                                "21 20 8:2 / /b rw - ext4 /dev/sda2 rw\n"_s
                                             << u""_s;
        QTest::newRow("odd targets") << u"20 1 8:1 / // rw - ext4 a rw\n21 1 8:1 / x/y rw - ext4 a rw\n"_s
                                     << u""_s;
        QTest::newRow("nothing") << u""_s << u""_s;
    }
    void findsWhatLiesBelowAnother()
    {
        QFETCH(QString, lines);
        QFETCH(QString, covered);
        QCOMPARE(coveredIds(parsed(lines)), covered);
    }
    void theMountOfAPathIsTheOneThatIsSeen()
    {
        const auto mounts = parsed(u"20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                                   "21 20 8:2 / /srv rw - ext4 /dev/sda2 rw\n"
                                   "22 21 8:3 / /srv rw - ext4 /dev/sda3 rw\n"
                                   "23 22 8:4 / /srv/a rw - ext4 /dev/sda4 rw\n"_s);
        const auto covered = coveredMounts(mounts);
        const auto id = [&](std::string_view path) { return mountOfPath(mounts, covered, path)->id; };
        QCOMPARE(id("/etc"), 20u);
        QCOMPARE(id("/srvx"), 20u);
        QCOMPARE(id("/srv"), 22u);
        QCOMPARE(id("/srv/b.img"), 22u);
        QCOMPARE(id("/srv/a/b.img"), 23u);
        QVERIFY(!mountOfPath(mounts, covered, "relative"));
        QVERIFY(!mountOfPath(mounts, covered, ""));
        QVERIFY(!mountOfPath({}, {}, "/etc"));
    }
    void manyMountsTakeNoTime()
    {
        std::vector<MountEntry> mounts;
        for (std::uint64_t id = 0; id < 20000; ++id) {
            MountEntry mount;
            mount.id = id + 1;
            mount.parent = id;
            mount.target = "/deep/" + std::to_string(id);
            mounts.push_back(std::move(mount));
        }
        QCOMPARE(coveredMounts(mounts).size(), mounts.size());
    }
};

QTEST_APPLESS_MAIN(TestMounts)
#include "tst_mounts.moc"
