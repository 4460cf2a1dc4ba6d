// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/leaseclient.h"

#include "app/apply/applysession.h"
#include "app/apply/describe.h"
#include "app/apply/random.h"

#include <QPointer>

#include <algorithm>
#include <numeric>

namespace diskwright {

namespace {

using namespace std::chrono_literals;
using bench::LeaseEnd;
using bench::State;

// Putting back takes the helper a moment; looking for it longer than this says that it does not happen.
constexpr int putBackLooks = 40;
constexpr auto putBackInterval = 250ms;

// What a person reads; the words of the bus are for a log.
std::string wordsOf(const CallResult &result)
{
    if (result.state == CallState::Answered && result.report.why != Errc::None)
        return describe(result.report.why, result.report.sysErrno).toStdString();
    ApplyReport report;
    report.call = result.state;
    report.outcome = result.state == CallState::NotAuthorized ? Outcome::NotAuthorized
                     : result.state == CallState::Busy        ? Outcome::Busy
                                                              : result.report.outcome;
    report.denial = result.denial;
    report.agentMayBeMissing = result.agentMayBeMissing;
    return describe(report).toStdString();
}

Error errorOf(const CallResult &result)
{
    const std::string detail = result.detail.toStdString();
    switch (result.state) {
    case CallState::Answered: return {result.report.why, {}, wordsOf(result), {}, result.report.sysErrno};
    case CallState::NotAuthorized: return {Errc::NotAuthorized, {}, wordsOf(result), {}, 0};
    case CallState::Busy: return {Errc::Busy, {}, wordsOf(result), {}, 0};
    case CallState::HelperMissing:
    case CallState::Incompatible: return {Errc::Internal, {}, wordsOf(result), {}, 0};
    case CallState::Unknown: return {Errc::Internal, {}, "the helper's answer was lost: " + detail, {}, 0};
    }
    return {};
}

const SettingSpec *specOf(const bench::StateItem &item)
{
    return findSetting(item.address.domain, item.address.key);
}

Result<> checkStates(const std::vector<State> &states, std::size_t mostSwitches,
                     std::chrono::seconds duration)
{
    if (states.size() < limits::fewestLeaseStates || states.size() > limits::mostLeaseStates)
        return fail(
            Errc::OutOfRange, std::to_string(states.size()) + " states", "too few or too many to compare",
            std::to_string(limits::fewestLeaseStates) + " to " + std::to_string(limits::mostLeaseStates));
    if (mostSwitches < 1 || mostSwitches > limits::mostLeaseSwitches)
        return fail(Errc::OutOfRange, std::to_string(mostSwitches) + " switches",
                    "outside the accepted range", "1 to " + std::to_string(limits::mostLeaseSwitches));
    if (duration < 1s || duration > limits::longestLease)
        return fail(Errc::OutOfRange, std::to_string(duration.count()) + " s", "outside the accepted range",
                    "1 to " + std::to_string(limits::longestLease.count()) + " s");
    if (states.front().empty() || states.front().size() > limits::changes)
        return fail(Errc::OutOfRange, std::to_string(states.front().size()) + " settings",
                    "nothing or too much to switch", "1 to " + std::to_string(limits::changes));
    for (const State &state : states) {
        if (!std::ranges::equal(state, states.front(), {}, &bench::StateItem::address,
                                &bench::StateItem::address))
            return fail(Errc::Malformed, {}, "the states do not name the same settings in the same order");
    }
    for (const bench::StateItem &item : states.front()) {
        if (!specOf(item))
            return fail(Errc::UnknownSetting, printable(toText(item.address)), "not in the catalogue");
    }
    return {};
}

} // namespace

LeaseClient::LeaseClient(HelperClient &client, TrialStore store, Identify identify, QObject *parent)
    : bench::LeaseHolder(parent)
    , m_client(client)
    , m_store(std::move(store))
    , m_identify(std::move(identify))
{
    m_deadline.setSingleShot(true);
    m_deadline.setTimerType(Qt::PreciseTimer);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        m_deadlinePassed = true;
        // A running call is answered by the helper, which knows the deadline too.
        if (!m_isCalling && m_isHeld)
            checkPutBack({Errc::Expired, {}, "the lease's time is over", {}, 0}, putBackLooks);
    });
}

LeaseClient::~LeaseClient()
{
    if (m_isHeld)
        m_store.remove(m_id);
}

Result<LeaseRequest> LeaseClient::makeRequest(const std::vector<State> &states, std::size_t mostSwitches,
                                              std::chrono::seconds duration)
{
    if (auto checked = checkStates(states, mostSwitches, duration); !checked)
        return std::unexpected(checked.error());
    const State &first = states.front();
    m_states = states;
    m_order.resize(first.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::ranges::stable_sort(m_order, {}, [&](std::size_t at) {
        return std::pair(first[at].address.target, specOf(first[at])->order);
    });

    LeaseRequest request;
    for (const std::size_t at : m_order) {
        const bench::StateItem &item = first[at];
        Change change{std::nullopt, std::string(specOf(item)->id), item.value, item.value};
        if (isPerDisk(item.address.domain)) {
            const auto identity = m_identify(item.address.target);
            if (!identity)
                return std::unexpected(identity.error());
            const auto found = std::ranges::find(request.devices, *identity);
            change.device = static_cast<std::uint16_t>(found - request.devices.begin());
            if (found == request.devices.end())
                request.devices.push_back(*identity);
        }
        request.settings.push_back(std::move(change));
    }
    for (const State &state : states) {
        std::vector<Value> values;
        values.reserve(m_order.size());
        for (const std::size_t at : m_order)
            values.push_back(state[at].value);
        request.states.push_back(std::move(values));
    }
    request.mostSwitches = static_cast<std::uint16_t>(mostSwitches);
    request.duration = duration;
    request.token = m_token;
    return request;
}

void LeaseClient::refuseLater(const Error &error)
{
    m_isCalling = true;
    QTimer::singleShot(0, this, [this, error] {
        m_isCalling = false;
        Q_EMIT refused(error);
    });
}

void LeaseClient::begin(const std::vector<State> &states, std::size_t mostSwitches,
                        std::chrono::seconds duration)
{
    if (m_isHeld || m_isCalling) {
        refuseLater({Errc::Busy, {}, "this lease has begun already", {}, 0});
        return;
    }
    m_id = randomId();
    m_token = randomToken();
    const auto request = makeRequest(states, mostSwitches, duration);
    if (!request) {
        refuseLater(request.error());
        return;
    }
    TrialRecord record;
    record.transaction = m_id;
    record.token = m_token;
    record.bootId = currentBootId();
    record.lease = true;
    record.startedBoottimeNanoseconds = boottimeNanoseconds();
    record.deadlineBoottimeNanoseconds =
        record.startedBoottimeNanoseconds +
        static_cast<std::uint64_t>(std::chrono::nanoseconds(duration).count());
    for (const bench::StateItem &item : m_states.front())
        record.items.push_back({item.address, {}, {}, item.value, item.value});
    if (const auto saved = m_store.save(record); !saved) {
        refuseLater(saved.error());
        return;
    }
    m_isCalling = true;
    const QPointer<LeaseClient> self(this);
    m_pipe = m_client.call(HelperAction::Plan, {m_id, *request}, [self](const CallResult &result) {
        if (self)
            self->onBegun(result);
    });
}

void LeaseClient::onBegun(const CallResult &result)
{
    m_isCalling = false;
    if (result.state == CallState::Answered && result.report.outcome == Outcome::LeaseHeld) {
        m_isHeld = true;
        const std::uint64_t deadline = result.report.deadlineBoottimeNanoseconds;
        const std::uint64_t now = boottimeNanoseconds();
        if (deadline > now)
            m_deadline.start(std::chrono::milliseconds((deadline - now) / 1'000'000U));
        Q_EMIT began();
        return;
    }
    // If the answer was lost a lease may run: closing the pipe ends it.
    m_pipe.reset();
    m_store.remove(m_id);
    Q_EMIT refused(errorOf(result));
}

void LeaseClient::switchTo(std::size_t state)
{
    if (!m_isHeld || m_isCalling || state >= m_states.size())
        return;
    m_isCalling = true;
    const QPointer<LeaseClient> self(this);
    const Request request{randomId(), SwitchRequest{m_id, m_token, static_cast<std::uint8_t>(state)}};
    m_client.call(HelperAction::Settle, request, [self, state](const CallResult &result) {
        if (self)
            self->onSwitched(state, result);
    });
}

void LeaseClient::onSwitched(std::size_t state, const CallResult &result)
{
    m_isCalling = false;
    const Error error = errorOf(result);
    const bool isAnswered = result.state == CallState::Answered;
    if (isAnswered && result.report.outcome == Outcome::LeaseHeld) {
        Q_EMIT switched(state, readBack(result.report));
        if (m_deadlinePassed && m_isHeld && !m_isCalling)
            checkPutBack({Errc::Expired, {}, "the lease's time is over", {}, 0}, putBackLooks);
        return;
    }
    if (isAnswered && result.report.why == Errc::Stale) {
        finish(LeaseEnd::Foreign, error);
        return;
    }
    const bool isOver =
        isAnswered &&
        (result.report.why == Errc::Expired || result.report.why == Errc::UnknownTransaction ||
         result.report.outcome == Outcome::RolledBack || result.report.outcome == Outcome::Ended);
    if (isOver || result.state == CallState::Unknown) {
        m_pipe.reset();
        checkPutBack(error, putBackLooks);
        return;
    }
    if (isAnswered && result.report.outcome == Outcome::RollbackFailed) {
        finish(LeaseEnd::Unknown, error);
        return;
    }
    // A lease that can't go on measuring is of no use: it ends, and says why.
    endWith(std::nullopt, error);
}

void LeaseClient::end()
{
    if (m_isHeld && !m_isCalling)
        endWith(std::nullopt, {Errc::None, {}, {}, {}, 0});
}

void LeaseClient::stay(std::size_t state)
{
    if (m_isHeld && !m_isCalling && state < m_states.size())
        endWith(static_cast<std::uint8_t>(state), {Errc::None, {}, {}, {}, 0});
}

void LeaseClient::endWith(std::optional<std::uint8_t> stay, const Error &error)
{
    m_isCalling = true;
    const QPointer<LeaseClient> self(this);
    m_client.call(HelperAction::Settle, {randomId(), EndRequest{m_id, m_token, stay}},
                  [self, stay, error](const CallResult &result) {
                      if (self)
                          self->onEnded(stay, error, result);
                  });
}

void LeaseClient::onEnded(std::optional<std::uint8_t> stay, const Error &error, const CallResult &result)
{
    m_isCalling = false;
    if (result.state == CallState::Answered) {
        const Outcome outcome = result.report.outcome;
        if (stay && (outcome == Outcome::Applied || outcome == Outcome::Adjusted ||
                     outcome == Outcome::Unchanged || outcome == Outcome::Confirmed)) {
            finish(LeaseEnd::Stayed, error);
            return;
        }
        if (outcome == Outcome::Ended || outcome == Outcome::RolledBack) {
            finish(result.report.why == Errc::Stale ? LeaseEnd::Foreign : LeaseEnd::PutBack,
                   error.code != Errc::None || !stay ? error : errorOf(result));
            return;
        }
        if (result.report.why == Errc::Stale) {
            finish(LeaseEnd::Foreign, errorOf(result));
            return;
        }
    }
    m_pipe.reset();
    checkPutBack(error.code != Errc::None ? error : errorOf(result), putBackLooks);
}

// The helper puts state 0 back by itself once the pipe is closed or the time is over: look whether it did.
void LeaseClient::checkPutBack(const Error &error, int attemptsLeft)
{
    m_isCalling = true;
    if (isInForce(0)) {
        m_isCalling = false;
        finish(LeaseEnd::PutBack, error);
    } else if (attemptsLeft == 0) {
        m_isCalling = false;
        finish(LeaseEnd::Unknown, error);
    } else {
        QTimer::singleShot(putBackInterval, this,
                           [this, error, attemptsLeft] { checkPutBack(error, attemptsLeft - 1); });
    }
}

void LeaseClient::finish(LeaseEnd how, const Error &error)
{
    m_isHeld = false;
    m_deadline.stop();
    m_pipe.reset();
    m_store.remove(m_id);
    Q_EMIT over(how, error);
}

bool LeaseClient::isInForce(std::size_t state) const
{
    return std::ranges::all_of(m_states[state], [&](const bench::StateItem &item) {
        return readCurrent(item.address, m_root) == item.value;
    });
}

std::vector<Value> LeaseClient::readBack(const Report &report) const
{
    const State &first = m_states.front();
    std::vector<Value> values(first.size());
    for (std::size_t place = 0; place < m_order.size(); ++place) {
        const bench::StateItem &item = first[m_order[place]];
        values[m_order[place]] = item.value;
        if (place >= report.steps.size() || !report.steps[place].after)
            continue;
        if (const auto value = fromReportNumber(*specOf(item), *report.steps[place].after))
            values[m_order[place]] = *value;
    }
    return values;
}

} // namespace diskwright
