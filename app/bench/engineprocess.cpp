// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engineprocess.h"

#include "config.h"

#include <QDeadlineTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

using namespace std::chrono_literals;

namespace diskwright::bench {
namespace {

constexpr auto cancelPatience = 190ms;
constexpr auto killPatience = 100ms;

QSet<QProcess *> &leftToThemselves()
{
    static auto &left = *new QSet<QProcess *>;
    return left;
}

/// Lets a process that was told to end do so by itself. ~QProcess would wait for it, half a minute if need
/// be; so one that has not ended when the program does is never destroyed.
void leaveToItself(QProcess *process)
{
    leftToThemselves().insert(process);
    QObject::connect(process, &QProcess::stateChanged, process, [process](QProcess::ProcessState state) {
        if (state == QProcess::NotRunning && leftToThemselves().remove(process))
            process->deleteLater();
    });
}

Errc codeFromName(const QString &text)
{
    for (int number = 0; number <= static_cast<int>(lastErrc); ++number) {
        const auto code = static_cast<Errc>(number);
        if (text == QString::fromLatin1(name(code).data(), static_cast<qsizetype>(name(code).size())))
            return code;
    }
    return Errc::Internal;
}

} // namespace

QString defaultEnginePath()
{
    const QString other = qEnvironmentVariable("DISKWRIGHT_ENGINE");
    return other.isEmpty() ? QStringLiteral(DISKWRIGHT_ENGINE_PATH) : other;
}

bool awaitEngines(std::chrono::milliseconds patience)
{
    const QDeadlineTimer deadline(patience);
    const QSet<QProcess *> running = leftToThemselves();
    for (QProcess *process : running)
        process->waitForFinished(static_cast<int>(deadline.remainingTime()));
    return leftToThemselves().isEmpty();
}

EngineProcess::EngineProcess(const QString &enginePath, QObject *parent, Kill kill)
    : RoundSource(parent)
    , m_process(std::make_unique<QProcess>())
    , m_kill(std::move(kill))
{
    m_process->setProgram(enginePath);
    m_process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &EngineProcess::onPatienceOver);
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &EngineProcess::readEvents);
    connect(m_process.get(), &QProcess::finished, this, &EngineProcess::onFinished);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            giveUp({.code = Errc::Absent,
                    .input = m_process->program().toStdString(),
                    .reason = m_process->errorString().toStdString(),
                    .accepted = {}});
    });
}

EngineProcess::~EngineProcess()
{
    m_over = true;
    m_process->disconnect(this);
    if (m_process->state() == QProcess::NotRunning)
        return;
    // Its test file has no name, so even a kill leaves nothing.
    m_process->closeWriteChannel();
    m_kill(*m_process);
    leaveToItself(m_process.release());
}

void EngineProcess::prepare(const Target &target, quint64 sizeBytes)
{
    m_disks = target.disks;
    if (m_process->state() == QProcess::NotRunning)
        m_process->start();
    ask({{QStringLiteral("request"), QStringLiteral("prepare")},
         {QStringLiteral("target"), target.path},
         {QStringLiteral("size_bytes"), static_cast<qint64>(sizeBytes)}});
}

void EngineProcess::makeRound(const TestSpec &test, int milliseconds, quint64 seed)
{
    m_timeline.clear();
    ask({{QStringLiteral("request"), QStringLiteral("run")},
         {QStringLiteral("pattern"), test.random ? QStringLiteral("random") : QStringLiteral("sequential")},
         {QStringLiteral("block_bytes"), static_cast<qint64>(test.blockBytes)},
         {QStringLiteral("depth"), static_cast<qint64>(test.depth)},
         {QStringLiteral("direct"), test.direct},
         {QStringLiteral("duration_ms"), milliseconds},
         {QStringLiteral("warm_up_ms"), test.warmUpMilliseconds},
         {QStringLiteral("seed"), static_cast<qint64>(seed >> 1)},
         {QStringLiteral("disks"), m_disks.join(u' ')}});
}

void EngineProcess::cancel()
{
    if (m_over || m_cancelling)
        return;
    m_cancelling = true;
    if (m_process->state() == QProcess::NotRunning) {
        QMetaObject::invokeMethod(this, &EngineProcess::onFinished, Qt::QueuedConnection);
        return;
    }
    m_process->closeWriteChannel();
    m_patience.start(cancelPatience);
}

void EngineProcess::onPatienceOver()
{
    if (!m_killed) {
        m_killed = true;
        m_kill(*m_process);
        m_patience.start(killPatience);
        return;
    }
    // What waits for an answer holds a lease.
    onFinished();
}

void EngineProcess::ask(const QJsonObject &request)
{
    m_process->write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n');
}

void EngineProcess::readEvents()
{
    while (!m_over && m_process->canReadLine())
        handle(QJsonDocument::fromJson(m_process->readLine()).object());
}

void EngineProcess::handle(const QJsonObject &event)
{
    if (m_cancelling)
        return;
    const QString kind = event[u"event"].toString();
    if (kind == u"slot") {
        m_timeline.append(Round::slotFromEngine(event));
        Q_EMIT slotDone(m_timeline.last());
    } else if (kind == u"preparing") {
        Q_EMIT preparing(static_cast<quint64>(event[u"written_bytes"].toInteger()),
                         static_cast<quint64>(event[u"size_bytes"].toInteger()));
    } else if (kind == u"prepared") {
        const QJsonValue alignment = event[u"direct_alignment_bytes"];
        m_directAlignment =
            alignment.isDouble() ? std::optional(static_cast<quint64>(alignment.toInteger())) : std::nullopt;
        Q_EMIT prepared();
    } else if (kind == u"result") {
        Round round = Round::fromEngine(event);
        round.timeline = m_timeline;
        Q_EMIT roundDone(round);
    } else if (kind == u"error") {
        giveUp({.code = codeFromName(event[u"code"].toString()),
                .input = event[u"input"].toString().toStdString(),
                .reason = event[u"reason"].toString().toStdString(),
                .accepted = event[u"accepted"].toString().toStdString(),
                .sysErrno = event[u"errno"].toInt()});
    }
}

void EngineProcess::onFinished()
{
    m_patience.stop();
    if (m_over)
        return;
    if (m_cancelling) {
        m_over = true;
        Q_EMIT cancelled();
        return;
    }
    readEvents();
    if (!m_over)
        giveUp({.code = Errc::Internal,
                .input = m_process->program().toStdString(),
                .reason = "the measuring process ended by itself",
                .accepted = {}});
}

void EngineProcess::giveUp(const Error &error)
{
    if (m_over)
        return;
    if (m_cancelling) {
        onFinished();
        return;
    }
    m_over = true;
    m_process->closeWriteChannel();
    Q_EMIT failed(error);
}

} // namespace diskwright::bench
