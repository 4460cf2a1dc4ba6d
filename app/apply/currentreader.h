// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/readcurrent.h"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace diskwright {

/// Reads current values without letting a disk that does not answer hold the caller: each disk is read on a
/// thread of its own, which is left behind if it takes too long.
class CurrentReader final
{
public:
    using Read = std::function<std::optional<Value>(const Address &, const QString &root)>;
    /// An ordinary reading ends in well under a millisecond.
    static constexpr std::chrono::milliseconds usualPatience{1000};

    explicit CurrentReader(Read read = readCurrent, std::chrono::milliseconds patience = usualPatience);

    /// By index of \p addresses; none: it can't be read, or its disk does not answer. Waits for the patience
    /// at most, all disks together, and not at all for a disk whose last reading is still outstanding.
    [[nodiscard]] std::vector<std::optional<Value>> read(const std::vector<Address> &addresses,
                                                         const QString &root) const;
    /// One of them.
    [[nodiscard]] std::optional<Value> read(const Address &address, const QString &root) const;

private:
    struct Shared;

    Read m_read;
    std::chrono::milliseconds m_patience;
    std::shared_ptr<Shared> m_shared;
};

} // namespace diskwright
