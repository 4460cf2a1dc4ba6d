// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/health/message.h"

#include <QTest>

using namespace diskwright::health;

class TestMessage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fillsEachPlaceOnce()
    {
        QCOMPARE(fill("%2 of %1, 5 % and %3", {"a", "%1"}), std::string("%1 of a, 5 % and %3"));
        QCOMPARE(fill("%", {"a"}), std::string("%"));
        QCOMPARE(fill("", {}), std::string());
    }
    void amounts()
    {
        QCOMPARE(amountText(Bytes{0}), std::string("0 B"));
        QCOMPARE(amountText(Bytes{999}), std::string("999 B"));
        QCOMPARE(amountText(Bytes{999'960}), std::string("1 MB"));
        QCOMPARE(amountText(Bytes{1'500'000'000}), std::string("1.5 GB"));
        QCOMPARE(amountText(Bytes{UINT64_MAX}), std::string("18.4 EB"));
        QCOMPARE(amountText(MemoryBytes{512 << 20}), std::string("512 MiB"));
        QCOMPARE(amountText(MemoryBytes{1'610'612'736}), std::string("1.5 GiB"));
    }
    void inEnglish()
    {
        const Message message{"%1: %2, %3", {std::string("sda"), std::int64_t{-3}, Bytes{2'000'000}}};
        QCOMPARE(english(message), std::string("sda: -3, 2 MB"));
        QVERIFY(Message{}.isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestMessage)
#include "tst_message.moc"
