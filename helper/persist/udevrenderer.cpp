// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "udevrenderer.h"

#include "keptfile.h"

#include <algorithm>

namespace diskwright {

namespace {

// A disk under a trial or lease is left alone while its hold file exists: else any change event would undo
// it. A disk that was just added is another one than the file was made for.
constexpr std::string_view head = R"(
ACTION=="remove", GOTO="diskwright_end"
SUBSYSTEM!="block", GOTO="diskwright_end"
ENV{DEVTYPE}!="disk", GOTO="diskwright_end"
ACTION!="add", TEST=="/run/diskwright/hold/%k", GOTO="diskwright_end"
IMPORT{cmdline}="diskwright.off"
ENV{diskwright.off}=="?*", GOTO="diskwright_end"
)";

constexpr std::string_view tail = R"(
LABEL="diskwright_end"
)";

// A class rule never touches a disk that carries the system, and none while nobody has noted which do.
constexpr std::string_view notTheSystem =
    R"(TEST=="/run/diskwright/system/known", TEST!="/run/diskwright/system/$attr{diskseq}", )"
    R"(TEST!="/run/diskwright/system/serial-$env{ID_SERIAL}")";

std::string classKeys(DiskClass kind)
{
    const auto with = [](std::string_view keys) {
        return std::string(keys) + ", " + std::string(notTheSystem);
    };
    switch (kind) {
    case DiskClass::UsbRemovable: return with(R"(KERNEL=="sd*", ENV{ID_BUS}=="usb", ATTR{removable}=="1")");
    case DiskClass::SataRotational:
        return with(R"(KERNEL=="sd*", ENV{ID_BUS}=="ata", ATTR{queue/rotational}=="1")");
    case DiskClass::SataSolidState:
        return with(R"(KERNEL=="sd*", ENV{ID_BUS}=="ata", ATTR{queue/rotational}=="0")");
    case DiskClass::Nvme: return with(R"(KERNEL=="nvme*n*", ATTR{queue/rotational}=="0")");
    case DiskClass::Mmc: return with(R"(KERNEL=="mmcblk*", KERNEL!="*boot*|*rpmb*")");
    }
    return {};
}

std::string diskKeys(const DiskMatch &disk)
{
    std::string keys;
    if (!disk.wwn.empty())
        keys += "ENV{ID_WWN_WITH_EXTENSION}==\"" + disk.wwn + "\", ";
    if (!disk.serial.empty())
        keys += "ENV{ID_SERIAL}==\"" + disk.serial + "\", ";
    // The kernel counts sectors of 512 bytes, whatever the disk's own are.
    return keys + "ATTR{size}==\"" + std::to_string(disk.sizeBytes / 512) + '"';
}

// A property for whoever reads the file; the unit takes the number from the boot set.
std::string limitUnit(const Value &value)
{
    return R"(TAG+="systemd", ENV{SYSTEMD_WANTS}+="diskwright-limits@%k.service", ENV{DISKWRIGHT_MAX_BYTES}=")" +
           toText(value) + '"';
}

std::string assignment(const SettingSpec &spec, const Value &value)
{
    const std::string attribute(spec.attribute);
    std::string text = "TEST==\"" + attribute + "\", ";
    if (spec.keptBy == KeptBy::LimitUnit)
        return text + limitUnit(value);
    // Read from the kernel the active scheduler stands in brackets, "[[]" being a literal one in a pattern;
    // after an assignment in the same event udev hands back the plain word that it wrote.
    if (!spec.scheduler.empty()) {
        const std::string scheduler(spec.scheduler);
        text += "ATTR{queue/scheduler}==\"*[[]" + scheduler + "]*|" + scheduler + "\", ";
    }
    return text + "ATTR{" + attribute + "}=\"" + toText(value) + '"';
}

struct Target {
    const Match *match = nullptr;
    std::vector<const BootItem *> items;
};

// Targets in the order in which they were first kept; their items in the order of application.
std::vector<Target> targetsOf(const BootSet &set)
{
    std::vector<Target> targets;
    for (const BootItem &item : set.items) {
        if (std::holds_alternative<MachineMatch>(item.match))
            continue;
        auto found = std::ranges::find_if(
            targets, [&](const Target &target) { return isSameTarget(*target.match, item.match); });
        if (found == targets.end())
            found = targets.insert(targets.end(), Target{&item.match, {}});
        found->items.push_back(&item);
    }
    for (Target &target : targets) {
        std::ranges::stable_sort(target.items, {}, [](const BootItem *item) {
            return std::pair(findSetting(item->setting)->order, std::string_view(item->setting));
        });
    }
    return targets;
}

std::string render(const Target &target)
{
    const auto *disk = std::get_if<DiskMatch>(target.match);
    const std::string keys = disk ? diskKeys(*disk) : classKeys(std::get<DiskClass>(*target.match));
    std::string text = disk ? "\n# " + disk->id + ", " + disk->name + " when it was kept\n"
                            : "\n# every disk of the class " + addressTarget(*target.match) + '\n';
    for (const BootItem *item : target.items)
        text += keys + ", " + assignment(*findSetting(item->setting), item->value) + '\n';
    return text;
}

} // namespace

std::string renderUdevRules(const BootSet &set)
{
    const std::vector<Target> targets = targetsOf(set);
    if (targets.empty())
        return {};
    std::string body(head);
    for (const bool classes : {true, false}) {
        for (const Target &target : targets) {
            if (std::holds_alternative<DiskClass>(*target.match) == classes)
                body += render(target);
        }
    }
    return withMarker(body + std::string(tail));
}

} // namespace diskwright
