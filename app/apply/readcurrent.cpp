// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/readcurrent.h"

#include "helper/access/systemroot.h"
#include "helper/contract/codec.h"

namespace diskwright {

std::optional<Value> readCurrent(const Address &address, const QString &root)
{
    const SettingSpec *spec = findSetting(address.domain, address.key);
    const auto tree = root == QLatin1String("/") ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    if (!spec || !tree)
        return std::nullopt;
    const auto folder = isPerDisk(address.domain) ? tree->blockDevice(address.target) : tree->vm();
    if (!folder)
        return std::nullopt;
    // An iosched file belongs to the active scheduler; another one's may have the same name.
    if (!spec->scheduler.empty() &&
        readCurrent({Domain::Queue, address.target, "scheduler"}, root) != word(std::string(spec->scheduler)))
        return std::nullopt;
    const auto text = folder->read(spec->attribute);
    const auto parsed = text ? parseKernelText(*spec, *text) : std::unexpected(text.error());
    return parsed ? std::optional(parsed->value) : std::nullopt;
}

} // namespace diskwright
