// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/searchmodel.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QRegularExpression>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

class TestSearchModel : public QObject
{
    Q_OBJECT

    static Reading readAll(const QString &root)
    {
        ReadingWish wish;
        wish.targets.emplace_back();
        wish.allDisks = true;
        return readMachine(root, wish);
    }
    static QString root()
    {
        return QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/desktop-sata-ssd-hdd");
    }
    static QStringList printed(const SearchModel &model)
    {
        QStringList lines;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex index = model.index(row);
            const auto kind = static_cast<SearchModel::Kind>(index.data(SearchModel::KindRole).toInt());
            const QString sign = kind == SearchModel::Kind::Heading ? u"# "_s
                                 : kind == SearchModel::Kind::Story ? u"~ "_s
                                                                    : QString();
            lines << sign + index.data(Qt::AccessibleTextRole).toString();
        }
        return lines;
    }

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void oldSpellingsFindTheirSettingOnEveryDisk_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("key");
        QTest::newRow("hdparm") << u"-a1024"_s << u"read_ahead_kb"_s;
        QTest::newRow("kernel parameter") << u"elevator="_s << u"scheduler"_s;
        QTest::newRow("old scheduler") << u"noop"_s << u"scheduler"_s;
        QTest::newRow("title") << u"read-ahead"_s << u"read_ahead_kb"_s;
        QTest::newRow("capitals") << u"Read_Ahead_KB"_s << u"read_ahead_kb"_s;
    }
    void oldSpellingsFindTheirSettingOnEveryDisk()
    {
        QFETCH(QString, typed);
        QFETCH(QString, key);
        Machine machine(root());
        machine.take(readAll(machine.root()));
        SearchModel model(machine);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setText(typed);
        QSet<QString> disks;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row).data(SearchModel::KernelNameRole).toString() == key && model.address(row))
                disks << QString::fromStdString(model.address(row)->target);
        }
        QVERIFY2(disks.contains(u"sda"_s) && disks.contains(u"sdb"_s),
                 qPrintable(printed(model).join(u'\n')));
    }

    void whatVanishedHasAStory_data()
    {
        QTest::addColumn<QString>("typed");
        for (const char *text : {"noop", "pdflush", "cfq"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void whatVanishedHasAStory()
    {
        QFETCH(QString, typed);
        Machine machine(root());
        machine.take(readAll(machine.root()));
        SearchModel model(machine);
        model.setText(typed);
        const QStringList stories = printed(model).filter(QRegularExpression(u"^~ "_s));
        QVERIFY2(!stories.isEmpty(), qPrintable(printed(model).join(u'\n')));
        QVERIFY(stories[0].size() > 40);
    }

    // Of whose name an old one's story speaks.
    void todaysNameFindsTodaysSettingFirstAndOnce()
    {
        Machine machine(root());
        machine.take(readAll(machine.root()));
        SearchModel model(machine);
        for (const char *name : {"nr_requests", "read_ahead_kb", "scheduler", "dirty_ratio"}) {
            model.setText(QString::fromLatin1(name));
            QVERIFY2(model.address(model.firstLine()), name);
            QCOMPARE(model.address(model.firstLine())->key, name);
            QSet<QString> seen;
            for (int row = 0; row < model.rowCount(); ++row) {
                const bool isSetting = model.index(row).data(SearchModel::KindRole).toInt() ==
                                       static_cast<int>(SearchModel::Kind::Setting);
                const QString address =
                    isSetting ? QString::fromStdString(toText(*model.address(row))) : QString();
                QVERIFY2(!isSetting || !seen.contains(address), qPrintable(address));
                seen << address;
            }
        }
    }

    void theMachineIsSearchedToo()
    {
        Machine machine(root());
        machine.take(readAll(machine.root()));
        SearchModel model(machine);
        model.setText(u"vm.dirty_ratio"_s);
        bool found = false;
        for (int row = 0; row < model.rowCount(); ++row)
            found = found || (model.address(row) && model.address(row)->target.empty() &&
                              model.address(row)->key == "dirty_ratio");
        QVERIFY2(found, qPrintable(printed(model).join(u'\n')));
    }

    void whatIsKnownAndNotHereIsSaid()
    {
        Machine machine(root());
        machine.take(readAll(machine.root()));
        SearchModel model(machine);
        model.setText(u"logical_block_size"_s);
        QVERIFY2(printed(model).value(0).contains(u"Not on this machine"_s),
                 qPrintable(printed(model).join(u'\n')));
        QCOMPARE(model.settingCount(), 0);
    }

    void sectorsAreSaidBesideTheirSize()
    {
        Machine machine(root());
        machine.take(readAll(machine.root()));
        SearchModel model(machine);
        model.setText(u"-a1024"_s);
        const QString why = model.index(model.firstLine()).data(SearchModel::WhyRole).toString();
        QVERIFY2(why.contains(u"1,024 sectors of 512 bytes"_s) && why.contains(u"512\u202fKiB"_s),
                 qPrintable(why));
    }

    void nothingIsSaidAsNothing()
    {
        Machine machine(root());
        machine.take(readAll(machine.root()));
        SearchModel model(machine);
        model.setText(u"qqqqqq"_s);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.firstLine(), -1);
        model.setText(u"   "_s);
        QCOMPARE(model.rowCount(), 0);
    }
};

QTEST_GUILESS_MAIN(TestSearchModel)
#include "tst_searchmodel.moc"
