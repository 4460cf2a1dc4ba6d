// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/apply/keepable.h"
#include "app/cli/commandcontext.h"
#include "app/cli/helperrun.h"
#include "app/cli/planning.h"
#include "app/cli/reportjson.h"
#include "app/settings/observation.h"
#include "helper/contract/limits.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace diskwright {

namespace {

using Call = std::function<void(ApplySession &, const TransactionId &, ApplySession::Done)>;

ExitCode onTransaction(CommandContext &context, const std::string &text, HelperRun::Prompt prompt,
                       const Call &call)
{
    if (auto live = requireLive(context); !live)
        return refuse(context, live.error());
    const auto id = parseTransaction(text);
    if (!id)
        return refuse(context, id.error());
    HelperRun run(prompt);
    const bool isTrial =
        std::ranges::contains(run.session().pendingTrials(), *id,
                              [](const PendingTrial &trial) { return trial.record.transaction; });
    if (prompt == HelperRun::Prompt::MayAsk && isTrial)
        return refuse(context, {Errc::Conflict, text, "is on trial", "diskwrightctl revert " + text, 0});
    return printReport(context,
                       run.wait([&](ApplySession::Done done) { call(run.session(), *id, std::move(done)); }));
}

Result<> checkNotOnTrial(const RequestedPlan &requested, const ApplySession &session)
{
    for (const PendingTrial &trial : session.pendingTrials()) {
        for (const PlanStep &step : requested.plan.steps) {
            if (std::ranges::contains(trial.record.items, step.address, &TrialRecord::Item::address))
                return fail(Errc::Conflict, toText(step.address), "is on trial: confirm it first",
                            "diskwrightctl confirm " + toHex(trial.record.transaction));
        }
    }
    return {};
}

struct KeepOptions {
    std::vector<std::string> settings;
    bool forClass = false;
    bool replaceEdited = false;
};

std::optional<KeepOrigin> originOf(const RequestedPlan &requested)
{
    return originOf(requested.plan, requested.snapshot, readHistory(), currentBootId());
}

ApplyReport keepBy(HelperRun &run, const KeepOrigin &origin, std::optional<DiskClass> forClass,
                   bool replaceEdited)
{
    return run.wait([&](ApplySession::Done done) {
        run.session().keep(origin.transaction, origin.items, std::move(done), {}, replaceEdited, forClass);
    });
}

ApplyReport keepRequested(HelperRun &run, const RequestedPlan &requested, std::optional<DiskClass> forClass,
                          bool replaceEdited)
{
    if (const auto origin = originOf(requested)) {
        ApplyReport report = keepBy(run, *origin, forClass, replaceEdited);
        const bool isStale = report.call == CallState::Answered && report.outcome == Outcome::Refused &&
                             report.why == Errc::Stale;
        // Somebody else has set what only looked like a drift: what is so now is what is kept.
        if (origin->isCertain || !isStale)
            return report;
    }
    ApplyReport report = run.wait([&](ApplySession::Done done) {
        run.session().apply(requested.plan, std::chrono::seconds(0), {true, forClass}, std::move(done));
    });
    // It has a transaction by now, and only keeping by that says that the edit may go.
    if (replaceEdited && report.keepWhy == Errc::FileChanged) {
        if (const auto made = originOf(requested))
            report = keepBy(run, *made, forClass, true);
    }
    return report;
}

ExitCode keep(CommandContext &context, const KeepOptions &options)
{
    const auto &settings = options.settings;
    if (auto live = requireLive(context); !live)
        return refuse(context, live.error());
    const auto requested = requestAsIs(context, settings);
    if (!requested)
        return refuse(context, requested.error());
    HelperRun run(HelperRun::Prompt::MayAsk);
    if (auto settled = checkNotOnTrial(*requested, run.session()); !settled)
        return refuse(context, settled.error());
    std::optional<DiskClass> forClass;
    if (options.forClass) {
        const auto found = classFor(context, *requested);
        if (!found)
            return refuse(context, found.error());
        forClass = *found;
    }
    ApplyReport report = keepRequested(run, *requested, forClass, options.replaceEdited);
    // What was so already is recorded as a change of its own; that it is kept now is what was asked for.
    if (report.call == CallState::Answered && report.outcome == Outcome::Unchanged)
        report.outcome = report.kept ? Outcome::Kept : Outcome::Refused;
    if (report.outcome == Outcome::Refused && report.why == Errc::None)
        report.why = report.keepWhy;
    return printReport(context, report);
}

std::unexpected<Error> notKept(const KeptSet &set, const Address &address, const std::string &setting)
{
    for (const KeptItem &item : set.items) {
        const SettingSpec *spec = findSetting(item.settingId);
        if (item.forClass && spec->domain == address.domain &&
            (spec->key == address.key || spec->key.ends_with('/' + address.key)))
            return fail(Errc::UnknownSetting, printable(setting), "is not kept for this disk alone",
                        toText(Address{spec->domain, item.target, std::string(spec->key)}) +
                            ", which keeps it for a class");
    }
    return fail(Errc::UnknownSetting, printable(setting), "is not kept",
                "a setting that diskwrightctl boot status lists");
}

/// Indexes of the kept items that the words name.
Result<std::vector<std::uint16_t>> keptIndexes(CommandContext &context, const KeptSet &set,
                                               const std::vector<std::string> &settings)
{
    std::vector<std::uint16_t> items;
    for (const std::string &setting : settings) {
        // A disk that is not here now can be forgotten by its id or by the name that it had.
        auto address = parseAddress(setting);
        if (!address) {
            Error error = address.error();
            error.input = named(setting);
            return std::unexpected(std::move(error));
        }
        const auto disks = context.disks();
        const BlockNode *disk = disks ? (*disks)->find(address->target) : nullptr;
        const std::string id = disk ? disk->id.value_or("") : std::string();
        const std::size_t before = items.size();
        for (std::size_t at = 0; at < set.items.size(); ++at) {
            const KeptItem &item = set.items[at];
            const SettingSpec *spec = findSetting(item.settingId);
            const bool isKey = spec->domain == address->domain &&
                               (spec->key == address->key || spec->key.ends_with('/' + address->key));
            const bool isTarget = item.target == address->target || (!id.empty() && item.target == id) ||
                                  (!disk && item.kernelName == address->target && !item.kernelName.empty());
            if (isKey && isTarget)
                items.push_back(static_cast<std::uint16_t>(at));
        }
        if (items.size() == before)
            return notKept(set, *address, setting);
    }
    std::ranges::sort(items);
    const auto twice = std::ranges::unique(items);
    items.erase(twice.begin(), twice.end());
    return items;
}

ExitCode forget(CommandContext &context, const std::vector<std::string> &settings, bool replaceEdited)
{
    if (auto live = requireLive(context); !live)
        return refuse(context, live.error());
    const auto set = readKeptSet();
    if (!set)
        return refuse(context, set.error());
    const auto items = keptIndexes(context, *set, settings);
    if (!items)
        return refuse(context, items.error());
    if (set->items.empty()) {
        ApplyReport nothing;
        nothing.call = CallState::Answered;
        nothing.outcome = Outcome::Unchanged;
        return printReport(context, nothing);
    }
    HelperRun run(HelperRun::Prompt::MayAsk);
    return printReport(context, run.wait([&](ApplySession::Done done) {
        run.session().forget(*set, *items, std::move(done), replaceEdited);
    }));
}

CLI::App *addTransactionCommand(CLI::App &app, const char *name, const char *what,
                                const std::shared_ptr<std::string> &id)
{
    CLI::App *command = app.add_subcommand(name, what);
    command->add_option("id", *id, "the transaction that set printed")->type_name("ID")->required();
    return command;
}

void addProlongCommand(CLI::App &app, CommandContext &context)
{
    const auto id = std::make_shared<std::string>();
    const auto seconds = std::make_shared<std::string>();
    CLI::App *command = addTransactionCommand(app, "prolong", "give a trial more time, counted from now", id);
    command->add_option("seconds", *seconds, "5 to 1800")->type_name("SECONDS")->required();
    command->callback([&context, id, seconds] {
        context.select([&context, id, seconds] {
            const auto more = parseSeconds(*seconds, limits::shortestTrial, limits::longestProlongedTrial);
            if (!more)
                return refuse(context, more.error());
            return onTransaction(
                context, *id, HelperRun::Prompt::NeverAsks,
                [more](ApplySession &session, const TransactionId &trial, ApplySession::Done done) {
                    session.prolong(trial, *more, std::move(done));
                });
        });
    });
}

// Of what is not set at every start nothing can stay so.
Result<> checkIsKept(const std::string &transaction)
{
    const auto entry = readHistoryEntry(transaction);
    if (entry && !entry->kept)
        return fail(Errc::Conflict, "--keep-at-start", "the change is not set at every start",
                    "diskwrightctl undo " + transaction);
    return {};
}

void addUndoCommand(CLI::App &app, CommandContext &context)
{
    const auto id = std::make_shared<std::string>();
    const auto force = std::make_shared<bool>(false);
    const auto staysKept = std::make_shared<bool>(false);
    CLI::App *command = addTransactionCommand(
        app, "undo", "put back what a change changed, and stop setting it at every start", id);
    command->add_flag("--force", *force, "also what somebody else changed since");
    command->add_flag("--keep-at-start", *staysKept,
                      "until the next start only: what is set at every start stays so");
    command->callback([&context, id, force, staysKept] {
        context.select([&context, id, force, staysKept] {
            if (auto kept = *staysKept ? checkIsKept(*id) : Result<>(); !kept)
                return refuse(context, kept.error());
            return onTransaction(context, *id, HelperRun::Prompt::MayAsk,
                                 [force, staysKept](ApplySession &session, const TransactionId &transaction,
                                                    ApplySession::Done done) {
                                     session.undo(transaction, *force, *staysKept, std::move(done));
                                 });
        });
    });
}

} // namespace

void addSettleCommands(CLI::App &app, CommandContext &context)
{
    const auto confirmed = std::make_shared<std::string>();
    addTransactionCommand(app, "confirm", "a trial works: let it stay", confirmed)
        ->callback([&context, confirmed] {
            context.select([&context, confirmed] {
                return onTransaction(
                    context, *confirmed, HelperRun::Prompt::NeverAsks,
                    [](ApplySession &session, const TransactionId &trial, ApplySession::Done done) {
                        session.confirm(trial, std::move(done));
                    });
            });
        });
    addProlongCommand(app, context);
    const auto reverted = std::make_shared<std::string>();
    addTransactionCommand(app, "revert", "end a trial now: put everything back", reverted)
        ->callback([&context, reverted] {
            context.select([&context, reverted] {
                return onTransaction(context, *reverted, HelperRun::Prompt::NeverAsks,
                                     [](ApplySession &session, const TransactionId &trial,
                                        ApplySession::Done done) { session.end(trial, std::move(done)); });
            });
        });
    addUndoCommand(app, context);

    static constexpr const char *replaceText =
        "also where somebody edited the files with the kept settings: replace them, after copying them to "
        "/var/lib/diskwright/backup";
    const auto kept = std::make_shared<KeepOptions>();
    CLI::App *keepCommand = app.add_subcommand("keep", "let settings be at every start as they are now");
    keepCommand->add_option("settings", kept->settings)->type_name("SETTING")->required();
    keepCommand->add_flag("--class", kept->forClass,
                          "for every disk of the same class, not for this disk alone");
    keepCommand->add_flag("--replace-edited", kept->replaceEdited, replaceText);
    keepCommand->callback(
        [&context, kept] { context.select([&context, kept] { return keep(context, *kept); }); });

    const auto forgotten = std::make_shared<std::vector<std::string>>();
    CLI::App *forgetCommand =
        app.add_subcommand("forget", "stop keeping settings; changes no running value; without any: all");
    forgetCommand
        ->add_option("settings", *forgotten,
                     "for example queue:sda:read_ahead_kb, or of a class queue:usb-removable:read_ahead_kb")
        ->type_name("SETTING");
    const auto replace = std::make_shared<bool>(false);
    forgetCommand->add_flag("--replace-edited", *replace, replaceText);
    forgetCommand->callback([&context, forgotten, replace] {
        context.select([&context, forgotten, replace] { return forget(context, *forgotten, *replace); });
    });
}

} // namespace diskwright
