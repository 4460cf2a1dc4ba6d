// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/currentreader.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <thread>

namespace diskwright {

/// Threads that were left behind outlive the reader.
struct CurrentReader::Shared {
    std::mutex mutex;
    std::condition_variable ended;
    std::set<std::string, std::less<>> busy; ///< disks that are being read
};

namespace {

struct Place {
    Address address;
    std::size_t index = 0; ///< in what was asked for
};

using Values = std::map<std::size_t, std::optional<Value>>;

} // namespace

CurrentReader::CurrentReader(Read read, std::chrono::milliseconds patience)
    : m_read(std::move(read))
    , m_patience(patience)
    , m_shared(std::make_shared<Shared>())
{
}

std::vector<std::optional<Value>> CurrentReader::read(const std::vector<Address> &addresses,
                                                      const QString &root) const
{
    std::vector<std::optional<Value>> found(addresses.size());
    std::map<std::string, std::vector<Place>> byDisk;
    for (std::size_t at = 0; at < addresses.size(); ++at) {
        // What the kernel knows by itself waits for no disk.
        if (addresses[at].target.empty())
            found[at] = m_read(addresses[at], root);
        else
            byDisk[addresses[at].target].push_back({addresses[at], at});
    }
    const auto values = std::make_shared<Values>();
    std::set<std::string, std::less<>> begun;
    for (auto &[disk, places] : byDisk) {
        {
            const std::scoped_lock lock(m_shared->mutex);
            if (!m_shared->busy.insert(disk).second)
                continue;
        }
        try {
            std::thread([shared = m_shared, values, read = m_read, root, disk, places] {
                Values mine;
                for (const Place &place : places)
                    mine[place.index] = read(place.address, root);
                const std::scoped_lock lock(shared->mutex);
                values->merge(mine);
                shared->busy.erase(disk);
                shared->ended.notify_all();
            }).detach();
            begun.insert(disk);
        } catch (const std::system_error &) {
            const std::scoped_lock lock(m_shared->mutex);
            m_shared->busy.erase(disk);
        }
    }
    std::unique_lock lock(m_shared->mutex);
    m_shared->ended.wait_for(lock, m_patience, [&] {
        for (const std::string &disk : begun) {
            if (m_shared->busy.contains(disk))
                return false;
        }
        return true;
    });
    for (const auto &[index, value] : *values)
        found[index] = value;
    return found;
}

std::optional<Value> CurrentReader::read(const Address &address, const QString &root) const
{
    return read(std::vector{address}, root).front();
}

} // namespace diskwright
