// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/history.h"
#include "app/settings/observation.h"
#include "helper/access/systemroot.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace diskwright {

/// What settings were before their first change in this boot, by row id and disk id (or name).
using FirstValues = std::map<std::pair<std::string_view, std::string>, Value>;

[[nodiscard]] FirstValues firstValuesOf(const History &history, const std::string &bootId);

/// What our own records know, for observe(). The arguments must outlive it.
[[nodiscard]] Knowledge knowledgeOf(const SystemRoot &root, const KeptSet &kept, const FirstValues &first);

} // namespace diskwright
