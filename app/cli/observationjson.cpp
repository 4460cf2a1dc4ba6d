// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "observationjson.h"

namespace diskwright {

namespace {

void writeMember(JsonWriter &json, std::string_view key, const std::optional<Value> &value)
{
    json.key(key);
    if (value)
        writeValue(json, *value);
    else
        json.null();
}

std::string_view name(ActionClass action)
{
    switch (action) {
    case ActionClass::Tune: return "tune";
    case ActionClass::Remount: return "remount";
    case ActionClass::Ata: return "ata";
    }
    return "tune";
}

} // namespace

void writeValue(JsonWriter &json, const Value &value)
{
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        json.number(*integer);
    else
        json.text(std::get<std::string>(value));
}

void writeObservation(JsonWriter &json, const Observation &seen)
{
    const std::string_view unit = diskwright::name(seen.unit);
    json.beginObject();
    json.member("setting", toText(seen.address()));
    json.member("id", seen.id);
    writeMember(json, "current", seen.value);
    writeMember(json, "default", seen.defaultValue);
    json.member("default_source", diskwright::name(seen.defaultSource));
    json.member("offered", seen.offered);
    json.member("min", seen.min);
    json.member("max", seen.max);
    json.member("step", seen.step);
    json.member("unit", unit.empty() ? std::nullopt : std::optional(std::string(unit)));
    json.member("state", diskwright::name(seen.state));
    json.member("reason", seen.reason.empty() ? std::nullopt : std::optional(seen.reason));
    // What is only shown is never written, so it has no risk and no action that would cover it.
    const SettingSpec *spec = seen.spec;
    json.member("risk", spec ? std::optional(std::string(diskwright::name(spec->risk))) : std::nullopt);
    json.member("action", spec ? std::optional(std::string(name(spec->action))) : std::nullopt);
    json.member("restorable", spec && spec->undoable && spec->readableBack && seen.value.has_value());
    writeMember(json, "kept", seen.kept);
    json.member("kept_for",
                seen.keptFor ? std::optional(std::string(diskwright::name(*seen.keptFor))) : std::nullopt);
    json.member("set_by", seen.setBy);
    json.endObject();
}

} // namespace diskwright
