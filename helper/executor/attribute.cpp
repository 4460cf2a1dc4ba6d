// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribute.h"

#include "patience.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace diskwright {

namespace {

Error refusal(const SettingSpec &spec, int number)
{
    const bool gone = number == ENODEV || number == ENOENT || number == ENXIO;
    return {gone ? Errc::Absent : Errc::Kernel, std::string(spec.id), std::strerror(number), {}, number};
}

Result<std::string> readText(const Directory &anchor, const SettingSpec &spec)
{
    if (!isPerDisk(spec.domain))
        return anchor.read(spec.attribute);
    return patiently<std::string>(anchor, spec.id,
                                  [&spec](const Directory &disk) { return disk.read(spec.attribute); });
}

Result<> writeText(const Directory &anchor, const SettingSpec &spec, const std::string &text)
{
    auto file = anchor.openForWriting(spec.attribute);
    if (!file)
        return std::unexpected(file.error());
    const ssize_t written = ::write(file->get(), text.data(), text.size());
    if (written < 0)
        return std::unexpected(refusal(spec, errno));
    if (static_cast<std::size_t>(written) != text.size())
        return std::unexpected(refusal(spec, EIO));
    if (file->close() != 0)
        return std::unexpected(refusal(spec, errno));
    return {};
}

// Whichever scheduler is active keeps its tunables in the same folder, so the file alone proves nothing.
Result<> checkOwner(const Directory &anchor, const SettingSpec &spec)
{
    if (spec.scheduler.empty())
        return {};
    const auto active = readAttribute(anchor, *findSetting("queue/scheduler"));
    if (!active)
        return std::unexpected(active.error());
    if (active->value != word(std::string(spec.scheduler)))
        return fail(Errc::Absent, std::string(spec.id), "another scheduler is active");
    return {};
}

} // namespace

Result<Parsed> readAttribute(const Directory &anchor, const SettingSpec &spec)
{
    if (auto owned = checkOwner(anchor, spec); !owned)
        return std::unexpected(owned.error());
    const auto text = readText(anchor, spec);
    // So the kernel answers where a device lacks what the file stands for (wbt_lat_usec without throttling).
    if (!text && text.error().sysErrno == EINVAL)
        return fail(Errc::Absent, std::string(spec.id), "this device does not have it", {}, EINVAL);
    if (!text)
        return std::unexpected(text.error());
    return parseKernelText(spec, *text);
}

Result<> writeAttribute(const Directory &anchor, const SettingSpec &spec, const Value &value,
                        const std::shared_ptr<const void> &held)
{
    if (auto owned = checkOwner(anchor, spec); !owned)
        return owned;
    const std::string text = kernelText(value);
    if (!isPerDisk(spec.domain))
        return writeText(anchor, spec, text);
    return patiently<void>(
        anchor, spec.id, [&spec, text, held](const Directory &disk) { return writeText(disk, spec, text); });
}

} // namespace diskwright
