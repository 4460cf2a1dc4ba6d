// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../contract/address.h"
#include "../contract/codec.h"
#include "bootset.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

// Decoding looks only at what it needs and then encodes again: bytes that differ from that were not written
// here, whatever they hold (another order, a repeated or unknown key, other spacing, a fraction).
namespace diskwright {

namespace {

constexpr int bootSetVersion = 1;

std::string jsonText(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

std::string jsonValue(const Value &value)
{
    const auto *text = std::get_if<std::string>(&value);
    return text ? jsonText(*text) : toText(value);
}

std::string encodeMatch(const Match &match)
{
    if (const auto *kind = std::get_if<DiskClass>(&match))
        return "\"class\": " + jsonText(name(*kind));
    const auto *disk = std::get_if<DiskMatch>(&match);
    if (!disk)
        return "\"machine\": true";
    return "\"disk\": {\"id\": " + jsonText(disk->id) + ", \"wwn\": " + jsonText(disk->wwn) +
           ", \"serial\": " + jsonText(disk->serial) +
           ", \"size_bytes\": " + std::to_string(disk->sizeBytes) + ", \"name\": " + jsonText(disk->name) +
           '}';
}

std::string encodeItem(const BootItem &item)
{
    return "{\"setting\": " + jsonText(item.setting) + ", " + encodeMatch(item.match) +
           ", \"value\": " + jsonValue(item.value) +
           ", \"original\": {\"setting\": " + jsonText(item.original.setting) +
           ", \"value\": " + jsonValue(item.original.value) + "}, \"origin\": " + jsonText(item.origin) +
           ", \"kept_at\": " + std::to_string(item.keptAt) + ", \"boot_id\": " + jsonText(item.bootId) + '}';
}

std::string toStd(const QJsonValue &value)
{
    return value.toString().toStdString();
}

Value toValue(const QJsonValue &value)
{
    return value.isString() ? word(toStd(value)) : number(value.toInteger(-1));
}

bool isPrintable(std::string_view text, std::size_t limit)
{
    return text.size() <= limit && std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

std::unexpected<Error> refuse(std::string_view input, std::string reason)
{
    return fail(Errc::Malformed, printable(input), "boot set: " + std::move(reason));
}

Match decodeMatch(const QJsonObject &json)
{
    if (const auto kind = diskClassFromName(toStd(json[QLatin1String("class")])))
        return *kind;
    const QJsonObject disk = json[QLatin1String("disk")].toObject();
    if (disk.isEmpty())
        return MachineMatch{};
    return DiskMatch{.id = toStd(disk[QLatin1String("id")]),
                     .wwn = toStd(disk[QLatin1String("wwn")]),
                     .serial = toStd(disk[QLatin1String("serial")]),
                     .sizeBytes = static_cast<std::uint64_t>(
                         std::max<qint64>(0, disk[QLatin1String("size_bytes")].toInteger())),
                     .name = toStd(disk[QLatin1String("name")])};
}

Result<> checkMatch(const SettingSpec &spec, const Match &match)
{
    if (isPerDisk(spec.domain) == std::holds_alternative<MachineMatch>(match))
        return refuse(spec.id, "does not fit its target");
    if (std::holds_alternative<DiskClass>(match) && !isForClasses(spec))
        return fail(Errc::NotOfClass, std::string(spec.id), "classes of disks go by it");
    const auto *disk = std::get_if<DiskMatch>(&match);
    if (!disk)
        return {};
    const auto isSafeOrEmpty = [](std::string_view text) { return text.empty() || isSafeDiskId(text); };
    if (!isSafeDiskId(disk->id) || !isSafeOrEmpty(disk->wwn) || !isSafeOrEmpty(disk->serial) ||
        (disk->wwn.empty() && disk->serial.empty()) || !isKernelName(disk->name))
        return refuse(disk->id, "not an id that a rule can match safely");
    if (disk->sizeBytes == 0 || disk->sizeBytes % 512 != 0)
        return refuse(disk->id, "not a disk's size");
    return {};
}

// The original only has to be something that the row's type can hold: a kernel's own default may lie outside
// the bounds for users, and whoever writes it back validates it then.
Result<> checkOriginal(const SettingSpec &spec, const Original &original)
{
    if (original.setting.empty() ||
        (original.setting != spec.id && original.setting != spec.pair && original.setting != spec.exact))
        return refuse(original.setting, "not the row or its pair");
    const bool isWord = std::holds_alternative<std::string>(original.value);
    const auto *choice = std::get_if<Choice>(&spec.accepts);
    if (isWord != (choice != nullptr))
        return refuse(original.setting, "original of the wrong type");
    if (choice &&
        std::ranges::find(choice->words, std::get<std::string>(original.value)) == choice->words.end())
        return refuse(original.setting, "original is not a known choice");
    return {};
}

} // namespace

Result<> checkItem(const BootItem &item)
{
    const SettingSpec *spec = findSetting(item.setting);
    if (!spec || spec->keptBy == KeptBy::Nothing)
        return fail(Errc::UnknownSetting, printable(item.setting), "not a setting that can be kept");
    if (const auto fits = checkMatch(*spec, item.match); !fits)
        return fits;
    if (const auto valid = validate(*spec, item.value); !valid)
        return valid;
    if (const auto valid = checkOriginal(*spec, item.original); !valid)
        return valid;
    if (!isPrintable(item.origin, limits::stringBytes))
        return refuse(item.origin, "origin is not printable ASCII of at most 256 bytes");
    if (item.keptAt < 0 || item.bootId.size() > 36 || !(item.bootId.empty() || isSafeDiskId(item.bootId)))
        return refuse(item.bootId, "not a time or boot id");
    return {};
}

std::string encode(const BootSet &set)
{
    std::string text = "{\n\"version\": " + std::to_string(bootSetVersion) + ",\n\"items\": [";
    std::string_view separator = "\n";
    for (const BootItem &item : set.items) {
        text += separator;
        text += encodeItem(item);
        separator = ",\n";
    }
    return text + "\n]\n}\n";
}

Result<BootSet> decodeBootSet(std::string_view text)
{
    if (text.size() > bootSetBytes)
        return refuse({}, "longer than " + std::to_string(bootSetBytes) + " bytes");
    QJsonParseError error;
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray(text.data(), static_cast<qsizetype>(text.size())), &error);
    if (error.error != QJsonParseError::NoError || !document.isObject())
        return refuse({}, "not a JSON object");
    const QJsonObject json = document.object();
    if (const qint64 version = json[QLatin1String("version")].toInteger(); version != bootSetVersion)
        return fail(Errc::UnsupportedVersion, std::to_string(version), "boot set of another version",
                    std::to_string(bootSetVersion));
    const QJsonArray items = json[QLatin1String("items")].toArray();
    if (static_cast<std::size_t>(items.size()) > limits::bootItems)
        return refuse({}, "more than " + std::to_string(limits::bootItems) + " items");
    BootSet set;
    for (const QJsonValueConstRef value : items) {
        const QJsonObject object = value.toObject();
        const QJsonObject original = object[QLatin1String("original")].toObject();
        BootItem item{.setting = toStd(object[QLatin1String("setting")]),
                      .match = decodeMatch(object),
                      .value = toValue(object[QLatin1String("value")]),
                      .original = {toStd(original[QLatin1String("setting")]),
                                   toValue(original[QLatin1String("value")])},
                      .origin = toStd(object[QLatin1String("origin")]),
                      .keptAt = object[QLatin1String("kept_at")].toInteger(-1),
                      .bootId = toStd(object[QLatin1String("boot_id")])};
        if (const auto valid = checkItem(item); !valid)
            return std::unexpected(valid.error());
        const auto isTaken = [&](const BootItem &other) { return isSameSlot(item, other); };
        if (std::ranges::any_of(set.items, isTaken))
            return refuse(item.setting, "the same item twice");
        set.items.push_back(std::move(item));
    }
    if (encode(set) != text)
        return refuse({}, "not written as this program writes it");
    return set;
}

} // namespace diskwright
