// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonline.h"

#include <charconv>
#include <format>
#include <utility>

namespace diskwright::engine {
namespace {

class Parser
{
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    void space()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\r'))
            ++m_at;
    }
    bool take(char wanted)
    {
        space();
        if (m_at >= m_text.size() || m_text[m_at] != wanted)
            return false;
        ++m_at;
        return true;
    }
    bool take(std::string_view wanted)
    {
        space();
        if (!m_text.substr(m_at).starts_with(wanted))
            return false;
        m_at += wanted.size();
        return true;
    }
    [[nodiscard]] bool atEnd()
    {
        space();
        return m_at == m_text.size();
    }
    std::optional<std::string> string()
    {
        if (!take('"'))
            return std::nullopt;
        std::string result;
        while (m_at < m_text.size()) {
            const char character = m_text[m_at++];
            if (character == '"')
                return result;
            if (static_cast<unsigned char>(character) < 0x20)
                return std::nullopt;
            if (character != '\\')
                result += character;
            else if (!escape(result))
                return std::nullopt;
        }
        return std::nullopt;
    }
    std::optional<std::int64_t> number()
    {
        space();
        std::int64_t value = 0;
        const char *first = m_text.data() + m_at;
        const char *last = m_text.data() + m_text.size();
        const auto [end, error] = std::from_chars(first, last, value);
        if (error != std::errc{} || (end != last && (*end == '.' || *end == 'e' || *end == 'E')))
            return std::nullopt;
        m_at += static_cast<std::size_t>(end - first);
        return value;
    }
    [[nodiscard]] std::size_t at() const { return m_at; }

private:
    std::optional<unsigned> unit()
    {
        unsigned value = 0;
        if (m_text.size() - m_at < 4)
            return std::nullopt;
        const char *first = m_text.data() + m_at;
        if (std::from_chars(first, first + 4, value, 16).ptr != first + 4)
            return std::nullopt;
        m_at += 4;
        return value;
    }
    bool escape(std::string &result)
    {
        static constexpr std::string_view names = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
        if (m_at >= m_text.size())
            return false;
        const char character = m_text[m_at++];
        if (const auto found = names.find(character); found != std::string_view::npos) {
            result += values[found];
            return true;
        }
        if (character != 'u')
            return false;
        auto code = unit();
        if (!code)
            return false;
        if (*code >= 0xd800 && *code < 0xdc00) {
            if (!m_text.substr(m_at).starts_with("\\u"))
                return false;
            m_at += 2;
            const auto low = unit();
            if (!low || *low < 0xdc00 || *low > 0xdfff)
                return false;
            code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
        } else if (*code >= 0xdc00 && *code < 0xe000) {
            return false;
        }
        appendUtf8(result, *code);
        return true;
    }
    static void appendUtf8(std::string &result, unsigned code)
    {
        const auto byte = [&](unsigned value) { result += static_cast<char>(value); };
        if (code < 0x80) {
            byte(code);
        } else if (code < 0x800) {
            byte(0xc0 | code >> 6);
            byte(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            byte(0xe0 | code >> 12);
            byte(0x80 | (code >> 6 & 0x3f));
            byte(0x80 | (code & 0x3f));
        } else {
            byte(0xf0 | code >> 18);
            byte(0x80 | (code >> 12 & 0x3f));
            byte(0x80 | (code >> 6 & 0x3f));
            byte(0x80 | (code & 0x3f));
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

std::string quoted(std::string_view value)
{
    std::string result = "\"";
    for (const char character : value) {
        if (character == '"' || character == '\\')
            result += '\\';
        if (static_cast<unsigned char>(character) < 0x20)
            result += std::format("\\u{:04x}", static_cast<unsigned>(character));
        else
            result += character;
    }
    return result + '"';
}

} // namespace

Result<JsonLine> JsonLine::parse(std::string_view text)
{
    Parser parser(text);
    JsonLine result;
    const auto refuse = [&](std::string_view reason) {
        return fail(Errc::Malformed, printable(text), std::format("{} at byte {}", reason, parser.at()),
                    "one JSON object of strings, whole numbers and booleans");
    };
    if (!parser.take('{'))
        return refuse("no opening brace");
    if (parser.take('}'))
        return parser.atEnd() ? Result<JsonLine>(result) : refuse("bytes behind the object");
    do {
        const auto key = parser.string();
        if (!key || !parser.take(':'))
            return refuse("no key");
        Field field;
        if (parser.take(std::string_view("true")))
            field = true;
        else if (parser.take(std::string_view("false")))
            field = false;
        else if (auto value = parser.string())
            field = std::move(*value);
        else if (auto whole = parser.number())
            field = *whole;
        else
            return refuse("no string, whole number or boolean");
        if (!result.m_fields.emplace(*key, std::move(field)).second)
            return refuse("a repeated key");
    } while (parser.take(','));
    if (!parser.take('}'))
        return refuse("no closing brace");
    if (!parser.atEnd())
        return refuse("bytes behind the object");
    return result;
}

template <class T>
static std::optional<T> get(const std::map<std::string, JsonLine::Field> &fields, const std::string &key)
{
    const auto found = fields.find(key);
    if (found == fields.end() || !std::holds_alternative<T>(found->second))
        return std::nullopt;
    return std::get<T>(found->second);
}

std::optional<std::string> JsonLine::text(const std::string &key) const
{
    return get<std::string>(m_fields, key);
}

std::optional<std::int64_t> JsonLine::number(const std::string &key) const
{
    return get<std::int64_t>(m_fields, key);
}

std::optional<bool> JsonLine::boolean(const std::string &key) const
{
    return get<bool>(m_fields, key);
}

void JsonWriter::key(std::string_view name)
{
    if (!m_body.empty())
        m_body += ',';
    m_body += quoted(name);
    m_body += ':';
}

JsonWriter &JsonWriter::text(std::string_view name, std::string_view value)
{
    key(name);
    m_body += quoted(value);
    return *this;
}

JsonWriter &JsonWriter::number(std::string_view name, std::uint64_t value)
{
    key(name);
    m_body += std::to_string(value);
    return *this;
}

JsonWriter &JsonWriter::number(std::string_view name, std::optional<std::uint64_t> value)
{
    key(name);
    m_body += value ? std::to_string(*value) : "null";
    return *this;
}

JsonWriter &JsonWriter::fraction(std::string_view name, std::optional<double> value)
{
    key(name);
    m_body += value ? std::format("{:.6f}", *value) : "null";
    return *this;
}

JsonWriter &JsonWriter::boolean(std::string_view name, std::optional<bool> value)
{
    key(name);
    m_body += !value ? "null" : *value ? "true" : "false";
    return *this;
}

JsonWriter &JsonWriter::texts(std::string_view name, const std::vector<std::string> &values)
{
    key(name);
    m_body += '[';
    for (std::size_t index = 0; index < values.size(); ++index)
        m_body += (index ? "," : "") + quoted(values[index]);
    m_body += ']';
    return *this;
}

} // namespace diskwright::engine
