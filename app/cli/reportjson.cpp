// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reportjson.h"

#include "app/apply/describe.h"
#include "app/apply/editedfiles.h"
#include "app/cli/observationjson.h"
#include "app/disks/names.h"

#include "helper/contract/codec.h"
#include "helper/contract/limits.h"

#include <chrono>
#include <ctime>

namespace diskwright {

namespace {

constexpr std::uint64_t second = 1'000'000'000U;

void writeValueOrNull(JsonWriter &json, std::string_view key, const std::optional<Value> &value)
{
    json.key(key);
    if (value)
        writeValue(json, *value);
    else
        json.null();
}

void writeTrial(JsonWriter &json, std::uint64_t deadlineBoottime)
{
    json.key("trial");
    if (deadlineBoottime == 0) {
        json.null();
        return;
    }
    const std::uint64_t now = boottimeNanoseconds();
    const std::uint64_t left = deadlineBoottime > now ? deadlineBoottime - now : 0;
    json.beginObject();
    json.member("deadline", static_cast<std::int64_t>(std::time(nullptr)) +
                                static_cast<std::int64_t>((left + second - 1) / second));
    json.member("seconds_left", static_cast<std::int64_t>((left + second - 1) / second));
    json.endObject();
}

bool isFailure(const ApplyReport &report)
{
    return exitCode(report) != static_cast<int>(ExitCode::Done);
}

Errc whyOf(const ApplyReport &report)
{
    const Errc why = report.why == Errc::None ? report.keepWhy : report.why;
    return why == Errc::None ? Errc::Internal : why;
}

std::string_view errorCode(const ApplyReport &report)
{
    switch (report.call) {
    case CallState::Answered: return name(whyOf(report));
    case CallState::NotAuthorized: return "not-authorized";
    case CallState::Busy: return "busy";
    case CallState::HelperMissing: return "helper-missing";
    case CallState::Incompatible: return "helper-incompatible";
    case CallState::Unknown: return "unknown";
    }
    return "internal";
}

const AppliedStep *culpritOf(const ApplyReport &report)
{
    return report.culprit ? &report.steps[*report.culprit] : nullptr;
}

std::string acceptedBy(const AppliedStep &step)
{
    const SettingSpec *spec = findSetting(step.address.domain, step.address.key);
    return spec ? acceptedText(*spec) : std::string();
}

std::string beforeAfter(const AppliedStep &step)
{
    const auto text = [](const std::optional<Value> &value) { return value ? toText(*value) : "?"; };
    std::string line = printable(toText(step.address)) + "  " + text(step.before);
    if (step.requested)
        line += " -> " + text(step.requested);
    return line;
}

// What an edit was, where it kept the files from being written.
std::vector<EditedFile> editsInTheWay(const ApplyReport &report)
{
    const bool isInTheWay = report.call == CallState::Answered &&
                            (report.why == Errc::FileChanged || report.keepWhy == Errc::FileChanged);
    return isInTheWay ? readEditedFiles() : std::vector<EditedFile>();
}

void writeEdits(JsonWriter &json, const std::vector<EditedFile> &edits)
{
    json.key("edited");
    json.beginArray();
    for (const EditedFile &file : edits) {
        json.beginObject();
        json.member("file", file.path.toStdString());
        json.key("difference");
        json.beginArray();
        for (const QString &line : file.difference)
            json.text(line.toStdString());
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

void printEdits(CommandContext &context, const std::vector<EditedFile> &edits)
{
    for (const EditedFile &file : edits) {
        context.message(file.path.toStdString() + " was edited; -: as written, +: as it is");
        for (const QString &line : file.difference)
            context.message("  " + cleanText(line.toStdString()));
    }
    if (!edits.empty())
        context.message("keep or forget with --replace-edited copies it to /var/lib/diskwright/backup and "
                        "replaces it; else it is left as it is");
}

} // namespace

void writeStep(JsonWriter &json, const AppliedStep &step)
{
    json.beginObject();
    json.member("setting", toText(step.address));
    json.member("id", step.diskId.empty() ? std::nullopt : std::optional(step.diskId));
    writeValueOrNull(json, "before", step.before);
    writeValueOrNull(json, "requested", step.requested);
    writeValueOrNull(json, "after", step.after);
    json.member("result", name(step.result));
    json.member("errno", step.sysErrno);
    json.member("message", describe(step).toStdString());
    json.endObject();
}

void writePlanned(JsonWriter &json, const ApplyReport &report, std::string_view outcome)
{
    json.member("transaction", report.transaction.empty() ? std::nullopt : std::optional(report.transaction));
    json.member("outcome", outcome);
    json.key("steps");
    json.beginArray();
    for (const AppliedStep &step : report.steps)
        writeStep(json, step);
    json.endArray();
    writeTrial(json, report.deadlineBoottimeNanoseconds);
    json.member("kept", report.kept);
    json.member("kept_for",
                report.keptFor ? std::optional(std::string(name(*report.keptFor))) : std::nullopt);
    json.member("keep_error", report.keepWhy == Errc::None
                                  ? std::nullopt
                                  : std::optional(std::string(name(report.keepWhy))));
}

void writeReport(JsonWriter &json, const ApplyReport &report)
{
    writePlanned(json, report, outcomeWord(report));
}

void writeNoReport(JsonWriter &json, std::string_view outcome)
{
    ApplyReport nothing;
    json.member("transaction", std::optional<std::string>());
    json.member("outcome", outcome);
    json.key("steps");
    json.beginArray();
    json.endArray();
    writeTrial(json, 0);
    json.member("kept", false);
    json.member("kept_for", std::optional<std::string>());
    json.member("keep_error", std::optional<std::string>());
}

Error errorOf(const ApplyReport &report)
{
    Error error;
    error.code = report.call == CallState::Answered ? whyOf(report) : Errc::Internal;
    error.input = report.transaction;
    error.reason = describe(report).toStdString();
    error.sysErrno = report.sysErrno;
    if (const AppliedStep *step = culpritOf(report)) {
        error.input = toText(step->address);
        if (step->requested)
            error.input += '=' + toText(*step->requested);
        error.accepted = acceptedBy(*step);
    }
    if (report.mostMore && *report.mostMore >= limits::shortestTrial)
        error.accepted = std::to_string(limits::shortestTrial.count()) + " to " +
                         std::to_string(report.mostMore->count()) + " s";
    return error;
}

ExitCode printReport(CommandContext &context, const ApplyReport &report)
{
    const std::string sentence = describe(report).toStdString();
    const Error error = errorOf(report);
    const std::vector<EditedFile> edits = editsInTheWay(report);
    if (context.json) {
        JsonWriter json;
        json.beginObject();
        writeReport(json, report);
        if (isFailure(report)) {
            json.key("error");
            json.beginObject();
            json.member("code", errorCode(report));
            json.member("message", sentence);
            json.member("input", error.input);
            json.member("reason", error.reason);
            json.member("accepted", error.accepted);
            json.endObject();
        }
        if (!edits.empty())
            writeEdits(json, edits);
        json.endObject();
        context.print(std::move(json));
    } else {
        std::string text;
        for (const AppliedStep &step : report.steps)
            text += beforeAfter(step) + "  " + describe(step).toStdString() + '\n';
        if (!report.transaction.empty() && report.call == CallState::Answered &&
            report.outcome != Outcome::Refused)
            text += "transaction " + report.transaction + '\n';
        context.print(text);
    }
    const std::string advice = whatToDo(report).toStdString();
    if (isFailure(report))
        context.message((error.input.empty() ? "" : error.input + ": ") + sentence +
                        (advice.empty() ? "" : ' ' + advice));
    else if (!context.json)
        context.print(sentence + '\n');
    printEdits(context, edits);
    return static_cast<ExitCode>(exitCode(report));
}

ExitCode refuse(CommandContext &context, const Error &error)
{
    const ExitCode code = exitCodeFor(error.code);
    return context.fail(error, code, [](JsonWriter &json) { writeNoReport(json, "refused"); });
}

} // namespace diskwright
