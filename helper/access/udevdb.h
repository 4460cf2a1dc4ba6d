// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemroot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright {

/// What udev recorded for one block device in run/udev/data/bMAJ:MIN.
struct UdevEntry {
    struct Property {
        std::string key;
        std::string value;
    };
    std::vector<std::string> links; ///< below /dev, without it: "disk/by-id/ata-…" (S: lines)
    std::vector<Property> properties;

    /// The property's value, or null.
    [[nodiscard]] const std::string *property(std::string_view key) const noexcept;
};

/// Most that one entry's file may hold; longer ones are not udev's.
inline constexpr std::size_t udevEntryBytes = std::size_t{64} * 1024;

/// Lines that are not S: or E: with a sound shape are ignored.
[[nodiscard]] UdevEntry parseUdevEntry(std::string_view text);

/// udev's database, opened once.
class UdevDatabase final
{
public:
    /// Works without a database too: then every entry is null.
    explicit UdevDatabase(const SystemRoot &root);

    [[nodiscard]] bool isPresent() const noexcept { return m_data.has_value(); }
    [[nodiscard]] std::optional<UdevEntry> block(std::uint32_t major, std::uint32_t minor) const;

private:
    std::optional<Directory> m_data;
};

/// \p text with udev's \xNN escapes undone (ID_MODEL_ENC, ID_FS_LABEL_ENC). The result may hold any byte.
[[nodiscard]] std::string unescapeUdev(std::string_view text);

} // namespace diskwright
