// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "transaction.h"

#include "attribute.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <poll.h>
#include <set>
#include <system_error>
#include <thread>

namespace diskwright {

namespace {

const SettingSpec &specOf(const JournalItem &item)
{
    return *findSetting(item.setting);
}

std::vector<JournalItem *> inForwardOrder(Journal &journal)
{
    std::vector<JournalItem *> order;
    order.reserve(journal.items.size());
    for (JournalItem &item : journal.items)
        order.push_back(&item);
    std::ranges::stable_sort(order, {}, [](const JournalItem *item) { return specOf(*item).order; });
    return order;
}

const JournalItem *pairOf(const Journal &journal, const JournalItem &item)
{
    const auto found = std::ranges::find_if(journal.items, [&](const JournalItem &other) {
        return other.device == item.device && other.setting == specOf(item).pair;
    });
    return found != journal.items.end() ? &*found : nullptr;
}

bool isCancelled(int pipe)
{
    pollfd watched{.fd = pipe, .events = POLLIN, .revents = 0};
    // A negative descriptor is ignored by poll(2).
    return poll(&watched, 1, 0) > 0;
}

void refuse(JournalItem &item, const Error &error)
{
    item.why = error.code;
    item.sysErrno = error.sysErrno;
    if (error.code == Errc::DeviceChanged)
        item.result = StepResult::DeviceGone;
    else if (error.code == Errc::Absent || error.code == Errc::ReadOnly)
        item.result = StepResult::Unsupported;
    else
        item.result = StepResult::Rejected;
}

// Whether an earlier step of the same transaction may have moved the item's value.
bool isMovedByUs(const Journal &journal, const JournalItem &item)
{
    const SettingSpec &spec = specOf(item);
    return std::ranges::any_of(journal.items, [&](const JournalItem &other) {
        const bool isWritten = other.result == StepResult::Applied || other.result == StepResult::Adjusted ||
                               other.result == StepResult::Rejected;
        const SettingSpec &cause = specOf(other);
        return isWritten && &other != &item && other.device == item.device &&
               (resets(cause, spec) || disturbs(cause, spec) || isSameValue(cause, spec) ||
                spec.pair == cause.id);
    });
}

// Writing one half of a pair resets the other, so a foreign half protects both.
void protectPairs(Journal &journal)
{
    for (JournalItem &item : journal.items) {
        const JournalItem *pair = pairOf(journal, item);
        if (pair && pair->result == StepResult::Stale) {
            item.result = StepResult::Stale;
            item.why = Errc::Stale;
        }
    }
}

bool carryOutOne(const Targets &targets, const Journal &journal, JournalItem &item)
{
    const auto current = targets.read(item);
    if (!current) {
        refuse(item, current.error());
        return false;
    }
    // The plan was checked before the authorization and the journal, both of which take their time.
    const auto &expected = item.after ? item.after : item.before;
    const bool isForeign = item.asked && expected && *current != *expected && *current != *item.wanted &&
                           !specOf(item).drifts && !isMovedByUs(journal, item);
    item.after = *current;
    if (isForeign) {
        item.result = StepResult::Stale;
        item.why = Errc::Stale;
        return false;
    }
    // What only looks the same now is written all the same: the number behind it may be another one.
    if (*current == *item.wanted && !specOf(item).drifts) {
        item.result = StepResult::Unchanged;
        return true;
    }
    const auto written = targets.write(item, *item.wanted);
    const auto readBack = targets.read(item);
    item.after = readBack ? std::optional(*readBack) : std::nullopt;
    if (!written || !readBack) {
        refuse(item, !written ? written.error() : readBack.error());
        return false;
    }
    item.result =
        isAsWanted(specOf(item), *item.wanted, *readBack) ? StepResult::Applied : StepResult::Adjusted;
    return true;
}

using Steps = std::vector<JournalItem *>;

// One device's steps, or those of vm, in their order, each once.
bool carryOutInOrder(const Targets &targets, const Journal &journal, const Steps &steps, int cancel,
                     const std::atomic<bool> &failed)
{
    for (JournalItem *item : steps) {
        if (failed)
            return false;
        if (isCancelled(cancel)) {
            item->why = Errc::Cancelled;
            return false;
        }
        const JournalItem *pair = pairOf(journal, *item);
        if (isImpliedZero(specOf(*item), *item->wanted, pair ? pair->wanted : std::nullopt))
            // recordAfter() looks whether it came true.
            item->result = item->before == item->wanted ? StepResult::Unchanged : StepResult::Applied;
        else if (!carryOutOne(targets, journal, *item))
            return false;
    }
    return true;
}

// Runs the work on this thread and on others beside it, as many as there can be.
template <class Work>
void runBeside(std::size_t others, const Work &work)
{
    std::vector<std::jthread> threads;
    try {
        while (threads.size() < others)
            threads.emplace_back(work);
    } catch (const std::system_error &) {
        // No more threads to be had: fewer do the same work.
    }
    work();
}

// A side effect that could not be put back is told at the change that caused it.
JournalItem &reportedAt(Journal &journal, JournalItem &item)
{
    if (item.asked)
        return item;
    const auto cause = std::ranges::find_if(journal.items, [&](const JournalItem &other) {
        return other.asked && other.device == item.device &&
               (resets(specOf(other), specOf(item)) || disturbs(specOf(other), specOf(item)) ||
                isSameValue(specOf(other), specOf(item)));
    });
    return cause != journal.items.end() ? *cause : item;
}

bool verifyPutBack(const Targets &targets, Journal &journal, JournalItem &item)
{
    const JournalItem &stored = storedBehind(journal, item);
    const auto shown = targets.read(item);
    item.after = shown ? std::optional(*shown) : std::nullopt;
    const auto current = &stored == &item ? shown : targets.read(stored);
    if (!current && current.error().code == Errc::DeviceChanged) {
        item.result = StepResult::DeviceGone;
        item.why = Errc::DeviceChanged;
        return true;
    }
    // A tunable that was absent then belongs to a scheduler that is not active any more.
    if (!item.before || (current && *current == *stored.before)) {
        if (item.result == StepResult::Applied || item.result == StepResult::Adjusted)
            item.result = StepResult::RolledBack;
        return true;
    }
    JournalItem &told = reportedAt(journal, item);
    told.result = StepResult::RollbackFailed;
    if (told.why == Errc::None)
        told.why = Errc::Kernel;
    if (told.sysErrno == 0 && !current)
        told.sysErrno = current.error().sysErrno;
    return false;
}

} // namespace

Targets::Targets(const SystemRoot &root, const Journal &journal)
    : m_vm(root.vm())
    , m_marks(root)
{
    for (const JournalDevice &device : journal.devices)
        m_disks.push_back(openDisk(root, device.identity));
}

Result<const Directory *> Targets::place(std::optional<std::uint16_t> device) const
{
    if (!device)
        return m_vm ? Result<const Directory *>(&*m_vm) : std::unexpected(m_vm.error());
    const auto &disk = m_disks.at(*device);
    const auto same = disk ? disk->verify() : std::unexpected(disk.error());
    if (same && m_marks.isSet(disk->identity.diskseq))
        return fail(Errc::Kernel, disk->identity.name, "it does not answer", {}, ETIMEDOUT);
    if (same)
        return &disk->directory;
    if (same.error().code == Errc::UnknownTarget || same.error().code == Errc::DeviceChanged)
        return fail(Errc::DeviceChanged, same.error().input, same.error().reason, {}, ENODEV);
    return std::unexpected(same.error());
}

const Directory *Targets::directory(std::optional<std::uint16_t> device) const
{
    return place(device).value_or(nullptr);
}

Result<Value> Targets::read(const JournalItem &item) const
{
    const auto where = place(item.device);
    if (!where)
        return std::unexpected(where.error());
    auto parsed = readAttribute(**where, specOf(item));
    if (!parsed)
        return std::unexpected(parsed.error());
    return std::move(parsed->value);
}

Result<> Targets::write(const JournalItem &item, const Value &value) const
{
    const auto where = place(item.device);
    if (!where || !item.device)
        return where ? writeAttribute(**where, specOf(item), value) : std::unexpected(where.error());
    const auto mark = m_marks.set(m_disks.at(*item.device)->identity.diskseq);
    return mark ? writeAttribute(**where, specOf(item), value, *mark) : std::unexpected(mark.error());
}

const JournalItem &storedBehind(const Journal &journal, const JournalItem &item)
{
    const std::string_view exact = specOf(item).exact;
    const auto found = std::ranges::find_if(journal.items, [&](const JournalItem &other) {
        return !exact.empty() && other.device == item.device && other.setting == exact && other.before;
    });
    return found != journal.items.end() ? *found : item;
}

Result<bool> isAsLeft(const Targets &targets, const Journal &journal, const JournalItem &item)
{
    const JournalItem &stored = storedBehind(journal, item);
    const auto now = targets.read(stored);
    if (!now)
        return std::unexpected(now.error());
    return stored.after == *now;
}

bool isDisturbed(const Journal &journal, const JournalItem &item)
{
    return !item.asked && std::ranges::any_of(journal.items, [&](const JournalItem &other) {
        return other.asked && other.device == item.device && disturbs(specOf(other), specOf(item));
    });
}

bool isImpliedZero(const SettingSpec &spec, const Value &value, const std::optional<Value> &ofPair) noexcept
{
    const auto *range = std::get_if<Range>(&spec.accepts);
    return !spec.pair.empty() && value == number(0) &&
           ((range && range->unit == Unit::Bytes) || (ofPair && *ofPair != number(0)));
}

bool carryOut(const Targets &targets, Journal &journal, int cancel)
{
    constexpr std::size_t mostThreads = 16;
    std::map<std::uint16_t, Steps> ofDevice;
    Steps ofVm;
    for (JournalItem *item : inForwardOrder(journal)) {
        if (item->wanted)
            (item->device ? ofDevice[*item->device] : ofVm).push_back(item);
    }
    std::vector<Steps> queues;
    queues.reserve(ofDevice.size());
    for (auto &[device, steps] : ofDevice)
        queues.push_back(std::move(steps));

    // The kernel waits some 20 ms for each queue that it freezes; it waits for several at once.
    std::atomic<bool> failed = false;
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t at = next++; at < queues.size() && !failed; at = next++) {
            if (!carryOutInOrder(targets, journal, queues[at], cancel, failed))
                failed = true;
        }
    };
    runBeside(std::min(mostThreads, std::max<std::size_t>(queues.size(), 1)) - 1, work);
    if (failed || !carryOutInOrder(targets, journal, ofVm, cancel, failed))
        return false;
    if (!isCancelled(cancel))
        return true;
    journal.why = Errc::Cancelled;
    return false;
}

bool recordAfter(const Targets &targets, Journal &journal)
{
    for (JournalItem &item : journal.items) {
        const auto current = targets.read(item);
        item.after = current ? std::optional(*current) : std::nullopt;
        if (!item.wanted)
            continue;
        if (!current) {
            refuse(item, current.error());
            return false;
        }
        if (!isAsWanted(specOf(item), *item.wanted, *current))
            item.result = StepResult::Adjusted;
    }
    return true;
}

bool markForeign(const Targets &targets, Journal &journal)
{
    bool any = false;
    std::vector<const JournalItem *> foreign;
    for (JournalItem *item : inForwardOrder(journal)) {
        const JournalItem &stored = storedBehind(journal, *item);
        const auto current = targets.read(stored);
        const bool follows = std::ranges::any_of(foreign, [&](const JournalItem *cause) {
            return cause->device == item->device && resets(specOf(*cause), specOf(*item));
        });
        if (!follows && (!current || stored.after == *current || stored.before == *current))
            continue;
        const auto shown = targets.read(*item);
        item->result = StepResult::Stale;
        item->why = Errc::Stale;
        item->after = shown ? std::optional(*shown) : std::nullopt;
        foreign.push_back(item);
        any = true;
    }
    protectPairs(journal);
    return any;
}

void markChangedMeanwhile(const Targets &targets, Journal &journal)
{
    for (JournalItem &item : journal.items) {
        const auto &expected = item.after ? item.after : item.before;
        if (!item.asked || item.result != StepResult::NotAttempted || !item.before || specOf(item).drifts ||
            isMovedByUs(journal, item))
            continue;
        const auto now = targets.read(item);
        if (!now || *now == *expected || *now == *item.before)
            continue;
        item.result = StepResult::Stale;
        item.why = Errc::Stale;
        item.after = *now;
    }
    protectPairs(journal);
}

bool putBack(const Targets &targets, Journal &journal)
{
    const auto order = inForwardOrder(journal);
    // An earlier attempt came to its end with these; the other devices were read back as they had been, and
    // have been anybody's to change since. A whole device: its scheduler resets the rest.
    std::set<std::optional<std::uint16_t>> left;
    for (const JournalItem &item : journal.items) {
        if (item.result == StepResult::RollbackFailed)
            left.insert(item.device);
    }
    const auto isSettled = [&](const JournalItem &item) {
        return item.result == StepResult::Stale || (!left.empty() && !left.contains(item.device));
    };
    for (JournalItem *item : order) {
        // An earlier attempt says nothing about this one.
        if (item->result == StepResult::RollbackFailed) {
            item->result = StepResult::Applied;
            item->why = Errc::None;
            item->sysErrno = 0;
        }
    }
    for (JournalItem *item : order) {
        if (isSettled(*item) || !item->before)
            continue;
        const JournalItem *pair = pairOf(journal, *item);
        if (isImpliedZero(specOf(*item), *item->before, pair ? pair->before : std::nullopt) ||
            &storedBehind(journal, *item) != item)
            continue;
        const auto current = targets.read(*item);
        if (current && *current == *item->before)
            continue;
        if (const auto written = targets.write(*item, *item->before);
            !written && written.error().code != Errc::DeviceChanged)
            reportedAt(journal, *item).sysErrno = written.error().sysErrno;
    }
    bool complete = true;
    for (JournalItem *item : order) {
        if (!isSettled(*item) && !verifyPutBack(targets, journal, *item))
            complete = false;
    }
    return complete;
}

} // namespace diskwright
