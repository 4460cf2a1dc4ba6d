// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings/observation.h"
#include "ui/models/writeback.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <deque>
#include <map>
#include <memory>

namespace diskwright::ui {

/// Bytes that a disk has read and written since it came.
struct DiskCounters {
    std::uint64_t readBytes = 0;
    std::uint64_t writtenBytes = 0;
};

/// What moves while one looks: memory that waits to be written, and the disks' counters.
struct Pulse {
    std::optional<WritebackSample> writeback;
    std::map<std::string, DiskCounters> disks; ///< by kernel name
    std::chrono::steady_clock::time_point time;
};

/// /proc/diskstats: the numbers of every /sys/block/NAME/stat, in one read that touches no disk's folder.
[[nodiscard]] std::map<std::string, DiskCounters> parseDiskStats(std::string_view text);

/// Whether the kernel counts the disk's requests; with its iostats off the counters stand still.
[[nodiscard]] bool isCounted(const std::vector<Observation> &settings);

[[nodiscard]] Pulse readPulse(const SystemRoot &root);

/// Feels the pulse in a worker, at a calm rate, while somebody looks. Never more than one reading at a time.
class PulseReader final : public QObject
{
    Q_OBJECT

public:
    PulseReader(QString root, std::chrono::milliseconds interval, QObject *parent = nullptr);
    ~PulseReader() override;

    /// Reads at once and then again and again; a copy of a machine, which does not move, only once.
    void start();
    void stop();

Q_SIGNALS:
    void beat(const diskwright::ui::Pulse &pulse);

private:
    void read();

    QString m_root;
    QTimer m_timer;
    QThreadPool m_pool;
    std::atomic<bool> m_reading = false;
};

/// Throughput of one disk over the last minutes, from its counters.
class Throughput
{
public:
    static constexpr std::size_t length = 60;

    void add(const DiskCounters &counters, std::chrono::steady_clock::time_point time);
    /// Bytes a second, oldest first; empty before the second look.
    [[nodiscard]] const std::deque<double> &rates() const noexcept { return m_rates; }

private:
    std::optional<DiskCounters> m_last;
    std::chrono::steady_clock::time_point m_time;
    std::deque<double> m_rates;
};

} // namespace diskwright::ui
