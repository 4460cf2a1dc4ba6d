// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "request.h"

namespace diskwright {

std::string toHex(const TransactionId &id)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : id) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::optional<TransactionId> transactionIdFromHex(std::string_view text)
{
    TransactionId id{};
    if (text.size() != 2 * id.size())
        return std::nullopt;
    const auto nibble = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    for (std::size_t at = 0; at < id.size(); ++at) {
        const int high = nibble(text[2 * at]);
        const int low = nibble(text[2 * at + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        id[at] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return id;
}

} // namespace diskwright
