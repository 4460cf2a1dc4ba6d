// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"

#include "app/apply/trialstore.h"
#include "ui/text/format.h"

#include <algorithm>

namespace diskwright::ui {

namespace {

Knowledge knowledgeOf(const KeptSet &kept, const History &history)
{
    Knowledge knowledge;
    knowledge.kept = [&kept](const SettingSpec &spec, std::string_view, const std::string *id) {
        const auto found = std::ranges::find_if(kept.items, [&](const KeptItem &item) {
            return item.settingId == spec.id &&
                   (item.target.empty() ? !isPerDisk(spec.domain) : id && item.target == *id);
        });
        return found != kept.items.end() ? std::optional(found->value) : std::nullopt;
    };
    knowledge.beforeFirstChange = [&history, boot = currentBootId()](const SettingSpec &spec,
                                                                     std::string_view target,
                                                                     const std::string *id) {
        std::optional<Value> first;
        // Newest first: the last match is the oldest of this boot.
        for (const HistoryEntry &entry : history.entries) {
            if (entry.bootId != boot)
                continue;
            for (const HistoryStep &step : entry.steps) {
                const bool sameDisk =
                    id && !step.diskId.empty() ? step.diskId == *id : step.address.target == target;
                if (step.address.domain == spec.domain && step.address.key == spec.key && sameDisk &&
                    step.before && step.result != StepResult::NotAttempted)
                    first = step.before;
            }
        }
        return first;
    };
    return knowledge;
}

bool sameObservation(const Observation &a, const Observation &b)
{
    return a.spec == b.spec && a.state == b.state && a.value == b.value && a.offered == b.offered &&
           a.kept == b.kept && a.setBy == b.setBy && a.min == b.min && a.max == b.max &&
           a.reason == b.reason && a.defaultValue == b.defaultValue;
}

bool sameSettings(const std::vector<Observation> &a, const std::vector<Observation> &b)
{
    return std::ranges::equal(a, b, sameObservation);
}

bool sameDisk(const BlockNode &a, const BlockNode &b)
{
    return a.name == b.name && a.id == b.id && a.model == b.model && a.sizeBytes == b.sizeBytes &&
           a.diskseq == b.diskseq && a.mounts == b.mounts && a.system == b.system &&
           a.scheduler == b.scheduler && std::ranges::equal(a.partitions, b.partitions, sameDisk);
}

bool sameHistory(const History &a, const History &b)
{
    return std::ranges::equal(a.entries, b.entries, [](const HistoryEntry &x, const HistoryEntry &y) {
        return x.transaction == y.transaction && x.outcome == y.outcome && x.kept == y.kept &&
               x.undoable == y.undoable;
    });
}

} // namespace

Reading readMachine(const QString &root, const std::vector<std::string> &targets)
{
    Reading reading;
    auto tree = root == QStringLiteral("/") ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    if (!tree) {
        reading.error = tree.error();
        return reading;
    }
    auto disks = scanDisks(*tree);
    if (!disks) {
        reading.error = disks.error();
        return reading;
    }
    reading.disks = std::move(*disks);
    reading.history = readHistory(root);
    if (auto kept = readKeptSet(root))
        reading.kept = std::move(*kept);
    const Knowledge knowledge = knowledgeOf(reading.kept, reading.history);
    for (const std::string &target : targets) {
        if (target.empty()) {
            reading.settings[target] = observeVm(*tree, knowledge);
        } else if (const BlockNode *disk = reading.disks.find(target)) {
            reading.settings[target] = observe(*tree, *disk, knowledge);
        }
    }
    return reading;
}

Machine::Machine(QString root, QObject *parent)
    : QObject(parent)
    , m_root(std::move(root))
{
    m_pool.setMaxThreadCount(1);
    // A thread that lives on would keep its stack resident while nothing is read.
    m_pool.setExpiryTimeout(1000);
}

Machine::~Machine()
{
    m_pool.waitForDone();
}

const std::vector<Observation> &Machine::settings(const std::string &target) const
{
    static const std::vector<Observation> none;
    const auto found = m_reading.settings.find(target);
    return found != m_reading.settings.end() ? found->second : none;
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

QString Machine::diskTitle(const std::string &kernelName) const
{
    const BlockNode *disk = disks().find(kernelName);
    return disk && disk->model ? toQString(*disk->model).simplified() : toQString(kernelName);
}

PlanSnapshot Machine::snapshot() const
{
    PlanSnapshot snapshot;
    for (const BlockNode &disk : disks().disks()) {
        snapshot.add(PlanDisk{identityOf(disk), disk.id.value_or(std::string()),
                              diskTitle(disk.name).toStdString(), disk.system});
    }
    for (const auto &[target, observations] : m_reading.settings) {
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

void Machine::take(Reading reading)
{
    const Reading before = std::exchange(m_reading, std::move(reading));
    for (const auto &entry : m_reading.settings) {
        if (std::ranges::find(m_wanted, entry.first) == m_wanted.end())
            m_wanted.push_back(entry.first);
    }
    if (before.error != m_reading.error ||
        !std::ranges::equal(before.disks.disks(), m_reading.disks.disks(), sameDisk))
        Q_EMIT disksChanged();
    for (const auto &[target, settings] : m_reading.settings) {
        const auto old = before.settings.find(target);
        if (old == before.settings.end() || !sameSettings(old->second, settings))
            Q_EMIT settingsChanged(target);
    }
    if (!sameHistory(before.history, m_reading.history))
        Q_EMIT historyChanged();
    Q_EMIT wasRead();
}

void Machine::readAgain(const std::string &target)
{
    if (std::ranges::find(m_wanted, target) == m_wanted.end())
        m_wanted.push_back(target);
    if (m_running) {
        m_again = true;
        return;
    }
    start();
}

void Machine::start()
{
    m_running = true;
    m_again = false;
    m_pool.start([this, root = m_root, targets = m_wanted] {
        auto reading = std::make_shared<Reading>(readMachine(root, targets));
        QMetaObject::invokeMethod(
            this,
            [this, reading] {
                m_running = false;
                take(std::move(*reading));
                if (m_again)
                    start();
            },
            Qt::QueuedConnection);
    });
}

} // namespace diskwright::ui
