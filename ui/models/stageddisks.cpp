// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "stageddisks.h"

#include "ui/text/format.h"

#include <algorithm>

namespace diskwright::ui {

StagedDisks::StagedDisks(Machine &machine, StagedChanges &staged, QObject *parent)
    : QObject(parent)
    , m_machine(machine)
    , m_staged(staged)
{
    connect(&staged, &StagedChanges::changed, this, [this] {
        note();
        Q_EMIT changed();
    });
    connect(&machine, &Machine::disksChanged, this, &StagedDisks::follow);
    connect(&machine, &Machine::silenceChanged, this, &StagedDisks::changed);
    note();
}

// A disk once noted stays noted: what was discarded can be taken back after the disk went.
void StagedDisks::note()
{
    for (const std::string &target : m_staged.set().targets()) {
        const BlockNode *disk = m_machine.node(target);
        if (!target.empty() && disk && !m_disks.contains(target))
            m_disks.emplace(target, *disk);
    }
}

bool StagedDisks::isStaged(const std::string &target) const
{
    return !m_staged.set().forTarget(target).empty();
}

void StagedDisks::rename(const std::string &from, const std::string &to)
{
    auto node = m_disks.extract(from);
    if (!node.empty()) {
        node.key() = to;
        m_disks.insert(std::move(node));
    }
    m_staged.retarget(from, to);
}

void StagedDisks::follow()
{
    std::vector<std::pair<std::string, std::string>> moves;
    for (const auto &[target, disk] : m_disks) {
        const BlockNode *now = m_machine.disks().find(target);
        if (now && now->name == target && isSameDisk(*now, disk))
            continue;
        // Back, or there all the time, under another name.
        const BlockNode *elsewhere = disk.id ? m_machine.disks().find(*disk.id) : nullptr;
        if (elsewhere && isSameDisk(*elsewhere, disk)) {
            moves.emplace_back(target, elsewhere->name);
            continue;
        }
        if (!now || now->name != target)
            continue;
        // Another disk has the name: what is gone goes by the name that the machine gave it.
        const auto gone = std::ranges::find_if(m_machine.gone(), [&](const auto &entry) {
            return entry.first != target && isSameDisk(entry.second, disk);
        });
        moves.emplace_back(target, gone != m_machine.gone().end() ? gone->first
                                   : disk.id                      ? *disk.id
                                                                  : disk.name + "@gone");
    }
    // Two disks may have changed names with each other: by way of names that nobody has.
    for (const auto &[from, to] : moves)
        rename(from, '\n' + to);
    for (const auto &[from, to] : moves)
        rename('\n' + to, to);
    for (const auto &[from, to] : moves)
        Q_EMIT moved(from, to);
    // Sequence numbers change when a disk is plugged in again; the next comparison is with the new one.
    for (auto &[target, disk] : m_disks) {
        if (const BlockNode *now = m_machine.disks().find(target); now && now->name == target)
            disk = *now;
    }
    Q_EMIT changed();
}

QString StagedDisks::whyNot(const std::string &target) const
{
    if (target.empty())
        return {};
    const QString title = m_machine.distinctTitle(target);
    switch (m_machine.presence(target)) {
    case Presence::Here: return {};
    case Presence::Silent:
        return tr("%1 does not answer for %2.").arg(title, durationText(m_machine.silentFor(target).count()));
    case Presence::Gone: break;
    }
    const auto found = m_disks.find(target);
    const BlockNode *disk = found != m_disks.end() ? &found->second : nullptr;
    if (disk && disk->id && m_machine.disks().find(*disk->id))
        return tr("%1 is gone. A disk with the same number but another size or model has come in its place.")
            .arg(title);
    if (disk && !disk->id)
        return tr("%1 is gone. It has no number of its own by which it could be known again.").arg(title);
    return tr("%1 is gone. The change waits until the same disk is back.").arg(title);
}

ChangeSet StagedDisks::applicable() const
{
    ChangeSet set = m_staged.set();
    for (const StagedEdit &edit : m_staged.set().edits()) {
        if (!whyNot(edit.address.target).isEmpty())
            set.unstage(edit.address);
    }
    return set;
}

} // namespace diskwright::ui
