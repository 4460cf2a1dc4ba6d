// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "firstseen.h"

#include <algorithm>
#include <tuple>

namespace diskwright {

FirstSeen::FirstSeen(const JournalStore &journals, const Journal &own)
    : m_journals{own}
{
    const auto names = journals.state().names(Folder::Record);
    for (const std::string &id : names ? *names : std::vector<std::string>()) {
        auto journal = loadJournal(journals.state(), Folder::Record, id);
        // What a restoration lists as before is what it aims at.
        if (journal && journal->bootId == journals.bootId() && journal->kind != TransactionKind::RestoreAll)
            m_journals.push_back(std::move(*journal));
    }
    std::ranges::sort(m_journals, {}, [](const Journal &journal) {
        return std::tuple(journal.startBoottimeNanoseconds, journal.id);
    });
}

std::optional<Value> FirstSeen::valueOf(const std::optional<DeviceIdentity> &device,
                                        std::string_view setting) const
{
    for (const Journal &journal : m_journals) {
        const auto found = std::ranges::find_if(journal.items, [&](const JournalItem &item) {
            const bool isSameTarget = item.device && device
                                          ? journal.devices[*item.device].identity.isSameDevice(*device)
                                          : !item.device && !device;
            return isSameTarget && item.setting == setting && item.before;
        });
        if (found != journal.items.end())
            return found->before;
    }
    return {};
}

} // namespace diskwright
