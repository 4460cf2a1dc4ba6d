// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/catalogue.h"
#include "helper/contract/value.h"

#include <QString>

#include <cstdint>

/// Numbers and values as a person reads them: locale separators, the unit apart from the number.
namespace diskwright::ui {

/// ASCII or UTF-8 of the contract as QString.
[[nodiscard]] QString toQString(std::string_view text);

/// "4 096", in the user's locale.
[[nodiscard]] QString numberText(std::int64_t value);

/// The unit as shown beside a number: "KiB", "%", "ms", "µs"; empty for a count.
[[nodiscard]] QString unitText(Unit unit);

/// A value with its unit: "4 096 KiB", "mq-deadline", "256 MiB" (bytes are shown in the largest binary unit
/// that leaves a whole number), "on" and "off" for switches.
[[nodiscard]] QString valueText(const SettingSpec &spec, const Value &value);

/// The same of a value that no row of the catalogue describes.
[[nodiscard]] QString valueText(Unit unit, const Value &value);

/// The number alone and its unit alone, for columns.
struct Figure {
    QString number;
    QString unit;
};
[[nodiscard]] Figure figure(const SettingSpec &spec, const Value &value);

/// A disk's size as it is sold: powers of 1000, three digits ("1.00 TB").
[[nodiscard]] QString diskSizeText(std::uint64_t bytes);

/// An amount of memory in powers of 1024, three digits at most ("1.5 GiB").
[[nodiscard]] QString memoryText(double bytes);

/// "853 MB/s" (powers of 1000) with three significant digits.
[[nodiscard]] QString throughputText(double bytesPerSecond);

/// Three significant digits with "µs", "ms" or "s".
[[nodiscard]] QString latencyText(double nanoseconds);

/// "8 min", "1 h 5 min", "40 s": about how long, rounded up to the unit that is shown last.
[[nodiscard]] QString durationText(std::int64_t seconds);

/// A path or name in at most \p most characters, with an ellipsis in place of its middle if it is longer: a
/// line of text can't be broken inside of it.
[[nodiscard]] QString shortened(const QString &text, int most = 40);

/// "0:12", "1:05:00".
[[nodiscard]] QString clockText(std::int64_t seconds);

} // namespace diskwright::ui
