// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <memory>

struct udev;
struct udev_monitor;
class QSocketNotifier;

namespace diskwright::ui {

/// Tells that block devices came, went or changed. A burst of events (one a partition, and again when their
/// contents were looked at) is one signal.
class BlockEvents final : public QObject
{
    Q_OBJECT

public:
    /// The least time between two signals, and the most between an event and its signal.
    static constexpr int gatherMilliseconds = 100;

    explicit BlockEvents(QObject *parent = nullptr);
    ~BlockEvents() override;

    /// False where the kernel lets nobody listen; then only the regular reading notices.
    [[nodiscard]] bool isListening() const noexcept { return m_monitor != nullptr; }

Q_SIGNALS:
    void changed();

private:
    void receive();

    std::unique_ptr<udev, void (*)(udev *)> m_udev;
    std::unique_ptr<udev_monitor, void (*)(udev_monitor *)> m_monitor;
    QSocketNotifier *m_notifier = nullptr;
    QTimer m_gather;
};

} // namespace diskwright::ui
