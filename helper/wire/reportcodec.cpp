// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reportcodec.h"

#include "strictcbor.h"

namespace diskwright {

namespace {

constexpr std::uint64_t version = 1;
constexpr int mostErrno = 4095;

void write(StrictCborWriter &out, const std::optional<std::int64_t> &number)
{
    number ? out.integer(*number) : out.null();
}

std::optional<std::int64_t> readNumber(StrictCborReader &in)
{
    return in.null() ? std::nullopt : std::optional(in.integer());
}

void write(StrictCborWriter &out, const StepReport &step)
{
    out.beginMap(5);
    out.key(0), out.natural(static_cast<std::uint64_t>(step.result));
    out.key(1), out.natural(static_cast<std::uint64_t>(step.why));
    out.key(2), out.integer(step.sysErrno);
    out.key(3), write(out, step.before);
    out.key(4), write(out, step.after);
    out.endMap();
}

StepReport readStep(StrictCborReader &in)
{
    StepReport step;
    in.beginMap(5);
    in.key(0), step.result = in.oneOf(StepResult::NotAttempted);
    in.key(1), step.why = in.oneOf(lastErrc);
    in.key(2), step.sysErrno = static_cast<int>(in.integer(0, mostErrno));
    in.key(3), step.before = readNumber(in);
    in.key(4), step.after = readNumber(in);
    in.end();
    return step;
}

} // namespace

QByteArray encode(const Report &report)
{
    StrictCborWriter out;
    out.beginMap(10);
    out.key(0), out.natural(version);
    out.key(1), out.bytes(report.request);
    out.key(2), out.natural(static_cast<std::uint64_t>(report.outcome));
    out.key(3), out.natural(static_cast<std::uint64_t>(report.why));
    out.key(4), out.integer(report.sysErrno);
    out.key(5);
    report.culprit ? out.natural(*report.culprit) : out.null();
    out.key(6), out.beginArray(report.steps.size());
    for (const auto &step : report.steps)
        write(out, step);
    out.endArray();
    out.key(7), out.natural(report.deadlineBoottimeNanoseconds);
    out.key(8), out.boolean(report.kept);
    out.key(9), out.natural(static_cast<std::uint64_t>(report.keepWhy));
    out.endMap();
    return out.result();
}

Result<Report> decodeReport(QByteArrayView bytes)
{
    const auto malformed = [] {
        return fail(Errc::Malformed, "report", "does not decode strictly", "docs/formats.md, report");
    };
    if (bytes.isEmpty() || static_cast<std::size_t>(bytes.size()) > limits::requestBytes)
        return malformed();
    const QByteArray owned = bytes.toByteArray();
    StrictCborReader in(owned);
    in.beginVersionedMap();
    in.key(0);
    const std::uint64_t found = in.natural(std::numeric_limits<std::uint64_t>::max());
    if (in.ok() && found != version)
        return fail(Errc::UnsupportedVersion, std::to_string(found), "unknown version of the report", "1");
    Report report;
    in.key(1), in.bytes(report.request);
    in.key(2), report.outcome = in.oneOf(Outcome::LeaseHeld);
    in.key(3), report.why = in.oneOf(lastErrc);
    in.key(4), report.sysErrno = static_cast<int>(in.integer(0, mostErrno));
    in.key(5);
    if (!in.null())
        report.culprit = in.small<std::uint16_t>();
    in.key(6), report.steps.resize(in.beginArray(0, limits::changes));
    for (auto &step : report.steps)
        step = readStep(in);
    in.end();
    in.key(7), report.deadlineBoottimeNanoseconds = in.natural(std::numeric_limits<std::uint64_t>::max());
    in.key(8), report.kept = in.boolean();
    in.key(9), report.keepWhy = in.oneOf(lastErrc);
    in.end();
    if (!in.ok() || encode(report) != owned)
        return malformed();
    return report;
}

} // namespace diskwright
