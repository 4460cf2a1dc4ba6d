// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "roundsource.h"

#include <QProcess>
#include <QTimer>

namespace diskwright::bench {

/// Where the engine is installed; the environment variable DISKWRIGHT_ENGINE names another (tests, a build
/// tree).
[[nodiscard]] QString defaultEnginePath();

/// The engine as a child process. It ends with this object, and by itself if this process dies.
class EngineProcess final : public RoundSource
{
    Q_OBJECT

public:
    explicit EngineProcess(const QString &enginePath = defaultEnginePath(), QObject *parent = nullptr);
    ~EngineProcess() override;

    void prepare(const diskwright::bench::Target &target, quint64 sizeBytes) override;
    void makeRound(const diskwright::bench::TestSpec &test, int milliseconds, quint64 seed) override;
    void cancel() override;

private:
    void ask(const QJsonObject &request);
    void readEvents();
    void handle(const QJsonObject &event);
    void onFinished();
    void giveUp(const Error &error);

    QProcess m_process;
    QTimer m_patience; ///< after a cancel: then it is killed
    QStringList m_disks;
    QList<Slot> m_timeline;
    bool m_cancelling = false;
    bool m_over = false;
};

} // namespace diskwright::bench
