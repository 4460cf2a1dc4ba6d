// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/pulse.h"
#include "ui/models/sidebarmodel.h"

#include <QString>

#include <optional>
#include <vector>

namespace diskwright::ui {

/// One sentence at the top of the overview, with one thing that can be done about it.
struct OverviewFinding {
    bool isProblem = false;
    QString text;
    QString action;                 ///< words of the button; empty: nothing to do
    Place place;                    ///< where the action leads
    std::optional<Address> setting; ///< which setting to show there

    bool operator==(const OverviewFinding &) const = default;
};

/// What a person should know first: what is wrong with disks and three other problems at most, or that
/// nothing needs them; that only once it was looked. \p now: unwritten data and its limits, if they are
/// known.
/// \p stored: problems of drives that a service has stored.
[[nodiscard]] std::vector<OverviewFinding> overviewFindings(const Machine &machine,
                                                            const std::optional<WritebackSample> &now,
                                                            const std::vector<health::Finding> &stored = {});

/// Disks that get a card: those that are listed and stand on no other.
[[nodiscard]] std::vector<const BlockNode *> overviewDisks(const Machine &machine);

/// "2 settings not as by default", as far as defaults are known; empty before the settings were read.
[[nodiscard]] QString differingWords(const Machine &machine, const std::string &disk);

/// A stretch of a disk, as its bar shows it.
struct DiskStretch {
    std::string name;  ///< of the partition; empty: nothing is there
    double share = 0;  ///< of the disk, 0 to 1
    bool used = false; ///< mounted, swapped to, or something stands on it
};

/// Partitions of a disk in their order, and what is left. Of a disk without partitions: the whole, used or
/// not. Empty if the size is not known.
[[nodiscard]] std::vector<DiskStretch> stretchesOf(const BlockNode &disk);

/// "3 partitions, 1.05 MB free", "no partitions".
[[nodiscard]] QString partitionWords(const BlockNode &disk);

} // namespace diskwright::ui
