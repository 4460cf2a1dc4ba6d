// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"

#include <algorithm>

namespace diskwright {

std::string_view name(Errc code) noexcept
{
    switch (code) {
    case Errc::None: return "none";
    case Errc::Malformed: return "malformed";
    case Errc::UnsupportedVersion: return "unsupported-version";
    case Errc::UnknownSetting: return "unknown-setting";
    case Errc::UnknownTarget: return "unknown-target";
    case Errc::OutOfRange: return "out-of-range";
    case Errc::NotOffered: return "not-offered";
    case Errc::NotAMultiple: return "not-a-multiple";
    case Errc::Conflict: return "conflict";
    case Errc::Stale: return "stale";
    case Errc::DeviceChanged: return "device-changed";
    case Errc::Absent: return "absent";
    case Errc::ReadOnly: return "read-only";
    case Errc::Busy: return "busy";
    case Errc::NotAuthorized: return "not-authorized";
    case Errc::UnknownTransaction: return "unknown-transaction";
    case Errc::WrongToken: return "wrong-token";
    case Errc::Expired: return "expired";
    case Errc::DuplicateId: return "duplicate-id";
    case Errc::StateFile: return "state-file";
    case Errc::FileChanged: return "file-changed";
    case Errc::NoStableId: return "no-stable-id";
    case Errc::NeedsSystemd: return "needs-systemd";
    case Errc::SwitchLimit: return "switch-limit";
    case Errc::NotUndoable: return "not-undoable";
    case Errc::Kernel: return "kernel";
    case Errc::Cancelled: return "cancelled";
    case Errc::Internal: return "internal";
    case Errc::NotOfClass: return "not-of-class";
    }
    return "internal";
}

std::string printable(std::string_view text, std::size_t limit)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const char character : text.substr(0, std::min(text.size(), limit))) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte >= 0x20 && byte < 0x7f && byte != '\\') {
            out += character;
        } else {
            out += "\\x";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
        if (out.size() >= limit)
            return out.substr(0, limit);
    }
    return out;
}

} // namespace diskwright
