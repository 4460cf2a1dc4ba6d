// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plan/changeset.h"

#include "helper/contract/codec.h"
#include "helper/contract/limits.h"

#include <algorithm>

namespace diskwright {

namespace {

// More than anybody takes back by hand; keeps a long session's memory bounded.
constexpr std::size_t mostRemembered = 200;

// Another address of the same value: the other half of a pair, or another view of one number.
bool isPairOf(const StagedEdit &edit, const Address &address, const SettingSpec &spec)
{
    return edit.address != address && edit.address.target == address.target && isSameValue(*edit.spec, spec);
}

} // namespace

void ChangeSet::remember()
{
    if (m_earlier.size() == mostRemembered)
        m_earlier.erase(m_earlier.begin());
    m_earlier.push_back(m_edits);
}

Result<> ChangeSet::stage(const Address &address, const std::optional<Value> &current, const Value &wanted)
{
    const SettingSpec *spec = findSetting(address.domain, address.key);
    if (!spec)
        return fail(Errc::UnknownSetting, printable(toText(address)), "not in the catalogue");
    // Going back to what is so needs no check: the kernel holds that value already.
    const bool isBackToCurrent = current && *current == wanted;
    if (!isBackToCurrent) {
        if (auto checked = validate(*spec, wanted); !checked) {
            Error error = checked.error();
            error.input = printable(toText(address) + '=' + toText(wanted));
            return std::unexpected(std::move(error));
        }
    }

    std::vector<StagedEdit> next = m_edits;
    const auto same = std::ranges::find(next, address, &StagedEdit::address);
    const StagedEdit edit{address, spec, current, wanted};
    if (isBackToCurrent) {
        if (same != next.end())
            next.erase(same);
    } else if (same != next.end()) {
        *same = edit;
    } else {
        std::erase_if(next, [&](const StagedEdit &other) { return isPairOf(other, address, *spec); });
        if (next.size() >= limits::changes)
            return fail(Errc::Internal, printable(toText(address)), "too many changes for one plan",
                        "at most " + std::to_string(limits::changes));
        next.push_back(edit);
    }
    if (next != m_edits) {
        remember();
        m_edits = std::move(next);
    }
    return {};
}

Result<> ChangeSet::request(const Address &address, const std::optional<Value> &current, const Value &wanted)
{
    const SettingSpec *spec = findSetting(address.domain, address.key);
    for (const StagedEdit &edit : m_edits) {
        if (edit.address == address)
            return fail(Errc::Conflict, printable(toText(address)), "is named twice", "each setting once");
        if (spec && isPairOf(edit, address, *spec))
            return fail(Errc::Conflict, printable(toText(address)),
                        "it and " + toText(edit.address) + " are one limit: setting one resets the other",
                        "only one of the two");
    }
    if (current && *current == wanted && spec) {
        if (m_edits.size() >= limits::changes)
            return fail(Errc::Internal, printable(toText(address)), "too many changes for one plan",
                        "at most " + std::to_string(limits::changes));
        remember();
        m_edits.push_back({address, spec, current, wanted});
        return {};
    }
    return stage(address, current, wanted);
}

bool ChangeSet::unstage(const Address &address)
{
    const auto found = std::ranges::find(m_edits, address, &StagedEdit::address);
    if (found == m_edits.end())
        return false;
    const auto index = found - m_edits.begin();
    remember();
    m_edits.erase(m_edits.begin() + index);
    return true;
}

void ChangeSet::clear()
{
    if (m_edits.empty())
        return;
    remember();
    m_edits.clear();
}

bool ChangeSet::undoLast()
{
    if (m_earlier.empty())
        return false;
    m_edits = std::move(m_earlier.back());
    m_earlier.pop_back();
    return true;
}

bool ChangeSet::refresh(const Address &address, const std::optional<Value> &current)
{
    const auto update = [&](std::vector<StagedEdit> &edits) {
        const auto found = std::ranges::find(edits, address, &StagedEdit::address);
        if (found == edits.end() || found->current == current)
            return false;
        if (current && found->wanted == *current)
            edits.erase(found);
        else
            found->current = current;
        return true;
    };
    // Earlier states are compared with the system too, or taking back would restore an old "current".
    for (auto &earlier : m_earlier)
        update(earlier);
    return update(m_edits);
}

bool ChangeSet::retarget(const std::string &from, const std::string &to)
{
    const auto rename = [&](std::vector<StagedEdit> &edits) {
        bool any = false;
        for (StagedEdit &edit : edits) {
            if (!isPerDisk(edit.spec->domain) || edit.address.target != from)
                continue;
            edit.address.target = to;
            any = true;
        }
        return any;
    };
    for (auto &earlier : m_earlier)
        rename(earlier);
    return rename(m_edits);
}

const StagedEdit *ChangeSet::find(const Address &address) const noexcept
{
    const auto found = std::ranges::find(m_edits, address, &StagedEdit::address);
    return found != m_edits.end() ? &*found : nullptr;
}

std::vector<StagedEdit> ChangeSet::forTarget(std::string_view target) const
{
    std::vector<StagedEdit> found;
    std::ranges::copy_if(m_edits, std::back_inserter(found),
                         [&](const StagedEdit &edit) { return edit.address.target == target; });
    return found;
}

std::vector<std::string> ChangeSet::targets() const
{
    std::vector<std::string> found;
    for (const StagedEdit &edit : m_edits) {
        if (std::ranges::find(found, edit.address.target) == found.end())
            found.push_back(edit.address.target);
    }
    return found;
}

Result<> StagedChanges::stage(const Address &address, const std::optional<Value> &current,
                              const Value &wanted)
{
    const ChangeSet before = m_set;
    auto staged = m_set.stage(address, current, wanted);
    if (!(m_set == before))
        Q_EMIT changed();
    return staged;
}

void StagedChanges::unstage(const Address &address)
{
    if (m_set.unstage(address))
        Q_EMIT changed();
}

void StagedChanges::clear()
{
    if (m_set.isEmpty())
        return;
    m_set.clear();
    Q_EMIT changed();
}

void StagedChanges::undoLast()
{
    if (m_set.undoLast())
        Q_EMIT changed();
}

void StagedChanges::refresh(const Address &address, const std::optional<Value> &current)
{
    if (m_set.refresh(address, current))
        Q_EMIT changed();
}

void StagedChanges::retarget(const std::string &from, const std::string &to)
{
    if (m_set.retarget(from, to))
        Q_EMIT changed();
}

} // namespace diskwright
