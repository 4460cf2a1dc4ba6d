// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/descriptor.h"
#include "../contract/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace diskwright {

/// A whole file that replaces another in one step, or leaves it as it was. Two phases, so that several files
/// can all be on the disk before the first of them takes its place.
///
/// All of it happens below one open directory: no name leads out of it and no link is followed. Writers are
/// serialised by the caller's lock; therefore the temporary file's name is fixed and a stale one is known.
class PendingFile final
{
public:
    /// Writes \p bytes beside \p name and makes them durable. Owner, mode and extended attributes are those
    /// of the file that is there, else root's and \p modeIfNew. \p directory must be readable (not O_PATH)
    /// and stay open. Errors: StateFile with errno: ELOOP or EINVAL (a link, not a regular file), EMLINK
    /// (more than one name), EPERM (immutable), EBUSY (a mount point), EROFS, ENOSPC, EIO …
    [[nodiscard]] static Result<PendingFile> prepare(int directory, std::string name, std::string_view bytes,
                                                     mode_t modeIfNew);

    PendingFile(PendingFile &&other) noexcept;
    PendingFile &operator=(PendingFile &&) = delete;
    /// Removes the temporary file if it was not committed.
    ~PendingFile();

    /// Lets it take its place and makes that durable. Errors: StateFile with errno; then the old file is
    /// there as before, unless only the last fsync failed (isInPlace()).
    [[nodiscard]] Result<> commit();

    /// Whether the new file has taken its place.
    [[nodiscard]] bool isInPlace() const noexcept { return m_inPlace; }
    [[nodiscard]] const std::string &name() const noexcept { return m_name; }

private:
    PendingFile(int directory, std::string name) noexcept
        : m_directory(directory)
        , m_name(std::move(name))
    {
    }
    int m_directory = -1;
    std::string m_name;
    bool m_hasTemporary = false;
    bool m_inPlace = false;
};

/// prepare() and commit() in one. Errors as theirs.
[[nodiscard]] Result<> replaceFile(int directory, const std::string &name, std::string_view bytes,
                                   mode_t modeIfNew);

/// Removes the file and makes that durable; no file is no error. Refuses what prepare() refuses.
[[nodiscard]] Result<> removeFile(int directory, const std::string &name);

/// The file's text, or null if there is none. Not a regular file, more than one name, or longer than \p
/// limit: StateFile with ELOOP, EINVAL, EMLINK or EFBIG.
[[nodiscard]] Result<std::optional<std::string>> readFileIn(int directory, const std::string &name,
                                                            std::size_t limit);

/// Moves a file between directories, across file systems too (then as a durable copy, then removed). An
/// existing file of that name is replaced. Errors: StateFile.
[[nodiscard]] Result<> moveFile(int from, int to, const std::string &name, std::size_t limit);

/// Removes what an interrupted prepare() of \p name left.
void removeStaleTemporary(int directory, const std::string &name) noexcept;

} // namespace diskwright
