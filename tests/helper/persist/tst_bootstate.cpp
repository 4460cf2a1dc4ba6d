// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/bootstate.h"

#include <QTest>

using namespace diskwright;

class TestBootState final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip()
    {
        const BootState state{.proven = true,
                              .unfinished = 1,
                              .aside = Aside::CommandLine,
                              .running = "11111111-2222-3333-4444-555555555555",
                              .changed = "61111111-2222-3333-4444-555555555555",
                              .writing = true,
                              .replacing = true};
        QCOMPARE(decodeBootState(encode(state)), Result<BootState>(state));
        QCOMPARE(decodeBootState(encode(BootState{})), Result<BootState>(BootState{}));
    }

    void refused_data()
    {
        const QByteArray good = QByteArray::fromStdString(encode(BootState{}));
        const auto with = [&](const char *from, const char *to) {
            return QByteArray(good).replace(from, to);
        };
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray(5000, '{');
        QTest::newRow("other version") << with("\"version\": 1", "\"version\": 7");
        QTest::newRow("unknown word") << with("\"no\"", "\"maybe\"");
        QTest::newRow("negative") << with("\"unfinished\": 0", "\"unfinished\": -1");
        QTest::newRow("huge") << with("\"unfinished\": 0", "\"unfinished\": 4294967297");
        QTest::newRow("not a boot id") << with("\"running\": \"\"", "\"running\": \"../x\"");
        QTest::newRow("trailing byte") << good + ' ';
    }

    void refused()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!decodeBootState(text.toStdString()));
    }

    void words()
    {
        QCOMPARE(stateName(BootState{}, false), std::string_view("none"));
        QCOMPARE(stateName(BootState{}, true), std::string_view("probation"));
        QCOMPARE(stateName(BootState{.proven = true}, true), std::string_view("proven"));
        QCOMPARE(stateName(BootState{.aside = Aside::Unfinished}, true), std::string_view("set-aside"));
        QCOMPARE(stateName(BootState{.aside = Aside::CommandLine}, true), std::string_view("set-aside"));
        QCOMPARE(stateName(BootState{.aside = Aside::SwitchedOff}, true), std::string_view("off"));
    }
};

QTEST_APPLESS_MAIN(TestBootState)
#include "tst_bootstate.moc"
