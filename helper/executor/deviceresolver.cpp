// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "deviceresolver.h"

#include <charconv>

namespace diskwright {

namespace {

template <class Number>
bool takeNumber(std::string_view &text, Number &number, char terminator)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end == text.data() + text.size() || *end != terminator)
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

} // namespace

Result<DeviceIdentity> readIdentity(const Directory &directory, const std::string &name)
{
    constexpr std::uint64_t sectorBytes = 512; // of /sys/block/X/size, whatever the disk's own are
    if (directory.has("partition"))
        return fail(Errc::UnknownTarget, printable(name), "a partition, not a whole disk");
    const auto number = directory.read("dev");
    const auto sequence = directory.read("diskseq");
    const auto size = directory.read("size");
    for (const auto *part : {&number, &sequence, &size}) {
        if (!*part)
            return part->error().code == Errc::Absent
                       ? fail(Errc::DeviceChanged, printable(name), "is not there any more")
                       : std::unexpected(part->error());
    }
    DeviceIdentity identity{.name = name};
    std::string_view numberText = *number;
    std::string_view sequenceText = *sequence;
    std::string_view sizeText = *size;
    if (!takeNumber(numberText, identity.major, ':') || !takeNumber(numberText, identity.minor, '\n') ||
        !takeNumber(sequenceText, identity.diskseq, '\n') ||
        !takeNumber(sizeText, identity.sizeBytes, '\n') ||
        identity.sizeBytes > std::numeric_limits<std::int64_t>::max() / sectorBytes)
        return fail(Errc::Malformed, printable(name), "unreadable number, sequence number or size");
    identity.sizeBytes *= sectorBytes;
    return identity;
}

Result<> OpenDisk::verify() const
{
    // The kernel gives a sequence number to one device only, so this one file proves all.
    const auto now = directory.read("diskseq");
    if (!now)
        return now.error().code == Errc::Absent
                   ? fail(Errc::DeviceChanged, printable(identity.name), "is not there any more")
                   : std::unexpected(now.error());
    if (*now != std::to_string(identity.diskseq) + '\n')
        return fail(Errc::DeviceChanged, printable(identity.name), "another device, or gone");
    return {};
}

Result<OpenDisk> openDisk(const SystemRoot &root, const DeviceIdentity &meant)
{
    auto directory = root.blockDevice(meant.name);
    if (!directory)
        return std::unexpected(directory.error());
    auto found = readIdentity(*directory, meant.name);
    if (!found)
        return std::unexpected(found.error());
    if (!found->isSameDevice(meant))
        return fail(Errc::DeviceChanged, printable(meant.name), "the name belongs to another device now");
    return OpenDisk{std::move(*found), std::move(*directory)};
}

} // namespace diskwright
