// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/history.h"
#include "app/plan/plan.h"
#include "helper/contract/diskclass.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace diskwright {

/// What a change shall be at every start.
struct AtStart {
    // A plain yes or no is what nearly everybody means.
    AtStart(bool always, std::optional<DiskClass> every = {}) // NOLINT(google-explicit-constructor)
        : keep(always)
        , forClass(every)
    {
    }
    bool keep;
    std::optional<DiskClass> forClass; ///< for every disk of this class, instead of the plan's disks
};

/// Why something can't be so at every start; known without asking the helper.
struct NotKeepable {
    Errc why = Errc::NeedsSystemd;
    std::optional<std::size_t> step; ///< of the plan; none: it is the machine
    std::string reason = {};         ///< NotOfClass: English, as an error's
};

/// None if nothing speaks against keeping the whole plan as asked. Whether a class takes in its disks is
/// known to classForKeeping: that stands in files of disks, and here none is read. The helper has the last
/// word.
[[nodiscard]] std::optional<NotKeepable> whyNotKeepable(const Plan &plan,
                                                        const QString &root = QStringLiteral("/"),
                                                        std::optional<DiskClass> forClass = {});

/// The class that the plan can be kept for: the one that takes in all its disks. Error: NotOfClass at the
/// first step that is of none or of another one, or whose setting classes go by; none if it has no disk.
[[nodiscard]] std::expected<DiskClass, NotKeepable>
classForKeeping(const Plan &plan, const QString &root = QStringLiteral("/"));

/// A change of this boot that put settings into force as they are now: keeping by it remembers what was so
/// before it.
struct KeepOrigin {
    TransactionId transaction{};
    std::vector<std::uint16_t> items; ///< indexes of its steps
    bool isCertain = true; ///< else only the helper can tell whether a number that drifts is still its own
};

/// The newest one that holds every step of \p plan. \p snapshot: what is so now.
[[nodiscard]] std::optional<KeepOrigin> originOf(const Plan &plan, const PlanSnapshot &snapshot,
                                                 const History &history, const std::string &bootId);

/// Something that is kept already, and that keeping a step of the plan takes the place of.
struct KeptBefore {
    std::size_t step = 0;              ///< of the plan
    const SettingSpec *spec = nullptr; ///< the step's, or the other half of its pair
    Value value;                       ///< what every start sets now
    std::string origin;                ///< profile; empty: by hand
};

/// What keeping the plan would replace by another value: for the disks themselves, or for \p forClass. A set
/// that can't be read replaces nothing; the helper has the last word.
[[nodiscard]] std::vector<KeptBefore> replacedByKeeping(const Plan &plan,
                                                        const QString &root = QStringLiteral("/"),
                                                        std::optional<DiskClass> forClass = {});

} // namespace diskwright
