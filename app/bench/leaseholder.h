// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/address.h"
#include "helper/contract/value.h"

#include <QObject>

#include <chrono>
#include <cstddef>
#include <vector>

namespace diskwright::bench {

/// One setting and the value it has in a state.
struct StateItem {
    Address address; ///< target: the kernel name; iosched keys in their long form
    Value value;
    bool operator==(const StateItem &) const = default;
};

/// One reviewed combination of values. All states of a lease name the same settings in the same order.
using State = std::vector<StateItem>;

/// How a lease is over.
enum class LeaseEnd {
    PutBack, ///< state 0 is in force again
    Stayed,  ///< the state asked for by stay() is in force
    Foreign, ///< somebody else changed a value: it was left as it is, and the lease ended
    Unknown, ///< what is in force now could not be found out, or was only partly put back
};

/// One authorized lease, as measuring needs it. Measuring knows nothing of the helper: whoever applies
/// settings implements this, and tests implement it by a script.
///
/// Everything is asynchronous: each call is answered by exactly one of the signals named beside it, later,
/// from the event loop. One call at a time. over() may come at any time after began(), also without a call;
/// after it no other signal comes and no call may follow. Destroying the holder of a lease that is not over
/// puts back state 0.
class LeaseHolder : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Asks for a lease; state 0 is what is so now. This may show a password prompt.
    /// Answer: began, or refused (nothing was changed).
    virtual void begin(const std::vector<diskwright::bench::State> &states, std::size_t mostSwitches,
                       std::chrono::seconds duration) = 0;

    /// Puts a state in force and reads it back. Answer: switched, or over (Foreign if a value was found
    /// changed by somebody else; otherwise PutBack or Unknown), whose error says why.
    virtual void switchTo(std::size_t state) = 0;

    /// Ends the lease with state 0 in force. Answer: over.
    virtual void end() = 0;

    /// Ends the lease with \p state in force, as an applied transaction. Answer: over.
    virtual void stay(std::size_t state) = 0;

Q_SIGNALS:
    void began();
    void refused(const diskwright::Error &error);
    /// \p readBack: the values the kernel kept, in the order of the state's items; they may differ from those
    /// asked for.
    void switched(std::size_t state, const std::vector<diskwright::Value> &readBack);
    /// error.code is Errc::None if end() or stay() did what was asked.
    void over(diskwright::bench::LeaseEnd how, const diskwright::Error &error);
};

} // namespace diskwright::bench
