// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/systemroot.h"

#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// One member's standing in its MD array.
struct ArrayMember {
    std::string name;      ///< kernel name
    std::string_view note; ///< "failed-member", "spare-member", "rebuilding-member"
};

/// What the kernel says of an MD array beyond its size (Documentation/admin-guide/md.rst).
struct ArrayState {
    std::vector<std::string_view> notes; ///< "degraded", "inactive", "rebuilding"
    std::vector<ArrayMember> members;    ///< those that are not simply in sync
};

/// \p folder is the array's. What can't be read says nothing: an unknown state is no note.
[[nodiscard]] ArrayState readArray(const Directory &folder);

} // namespace diskwright
