// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plan/plan.h"

#include "helper/contract/codec.h"
#include "helper/contract/limits.h"

#include <algorithm>

namespace diskwright {

namespace {

constexpr std::string_view schedulerRow = "queue/scheduler";

std::unexpected<Error> refuse(const StagedEdit &edit, Error error)
{
    error.input = printable(toText(edit.address) + '=' + toText(edit.wanted));
    return std::unexpected(std::move(error));
}

std::unexpected<Error> refuse(const StagedEdit &edit, Errc code, std::string reason,
                              std::string accepted = {})
{
    return refuse(edit, Error{code, {}, std::move(reason), std::move(accepted), 0});
}

Address schedulerOf(const std::string &disk)
{
    return {Domain::Queue, disk, "scheduler"};
}

bool isResetBySwitch(const SettingSpec &spec)
{
    return resets(*findSetting(schedulerRow), spec);
}

// The scheduler of a disk when the plan is through: the staged one, else the active one.
std::optional<std::string> schedulerAfter(const std::string &disk, const std::vector<StagedEdit> &edits,
                                          const PlanSnapshot &snapshot)
{
    const Address address = schedulerOf(disk);
    std::optional<Value> value = snapshot.current(address);
    for (const StagedEdit &edit : edits) {
        if (edit.address == address)
            value = edit.wanted;
    }
    const auto *text = value ? std::get_if<std::string>(&*value) : nullptr;
    return text ? std::optional(*text) : std::nullopt;
}

bool switchesScheduler(const std::string &disk, const std::vector<StagedEdit> &edits,
                       const PlanSnapshot &snapshot)
{
    return std::ranges::any_of(edits, [&](const StagedEdit &edit) {
        return edit.address == schedulerOf(disk) && snapshot.current(edit.address) != edit.wanted;
    });
}

Result<> checkAvailable(const StagedEdit &edit, const std::vector<StagedEdit> &edits,
                        const PlanSnapshot &snapshot)
{
    const SettingSpec &spec = *edit.spec;
    const PlanSetting *seen = snapshot.setting(edit.address);
    if (!spec.scheduler.empty()) {
        const auto after = schedulerAfter(edit.address.target, edits, snapshot);
        if (after != spec.scheduler)
            return refuse(edit, Errc::Absent,
                          "exists only under the scheduler " + std::string(spec.scheduler) +
                              ", and the scheduler will be " + after.value_or("none"),
                          "choose " + std::string(spec.scheduler) + " in the same plan");
        // It appears when the scheduler is switched to; the helper looks for it then.
        if (switchesScheduler(edit.address.target, edits, snapshot))
            return {};
    }
    if (!seen)
        return refuse(edit, Errc::Absent, "this kernel or device does not have it");
    if (seen->unavailable)
        return refuse(edit, *seen->unavailable,
                      *seen->unavailable == Errc::ReadOnly ? "can't be written on this kernel"
                                                           : "can't be set on this kernel or device");
    return {};
}

Result<> checkEdit(const StagedEdit &edit, const std::vector<StagedEdit> &edits, const PlanSnapshot &snapshot)
{
    if (isPerDisk(edit.spec->domain) && !snapshot.disk(edit.address.target))
        return refuse(edit, Errc::UnknownTarget, "no such disk");
    if (auto available = checkAvailable(edit, edits, snapshot); !available)
        return available;
    const PlanSetting *seen = snapshot.setting(edit.address);
    const auto *offered = seen && !seen->offered.empty() ? &seen->offered : nullptr;
    SettingSpec spec = *edit.spec;
    // What the device takes under another scheduler the helper finds out when it is there.
    const bool isSeenAsItWillBe = !isPerDisk(spec.domain) || !isResetBySwitch(spec) ||
                                  !switchesScheduler(edit.address.target, edits, snapshot);
    if (seen && seen->range && isSeenAsItWillBe)
        spec.accepts = *seen->range;
    if (auto checked = validate(spec, edit.wanted, offered); !checked)
        return refuse(edit, checked.error());
    return {};
}

// The number a vm row will have: staged, 0 if its pair is staged, else as it is now.
std::optional<std::int64_t> machineNumberAfter(std::string_view key, std::string_view pair,
                                               const std::vector<StagedEdit> &edits,
                                               const PlanSnapshot &snapshot)
{
    for (const StagedEdit &edit : edits) {
        if (edit.address.domain != Domain::Vm)
            continue;
        if (edit.address.key == key)
            return std::get<std::int64_t>(edit.wanted);
        if (edit.address.key == pair)
            return 0;
    }
    const auto value = snapshot.current({Domain::Vm, {}, std::string(key)});
    const auto *integer = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    return integer ? std::optional(*integer) : std::nullopt;
}

// The kernel takes a background limit above the dirty limit and then uses half of the latter instead
// (mm/page-writeback.c, domain_dirty_limits). Bytes and percent can't be compared here: the percentage is of
// memory that is free just then.
Result<> checkDirtyLimits(const std::vector<StagedEdit> &edits, const PlanSnapshot &snapshot)
{
    const auto culprit = std::ranges::find_if(edits, [](const StagedEdit &edit) {
        return edit.address.domain == Domain::Vm && edit.address.key.starts_with("dirty_") &&
               !edit.spec->pair.empty();
    });
    if (culprit == edits.end())
        return {};
    const auto after = [&](std::string_view key, std::string_view pair) {
        return machineNumberAfter(key, pair, edits, snapshot).value_or(0);
    };
    const std::int64_t bytes = after("dirty_bytes", "dirty_ratio");
    const std::int64_t backgroundBytes = after("dirty_background_bytes", "dirty_background_ratio");
    const std::int64_t ratio = after("dirty_ratio", "dirty_bytes");
    const std::int64_t backgroundRatio = after("dirty_background_ratio", "dirty_background_bytes");
    if (bytes > 0 && backgroundBytes > 0 && backgroundBytes >= bytes)
        return refuse(*culprit, Errc::Conflict,
                      "the background limit (" + std::to_string(backgroundBytes) +
                          " bytes) must be below the limit for all unwritten data (" + std::to_string(bytes) +
                          " bytes)",
                      "vm::dirty_background_bytes below vm::dirty_bytes");
    if (bytes == 0 && backgroundBytes == 0 && ratio > 0 && backgroundRatio >= ratio)
        return refuse(*culprit, Errc::Conflict,
                      "the background limit (" + std::to_string(backgroundRatio) +
                          " %) must be below the limit for all unwritten data (" + std::to_string(ratio) +
                          " %)",
                      "vm::dirty_background_ratio below vm::dirty_ratio");
    return {};
}

Result<> checkPairs(const std::vector<StagedEdit> &edits)
{
    for (const StagedEdit &edit : edits) {
        const auto pair = std::ranges::find_if(edits, [&](const StagedEdit &other) {
            return other.address != edit.address && other.address.target == edit.address.target &&
                   isSameValue(*other.spec, *edit.spec);
        });
        if (pair != edits.end())
            return refuse(edit, Errc::Conflict,
                          "it and " + toText(pair->address) + " are one limit: setting one sets the other",
                          "only one of the two");
    }
    return {};
}

std::vector<Caution> cautionsOf(const StagedEdit &edit, const std::vector<StagedEdit> &edits,
                                const PlanSnapshot &snapshot)
{
    std::vector<Caution> cautions;
    const SettingSpec &spec = *edit.spec;
    if (snapshot.current(edit.address) == edit.wanted && spec.id == schedulerRow)
        return cautions;
    std::vector<Address> others;
    for (const PlanSetting &other : snapshot.settings()) {
        const SettingSpec *row = findSetting(other.address.domain, other.address.key);
        if (row && other.current && other.address.target == edit.address.target && resets(spec, *row))
            others.push_back(other.address);
    }
    if (!others.empty())
        cautions.push_back({CautionKind::ResetsOthers, std::move(others)});
    if (spec.id == schedulerRow) {
        const PlanDisk *disk = snapshot.disk(edit.address.target);
        if (disk && disk->holdsSystem)
            cautions.push_back({CautionKind::MustBeTrial, {}});
    } else if (isPerDisk(spec.domain) && isResetBySwitch(spec) &&
               switchesScheduler(edit.address.target, edits, snapshot)) {
        cautions.push_back({CautionKind::AfterReset, {}});
    }
    if (const SettingSpec *pair = spec.pair.empty() ? nullptr : findSetting(spec.pair)) {
        const Address other{pair->domain, edit.address.target, std::string(pair->key)};
        if (snapshot.current(other).value_or(number(0)) != number(0))
            cautions.push_back({CautionKind::ResetsPair, {other}});
    }
    // Schedulers count their times in the kernel's timer ticks, so a number of ms can come back rounded; a
    // number of bytes is stored as a share of the memory.
    const auto *range = std::get_if<Range>(&spec.accepts);
    if (spec.drifts || (spec.domain == Domain::IoSched && range && range->unit == Unit::Milliseconds))
        cautions.push_back({CautionKind::MayBeAdjusted, {}});
    if (spec.risk != Risk::Safe)
        cautions.push_back({CautionKind::RowRisk, {}});
    return cautions;
}

std::vector<StagedEdit> withoutNoOps(const ChangeSet &changes, const PlanSnapshot &snapshot)
{
    const auto isSo = [&](const StagedEdit &edit) { return snapshot.current(edit.address) == edit.wanted; };
    std::vector<StagedEdit> edits{changes.edits().begin(), changes.edits().end()};
    std::erase_if(edits, [&](const StagedEdit &edit) { return edit.spec->id == schedulerRow && isSo(edit); });
    // Behind a scheduler switch an equal value is no no-op: the switch resets it first.
    std::vector<StagedEdit> kept;
    std::ranges::copy_if(edits, std::back_inserter(kept), [&](const StagedEdit &edit) {
        const bool isReset = isPerDisk(edit.spec->domain) && isResetBySwitch(*edit.spec) &&
                             switchesScheduler(edit.address.target, edits, snapshot);
        return !isSo(edit) || isReset;
    });
    return kept;
}

std::uint16_t deviceIndex(Plan &plan, const DeviceIdentity &identity)
{
    const auto found = std::ranges::find(plan.devices, identity);
    if (found != plan.devices.end())
        return static_cast<std::uint16_t>(found - plan.devices.begin());
    plan.devices.push_back(identity);
    return static_cast<std::uint16_t>(plan.devices.size() - 1);
}

PlanStep makeStep(Plan &plan, const StagedEdit &edit, const std::vector<StagedEdit> &edits,
                  const PlanSnapshot &snapshot)
{
    PlanStep step;
    step.address = edit.address;
    step.spec = edit.spec;
    step.before = snapshot.current(edit.address);
    if (const SettingSpec *exact = edit.spec->drifts ? findSetting(edit.spec->exact) : nullptr)
        step.exactBefore = snapshot.current({exact->domain, edit.address.target, std::string(exact->key)});
    step.wanted = edit.wanted;
    step.cautions = cautionsOf(edit, edits, snapshot);
    step.command = equivalentCommand(edit.address, *edit.spec, edit.wanted);
    if (const PlanDisk *disk = isPerDisk(edit.spec->domain) ? snapshot.disk(edit.address.target) : nullptr) {
        step.device = deviceIndex(plan, disk->identity);
        step.diskId = disk->id;
        step.displayName = disk->displayName;
    }
    return step;
}

// A name with more than letters, digits, - and _ is quoted: "!" is history expansion at a prompt.
std::string quotedForShell(const std::string &path)
{
    const bool isPlain = std::ranges::all_of(path, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
               c == '_' || c == '-' || c == '.';
    });
    return isPlain ? path : '\'' + path + '\'';
}

} // namespace

Result<Plan> makePlan(const ChangeSet &changes, const PlanSnapshot &snapshot, NoOps noOps)
{
    std::vector<StagedEdit> edits = noOps == NoOps::Drop
                                        ? withoutNoOps(changes, snapshot)
                                        : std::vector(changes.edits().begin(), changes.edits().end());
    for (const StagedEdit &edit : edits) {
        if (auto checked = checkEdit(edit, edits, snapshot); !checked)
            return std::unexpected(checked.error());
    }
    if (auto checked = checkPairs(edits); !checked)
        return std::unexpected(checked.error());
    if (auto checked = checkDirtyLimits(edits, snapshot); !checked)
        return std::unexpected(checked.error());

    // Disk by disk in the order of staging, the machine last; inside a disk by the rows' order.
    const std::vector<std::string> targets = changes.targets();
    const auto place = [&](const StagedEdit &edit) {
        return edit.address.target.empty() ? targets.end() : std::ranges::find(targets, edit.address.target);
    };
    std::ranges::stable_sort(edits, [&](const StagedEdit &a, const StagedEdit &b) {
        return std::pair(place(a), a.spec->order) < std::pair(place(b), b.spec->order);
    });

    Plan plan;
    for (const StagedEdit &edit : edits) {
        if (!plan.steps.empty() && edit.spec->action != plan.action)
            plan.severalClasses = true;
        if (plan.steps.empty())
            plan.action = edit.spec->action;
        plan.steps.push_back(makeStep(plan, edit, edits, snapshot));
        for (const Caution &caution : plan.steps.back().cautions)
            plan.mustBeTrial = plan.mustBeTrial || caution.kind == CautionKind::MustBeTrial;
    }
    if (plan.devices.size() > limits::devices)
        return fail(Errc::Internal, std::to_string(plan.devices.size()), "too many disks in one plan",
                    "at most " + std::to_string(limits::devices));
    return plan;
}

std::string equivalentCommand(const Address &address, const SettingSpec &spec, const Value &wanted)
{
    // The values are decimal numbers and the catalogue's words, so they need no quotes.
    if (spec.domain == Domain::Vm)
        return "sudo sysctl -w vm." + std::string(spec.attribute) + '=' + kernelText(wanted);
    return "echo " + kernelText(wanted) + " | sudo tee " +
           quotedForShell("/sys/block/" + address.target + '/' + std::string(spec.attribute));
}

std::vector<std::string> equivalentCommands(const Plan &plan)
{
    std::vector<std::string> lines;
    lines.reserve(plan.steps.size());
    for (const PlanStep &step : plan.steps)
        lines.push_back(step.command);
    return lines;
}

} // namespace diskwright
