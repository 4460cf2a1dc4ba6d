// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakehelper.h"

#include "app/apply/applysession.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace diskwright::test {

inline Plan somePlan(bool onSystemDisk = false)
{
    PlanSnapshot snapshot;
    snapshot.add(PlanDisk{{"sda", 8, 0, 1, 1000}, "wwn-0x1", "870 EVO", onSystemDisk});
    snapshot.add(PlanSetting{{Domain::Queue, "sda", "scheduler"}, word("none"), {"none", "bfq"}, {}});
    snapshot.add(PlanSetting{{Domain::Queue, "sda", "nr_requests"}, number(64), {}, {}});
    snapshot.add(PlanSetting{{Domain::Vm, "", "dirty_ratio"}, number(20), {}, {}});
    ChangeSet set;
    const bool staged = set.stage({Domain::Queue, "sda", "scheduler"}, word("none"), word("bfq")) &&
                        set.stage({Domain::Vm, "", "dirty_ratio"}, number(20), number(15));
    const auto plan = makePlan(set, snapshot);
    if (!staged || !plan)
        qFatal("the plan does not fit its snapshot");
    return *plan;
}

inline std::uint64_t in(std::chrono::milliseconds time)
{
    return boottimeNanoseconds() + static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
}

inline Report reportTo(const FakeHelper::Call &call, Outcome outcome, Errc why = Errc::None)
{
    Report report;
    report.request = call.request->id;
    report.outcome = outcome;
    report.why = why;
    return report;
}

// bfq is number 3 of the schedulers, none number 0.
inline Report applied(const FakeHelper::Call &call, Outcome outcome = Outcome::Applied)
{
    Report report = reportTo(call, outcome);
    report.steps = {{StepResult::Applied, Errc::None, 0, 0, 3},
                    {StepResult::Adjusted, Errc::None, 0, 20, 16}};
    return report;
}

/// A session with a helper of our own on a bus of its own, in a folder of its own.
class SessionRig
{
protected:
    void open();
    void close();
    ApplyReport wait(const std::function<void(ApplySession::Done)> &call);
    void write(const QString &relative, const QByteArray &bytes);
    [[nodiscard]] QStringList tokens() const { return QDir(m_store->folder()).entryList(QDir::Files); }
    void answerTrial(std::chrono::milliseconds length);
    void makeKeepable();

    std::unique_ptr<PrivateBus> m_bus;
    std::unique_ptr<FakeHelper> m_helper;
    std::unique_ptr<HelperClient> m_client;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TrialStore> m_store;
    std::unique_ptr<ApplySession> m_session;
};

inline void SessionRig::open()
{
    m_bus = std::make_unique<PrivateBus>();
    m_helper = std::make_unique<FakeHelper>(m_bus->connect());
    m_client = std::make_unique<HelperClient>(m_bus->connect(), m_bus->connect());
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<TrialStore>(m_folder->path() + QStringLiteral("/state/trials"));
    m_session = std::make_unique<ApplySession>(*m_client, *m_store);
    m_session->setRoot(m_folder->path());
}

inline void SessionRig::close()
{
    m_session.reset();
    m_client.reset();
    m_helper.reset();
    m_bus.reset();
}

inline ApplyReport SessionRig::wait(const std::function<void(ApplySession::Done)> &call)
{
    std::optional<ApplyReport> answer;
    call([&](const ApplyReport &report) { answer = report; });
    if (answer || !QTest::qWaitFor([&] { return answer.has_value(); }, 10000))
        qFatal("no answer, or one before the event loop");
    return *answer;
}

inline void SessionRig::write(const QString &relative, const QByteArray &bytes)
{
    const QString path = m_folder->path() + u'/' + relative;
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

inline void SessionRig::answerTrial(std::chrono::milliseconds length)
{
    m_helper->setScript([length](const FakeHelper::Call &call) {
        Report report = applied(call, Outcome::Trial);
        report.deadlineBoottimeNanoseconds = in(length);
        return success(report);
    });
}

inline void SessionRig::makeKeepable()
{
    QVERIFY(QDir().mkpath(m_folder->path() + QStringLiteral("/run/systemd/system")));
    write(QStringLiteral("run/udev/control"), {});
}

} // namespace diskwright::test
