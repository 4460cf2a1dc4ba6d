// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/settinglistmodel.h"

#include <QObject>

#include <deque>
#include <optional>

namespace diskwright::ui {

/// One look at the memory that waits to be written. All in bytes.
struct WritebackSample {
    double dirty = 0;           ///< waits for its turn
    double writeback = 0;       ///< is being written now
    double limit = 0;           ///< from here on writers wait (nr_dirty_threshold)
    double backgroundLimit = 0; ///< from here on the kernel starts writing
    double dirtyable = 0;       ///< memory that percentages are taken of, as far as it can be told
    double total = 0;
};

/// The two limits as they would be with what is staged; in bytes.
struct WritebackLimits {
    double limit = 0;
    double background = 0;
    bool staged = false; ///< differs from what is in force
};

/// Reads /proc/meminfo and /proc/vmstat of the tree. Null if they are not there.
[[nodiscard]] std::optional<WritebackSample> readWriteback(const SystemRoot &root);

/// The last minute of samples.
class WritebackHistory
{
public:
    static constexpr std::size_t length = 60;

    void add(const WritebackSample &sample);
    [[nodiscard]] const std::deque<WritebackSample> &samples() const noexcept { return m_samples; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_samples.empty(); }

private:
    std::deque<WritebackSample> m_samples;
};

/// What the limits will be: the kernel's rule of mm/page-writeback.c applied to the staged values.
[[nodiscard]] WritebackLimits limitsWith(const SettingListModel &vm, const WritebackSample &now);

} // namespace diskwright::ui
