// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/currentreader.h"

#include <QTest>

#include <atomic>
#include <latch>
#include <memory>

using namespace diskwright;
using namespace std::chrono_literals;

namespace {

const Address ofA{Domain::Queue, "sda", "nr_requests"};
const Address alsoOfA{Domain::Queue, "sda", "read_ahead_kb"};
const Address ofB{Domain::Queue, "sdb", "nr_requests"};
const Address ofMachine{Domain::Vm, "", "dirty_ratio"};

} // namespace

class CurrentReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersInTheOrderOfTheQuestions()
    {
        const CurrentReader reader([](const Address &address, const QString &root) -> std::optional<Value> {
            if (address == ofB)
                return std::nullopt;
            return word(address.target + '/' + address.key + root.toStdString());
        });
        const auto found = reader.read({alsoOfA, ofB, ofMachine, ofA}, QStringLiteral("/"));
        QCOMPARE(found.size(), 4U);
        QVERIFY(found[0] == word("sda/read_ahead_kb/"));
        QVERIFY(!found[1]);
        QVERIFY(found[2] == word("/dirty_ratio/"));
        QVERIFY(found[3] == word("sda/nr_requests/"));
        QVERIFY(reader.read(std::vector<Address>{}, QStringLiteral("/")).empty());
    }
    void leavesADiskBehindThatDoesNotAnswer()
    {
        const auto hangs = std::make_shared<std::latch>(1);
        const auto entered = std::make_shared<std::atomic<int>>(0);
        const CurrentReader reader(
            [hangs, entered](const Address &address, const QString &) -> std::optional<Value> {
                if (address.target == "sda") {
                    ++*entered;
                    hangs->wait();
                }
                return number(7);
            },
            20ms);
        // The other disk may be slow too; the one that hangs never answers.
        std::optional<Value> other;
        QVERIFY(QTest::qWaitFor([&] {
            const auto found = reader.read({ofA, ofB, ofMachine}, QStringLiteral("/"));
            other = found[1];
            return !found[0] && found[2] == number(7) && other.has_value();
        }));
        QVERIFY(other == number(7));
        // One reading is outstanding, however often it is asked for.
        QCOMPARE(entered->load(), 1);
        hangs->count_down();
        QVERIFY(QTest::qWaitFor([&] { return reader.read(ofA, QStringLiteral("/")) == number(7); }));
    }
};

QTEST_GUILESS_MAIN(CurrentReaderTest)
#include "tst_currentreader.moc"
