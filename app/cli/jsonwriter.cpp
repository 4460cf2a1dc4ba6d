// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonwriter.h"

#include "app/disks/names.h"

#include <cmath>

namespace diskwright {

namespace {

// One UTF-8 sequence of at most three bytes, as the escape of JSON with four hexadecimal digits.
void appendCode(std::string &out, std::string_view sequence)
{
    static constexpr char digits[] = "0123456789abcdef";
    const auto byte = [&](std::size_t at) {
        return static_cast<unsigned int>(static_cast<unsigned char>(sequence[at]));
    };
    const unsigned int code = sequence.size() == 1 ? byte(0)
                              : sequence.size() == 2
                                  ? (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F)
                                  : (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    out += "\\u";
    for (const int shift : {12, 8, 4, 0})
        out += digits[code >> shift & 15];
}

void appendEscaped(std::string &out, std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text);
        const char first = text.front();
        if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else if (length > 1 && isUnfit(text.substr(0, length))) {
            appendCode(out, text.substr(0, length));
        } else if (length > 1) {
            out += text.substr(0, length);
        } else if (first == '"' || first == '\\') {
            out += '\\';
            out += first;
        } else if (static_cast<unsigned char>(first) < 0x20 || first == 0x7F) {
            appendCode(out, text.substr(0, 1));
        } else {
            out += first;
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

bool isPlain(std::string_view text)
{
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\')
            return false;
    }
    return true;
}

} // namespace

void JsonWriter::newline()
{
    m_out += '\n';
    m_out.append(2 * m_depth, ' ');
}

void JsonWriter::beforeValue()
{
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_depth == 0)
        return;
    if (!m_isEmpty)
        m_out += ',';
    m_isEmpty = false;
    newline();
}

void JsonWriter::open(char bracket)
{
    beforeValue();
    m_out += bracket;
    ++m_depth;
    m_isEmpty = true;
}

void JsonWriter::close(char bracket)
{
    --m_depth;
    if (!m_isEmpty)
        newline();
    m_out += bracket;
    m_isEmpty = false;
}

void JsonWriter::key(std::string_view name)
{
    beforeValue();
    m_out += '"';
    m_out += name;
    m_out += "\": ";
    m_afterKey = true;
}

void JsonWriter::raw(std::string_view token)
{
    beforeValue();
    m_out += token;
}

void JsonWriter::text(std::string_view value)
{
    beforeValue();
    m_out += '"';
    if (isPlain(value))
        m_out += value;
    else
        appendEscaped(m_out, value);
    m_out += '"';
}

void JsonWriter::boolean(bool value)
{
    raw(value ? "true" : "false");
}

void JsonWriter::null()
{
    raw("null");
}

void JsonWriter::real(double value)
{
    if (!std::isfinite(value)) {
        null();
        return;
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    raw({digits, static_cast<std::size_t>(end - digits)});
}

void JsonWriter::member(std::string_view name, const std::vector<std::string> &values)
{
    key(name);
    beginArray();
    for (const std::string &value : values)
        text(value);
    endArray();
}

std::string JsonWriter::take() &&
{
    m_out += '\n';
    return std::move(m_out);
}

} // namespace diskwright
