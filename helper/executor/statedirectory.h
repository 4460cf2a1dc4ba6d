// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/descriptor.h"
#include "../contract/error.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// Places of the helper's own files.
enum class Folder : std::uint8_t {
    Open,       ///< txn/: one journal for each transaction that is not finished; 0700
    Quarantine, ///< txn/quarantine/: journals that do not decode; 0700
    Record,     ///< record/: journals of finished transactions, for undo and keep; 0700
    History,    ///< history/: what everybody may read of them; 0755
    Hold,       ///< /run/diskwright/hold/: disks that kept udev rules leave alone; 0755
};

/// The helper's durable files. Every write is all or nothing and on the disk when it returns. Nothing in here
/// takes a name from a caller: names are transaction ids and kernel names.
class StateDirectory final
{
public:
    /// Opens, or makes, \p state (/var/lib/diskwright) and \p runtime (/run/diskwright). Refuses folders that
    /// are links or not this user's alone. Errors: StateFile.
    [[nodiscard]] static Result<StateDirectory> open(const std::string &state, const std::string &runtime);

    /// The one lock of helper and diskwright-boot; released when the descriptor closes. Errors: Busy,
    /// StateFile.
    [[nodiscard]] Result<Descriptor> lock() const;

    /// Errors: DuplicateId if it is there already, StateFile.
    [[nodiscard]] Result<> create(Folder folder, const std::string &name, std::string_view bytes) const;
    [[nodiscard]] Result<> replace(Folder folder, const std::string &name, std::string_view bytes) const;
    [[nodiscard]] Result<> move(Folder from, Folder to, const std::string &name) const;
    [[nodiscard]] Result<> remove(Folder folder, const std::string &name) const;

    /// Only regular files with one link, of this user and with the folder's mode. Errors: UnknownTransaction,
    /// StateFile (with errno if the disk failed, without if the file is not one of ours).
    [[nodiscard]] Result<std::string> read(Folder folder, const std::string &name, std::size_t limit) const;
    [[nodiscard]] bool has(Folder folder, const std::string &name) const;
    /// Whether the file was last written in this boot, by the lock that is made anew in each; true if that
    /// can't be told.
    [[nodiscard]] bool isOfThisBoot(Folder folder, const std::string &name) const;
    /// Names in the folder, without those that begin with a dot. Errors: StateFile, never a part of the list.
    [[nodiscard]] Result<std::vector<std::string>> names(Folder folder) const;

    /// Removes the oldest files until at most \p most are left.
    void prune(Folder folder, std::size_t most) const;
    /// Removes what an interrupted write left behind.
    void sweep() const;

private:
    StateDirectory() = default;
    [[nodiscard]] int fd(Folder folder) const noexcept;
    [[nodiscard]] Result<> write(Folder folder, const std::string &name, std::string_view bytes,
                                 unsigned int renameFlags) const;

    Descriptor m_runtime;
    std::array<Descriptor, 5> m_folders;
};

} // namespace diskwright
