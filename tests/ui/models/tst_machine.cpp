// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/machinecopy.h"

#include "ui/models/machine.h"

#include <QElapsedTimer>
#include <QSignalSpy>

#include <atomic>
#include <semaphore>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

namespace {

/// Lets the reading of one disk hang until it is released.
struct Hang {
    std::string disk;
    std::atomic<int> entered = 0;
    std::counting_semaphore<64> release{0};

    explicit Hang(std::string name)
        : disk(std::move(name))
    {
    }
    std::function<void(const std::string &)> hook(const std::shared_ptr<Hang> &self)
    {
        return [self](const std::string &name) {
            if (name == self->disk) {
                ++self->entered;
                self->release.acquire();
            }
        };
    }
};

} // namespace

class TestMachine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsInTheBackground()
    {
        MachineCopy copy;
        Machine machine(copy.root());
        QSignalSpy read(&machine, &Machine::wasRead);
        machine.readAgain("sda");
        QVERIFY2(!machine.wasEverRead(), "nothing is read by the caller");
        QVERIFY(read.wait());
        QVERIFY(machine.disks().find("sda"));
        QVERIFY(machine.hasRead("sda"));
        QVERIFY(!machine.hasRead("sdb"));
    }

    void whoAsksGetsAReadingThatBeganLater()
    {
        MachineCopy copy;
        Machine machine(copy.root());
        std::atomic<int> entered = 0;
        std::counting_semaphore<8> goOn(0);
        machine.setBeforeDisk([&](const std::string &name) {
            if (name == "sda" && entered++ == 0)
                goOn.acquire();
        });
        machine.readAgain("sda");
        QVERIFY(QTest::qWaitFor([&] { return entered > 0; }));
        // This reading has begun; what changes now may not be in it.
        copy.write(u"sda"_s, u"queue/read_ahead_kb"_s, "4096\n");
        std::optional<Value> seen;
        machine.readThen({"sda"},
                         [&] { seen = machine.setting(*parseAddress("queue:sda:read_ahead_kb"))->value; });
        QVERIFY2(!seen, "nobody is answered at once");
        goOn.release();
        QVERIFY(QTest::qWaitFor([&] { return seen.has_value(); }));
        QCOMPARE(*seen, number(4096));
        machine.setBeforeDisk({});
    }

    void whoAsksIsAnsweredAlthoughADiskHangs()
    {
        MachineCopy copy;
        Machine machine(copy.root());
        const auto hang = std::make_shared<Hang>("sda");
        machine.setBeforeDisk(hang->hook(hang));
        bool answered = false;
        machine.readThen({"sda"}, [&] { answered = true; });
        QVERIFY(QTest::qWaitFor([&] { return answered; }, 10'000));
        QCOMPARE(machine.presence("sda"), Presence::Silent);
        hang->release.release(8);
    }

    void aHangingDiskHoldsNobodyUp()
    {
        MachineCopy copy;
        Machine machine(copy.root());
        QSignalSpy read(&machine, &Machine::wasRead);
        machine.watch({"sda", "sdb", ""});
        machine.readAgain();
        QVERIFY(read.wait());
        const auto hang = std::make_shared<Hang>("sdb");
        machine.setBeforeDisk(hang->hook(hang));
        // The thread that draws goes on: it handles its ticks while the worker stands still.
        int ticks = 0;
        qint64 longest = 0;
        QElapsedTimer since;
        QTimer ticker;
        connect(&ticker, &QTimer::timeout, this, [&] {
            longest = std::max(longest, since.restart());
            ++ticks;
        });
        ticker.start(5);
        since.start();
        machine.readAgain();
        QVERIFY(QTest::qWaitFor([&] { return machine.presence("sdb") == Presence::Silent; }, 20'000));
        QVERIFY2(hang->entered == 1 && ticks >= 50, qPrintable(u"%1 ticks"_s.arg(ticks)));
        // The others are read on, and what was seen of the silent one stays.
        copy.write(u"sda"_s, u"queue/read_ahead_kb"_s, "512\n");
        for (int i = 0; i < 5; ++i)
            machine.readAgain();
        const Address address = *parseAddress("queue:sda:read_ahead_kb");
        QVERIFY(QTest::qWaitFor([&] { return machine.setting(address)->value == number(512); }, 20'000));
        QVERIFY(machine.disks().find("sdb"));
        QVERIFY(machine.disks().find("sdb")->model.has_value());
        QVERIFY(machine.hasRead("sdb"));
        QCOMPARE(hang->entered, 1);
        // A plan must not go where nothing answers.
        QVERIFY(machine.snapshot().disk("sda"));
        QVERIFY(!machine.snapshot().disk("sdb"));
        qInfo("longest gap between two ticks of 5 ms while a disk hung: %lld ms", longest);
        // It says how long it has been silent, and comes back by itself.
        QVERIFY(QTest::qWaitFor([&] { return machine.silentFor("sdb") >= std::chrono::seconds(2); }, 20'000));
        machine.setBeforeDisk({});
        hang->release.release(64);
        QVERIFY(QTest::qWaitFor([&] { return machine.presence("sdb") == Presence::Here; }, 20'000));
        QCOMPARE(machine.silentFor("sdb").count(), 0);
        QVERIFY(read.wait());
    }

    void aDiskThatNeverAnsweredIsListed()
    {
        MachineCopy copy;
        const auto hang = std::make_shared<Hang>("sda");
        Machine machine(copy.root());
        machine.setBeforeDisk(hang->hook(hang));
        machine.readAgain();
        QVERIFY(QTest::qWaitFor([&] { return machine.wasEverRead(); }, 20'000));
        QVERIFY(machine.disks().find("sdb")->model.has_value());
        QVERIFY(machine.disks().find("sda"));
        QCOMPARE(machine.presence("sda"), Presence::Silent);
        QVERIFY(!machine.disks().find("sda")->model);
        hang->release.release(64);
    }

    void nobodyWaitsForAHangingDiskAtTheEnd()
    {
        MachineCopy copy;
        const auto hang = std::make_shared<Hang>("sdb");
        auto machine = std::make_unique<Machine>(copy.root());
        machine->setBeforeDisk(hang->hook(hang));
        machine->readAgain();
        QVERIFY(QTest::qWaitFor([&] { return hang->entered == 1; }, 20'000));
        machine.reset();
        // The worker outlives the machine and finds nobody to tell.
        QCOMPARE(hang->entered, 1);
        hang->release.release(64);
    }

    void aDiskComesAndGoes()
    {
        MachineCopy copy;
        Machine machine(copy.root());
        QSignalSpy changed(&machine, &Machine::disksChanged);
        QSignalSpy read(&machine, &Machine::wasRead);
        machine.readAgain();
        QVERIFY(changed.wait());
        QVERIFY(machine.disks().find("sdb"));
        copy.pull(u"sdb"_s);
        machine.readAgain();
        QVERIFY(changed.wait());
        QVERIFY(!machine.disks().find("sdb"));
        QCOMPARE(machine.presence("sdb"), Presence::Gone);
        QVERIFY2(machine.gone().empty(), "nobody wants to see it any more");
        copy.plug(u"sdb"_s, u"sdb"_s);
        machine.readAgain();
        QVERIFY(changed.wait());
        QCOMPARE(machine.presence("sdb"), Presence::Here);
        // The same again is no change.
        const auto before = changed.count();
        machine.readAgain();
        QVERIFY(read.wait());
        QCOMPARE(changed.count(), before);
    }

    void whatIsGoneIsShownWhileSomebodyLooks()
    {
        MachineCopy copy;
        Machine machine(copy.root());
        QSignalSpy changed(&machine, &Machine::disksChanged);
        bool wanted = true;
        machine.setKeepsGone([&](const std::string &target) { return wanted && target == "sdb"; });
        machine.readAgain("sdb");
        QVERIFY(changed.wait());
        const auto rows = machine.settings("sdb").size();
        QVERIFY(rows > 0);
        copy.pull(u"sdb"_s);
        machine.readAgain();
        QVERIFY(changed.wait());
        QVERIFY(machine.node("sdb"));
        QCOMPARE(machine.settings("sdb").size(), rows);
        QVERIFY(!machine.snapshot().disk("sdb"));
        wanted = false;
        machine.dropGone();
        QVERIFY(!machine.node("sdb"));
    }

    void historyIsReadWhenItsFolderChanged()
    {
        MachineCopy copy;
        const Reading first = readMachine(copy.root(), ReadingWish());
        ReadingWish wish;
        wish.known = first.records;
        QCOMPARE(readMachine(copy.root(), wish).records, first.records);
        QVERIFY(QDir(copy.root()).mkpath(u"var/lib/diskwright/history"_s));
        QVERIFY(readMachine(copy.root(), wish).records != first.records);
    }

    void theSameDiskIsKnownAgain()
    {
        BlockNode disk;
        disk.name = "sdb";
        disk.id = "wwn-0x1";
        disk.sizeBytes = 1000;
        disk.model = "A";
        disk.diskseq = 4;
        BlockNode again = disk;
        again.name = "sdc";
        again.diskseq = 9;
        QVERIFY(isSameDisk(disk, again));
        again.sizeBytes = 2000;
        QVERIFY(!isSameDisk(disk, again));
        // Without a number of its own, only the very device that never left.
        disk.id.reset();
        again = disk;
        QVERIFY(isSameDisk(disk, again));
        again.diskseq = 5;
        QVERIFY(!isSameDisk(disk, again));
    }
};

QTEST_GUILESS_MAIN(TestMachine)
#include "tst_machine.moc"
