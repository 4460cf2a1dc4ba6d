// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plancheck.h"

#include "../access/bounds.h"
#include "../access/diskid.h"
#include "../access/schedulers.h"
#include "../access/systemdisks.h"
#include "attribute.h"
#include "transaction.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <set>

namespace diskwright {

namespace {

constexpr std::string_view schedulerRow = "queue/scheduler";

std::unexpected<Refusal> refuse(Errc why, std::optional<std::size_t> culprit = {}, int sysErrno = 0)
{
    return std::unexpected(
        Refusal{why, culprit ? std::optional(static_cast<std::uint16_t>(*culprit)) : std::nullopt, sysErrno});
}

// One plan while it is checked.
class Check final
{
public:
    Check(const SystemRoot &root, const std::vector<DeviceIdentity> &devices,
          const std::vector<Change> &changes)
        : m_root(root)
        , m_devices(devices)
        , m_changes(changes)
    {
    }

    Checked<> rows();
    Checked<> openDisks();
    Checked<> values();
    Checked<> dirtyLimits() const;
    [[nodiscard]] CheckedPlan result() const;

private:
    const Directory *anchor(const std::optional<std::uint16_t> &device) const;
    std::optional<Value> current(const std::optional<std::uint16_t> &device, const SettingSpec &spec) const;
    std::optional<Value> wanted(const std::optional<std::uint16_t> &device, std::string_view row) const;
    std::optional<Value> scheduler(const std::optional<std::uint16_t> &device) const;
    std::string schedulerAfter(const std::optional<std::uint16_t> &device) const;
    bool switchesScheduler(const std::optional<std::uint16_t> &device) const;
    Checked<> value(std::size_t at);
    std::int64_t effectiveLimit(const char *bytesRow, const char *ratioRow, std::int64_t available) const;

    const SystemRoot &m_root;
    const std::vector<DeviceIdentity> &m_devices;
    const std::vector<Change> &m_changes;
    std::vector<const SettingSpec *> m_specs;
    std::vector<OpenDisk> m_disks;
    std::optional<Directory> m_vm;
    std::optional<std::vector<std::string>> m_installedSchedulers;
};

Checked<> Check::rows()
{
    for (std::size_t at = 0; at < m_changes.size(); ++at) {
        const Change &change = m_changes[at];
        const SettingSpec *spec = findSetting(change.setting);
        if (!spec)
            return refuse(Errc::UnknownSetting, at);
        if (isPerDisk(spec->domain) != change.device.has_value() ||
            (change.device && *change.device >= m_devices.size()))
            return refuse(Errc::Malformed, at);
        for (std::size_t before = 0; before < at; ++before) {
            if (m_changes[before].device == change.device && isSameValue(*m_specs[before], *spec))
                return refuse(Errc::Conflict, at);
        }
        m_specs.push_back(spec);
    }
    return {};
}

Checked<> Check::openDisks()
{
    std::set<std::string_view> names;
    for (std::size_t device = 0; device < m_devices.size(); ++device) {
        const auto user =
            std::ranges::find_if(m_changes, [&](const Change &change) { return change.device == device; });
        if (user == m_changes.end() || !names.insert(m_devices[device].name).second)
            return refuse(Errc::Malformed);
        auto disk = openDisk(m_root, m_devices[device]);
        if (!disk)
            return refuse(disk.error().code, static_cast<std::size_t>(user - m_changes.begin()),
                          disk.error().sysErrno);
        if (disk->identity != m_devices[device])
            return refuse(Errc::DeviceChanged, static_cast<std::size_t>(user - m_changes.begin()));
        m_disks.push_back(std::move(*disk));
    }
    if (auto vm = m_root.vm())
        m_vm = std::move(*vm);
    return {};
}

const Directory *Check::anchor(const std::optional<std::uint16_t> &device) const
{
    if (device)
        return &m_disks[*device].directory;
    return m_vm ? &*m_vm : nullptr;
}

std::optional<Value> Check::current(const std::optional<std::uint16_t> &device, const SettingSpec &spec) const
{
    const Directory *directory = anchor(device);
    const auto parsed = directory ? readAttribute(*directory, spec) : fail(Errc::Absent);
    return parsed ? std::optional(parsed->value) : std::nullopt;
}

std::optional<Value> Check::wanted(const std::optional<std::uint16_t> &device, std::string_view row) const
{
    const auto found = std::ranges::find_if(
        m_changes, [&](const Change &change) { return change.device == device && change.setting == row; });
    return found != m_changes.end() ? std::optional(found->wanted) : std::nullopt;
}

std::optional<Value> Check::scheduler(const std::optional<std::uint16_t> &device) const
{
    return current(device, *findSetting(schedulerRow));
}

std::string Check::schedulerAfter(const std::optional<std::uint16_t> &device) const
{
    const auto next = device ? wanted(device, schedulerRow) : std::nullopt;
    const auto last = device && !next ? scheduler(device) : next;
    return last ? toText(*last) : std::string();
}

bool Check::switchesScheduler(const std::optional<std::uint16_t> &device) const
{
    const auto next = wanted(device, schedulerRow);
    return next && next != scheduler(device);
}

Checked<> Check::values()
{
    for (std::size_t at = 0; at < m_changes.size(); ++at) {
        if (auto sound = value(at); !sound)
            return sound;
    }
    return {};
}

Checked<> Check::value(std::size_t at)
{
    const Change &change = m_changes[at];
    const SettingSpec &spec = *m_specs[at];
    const Directory *directory = anchor(change.device);
    if (!directory)
        return refuse(Errc::Absent, at);
    const bool switches = change.device && switchesScheduler(change.device);
    const bool behindSwitch = switches && resets(*findSetting(schedulerRow), spec);
    // The file of a tunable appears with its scheduler; here only the scheduler can be compared.
    if (behindSwitch && !spec.scheduler.empty() &&
        wanted(change.device, schedulerRow) != word(std::string(spec.scheduler)))
        return refuse(Errc::Absent, at);
    const auto found = readAttribute(*directory, spec);
    const bool isSilent = !found && found.error().sysErrno == ETIMEDOUT;
    if (!found && (!behindSwitch || isSilent))
        return refuse(found.error().code, at, found.error().sysErrno);
    if (found && !behindSwitch && !directory->isWritable(spec.attribute))
        return refuse(Errc::ReadOnly, at);
    std::optional<std::vector<std::string>> offered;
    if (spec.id == schedulerRow) {
        // The lists of modules are long; one plan reads them once.
        if (!m_installedSchedulers)
            m_installedSchedulers = installedSchedulers(m_root);
        offered = offeredSchedulers(*m_installedSchedulers, found->offered);
    }
    // What is so already needs no permission to stay: a kernel's own default may lie outside the bounds.
    const bool stays = !behindSwitch && found->value == change.wanted;
    // Only the number of requests goes by the scheduler.
    const bool bySchedulers = spec.id == "queue/nr_requests";
    const auto here = narrowed(m_root, *directory, spec, bySchedulers ? schedulerAfter(change.device) : "");
    const auto valid =
        here ? validate(*here, change.wanted, offered ? &*offered : nullptr) : std::unexpected(here.error());
    if (!stays && !valid)
        return refuse(valid.error().code, at);
    if (!behindSwitch && !spec.drifts && found->value != change.expected)
        return refuse(Errc::Stale, at);
    return {};
}

// What the kernel does with the two dirty limits (mm/page-writeback.c): bytes win, a percentage is one of the
// memory that could be dirtied, for which MemAvailable stands here.
std::int64_t Check::effectiveLimit(const char *bytesRow, const char *ratioRow, std::int64_t available) const
{
    const auto after = [&](const char *row, const char *other) {
        if (const auto set = wanted({}, row))
            return std::get<std::int64_t>(*set);
        // What is so already is not written, and so resets nothing.
        if (const auto set = wanted({}, other); set && set != current({}, *findSetting(other)))
            return std::int64_t{0};
        const auto now = current({}, *findSetting(row));
        return now ? std::get<std::int64_t>(*now) : std::int64_t{0};
    };
    if (const std::int64_t bytes = after(bytesRow, ratioRow); bytes != 0)
        return bytes;
    return after(ratioRow, bytesRow) * (available / 100);
}

Checked<> Check::dirtyLimits() const
{
    const auto touches = std::ranges::find_if(
        m_specs, [](const SettingSpec *spec) { return spec->domain == Domain::Vm && !spec->pair.empty(); });
    if (touches == m_specs.end())
        return {};
    const auto text = m_root.readFile("proc/meminfo");
    constexpr std::string_view key = "MemAvailable:";
    const std::size_t line = text ? text->find(key) : std::string::npos;
    const std::size_t digits =
        line == std::string::npos ? line : text->find_first_not_of(' ', line + key.size());
    std::int64_t available = 0;
    if (digits == std::string::npos ||
        std::from_chars(text->data() + digits, text->data() + text->size(), available).ec != std::errc{})
        return refuse(Errc::Internal);
    available *= 1024;
    const auto background =
        effectiveLimit("vm/dirty_background_bytes", "vm/dirty_background_ratio", available);
    const auto foreground = effectiveLimit("vm/dirty_bytes", "vm/dirty_ratio", available);
    if (background >= foreground)
        return refuse(Errc::Conflict, static_cast<std::size_t>(touches - m_specs.begin()));
    return {};
}

CheckedPlan Check::result() const
{
    CheckedPlan plan;
    const DiskIds ids = m_devices.empty() ? DiskIds() : DiskIds::read(m_root);
    for (const DeviceIdentity &device : m_devices)
        plan.devices.push_back({device, ids.idOf(device.name).value_or(std::string{})});
    for (std::size_t at = 0; at < m_changes.size(); ++at) {
        const Change &change = m_changes[at];
        plan.items.push_back({.device = change.device,
                              .setting = change.setting,
                              .asked = true,
                              .before = current(change.device, *m_specs[at]),
                              .wanted = change.wanted,
                              .after = {}});
    }
    addSideEffects(plan.items, [this](std::optional<std::uint16_t> device) { return anchor(device); });
    std::optional<Result<std::set<std::string>>> carriers;
    for (std::size_t at = 0; at < m_changes.size(); ++at) {
        if (m_specs[at]->id != schedulerRow || !switchesScheduler(m_changes[at].device))
            continue;
        if (!carriers)
            carriers = systemDisks(m_root);
        // Where the mounts can't be read, any disk may carry the system.
        plan.switchesSystemDisk |= !*carriers || (*carriers)->contains(m_devices[*m_changes[at].device].name);
    }
    return plan;
}

} // namespace

Checked<CheckedPlan> checkPlan(const SystemRoot &root, const std::vector<DeviceIdentity> &devices,
                               const std::vector<Change> &changes)
{
    Check check(root, devices, changes);
    if (auto sound = check.rows(); !sound)
        return std::unexpected(sound.error());
    if (auto sound = check.openDisks(); !sound)
        return std::unexpected(sound.error());
    if (auto sound = check.values(); !sound)
        return std::unexpected(sound.error());
    if (auto sound = check.dirtyLimits(); !sound)
        return std::unexpected(sound.error());
    return check.result();
}

void addSideEffects(std::vector<JournalItem> &items,
                    const std::function<const Directory *(std::optional<std::uint16_t>)> &anchorOf)
{
    const auto add = [&](std::optional<std::uint16_t> device, const SettingSpec &spec, bool restored) {
        const bool listed = std::ranges::any_of(
            items, [&](const JournalItem &item) { return item.device == device && item.setting == spec.id; });
        const Directory *directory = anchorOf(device);
        const auto now = listed || !directory ? fail(Errc::Absent) : readAttribute(*directory, spec);
        if (now)
            items.push_back({.device = device,
                             .setting = std::string(spec.id),
                             .before = now->value,
                             .wanted = restored ? std::optional(now->value) : std::nullopt,
                             .after = {}});
    };
    for (std::size_t at = 0, count = items.size(); at < count; ++at) {
        const SettingSpec &spec = *findSetting(items[at].setting);
        const auto device = items[at].device;
        if (const SettingSpec *pair = findSetting(spec.pair))
            add(device, *pair, false);
        if (const SettingSpec *exact = findSetting(spec.exact))
            add(device, *exact, false);
        for (const SettingSpec &row : catalogue()) {
            if (disturbs(spec, row) || resets(spec, row))
                add(device, row, disturbs(spec, row));
        }
    }
}

} // namespace diskwright
