// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// Writes one JSON document (RFC 8259) with its keys in the order they are given, indented by two spaces.
/// Numbers never depend on the locale; bytes that are no UTF-8 become U+FFFD.
class JsonWriter final
{
public:
    /// Room for a long document, in bytes: growing it would copy it over and over.
    void reserve(std::size_t bytes) { m_out.reserve(bytes); }

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }
    void key(std::string_view name);

    void text(std::string_view value);
    void boolean(bool value);
    void null();
    template <std::integral Number>
    void number(Number value)
    {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        raw({digits, static_cast<std::size_t>(end - digits)});
    }
    /// Shortest form that reads back the same; not a number or infinite: null.
    void real(double value);

    // A member of the object in one call.
    void member(std::string_view name, std::string_view value)
    {
        key(name);
        text(value);
    }
    void member(std::string_view name, const char *value) { member(name, std::string_view(value)); }
    void member(std::string_view name, const std::string &value) { member(name, std::string_view(value)); }
    template <std::same_as<bool> Boolean>
    void member(std::string_view name, Boolean value)
    {
        key(name);
        boolean(value);
    }
    template <std::integral Number>
        requires(!std::same_as<Number, bool>)
    void member(std::string_view name, Number value)
    {
        key(name);
        number(value);
    }
    template <std::same_as<double> Real>
    void member(std::string_view name, Real value)
    {
        key(name);
        real(value);
    }
    /// Null where there is no value.
    template <class Type>
    void member(std::string_view name, const std::optional<Type> &value)
    {
        if (value) {
            member(name, *value);
        } else {
            key(name);
            null();
        }
    }
    void member(std::string_view name, const std::vector<std::string> &values);

    /// The document, ended by a newline.
    [[nodiscard]] std::string take() &&;

private:
    void open(char bracket);
    void close(char bracket);
    void raw(std::string_view token);
    void beforeValue();
    void newline();

    std::string m_out;
    std::size_t m_depth = 0;
    bool m_isEmpty = true; ///< nothing yet in the innermost object or array
    bool m_afterKey = false;
};

} // namespace diskwright
