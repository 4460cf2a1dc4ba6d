// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/helperclient.h"

#include "fakehelper.h"
#include "helper/wire/callerrors.h"

#include "app/apply/random.h"

#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace diskwright;
using namespace diskwright::test;

namespace {

Request someRequest()
{
    ApplyRequest apply;
    apply.changes.push_back({std::nullopt, "vm/dirty_ratio", number(20), number(10)});
    return {randomId(), apply};
}

Report reportTo(const TransactionId &id)
{
    Report report;
    report.request = id;
    report.outcome = Outcome::Applied;
    report.steps.push_back({StepResult::Applied, Errc::None, 0, 20, 10});
    return report;
}

QByteArray answerTo(const FakeHelper::Call &call)
{
    return success(reportTo(call.request->id));
}

/// Plays the desktop's password agent.
class Agent : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.kde.Polkit1AuthAgent")

public:
    QString action;
    QString handle;
    QString activation;

public Q_SLOTS:
    void setWindowHandleForAction(const QString &forAction, const QString &window)
    {
        action = forAction;
        handle = window;
    }
    void setActivationTokenForAction(const QString &forAction, const QString &token)
    {
        action = forAction;
        activation = token;
    }
};

} // namespace

class HelperClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void sendsOnKAuthsWire();
    void takesItsOwnAnswer();
    void doesNotBelieveOthersReplies_data();
    void doesNotBelieveOthersReplies();
    void ignoresBroadcasts();
    void keepsConcurrentCallsApart();
    void knowsKAuthsErrors_data();
    void knowsKAuthsErrors();
    void knowsTheBussErrors_data();
    void knowsTheBussErrors();
    void knowsWhenItIsNotUnderstood();
    void reportsBusyAndNotAuthorizedOfTheHelper();
    void hintsAtAMissingAgentOnlyWhenQuick();
    void saysWhenTheHelperIsMissing();
    void saysWhenThereIsNoBus();
    void doesNotKnowWhenTheHelperDies();
    void doesNotKnowWhenTheBusDies();
    void waitsLongerThanTheBussTimeout();
    void closingThePipeCancels();
    void holdsThePipeWhileTheCallRuns();
    void destroyingTheClientClosesThePipe();
    void handsTheAgentItsWindow();
    void doesNotWaitForItsWindowsName();

private:
    CallResult call(const Request &request, HelperAction action = HelperAction::Tune);

    std::unique_ptr<PrivateBus> m_bus;
    std::unique_ptr<FakeHelper> m_helper;
    std::unique_ptr<HelperClient> m_client;
};

void HelperClientTest::init()
{
    m_bus = std::make_unique<PrivateBus>();
    m_helper = std::make_unique<FakeHelper>(m_bus->connect());
    m_client = std::make_unique<HelperClient>(m_bus->connect(), m_bus->connect());
}

void HelperClientTest::cleanup()
{
    m_client.reset();
    m_helper.reset();
    m_bus.reset();
}

CallResult HelperClientTest::call(const Request &request, HelperAction action)
{
    std::optional<CallResult> answer;
    m_client->call(action, request, [&](const CallResult &result) { answer = result; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 10000))
        qFatal("no answer");
    return *answer;
}

void HelperClientTest::sendsOnKAuthsWire()
{
    m_helper->setScript(answerTo);
    const Request request = someRequest();
    call(request, HelperAction::Plan);
    QCOMPARE(m_helper->calls().size(), 1U);
    const auto &sent = m_helper->calls().front();
    QCOMPARE(sent.action, u"org.diskwright.helper.plan"_s);
    QCOMPARE(sent.signature, u"saya{sv}aya{sh}"_s);
    QVERIFY(sent.details.isEmpty());
    QCOMPARE(sent.arguments.keys(), QStringList{u"request"_s});
    QVERIFY(sent.request == request);
    QCOMPARE(sent.descriptors.keys(), QStringList{u"cancel"_s});
}

void HelperClientTest::takesItsOwnAnswer()
{
    m_helper->setScript(answerTo);
    const Request request = someRequest();
    const CallResult result = call(request);
    QVERIFY(result.state == CallState::Answered);
    QVERIFY(result.report == reportTo(request.id));
    QVERIFY(!result.agentMayBeMissing);
    QCOMPARE(m_client->running(), 0);
}

void HelperClientTest::doesNotBelieveOthersReplies_data()
{
    QTest::addColumn<QByteArray>("reply");
    const QByteArray good = success(reportTo(randomId()));
    QTest::newRow("another request's") << good;
    QTest::newRow("no bytes") << QByteArray();
    QTest::newRow("garbage") << QByteArray(10, '\xff');
    QTest::newRow("cut short") << good.chopped(1);
    QTest::newRow("trailing bytes") << good + 'x';
    QTest::newRow("endless map") << QByteArray::fromHex("fffffffd");
    QTest::newRow("success without report") << kauthReply({}, 0, 2);
    QTest::newRow("report of another type") << kauthReply({{u"report"_s, u"text"_s}}, 0, 2);
    QTest::newRow("report that is none") << kauthReply({{u"report"_s, QByteArray("\xa1\x00", 2)}}, 0, 2);
    QTest::newRow("helper's error without report") << kauthReply({}, 3, 1, u"invalid"_s);
    QTest::newRow("KAuth's D-Bus error") << kauthReply({}, 8, 0);
    QTest::newRow("KAuth error 0") << kauthReply({}, 0, 0);
    QTest::newRow("error that KAuth does not know") << kauthReply({}, 99, 0);
}

void HelperClientTest::doesNotBelieveOthersReplies()
{
    QFETCH(QByteArray, reply);
    m_helper->setScript([&](const FakeHelper::Call &) { return reply; });
    const CallResult result = call(someRequest());
    QVERIFY(result.state == CallState::Unknown);
    QVERIFY(!result.detail.isEmpty());
}

void HelperClientTest::ignoresBroadcasts()
{
    const Request request = someRequest();
    std::optional<CallResult> answer;
    m_client->call(HelperAction::Tune, request, [&](const CallResult &result) { answer = result; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    // Even a result with this request's id counts only as the method's return.
    m_helper->broadcast(1, u"org.diskwright.helper.tune"_s, success(reportTo(request.id)));
    QTest::qWait(100);
    QVERIFY(!answer);
    m_helper->answer(kauthReply({}, 6, 0));
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QVERIFY(answer->state == CallState::Busy);
}

void HelperClientTest::keepsConcurrentCallsApart()
{
    HelperClient other(m_bus->connect(), m_bus->connect());
    const Request first = someRequest();
    const Request second = someRequest();
    std::optional<CallResult> firstAnswer;
    std::optional<CallResult> secondAnswer;
    m_client->call(HelperAction::Tune, first, [&](const CallResult &result) { firstAnswer = result; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    other.call(HelperAction::Tune, second, [&](const CallResult &result) { secondAnswer = result; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 2; }));
    m_helper->answer(success(reportTo(first.id)));
    QVERIFY(QTest::qWaitFor([&] { return firstAnswer.has_value(); }));
    QVERIFY(!secondAnswer);
    m_helper->answer(kauthReply({}, 6, 0));
    QVERIFY(QTest::qWaitFor([&] { return secondAnswer.has_value(); }));
    QVERIFY(firstAnswer->state == CallState::Answered);
    QVERIFY(secondAnswer->state == CallState::Busy);
}

void HelperClientTest::knowsKAuthsErrors_data()
{
    QTest::addColumn<int>("error");
    QTest::addColumn<int>("state");
    QTest::newRow("no responder") << 1 << static_cast<int>(CallState::Incompatible);
    QTest::newRow("no such action") << 2 << static_cast<int>(CallState::Incompatible);
    QTest::newRow("invalid action") << 3 << static_cast<int>(CallState::Incompatible);
    QTest::newRow("authorization denied") << 4 << static_cast<int>(CallState::NotAuthorized);
    QTest::newRow("user cancelled") << 5 << static_cast<int>(CallState::NotAuthorized);
    QTest::newRow("helper busy") << 6 << static_cast<int>(CallState::Busy);
    QTest::newRow("already started") << 7 << static_cast<int>(CallState::Unknown);
    QTest::newRow("backend error") << 9 << static_cast<int>(CallState::Unknown);
}

void HelperClientTest::knowsKAuthsErrors()
{
    QFETCH(int, error);
    QFETCH(int, state);
    m_helper->setScript([&](const FakeHelper::Call &) { return kauthReply({}, error, 0); });
    QCOMPARE(static_cast<int>(call(someRequest()).state), state);
}

void HelperClientTest::knowsTheBussErrors_data()
{
    QTest::addColumn<QString>("error");
    QTest::addColumn<int>("state");
    const auto row = [](const char *error, CallState state) {
        QTest::newRow(error) << QString::fromLatin1(error) << static_cast<int>(state);
    };
    row("org.freedesktop.DBus.Error.NoReply", CallState::Unknown);
    row("org.freedesktop.DBus.Error.TimedOut", CallState::Unknown);
    row("org.freedesktop.DBus.Error.Failed", CallState::Unknown);
    row("org.example.Whatever", CallState::Unknown);
    row("org.freedesktop.DBus.Error.ServiceUnknown", CallState::HelperMissing);
    row("org.freedesktop.DBus.Error.Spawn.ExecFailed", CallState::HelperMissing);
    row("org.freedesktop.systemd1.NoSuchUnit", CallState::HelperMissing);
    row("org.freedesktop.DBus.Error.AccessDenied", CallState::NotAuthorized);
    row("org.freedesktop.DBus.Error.UnknownMethod", CallState::Incompatible);
    row(callerrors::noPolkit, CallState::NotAuthorized);
    row(callerrors::notAnswered, CallState::NotAuthorized);
}

void HelperClientTest::knowsTheBussErrors()
{
    QFETCH(QString, error);
    QFETCH(int, state);
    std::optional<CallResult> answer;
    m_client->call(HelperAction::Tune, someRequest(), [&](const CallResult &result) { answer = result; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    m_helper->answerError(error);
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QCOMPARE(static_cast<int>(answer->state), state);
    QVERIFY(answer->detail.contains(error));
}

void HelperClientTest::knowsWhenItIsNotUnderstood()
{
    for (const Errc why : {Errc::Malformed, Errc::UnsupportedVersion}) {
        m_helper->setScript(
            [&](const FakeHelper::Call &) { return kauthReply({}, static_cast<int>(why), 1); });
        QVERIFY(call(someRequest()).state == CallState::Incompatible);
    }
}

void HelperClientTest::reportsBusyAndNotAuthorizedOfTheHelper()
{
    Outcome outcome = Outcome::Busy;
    m_helper->setScript([&](const FakeHelper::Call &call) {
        Report report = reportTo(call.request->id);
        report.outcome = outcome;
        return success(report);
    });
    QVERIFY(call(someRequest()).state == CallState::Busy);
    outcome = Outcome::NotAuthorized;
    QVERIFY(call(someRequest()).state == CallState::NotAuthorized);
}

void HelperClientTest::hintsAtAMissingAgentOnlyWhenQuick()
{
    m_helper->setScript([](const FakeHelper::Call &) { return kauthReply({}, 4, 0); });
    QVERIFY(call(someRequest()).agentMayBeMissing);

    m_helper->setScript({});
    std::optional<CallResult> answer;
    m_client->call(HelperAction::Tune, someRequest(), [&](const CallResult &result) { answer = result; });
    QTest::qWait(1100);
    m_helper->answer(kauthReply({}, 4, 0));
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QVERIFY(answer->state == CallState::NotAuthorized);
    QVERIFY(!answer->agentMayBeMissing);
}

void HelperClientTest::saysWhenTheHelperIsMissing()
{
    m_helper.reset();
    const CallResult result = call(someRequest());
    QVERIFY(result.state == CallState::HelperMissing);
}

void HelperClientTest::saysWhenThereIsNoBus()
{
    const QDBusConnection none = QDBusConnection::connectToBus(u"unix:path=/nonexistent"_s, u"none"_s);
    m_client = std::make_unique<HelperClient>(none, none);
    QVERIFY(call(someRequest()).state == CallState::HelperMissing);
    QCOMPARE(m_client->running(), 0);
}

void HelperClientTest::doesNotKnowWhenTheHelperDies()
{
    std::optional<CallResult> answer;
    m_client->call(HelperAction::Tune, someRequest(), [&](const CallResult &result) { answer = result; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    const QString name = m_helper->connection().name();
    m_helper.reset();
    QDBusConnection::disconnectFromBus(name);
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QVERIFY(answer->state == CallState::Unknown);
}

void HelperClientTest::doesNotKnowWhenTheBusDies()
{
    std::optional<CallResult> answer;
    m_client->call(HelperAction::Tune, someRequest(), [&](const CallResult &result) { answer = result; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    m_bus->kill();
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QVERIFY(answer->state == CallState::Unknown);
}

void HelperClientTest::waitsLongerThanTheBussTimeout()
{
    // D-Bus's own limit is 25 s; a person at a prompt may need longer.
    const Request request = someRequest();
    std::optional<CallResult> answer;
    m_client->call(HelperAction::Tune, request, [&](const CallResult &result) { answer = result; });
    QTest::qWait(27000);
    QVERIFY(!answer);
    QCOMPARE(m_client->running(), 1);
    m_helper->answer(success(reportTo(request.id)));
    QVERIFY(QTest::qWaitFor([&] { return answer.has_value(); }));
    QVERIFY(answer->state == CallState::Answered);
}

void HelperClientTest::closingThePipeCancels()
{
    const auto pipe = m_client->call(HelperAction::Tune, someRequest(), [](const CallResult &) {});
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    const int readEnd = m_helper->calls().front().descriptors.value(u"cancel"_s).fileDescriptor();
    QVERIFY(!isAtEnd(readEnd));
    pipe->close();
    QVERIFY(isAtEnd(readEnd));
}

void HelperClientTest::holdsThePipeWhileTheCallRuns()
{
    bool answered = false;
    m_client->call(HelperAction::Tune, someRequest(), [&](const CallResult &) { answered = true; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    const int readEnd = m_helper->calls().front().descriptors.value(u"cancel"_s).fileDescriptor();
    QVERIFY(!isAtEnd(readEnd));
    m_helper->answer(kauthReply({}, 4, 0));
    QVERIFY(QTest::qWaitFor([&] { return answered; }));
    QVERIFY(QTest::qWaitFor([&] { return isAtEnd(readEnd); }));
}

void HelperClientTest::destroyingTheClientClosesThePipe()
{
    bool answered = false;
    m_client->call(HelperAction::Tune, someRequest(), [&](const CallResult &) { answered = true; });
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    const int readEnd = m_helper->calls().front().descriptors.value(u"cancel"_s).fileDescriptor();
    m_client.reset();
    QVERIFY(QTest::qWaitFor([&] { return isAtEnd(readEnd); }));
    m_helper->answer(kauthReply({}, 4, 0));
    QTest::qWait(50);
    QVERIFY(!answered);
}

void HelperClientTest::handsTheAgentItsWindow()
{
    Agent agent;
    QDBusConnection session = m_bus->connect();
    QVERIFY(session.registerObject(u"/org/kde/Polkit1AuthAgent"_s, &agent, QDBusConnection::ExportAllSlots));
    QVERIFY(session.registerService(u"org.kde.polkit-kde-authentication-agent-1"_s));
    m_helper->setScript(answerTo);
    call(someRequest());
    QVERIFY(agent.handle.isEmpty());
    m_client->setPromptParent([](const HelperClient::TellAgent &tell) { tell({u"4194311"_s, {}}); });
    call(someRequest());
    QVERIFY(QTest::qWaitFor([&] { return !agent.handle.isEmpty(); }));
    QCOMPARE(agent.handle, u"4194311"_s);
    QCOMPARE(agent.action, u"org.diskwright.helper.tune"_s);
    QVERIFY(agent.activation.isEmpty());
}

void HelperClientTest::doesNotWaitForItsWindowsName()
{
    Agent agent;
    QDBusConnection session = m_bus->connect();
    QVERIFY(session.registerObject(u"/org/kde/Polkit1AuthAgent"_s, &agent, QDBusConnection::ExportAllSlots));
    QVERIFY(session.registerService(u"org.kde.polkit-kde-authentication-agent-1"_s));
    HelperClient::TellAgent tell;
    m_client->setPromptParent([&](const HelperClient::TellAgent &later) { tell = later; });
    bool answered = false;
    m_client->call(HelperAction::Plan, someRequest(), [&](const CallResult &) { answered = true; });
    // The helper has the request, so that the prompt is open; only now the compositor answers.
    QVERIFY(QTest::qWaitFor([&] { return m_helper->calls().size() == 1; }));
    QVERIFY(agent.handle.isEmpty() && agent.activation.isEmpty());
    tell({u"kde-surface-7"_s, {}});
    tell({{}, u"token-9"_s});
    QVERIFY(QTest::qWaitFor([&] { return !agent.activation.isEmpty(); }));
    QCOMPARE(agent.handle, u"kde-surface-7"_s);
    QCOMPARE(agent.activation, u"token-9"_s);
    QCOMPARE(agent.action, u"org.diskwright.helper.plan"_s);
    QVERIFY(!answered);
    m_client.reset();
    tell({u"of a window that is gone"_s, {}});
    QTest::qWait(50);
    QCOMPARE(agent.handle, u"kde-surface-7"_s);
}

QTEST_GUILESS_MAIN(HelperClientTest)
#include "tst_helperclient.moc"
