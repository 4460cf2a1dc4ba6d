// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mounts.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace diskwright {

namespace {

/// A mount point, told by the mount it is in and its path.
struct Place {
    std::uint64_t parent = 0;
    std::string_view target;
    bool operator==(const Place &) const = default;
};

struct PlaceHash {
    std::size_t operator()(const Place &place) const noexcept
    {
        return std::hash<std::string_view>{}(place.target) ^ (place.parent * 0x9E3779B97F4A7C15ULL);
    }
};

class Cover
{
public:
    explicit Cover(const std::vector<MountEntry> &mounts)
        : m_mounts(mounts)
        , m_states(mounts.size(), State::Unknown)
    {
        m_places.reserve(mounts.size());
        m_byId.reserve(mounts.size());
        for (std::size_t index = 0; index < mounts.size(); ++index) {
            // A mount that is its own parent, as the first one may be, does not lie over itself.
            if (mounts[index].parent != mounts[index].id)
                m_places.insert({mounts[index].parent, mounts[index].target});
            m_byId.try_emplace(mounts[index].id, index);
        }
    }

    bool isCovered(std::size_t index)
    {
        const MountEntry &mount = m_mounts[index];
        return m_places.contains({mount.id, mount.target}) || isBuried(index);
    }

private:
    enum class State : std::uint8_t { Unknown, Open, Buried };

    /// A sibling over one of the folders that lead to the mount point.
    [[nodiscard]] bool hasSiblingAbove(const MountEntry &mount) const
    {
        const std::string_view target = mount.target;
        for (std::size_t end = target.rfind('/'); end != std::string_view::npos && target.size() > 1;
             end = end == 0 ? std::string_view::npos : target.rfind('/', end - 1)) {
            if (m_places.contains({mount.parent, target.substr(0, end == 0 ? 1 : end)}))
                return true;
        }
        return false;
    }

    /// Whether it or one of the mounts that it is in lies below a covered folder. A circle of parents, which
    /// the kernel never shows, counts as open.
    bool isBuried(std::size_t first)
    {
        std::vector<std::size_t> chain;
        std::size_t index = first;
        State state = State::Open;
        while (true) {
            if (m_states[index] != State::Unknown) {
                state = m_states[index];
                break;
            }
            m_states[index] = State::Open;
            chain.push_back(index);
            if (hasSiblingAbove(m_mounts[index])) {
                state = State::Buried;
                break;
            }
            const auto parent = m_byId.find(m_mounts[index].parent);
            if (parent == m_byId.end() || parent->second == index)
                break;
            index = parent->second;
        }
        for (const std::size_t passed : chain)
            m_states[passed] = state;
        return state == State::Buried;
    }

    const std::vector<MountEntry> &m_mounts;
    std::vector<State> m_states;
    std::unordered_set<Place, PlaceHash> m_places;
    std::unordered_map<std::uint64_t, std::size_t> m_byId;
};

} // namespace

std::vector<bool> coveredMounts(const std::vector<MountEntry> &mounts)
{
    Cover cover(mounts);
    std::vector<bool> covered(mounts.size());
    for (std::size_t index = 0; index < mounts.size(); ++index)
        covered[index] = cover.isCovered(index);
    return covered;
}

const MountEntry *mountOfPath(const std::vector<MountEntry> &mounts, const std::vector<bool> &covered,
                              std::string_view path)
{
    const MountEntry *best = nullptr;
    for (std::size_t index = 0; index < mounts.size(); ++index) {
        const MountEntry &mount = mounts[index];
        const bool lies = mount.target == "/" || path == mount.target ||
                          (path.starts_with(mount.target) && path[mount.target.size()] == '/');
        if (lies && !covered[index] && (!best || mount.target.size() >= best->target.size()))
            best = &mount;
    }
    return path.starts_with('/') ? best : nullptr;
}

} // namespace diskwright
