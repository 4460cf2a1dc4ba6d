// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planning.h"

#include "app/apply/keepable.h"
#include "app/plan/readsnapshot.h"
#include "app/settings/observation.h"
#include "app/settings/oldnames.h"
#include "helper/contract/codec.h"

#include <algorithm>
#include <charconv>

namespace diskwright {

namespace {

struct Wish {
    std::string word;
    Address address;
    const SettingSpec *spec = nullptr;
    std::optional<Value> wanted; ///< none: as it is
};

Result<Wish> resolve(const DiskList &disks, const std::string &setting, const std::string &word)
{
    const auto address = resolveAddress(disks, setting);
    if (!address) {
        Error error = address.error();
        if (error.input.empty())
            error.input = named(word);
        return std::unexpected(std::move(error));
    }
    Wish wish{word, *address, findSetting(address->domain, address->key), {}};
    if (!wish.spec)
        return fail(Errc::UnknownSetting, printable(setting), "not in the catalogue");
    return wish;
}

/// What became of a scheduler that is gone: "; replaced by none since Linux 5.0"; empty for any other word.
std::string fateOfScheduler(const Wish &wish)
{
    const auto *wanted = wish.wanted ? std::get_if<std::string>(&*wish.wanted) : nullptr;
    if (!wanted || wish.spec->id != "queue/scheduler")
        return {};
    for (const OldNameAnswer &answer : findByOldName(*wanted)) {
        if (!answer.vanished || !answer.vanished->id.starts_with("scheduler/") ||
            answer.vanished->since.empty())
            continue;
        return (answer.value ? "; replaced by " + toText(*answer.value) : "; gone") + " since Linux " +
               std::string(answer.vanished->since);
    }
    return {};
}

Result<RequestedPlan> plan(CommandContext &context, const DiskList &disks, const std::vector<Wish> &wishes,
                           NoOps noOps)
{
    const auto root = context.root();
    if (!root)
        return std::unexpected(root.error());
    std::vector<std::string> targets;
    for (const Wish &wish : wishes) {
        if (std::ranges::find(targets, wish.address.target) == targets.end())
            targets.push_back(wish.address.target);
    }
    RequestedPlan requested;
    requested.snapshot = readSnapshot(**root, disks, targets);
    for (const Wish &wish : wishes) {
        const auto current = requested.snapshot.current(wish.address);
        const auto &wanted = wish.wanted ? wish.wanted : current;
        if (!wanted)
            return fail(Errc::Absent, printable(wish.word), "has no value on this kernel or device now");
        if (auto staged = requested.changes.request(wish.address, current, *wanted); !staged) {
            Error error = staged.error();
            error.input = printable(wish.word);
            error.reason += fateOfScheduler(wish);
            return std::unexpected(std::move(error));
        }
    }
    auto made = makePlan(requested.changes, requested.snapshot, noOps);
    if (!made)
        return std::unexpected(made.error());
    requested.plan = std::move(*made);
    return requested;
}

} // namespace

std::string named(std::string_view word)
{
    return word.empty() ? "''" : printable(word);
}

Result<RequestedPlan> requestPlan(CommandContext &context, const std::vector<std::string> &assignments,
                                  NoOps noOps)
{
    std::vector<Assignment> parsed;
    for (const std::string &word : assignments) {
        auto assignment = parseAssignment(word);
        if (!assignment) {
            Error error = assignment.error();
            error.input = named(word);
            return std::unexpected(std::move(error));
        }
        parsed.push_back(std::move(*assignment));
    }
    const auto disks = context.disks();
    if (!disks)
        return std::unexpected(disks.error());
    std::vector<Wish> wishes;
    for (std::size_t at = 0; at < parsed.size(); ++at) {
        auto wish = resolve(**disks, parsed[at].setting, assignments[at]);
        if (!wish)
            return std::unexpected(wish.error());
        auto value = parseUserText(*wish->spec, parsed[at].value);
        if (!value) {
            Error error = value.error();
            error.input = printable(assignments[at]);
            return std::unexpected(std::move(error));
        }
        wish->wanted = std::move(*value);
        wishes.push_back(std::move(*wish));
    }
    return plan(context, **disks, wishes, noOps);
}

Result<RequestedPlan> requestAsIs(CommandContext &context, const std::vector<std::string> &settings)
{
    const auto disks = context.disks();
    if (!disks)
        return std::unexpected(disks.error());
    std::vector<Wish> wishes;
    for (const std::string &setting : settings) {
        auto wish = resolve(**disks, setting, setting);
        if (!wish)
            return std::unexpected(wish.error());
        wishes.push_back(std::move(*wish));
    }
    return plan(context, **disks, wishes, NoOps::Include);
}

Result<DiskClass> classFor(const CommandContext &context, const RequestedPlan &requested)
{
    const auto found =
        classForKeeping(requested.plan, context.rootPath.empty() ? QStringLiteral("/")
                                                                 : QString::fromStdString(context.rootPath));
    if (found)
        return *found;
    const NotKeepable &why = found.error();
    return fail(why.why, why.step ? toText(requested.plan.steps[*why.step].address) : "--class", why.reason,
                "disks of one of " + std::string(diskClassNames()));
}

Result<std::chrono::seconds> parseSeconds(std::string_view text, std::chrono::seconds least,
                                          std::chrono::seconds most)
{
    const std::string accepted = std::to_string(least.count()) + " to " + std::to_string(most.count()) + " s";
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument)
        return fail(Errc::Malformed, named(text), "not a whole number of seconds", accepted);
    if (error != std::errc{} || std::chrono::seconds(value) < least || std::chrono::seconds(value) > most)
        return fail(Errc::OutOfRange, printable(text), "outside the accepted range", accepted);
    return std::chrono::seconds(value);
}

Result<TransactionId> parseTransaction(std::string_view text)
{
    const auto id = transactionIdFromHex(text);
    if (!id)
        return fail(Errc::Malformed, named(text), "not the ID of a change",
                    "32 lowercase hexadecimal digits, as set and history print them");
    return *id;
}

Result<> requireLive(const CommandContext &context)
{
    if (context.rootPath.empty())
        return {};
    return fail(Errc::Conflict, "--root", "only the live system can be changed", "set --dry-run with --root");
}

} // namespace diskwright
