// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "oldnames.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// How a search found something; better ones first.
enum class Match : std::uint8_t {
    Exact,   ///< the text is a name of it, today's or an old one
    Name,    ///< one of its names has all the words whole, or begins with them
    Words,   ///< all words occur in its names, title or summary
    Similar, ///< nothing else was found, and a name of it is spelt nearly so
};

struct SearchHit {
    Match match = Match::Words;
    OldNameAnswer answer; ///< its settingId or vanished says what was found
};

/// Settings (settable ones and those that are only shown) and vanished ones that a person may mean by \p
/// text, best first, each once: by kernel name, old name, tool's option, title and summary, in English and in
/// the language in use, upper or lower case. An empty text finds nothing. Bounded as findByOldName.
[[nodiscard]] std::vector<SearchHit> searchSettings(std::string_view text);

/// Rows whose kernel name or address is spelt nearly like \p text ("vm.swapiness" -> "vm/swappiness"), the
/// nearest first, \p most at most. Empty if none is near.
[[nodiscard]] std::vector<std::string> similarSettings(std::string_view text, std::size_t most = 3);

/// "vm::swappiness" for "vm/swappiness", "queue:DISK:read_ahead_kb" for "queue/read_ahead_kb": as a user
/// writes it, with \p target or the word DISK.
[[nodiscard]] std::string addressOf(std::string_view settingId, std::string_view target = {});

} // namespace diskwright
