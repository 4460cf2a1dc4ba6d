// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstate.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace diskwright {

namespace {

constexpr int stateVersion = 1;
constexpr std::uint32_t mostUnfinished = 1000;

struct NamedAside {
    Aside aside;
    std::string_view name;
};
constexpr auto asides = std::to_array<NamedAside>({{Aside::No, "no"},
                                                   {Aside::Unfinished, "unfinished"},
                                                   {Aside::CommandLine, "command-line"},
                                                   {Aside::SwitchedOff, "switched-off"}});

bool isBootId(std::string_view text)
{
    return text.size() <= 36 && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
           });
}

std::string_view boolean(bool value)
{
    return value ? "true" : "false";
}

} // namespace

std::string encode(const BootState &state)
{
    std::string text = "{\n\"version\": " + std::to_string(stateVersion);
    const auto add = [&](std::string_view key, std::string_view value) {
        ((text += ",\n\"") += key) += "\": ";
        text += value;
    };
    const auto quoted = [](std::string_view value) { return '"' + std::string(value) + '"'; };
    add("proven", boolean(state.proven));
    add("unfinished", std::to_string(std::min(state.unfinished, mostUnfinished)));
    add("aside", quoted(std::ranges::find(asides, state.aside, &NamedAside::aside)->name));
    add("running", quoted(state.running));
    add("changed", quoted(state.changed));
    add("writing", boolean(state.writing));
    add("replacing", boolean(state.replacing));
    return text + "\n}\n";
}

Result<BootState> decodeBootState(std::string_view text)
{
    const QJsonObject json =
        QJsonDocument::fromJson(
            QByteArray(text.data(), static_cast<qsizetype>(std::min<std::size_t>(text.size(), 4096))))
            .object();
    if (json.isEmpty())
        return fail(Errc::Malformed, {}, "boot state: not a JSON object of at most 4096 bytes");
    if (const qint64 version = json[QLatin1String("version")].toInteger(); version != stateVersion)
        return fail(Errc::UnsupportedVersion, std::to_string(version), "boot state of another version",
                    std::to_string(stateVersion));
    const auto word = [&](const char *key) { return json[QLatin1String(key)].toString().toStdString(); };
    const auto flag = [&](const char *key) { return json[QLatin1String(key)].toBool(); };
    const auto aside = std::ranges::find(asides, word("aside"), &NamedAside::name);
    const qint64 unfinished = json[QLatin1String("unfinished")].toInteger(-1);
    BootState state{.proven = flag("proven"),
                    .unfinished =
                        static_cast<std::uint32_t>(std::clamp<qint64>(unfinished, 0, mostUnfinished)),
                    .aside = aside != asides.end() ? aside->aside : Aside::No,
                    .running = word("running"),
                    .changed = word("changed"),
                    .writing = flag("writing"),
                    .replacing = flag("replacing")};
    if (!isBootId(state.running) || !isBootId(state.changed) || encode(state) != text)
        return fail(Errc::Malformed, {}, "boot state: not written as this program writes it");
    return state;
}

std::string_view stateName(const BootState &state, bool somethingKept) noexcept
{
    if (!somethingKept)
        return "none";
    switch (state.aside) {
    case Aside::SwitchedOff: return "off";
    case Aside::Unfinished:
    case Aside::CommandLine: return "set-aside";
    case Aside::No: break;
    }
    return state.proven ? "proven" : "probation";
}

} // namespace diskwright
