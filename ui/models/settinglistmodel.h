// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/machine.h"

#include "app/plan/changeset.h"
#include "app/settings/vanished.h"

#include <QAbstractListModel>

#include <optional>
#include <string>
#include <vector>

namespace diskwright::ui {

/// Where on its page a setting stands.
enum class SettingGroup : std::uint8_t {
    Often,   ///< shown at once
    All,     ///< one click away
    Shown,   ///< facts of the kernel and what it lets nobody set, with the reason; behind one more click
    NotHere, ///< not on this kernel, device or under the active scheduler: listed with the reason
};

/// What a setting belongs to; the settings that are one click away are folded by it.
enum class SettingFamily : std::uint8_t {
    Queue,     ///< how a disk takes its requests
    Scheduler, ///< values of the scheduler that is active
    Cache,     ///< how much of the memory that waits to be written one disk may take
    Writing,   ///< how the machine writes what waits
    Memory,    ///< what else the machine does with its memory
};
[[nodiscard]] SettingFamily familyOf(const SettingSpec &spec);

/// One setting of one disk or of the machine, as a page shows it. Two rows of the catalogue that are one
/// limit in two units (a row and its pair) are one setting here.
class SettingListModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        TitleRole = Qt::DisplayRole,
        SummaryRole = Qt::UserRole + 1,
        KernelNameRole,
        ValueRole,   ///< shown value: staged if staged, else the one read
        NowRole,     ///< the value read
        DefaultRole, ///< "default 128 KiB", "default", or empty if it is not known
        GroupRole,   ///< SettingGroup as int
        FamilyRole,  ///< SettingFamily as int
        StagedRole,  ///< bool
        MarksRole,   ///< list of words
        ReasonRole,  ///< why it can't be changed here
        DiffersRole, ///< bool: the default is known, and another value is in force
    };

    struct Entry {
        std::vector<Observation> units; ///< one, or both rows of a pair
        std::size_t active = 0;         ///< which of them is in force
        SettingGroup group = SettingGroup::All;
        SettingFamily family = SettingFamily::Queue;

        [[nodiscard]] const Observation &now() const { return units[active]; }
    };

    /// \p target: kernel name of a disk, or empty for the machine.
    SettingListModel(const Machine &machine, StagedChanges &staged, std::string target,
                     QObject *parent = nullptr);

    [[nodiscard]] const std::string &target() const noexcept { return m_target; }
    [[nodiscard]] const Entry &entry(int row) const { return m_entries[static_cast<std::size_t>(row)]; }

    /// What is only shown of the target; not among the rows.
    [[nodiscard]] const std::vector<Observation> &shown() const { return m_machine.shown(m_target); }

    /// What readers of old articles look for on this page and do not find; not among the rows.
    [[nodiscard]] const std::vector<const VanishedSetting *> &vanished() const noexcept { return m_vanished; }

    /// The unit that is staged or, without an edit, in force.
    [[nodiscard]] const Observation &shownUnit(int row) const;
    [[nodiscard]] const StagedEdit *stagedEdit(int row) const;
    /// The value an editor shows; none if it can't be read.
    [[nodiscard]] std::optional<Value> shownValue(int row) const;
    /// "Every start: 256", "set by …" with their marks; each also as a sentence for a screen reader.
    struct Mark {
        QString sign;
        QString word;
        QString sentence;
    };
    [[nodiscard]] std::vector<Mark> marks(int row) const;

    /// Stages a value of one of the row's units. An error is for the person who typed.
    [[nodiscard]] Result<> stage(int row, std::size_t unit, const Value &value);
    void unstage(int row);

    /// The row of a setting, or of the pair it belongs to; -1 if it is not listed.
    [[nodiscard]] int rowOf(const Address &address) const;
    /// "Queue", "Scheduler values of bfq" …
    [[nodiscard]] QString familyTitle(SettingFamily family) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

private:
    void rebuild();
    void refreshStaged();

    const Machine &m_machine;
    StagedChanges &m_staged;
    std::string m_target;
    std::vector<Entry> m_entries;
    std::vector<std::string> m_shownIds;
    std::vector<const VanishedSetting *> m_vanished;
};

/// The row's title in the user's language; the kernel's key if it has no text.
[[nodiscard]] QString settingTitle(const SettingSpec &spec);
[[nodiscard]] QString settingSummary(const SettingSpec &spec);
[[nodiscard]] QString settingExplanation(const SettingSpec &spec);

/// The row as others know it: "read_ahead_kb", its document, old spellings.
[[nodiscard]] QString settingOrigin(const SettingSpec &spec);

} // namespace diskwright::ui
