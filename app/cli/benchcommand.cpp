// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/apply/leaseclient.h"
#include "app/bench/engineprocess.h"
#include "app/bench/measurement.h"
#include "app/bench/report.h"
#include "app/bench/runner.h"
#include "app/cli/commandcontext.h"
#include "app/cli/helperrun.h"
#include "app/cli/planning.h"
#include "app/settings/observation.h"
#include "app/settings/texts.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QJsonDocument>

#include <charconv>
#include <chrono>
#include <memory>
#include <random>

namespace diskwright {

namespace {

using bench::Database;

struct RunWords {
    std::string test;
    std::optional<std::string> target;
    std::optional<std::string> size;
    std::optional<std::string> time;
    std::optional<std::string> rounds;
    std::string name;
};

struct MeasureWords {
    std::vector<std::string> assignments;
    std::optional<std::string> test;
    std::optional<std::string> target;
    std::optional<std::string> minutes;
    bool stay = false;
};

void printDocument(CommandContext &context, const QJsonObject &document)
{
    context.print(QJsonDocument(document).toJson(QJsonDocument::Indented).toStdString());
}

ExitCode refuseMeasuring(CommandContext &context, const Error &error)
{
    return context.fail(error, static_cast<ExitCode>(bench::exitCode(error)));
}

Result<quint64> parseNumber(std::string_view text, quint64 least, quint64 most, std::string_view unit)
{
    const std::string accepted = std::to_string(least) + " to " + std::to_string(most) + std::string(unit);
    quint64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument)
        return fail(Errc::Malformed, printable(text), "not a whole number", accepted);
    if (error != std::errc{} || value < least || value > most)
        return fail(Errc::OutOfRange, printable(text), "outside the accepted range", accepted);
    return value;
}

/// Bytes, or with K, M or G behind the number powers of 1024 of them.
Result<quint64> parseSize(std::string_view text)
{
    constexpr quint64 most = quint64{1} << 40;
    const std::string_view letters = "KMG";
    const std::size_t place = text.empty() ? std::string_view::npos : letters.find(text.back());
    const quint64 factor = place == std::string_view::npos ? 1 : quint64{1024} << (10 * place);
    const std::string_view digits = factor == 1 ? text : text.substr(0, text.size() - 1);
    const auto number = parseNumber(digits, 1, most / factor, {});
    if (!number)
        return fail(number.error().code, printable(text), number.error().reason, "bytes, or with K, M or G");
    return *number * factor;
}

/// A folder, a file, or a disk by name or id.
Result<bench::Target> findTarget(CommandContext &context, const std::string &text)
{
    const QString path = QString::fromStdString(text);
    const auto disks = context.disks();
    if (!disks)
        return std::unexpected(disks.error());
    if (text.find('/') != std::string::npos || QFileInfo::exists(path))
        return bench::resolveTarget(path, **disks);
    return bench::targetOnDisk(path, **disks);
}

/// All settings of the target's disks and of the machine, for the record.
QJsonObject settingsOf(CommandContext &context, const bench::Target &target)
{
    QJsonObject settings;
    const auto root = context.root();
    const auto disks = context.disks();
    if (!root || !disks)
        return settings;
    const auto add = [&](const std::vector<Observation> &all) {
        for (const Observation &seen : all) {
            if (!seen.value)
                continue;
            const auto *integer = std::get_if<std::int64_t>(&*seen.value);
            settings.insert(QString::fromStdString(toText(seen.address())),
                            integer ? QJsonValue(static_cast<qint64>(*integer))
                                    : QJsonValue(QString::fromStdString(toText(*seen.value))));
        }
    };
    for (const QString &name : target.disks) {
        if (const BlockNode *disk = (*disks)->find(name.toStdString()))
            add(observe(**root, *disk));
    }
    add(observeVm(**root));
    return settings;
}

Result<std::unique_ptr<Database>> openResults()
{
    return Database::open();
}

quint64 freshSeed()
{
    std::random_device device;
    return (quint64{device()} << 32) | device();
}

Result<bench::RunOptions> runOptions(const RunWords &words)
{
    bench::RunOptions options;
    options.seed = freshSeed();
    options.name = QString::fromStdString(words.name);
    if (words.size) {
        const auto size = parseSize(*words.size);
        if (!size)
            return std::unexpected(size.error());
        options.sizeBytes = *size;
    }
    if (words.time) {
        const auto seconds = parseNumber(*words.time, 1, 600, " s");
        if (!seconds)
            return std::unexpected(seconds.error());
        options.milliseconds = static_cast<int>(*seconds) * 1000;
    }
    if (words.rounds) {
        const auto rounds = parseNumber(*words.rounds, 1, 1000, {});
        if (!rounds)
            return std::unexpected(rounds.error());
        options.rounds = static_cast<int>(*rounds);
    }
    if (auto checked = bench::check(options); !checked)
        return std::unexpected(checked.error());
    return options;
}

// Declared before what has an engine, so that it comes after it: whoever unmounts the disk next must not find
// it busy. A disk that hangs is not waited for any longer.
struct AwaitEngines {
    AwaitEngines() = default;
    AwaitEngines(const AwaitEngines &) = delete;
    AwaitEngines &operator=(const AwaitEngines &) = delete;
    ~AwaitEngines() { bench::awaitEngines(std::chrono::seconds(2)); }
};

// What can't be saved is shown all the same.
template <typename Measured>
void saveAndPrint(CommandContext &context, const Measured &result, const QString &text)
{
    const auto database = openResults();
    const auto saved = database ? (*database)->save(result) : std::unexpected(database.error());
    if (!saved)
        context.message("not saved: " + messageOf(saved.error()));
    if (context.json)
        printDocument(context, result.toJson());
    else
        context.print(text.toStdString() + '\n');
}

ExitCode finishRun(CommandContext &context, const bench::RunResult &result)
{
    saveAndPrint(context, result, bench::runText(result));
    return ExitCode::Done;
}

ExitCode benchRun(CommandContext &context, const RunWords &words)
{
    const auto test = bench::findTest(QString::fromStdString(words.test));
    if (!test)
        return refuseMeasuring(context, test.error());
    const auto options = runOptions(words);
    if (!options)
        return refuseMeasuring(context, options.error());
    const auto target = findTarget(context, words.target.value_or(QDir::homePath().toStdString()));
    if (!target)
        return refuseMeasuring(context, target.error());

    HelperRun run(HelperRun::Prompt::NeverAsks);
    QEventLoop loop;
    ExitCode code = ExitCode::Internal;
    const AwaitEngines last;
    bench::Runner runner(std::make_unique<bench::EngineProcess>());
    run.setInterruptHandler([&] { runner.cancel(); });
    QObject::connect(&runner, &bench::Runner::finished, &loop, [&](bench::RunResult result) {
        result.settings = settingsOf(context, *target);
        code = finishRun(context, result);
        loop.quit();
    });
    QObject::connect(&runner, &bench::Runner::failed, &loop, [&](const Error &error) {
        code = refuseMeasuring(context, error);
        loop.quit();
    });
    QObject::connect(&runner, &bench::Runner::cancelled, &loop, [&] {
        code =
            refuseMeasuring(context, {Errc::Cancelled, words.test, "stopped; nothing is left behind", {}, 0});
        loop.quit();
    });
    runner.start(*test, *target, *options);
    loop.exec();
    return code;
}

ExitCode benchList(CommandContext &context)
{
    if (context.json) {
        printDocument(context, bench::listDocument());
        return ExitCode::Done;
    }
    std::string text;
    for (const bench::TestSpec &test : bench::allTests())
        text += std::string(test.id) + "  " + bench::displayName(test).toStdString() + "\n    " +
                bench::displayPurpose(test).toStdString() + '\n';
    context.print(text);
    return ExitCode::Done;
}

ExitCode benchHistory(CommandContext &context)
{
    const HelperRun application(HelperRun::Prompt::NeverAsks); // Qt's databases need one
    const auto database = openResults();
    if (!database)
        return refuseMeasuring(context, database.error());
    const auto runs = (*database)->list();
    const auto comparisons = (*database)->comparisons();
    if (!runs || !comparisons)
        return refuseMeasuring(context, runs ? comparisons.error() : runs.error());
    if (context.json) {
        printDocument(context, bench::historyDocument(*runs, *comparisons));
        return ExitCode::Done;
    }
    const QString text = bench::historyText(*runs, *comparisons);
    context.print(text.isEmpty() ? "Nothing was measured yet.\n" : text.toStdString() + '\n');
    return ExitCode::Done;
}

std::optional<QJsonObject> savedComparison(const bench::Database &database, const std::string &id)
{
    const auto comparisons = database.comparisons();
    if (!comparisons)
        return std::nullopt;
    for (const QJsonObject &comparison : *comparisons) {
        if (comparison[u"comparison"].toString().toStdString() == id)
            return comparison;
    }
    return std::nullopt;
}

ExitCode benchShow(CommandContext &context, const std::string &id)
{
    const HelperRun application(HelperRun::Prompt::NeverAsks); // Qt's databases need one
    const auto database = openResults();
    if (!database)
        return refuseMeasuring(context, database.error());
    const auto result = (*database)->load(QString::fromStdString(id));
    if (!result) {
        const auto comparison = savedComparison(**database, id);
        if (!comparison)
            return refuseMeasuring(context, result.error());
        if (context.json)
            printDocument(context, *comparison);
        else
            context.print(bench::comparisonText(*comparison).toStdString() + '\n');
        return ExitCode::Done;
    }
    if (context.json)
        printDocument(context, result->toJson());
    else
        context.print(bench::runText(*result).toStdString() + '\n');
    return ExitCode::Done;
}

struct States {
    bench::State now;
    bench::State wanted;
    std::vector<std::string> disks; ///< kernel names, each once
};

Result<States> statesOf(const RequestedPlan &requested, const std::vector<std::string> &assignments)
{
    States states;
    for (const PlanStep &step : requested.plan.steps) {
        if (!step.before)
            return fail(Errc::Absent, toText(step.address),
                        "has no value now, so now and then can't be compared",
                        "one change of scheduler at a time");
        states.now.push_back({step.address, *step.before});
        states.wanted.push_back({step.address, step.wanted});
        if (!step.address.target.empty() && !std::ranges::contains(states.disks, step.address.target))
            states.disks.push_back(step.address.target);
    }
    if (states.now.empty())
        return fail(Errc::Conflict, printable(assignments.front()), "is so now: there is nothing to compare",
                    "another value");
    return states;
}

/// The test that was asked for, or the first setting's own. Each setting must show in it; the longest
/// settling of all is kept. Errors: UnknownTarget, NotOffered, Conflict.
Result<bench::Fitting> testFor(const MeasureWords &words, const States &states)
{
    std::optional<bench::Fitting> chosen;
    if (words.test) {
        const auto test = bench::findTest(QString::fromStdString(*words.test));
        if (!test)
            return std::unexpected(test.error());
        chosen = bench::Fitting{*test, 0};
    }
    for (const auto &[address, value] : states.wanted) {
        const auto fitting = bench::fittingTest(address);
        if (!fitting)
            return std::unexpected(fitting.error());
        if (!chosen)
            chosen = *fitting;
        if (const auto shows = bench::canShow(chosen->test, address); !shows)
            return std::unexpected(shows.error());
        chosen->settleMilliseconds = std::max(chosen->settleMilliseconds, fitting->settleMilliseconds);
    }
    return *chosen;
}

/// A folder on the disk whose settings are compared. Errors: UnknownTarget.
Result<bench::Target> usualTarget(CommandContext &context, const States &states)
{
    const auto disks = context.disks();
    if (!disks)
        return std::unexpected(disks.error());
    auto found = states.disks.empty()
                     ? bench::resolveTarget(QDir::homePath(), **disks)
                     : bench::targetOnDisk(QString::fromStdString(states.disks.front()), **disks);
    if (!found)
        found.error().accepted = "--target with a folder or file on that disk";
    return found;
}

Result<bench::Target> targetFor(CommandContext &context, const MeasureWords &words, const States &states)
{
    auto target = words.target ? findTarget(context, *words.target) : usualTarget(context, states);
    if (!target)
        return target;
    for (const std::string &disk : states.disks) {
        if (!target->liesOn(QString::fromStdString(disk)))
            return fail(Errc::Conflict, printable(words.target.value_or(target->path.toStdString())),
                        "does not lie on " + disk,
                        "a folder or file on all disks whose settings are compared");
    }
    return target;
}

Result<bench::MeasureOptions> measureOptions(CommandContext &context, const MeasureWords &words)
{
    const auto requested = requestPlan(context, words.assignments, NoOps::Drop);
    if (!requested)
        return std::unexpected(requested.error());
    const auto states = statesOf(*requested, words.assignments);
    if (!states)
        return std::unexpected(states.error());
    const auto test = testFor(words, *states);
    if (!test)
        return std::unexpected(test.error());
    auto target = targetFor(context, words, *states);
    if (!target)
        return std::unexpected(target.error());
    bench::MeasureOptions options;
    options.now = states->now;
    options.wanted = states->wanted;
    options.test = test->test;
    options.settleMilliseconds = test->settleMilliseconds;
    options.target = std::move(*target);
    options.stay = words.stay;
    options.seed = freshSeed();
    if (words.minutes) {
        const auto minutes = parseNumber(*words.minutes, 1, 60, " min");
        if (!minutes)
            return std::unexpected(minutes.error());
        options.blocks =
            bench::blocksIn(static_cast<int>(*minutes), options.milliseconds, options.settleMilliseconds);
    }
    if (auto checked = bench::check(options); !checked)
        return std::unexpected(checked.error());
    return options;
}

ExitCode finishMeasuring(CommandContext &context, const bench::MeasureResult &result)
{
    saveAndPrint(context, result, bench::sentence(result));
    if (result.error && result.error->code != Errc::None)
        context.message(messageOf(*result.error));
    return static_cast<ExitCode>(bench::exitCode(result));
}

ExitCode measure(CommandContext &context, const MeasureWords &words)
{
    if (auto live = requireLive(context); !live)
        return refuseMeasuring(context, live.error());
    const auto options = measureOptions(context, words);
    if (!options) {
        const bool isUsage = options.error().accepted == "SETTING=VALUE";
        return isUsage ? context.fail(options.error(), ExitCode::Usage)
                       : refuseMeasuring(context, options.error());
    }
    HelperRun run(HelperRun::Prompt::MayAsk);
    LeaseClient lease(run.client(), run.store(), [&](const std::string &name) -> Result<DeviceIdentity> {
        const auto disks = context.disks();
        const BlockNode *disk = disks ? (*disks)->find(name) : nullptr;
        if (!disk)
            return fail(Errc::UnknownTarget, printable(name), "no such disk");
        return identityOf(*disk);
    });
    QEventLoop loop;
    ExitCode code = ExitCode::Internal;
    const AwaitEngines last;
    bench::Measurement measurement(lease, std::make_unique<bench::EngineProcess>());
    run.setInterruptHandler([&] { measurement.cancel(); });
    run.setAbandonHandler([&] {
        code = context.fail({Errc::Cancelled,
                             {},
                             "the helper's answer was not waited for: it is not known whether everything was "
                             "put back; the helper does so by itself",
                             {},
                             0},
                            ExitCode::Unknown);
        loop.quit();
    });
    QObject::connect(&measurement, &bench::Measurement::progress, &loop, [&](int done, int all) {
        if (!context.json && isInteractive())
            context.print("\rround " + std::to_string(done) + " of " + std::to_string(all) +
                          (done == all ? "\n" : " "));
    });
    QObject::connect(&measurement, &bench::Measurement::finished, &loop,
                     [&](const bench::MeasureResult &result) {
                         code = finishMeasuring(context, result);
                         loop.quit();
                     });
    QObject::connect(&measurement, &bench::Measurement::refused, &loop, [&](const Error &error) {
        code = refuseMeasuring(context, error);
        loop.quit();
    });
    measurement.start(*options);
    loop.exec();
    return code;
}

void addRunCommand(CLI::App &bench, CommandContext &context)
{
    const auto words = std::make_shared<RunWords>();
    CLI::App *run = bench.add_subcommand("run", "measure once");
    run->add_option("test", words->test, "as bench list names it")->type_name("TEST")->required();
    run->add_option("--target", words->target, "a folder to make the test file in, a file to read, or a disk")
        ->type_name("DIR|FILE|DISK");
    run->add_option("--size", words->size, "of the test file: bytes, or with K, M or G")->type_name("SIZE");
    run->add_option("--time", words->time, "seconds a round, 1 to 600")->type_name("SECONDS");
    run->add_option("--rounds", words->rounds, "1 to 1000")->type_name("N");
    run->add_option("--name", words->name, "to find the result again")->type_name("NAME");
    run->callback(
        [&context, words] { context.select([&context, words] { return benchRun(context, *words); }); });
}

} // namespace

void addBenchCommands(CLI::App &app, CommandContext &context)
{
    CLI::App *bench = app.add_subcommand("bench", "measure how fast a disk is");
    bench->require_subcommand(1);
    bench->add_subcommand("list", "list the tests")->callback([&context] {
        context.select([&context] { return benchList(context); });
    });
    addRunCommand(*bench, context);
    bench->add_subcommand("history", "list results, newest first")->callback([&context] {
        context.select([&context] { return benchHistory(context); });
    });
    const auto id = std::make_shared<std::string>();
    CLI::App *show = bench->add_subcommand("show", "show a result");
    show->add_option("id", *id, "as bench history names it")->type_name("ID")->required();
    show->callback([&context, id] { context.select([&context, id] { return benchShow(context, *id); }); });
    for (CLI::App *command : bench->get_subcommands({}))
        command->fallthrough();

    const auto words = std::make_shared<MeasureWords>();
    CLI::App *measured =
        app.add_subcommand("measure", "compare settings as they are now with these, then put back");
    measured->add_option("assignments", words->assignments)->type_name("SETTING=VALUE")->required();
    measured->add_option("--test", words->test, "as bench list names it")->type_name("TEST");
    measured->add_option("--target", words->target, "a folder or file on that disk")->type_name("DIR|FILE");
    measured->add_option("--minutes", words->minutes, "about how long, 1 to 60")->type_name("N");
    measured->add_flag("--stay", words->stay, "leave the new settings in force if they are faster");
    measured->callback(
        [&context, words] { context.select([&context, words] { return measure(context, *words); }); });
}

} // namespace diskwright
