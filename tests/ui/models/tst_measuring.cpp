// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/measuring.h"

#include <QSignalSpy>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

/// Measures, and listens itself.
class Listener final : public QObject
{
    Q_OBJECT

public:
    Listener(Measuring &measuring, int &heard)
    {
        connect(&measuring, &Measuring::changed, this, [&heard] { ++heard; });
    }
};

class MeasuringTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneAtATime()
    {
        Measuring measuring;
        QSignalSpy changed(&measuring, &Measuring::changed);
        QObject first, second;
        QVERIFY(measuring.whyNot(&first).isEmpty());
        QVERIFY(measuring.begin(&first, u"Reading a large file, /home"_s));
        QVERIFY(measuring.whyNot(&first).isEmpty());
        QVERIFY(measuring.whyNot(&second).contains(u"Reading a large file, /home"_s));
        QVERIFY(!measuring.begin(&second, u"something"_s));
        measuring.end(&second);
        QVERIFY(!measuring.whyNot(&second).isEmpty());
        measuring.end(&first);
        QVERIFY(measuring.whyNot(&second).isEmpty());
        QCOMPARE(changed.count(), 2);
    }

    void whatIsGoneMeasuresNothing()
    {
        Measuring measuring;
        QObject second;
        auto first = std::make_unique<QObject>();
        QVERIFY(measuring.begin(first.get(), u"a"_s));
        QSignalSpy changed(&measuring, &Measuring::changed);
        first.reset();
        QVERIFY(measuring.whyNot(&second).isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return changed.count() == 1; }));
        QVERIFY(measuring.begin(&second, u"b"_s));
    }

    void whoIsBeingDestroyedHearsNothing()
    {
        Measuring measuring;
        int heard = 0;
        auto first = std::make_unique<Listener>(measuring, heard);
        QVERIFY(measuring.begin(first.get(), u"a"_s));
        QCOMPARE(heard, 1);
        QSignalSpy changed(&measuring, &Measuring::changed);
        first.reset();
        QVERIFY(QTest::qWaitFor([&] { return changed.count() == 1; }));
        QCOMPARE(heard, 1);
    }

    void aTestFileLeavesHalfOfTheSpace()
    {
        constexpr quint64 mebibyte = quint64{1} << 20;
        bench::Target folder;
        folder.isFolder = true;
        folder.freeBytes = 1000 * mebibyte;
        QCOMPARE(testFileBytes(folder, 256 * mebibyte), 256 * mebibyte);
        QCOMPARE(testFileBytes(folder, 1024 * mebibyte), 496 * mebibyte);
        folder.freeBytes = 3 * mebibyte;
        QCOMPARE(testFileBytes(folder, 256 * mebibyte), 16 * mebibyte);
        bench::Target file;
        QCOMPARE(testFileBytes(file, 256 * mebibyte), 256 * mebibyte);
    }
};

QTEST_GUILESS_MAIN(MeasuringTest)
#include "tst_measuring.moc"
