// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/reading.h"

#include "app/plan/snapshot.h"

#include <QObject>
#include <QTimer>

namespace diskwright::ui {

/// Where a disk of the window is now.
enum class Presence : std::uint8_t {
    Here,
    Silent, ///< there, but the kernel does not answer when its files are read
    Gone,   ///< not there any more; shown as it was last seen
};

/// Whether both are the same piece of hardware, plugged in once or again: the device of this boot, or the id,
/// size and model of one that has an id.
[[nodiscard]] bool isSameDisk(const BlockNode &a, const BlockNode &b);

/// The machine as it was last read, shared by the pages. Reading happens in workers; nothing here blocks, not
/// even when a disk hangs: its reading is left behind, and the others are read without it.
class Machine final : public QObject
{
    Q_OBJECT

public:
    /// A disk that did not answer for so long is called silent.
    static constexpr std::chrono::milliseconds patience{1000};

    explicit Machine(QString root, QObject *parent = nullptr);
    ~Machine() override;

    [[nodiscard]] const QString &root() const noexcept { return m_root; }
    [[nodiscard]] bool isLive() const { return m_root == QStringLiteral("/"); }

    [[nodiscard]] const DiskList &disks() const noexcept { return m_reading.disks; }
    [[nodiscard]] const History &history() const noexcept { return m_reading.records->history; }
    [[nodiscard]] const KeptSet &kept() const noexcept { return m_reading.records->kept; }
    /// Why what is kept can't be read now; kept() is then what was read last.
    [[nodiscard]] const std::optional<Error> &keptError() const noexcept
    {
        return m_reading.records->keptError;
    }
    /// Why it can't be known whether what is kept holds.
    [[nodiscard]] const std::optional<Error> &startError() const noexcept { return m_reading.startError; }
    /// Whether what is kept holds; only after it was watched.
    [[nodiscard]] const std::optional<StartStatus> &startStatus() const noexcept { return m_reading.start; }
    /// What is wrong with disks, as far as the kernel's files tell; null before it was looked.
    [[nodiscard]] const std::optional<std::vector<health::Finding>> &problems() const noexcept
    {
        return m_reading.problems;
    }
    [[nodiscard]] const std::optional<Error> &error() const noexcept { return m_reading.error; }
    /// Whether anything was read yet.
    [[nodiscard]] bool wasEverRead() const noexcept { return m_wasRead; }
    /// Settings of a disk, or with an empty name those of the machine; empty before they were read.
    [[nodiscard]] const std::vector<Observation> &settings(const std::string &target) const;
    /// The same of facts and settings that are only shown, and never set.
    [[nodiscard]] const std::vector<Observation> &shown(const std::string &target) const;
    [[nodiscard]] const Observation *setting(const Address &address) const;
    [[nodiscard]] bool hasRead(const std::string &target) const;

    /// A disk that is listed, or one that is gone and still shown; null if neither.
    [[nodiscard]] const BlockNode *node(const std::string &target) const;
    [[nodiscard]] Presence presence(const std::string &target) const;
    /// For how long a silent disk has not answered.
    [[nodiscard]] std::chrono::seconds silentFor(const std::string &target) const;
    /// Disks that are gone and still shown, by their target name: the kernel name, or the id where another
    /// disk has taken the name.
    [[nodiscard]] const std::map<std::string, BlockNode> &gone() const noexcept { return m_gone; }
    /// Which disks are still shown after they went.
    void setKeepsGone(std::function<bool(const std::string &target)> keeps)
    {
        m_keepsGone = std::move(keeps);
    }
    /// Lets go of disks that are gone and need not be shown any more.
    void dropGone();

    /// The disk's model, the name or file of what has none, or its kernel name.
    [[nodiscard]] QString diskTitle(const std::string &target) const;
    /// The same, with the kernel name behind it where another disk is called the same.
    [[nodiscard]] QString distinctTitle(const std::string &target) const;

    /// Whether disks that are hidden by default (loop devices, disks in memory) are listed too.
    [[nodiscard]] bool listsAll() const noexcept { return m_listsAll; }
    void setListsAll(bool all) { m_listsAll = all; }
    [[nodiscard]] bool lists(const BlockNode &disk) const { return m_listsAll || !disk.hiddenByDefault; }

    /// What a plan is checked against: disks that are here and answer.
    [[nodiscard]] PlanSnapshot snapshot() const;

    /// Takes over a reading made before this object existed.
    void take(Reading reading);
    /// Takes over one that may still run.
    void adopt(std::shared_ptr<ReadingJob> job);

    /// What every reading covers from now on, beside the disks themselves.
    void watch(std::vector<std::string> targets, bool allDisks = false, bool allShown = false,
               bool startStatus = false, bool problems = false);

    /// Reads everything again, and the settings of \p target too. Coalesces while a reading runs.
    void readAgain(const std::string &target = {});
    /// The same for several, and then \p done: after a reading that began now or later. What did not answer
    /// in it is silent then.
    void readThen(const std::vector<std::string> &targets, std::function<void()> done);

    /// Tests let a disk hang here: called by the worker before it reads one.
    void setBeforeDisk(std::function<void(const std::string &)> before) { m_beforeDisk = std::move(before); }

Q_SIGNALS:
    /// Disks came, went or changed.
    void disksChanged();
    /// Settings of a target were read and differ from before (or were read for the first time).
    void settingsChanged(const std::string &target);
    void historyChanged();
    /// A disk fell silent, answers again, or is silent for a second longer.
    void silenceChanged();
    /// A reading ended, changed or not.
    void wasRead();

private:
    struct Stuck {
        std::shared_ptr<ReadingJob> job; ///< left behind; the one reading of this disk that is outstanding
        ReadingJob::Clock::time_point since;
        std::chrono::seconds shown{0};
    };
    struct Mailbox;

    void start();
    void arrived(const std::shared_ptr<ReadingJob> &job);
    void lookAfter();
    void carryOver(const Reading &before);
    void keepSystemDisks(const DiskList &before);
    [[nodiscard]] ReadingWish wish() const;

    QString m_root;
    Reading m_reading;
    bool m_wasRead = false;
    std::vector<std::string> m_watched; ///< read every time
    bool m_watchesAll = false;
    bool m_watchesShown = false;
    bool m_watchesStart = false;
    bool m_watchesProblems = false;
    std::vector<std::string> m_asked; ///< read next time
    bool m_listsAll = false;
    bool m_again = false;
    std::vector<std::function<void()>> m_thenNext; ///< wait for the reading that begins next
    std::vector<std::function<void()>> m_thenNow;  ///< wait for the one that runs
    std::shared_ptr<ReadingJob> m_job;
    std::map<std::string, Stuck> m_stuck;
    std::map<std::string, BlockNode> m_gone;
    std::function<bool(const std::string &)> m_keepsGone;
    std::function<void(const std::string &)> m_beforeDisk;
    std::shared_ptr<Mailbox> m_mailbox;
    QTimer m_lookAfter;
};

} // namespace diskwright::ui
