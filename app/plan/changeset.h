// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/address.h"
#include "helper/contract/value.h"

#include <QObject>

#include <cstddef>
#include <optional>
#include <string>
#include <span>
#include <string_view>
#include <vector>

namespace diskwright {

/// One edit that waits for review: nothing was changed yet.
struct StagedEdit {
    Address address; ///< target: kernel name (empty for vm); iosched keys in their long form
    const SettingSpec *spec = nullptr;
    std::optional<Value>
        current; ///< as last read; none if it can't be read now (another scheduler is active)
    Value wanted;

    bool operator==(const StagedEdit &) const = default;
};

/// What the user wants to be different, in the order of staging. A plain value; StagedChanges tells others
/// when it changes.
class ChangeSet
{
public:
    /// Stages \p wanted for a setting, replacing an earlier edit of it. Going back to \p current removes the
    /// edit. A setting whose pair is staged (dirty_bytes and dirty_ratio are one limit) takes its place.
    /// Errors: UnknownSetting, Malformed, OutOfRange, NotAMultiple, and Internal past limits::changes; then
    /// nothing is changed.
    [[nodiscard]] Result<> stage(const Address &address, const std::optional<Value> &current,
                                 const Value &wanted);

    /// As stage, but also what is so already: for keeping it. Errors as stage, and Conflict if the setting,
    /// or the other half of its pair, is in the set already.
    [[nodiscard]] Result<> request(const Address &address, const std::optional<Value> &current,
                                   const Value &wanted);

    /// Takes one edit back; false if there was none.
    bool unstage(const Address &address);
    void clear();

    /// Takes back the last stage, unstage or clear; false if there is nothing to take back.
    bool undoLast();
    [[nodiscard]] bool canUndo() const noexcept { return !m_earlier.empty(); }

    /// The system was read again: compares the edit with the new value, and drops it if it now is so. Not
    /// something that undoLast takes back. True if the set changed.
    bool refresh(const Address &address, const std::optional<Value> &current);

    /// The disk that was called \p from is called \p to now: its edits go with it, those of earlier states
    /// too. Not something that undoLast takes back. True if the set changed.
    bool retarget(const std::string &from, const std::string &to);

    [[nodiscard]] std::span<const StagedEdit> edits() const noexcept { return m_edits; }
    [[nodiscard]] std::size_t count() const noexcept { return m_edits.size(); }
    [[nodiscard]] bool isEmpty() const noexcept { return m_edits.empty(); }
    [[nodiscard]] const StagedEdit *find(const Address &address) const noexcept;
    /// The edits of one disk, or with an empty target those of the machine.
    [[nodiscard]] std::vector<StagedEdit> forTarget(std::string_view target) const;
    /// Targets that have edits, each once, in the order of staging.
    [[nodiscard]] std::vector<std::string> targets() const;

    bool operator==(const ChangeSet &other) const { return m_edits == other.m_edits; }

private:
    void remember();

    std::vector<StagedEdit> m_edits;
    std::vector<std::vector<StagedEdit>> m_earlier;
};

/// The change set that the pages of a window share.
class StagedChanges final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const ChangeSet &set() const noexcept { return m_set; }

    /// As ChangeSet; each emits changed() if something changed.
    [[nodiscard]] Result<> stage(const Address &address, const std::optional<Value> &current,
                                 const Value &wanted);
    void unstage(const Address &address);
    void clear();
    void undoLast();
    void refresh(const Address &address, const std::optional<Value> &current);
    void retarget(const std::string &from, const std::string &to);

Q_SIGNALS:
    void changed();

private:
    ChangeSet m_set;
};

} // namespace diskwright
