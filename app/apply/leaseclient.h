// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/helperclient.h"
#include "app/apply/trialstore.h"
#include "app/bench/leaseholder.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace diskwright {

/// The lease that measuring runs on: one prompt at the beginning, none at a switch. The pipe that begin()
/// hands to the helper stays open; if this object or the program ends, the helper puts state 0 back.
class LeaseClient final : public bench::LeaseHolder
{
    Q_OBJECT

public:
    /// Finds the disks that addresses name: kernel name to what the user saw.
    using Identify = std::function<Result<DeviceIdentity>(const std::string &kernelName)>;

    /// \p client must outlive the lease.
    LeaseClient(HelperClient &client, TrialStore store, Identify identify, QObject *parent = nullptr);
    ~LeaseClient() override;

    void begin(const std::vector<bench::State> &states, std::size_t mostSwitches,
               std::chrono::seconds duration) override;
    void switchTo(std::size_t state) override;
    void end() override;
    void stay(std::size_t state) override;

    /// Folder tree that is read when an answer is lost; "/" unless a test says otherwise.
    void setRoot(const QString &root) { m_root = root; }
    /// 32 hex digits once begun.
    [[nodiscard]] std::string transaction() const { return toHex(m_id); }

private:
    [[nodiscard]] Result<LeaseRequest> makeRequest(const std::vector<bench::State> &states,
                                                   std::size_t mostSwitches, std::chrono::seconds duration);
    void refuseLater(const Error &error);
    void onBegun(const CallResult &result);
    void onSwitched(std::size_t state, const CallResult &result);
    void endWith(std::optional<std::uint8_t> stay, const Error &error);
    void onEnded(std::optional<std::uint8_t> stay, const Error &error, const CallResult &result);
    void checkPutBack(const Error &error, int attemptsLeft);
    void finish(bench::LeaseEnd how, const Error &error);
    [[nodiscard]] bool isInForce(std::size_t state) const;
    [[nodiscard]] std::vector<Value> readBack(const Report &report) const;

    HelperClient &m_client;
    TrialStore m_store;
    Identify m_identify;
    QString m_root = QStringLiteral("/");
    TransactionId m_id{};
    Token m_token{};
    std::shared_ptr<CancelPipe> m_pipe;
    std::vector<bench::State> m_states; ///< as given
    std::vector<std::size_t> m_order;   ///< place in the request -> place in a state
    QTimer m_deadline;
    bool m_isHeld = false;
    bool m_isCalling = false;
    bool m_deadlinePassed = false;
};

} // namespace diskwright
