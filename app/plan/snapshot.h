// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/address.h"
#include "helper/contract/request.h"
#include "helper/contract/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// A disk as a plan needs it.
struct PlanDisk {
    DeviceIdentity identity;
    std::string id;          ///< disk id, empty if it has none
    std::string displayName; ///< the model, else the kernel name
    bool holdsSystem = false;
};

/// A setting as it was read.
struct PlanSetting {
    Address address; ///< kernel name as target, long form of the key
    std::optional<Value> current;
    std::vector<std::string> offered; ///< choices only; empty: not known
    std::optional<Errc> unavailable;  ///< why it can't be set now: Absent, ReadOnly …
    std::optional<Range> range = {};  ///< numbers only: what this device takes as it is now
};

/// The facts that a plan is checked against: what the user saw.
class PlanSnapshot
{
public:
    void add(PlanDisk disk);
    void add(PlanSetting setting);

    [[nodiscard]] const PlanDisk *disk(std::string_view kernelName) const noexcept;
    [[nodiscard]] const PlanSetting *setting(const Address &address) const noexcept;
    /// The current value, or none if it is not known.
    [[nodiscard]] std::optional<Value> current(const Address &address) const;
    [[nodiscard]] const std::vector<PlanSetting> &settings() const noexcept { return m_settings; }

private:
    std::vector<PlanDisk> m_disks;
    std::vector<PlanSetting> m_settings;
};

} // namespace diskwright
