// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/value.h"
#include "vanished.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// What a text of an old article, script or tool means today: a setting, something that vanished, or both
/// ("noop" vanished, and is the scheduler "none").
struct OldNameAnswer {
    std::string settingId; ///< row of the catalogue, or of the settings that are only shown; else empty
    const VanishedSetting *vanished = nullptr;
    std::string target;         ///< kernel name of the disk that the text names ("sda"); else empty
    std::optional<Value> value; ///< what the text asks for, in the unit of the row; none if it names none
    std::string note;           ///< English: how the value was converted or why there is none; may be empty
};

/// Understands one line, or part of one: a tool's call (hdparm -a1024 /dev/sda, blockdev --setra 1024,
/// sysctl -w vm.dirty_ratio=5, echo 64 > /sys/block/sda/queue/nr_requests), an option, a path, a boot
/// parameter, a udev attribute, an entry of a configuration file, or a name alone; with a prompt before it,
/// and several commands or disks on it. A partition is answered as its disk. Whatever the text, the
/// work is bounded: only the first kibibyte is looked at. Nothing is run or read. No answer for what it
/// does not know. Best answer first; no two alike.
[[nodiscard]] std::vector<OldNameAnswer> findByOldName(std::string_view text);

} // namespace diskwright
