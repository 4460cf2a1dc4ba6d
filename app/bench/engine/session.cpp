// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <format>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace diskwright::engine {
namespace {

constexpr int tickMilliseconds = 100;
constexpr int graceMilliseconds = 150;
constexpr std::size_t longestLine = std::size_t{64} * 1024;
constexpr double coldShare = 0.01;
constexpr std::uint64_t unknownReadAheadBytes = 8'388'608;

/// What the kernel may read ahead of a buffered reader of \p path, so that it is not taken for foreign.
std::uint64_t readAheadBytes(const std::string &path)
{
    struct stat status{};
    if (stat(path.c_str(), &status) != 0)
        return unknownReadAheadBytes;
    const std::string device =
        std::format("/sys/dev/block/{}:{}/", gnu_dev_major(status.st_dev), gnu_dev_minor(status.st_dev));
    for (const char *place : {"queue/read_ahead_kb", "../queue/read_ahead_kb"}) {
        std::ifstream file(device + place);
        std::uint64_t kibibytes = 0;
        if (file >> kibibytes)
            return 2 * kibibytes * 1024;
    }
    return unknownReadAheadBytes;
}

std::vector<std::string> words(const std::string &text)
{
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string word; stream >> word;)
        result.push_back(word);
    return result;
}

Result<Method> methodFrom(const std::string &text)
{
    if (text == "auto")
        return Method::Automatic;
    if (text == "io_uring")
        return Method::Ring;
    if (text == "calls")
        return Method::Calls;
    return fail(Errc::OutOfRange, "engine=" + printable(text), "unknown", "auto, io_uring, calls");
}

/// Tenths of a second of the measured time, the last one perhaps in part.
std::uint64_t slotsOf(const Workload &workload)
{
    return static_cast<std::uint64_t>((workload.measuredNanoseconds + Collector::slotNanoseconds - 1) /
                                      Collector::slotNanoseconds);
}

/// A field within the range of its type, or \p otherwise if it is not there.
template <class T>
Result<T> numberFrom(const JsonLine &line, const std::string &key, T otherwise, std::int64_t most)
{
    if (!line.has(key))
        return otherwise;
    const auto value = line.number(key);
    if (!value || *value < 0 || *value > most)
        return fail(Errc::OutOfRange, key, "not a whole number in range", std::format("0 to {}", most));
    return static_cast<T>(*value);
}

Result<Workload> workloadFrom(const JsonLine &line)
{
    Workload workload;
    const std::string pattern = line.text("pattern").value_or("sequential");
    if (pattern != "sequential" && pattern != "random")
        return fail(Errc::OutOfRange, "pattern=" + printable(pattern), "unknown", "sequential, random");
    workload.pattern = pattern == "random" ? Pattern::Random : Pattern::Sequential;
    workload.direct = line.boolean("direct").value_or(false);
    const auto method = methodFrom(line.text("engine").value_or("auto"));
    if (!method)
        return std::unexpected(method.error());
    workload.method = *method;
    constexpr std::int64_t any = INT32_MAX;
    const auto block = numberFrom<std::uint32_t>(line, "block_bytes", workload.blockBytes, any);
    const auto depth = numberFrom<std::uint32_t>(line, "depth", workload.depth, any);
    const auto duration = numberFrom<std::int64_t>(line, "duration_ms", 2000, any);
    const auto warmUp = numberFrom<std::int64_t>(line, "warm_up_ms", 0, any);
    const auto seed = numberFrom<std::uint64_t>(line, "seed", 1, INT64_MAX);
    if (!block || !depth)
        return std::unexpected(!block ? block.error() : depth.error());
    if (!duration || !warmUp)
        return std::unexpected(!duration ? duration.error() : warmUp.error());
    if (!seed)
        return std::unexpected(seed.error());
    workload.blockBytes = *block;
    workload.depth = *depth;
    workload.measuredNanoseconds = *duration * 1'000'000;
    workload.warmUpNanoseconds = *warmUp * 1'000'000;
    workload.seed = *seed;
    return workload;
}

/// The ring where it helps and exists, else calls. At depth 1 a call is as fast, and devices that can't say
/// "not now" would make the ring hand every read to a helper thread of the kernel.
Result<RunOutcome> runBest(const TestFile &file, const Workload &workload, Collector &collector,
                           const std::atomic<bool> &stop)
{
    if (workload.method == Method::Calls || (workload.method == Method::Automatic && workload.depth == 1))
        return runCalls(file, workload, collector, stop);
    auto outcome = runRing(file, workload, collector, stop);
    if (outcome || outcome.error().input != "io_uring" || outcome.error().code != Errc::Absent ||
        workload.method == Method::Ring)
        return outcome;
    const std::string why = std::format("io_uring {}", outcome.error().reason);
    outcome = runCalls(file, workload, collector, stop);
    if (outcome)
        outcome->engineDetails.push_back(why);
    return outcome;
}

} // namespace

Session::Session(int in, int out)
    : m_in(in)
    , m_out(out)
    , m_done(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    , m_prepared(fail(Errc::Internal))
    , m_result(fail(Errc::Internal))
{
}

Session::~Session()
{
    stopJob();
}

void Session::run()
{
    for (bool open = true; open;) {
        std::array<pollfd, 2> waiting{{{m_in, POLLIN, 0}, {m_done.get(), POLLIN, 0}}};
        const int ready = poll(waiting.data(), waiting.size(), m_job == Job::None ? -1 : tickMilliseconds);
        if (ready < 0 && errno != EINTR)
            break;
        if (ready > 0 && waiting[0].revents != 0)
            open = readInput();
        if (!open)
            break;
        if (ready > 0 && waiting[1].revents != 0)
            finishJob();
        else
            reportProgress(false);
    }
    stopJob();
}

/// False at the end of the input or on a cancel.
bool Session::readInput()
{
    std::array<char, 4096> bytes{};
    const ssize_t count = read(m_in, bytes.data(), bytes.size());
    if (count < 0)
        return errno == EINTR || errno == EAGAIN;
    if (count == 0)
        return false;
    m_input.append(bytes.data(), static_cast<std::size_t>(count));
    for (std::size_t end = m_input.find('\n'); end != std::string::npos; end = m_input.find('\n')) {
        const std::string line = m_input.substr(0, end);
        m_input.erase(0, end + 1);
        if (!line.empty() && !handle(line))
            return false;
    }
    if (m_input.size() > longestLine) {
        sendError(
            {.code = Errc::Malformed, .input = {}, .reason = "a line of more than 64 KiB", .accepted = {}});
        return false;
    }
    return true;
}

bool Session::handle(std::string_view line)
{
    if (line == "cancel")
        return false;
    const auto parsed = JsonLine::parse(line);
    if (!parsed) {
        sendError(parsed.error());
        return true;
    }
    const std::string request = parsed->text("request").value_or(std::string());
    if (request == "cancel")
        return false;
    if (m_job != Job::None)
        sendError(
            {.code = Errc::Busy, .input = request, .reason = "another request runs", .accepted = "cancel"});
    else if (request == "prepare")
        prepare(*parsed);
    else if (request == "run")
        startRun(*parsed);
    else
        sendError({.code = Errc::Malformed,
                   .input = printable(request),
                   .reason = "unknown request",
                   .accepted = "prepare, run, cancel"});
    return true;
}

void Session::start(Job job, std::function<void()> work)
{
    m_job = job;
    m_stop = false;
    m_worker = std::jthread([this, work = std::move(work)] {
        work();
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t told = write(m_done.get(), &one, sizeof one);
    });
}

void Session::prepare(const JsonLine &line)
{
    const auto target = line.text("target");
    const auto size = numberFrom<std::uint64_t>(line, "size_bytes", std::uint64_t{1} << 30, INT64_MAX);
    if (!target || target->empty() || target->find('\0') != std::string::npos) {
        sendError({.code = Errc::Malformed,
                   .input = "target",
                   .reason = "missing",
                   .accepted = "a folder or file"});
        return;
    }
    if (!size) {
        sendError(size.error());
        return;
    }
    struct stat status{};
    const bool isFolder = stat(target->c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    m_file.reset();
    m_written = 0;
    m_writtenTold = 0;
    m_toWrite = isFolder ? *size : 0;
    start(Job::Prepare, [this, isFolder, target = *target, bytes = *size] {
        auto file =
            isFolder ? TestFile::make(target, bytes, m_stop, [this](std::uint64_t done) { m_written = done; })
                     : TestFile::borrow(target, bytes);
        if (file)
            m_prepared = std::make_shared<TestFile>(std::move(*file));
        else
            m_prepared = std::unexpected(file.error());
    });
}

void Session::startRun(const JsonLine &line)
{
    if (!m_file) {
        sendError(
            {.code = Errc::Conflict, .input = "run", .reason = "nothing is prepared", .accepted = "prepare"});
        return;
    }
    const auto workload = workloadFrom(line);
    if (!workload) {
        sendError(workload.error());
        return;
    }
    if (const auto checked = check(*workload, *m_file); !checked) {
        sendError(checked.error());
        return;
    }
    const auto disks = words(line.text("disks").value_or(std::string()));
    m_collector = std::make_shared<Collector>(workload->blockBytes);
    start(Job::Run, [this, disks, workload = *workload] {
        const std::uint64_t tolerance = workload.direct ? 0 : readAheadBytes(m_file->path());
        const Moment before = look(disks);
        auto outcome = runBest(*m_file, workload, *m_collector, m_stop);
        const Moment after = look(disks);
        if (outcome)
            m_collector->finishAll(slotsOf(workload));
        if (outcome)
            m_result = RunReport{workload, *outcome,
                                 judge(before, after, outcome->movedBytes, tolerance, workload.direct)};
        else
            m_result = std::unexpected(outcome.error());
    });
}

void Session::finishJob()
{
    m_worker.join();
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t taken = read(m_done.get(), &count, sizeof count);
    reportProgress(true);
    const Job job = std::exchange(m_job, Job::None);
    if (job == Job::Prepare) {
        if (!m_prepared)
            return sendError(m_prepared.error());
        m_file = *m_prepared;
        m_prepared = fail(Errc::Internal);
        const std::uint32_t alignment = m_file->directAlignment();
        send(JsonWriter("prepared")
                 .boolean("made", m_file->isMade())
                 .number("size_bytes", m_file->sizeBytes())
                 .number("direct_alignment_bytes",
                         alignment ? std::optional<std::uint64_t>(alignment) : std::nullopt)
                 .boolean("holes", m_file->hasHoles()));
    } else if (m_result) {
        reportRun(*m_result);
    } else {
        sendError(m_result.error());
    }
}

void Session::reportProgress(bool everything)
{
    if (m_job == Job::Prepare && m_toWrite != 0) {
        const std::uint64_t written = m_written;
        if (written != m_writtenTold)
            send(JsonWriter("preparing").number("written_bytes", written).number("size_bytes", m_toWrite));
        m_writtenTold = written;
    }
    if (m_job != Job::Run)
        return;
    for (const Slot &slot : m_collector->take(everything))
        send(JsonWriter("slot")
                 .number("number", slot.number)
                 .number("bytes", slot.bytes)
                 .number("ios", slot.ios)
                 .number("latency_sum_ns", slot.latencySumNanoseconds)
                 .number("p50_ns", slot.p50Nanoseconds)
                 .number("p99_ns", slot.p99Nanoseconds)
                 .number("max_ns", slot.latencyMaxNanoseconds));
}

void Session::reportRun(const RunReport &report)
{
    const Histogram all = m_collector->total();
    const RunOutcome &outcome = report.outcome;
    const bool warm = outcome.cachedShare.value_or(0) > coldShare;
    std::vector<std::string> disturbed = report.disturbance.reasons;
    if (warm)
        disturbed.emplace_back("warm");
    if (outcome.mayHaveBeenCached)
        disturbed.emplace_back("cache-unknown");
    if (m_file->hasHoles())
        disturbed.emplace_back("holes");
    const bool any = all.count() != 0;
    if (!any)
        disturbed.emplace_back("stalled");
    const auto perIo = [&](std::uint64_t whole) {
        return any ? std::optional(static_cast<double>(whole) / static_cast<double>(all.count()))
                   : std::nullopt;
    };
    send(JsonWriter("result")
             .number("bytes", all.count() * report.workload.blockBytes)
             .number("ios", all.count())
             .number("measured_ns", static_cast<std::uint64_t>(outcome.measuredNanoseconds))
             .fraction("mean_ns", perIo(all.sum()))
             .number("p50_ns", all.percentile(0.5))
             .number("p95_ns", all.percentile(0.95))
             .number("p99_ns", all.percentile(0.99))
             .number("p999_ns", all.percentile(0.999))
             .number("max_ns", any ? std::optional(all.max()) : std::nullopt)
             .fraction("cpu_ns_per_io", perIo(static_cast<std::uint64_t>(outcome.cpuNanoseconds)))
             .text("engine", outcome.engine)
             .texts("engine_details", outcome.engineDetails)
             .boolean("direct", report.workload.direct)
             .number("passes", outcome.passes)
             .fraction("cached_share", outcome.cachedShare)
             .texts("disturbed", disturbed)
             .number("foreign_read_bytes", report.disturbance.foreignReadBytes)
             .number("foreign_written_bytes", report.disturbance.foreignWrittenBytes)
             .fraction("cpu_wait_share", report.disturbance.cpuWaitShare)
             .fraction("memory_wait_share", report.disturbance.memoryWaitShare)
             .fraction("stolen_share", report.disturbance.stolenShare));
}

void Session::stopJob()
{
    if (m_job == Job::None)
        return;
    m_stop = true;
    pollfd done{m_done.get(), POLLIN, 0};
    const bool ended = poll(&done, 1, graceMilliseconds) > 0;
    send(JsonWriter("cancelled"));
    // A kernel that does not let go of the thread must not keep the caller waiting.
    if (!ended)
        _exit(0);
    m_worker.join();
    m_job = Job::None;
}

void Session::send(const JsonWriter &event)
{
    const std::string line = event.line();
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t count = write(m_out, line.data() + done, line.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            _exit(0); // nobody listens any more
        done += static_cast<std::size_t>(count);
    }
}

void Session::sendError(const Error &error)
{
    send(JsonWriter("error")
             .text("code", name(error.code))
             .text("input", error.input)
             .text("reason", error.reason)
             .text("accepted", error.accepted)
             .number("errno", static_cast<std::uint64_t>(error.sysErrno)));
}

} // namespace diskwright::engine
