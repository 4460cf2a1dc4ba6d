// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/trialstore.h"
#include "helper/contract/address.h"
#include "helper/contract/error.h"

#include <QString>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace diskwright {

/// One value that putting everything back would write.
struct RestoreStep {
    Address address; ///< target: kernel name now, else the disk's id or the class's name
    std::string diskId = {};
    std::optional<Value> now = {};
    std::optional<Value> target = {};
    bool foreign = false;       ///< somebody else has changed it since
    bool kept = false;          ///< it is set at every start
    Errc obstacle = Errc::None; ///< why it can't be put back: DeviceChanged, NoStableId, OutOfRange
};

/// What putting everything back would do, as far as it can be known without the helper's own records: what
/// only came along with another change (values behind a scheduler) is missing here.
struct RestorePreview {
    std::vector<RestoreStep> steps;
    std::size_t trials = 0; ///< the user's trials and measurements that would end
    std::size_t kept = 0;   ///< items that would be kept no more

    [[nodiscard]] bool isEmpty() const noexcept { return steps.empty() && trials == 0 && kept == 0; }
};

/// From the history of this boot, the boot set and the user's own trials. Errors: as readKeptSet, and
/// StateFile if the history can't be read.
[[nodiscard]] Result<RestorePreview> previewRestore(const QString &root = QStringLiteral("/"),
                                                    const std::vector<TrialRecord> &trials = {});

/// The same of the machine itself, in a thread that is left behind if a disk hangs. Errors: also Busy if the
/// answer is not there within \p patience.
[[nodiscard]] Result<RestorePreview> previewRestoreWithin(std::chrono::milliseconds patience,
                                                          const std::vector<TrialRecord> &trials);

} // namespace diskwright
