// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace diskwright::engine {

/// One line of the protocol on the way in: a flat JSON object of strings, whole numbers and booleans.
/// Arrays, nested objects, null, fractions, repeated keys and bytes behind the object are refused.
class JsonLine final
{
public:
    using Field = std::variant<std::string, std::int64_t, bool>;

    /// Errors: Malformed, with the place.
    [[nodiscard]] static Result<JsonLine> parse(std::string_view text);

    /// The field, or nothing if there is none or it is of another type.
    [[nodiscard]] std::optional<std::string> text(const std::string &key) const;
    [[nodiscard]] std::optional<std::int64_t> number(const std::string &key) const;
    [[nodiscard]] std::optional<bool> boolean(const std::string &key) const;
    [[nodiscard]] bool has(const std::string &key) const { return m_fields.contains(key); }

private:
    std::map<std::string, Field> m_fields;
};

/// Builds one line on the way out.
class JsonWriter final
{
public:
    explicit JsonWriter(std::string_view event) { text("event", event); }

    JsonWriter &text(std::string_view key, std::string_view value);
    JsonWriter &number(std::string_view key, std::uint64_t value);
    JsonWriter &number(std::string_view key, std::optional<std::uint64_t> value); ///< null if there is none
    JsonWriter &fraction(std::string_view key, std::optional<double> value);      ///< six decimals, or null
    JsonWriter &boolean(std::string_view key, std::optional<bool> value);
    JsonWriter &texts(std::string_view key, const std::vector<std::string> &values);

    /// The object with a line feed.
    [[nodiscard]] std::string line() const { return "{" + m_body + "}\n"; }

private:
    void key(std::string_view name);
    std::string m_body;
};

} // namespace diskwright::engine
