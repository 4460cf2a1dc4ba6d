// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit.h"

#include <array>

namespace diskwright {

namespace {

// By place in the variant, as on the wire.
constexpr std::array<std::string_view, std::variant_size_v<Operation>> operations{
    "apply", "lease",  "confirm",      "prolong", "end",        "switch",
    "keep",  "forget", "use-at-start", "undo",    "restore-all"};

std::string number(const std::optional<std::int64_t> &value)
{
    return value ? std::to_string(*value) : "-";
}

std::string_view rowOf(const Request &request, std::size_t step)
{
    if (const auto *apply = std::get_if<ApplyRequest>(&request.operation))
        return apply->changes.at(step).setting;
    if (const auto *lease = std::get_if<LeaseRequest>(&request.operation))
        return lease->settings.at(step).setting;
    return {};
}

std::string_view diskOf(const Request &request, std::size_t step)
{
    const auto *apply = std::get_if<ApplyRequest>(&request.operation);
    const auto device = apply ? apply->changes.at(step).device : std::nullopt;
    return device && *device < apply->devices.size() ? std::string_view(apply->devices[*device].name)
                                                     : std::string_view{};
}

} // namespace

std::string_view name(Action action) noexcept
{
    switch (action) {
    case Action::Tune: return "tune";
    case Action::Persist: return "persist";
    case Action::Plan: return "plan";
    case Action::Settle: return "settle";
    }
    return "";
}

std::string auditLine(const Request &request, const Caller &caller, const Report &report)
{
    std::string line =
        "uid=" + std::to_string(caller.uid) + " action=" + std::string(name(caller.action)) +
        " id=" + toHex(request.id) + ' ' + std::string(operations.at(request.operation.index())) +
        " outcome=" + std::string(name(report.outcome)) + " why=" + std::string(name(report.why));
    if (report.sysErrno != 0)
        line += " errno=" + std::to_string(report.sysErrno);
    for (std::size_t at = 0; at < report.steps.size(); ++at) {
        const StepReport &step = report.steps[at];
        line += " [" + std::to_string(at) + ' ' + std::string(diskOf(request, at)) + ' ' +
                std::string(rowOf(request, at)) + ' ' + std::string(name(step.result)) + ' ' +
                number(step.before) + "->" + number(step.after) + ']';
    }
    constexpr std::size_t longestLine = std::size_t{16} * 1024;
    return printable(line, longestLine);
}

} // namespace diskwright
