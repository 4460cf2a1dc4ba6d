// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "strictcbor.h"

#include <algorithm>

namespace diskwright {

StrictCborReader::StrictCborReader(const QByteArray &bytes)
    : m_reader(bytes)
{
}

bool StrictCborReader::expect(bool asExpected) noexcept
{
    m_ok = m_ok && asExpected && m_reader.lastError() == QCborError::NoError;
    return m_ok;
}

void StrictCborReader::next()
{
    static_cast<void>(expect(m_reader.next()));
}

void StrictCborReader::beginMap(std::uint64_t keys)
{
    if (expect(m_reader.isMap() && m_reader.isLengthKnown()) && expect(m_reader.length() == keys))
        static_cast<void>(expect(m_reader.enterContainer()));
}

void StrictCborReader::beginVersionedMap()
{
    if (expect(m_reader.isMap() && m_reader.isLengthKnown()))
        static_cast<void>(expect(m_reader.enterContainer()));
}

std::size_t StrictCborReader::beginArray(std::size_t fewest, std::size_t most)
{
    if (!expect(m_reader.isArray() && m_reader.isLengthKnown()))
        return 0;
    const quint64 length = m_reader.length();
    if (!expect(length >= fewest && length <= most) || !expect(m_reader.enterContainer()))
        return 0;
    return static_cast<std::size_t>(length);
}

void StrictCborReader::end()
{
    if (expect(!m_reader.hasNext()))
        static_cast<void>(expect(m_reader.leaveContainer()));
}

void StrictCborReader::key(std::uint64_t wanted)
{
    static_cast<void>(expect(natural(std::numeric_limits<std::uint64_t>::max()) == wanted));
}

std::uint64_t StrictCborReader::natural(std::uint64_t most)
{
    if (!expect(m_reader.isUnsignedInteger()))
        return 0;
    const quint64 number = m_reader.toUnsignedInteger();
    if (!expect(number <= most))
        return 0;
    next();
    return m_ok ? number : 0;
}

std::int64_t StrictCborReader::integer(std::int64_t least, std::int64_t most)
{
    constexpr auto largest = static_cast<quint64>(std::numeric_limits<std::int64_t>::max());
    if (!expect(m_reader.isInteger()))
        return 0;
    std::int64_t number = 0;
    if (m_reader.isUnsignedInteger()) {
        if (!expect(m_reader.toUnsignedInteger() <= largest))
            return 0;
        number = static_cast<std::int64_t>(m_reader.toUnsignedInteger());
    } else {
        // The magnitude; 0 stands for 2^64.
        const auto magnitude = static_cast<quint64>(m_reader.toNegativeInteger());
        if (!expect(magnitude != 0 && magnitude <= largest))
            return 0;
        number = -static_cast<std::int64_t>(magnitude);
    }
    if (!expect(number >= least && number <= most))
        return 0;
    next();
    return m_ok ? number : 0;
}

bool StrictCborReader::boolean()
{
    if (!expect(m_reader.isBool()))
        return false;
    const bool value = m_reader.toBool();
    next();
    return m_ok && value;
}

bool StrictCborReader::null()
{
    if (!m_ok || !m_reader.isNull())
        return false;
    next();
    return m_ok;
}

std::string StrictCborReader::text(std::size_t most)
{
    if (!expect(m_reader.isString() && m_reader.isLengthKnown()) || !expect(m_reader.length() <= most))
        return {};
    std::string value = m_reader.readAllUtf8String().toStdString();
    const bool printable = std::ranges::all_of(value, [](char c) { return c >= 0x20 && c < 0x7f; });
    return expect(printable) ? value : std::string{};
}

Value StrictCborReader::value()
{
    if (m_reader.isString())
        return word(text());
    return number(integer());
}

void StrictCborReader::bytes(std::span<std::uint8_t> exactly)
{
    if (!expect(m_reader.isByteArray() && m_reader.isLengthKnown()) ||
        !expect(m_reader.length() == exactly.size()))
        return;
    const QByteArray value = m_reader.readAllByteArray();
    if (expect(value.size() == static_cast<qsizetype>(exactly.size())))
        std::ranges::copy(value, exactly.begin());
}

void StrictCborWriter::value(const Value &value)
{
    if (const auto *integral = std::get_if<std::int64_t>(&value))
        integer(*integral);
    else
        text(std::get<std::string>(value));
}

void StrictCborWriter::bytes(std::span<const std::uint8_t> value)
{
    m_writer.append(QByteArrayView(value.data(), static_cast<qsizetype>(value.size())).toByteArray());
}

} // namespace diskwright
