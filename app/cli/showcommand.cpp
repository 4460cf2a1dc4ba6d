// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include "commandcontext.h"
#include "observationjson.h"
#include "showanswers.h"
#include "table.h"

#include "app/apply/describe.h"
#include "app/apply/knowledge.h"
#include "app/disks/names.h"
#include "app/settings/observation.h"
#include "app/settings/search.h"
#include "app/settings/shown.h"
#include "app/settings/texts.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

namespace diskwright {

namespace {

struct Collected {
    std::vector<Observation> settings;
    std::vector<ShownAnswer> answers; ///< what words meant that are no address
};

/// Gathers what the words of a line name.
class Collector final
{
public:
    Collector(const SystemRoot &root, const DiskList &disks, const Knowledge &knowledge)
        : m_root(root)
        , m_disks(disks)
        , m_knowledge(knowledge)
    {
    }

    void addDisk(const BlockNode &disk)
    {
        move(observe(m_root, disk, m_knowledge));
        move(observeShown(m_root, disk));
    }
    void addVm()
    {
        move(observeVm(m_root, m_knowledge));
        move(observeShownVm(m_root));
    }
    void addAll()
    {
        for (const BlockNode &disk : m_disks.disks()) {
            if (!disk.hiddenByDefault)
                addDisk(disk);
        }
        addVm();
    }

    /// A disk, vm, an address, or a name of an old article. Errors as findDisk and observeSetting.
    Result<> addWord(const std::string &text)
    {
        if (text == "vm") {
            addVm();
            return {};
        }
        if (m_disks.find(text) != nullptr)
            return addTarget(text);
        if (const auto address = resolveShownAddress(m_disks, text)) {
            auto seen = observeSetting(m_root, m_disks, *address, m_knowledge);
            if (!seen)
                return std::unexpected(seen.error());
            move({std::move(*seen)});
            return {};
        }
        if (addOldName(text) || addUndescribed(text))
            return {};
        return std::unexpected(errorFor(text));
    }

    /// Whether anything was found by this text.
    bool addOldName(const std::string &text)
    {
        bool isFound = false;
        for (SearchHit &hit : searchSettings(text)) {
            if (hit.match > Match::Name)
                break;
            isFound = true;
            const bool isSaid = std::ranges::any_of(m_collected.answers, [&](const ShownAnswer &said) {
                return said.input == text && said.answer.settingId == hit.answer.settingId &&
                       said.answer.vanished == hit.answer.vanished && said.answer.target == hit.answer.target;
            });
            if (isSaid)
                continue;
            // A name of a partition that only this machine knows the disk of.
            if (const BlockNode *named = m_disks.find(hit.answer.target)) {
                const BlockNode *whole = m_disks.wholeDisk(*named);
                hit.answer.target = whole ? whole->name : hit.answer.target;
            }
            if (!hit.answer.target.empty() && !m_disks.find(hit.answer.target))
                hit.answer.note += (hit.answer.note.empty() ? "" : "; ") +
                                   ("there is no disk " + hit.answer.target + " here");
            else if (!hit.answer.settingId.empty())
                addSetting(hit.answer);
            m_collected.answers.push_back({text, std::move(hit.answer)});
        }
        return isFound;
    }

    Collected take() { return std::move(m_collected); }

private:
    void move(std::vector<Observation> some)
    {
        for (Observation &one : some) {
            if (m_seen.insert(toText(one.address())).second)
                m_collected.settings.push_back(std::move(one));
        }
    }

    /// Files of the kernel that nobody described, by the last part of their name or of their path; whether
    /// there was any. A path with a disk in it means that disk only.
    bool addUndescribed(std::string_view text)
    {
        constexpr std::string_view folder = "/sys/block/";
        const bool isPath = text.starts_with(folder);
        const std::string_view below = isPath ? text.substr(folder.size()) : std::string_view();
        const std::string_view disk = below.substr(0, below.find('/'));
        const bool isMemory = text.starts_with("vm.") || text.starts_with("/proc/sys/vm/");
        std::string_view key = text.substr(text.rfind('/') + 1);
        if (text.starts_with("vm."))
            key.remove_prefix(3);
        std::vector<Observation> found;
        const auto take = [&](std::vector<Observation> all) {
            for (Observation &seen : all) {
                const std::string_view name = seen.key;
                if (!key.empty() && name.substr(name.rfind('/') + 1) == key)
                    found.push_back(std::move(seen));
            }
        };
        for (const BlockNode &one : m_disks.disks()) {
            if (!isMemory && (isPath ? one.name == disk : !one.hiddenByDefault))
                take(observeShown(m_root, one));
        }
        if (!isPath)
            take(observeShownVm(m_root));
        const bool isFound = !found.empty();
        move(std::move(found));
        return isFound;
    }

    Result<> addTarget(const std::string &text)
    {
        const auto disk = findDisk(m_disks, text, text);
        if (!disk) {
            Error error = disk.error();
            error.accepted += error.accepted.empty() ? "vm" : ", vm";
            return std::unexpected(error);
        }
        addDisk(**disk);
        return {};
    }

    /// Why a word means nothing: as an address if it begins like one, else as a disk, with what is spelt
    /// nearly so. A prompt or a boot parameter may have colons, too.
    Error errorFor(const std::string &text)
    {
        const std::size_t colon = text.find(':');
        if (colon != std::string::npos && domainFromName(std::string_view(text).substr(0, colon)))
            return resolveShownAddress(m_disks, text).error();
        Error error = addTarget(text).error();
        if (!m_disks.find(text))
            error.reason = "no disk and no setting has this name";
        const auto similar = similarSettings(text);
        if (similar.empty())
            return error;
        error.code = Errc::UnknownSetting;
        error.reason = "no such disk or setting; did you mean ";
        for (const std::string &id : similar)
            error.reason += (&id == &similar.front() ? "" : ", ") + addressOf(id);
        return error;
    }

    /// The setting of an answer: on the disk that the text names, else on all. Says so if it is not there.
    void addSetting(OldNameAnswer &answer)
    {
        const std::string text = addressOf(answer.settingId, "DISK");
        const auto address = parseAddress(text);
        if (!address)
            return;
        std::vector<Address> places;
        if (address->domain == Domain::Vm)
            places.push_back(*address);
        const BlockNode *named = answer.target.empty() ? nullptr : m_disks.find(answer.target);
        const BlockNode *only = named ? m_disks.wholeDisk(*named) : nullptr;
        for (const BlockNode &disk : m_disks.disks()) {
            if (address->domain == Domain::Vm)
                break;
            if (only ? &disk == only : !disk.hiddenByDefault)
                places.push_back({address->domain, disk.name, address->key});
        }
        std::size_t absent = 0;
        std::string reason;
        for (const Address &place : places) {
            auto seen = observeSetting(m_root, m_disks, place, m_knowledge);
            if (!seen || seen->state == ObservedState::Absent) {
                ++absent;
                reason = seen ? cleanText(seen->reason) : seen.error().reason;
            }
            if (seen)
                move({std::move(*seen)});
        }
        if (absent == 0 || absent < places.size())
            return;
        answer.note += answer.note.empty() ? "" : "; ";
        answer.note += places.size() == 1 && address->domain != Domain::Vm
                           ? "not there on " + places.front().target + " now"
                           : std::string("not there now");
        answer.note += reason.empty() ? "" : ": " + reason;
    }

    const SystemRoot &m_root;
    const DiskList &m_disks;
    const Knowledge &m_knowledge;
    Collected m_collected;
    std::set<std::string> m_seen; ///< addresses that are in it
};

/// Whether the words are one line of a tool rather than names: show -- hdparm -a 1024 /dev/sda
bool isOneLine(const std::vector<std::string> &words)
{
    static constexpr std::array<std::string_view, 10> tools{"hdparm",  "blockdev", "sysctl", "echo", "sudo",
                                                            "elvtune", "printf",   "sdparm", "cat",  "tee"};
    return words.size() > 1 &&
           (words.front().starts_with('-') || std::ranges::find(tools, words.front()) != tools.end());
}

Result<Collected> collect(const SystemRoot &root, const DiskList &disks,
                          const std::vector<std::string> &words, const Knowledge &knowledge)
{
    Collector collector(root, disks, knowledge);
    if (words.empty())
        collector.addAll();
    if (isOneLine(words)) {
        std::string line;
        for (const std::string &word : words)
            line += (line.empty() ? "" : " ") + word;
        if (collector.addOldName(line))
            return collector.take();
    }
    for (const std::string &word : words) {
        if (auto added = collector.addWord(word); !added)
            return std::unexpected(added.error());
    }
    return collector.take();
}

std::string withUnit(Unit unit, const Value &value)
{
    const std::string text = cleanText(toText(value));
    const bool isNumber = std::holds_alternative<std::int64_t>(value);
    return name(unit).empty() || !isNumber ? text : text + ' ' + std::string(name(unit));
}

std::string acceptedOf(const Observation &seen)
{
    std::string text;
    for (const std::string &word : seen.offered)
        text += (text.empty() ? "" : " ") + word;
    if (!text.empty() || !seen.min || !seen.max)
        return text;
    text = std::to_string(*seen.min) + " to " + std::to_string(*seen.max);
    const std::int64_t step = seen.step.value_or(1);
    return step > 1 ? text + " by " + std::to_string(step) : text;
}

std::string titleOf(const Observation &seen)
{
    if (const SettingText *text = findText(seen.settingId))
        return std::string(text->title);
    const ShownSetting *shown = findShown(seen.settingId);
    return std::string(shown ? shown->title : std::string_view());
}

std::string tableOf(const std::vector<Observation> &all)
{
    Table table;
    table.addColumn("SETTING");
    table.addColumn("NOW", Table::Align::Right);
    table.addColumn("DEFAULT", Table::Align::Right);
    table.addColumn("ACCEPTED");
    table.addColumn("WHAT");
    for (const Observation &seen : all) {
        const bool isCurrent = seen.state == ObservedState::Current;
        std::string what = titleOf(seen);
        if (!isCurrent) {
            what += what.empty() ? "(" : " (";
            what += std::string(name(seen.state)) + ": " + cleanText(seen.reason) + ')';
        }
        if (seen.kept)
            what += " (at every start: " + withUnit(seen.unit, *seen.kept) +
                    (seen.keptFor ? ", for " + everyDiskOf(*seen.keptFor).toStdString() : "") + ')';
        table.addRow({toText(seen.address()), seen.value ? withUnit(seen.unit, *seen.value) : "-",
                      seen.defaultValue ? withUnit(seen.unit, *seen.defaultValue) : "-",
                      isCurrent ? acceptedOf(seen) : std::string(), what});
    }
    return table.render();
}

ExitCode show(CommandContext &context, const std::vector<std::string> &words)
{
    const auto disks = context.disks();
    if (!disks)
        return context.fail(disks.error());
    const auto root = context.root();
    if (!root)
        return context.fail(root.error());
    const QString tree =
        context.rootPath.empty() ? QStringLiteral("/") : QString::fromStdString(context.rootPath);
    // What can't be read is left out; boot status says what is wrong with it.
    const KeptSet kept = readKeptSet(tree).value_or(KeptSet{});
    const FirstValues first = firstValuesOf(readHistory(tree), bootIdOf(tree));
    const auto all = collect(**root, **disks, words, knowledgeOf(**root, kept, first));
    if (!all)
        return context.fail(all.error());
    if (!context.json) {
        const std::string story = answersText(all->answers);
        context.print(story + (story.empty() || all->settings.empty() ? "" : "\n") +
                      (all->settings.empty() && !story.empty() ? std::string() : tableOf(all->settings)));
        return ExitCode::Done;
    }
    JsonWriter json;
    json.beginObject();
    json.key("settings");
    json.beginArray();
    for (const Observation &seen : all->settings)
        writeObservation(json, seen);
    json.endArray();
    json.key("answers");
    writeAnswers(json, all->answers);
    json.endObject();
    context.print(std::move(json));
    return ExitCode::Done;
}

} // namespace

void addShowCommands(CLI::App &app, CommandContext &context)
{
    CLI::App *command = app.add_subcommand("show", "show settings: value, default, what is accepted");
    const auto words = std::make_shared<std::vector<std::string>>();
    command
        ->add_option(
            "what", *words,
            "a disk by name or id, vm, a setting like queue:sda:read_ahead_kb, or what an article calls "
            "it: noop, vm.dirty_ratio, -- -a1024; without any: all")
        ->type_name("TARGET|SETTING|NAME");
    command->callback(
        [&context, words] { context.select([&context, words] { return show(context, *words); }); });
}

} // namespace diskwright
