// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "journalstore.h"

#include "../access/diskid.h"
#include "../persist/bootlimit.h"
#include "../persist/bootstore.h"
#include "attribute.h"
#include "transaction.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <syslog.h>

namespace diskwright {

namespace {

std::string historyName(const Journal &journal)
{
    return toHex(journal.id) + ".json";
}

bool isSilent(const JournalItem &item)
{
    return item.sysErrno == ETIMEDOUT;
}

} // namespace

std::uint64_t boottimeNanoseconds()
{
    timespec now = {};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

JournalStore::JournalStore(const SystemRoot &root, const StateDirectory &state, const BootStore *kept)
    : m_root(root)
    , m_state(state)
    , m_kept(kept)
    , m_bootId(diskwright::bootId(root).value_or(std::string{}))
{
}

Result<Descriptor> JournalStore::lock() const
{
    if (m_bootId.empty())
        return fail(Errc::StateFile, "boot_id", "the kernel's boot id can't be read");
    return m_state.lock();
}

Result<> JournalStore::begin(const Journal &journal) const
{
    const std::string id = toHex(journal.id);
    if (m_state.has(Folder::Open, id) || m_state.has(Folder::Record, id) ||
        m_state.has(Folder::History, historyName(journal)))
        return fail(Errc::DuplicateId, id, "was used before");
    const auto open = m_state.names(Folder::Open);
    if (!open)
        return std::unexpected(open.error());
    if (open->size() >= limits::journals)
        return fail(Errc::StateFile, id, "too many open transactions");
    if (auto created = m_state.create(Folder::Open, id, encodeJournal(journal)); !created) {
        static_cast<void>(m_state.remove(Folder::Open, id));
        return created;
    }
    for (const JournalDevice &device : journal.devices) {
        // A kept disk that is not there.
        if (device.identity.diskseq == 0)
            continue;
        const auto held = m_state.replace(Folder::Hold, device.identity.name,
                                          std::to_string(device.identity.diskseq) + '\n');
        if (!held) {
            static_cast<void>(m_state.remove(Folder::Open, id));
            return held;
        }
    }
    return {};
}

Result<> JournalStore::update(const Journal &journal) const
{
    const std::string text = encodeJournal(journal);
    const auto written = m_state.replace(Folder::Open, toHex(journal.id), text);
    if (written)
        return {};
    // It may be in place, and only not known to be on the disk. Everybody goes by it then, so it counts: what
    // a power cut would take are values of this boot alone.
    const auto seen = m_state.read(Folder::Open, toHex(journal.id), limits::journalBytes);
    return seen && *seen == text ? Result<>() : written;
}

Result<> JournalStore::updateRecord(const Journal &journal) const
{
    // The history only tells a client what to ask for; what counts comes last.
    if (auto written = m_state.replace(Folder::History, historyName(journal), historyText(journal)); !written)
        return written;
    // Finished, but perhaps not moved yet: then recover() moves this one.
    const std::string id = toHex(journal.id);
    return m_state.replace(m_state.has(Folder::Open, id) ? Folder::Open : Folder::Record, id,
                           encodeJournal(journal));
}

Result<> JournalStore::finish(Journal &journal) const
{
    journal.state = JournalState::Done;
    if (auto written = update(journal); !written)
        return written;
    releaseHolds();
    refreshLimits(journal);
    // From here on nothing can go wrong for the values; what fails is done by the next recover().
    if (m_state.replace(Folder::History, historyName(journal), historyText(journal)) &&
        m_state.move(Folder::Open, Folder::Record, toHex(journal.id))) {
        m_state.prune(Folder::Record, limits::historyEntries);
        m_state.prune(Folder::History, limits::historyEntries);
    }
    return {};
}

bool JournalStore::end(Journal &journal) const
{
    if (journal.kind == TransactionKind::RestoreAll)
        return putEverythingBack(journal);
    const Targets targets(m_root, journal);
    if (journal.state != JournalState::Ending) {
        if (markForeign(targets, journal))
            journal.why = Errc::Stale;
        journal.state = JournalState::Ending;
        // On a full disk this fails, and the values are put back all the same.
        static_cast<void>(update(journal));
    }
    const bool complete = putBack(targets, journal);
    journal.outcome = complete ? Outcome::Ended : Outcome::RollbackFailed;
    return conclude(journal, complete);
}

void JournalStore::rollBack(Journal &journal) const
{
    const bool complete = putBack(Targets(m_root, journal), journal);
    journal.outcome = complete ? Outcome::RolledBack : Outcome::RollbackFailed;
    static_cast<void>(conclude(journal, complete));
}

bool JournalStore::conclude(Journal &journal, bool complete) const
{
    // A lack of descriptors or memory passes, and a disk that is silent may answer: the journal stays open,
    // and whoever looks next goes on with it.
    const bool passes = !complete && std::ranges::any_of(journal.items, [](const JournalItem &item) {
        return item.sysErrno == EMFILE || item.sysErrno == ENFILE || item.sysErrno == ENOMEM ||
               isSilent(item);
    });
    if (passes) {
        journal.state = JournalState::Ending;
        static_cast<void>(update(journal));
        return false;
    }
    if (finish(journal))
        return true;
    // On a full disk a journal can't be replaced, but it can be removed; if not, it is put back once more.
    if (!complete || !m_state.remove(Folder::Open, toHex(journal.id)))
        return false;
    releaseHolds();
    return true;
}

Result<std::vector<Journal>> JournalStore::pending() const
{
    const auto names = m_state.names(Folder::Open);
    if (!names)
        return std::unexpected(names.error());
    std::vector<Journal> found;
    for (const std::string &id : *names) {
        auto journal = loadJournal(m_state, Folder::Open, id);
        if (!journal && journal.error().sysErrno != 0)
            return std::unexpected(journal.error());
        if (journal && journal->state == JournalState::Pending && journal->bootId == m_bootId)
            found.push_back(std::move(*journal));
    }
    return found;
}

std::vector<std::string> JournalStore::recover() const
{
    const auto names = m_state.names(Folder::Open);
    if (!names)
        return {"the journals can't be listed: " + names.error().reason};
    // Whoever waits for a disk that does not answer waits last.
    auto order = *names;
    std::ranges::stable_partition(order, [&](const std::string &id) {
        const auto journal = loadJournal(m_state, Folder::Open, id);
        return !journal || std::ranges::none_of(journal->items, isSilent);
    });
    std::vector<std::string> found;
    for (const std::string &id : order) {
        if (auto line = recoverOne(id); !line.empty())
            found.push_back(printable(id, 40) + ": " + line);
    }
    return found;
}

std::string JournalStore::recoverOne(const std::string &id) const
{
    auto loaded = transactionIdFromHex(id) ? loadJournal(m_state, Folder::Open, id)
                                           : fail(Errc::StateFile, id, "not a journal's name");
    if (!loaded && loaded.error().sysErrno != 0)
        return "can't be read: " + loaded.error().reason; // a failing disk says nothing about the contents
    if (!loaded) {
        static_cast<void>(m_state.move(Folder::Open, Folder::Quarantine, id));
        m_state.prune(Folder::Quarantine, limits::journals);
        return "set aside: " + loaded.error().reason;
    }
    Journal &journal = *loaded;
    if (journal.state == JournalState::Done)
        return finish(journal) ? "" : "not finished";
    if (journal.bootId != m_bootId) {
        // Runtime values of another boot are gone with it.
        journal.outcome = Outcome::Ended;
        journal.why = Errc::Expired;
        return finish(journal) ? "ended by restart" : "not finished";
    }
    switch (journal.state) {
    case JournalState::Pending:
        if (boottimeNanoseconds() < journal.deadlineBoottimeNanoseconds)
            return {};
        [[fallthrough]];
    case JournalState::Ending: return end(journal) ? std::string(name(journal.outcome)) : "not ended";
    case JournalState::Writing:
        journal.why = Errc::Cancelled;
        rollBack(journal);
        return std::string(name(journal.outcome));
    case JournalState::Done: break;
    }
    return {};
}

bool JournalStore::needsHold(const std::string &disk) const
{
    const auto sequence = m_state.read(Folder::Hold, disk, limits::attributeBytes);
    const auto directory = m_root.blockDevice(disk);
    const auto identity = directory ? readIdentity(*directory, disk) : std::unexpected(directory.error());
    // Another disk under the name, or none: whatever was held is not there any more.
    if (!identity || !sequence || *sequence != std::to_string(identity->diskseq) + '\n')
        return false;
    const auto open = pending();
    if (!open || std::ranges::any_of(*open, [&](const Journal &journal) {
            return std::ranges::any_of(journal.devices, [&](const JournalDevice &device) {
                return device.identity.isSameDevice(*identity);
            });
        }))
        return true;
    const auto items = m_kept ? m_kept->itemsFor(disk) : std::vector<BootItem>{};
    return !items || !std::ranges::all_of(*items, [&](const BootItem &item) {
        const auto now = readAttribute(*directory, *findSetting(item.setting));
        return now && isKeptInForce(m_root, *directory, *findSetting(item.setting), item.value, now->value);
    });
}

void JournalStore::refreshLimits(const Journal &journal) const
{
    const bool movesLimits = std::ranges::any_of(journal.items, [](const JournalItem &item) {
        const bool isDirtyLimit = item.setting == "vm/dirty_bytes" || item.setting == "vm/dirty_ratio";
        return isDirtyLimit && item.result != StepResult::NotAttempted;
    });
    if (!movesLimits || !m_kept)
        return;
    for (const std::string &line : applyKeptLimits(m_root))
        syslog(LOG_WARNING, "kept limit of %s", line.c_str());
}

void JournalStore::releaseHolds() const
{
    for (const std::string &disk : m_state.names(Folder::Hold).value_or(std::vector<std::string>())) {
        if (!needsHold(disk))
            static_cast<void>(m_state.remove(Folder::Hold, disk));
    }
}

} // namespace diskwright
