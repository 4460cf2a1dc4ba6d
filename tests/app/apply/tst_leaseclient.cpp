// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/leaseclient.h"

#include "fakehelper.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace diskwright;
using namespace diskwright::bench;
using namespace diskwright::test;
using namespace std::chrono_literals;

namespace {

const Address ratio{Domain::Vm, "", "dirty_ratio"};
const Address background{Domain::Vm, "", "dirty_background_ratio"};

// Named in another order than they are applied in.
std::vector<State> twoStates()
{
    return {{{background, number(10)}, {ratio, number(20)}}, {{background, number(5)}, {ratio, number(40)}}};
}

Report held(const FakeHelper::Call &call)
{
    Report report;
    report.request = call.request->id;
    report.outcome = Outcome::LeaseHeld;
    report.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 60'000'000'000U;
    return report;
}

Report answer(const FakeHelper::Call &call, Outcome outcome, Errc why = Errc::None)
{
    Report report = held(call);
    report.outcome = outcome;
    report.why = why;
    return report;
}

} // namespace

class LeaseClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void beginsOnceAndSwitchesByTheToken();
    void refusesWithoutACall_data();
    void refusesWithoutACall();
    void refusalsComeThrough();
    void foreignChangesEndIt();
    void endsByItself();
    void staysInAState();
    void endsWhenASwitchIsRefused();
    void looksWhenTheAnswerIsLost();
    void timeIsOver();
    void destroyingItClosesThePipe();

private:
    void hold();
    void write(const char *name, const QByteArray &text);
    [[nodiscard]] LeaseEnd lastEnd(const QSignalSpy &over) const
    {
        return over.last().first().value<LeaseEnd>();
    }

    std::unique_ptr<PrivateBus> m_bus;
    std::unique_ptr<FakeHelper> m_helper;
    std::unique_ptr<HelperClient> m_client;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TrialStore> m_store;
    std::unique_ptr<LeaseClient> m_lease;
};

void LeaseClientTest::init()
{
    m_bus = std::make_unique<PrivateBus>();
    m_helper = std::make_unique<FakeHelper>(m_bus->connect());
    m_client = std::make_unique<HelperClient>(m_bus->connect(), m_bus->connect());
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<TrialStore>(m_folder->path() + u"/trials"_s);
    m_lease = std::make_unique<LeaseClient>(*m_client, *m_store, [](const std::string &name) {
        return name == "sda" ? Result<DeviceIdentity>(DeviceIdentity{"sda", 8, 0, 1, 1000})
                             : fail(Errc::UnknownTarget, name, "no such disk");
    });
    m_lease->setRoot(m_folder->path());
    write("dirty_ratio", "20\n");
    write("dirty_background_ratio", "10\n");
}

void LeaseClientTest::cleanup()
{
    m_lease.reset();
    m_client.reset();
    m_helper.reset();
    m_bus.reset();
}

void LeaseClientTest::write(const char *name, const QByteArray &text)
{
    const QString folder = m_folder->path() + u"/proc/sys/vm/"_s;
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + QString::fromLatin1(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void LeaseClientTest::hold()
{
    m_helper->setScript([](const FakeHelper::Call &call) { return success(held(call)); });
    QSignalSpy began(m_lease.get(), &LeaseHolder::began);
    m_lease->begin(twoStates(), 12, 60s);
    QVERIFY(began.wait(5000));
}

void LeaseClientTest::beginsOnceAndSwitchesByTheToken()
{
    hold();
    QCOMPARE(m_helper->calls()[0].action, u"org.diskwright.helper.plan"_s);
    const auto lease = std::get<LeaseRequest>(m_helper->calls()[0].request->operation);
    QCOMPARE(lease.settings[0].setting, "vm/dirty_ratio");
    QVERIFY(lease.settings[0].expected == number(20));
    QVERIFY(lease.states[1][0] == number(40));
    QCOMPARE(lease.mostSwitches, 12);
    QVERIFY(lease.duration == 60s);
    QCOMPARE(QDir(m_store->folder()).entryList(QDir::Files).size(), 1);

    m_helper->setScript([](const FakeHelper::Call &call) {
        Report report = held(call);
        report.steps = {{StepResult::Applied, Errc::None, 0, 20, 41},
                        {StepResult::Applied, Errc::None, 0, 10, 6}};
        return success(report);
    });
    QSignalSpy switched(m_lease.get(), &LeaseHolder::switched);
    m_lease->switchTo(1);
    QVERIFY(switched.wait(5000));
    QCOMPARE(switched[0][0].toULongLong(), 1U);
    // In the order of the state's items, not in that of applying.
    const auto values = switched[0][1].value<std::vector<Value>>();
    QVERIFY(values == (std::vector<Value>{number(6), number(41)}));
    QCOMPARE(m_helper->calls()[1].action, u"org.diskwright.helper.settle"_s);
    const auto change = std::get<SwitchRequest>(m_helper->calls()[1].request->operation);
    QVERIFY(change.token == lease.token);
    QVERIFY(change.transaction == m_helper->calls()[0].request->id);
    QVERIFY(!isAtEnd(m_helper->calls()[0].descriptors.value(u"cancel"_s).fileDescriptor()));
}

void LeaseClientTest::refusesWithoutACall_data()
{
    QTest::addColumn<int>("states");
    QTest::addColumn<int>("switches");
    QTest::addColumn<int>("seconds");
    QTest::addColumn<QString>("disk");
    QTest::addColumn<int>("code");
    QTest::newRow("one state") << 1 << 12 << 60 << u""_s << static_cast<int>(Errc::OutOfRange);
    QTest::newRow("too many states") << 17 << 12 << 60 << u""_s << static_cast<int>(Errc::OutOfRange);
    QTest::newRow("no switch") << 2 << 0 << 60 << u""_s << static_cast<int>(Errc::OutOfRange);
    QTest::newRow("too many switches") << 2 << 513 << 60 << u""_s << static_cast<int>(Errc::OutOfRange);
    QTest::newRow("too long") << 2 << 12 << 3601 << u""_s << static_cast<int>(Errc::OutOfRange);
    QTest::newRow("no such disk") << 2 << 12 << 60 << u"sdz"_s << static_cast<int>(Errc::UnknownTarget);
}

void LeaseClientTest::refusesWithoutACall()
{
    QFETCH(int, states);
    QFETCH(int, switches);
    QFETCH(int, seconds);
    QFETCH(QString, disk);
    QFETCH(int, code);
    const Address address =
        disk.isEmpty() ? ratio : Address{Domain::Queue, disk.toStdString(), "read_ahead_kb"};
    const std::vector<State> all(static_cast<std::size_t>(states), State{{address, number(20)}});
    QSignalSpy refused(m_lease.get(), &LeaseHolder::refused);
    m_lease->begin(all, static_cast<std::size_t>(switches), std::chrono::seconds(seconds));
    QVERIFY(refused.wait(5000));
    const auto error = refused[0][0].value<Error>();
    QCOMPARE(static_cast<int>(error.code), code);
    QVERIFY(!error.reason.empty());
    QVERIFY(m_helper->calls().empty());
}

void LeaseClientTest::refusalsComeThrough()
{
    QSignalSpy refused(m_lease.get(), &LeaseHolder::refused);
    m_helper->setScript([](const FakeHelper::Call &) { return kauthReply({}, 4, 0); });
    m_lease->begin(twoStates(), 12, 60s);
    QVERIFY(refused.wait(5000));
    QVERIFY(refused[0][0].value<Error>().code == Errc::NotAuthorized);
    m_helper->setScript(
        [](const FakeHelper::Call &call) { return success(answer(call, Outcome::Refused, Errc::Stale)); });
    m_lease->begin(twoStates(), 12, 60s);
    QVERIFY(refused.wait(5000));
    QVERIFY(refused[1][0].value<Error>().code == Errc::Stale);
    QVERIFY(QDir(m_store->folder()).entryList(QDir::Files).isEmpty());
}

void LeaseClientTest::foreignChangesEndIt()
{
    hold();
    m_helper->setScript(
        [](const FakeHelper::Call &call) { return success(answer(call, Outcome::Refused, Errc::Stale)); });
    QSignalSpy over(m_lease.get(), &LeaseHolder::over);
    m_lease->switchTo(1);
    QVERIFY(over.wait(5000));
    QVERIFY(lastEnd(over) == LeaseEnd::Foreign);
    QVERIFY(QDir(m_store->folder()).entryList(QDir::Files).isEmpty());
}

void LeaseClientTest::endsByItself()
{
    hold();
    m_helper->setScript([](const FakeHelper::Call &call) { return success(answer(call, Outcome::Ended)); });
    QSignalSpy over(m_lease.get(), &LeaseHolder::over);
    m_lease->end();
    QVERIFY(over.wait(5000));
    QVERIFY(lastEnd(over) == LeaseEnd::PutBack);
    QVERIFY(over[0][1].value<Error>().code == Errc::None);
    const auto request = std::get<EndRequest>(m_helper->calls()[1].request->operation);
    QVERIFY(!request.stay);
    QVERIFY(QTest::qWaitFor(
        [&] { return isAtEnd(m_helper->calls()[0].descriptors.value(u"cancel"_s).fileDescriptor()); }));
}

void LeaseClientTest::staysInAState()
{
    hold();
    m_helper->setScript([](const FakeHelper::Call &call) { return success(answer(call, Outcome::Applied)); });
    QSignalSpy over(m_lease.get(), &LeaseHolder::over);
    m_lease->stay(1);
    QVERIFY(over.wait(5000));
    QVERIFY(lastEnd(over) == LeaseEnd::Stayed);
    QVERIFY(over[0][1].value<Error>().code == Errc::None);
    QCOMPARE(std::get<EndRequest>(m_helper->calls()[1].request->operation).stay.value(), 1);
}

void LeaseClientTest::endsWhenASwitchIsRefused()
{
    hold();
    m_helper->setScript([](const FakeHelper::Call &call) {
        return success(std::holds_alternative<SwitchRequest>(call.request->operation)
                           ? answer(call, Outcome::Refused, Errc::SwitchLimit)
                           : answer(call, Outcome::Ended));
    });
    QSignalSpy over(m_lease.get(), &LeaseHolder::over);
    m_lease->switchTo(1);
    QVERIFY(over.wait(5000));
    QVERIFY(lastEnd(over) == LeaseEnd::PutBack);
    QVERIFY(over[0][1].value<Error>().code == Errc::SwitchLimit);
}

void LeaseClientTest::looksWhenTheAnswerIsLost()
{
    hold();
    write("dirty_ratio", "40\n");
    m_helper->setScript([](const FakeHelper::Call &) { return QByteArray("garbage"); });
    QSignalSpy over(m_lease.get(), &LeaseHolder::over);
    m_lease->switchTo(1);
    QVERIFY(!over.wait(1000));
    QVERIFY(isAtEnd(m_helper->calls()[0].descriptors.value(u"cancel"_s).fileDescriptor()));
    write("dirty_ratio", "20\n");
    QVERIFY(over.wait(5000));
    QVERIFY(lastEnd(over) == LeaseEnd::PutBack);
    QVERIFY(over[0][1].value<Error>().code != Errc::None);
}

void LeaseClientTest::timeIsOver()
{
    m_helper->setScript([](const FakeHelper::Call &call) {
        Report report = held(call);
        report.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 300'000'000U;
        return success(report);
    });
    QSignalSpy over(m_lease.get(), &LeaseHolder::over);
    m_lease->begin(twoStates(), 12, 1s);
    QVERIFY(over.wait(5000));
    QVERIFY(lastEnd(over) == LeaseEnd::PutBack);
    QVERIFY(over[0][1].value<Error>().code == Errc::Expired);
}

void LeaseClientTest::destroyingItClosesThePipe()
{
    hold();
    m_lease.reset();
    QVERIFY(QTest::qWaitFor(
        [&] { return isAtEnd(m_helper->calls()[0].descriptors.value(u"cancel"_s).fileDescriptor()); }));
    QVERIFY(QDir(m_store->folder()).entryList(QDir::Files).isEmpty());
}

QTEST_GUILESS_MAIN(LeaseClientTest)
#include "tst_leaseclient.moc"
