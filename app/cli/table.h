// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// Columns of text that a terminal shows aligned; wide characters count for what they take there.
class Table final
{
public:
    enum class Align { Left, Right };
    enum class Fit { Whole, Shorten };

    /// \p fit: whether its cells may give up their middle where lines have a width.
    void addColumn(std::string heading, Align align = Align::Left, Fit fit = Fit::Whole);
    /// One cell a column; missing ones are empty.
    void addRow(std::vector<std::string> cells);
    /// Lines without trailing blanks, each ended by a newline. Where they would be longer than \p most cells
    /// (0: as long as they like) columns that may be shortened are.
    [[nodiscard]] std::string render(std::size_t most = 0) const;

private:
    struct Column {
        std::string heading;
        Align align = Align::Left;
        Fit fit = Fit::Whole;
    };
    [[nodiscard]] std::vector<std::size_t> widthsWithin(std::size_t most) const;
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Terminal cells that valid UTF-8 takes in the process's locale.
[[nodiscard]] std::size_t displayWidth(std::string_view text);

/// The text in at most \p most cells, with an ellipsis in place of its middle if it takes more.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// Size as disks are sold, powers of 1000, three digits, the locale's separator: "1.00 TB", "512 MB", "0 B".
[[nodiscard]] std::string decimalSize(std::uint64_t bytes);

} // namespace diskwright
