// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journalstore.h"

namespace diskwright {

/// The values that settings had before the first change on record in this boot: what a restart would bring,
/// and what is meant by "as it was".
class FirstSeen final
{
public:
    /// Reads the records of this boot; one that can't be read counts as none. \p own is among them in any
    /// case.
    FirstSeen(const JournalStore &journals, const Journal &own);

    /// \p device is none for vm. Nothing where no record tells.
    [[nodiscard]] std::optional<Value> valueOf(const std::optional<DeviceIdentity> &device,
                                               std::string_view setting) const;

private:
    std::vector<Journal> m_journals; ///< oldest first
};

} // namespace diskwright
