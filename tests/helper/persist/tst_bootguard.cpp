// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/bootguard.h"

#include "helper/persist/bootstore.h"
#include "helper/persist/bootwriter.h"
#include "testmachine.h"

#include <QTest>

using namespace diskwright;

namespace {

constexpr const char *rules = "etc/udev/rules.d/80-diskwright.rules";
constexpr const char *sysctl = "etc/sysctl.d/80-diskwright.conf";
constexpr const char *rulesAside = "etc/diskwright/boot/80-diskwright.rules";
constexpr const char *sysctlAside = "etc/diskwright/boot/80-diskwright.conf";
constexpr const char *stateFile = "etc/diskwright/boot/state.json";

} // namespace

class TestBootGuard final : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<TestMachine> m_machine;

    BootStore store() const { return std::move(*BootStore::at(m_machine->root())); }
    BootState state() const { return *store().state(); }
    bool inForce() const { return m_machine->has(rules) && m_machine->has(sysctl); }
    bool isAside() const { return m_machine->has(rulesAside) && m_machine->has(sysctlAside) && !inForce(); }

    std::vector<std::string> boot(char id, const char *commandLine = "quiet") const
    {
        m_machine->setBootId(id);
        m_machine->write("proc/cmdline", QByteArray(commandLine) + '\n');
        return guardBoot(store().root());
    }
    void finishBoot() const { QVERIFY(endBoot(store().root(), finished)); }

    void keepSomething(std::int64_t value = 1024) const
    {
        const TestMachine::Disk ata = TestMachine::ata();
        const std::vector<KeepItem> items{{.spec = findSetting("queue/read_ahead_kb"),
                                           .device = TestMachine::identityOf(ata),
                                           .value = number(value),
                                           .original = number(128),
                                           .pairOriginal = {}},
                                          {.spec = findSetting("vm/dirty_ratio"),
                                           .device = {},
                                           .value = number(10),
                                           .original = number(20),
                                           .pairOriginal = {}}};
        QVERIFY(store().keep(items, "", false));
    }

private Q_SLOTS:
    void init()
    {
        m_machine = std::make_unique<TestMachine>();
        m_machine->addDisk(TestMachine::ata());
    }

    void nothingKeptWritesNothing()
    {
        QVERIFY(boot('2').empty());
        QVERIFY(!m_machine->has("etc/diskwright"));
    }

    void aFinishedBootProves()
    {
        keepSomething();
        QCOMPARE(boot('2'), std::vector<std::string>{"the kept settings are in force, on probation"});
        QCOMPARE(state().running, TestMachine::bootId('2').toStdString());
        finishBoot();
        QVERIFY(state().proven && state().running.empty());
        QVERIFY(inForce());
        QCOMPARE(boot('3'), std::vector<std::string>{"the kept settings are in force"});
    }

    void oneUnfinishedBootOnProbationSetsAside()
    {
        keepSomething();
        boot('2');
        const auto messages = boot('3');
        QVERIFY(isAside());
        QCOMPARE(messages, std::vector<std::string>{
                               "the kept settings are set aside, because 1 boot with them did not finish"});
        QCOMPARE(state().aside, Aside::Unfinished);
        finishBoot();
        boot('4');
        QVERIFY(isAside());
        QVERIFY(store().useAtStart(true));
        QVERIFY(inForce());
    }

    void twoUnfinishedBootsWhenProven()
    {
        keepSomething();
        boot('2');
        finishBoot();
        boot('3');
        boot('4');
        QVERIFY(inForce());
        QCOMPARE(state().unfinished, 1U);
        boot('5');
        QVERIFY(isAside());
    }

    void aFinishedBootInBetweenForgives()
    {
        keepSomething();
        boot('2');
        finishBoot();
        boot('3');
        boot('4');
        finishBoot();
        boot('5');
        boot('6');
        QVERIFY(inForce());
    }

    void theSwitchIsForOneBoot()
    {
        keepSomething();
        boot('2', "root=/dev/vda diskwright.off quiet");
        QVERIFY(isAside());
        QCOMPARE(state().aside, Aside::CommandLine);
        QVERIFY(state().running.empty());
        boot('3');
        QVERIFY(inForce());
        boot('4', "diskwright.off=1");
        QVERIFY(isAside());
    }

    void theSwitchTwiceInARow()
    {
        keepSomething();
        boot('2', "diskwright.off");
        boot('3', "diskwright.off");
        QVERIFY(isAside());
        boot('4');
        QVERIFY(inForce());
    }

    void theSwitchAfterAFailedBootStaysAside()
    {
        keepSomething();
        boot('2');
        boot('3', "diskwright.off");
        QCOMPARE(state().aside, Aside::Unfinished);
        boot('4');
        QVERIFY(isAside());
    }

    void rescueNeitherCountsNorFails()
    {
        keepSomething();
        boot('2', "single");
        boot('3', "systemd.unit=emergency.target");
        boot('4');
        QVERIFY(inForce());
        QVERIFY(endBoot(store().root(), neutral));
        boot('5');
        QVERIFY(inForce());
        QVERIFY(!state().proven);
    }

    void switchedOffIsLeftAlone()
    {
        keepSomething();
        QVERIFY(store().useAtStart(false));
        boot('2');
        boot('3');
        QVERIFY(isAside());
        QCOMPARE(state().aside, Aside::SwitchedOff);
        QCOMPARE(state().unfinished, 0U);
    }

    void theBootOfTheChangeProvesNothing()
    {
        keepSomething();
        boot('2');
        keepSomething(2048);
        finishBoot();
        QVERIFY(!state().proven);
        boot('3');
        finishBoot();
        QVERIFY(state().proven);
    }

    void keepingEndsSettingAside()
    {
        keepSomething();
        boot('2');
        boot('3');
        QVERIFY(isAside());
        keepSomething(2048);
        QVERIFY(inForce());
        QCOMPARE(state().unfinished, 0U);
        boot('4');
        QVERIFY(inForce());
    }

    void theGuardTwiceInOneBootCountsOnce()
    {
        keepSomething();
        boot('2');
        boot('2');
        QVERIFY(inForce());
        QCOMPARE(state().unfinished, 0U);
    }

    void anInterruptedMoveIsCompleted()
    {
        keepSomething();
        boot('2');
        BootState halfway = state();
        halfway.aside = Aside::Unfinished;
        halfway.running.clear();
        QVERIFY(writeBootState(store().root(), halfway));
        boot('3');
        QVERIFY(isAside());
    }

    void anEditedFileIsMovedAsItIs()
    {
        keepSomething();
        m_machine->write(rules, "# mine\n");
        boot('2', "diskwright.off");
        QCOMPARE(m_machine->read(rulesAside), QByteArray("# mine\n"));
        boot('3');
        QCOMPARE(m_machine->read(rules), QByteArray("# mine\n"));
    }

    void hostileFilesDoNotStopTheBoot_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        const QByteArray set = "etc/diskwright/boot-set.json";
        QTest::newRow("set: garbage") << set << QByteArray(1000, '\xfe');
        QTest::newRow("set: deep") << set << QByteArray(1000000, '[');
        QTest::newRow("set: huge") << set << QByteArray(8 * 1024 * 1024, ' ');
        QTest::newRow("state: garbage") << QByteArray(stateFile) << QByteArray(1000, '\xfe');
        QTest::newRow("state: huge") << QByteArray(stateFile) << QByteArray(8 * 1024 * 1024, '{');
        QTest::newRow("rules: huge") << QByteArray(rules) << QByteArray(8 * 1024 * 1024, '#');
    }

    void hostileFilesDoNotStopTheBoot()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        keepSomething();
        m_machine->write(name, text);
        const auto messages = boot('2');
        QVERIFY(!messages.empty());
        for (const std::string &message : messages)
            QVERIFY(message.size() < 1000);
        const auto off = boot('3', "diskwright.off");
        QVERIFY(!off.empty());
    }

    void strangeKindsOfFileDoNotStopTheBoot()
    {
        keepSomething();
        m_machine->remove(stateFile);
        m_machine->makeFolder(stateFile);
        m_machine->remove(rules);
        QVERIFY(QFile::link(m_machine->path("etc/nowhere"), m_machine->path(rules)));
        QVERIFY(!boot('2').empty());
        QVERIFY(!m_machine->has("etc/nowhere"));
    }

    void commandLines_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("off");
        QTest::addColumn<bool>("rescue");
        QTest::newRow("plain") << QByteArray("root=/dev/sda1 ro quiet\n") << false << false;
        QTest::newRow("off last") << QByteArray("quiet diskwright.off\n") << true << false;
        QTest::newRow("off with a value") << QByteArray("diskwright.off=1 quiet\n") << true << false;
        QTest::newRow("only looks like it")
            << QByteArray("diskwright.offline xdiskwright.off\n") << false << false;
        QTest::newRow("single") << QByteArray("single\n") << false << true;
        QTest::newRow("1") << QByteArray("ro 1\n") << false << true;
        QTest::newRow("both") << QByteArray("diskwright.off systemd.unit=rescue.target\n") << true << true;
        QTest::newRow("empty") << QByteArray() << false << false;
        QTest::newRow("long") << QByteArray(60000, 'x') + " diskwright.off" << true << false;
    }

    void commandLines()
    {
        QFETCH(QByteArray, text);
        const CommandLine parsed = parseCommandLine(text.toStdString());
        QTEST(parsed.off, "off");
        QTEST(parsed.rescue, "rescue");
    }
};

QTEST_APPLESS_MAIN(TestBootGuard)
#include "tst_bootguard.moc"
