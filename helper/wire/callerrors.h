// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// What the helper answers, as errors of D-Bus, where it can't give a report: an authorization did not come
/// to an end, and nothing was changed.
namespace diskwright::callerrors {

inline constexpr const char *noPolkit = "org.diskwright.helper.Error.NoPolkit"; ///< it is absent, or in error
inline constexpr const char *notAnswered = "org.diskwright.helper.Error.NotAnswered"; ///< it took too long

} // namespace diskwright::callerrors
