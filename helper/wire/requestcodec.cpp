// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "requestcodec.h"

#include "strictcbor.h"

namespace diskwright {

namespace {

constexpr std::uint64_t version = 1;

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

// The place of an operation in the variant is its number on the wire.
static_assert(std::variant_size_v<Operation> == 11);
static_assert(std::is_same_v<std::variant_alternative_t<0, Operation>, ApplyRequest> &&
              std::is_same_v<std::variant_alternative_t<1, Operation>, LeaseRequest> &&
              std::is_same_v<std::variant_alternative_t<2, Operation>, ConfirmRequest> &&
              std::is_same_v<std::variant_alternative_t<3, Operation>, ProlongRequest> &&
              std::is_same_v<std::variant_alternative_t<4, Operation>, EndRequest> &&
              std::is_same_v<std::variant_alternative_t<5, Operation>, SwitchRequest> &&
              std::is_same_v<std::variant_alternative_t<6, Operation>, KeepRequest> &&
              std::is_same_v<std::variant_alternative_t<7, Operation>, ForgetRequest> &&
              std::is_same_v<std::variant_alternative_t<8, Operation>, UseAtStartRequest> &&
              std::is_same_v<std::variant_alternative_t<9, Operation>, UndoRequest> &&
              std::is_same_v<std::variant_alternative_t<10, Operation>, RestoreAllRequest>);

void write(StrictCborWriter &out, const std::vector<DeviceIdentity> &devices)
{
    out.beginArray(devices.size());
    for (const auto &device : devices) {
        out.beginMap(5);
        out.key(0), out.text(device.name);
        out.key(1), out.natural(device.major);
        out.key(2), out.natural(device.minor);
        out.key(3), out.natural(device.diskseq);
        out.key(4), out.natural(device.sizeBytes);
        out.endMap();
    }
    out.endArray();
}

std::vector<DeviceIdentity> readDevices(StrictCborReader &in)
{
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::vector<DeviceIdentity> devices(in.beginArray(0, limits::devices));
    for (auto &device : devices) {
        in.beginMap(5);
        in.key(0), device.name = in.text();
        in.key(1), device.major = in.small<std::uint32_t>();
        in.key(2), device.minor = in.small<std::uint32_t>();
        in.key(3), device.diskseq = in.natural(largest);
        in.key(4), device.sizeBytes = in.natural(largest);
        in.end();
    }
    in.end();
    return devices;
}

enum class Wanted { Present, Absent };

void write(StrictCborWriter &out, const std::vector<Change> &changes, Wanted wanted)
{
    out.beginArray(changes.size());
    for (const auto &change : changes) {
        out.beginMap(wanted == Wanted::Present ? 4 : 3);
        out.key(0);
        change.device ? out.natural(*change.device) : out.null();
        out.key(1), out.text(change.setting);
        out.key(2), out.value(change.expected);
        if (wanted == Wanted::Present)
            out.key(3), out.value(change.wanted);
        out.endMap();
    }
    out.endArray();
}

std::vector<Change> readChanges(StrictCborReader &in, Wanted wanted)
{
    std::vector<Change> changes(in.beginArray(1, limits::changes));
    for (auto &change : changes) {
        in.beginMap(wanted == Wanted::Present ? 4 : 3);
        in.key(0);
        if (!in.null())
            change.device = in.small<std::uint16_t>(limits::devices - 1);
        in.key(1), change.setting = in.text();
        in.key(2), change.expected = in.value();
        change.wanted = change.expected;
        if (wanted == Wanted::Present)
            in.key(3), change.wanted = in.value();
        in.end();
    }
    in.end();
    return changes;
}

void writeItems(StrictCborWriter &out, const std::vector<std::uint16_t> &items)
{
    out.beginArray(items.size());
    for (const std::uint16_t item : items)
        out.natural(item);
    out.endArray();
}

std::vector<std::uint16_t> readItems(StrictCborReader &in, std::size_t fewest, std::size_t most)
{
    std::vector<std::uint16_t> items(in.beginArray(fewest, most));
    for (auto &item : items)
        item = in.small<std::uint16_t>(most - 1);
    in.end();
    return items;
}

void write(StrictCborWriter &out, std::optional<DiskClass> kind)
{
    kind ? out.natural(static_cast<std::uint64_t>(*kind)) : out.null();
}

std::optional<DiskClass> readClass(StrictCborReader &in)
{
    return in.null() ? std::nullopt : std::optional(in.oneOf(DiskClass::Mmc));
}

void write(StrictCborWriter &out, std::chrono::seconds duration)
{
    out.natural(static_cast<std::uint64_t>(duration.count()));
}

std::chrono::seconds readSeconds(StrictCborReader &in, std::chrono::seconds least, std::chrono::seconds most)
{
    return std::chrono::seconds(in.integer(least.count(), most.count()));
}

// What every operation on one's own trial or lease begins with.
template <class Owned>
void writeOwner(StrictCborWriter &out, const Owned &owned)
{
    out.key(0), out.bytes(owned.transaction);
    out.key(1), out.bytes(owned.token);
}

template <class Owned>
void readOwner(StrictCborReader &in, Owned &owned)
{
    in.key(0), in.bytes(owned.transaction);
    in.key(1), in.bytes(owned.token);
}

void writeOperation(StrictCborWriter &out, const Operation &operation)
{
    const Overloaded writer{
        [&](const ApplyRequest &apply) {
            out.beginMap(7);
            out.key(0), write(out, apply.devices);
            out.key(1), write(out, apply.changes, Wanted::Present);
            out.key(2), write(out, apply.trial);
            out.key(3), out.boolean(apply.keep);
            out.key(4), out.text(apply.origin);
            out.key(5), out.bytes(apply.token);
            out.key(6), write(out, apply.keepFor);
        },
        [&](const LeaseRequest &lease) {
            out.beginMap(6);
            out.key(0), write(out, lease.devices);
            out.key(1), write(out, lease.settings, Wanted::Absent);
            out.key(2), out.beginArray(lease.states.size());
            for (const auto &state : lease.states) {
                out.beginArray(state.size());
                for (const Value &value : state)
                    out.value(value);
                out.endArray();
            }
            out.endArray();
            out.key(3), out.natural(lease.mostSwitches);
            out.key(4), write(out, lease.duration);
            out.key(5), out.bytes(lease.token);
        },
        [&](const ConfirmRequest &confirm) {
            out.beginMap(2);
            writeOwner(out, confirm);
        },
        [&](const ProlongRequest &prolong) {
            out.beginMap(3);
            writeOwner(out, prolong);
            out.key(2), write(out, prolong.more);
        },
        [&](const EndRequest &end) {
            out.beginMap(3);
            writeOwner(out, end);
            out.key(2);
            end.stay ? out.natural(*end.stay) : out.null();
        },
        [&](const SwitchRequest &change) {
            out.beginMap(3);
            writeOwner(out, change);
            out.key(2), out.natural(change.state);
        },
        [&](const KeepRequest &keep) {
            out.beginMap(5);
            out.key(0), out.bytes(keep.transaction);
            out.key(1), writeItems(out, keep.items);
            out.key(2), out.text(keep.origin);
            out.key(3), out.boolean(keep.replaceEdited);
            out.key(4), write(out, keep.keepFor);
        },
        [&](const ForgetRequest &forget) {
            out.beginMap(3);
            out.key(0), out.bytes(forget.bootSetSha256);
            out.key(1), writeItems(out, forget.items);
            out.key(2), out.boolean(forget.replaceEdited);
        },
        [&](const UseAtStartRequest &start) {
            out.beginMap(1);
            out.key(0), out.boolean(start.use);
        },
        [&](const UndoRequest &undo) {
            out.beginMap(3);
            out.key(0), out.bytes(undo.transaction);
            out.key(1), out.boolean(undo.force);
            out.key(2), out.boolean(undo.staysKept);
        },
        [&](const RestoreAllRequest &) { out.beginMap(0); },
    };
    std::visit(writer, operation);
    out.endMap();
}

Operation readApply(StrictCborReader &in)
{
    ApplyRequest apply;
    in.beginMap(7);
    in.key(0), apply.devices = readDevices(in);
    in.key(1), apply.changes = readChanges(in, Wanted::Present);
    in.key(2), apply.trial = readSeconds(in, std::chrono::seconds(0), limits::longestTrial);
    if (apply.trial.count() != 0 && apply.trial < limits::shortestTrial)
        in.refuse();
    in.key(3), apply.keep = in.boolean();
    in.key(4), apply.origin = in.text();
    in.key(5), in.bytes(apply.token);
    in.key(6), apply.keepFor = readClass(in);
    if (apply.keepFor && !apply.keep)
        in.refuse();
    return apply;
}

Operation readLease(StrictCborReader &in)
{
    LeaseRequest lease;
    in.beginMap(6);
    in.key(0), lease.devices = readDevices(in);
    in.key(1), lease.settings = readChanges(in, Wanted::Absent);
    in.key(2), lease.states.resize(in.beginArray(limits::fewestLeaseStates, limits::mostLeaseStates));
    for (auto &state : lease.states) {
        state.resize(in.beginArray(lease.settings.size(), lease.settings.size()));
        for (Value &value : state)
            value = in.value();
        in.end();
    }
    in.end();
    in.key(3), lease.mostSwitches = in.small<std::uint16_t>(limits::mostLeaseSwitches);
    if (lease.mostSwitches == 0)
        in.refuse();
    in.key(4), lease.duration = readSeconds(in, std::chrono::seconds(1), limits::longestLease);
    in.key(5), in.bytes(lease.token);
    return lease;
}

Operation readOperation(StrictCborReader &in, std::uint64_t number)
{
    switch (number) {
    case 0: return readApply(in);
    case 1: return readLease(in);
    case 2: {
        ConfirmRequest confirm;
        in.beginMap(2);
        readOwner(in, confirm);
        return confirm;
    }
    case 3: {
        ProlongRequest prolong;
        in.beginMap(3);
        readOwner(in, prolong);
        in.key(2), prolong.more = readSeconds(in, std::chrono::seconds(1), limits::longestProlongedTrial);
        return prolong;
    }
    case 4: {
        EndRequest end;
        in.beginMap(3);
        readOwner(in, end);
        in.key(2);
        if (!in.null())
            end.stay = in.small<std::uint8_t>(limits::mostLeaseStates - 1);
        return end;
    }
    case 5: {
        SwitchRequest change;
        in.beginMap(3);
        readOwner(in, change);
        in.key(2), change.state = in.small<std::uint8_t>(limits::mostLeaseStates - 1);
        return change;
    }
    case 6: {
        KeepRequest keep;
        in.beginMap(5);
        in.key(0), in.bytes(keep.transaction);
        in.key(1), keep.items = readItems(in, 1, limits::changes);
        in.key(2), keep.origin = in.text();
        in.key(3), keep.replaceEdited = in.boolean();
        in.key(4), keep.keepFor = readClass(in);
        return keep;
    }
    case 7: {
        ForgetRequest forget;
        in.beginMap(3);
        in.key(0), in.bytes(forget.bootSetSha256);
        in.key(1), forget.items = readItems(in, 0, limits::bootItems);
        in.key(2), forget.replaceEdited = in.boolean();
        return forget;
    }
    case 8: {
        UseAtStartRequest start;
        in.beginMap(1);
        in.key(0), start.use = in.boolean();
        return start;
    }
    case 9: {
        UndoRequest undo;
        in.beginMap(3);
        in.key(0), in.bytes(undo.transaction);
        in.key(1), undo.force = in.boolean();
        in.key(2), undo.staysKept = in.boolean();
        return undo;
    }
    case 10: in.beginMap(0); return RestoreAllRequest{};
    default: in.refuse(); return ConfirmRequest{};
    }
}

} // namespace

QByteArray encode(const Request &request)
{
    StrictCborWriter out;
    out.beginMap(4);
    out.key(0), out.natural(version);
    out.key(1), out.bytes(request.id);
    out.key(2), out.natural(request.operation.index());
    out.key(3), writeOperation(out, request.operation);
    out.endMap();
    return out.result();
}

Result<Request> decodeRequest(QByteArrayView bytes)
{
    const auto malformed = [] {
        return fail(Errc::Malformed, "request", "does not decode strictly", "docs/formats.md, request");
    };
    if (bytes.isEmpty() || static_cast<std::size_t>(bytes.size()) > limits::requestBytes)
        return malformed();
    const QByteArray owned = bytes.toByteArray();
    StrictCborReader in(owned);
    in.beginVersionedMap();
    in.key(0);
    const std::uint64_t found = in.natural(std::numeric_limits<std::uint64_t>::max());
    if (in.ok() && found != version)
        return fail(Errc::UnsupportedVersion, std::to_string(found), "unknown version of the request", "1");
    Request request;
    in.key(1), in.bytes(request.id);
    in.key(2);
    const std::uint64_t operation = in.natural(std::variant_size_v<Operation> - 1);
    in.key(3);
    if (in.ok())
        request.operation = readOperation(in, operation);
    in.end();
    in.end();
    // One request has one spelling: what remains (long integers, trailing bytes) shows here.
    if (!in.ok() || encode(request) != owned)
        return malformed();
    return request;
}

} // namespace diskwright
