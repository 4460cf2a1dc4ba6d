// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/disks/disk.h"
#include "app/settings/observation.h"
#include "helper/access/systemroot.h"
#include "helper/contract/error.h"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace diskwright {

class JsonWriter;

/// What diskwrightctl ends with; scripts rely on the numbers.
enum class ExitCode : int {
    Done = 0, ///< also adjusted, unchanged, same, cannot tell
    Internal = 1,
    Usage = 2,   ///< the line does not parse
    Refused = 3, ///< parsed, but refused; nothing changed
    NotAuthorized = 4,
    PutBack = 5, ///< failed, fully put back
    Unknown = 6, ///< outcome unknown or incompletely put back
    Busy = 7,
    Difference = 8,
};

/// The exit code for something that was refused before it changed anything.
[[nodiscard]] ExitCode exitCodeFor(Errc code) noexcept;

/// "diskwrightctl: INPUT: REASON (accepted: …)" without the program's name.
[[nodiscard]] std::string messageOf(const Error &error);

/// What the commands of one run share: options of the whole line, both output streams, the tree that is read.
class CommandContext final
{
public:
    using Command = std::function<ExitCode()>;

    CommandContext(std::ostream &out, std::ostream &err);

    bool json = false;     ///< --json
    std::string rootPath;  ///< --root; empty: the live system
    std::size_t width = 0; ///< of the terminal that is printed to, in cells; 0: there is none

    /// For a subcommand's callback: what runs once the whole line is parsed. Nothing runs inside the parser.
    void select(Command command) { m_command = std::move(command); }
    [[nodiscard]] const Command &selected() const noexcept { return m_command; }

    /// The tree to read, opened once. Errors: UnknownTarget.
    [[nodiscard]] Result<const SystemRoot *> root();
    /// Its block devices, read once. Errors as root and scanDisks.
    [[nodiscard]] Result<const DiskList *> disks();

    /// To standard output, at once.
    void print(std::string_view text);
    /// The document to standard output.
    void print(JsonWriter &&document);
    /// A line to standard error, with the program's name before it.
    void message(std::string_view text);

    /// Says what failed on standard error and, with --json, as a document on standard output; \p addKeys may
    /// write the command's usual members into it. Returns exitCodeFor(error).
    ExitCode fail(const Error &error, const std::function<void(JsonWriter &)> &addKeys = {});
    ExitCode fail(const Error &error, ExitCode code, const std::function<void(JsonWriter &)> &addKeys = {});

    /// Whether all that was printed reached its place.
    [[nodiscard]] bool isOutputSound() const;

private:
    std::ostream &m_out;
    std::ostream &m_err;
    Command m_command;
    std::optional<SystemRoot> m_root;
    std::optional<DiskList> m_disks;
};

} // namespace diskwright
