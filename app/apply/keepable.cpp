// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/keepable.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace diskwright {

std::optional<NotKeepable> whyNotKeepable(const Plan &plan, const QString &root)
{
    // sd_booted(3), and the socket that every running udevd has.
    if (!QFileInfo(root + u"/run/systemd/system"_s).isDir() ||
        !QFileInfo::exists(root + u"/run/udev/control"_s))
        return NotKeepable{Errc::NeedsSystemd, std::nullopt};
    for (std::size_t at = 0; at < plan.steps.size(); ++at) {
        const PlanStep &step = plan.steps[at];
        if (step.spec->keptBy == KeptBy::Nothing)
            return NotKeepable{Errc::Conflict, at};
        if (step.device && !isSafeDiskId(step.diskId))
            return NotKeepable{Errc::NoStableId, at};
    }
    return std::nullopt;
}

} // namespace diskwright
