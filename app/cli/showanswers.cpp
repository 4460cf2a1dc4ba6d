// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "showanswers.h"

#include "observationjson.h"

#include "app/settings/search.h"
#include "app/settings/shown.h"
#include "app/settings/texts.h"

namespace diskwright {

namespace {

Unit unitOf(const std::string &settingId)
{
    const SettingSpec *spec = findSetting(settingId);
    const auto *range = spec ? std::get_if<Range>(&spec->accepts) : nullptr;
    return range ? range->unit : Unit::None;
}

std::string titleOf(const std::string &settingId)
{
    if (const SettingText *text = findText(settingId))
        return std::string(text->title);
    const ShownSetting *shown = findShown(settingId);
    return std::string(shown ? shown->title : std::string_view());
}

/// "gone since Linux 5.0", "without effect", "not a setting of the queue or of memory"
std::string fateText(const VanishedSetting &entry)
{
    const std::string since =
        entry.since.empty() ? std::string() : " since Linux " + std::string(entry.since);
    switch (entry.fate) {
    case Fate::Gone: return "gone" + since;
    case Fate::NoEffect: return "without effect" + since;
    case Fate::Elsewhere: return "set elsewhere";
    case Fate::OutOfTree: return "never in the official kernel";
    }
    return {};
}

std::optional<std::string> orNull(std::string_view text)
{
    return text.empty() ? std::nullopt : std::optional(std::string(text));
}

} // namespace

std::string answersText(const std::vector<ShownAnswer> &answers)
{
    std::string text;
    for (const ShownAnswer &shown : answers) {
        const OldNameAnswer &answer = shown.answer;
        text += printable(shown.input, 80) + ": ";
        if (const VanishedSetting *entry = answer.vanished) {
            text += std::string(entry->title) + ", " + fateText(*entry) + ". " + std::string(entry->was) +
                    ' ' + std::string(entry->today);
            if (!answer.settingId.empty())
                text += " See " + addressOf(answer.settingId, answer.target) + '.';
        } else {
            text += titleOf(answer.settingId) + ", " + addressOf(answer.settingId, answer.target);
        }
        if (answer.value) {
            const std::string_view unit = name(unitOf(answer.settingId));
            text += (answer.vanished ? " Today's word for it: " : " = ") + toText(*answer.value) +
                    (unit.empty() ? "" : " ") + std::string(unit);
        }
        if (!answer.note.empty())
            text += " (" + answer.note + ')';
        text += '\n';
    }
    return text;
}

void writeAnswers(JsonWriter &json, const std::vector<ShownAnswer> &answers)
{
    json.beginArray();
    for (const ShownAnswer &shown : answers) {
        const OldNameAnswer &answer = shown.answer;
        const std::string_view unit = name(unitOf(answer.settingId));
        json.beginObject();
        json.member("input", printable(shown.input));
        json.member("setting", answer.settingId.empty() ? std::nullopt
                                                        : orNull(addressOf(answer.settingId, answer.target)));
        json.member("target", orNull(answer.target));
        json.key("value");
        if (answer.value)
            writeValue(json, *answer.value);
        else
            json.null();
        json.member("unit", orNull(unit));
        json.member("note", orNull(answer.note));
        json.key("vanished");
        if (const VanishedSetting *entry = answer.vanished) {
            json.beginObject();
            json.member("id", entry->id);
            json.member("title", entry->title);
            json.member("fate", name(entry->fate));
            json.member("since", orNull(entry->since));
            json.member("was", entry->was);
            json.member("today", entry->today);
            json.endObject();
        } else {
            json.null();
        }
        json.endObject();
    }
    json.endArray();
}

} // namespace diskwright
