// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include "clock.h"
#include "memory.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <format>
#include <liburing.h>

namespace diskwright::engine {
namespace {

/// What is asked of the kernel, best first; older kernels answer EINVAL to what they do not know.
struct SetUp {
    unsigned flags;
    const char *words;
};
constexpr unsigned base = IORING_SETUP_CLAMP;
constexpr unsigned cooperative = base | IORING_SETUP_COOP_TASKRUN;
constexpr unsigned single = cooperative | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
// Marks the completion of the timeout that wakes the reader while no read comes back.
constexpr std::uint64_t tick = ~std::uint64_t{0};

constexpr std::array<SetUp, 4> setUps{{
    {single | IORING_SETUP_NO_SQARRAY, "deferred-task-work no-sq-array"},
    {single, "deferred-task-work"},
    {cooperative, "cooperative-task-work"},
    {base, "plain"},
}};

class Ring final
{
public:
    Ring(const TestFile &file, const Workload &workload)
        : m_file(file)
        , m_workload(workload)
        , m_memory(std::size_t{workload.depth} * workload.blockBytes)
        , m_places(workload, file.sizeBytes(), seedOf(workload.seed, 0))
        , m_started(workload.depth, 0)
    {
    }
    Ring(const Ring &) = delete;
    Ring &operator=(const Ring &) = delete;
    ~Ring()
    {
        if (m_open)
            io_uring_queue_exit(&m_ring);
    }

    Result<void> open(std::vector<std::string> &details);
    Result<RunOutcome> run(Collector &collector, const std::atomic<bool> &stop);

private:
    void prepare(std::uint32_t index, std::int64_t time);
    void prepareTick();
    Result<unsigned> reap(std::int64_t time, Meter &meter, bool refill);

    const TestFile &m_file;
    const Workload &m_workload;
    Descriptor m_fd;
    Memory m_memory;
    Places m_places;
    std::vector<std::int64_t> m_started;
    io_uring m_ring{};
    __kernel_timespec m_tickTime{.tv_sec = 0, .tv_nsec = Collector::slotNanoseconds};
    bool m_open = false;
    bool m_fixedFile = false;
    bool m_fixedBuffer = false;
};

Result<void> Ring::open(std::vector<std::string> &details)
{
    if (!m_memory)
        return fail(Errc::Kernel, {}, "no memory for the buffers", {}, ENOMEM);
    auto fd = m_file.reopen(m_workload.direct);
    if (!fd)
        return std::unexpected(fd.error());
    m_fd = std::move(*fd);
    int error = -EINVAL;
    for (const SetUp &setUp : setUps) {
        io_uring_params parameters{};
        parameters.flags = setUp.flags;
        error = io_uring_queue_init_params(m_workload.depth + 1, &m_ring, &parameters);
        if (error == 0) {
            details.emplace_back(setUp.words);
            break;
        }
        if (error != -EINVAL)
            break;
    }
    if (error != 0)
        return fail(Errc::Absent, "io_uring", std::format("not available here: {}", std::strerror(-error)),
                    {}, -error);
    m_open = true;
    if (io_uring_register_ring_fd(&m_ring) == 1)
        details.emplace_back("registered-ring");
    const int file = m_fd.get();
    m_fixedFile = io_uring_register_files(&m_ring, &file, 1) == 0;
    if (m_fixedFile)
        details.emplace_back("registered-file");
    // Pinning is limited by RLIMIT_MEMLOCK, 8 MiB for ordinary users: beyond it plain reads are used.
    const iovec whole{m_memory.data(), m_memory.size()};
    m_fixedBuffer = io_uring_register_buffers(&m_ring, &whole, 1) == 0;
    details.emplace_back(m_fixedBuffer ? "registered-buffer" : "plain-buffer");
    return {};
}

void Ring::prepare(std::uint32_t index, std::int64_t time)
{
    io_uring_sqe *entry = io_uring_get_sqe(&m_ring);
    std::byte *into = m_memory.data() + std::size_t{index} * m_workload.blockBytes;
    const int file = m_fixedFile ? 0 : m_fd.get();
    if (m_fixedBuffer)
        io_uring_prep_read_fixed(entry, file, into, m_workload.blockBytes, m_places.next(), 0);
    else
        io_uring_prep_read(entry, file, into, m_workload.blockBytes, m_places.next());
    if (m_fixedFile)
        io_uring_sqe_set_flags(entry, IOSQE_FIXED_FILE);
    io_uring_sqe_set_data64(entry, index);
    m_started[index] = time;
}

/// Ten a second, so that a stall is seen while it lasts: each slot in it is finished, and a stop is heard.
void Ring::prepareTick()
{
    io_uring_sqe *entry = io_uring_get_sqe(&m_ring);
    io_uring_prep_timeout(entry, &m_tickTime, 0, 0);
    io_uring_sqe_set_data64(entry, tick);
}

/// Takes all completions that are there and, if asked, puts a new read in the place of each.
/// \p time is read once for the batch: it ends these reads and begins the next ones.
Result<unsigned> Ring::reap(std::int64_t time, Meter &meter, bool refill)
{
    const bool counts = meter.moveTo(time);
    unsigned head = 0, count = 0, ticks = 0;
    io_uring_cqe *completion = nullptr;
    int error = 0;
    io_uring_for_each_cqe(&m_ring, head, completion)
    {
        ++count;
        if (io_uring_cqe_get_data64(completion) == tick) {
            ++ticks;
            if (refill)
                prepareTick();
            continue;
        }
        const auto index = static_cast<std::uint32_t>(io_uring_cqe_get_data64(completion));
        const bool again = completion->res == -EAGAIN || completion->res == -EINTR;
        if (completion->res != static_cast<int>(m_workload.blockBytes) && !again && error == 0)
            error = completion->res < 0 ? -completion->res : shortRead;
        if (counts && !again && error == 0)
            meter.add(time - m_started[index]);
        if (refill && error == 0)
            prepare(index, time);
    }
    io_uring_cq_advance(&m_ring, count);
    if (error != 0)
        return readFailure(m_file, error);
    return count - ticks;
}

Result<RunOutcome> Ring::run(Collector &collector, const std::atomic<bool> &stop)
{
    RunOutcome outcome;
    const std::int64_t start = now();
    const std::int64_t begin = start + m_workload.warmUpNanoseconds;
    const std::int64_t end = begin + m_workload.measuredNanoseconds;
    Meter meter(collector, 0, begin, end);
    for (std::uint32_t index = 0; index < m_workload.depth; ++index)
        prepare(index, start);
    prepareTick();
    unsigned inFlight = m_workload.depth;
    std::int64_t cpuBefore = -1;
    Error failed;
    failed.code = Errc::None;
    for (bool running = true; inFlight > 0;) {
        const int submitted = io_uring_submit_and_wait(&m_ring, 1);
        if (submitted < 0 && submitted != -EINTR && submitted != -EAGAIN) {
            // Nothing can be handed in any more; closing the ring waits for or cancels what is on its way.
            return fail(Errc::Kernel, "io_uring", std::format("submitting: {}", std::strerror(-submitted)),
                        {}, -submitted);
        }
        const std::int64_t time = now();
        if (running && cpuBefore < 0 && meter.hasBegun(time))
            cpuBefore = cpuNanoseconds();
        if (running && (meter.isOver(time) || stop)) {
            running = false;
            outcome.cpuNanoseconds = cpuNanoseconds() - std::max<std::int64_t>(cpuBefore, 0);
        }
        const auto reaped = reap(time, meter, running);
        if (!reaped) {
            failed = reaped.error();
            break;
        }
        outcome.movedBytes += std::uint64_t{*reaped} * m_workload.blockBytes;
        if (!running)
            inFlight -= *reaped;
    }
    meter.flush();
    if (failed.code != Errc::None)
        return std::unexpected(failed);
    if (stop)
        return fail(Errc::Cancelled, m_file.path(), "asked to stop");
    outcome.engine = "io_uring";
    outcome.measuredNanoseconds = m_workload.measuredNanoseconds;
    return outcome;
}

} // namespace

Result<RunOutcome> runRing(const TestFile &file, const Workload &workload, Collector &collector,
                           const std::atomic<bool> &stop)
{
    std::vector<std::string> details;
    Ring ring(file, workload);
    if (auto opened = ring.open(details); !opened)
        return std::unexpected(opened.error());
    auto outcome = ring.run(collector, stop);
    if (outcome)
        outcome->engineDetails = std::move(details);
    return outcome;
}

} // namespace diskwright::engine
