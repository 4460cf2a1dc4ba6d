// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "table.h"

#include "app/disks/names.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cwchar>

namespace diskwright {

namespace {

char32_t codePoint(std::string_view sequence)
{
    const auto byte = [&](std::size_t at) {
        return static_cast<char32_t>(static_cast<unsigned char>(sequence[at]));
    };
    switch (sequence.size()) {
    case 2: return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
    case 3: return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
    case 4:
        return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) |
               (byte(3) & 0x3F);
    default: return byte(0);
    }
}

struct Letter {
    std::string_view bytes;
    std::size_t cells = 0;
};

std::vector<Letter> lettersOf(std::string_view text)
{
    std::vector<Letter> letters;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(utf8SequenceLength(text), 1);
        const int cells = wcwidth(static_cast<wchar_t>(codePoint(text.substr(0, length))));
        letters.push_back({text.substr(0, length), cells >= 0 ? static_cast<std::size_t>(cells) : 1});
        text.remove_prefix(length);
    }
    return letters;
}

// Below this a path or a name says nothing any more.
constexpr std::size_t narrowestColumn = 20;
constexpr std::size_t gap = 2;

} // namespace

std::size_t displayWidth(std::string_view text)
{
    std::size_t width = 0;
    for (const Letter &letter : lettersOf(text))
        width += letter.cells;
    return width;
}

std::string shortened(std::string_view text, std::size_t most)
{
    if (displayWidth(text) <= most || most == 0)
        return std::string(text);
    const std::vector<Letter> letters = lettersOf(text);
    std::size_t left = most - 1; // one for the ellipsis
    std::size_t front = 0;
    std::size_t back = letters.size();
    // The end says more of a path than its beginning, and gets the odd cell.
    for (bool atBack = true; front < back; atBack = !atBack) {
        const Letter &next = atBack ? letters[back - 1] : letters[front];
        if (next.cells > left)
            break;
        left -= next.cells;
        atBack ? --back : ++front;
    }
    std::string result;
    for (std::size_t at = 0; at < front; ++at)
        result += letters[at].bytes;
    result += "\u2026";
    for (std::size_t at = back; at < letters.size(); ++at)
        result += letters[at].bytes;
    return result;
}

std::string decimalSize(std::uint64_t bytes)
{
    static constexpr std::array<const char *, 7> units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    const int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    char text[48];
    std::snprintf(text, sizeof text, "%.*f %s", digits, value, units[unit]);
    return text;
}

void Table::addColumn(std::string heading, Align align, Fit fit)
{
    m_columns.push_back({std::move(heading), align, fit});
}

void Table::addRow(std::vector<std::string> cells)
{
    cells.resize(m_columns.size());
    m_rows.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widthsWithin(std::size_t most) const
{
    std::vector<std::size_t> widths;
    std::size_t whole = 0;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        std::size_t width = displayWidth(m_columns[column].heading);
        for (const auto &row : m_rows)
            width = std::max(width, displayWidth(row[column]));
        widths.push_back(width);
        whole += width + (column == 0 ? 0 : gap);
    }
    // The widest gives first, and not more than down to the next one.
    while (most != 0 && whole > most) {
        std::size_t widest = widths.size();
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const bool gives = m_columns[column].fit == Fit::Shorten && widths[column] > narrowestColumn;
            if (gives && (widest == widths.size() || widths[column] > widths[widest]))
                widest = column;
        }
        if (widest == widths.size())
            break;
        --widths[widest];
        --whole;
    }
    return widths;
}

std::string Table::render(std::size_t most) const
{
    const std::vector<std::size_t> widths = widthsWithin(most);
    std::string out;
    const auto addLine = [&](const auto &textOf) {
        std::string line;
        for (std::size_t column = 0; column < m_columns.size(); ++column) {
            const std::string text = shortened(textOf(column), widths[column]);
            const std::string padding(widths[column] - displayWidth(text), ' ');
            line += column == 0 ? "" : "  ";
            line += m_columns[column].align == Align::Right ? padding + text : text + padding;
        }
        line.resize(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    };
    addLine([&](std::size_t column) -> const std::string & { return m_columns[column].heading; });
    for (const auto &row : m_rows)
        addLine([&](std::size_t column) -> const std::string & { return row[column]; });
    return out;
}

} // namespace diskwright
