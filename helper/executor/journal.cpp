// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"

#include "../contract/catalogue.h"
#include "../wire/strictcbor.h"

#include <algorithm>

namespace diskwright {

namespace {

constexpr std::uint64_t version = 1;
constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

void write(StrictCborWriter &out, const std::optional<Value> &value)
{
    value ? out.value(*value) : out.null();
}

std::optional<Value> readOptional(StrictCborReader &in)
{
    return in.null() ? std::nullopt : std::optional(in.value());
}

void write(StrictCborWriter &out, const JournalDevice &device)
{
    out.beginMap(6);
    out.key(0), out.text(device.identity.name);
    out.key(1), out.natural(device.identity.major);
    out.key(2), out.natural(device.identity.minor);
    out.key(3), out.natural(device.identity.diskseq);
    out.key(4), out.natural(device.identity.sizeBytes);
    out.key(5), out.text(device.id);
    out.endMap();
}

JournalDevice readDevice(StrictCborReader &in)
{
    JournalDevice device;
    in.beginMap(6);
    in.key(0), device.identity.name = in.text();
    in.key(1), device.identity.major = in.small<std::uint32_t>();
    in.key(2), device.identity.minor = in.small<std::uint32_t>();
    in.key(3), device.identity.diskseq = in.natural(largest);
    in.key(4), device.identity.sizeBytes = in.natural(largest);
    in.key(5), device.id = in.text();
    in.end();
    return device;
}

void write(StrictCborWriter &out, const JournalItem &item)
{
    out.beginMap(9);
    out.key(0);
    item.device ? out.natural(*item.device) : out.null();
    out.key(1), out.text(item.setting);
    out.key(2), out.boolean(item.asked);
    out.key(3), write(out, item.before);
    out.key(4), write(out, item.wanted);
    out.key(5), write(out, item.after);
    out.key(6), out.natural(static_cast<std::uint64_t>(item.result));
    out.key(7), out.natural(static_cast<std::uint64_t>(item.why));
    out.key(8), out.integer(item.sysErrno);
    out.endMap();
}

JournalItem readItem(StrictCborReader &in, std::size_t devices)
{
    JournalItem item;
    in.beginMap(9);
    in.key(0);
    if (!in.null())
        item.device = in.small<std::uint16_t>(limits::journalDevices - 1);
    in.key(1), item.setting = in.text();
    const SettingSpec *spec = findSetting(item.setting);
    if (!spec || isPerDisk(spec->domain) != item.device.has_value() ||
        (item.device && *item.device >= devices))
        in.refuse();
    in.key(2), item.asked = in.boolean();
    in.key(3), item.before = readOptional(in);
    in.key(4), item.wanted = readOptional(in);
    in.key(5), item.after = readOptional(in);
    in.key(6), item.result = in.oneOf(StepResult::NotAttempted);
    in.key(7), item.why = in.oneOf(lastErrc);
    in.key(8), item.sysErrno = static_cast<int>(in.integer(0, 4095));
    in.end();
    return item;
}

void write(StrictCborWriter &out, const JournalLease &lease)
{
    out.beginMap(4);
    out.key(0), out.beginArray(lease.states.size());
    for (const auto &state : lease.states) {
        out.beginArray(state.size());
        for (const Value &value : state)
            out.value(value);
        out.endArray();
    }
    out.endArray();
    out.key(1), out.natural(lease.mostSwitches);
    out.key(2), out.natural(lease.switches);
    out.key(3), out.natural(lease.current);
    out.endMap();
}

JournalLease readLease(StrictCborReader &in, std::size_t asked)
{
    JournalLease lease;
    in.beginMap(4);
    in.key(0), lease.states.resize(in.beginArray(limits::fewestLeaseStates, limits::mostLeaseStates));
    for (auto &state : lease.states) {
        state.resize(in.beginArray(asked, asked));
        for (Value &value : state)
            value = in.value();
        in.end();
    }
    in.end();
    in.key(1), lease.mostSwitches = in.small<std::uint16_t>(limits::mostLeaseSwitches);
    in.key(2), lease.switches = in.small<std::uint16_t>(limits::mostLeaseSwitches);
    in.key(3), lease.current = in.small<std::uint8_t>(limits::mostLeaseStates - 1);
    if (lease.current >= lease.states.size())
        in.refuse();
    in.end();
    return lease;
}

void readJournal(StrictCborReader &in, Journal &journal)
{
    in.key(1), in.bytes(journal.id);
    in.key(2), journal.kind = in.oneOf(TransactionKind::RestoreAll);
    in.key(3), journal.state = in.oneOf(JournalState::Done);
    in.key(4), journal.outcome = in.oneOf(Outcome::LeaseHeld);
    in.key(5), journal.why = in.oneOf(lastErrc);
    in.key(6), journal.bootId = in.text();
    in.key(7), journal.uid = in.small<std::uint32_t>();
    in.key(8), in.bytes(journal.token);
    in.key(9), journal.timeSeconds = in.natural(largest);
    in.key(10), journal.startBoottimeNanoseconds = in.natural(largest);
    in.key(11), journal.deadlineBoottimeNanoseconds = in.natural(largest);
    in.key(12), journal.keep = in.boolean();
    in.key(13), journal.kept = in.boolean();
    in.key(14), journal.undone = in.boolean();
    in.key(15), journal.origin = in.text();
    in.key(16), journal.devices.resize(in.beginArray(0, limits::journalDevices));
    for (auto &device : journal.devices)
        device = readDevice(in);
    in.end();
    const std::size_t fewest = journal.kind == TransactionKind::RestoreAll ? 0 : 1;
    in.key(17), journal.items.resize(in.beginArray(fewest, limits::journalItems));
    for (auto &item : journal.items)
        item = readItem(in, journal.devices.size());
    in.end();
    in.key(18);
    if (!in.null())
        journal.lease = readLease(in, journal.askedCount());
    in.key(19);
    if (!in.null())
        journal.keepFor = in.oneOf(DiskClass::Mmc);
    if (journal.lease.has_value() != (journal.kind == TransactionKind::Lease) ||
        !std::ranges::is_partitioned(journal.items, &JournalItem::asked))
        in.refuse();
}

} // namespace

std::size_t Journal::askedCount() const noexcept
{
    return static_cast<std::size_t>(std::ranges::count(items, true, &JournalItem::asked));
}

std::string encodeJournal(const Journal &journal)
{
    StrictCborWriter out;
    out.beginMap(20);
    out.key(0), out.natural(version);
    out.key(1), out.bytes(journal.id);
    out.key(2), out.natural(static_cast<std::uint64_t>(journal.kind));
    out.key(3), out.natural(static_cast<std::uint64_t>(journal.state));
    out.key(4), out.natural(static_cast<std::uint64_t>(journal.outcome));
    out.key(5), out.natural(static_cast<std::uint64_t>(journal.why));
    out.key(6), out.text(journal.bootId);
    out.key(7), out.natural(journal.uid);
    out.key(8), out.bytes(journal.token);
    out.key(9), out.natural(journal.timeSeconds);
    out.key(10), out.natural(journal.startBoottimeNanoseconds);
    out.key(11), out.natural(journal.deadlineBoottimeNanoseconds);
    out.key(12), out.boolean(journal.keep);
    out.key(13), out.boolean(journal.kept);
    out.key(14), out.boolean(journal.undone);
    out.key(15), out.text(journal.origin);
    out.key(16), out.beginArray(journal.devices.size());
    for (const auto &device : journal.devices)
        write(out, device);
    out.endArray();
    out.key(17), out.beginArray(journal.items.size());
    for (const auto &item : journal.items)
        write(out, item);
    out.endArray();
    out.key(18);
    journal.lease ? write(out, *journal.lease) : out.null();
    out.key(19);
    journal.keepFor ? out.natural(static_cast<std::uint64_t>(*journal.keepFor)) : out.null();
    out.endMap();
    return out.result().toStdString();
}

Result<Journal> decodeJournal(std::string_view bytes)
{
    const QByteArray owned(bytes.data(), static_cast<qsizetype>(bytes.size()));
    StrictCborReader in(owned);
    Journal journal;
    in.beginMap(20);
    in.key(0), static_cast<void>(in.oneOf(version));
    readJournal(in, journal);
    in.end();
    if (!in.ok() || encodeJournal(journal) != bytes)
        return fail(Errc::StateFile, "journal", "does not decode strictly", "docs/formats.md, journal");
    return journal;
}

Result<Journal> loadJournal(const StateDirectory &state, Folder folder, const std::string &id)
{
    const auto bytes = state.read(folder, id, limits::journalBytes);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto journal = decodeJournal(*bytes);
    if (journal && toHex(journal->id) != id)
        return fail(Errc::StateFile, id, "the file's name is not its journal's id");
    return journal;
}

bool isUndoable(const Journal &journal) noexcept
{
    const bool inForce = journal.outcome == Outcome::Applied || journal.outcome == Outcome::Adjusted ||
                         journal.outcome == Outcome::Confirmed || journal.outcome == Outcome::Undone ||
                         journal.outcome == Outcome::RollbackFailed;
    return journal.state == JournalState::Done && journal.kind != TransactionKind::RestoreAll && inForce &&
           !journal.undone && std::ranges::all_of(journal.items, [](const JournalItem &item) {
               return findSetting(item.setting)->undoable;
           });
}

} // namespace diskwright
