// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"

#include "ui/text/format.h"

#include <algorithm>
#include <iterator>

namespace diskwright::ui {

using namespace std::chrono_literals;

namespace {

bool sameObservation(const Observation &a, const Observation &b)
{
    return a.spec == b.spec && a.settingId == b.settingId && a.state == b.state && a.value == b.value &&
           a.offered == b.offered && a.kept == b.kept && a.keptFor == b.keptFor && a.keptItem == b.keptItem &&
           a.setBy == b.setBy && a.min == b.min && a.max == b.max && a.reason == b.reason &&
           a.defaultValue == b.defaultValue;
}

bool sameSettings(const std::vector<Observation> &a, const std::vector<Observation> &b)
{
    return std::ranges::equal(a, b, sameObservation);
}

bool looksSame(const BlockNode &a, const BlockNode &b)
{
    return a.name == b.name && a.id == b.id && a.model == b.model && a.sizeBytes == b.sizeBytes &&
           a.diskseq == b.diskseq && a.mounts == b.mounts && a.system == b.system &&
           a.scheduler == b.scheduler && a.fstype == b.fstype && a.label == b.label && a.notes == b.notes &&
           a.holders == b.holders && a.slaves == b.slaves &&
           std::ranges::equal(a.partitions, b.partitions, looksSame);
}

bool sameHistory(const History &a, const History &b)
{
    return std::ranges::equal(a.entries, b.entries, [](const HistoryEntry &x, const HistoryEntry &y) {
        return x.transaction == y.transaction && x.outcome == y.outcome && x.kept == y.kept &&
               x.undoable == y.undoable;
    });
}

/// How a disk that is gone is called once another one has its kernel name.
std::string goneKey(const BlockNode &disk)
{
    return disk.id ? *disk.id : disk.name + '@' + std::to_string(disk.diskseq.value_or(0));
}

} // namespace

/// Workers post here. They outlive the machine when their disk hangs.
struct Machine::Mailbox {
    std::mutex mutex;
    Machine *machine = nullptr;
};

bool isSameDisk(const BlockNode &a, const BlockNode &b)
{
    if (a.name == b.name && a.diskseq && b.diskseq && a.diskseq == b.diskseq)
        return true;
    const bool alike = a.sizeBytes == b.sizeBytes && a.model == b.model;
    if (a.id || b.id)
        return a.id == b.id && alike;
    // Without id and sequence number nothing tells a disk from its twin that was plugged in meanwhile.
    return !a.diskseq && !b.diskseq && a.name == b.name && a.major == b.major && a.minor == b.minor && alike;
}

Machine::Machine(QString root, QObject *parent)
    : QObject(parent)
    , m_root(std::move(root))
    , m_mailbox(std::make_shared<Mailbox>())
{
    m_reading.records = std::make_shared<Records>();
    m_mailbox->machine = this;
    m_lookAfter.setInterval(250ms);
    connect(&m_lookAfter, &QTimer::timeout, this, &Machine::lookAfter);
}

Machine::~Machine()
{
    {
        const std::scoped_lock lock(m_mailbox->mutex);
        m_mailbox->machine = nullptr;
    }
    // An ordinary reading ends in milliseconds; one that hangs is not waited for.
    if (m_job)
        static_cast<void>(m_job->waitFor(patience));
}

static const std::vector<Observation> &find(const std::map<std::string, std::vector<Observation>> &all,
                                            const std::string &target)
{
    static const std::vector<Observation> none;
    const auto found = all.find(target);
    return found != all.end() ? found->second : none;
}

const std::vector<Observation> &Machine::settings(const std::string &target) const
{
    return find(m_reading.settings, target);
}

const std::vector<Observation> &Machine::shown(const std::string &target) const
{
    return find(m_reading.shown, target);
}

const Observation *Machine::setting(const Address &address) const
{
    const auto &all = settings(address.target);
    const auto found = std::ranges::find_if(all, [&](const Observation &observation) {
        return observation.spec->domain == address.domain && observation.spec->key == address.key;
    });
    return found != all.end() ? &*found : nullptr;
}

bool Machine::hasRead(const std::string &target) const
{
    return m_reading.settings.contains(target);
}

const BlockNode *Machine::node(const std::string &target) const
{
    if (const auto found = m_gone.find(target); found != m_gone.end())
        return &found->second;
    return disks().find(target);
}

Presence Machine::presence(const std::string &target) const
{
    if (target.empty())
        return Presence::Here;
    if (m_gone.contains(target) || !disks().find(target))
        return Presence::Gone;
    return m_stuck.contains(target) ? Presence::Silent : Presence::Here;
}

std::chrono::seconds Machine::silentFor(const std::string &target) const
{
    const auto found = m_stuck.find(target);
    if (found == m_stuck.end())
        return 0s;
    return std::chrono::floor<std::chrono::seconds>(ReadingJob::Clock::now() - found->second.since);
}

QString Machine::diskTitle(const std::string &target) const
{
    const BlockNode *disk = node(target);
    if (!disk)
        return toQString(target);
    // What stands on disks has no model; whoever made it gave it a name.
    QString title;
    if (disk->model)
        title = toQString(*disk->model);
    else if (disk->mapperName)
        title = toQString(*disk->mapperName);
    else if (disk->volume)
        title = toQString(*disk->volume);
    else if (disk->backingFile)
        title = toQString(disk->backingFile->substr(disk->backingFile->rfind('/') + 1));
    title = title.simplified();
    return title.isEmpty() ? toQString(target) : title;
}

QString Machine::distinctTitle(const std::string &target) const
{
    const QString title = diskTitle(target);
    const bool isShared = std::ranges::any_of(disks().disks(), [&](const BlockNode &other) {
        return other.name != target && diskTitle(other.name) == title;
    });
    return isShared ? tr("%1 (%2)").arg(title, toQString(target)) : title;
}

PlanSnapshot Machine::snapshot() const
{
    PlanSnapshot snapshot;
    const auto isHere = [this](const std::string &target) { return presence(target) == Presence::Here; };
    for (const BlockNode &disk : disks().disks()) {
        if (isHere(disk.name)) {
            snapshot.add(PlanDisk{identityOf(disk), disk.id.value_or(std::string()),
                                  diskTitle(disk.name).toStdString(), disk.system});
        }
    }
    for (const auto &[target, observations] : m_reading.settings) {
        if (!isHere(target))
            continue;
        for (const Observation &observation : observations) {
            PlanSetting setting{observation.address(), observation.value, observation.offered, std::nullopt};
            switch (observation.state) {
            case ObservedState::Current: break;
            // An iosched row is absent until its scheduler is active; the plan may make it so first.
            case ObservedState::Absent:
                if (observation.spec->scheduler.empty())
                    setting.unavailable = Errc::Absent;
                break;
            case ObservedState::Unreadable: setting.unavailable = Errc::NotAuthorized; break;
            case ObservedState::Unparsable: setting.unavailable = Errc::Malformed; break;
            case ObservedState::ReadOnly: setting.unavailable = Errc::ReadOnly; break;
            }
            snapshot.add(std::move(setting));
        }
    }
    return snapshot;
}

// What was not read this time is shown as it was last seen, as long as it is the same disk.
void Machine::carryOver(const Reading &before)
{
    using Settings = std::map<std::string, std::vector<Observation>>;
    const auto keepOf = [](const Settings &old, Settings &now, const std::string &from,
                           const std::string &to) {
        const auto found = old.find(from);
        if (found == old.end())
            return;
        const auto [place, isNew] = now.try_emplace(to, found->second);
        for (Observation &observation : place->second) {
            if (isNew)
                observation.target = to;
        }
    };
    const auto keep = [&](const std::string &from, const std::string &to) {
        keepOf(before.settings, m_reading.settings, from, to);
        keepOf(before.shown, m_reading.shown, from, to);
    };
    keep({}, {});
    const auto isElsewhere = [this](const BlockNode &disk) {
        const BlockNode *now = disk.id ? m_reading.disks.find(*disk.id) : nullptr;
        return now && isSameDisk(*now, disk);
    };
    for (auto &[target, disk] : std::exchange(m_gone, {})) {
        const BlockNode *back = m_reading.disks.find(target);
        if (isElsewhere(disk) || (back && isSameDisk(*back, disk)))
            continue; // whoever holds something of it asks for its new name
        const std::string key = m_reading.disks.find(target) ? goneKey(disk) : target;
        keep(target, key);
        m_gone.emplace(key, std::move(disk));
    }
    for (const BlockNode &disk : before.disks.disks()) {
        const BlockNode *now = m_reading.disks.find(disk.name);
        if (now && isSameDisk(*now, disk)) {
            keep(disk.name, disk.name);
        } else if (!isElsewhere(disk) && m_keepsGone && m_keepsGone(disk.name)) {
            const std::string key = now ? goneKey(disk) : disk.name;
            keep(disk.name, key);
            m_gone.insert_or_assign(key, disk);
        }
    }
}

// What lies below a silent layer can't be seen to carry the system; it still does.
void Machine::keepSystemDisks(const DiskList &before)
{
    std::vector<BlockNode> disks = m_reading.disks.disks();
    for (BlockNode &disk : disks) {
        const BlockNode *old = before.find(disk.name);
        disk.system = disk.system || (old && old->system && isSameDisk(*old, disk));
    }
    m_reading.disks = DiskList(std::move(disks), m_reading.disks.mountsKnown());
}

void Machine::take(Reading reading)
{
    if (!reading.records)
        reading.records = m_reading.records;
    const bool firstTime = !std::exchange(m_wasRead, true);
    const Reading before = std::exchange(m_reading, std::move(reading));
    if (!m_reading.start && !m_reading.startError) {
        m_reading.start = before.start;
        m_reading.startError = before.startError;
    }
    if (!m_reading.problems)
        m_reading.problems = before.problems;
    if (!m_reading.error) {
        if (!m_stuck.empty())
            keepSystemDisks(before.disks);
        const auto goneBefore = m_gone.size();
        carryOver(before);
        if (firstTime || before.error || goneBefore != m_gone.size() ||
            before.disks.mountsKnown() != m_reading.disks.mountsKnown() ||
            !std::ranges::equal(before.disks.disks(), m_reading.disks.disks(), looksSame))
            Q_EMIT disksChanged();
    } else {
        m_reading.disks = before.disks;
        carryOver(before);
        if (before.error != m_reading.error)
            Q_EMIT disksChanged();
    }
    for (const auto &[target, settings] : m_reading.settings) {
        const auto old = before.settings.find(target);
        if (old == before.settings.end() || !sameSettings(old->second, settings) ||
            !sameSettings(find(before.shown, target), shown(target)))
            Q_EMIT settingsChanged(target);
    }
    if (before.records != m_reading.records &&
        !sameHistory(before.records->history, m_reading.records->history))
        Q_EMIT historyChanged();
    Q_EMIT wasRead();
}

void Machine::dropGone()
{
    const auto dropped = std::erase_if(
        m_gone, [this](const auto &entry) { return !m_keepsGone || !m_keepsGone(entry.first); });
    if (dropped > 0)
        Q_EMIT disksChanged();
}

void Machine::watch(std::vector<std::string> targets, bool allDisks, bool allShown, bool startStatus,
                    bool problems)
{
    m_watched = std::move(targets);
    m_watchesAll = allDisks;
    m_watchesShown = allShown;
    m_watchesStart = startStatus;
    m_watchesProblems = problems;
}

void Machine::readAgain(const std::string &target)
{
    readThen({target}, {});
}

void Machine::readThen(const std::vector<std::string> &targets, std::function<void()> done)
{
    if (done)
        m_thenNext.push_back(std::move(done));
    for (const std::string &target : targets) {
        if (!std::ranges::contains(m_asked, target))
            m_asked.push_back(target);
    }
    if (m_job)
        m_again = true;
    else
        start();
}

ReadingWish Machine::wish() const
{
    ReadingWish wish;
    wish.targets = m_watched;
    wish.targets.insert(wish.targets.end(), m_asked.begin(), m_asked.end());
    wish.allDisks = m_watchesAll;
    wish.allShown = m_watchesShown;
    wish.startStatus = m_watchesStart;
    wish.problems = m_watchesProblems;
    wish.known = m_wasRead ? m_reading.records : nullptr;
    wish.beforeDisk = m_beforeDisk;
    for (const auto &stuck : m_stuck) {
        const BlockNode *disk = disks().find(stuck.first);
        BlockNode unknown;
        unknown.name = stuck.first;
        unknown.type = "disk";
        wish.silent.emplace(stuck.first, disk ? *disk : unknown);
    }
    return wish;
}

void Machine::start()
{
    ReadingWish next = wish();
    m_again = false;
    m_asked.clear();
    std::ranges::move(std::exchange(m_thenNext, {}), std::back_inserter(m_thenNow));
    adopt(ReadingJob::start(
        m_root, std::move(next), [mailbox = m_mailbox](const std::shared_ptr<ReadingJob> &job) {
            const std::scoped_lock lock(mailbox->mutex);
            if (mailbox->machine) {
                QMetaObject::invokeMethod(
                    mailbox->machine, [machine = mailbox->machine, job] { machine->arrived(job); },
                    Qt::QueuedConnection);
            }
        }));
}

void Machine::adopt(std::shared_ptr<ReadingJob> job)
{
    m_job = std::move(job);
    m_lookAfter.start();
}

void Machine::arrived(const std::shared_ptr<ReadingJob> &job)
{
    if (m_job == job) {
        m_job = nullptr;
        if (m_stuck.empty())
            m_lookAfter.stop();
        const auto waiting = std::exchange(m_thenNow, {});
        take(job->take());
        if (m_again && !m_job)
            start();
        for (const auto &done : waiting)
            done();
        return;
    }
    // A disk answers again. What it said is as old as its silence: it is asked anew.
    const auto answered = std::erase_if(m_stuck, [&](const auto &stuck) { return stuck.second.job == job; });
    if (answered > 0) {
        Q_EMIT silenceChanged();
        readAgain();
    }
}

// Only while a reading runs, or a disk is silent.
void Machine::lookAfter()
{
    // One that was started by somebody else tells nobody that it ended.
    std::vector<std::shared_ptr<ReadingJob>> ended;
    if (m_job && m_job->waitFor(0ms))
        ended.push_back(m_job);
    for (const auto &stuck : m_stuck) {
        if (stuck.second.job->waitFor(0ms))
            ended.push_back(stuck.second.job);
    }
    for (const auto &job : ended)
        arrived(job);
    const auto now = ReadingJob::Clock::now();
    bool changed = false;
    if (m_job) {
        const ReadingJob::Place place = m_job->place();
        if (!place.disk.empty() && now - place.since >= patience) {
            m_stuck.insert_or_assign(place.disk, Stuck{std::exchange(m_job, nullptr), place.since});
            changed = true;
            start();
        }
    }
    for (auto &[name, stuck] : m_stuck) {
        const auto whole = std::chrono::floor<std::chrono::seconds>(now - stuck.since);
        changed = changed || whole != stuck.shown;
        stuck.shown = whole;
    }
    if (changed)
        Q_EMIT silenceChanged();
}

} // namespace diskwright::ui
