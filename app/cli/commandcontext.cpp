// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandcontext.h"

#include "jsonwriter.h"

#include <ostream>

namespace diskwright {

ExitCode exitCodeFor(Errc code) noexcept
{
    switch (code) {
    case Errc::None: return ExitCode::Done;
    case Errc::Busy: return ExitCode::Busy;
    case Errc::NotAuthorized:
    case Errc::WrongToken: return ExitCode::NotAuthorized;
    case Errc::Internal:
    case Errc::UnsupportedVersion: return ExitCode::Internal;
    case Errc::Malformed:
    case Errc::UnknownSetting:
    case Errc::UnknownTarget:
    case Errc::OutOfRange:
    case Errc::NotOffered:
    case Errc::NotAMultiple:
    case Errc::Conflict:
    case Errc::Stale:
    case Errc::DeviceChanged:
    case Errc::Absent:
    case Errc::ReadOnly:
    case Errc::UnknownTransaction:
    case Errc::Expired:
    case Errc::DuplicateId:
    case Errc::StateFile:
    case Errc::FileChanged:
    case Errc::NoStableId:
    case Errc::NotOfClass:
    case Errc::NeedsSystemd:
    case Errc::SwitchLimit:
    case Errc::NotUndoable:
    case Errc::Kernel:
    case Errc::Cancelled: return ExitCode::Refused;
    }
    return ExitCode::Internal;
}

std::string messageOf(const Error &error)
{
    std::string text = error.input;
    if (!text.empty())
        text += ": ";
    text += error.reason.empty() ? std::string(name(error.code)) : error.reason;
    if (!error.accepted.empty())
        text += " (accepted: " + error.accepted + ')';
    return text;
}

CommandContext::CommandContext(std::ostream &out, std::ostream &err)
    : m_out(out)
    , m_err(err)
{
}

Result<const SystemRoot *> CommandContext::root()
{
    if (!m_root) {
        auto opened = rootPath.empty() ? SystemRoot::live() : SystemRoot::at(rootPath);
        if (!opened)
            return std::unexpected(opened.error());
        m_root = std::move(*opened);
    }
    return &*m_root;
}

Result<const DiskList *> CommandContext::disks()
{
    if (!m_disks) {
        const auto tree = root();
        if (!tree)
            return std::unexpected(tree.error());
        auto scanned = scanDisks(**tree);
        if (!scanned)
            return std::unexpected(scanned.error());
        m_disks = std::move(*scanned);
    }
    return &*m_disks;
}

void CommandContext::print(std::string_view text)
{
    m_out << text << std::flush;
}

void CommandContext::print(JsonWriter &&document)
{
    print(std::move(document).take());
}

void CommandContext::message(std::string_view text)
{
    m_err << "diskwrightctl: " << text << '\n' << std::flush;
}

ExitCode CommandContext::fail(const Error &error, const std::function<void(JsonWriter &)> &addKeys)
{
    return fail(error, exitCodeFor(error.code), addKeys);
}

ExitCode CommandContext::fail(const Error &error, ExitCode code,
                              const std::function<void(JsonWriter &)> &addKeys)
{
    const std::string text = messageOf(error);
    message(text);
    if (json) {
        JsonWriter document;
        document.beginObject();
        if (addKeys)
            addKeys(document);
        document.key("error");
        document.beginObject();
        document.member("code", name(error.code));
        document.member("message", text);
        document.member("input", error.input);
        document.member("reason", error.reason);
        document.member("accepted", error.accepted);
        document.endObject();
        document.endObject();
        print(std::move(document));
    }
    return code;
}

bool CommandContext::isOutputSound() const
{
    return m_out.good();
}

} // namespace diskwright
