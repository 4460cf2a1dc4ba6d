// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/access/systemroot.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace diskwright {

/// A machine's tree in a folder of its own, gone with the object.
class FakeTree final
{
public:
    FakeTree() { std::filesystem::create_directories(m_path / "sys/block"); }

    void file(std::string_view relative, std::string_view text) const
    {
        const auto place = m_path / relative;
        std::filesystem::create_directories(place.parent_path());
        std::ofstream(place, std::ios::binary) << text;
    }
    void folder(std::string_view relative) const { std::filesystem::create_directories(m_path / relative); }
    void link(std::string_view relative, std::string_view target) const
    {
        const auto place = m_path / relative;
        std::filesystem::create_directories(place.parent_path());
        std::filesystem::create_symlink(target, place);
    }
    /// A plain folder in sys/block with what the smallest useful disk has.
    void disk(const std::string &name, const std::string &number,
              const std::map<std::string, std::string> &more = {}) const
    {
        const std::string folder = "sys/block/" + name + '/';
        file(folder + "dev", number + '\n');
        file(folder + "size", "2048\n");
        for (const auto &[key, text] : more)
            file(folder + key, text);
    }
    void partition(const std::string &disk, const std::string &name, const std::string &number) const
    {
        const std::string folder = "sys/block/" + disk + '/' + name + '/';
        file(folder + "dev", number + '\n');
        file(folder + "size", "1024\n");
        file(folder + "partition", "1\n");
    }
    void slave(const std::string &disk, const std::string &on) const
    {
        folder("sys/block/" + disk + "/slaves/" + on);
    }

    [[nodiscard]] SystemRoot root() const { return SystemRoot::at(m_path.string()).value(); }
    [[nodiscard]] std::filesystem::path path() const { return m_path; }

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_path{m_folder.path().toStdString()};
};

} // namespace diskwright
