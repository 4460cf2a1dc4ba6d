// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/history.h"
#include "app/disks/disk.h"
#include "app/plan/snapshot.h"
#include "app/settings/observation.h"

#include <QObject>
#include <QThreadPool>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace diskwright::ui {

/// Everything one reading of the machine found.
struct Reading {
    DiskList disks;
    std::map<std::string, std::vector<Observation>> settings; ///< by kernel name; "" is the machine's vm
    History history;
    KeptSet kept;
    std::optional<Error> error; ///< no disk could be listed, because
};

/// Reads the tree at \p root ("/" is the live system): all disks, and the settings of \p targets. Blocks for
/// as long as sysfs takes; call it from a worker.
[[nodiscard]] Reading readMachine(const QString &root, const std::vector<std::string> &targets);

/// The machine as it was last read, shared by the pages. Reading happens in a worker; nothing here blocks.
class Machine final : public QObject
{
    Q_OBJECT

public:
    explicit Machine(QString root, QObject *parent = nullptr);
    ~Machine() override;

    [[nodiscard]] const QString &root() const noexcept { return m_root; }
    [[nodiscard]] bool isLive() const { return m_root == QStringLiteral("/"); }

    [[nodiscard]] const DiskList &disks() const noexcept { return m_reading.disks; }
    [[nodiscard]] const History &history() const noexcept { return m_reading.history; }
    [[nodiscard]] const KeptSet &kept() const noexcept { return m_reading.kept; }
    [[nodiscard]] const std::optional<Error> &error() const noexcept { return m_reading.error; }
    /// Settings of a disk, or with an empty name those of the machine; empty before they were read.
    [[nodiscard]] const std::vector<Observation> &settings(const std::string &target) const;
    [[nodiscard]] const Observation *setting(const Address &address) const;
    [[nodiscard]] bool hasRead(const std::string &target) const;

    /// The disk's model, or its kernel name.
    [[nodiscard]] QString diskTitle(const std::string &kernelName) const;

    /// Whether disks that are hidden by default (loop devices, disks in memory) are listed too.
    [[nodiscard]] bool listsAll() const noexcept { return m_listsAll; }
    void setListsAll(bool all) { m_listsAll = all; }

    /// What a plan is checked against.
    [[nodiscard]] PlanSnapshot snapshot() const;

    /// Takes over a reading made before this object existed.
    void take(Reading reading);

    /// Reads everything again, and the settings of \p target too. Coalesces while a reading runs.
    void readAgain(const std::string &target = {});

Q_SIGNALS:
    /// Disks came, went or changed.
    void disksChanged();
    /// Settings of a target were read and differ from before (or were read for the first time).
    void settingsChanged(const std::string &target);
    void historyChanged();
    /// A reading ended, changed or not.
    void wasRead();

private:
    void start();

    QString m_root;
    Reading m_reading;
    std::vector<std::string> m_wanted; ///< targets whose settings are read
    bool m_listsAll = false;
    bool m_running = false;
    bool m_again = false;
    QThreadPool m_pool;
};

} // namespace diskwright::ui
