// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>

/// Bounds that both sides keep. The helper refuses what exceeds them before it looks further.
namespace diskwright::limits {

inline constexpr std::size_t requestBytes = std::size_t{64} * 1024;
inline constexpr std::size_t changes = 256;
inline constexpr std::size_t devices = 64;
inline constexpr std::size_t stringBytes = 256;
inline constexpr std::size_t attributeBytes = 4096; ///< one page, the most a sysfs attribute returns

inline constexpr std::chrono::seconds shortestTrial{5};
inline constexpr std::chrono::seconds longestTrial{600};
inline constexpr std::chrono::seconds systemDiskTrial{15};
inline constexpr std::chrono::seconds longestProlongedTrial{30 * 60}; ///< after the start of the trial

inline constexpr std::size_t fewestLeaseStates = 2;
inline constexpr std::size_t mostLeaseStates = 16;
inline constexpr std::size_t mostLeaseSwitches = 512;
inline constexpr std::chrono::seconds longestLease{60 * 60};

inline constexpr std::size_t journals = 32;
inline constexpr std::size_t journalDevices = 256; ///< putting everything back is one journal for all disks
// Each change can reset a queue's own values, and a pair its other half: some twenty of each disk.
inline constexpr std::size_t journalItems = 8 * changes;
inline constexpr std::size_t journalBytes = std::size_t{1024} * 1024;
inline constexpr std::size_t historyEntries = 1000;
inline constexpr std::size_t backups = 10;
inline constexpr std::size_t bootItems = 512;

} // namespace diskwright::limits
