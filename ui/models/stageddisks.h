// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/machine.h"

#include "app/plan/changeset.h"

#include <QObject>

namespace diskwright::ui {

/// Ties staged edits to the disk they were staged for, and not to whatever has its kernel name later. Edits
/// of a disk that went stay, can't be applied, and come alive again when the same disk is back.
class StagedDisks final : public QObject
{
    Q_OBJECT

public:
    StagedDisks(Machine &machine, StagedChanges &staged, QObject *parent = nullptr);

    /// Why the edits of a target can't be applied now, as a sentence; empty if they can.
    [[nodiscard]] QString whyNot(const std::string &target) const;
    [[nodiscard]] bool isStaged(const std::string &target) const;

    /// What can be applied now: all edits but those of disks that are gone or silent.
    [[nodiscard]] ChangeSet applicable() const;

Q_SIGNALS:
    /// A disk is called otherwise now: the same disk with another kernel name, or one that is gone and whose
    /// name another disk has taken.
    void moved(const std::string &from, const std::string &to);
    void changed();

private:
    void note();
    void follow();
    void rename(const std::string &from, const std::string &to);

    Machine &m_machine;
    StagedChanges &m_staged;
    std::map<std::string, BlockNode> m_disks; ///< by target: the disk the edits were staged for
};

} // namespace diskwright::ui
