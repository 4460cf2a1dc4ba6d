// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/aside.h"

#include <QTest>
#include <QThread>

#include <semaphore>

using namespace diskwright::ui;

class TestAside : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatHangsHoldsNobodyUp()
    {
        const auto goOn = std::make_shared<std::counting_semaphore<4>>(0);
        std::optional<int> seen;
        QThread *where = nullptr;
        runAside<int>(
            this,
            [goOn] {
                goOn->acquire();
                return 42;
            },
            [&](const int &value) {
                seen = value;
                where = QThread::currentThread();
            });
        QVERIFY2(!seen, "nobody waited for it");
        goOn->release();
        QVERIFY(QTest::qWaitFor([&] { return seen.has_value(); }));
        QCOMPARE(*seen, 42);
        QCOMPARE(where, QThread::currentThread());
    }

    void whoIsGoneIsNotAnswered()
    {
        const auto goOn = std::make_shared<std::counting_semaphore<4>>(0);
        auto receiver = std::make_unique<QObject>();
        bool answered = false;
        runAside<int>(
            receiver.get(),
            [goOn] {
                goOn->acquire();
                return 1;
            },
            [&](const int &) { answered = true; });
        receiver.reset();
        goOn->release();
        QTest::qWait(100);
        QVERIFY(!answered);
    }

    void everyQuestionIsAnsweredOnce()
    {
        int answers = 0;
        for (int i = 0; i < 20; ++i) {
            runAside<int>(this, [i] { return i; }, [&answers](const int &) { ++answers; });
        }
        QVERIFY(QTest::qWaitFor([&] { return answers == 20; }));
        QTest::qWait(50);
        QCOMPARE(answers, 20);
    }
};

QTEST_GUILESS_MAIN(TestAside)
#include "tst_aside.moc"
