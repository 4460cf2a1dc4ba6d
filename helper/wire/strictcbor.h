// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../contract/limits.h"
#include "../contract/value.h"

#include <QByteArray>
#include <QCborStreamReader>
#include <QCborStreamWriter>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace diskwright {

/// Reads CBOR by asking for exactly what must come next. The first surprise makes the reader fail for good;
/// from then on every answer is empty, so a decoder is straight-line code that looks at ok() once. Nothing is
/// ever skipped, so nesting is bounded by the decoder's own code. Lengths are compared with their limit
/// before anything is allocated.
class StrictCborReader final
{
public:
    explicit StrictCborReader(const QByteArray &bytes);

    [[nodiscard]] bool ok() const noexcept { return m_ok; }
    void refuse() noexcept { m_ok = false; }

    /// A map of exactly \p keys entries.
    void beginMap(std::uint64_t keys);
    /// A map of any size; only to read a version before its layout is known.
    void beginVersionedMap();
    void key(std::uint64_t wanted);
    [[nodiscard]] std::size_t beginArray(std::size_t fewest, std::size_t most);
    /// Leaves a map or array, which must be used up.
    void end();

    [[nodiscard]] std::uint64_t natural(std::uint64_t most);
    [[nodiscard]] std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                                       std::int64_t most = std::numeric_limits<std::int64_t>::max());
    [[nodiscard]] bool boolean();
    /// Whether null comes next; it is consumed.
    [[nodiscard]] bool null();
    /// Printable ASCII.
    [[nodiscard]] std::string text(std::size_t most = limits::stringBytes);
    /// An integer or a word.
    [[nodiscard]] Value value();
    void bytes(std::span<std::uint8_t> exactly);

    template <std::size_t Size>
    [[nodiscard]] std::array<std::uint8_t, Size> bytes()
    {
        std::array<std::uint8_t, Size> out{};
        bytes(std::span(out));
        return out;
    }
    template <class Unsigned>
    [[nodiscard]] Unsigned small(std::uint64_t most = std::numeric_limits<Unsigned>::max())
    {
        return static_cast<Unsigned>(natural(most));
    }
    template <class Enumeration>
    [[nodiscard]] Enumeration oneOf(Enumeration last)
    {
        return static_cast<Enumeration>(natural(static_cast<std::uint64_t>(last)));
    }

private:
    [[nodiscard]] bool expect(bool asExpected) noexcept;
    void next();

    QCborStreamReader m_reader;
    bool m_ok = true;
};

/// The writing half: definite lengths, shortest integers.
class StrictCborWriter final
{
public:
    StrictCborWriter()
        : m_writer(&m_bytes)
    {
    }
    StrictCborWriter(const StrictCborWriter &) = delete;
    StrictCborWriter &operator=(const StrictCborWriter &) = delete;

    void beginMap(std::uint64_t keys) { m_writer.startMap(keys); }
    void endMap() { m_writer.endMap(); }
    void beginArray(std::uint64_t count) { m_writer.startArray(count); }
    void endArray() { m_writer.endArray(); }
    void key(std::uint64_t number) { natural(number); }
    void natural(std::uint64_t number) { m_writer.append(quint64{number}); }
    void integer(std::int64_t number) { m_writer.append(qint64{number}); }
    void boolean(bool value) { m_writer.append(value); }
    void null() { m_writer.appendNull(); }
    void text(std::string_view value)
    {
        m_writer.appendTextString(value.data(), static_cast<qsizetype>(value.size()));
    }
    void value(const Value &value);
    void bytes(std::span<const std::uint8_t> value);

    [[nodiscard]] const QByteArray &result() const noexcept { return m_bytes; }

private:
    QByteArray m_bytes;
    QCborStreamWriter m_writer;
};

} // namespace diskwright
