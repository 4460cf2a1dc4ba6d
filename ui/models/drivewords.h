// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/health/health.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace diskwright::ui {

/// A few words on the health of each disk, from what a service has stored about it: no disk is asked, so none
/// wakes. Looked up in a thread, some time after the window is there, and then every few minutes.
class DriveWords final : public QObject
{
    Q_OBJECT

public:
    /// Called in the thread; may block for some seconds.
    using Reader = std::function<health::DriveHealth(const BlockNode &disk)>;
    using Disks = std::function<std::vector<BlockNode>()>;

    /// \p disks says which ones are of interest at that moment.
    DriveWords(Reader reader, Disks disks, QObject *parent = nullptr);
    ~DriveWords() override;

    /// While somebody looks. The first reading begins \p after this.
    void start(std::chrono::milliseconds after);
    void stop();

    /// "34 °C"; empty if nothing is known of this very disk, or only what was so long ago.
    [[nodiscard]] QString words(const BlockNode &disk) const;

    /// What the service has stored that puts data at risk, of the disks that are still there.
    [[nodiscard]] std::vector<health::Finding> problems(const DiskList &disks) const;

Q_SIGNALS:
    void changed();

private:
    struct Known {
        BlockNode disk;
        health::DriveHealth health;
        std::vector<health::Finding> problems;
    };
    struct Shared;

    void read();
    void take(std::vector<Known> known);

    Reader m_reader;
    Disks m_disks;
    std::vector<Known> m_known;
    std::shared_ptr<Shared> m_shared;
    QTimer m_timer;
};

/// The same for one drive, \p now in seconds since 1970.
[[nodiscard]] QString driveWords(const health::DriveHealth &health, std::int64_t now);

} // namespace diskwright::ui
