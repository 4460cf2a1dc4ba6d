// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "roundsource.h"

#include <QProcess>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>

namespace diskwright::bench {

/// Where the engine is installed; the environment variable DISKWRIGHT_ENGINE names another (tests, a build
/// tree).
[[nodiscard]] QString defaultEnginePath();

/// The engine as a child process. It is killed with this object, and ends by itself if this process dies. A
/// process that waits for a disk that hangs can't be killed: nothing here waits for it, neither a cancel nor
/// the destructor.
class EngineProcess final : public RoundSource
{
    Q_OBJECT

public:
    using Kill = std::function<void(QProcess &)>;

    /// \p kill: how it is killed. A test has one that does nothing here, since a process that can't be killed
    /// is not to be had otherwise.
    explicit EngineProcess(
        const QString &enginePath = defaultEnginePath(), QObject *parent = nullptr,
        Kill kill = [](QProcess &process) { process.kill(); });
    ~EngineProcess() override;

    void prepare(const diskwright::bench::Target &target, quint64 sizeBytes) override;
    void makeRound(const diskwright::bench::TestSpec &test, int milliseconds, quint64 seed) override;
    void cancel() override;
    [[nodiscard]] std::optional<quint64> directAlignment() const override { return m_directAlignment; }

private:
    void onPatienceOver();
    void ask(const QJsonObject &request);
    void readEvents();
    void handle(const QJsonObject &event);
    void onFinished();
    void giveUp(const Error &error);

    std::unique_ptr<QProcess> m_process; ///< outlives this object if it does not end
    Kill m_kill;
    QTimer m_patience; ///< after a cancel: then it is killed, then it is left to itself
    std::optional<quint64> m_directAlignment;
    QStringList m_disks;
    QList<Slot> m_timeline;
    bool m_cancelling = false;
    bool m_killed = false;
    bool m_over = false;
};

/// Waits, at most \p patience, until all engines have ended that were running when their object was
/// destroyed: what they held open is closed then, and the disk can be unmounted. False if one is still there.
/// For a command at its end; a window does not wait.
bool awaitEngines(std::chrono::milliseconds patience);

} // namespace diskwright::bench
