// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/error.h"

#include <QString>

#include <span>

namespace diskwright::bench {

/// What a test's main figure is, and which way is better.
enum class Metric { BytesPerSecond, IosPerSecond };

/// One test: what the engine is asked for. The sequence in allTests() is the one that is shown.
struct TestSpec {
    const char *id;      ///< "rnd4k-q32t1-read"
    const char *name;    ///< in plain words, translatable in the context "bench"
    const char *purpose; ///< which question it answers, translatable
    bool random;
    bool direct; ///< past the page cache; buffered otherwise, from a cold cache
    quint32 blockBytes;
    quint32 depth; ///< outstanding reads
    int warmUpMilliseconds;
    Metric metric;
};

[[nodiscard]] std::span<const TestSpec> allTests() noexcept;

/// Errors: UnknownTarget, naming the known ones.
[[nodiscard]] Result<TestSpec> findTest(const QString &id);

[[nodiscard]] QString displayName(const TestSpec &test);
[[nodiscard]] QString displayPurpose(const TestSpec &test);

/// What a run costs, to be shown before it starts.
struct Cost {
    double seconds = 0;       ///< about
    quint64 writtenBytes = 0; ///< to make the test file; 0 if an existing file is read
    quint64 freeBytesNeeded = 0;
};
[[nodiscard]] Cost costOf(const TestSpec &test, bool makesFile, quint64 sizeBytes, int rounds,
                          int milliseconds);
/// "about 12 s, writes 1.07 GB" in the user's language.
[[nodiscard]] QString displayCost(const Cost &cost);

inline constexpr quint64 defaultSizeBytes = quint64{1} << 30;
inline constexpr int defaultRoundMilliseconds = 2000;
inline constexpr int defaultRounds = 3;

} // namespace diskwright::bench
