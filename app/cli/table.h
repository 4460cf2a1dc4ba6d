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

    void addColumn(std::string heading, Align align = Align::Left);
    /// One cell a column; missing ones are empty.
    void addRow(std::vector<std::string> cells);
    /// Lines without trailing blanks, each ended by a newline.
    [[nodiscard]] std::string render() const;

private:
    struct Column {
        std::string heading;
        Align align = Align::Left;
    };
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Terminal cells that valid UTF-8 takes in the process's locale.
[[nodiscard]] std::size_t displayWidth(std::string_view text);

/// Size as disks are sold, powers of 1000, three digits, the locale's separator: "1.00 TB", "512 MB", "0 B".
[[nodiscard]] std::string decimalSize(std::uint64_t bytes);

} // namespace diskwright
