// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootset.h"

#include <QCryptographicHash>

#include <algorithm>

namespace diskwright {

Sha256 sha256(std::string_view bytes)
{
    const QByteArray hash = QCryptographicHash::hash(
        QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())), QCryptographicHash::Sha256);
    Sha256 out{};
    std::ranges::copy(hash, out.begin());
    return out;
}

std::string toHex(const Sha256 &hash)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : hash) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

bool isSameTarget(const Match &one, const Match &other) noexcept
{
    const auto *disk = std::get_if<DiskMatch>(&one);
    const auto *otherDisk = std::get_if<DiskMatch>(&other);
    if (disk && otherDisk)
        return disk->wwn == otherDisk->wwn && disk->serial == otherDisk->serial &&
               disk->sizeBytes == otherDisk->sizeBytes;
    return !disk && !otherDisk && one == other;
}

bool isSameSlot(const BootItem &one, const BootItem &other) noexcept
{
    if (!isSameTarget(one.match, other.match))
        return false;
    if (one.setting == other.setting)
        return true;
    const SettingSpec *spec = findSetting(one.setting);
    const SettingSpec *otherSpec = findSetting(other.setting);
    return spec && otherSpec && isSameValue(*spec, *otherSpec);
}

std::string addressTarget(const Match &match, std::string_view kernelName)
{
    if (const auto *disk = std::get_if<DiskMatch>(&match))
        return kernelName.empty() ? disk->id : std::string(kernelName);
    if (const auto *kind = std::get_if<DiskClass>(&match))
        return kernelName.empty() ? std::string(name(*kind)) : std::string(kernelName);
    return {};
}

} // namespace diskwright
