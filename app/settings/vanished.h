// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace diskwright {

/// What became of something that old articles and tools name.
enum class Fate : std::uint8_t {
    Gone,      ///< the kernel no longer has it
    NoEffect,  ///< still accepted somewhere, but it changes nothing on today's kernels or disks
    Elsewhere, ///< it exists, but not as a setting of a queue or of memory: a mount, a drive, another tool
    OutOfTree, ///< it never was in the official kernel
};
[[nodiscard]] std::string_view name(Fate fate) noexcept; ///< "gone", "no-effect", "elsewhere", "out-of-tree"

/// One thing that a reader of an old article looks for and that is no row of the catalogue. English source
/// texts, marked for Qt translation in the context below; every view ends with a NUL.
struct VanishedSetting {
    std::string_view id;    ///< "scheduler/cfq", "hdparm/multcount"
    std::string_view title; ///< "CFQ scheduler"
    Fate fate = Fate::Gone;
    std::string_view since;   ///< first kernel of which the fate is true ("5.0"); empty: not tied to one
    std::string_view was;     ///< what it was, a sentence
    std::string_view today;   ///< where it lives today, or why it has no effect
    std::string_view setting; ///< row id that does its work today; empty if none
    std::span<const std::string_view> names; ///< every spelling, lower case; not translated
};

inline constexpr const char *vanishedContext = "Vanished";

/// Sorted by id.
[[nodiscard]] std::span<const VanishedSetting> vanishedSettings() noexcept;
/// Null if there is none.
[[nodiscard]] const VanishedSetting *findVanished(std::string_view id) noexcept;

} // namespace diskwright
