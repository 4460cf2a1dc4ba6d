// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "settinglistmodel.h"

#include "app/apply/describe.h"
#include "app/settings/texts.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// About five settings a page that most people look for (a limit in two units is one); the rest is one click
// away.
static bool isOften(const SettingSpec &spec)
{
    static constexpr auto often = std::to_array<std::string_view>(
        {"queue/scheduler", "queue/nr_requests", "queue/read_ahead_kb", "queue/wbt_lat_usec",
         "queue/max_sectors_kb", "vm/dirty_background_bytes", "vm/dirty_background_ratio", "vm/dirty_bytes",
         "vm/dirty_ratio", "vm/dirty_expire_centisecs", "vm/swappiness", "vm/vfs_cache_pressure"});
    return std::ranges::find(often, spec.id) != often.end();
}

SettingFamily familyOf(const SettingSpec &spec)
{
    switch (spec.domain) {
    case Domain::Queue:
    case Domain::Mount:
    case Domain::Ata:
    case Domain::Link:
    case Domain::Nvme: return SettingFamily::Queue;
    case Domain::IoSched: return SettingFamily::Scheduler;
    case Domain::Bdi: return SettingFamily::Cache;
    case Domain::Vm: break;
    }
    return spec.key.starts_with("dirty") || spec.key == "laptop_mode" ? SettingFamily::Writing
                                                                      : SettingFamily::Memory;
}

static QString translated(std::string_view text)
{
    return text.empty() ? QString() : QCoreApplication::translate(settingTextContext, text.data());
}

QString settingTitle(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    return text && !text->title.empty() ? translated(text->title) : toQString(spec.key);
}

QString settingSummary(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    return text ? translated(text->summary) : QString();
}

QString settingExplanation(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    return text ? translated(text->text) : QString();
}

QString settingOrigin(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    QString origin = toQString(spec.key);
    if (text && !text->document.empty())
        origin += u" · "_s + toQString(text->document);
    return origin;
}

// What lives elsewhere today is not gone: it is found by searching. Tools of the IDE days were about disks
// with that plug.
static std::vector<const VanishedSetting *> vanishedOn(const BlockNode *disk)
{
    static constexpr auto ofDisks = std::to_array<std::string_view>({"boot", "dev", "scheduler"});
    static constexpr auto ofAtaDisks = std::to_array<std::string_view>({"drive", "proc", "tool"});
    const bool isAta = disk && (disk->transport == "sata" || disk->transport == "ata");
    std::vector<const VanishedSetting *> vanished;
    for (const VanishedSetting &entry : vanishedSettings()) {
        const std::string_view family = entry.id.substr(0, entry.id.find('/'));
        const bool belongs = disk ? std::ranges::contains(ofDisks, family) ||
                                        (isAta && std::ranges::contains(ofAtaDisks, family))
                                  : family == "vm";
        if (belongs && entry.fate != Fate::Elsewhere)
            vanished.push_back(&entry);
    }
    return vanished;
}

SettingListModel::SettingListModel(const Machine &machine, StagedChanges &staged, std::string target,
                                   QObject *parent)
    : QAbstractListModel(parent)
    , m_machine(machine)
    , m_staged(staged)
    , m_target(std::move(target))
{
    connect(&machine, &Machine::settingsChanged, this, [this](const std::string &changed) {
        if (changed == m_target)
            rebuild();
    });
    connect(&staged, &StagedChanges::changed, this, &SettingListModel::refreshStaged);
    rebuild();
}

void SettingListModel::rebuild()
{
    const auto &observations = m_machine.settings(m_target);
    std::vector<Entry> entries;
    for (const Observation &observation : observations) {
        const std::string_view pair = observation.spec->pair;
        const auto other = std::ranges::find_if(
            entries, [&](const Entry &entry) { return !pair.empty() && entry.now().spec->id == pair; });
        if (other != entries.end()) {
            other->units.push_back(observation);
            // The kernel shows 0 in the one that is not in force.
            const auto inForce = std::ranges::find_if(
                other->units, [](const Observation &unit) { return unit.value && *unit.value != number(0); });
            if (inForce != other->units.end())
                other->active = static_cast<std::size_t>(inForce - other->units.begin());
            continue;
        }
        Entry entry;
        entry.units.push_back(observation);
        entry.group = observation.state == ObservedState::Absent ? SettingGroup::NotHere
                      : isOften(*observation.spec)               ? SettingGroup::Often
                                                                 : SettingGroup::All;
        entry.family = familyOf(*observation.spec);
        entries.push_back(std::move(entry));
    }
    // In the order in which they take effect: a scheduler stands above what it resets.
    // What can't be changed stands behind what can.
    std::ranges::stable_sort(entries, {}, [](const Entry &entry) {
        return std::pair(entry.now().state != ObservedState::Current, entry.now().spec->order);
    });
    std::vector<const VanishedSetting *> vanished;
    const BlockNode *disk = m_machine.node(m_target);
    if (!entries.empty() && (disk || m_target.empty()))
        vanished = vanishedOn(disk);
    std::vector<std::string> shownIds;
    for (const Observation &observation : shown())
        shownIds.push_back(observation.settingId);
    const bool sameShown = shownIds == m_shownIds && vanished == m_vanished;
    m_shownIds = std::move(shownIds);
    m_vanished = std::move(vanished);
    const bool sameRows =
        sameShown && std::ranges::equal(entries, m_entries, [](const Entry &a, const Entry &b) {
            return a.now().spec->id == b.now().spec->id && a.group == b.group &&
                   a.units.size() == b.units.size() && a.now().offered == b.now().offered;
        });
    if (sameRows && !m_entries.empty()) {
        m_entries = std::move(entries);
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    } else {
        beginResetModel();
        m_entries = std::move(entries);
        endResetModel();
    }
    for (const Observation &observation : observations)
        m_staged.refresh(observation.address(), observation.value);
}

void SettingListModel::refreshStaged()
{
    if (!m_entries.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

const StagedEdit *SettingListModel::stagedEdit(int row) const
{
    for (const Observation &unit : entry(row).units) {
        if (const StagedEdit *edit = m_staged.set().find(unit.address()))
            return edit;
    }
    return nullptr;
}

const Observation &SettingListModel::shownUnit(int row) const
{
    const Entry &shown = entry(row);
    for (const Observation &unit : shown.units) {
        if (m_staged.set().find(unit.address()))
            return unit;
    }
    return shown.now();
}

std::optional<Value> SettingListModel::shownValue(int row) const
{
    const StagedEdit *edit = stagedEdit(row);
    return edit ? std::optional(edit->wanted) : entry(row).now().value;
}

std::vector<SettingListModel::Mark> SettingListModel::marks(int row) const
{
    std::vector<Mark> marks;
    const Entry &shown = entry(row);
    if (const StagedEdit *edit = stagedEdit(row)) {
        const auto &now = shown.now();
        const QString value = now.value ? valueText(*now.spec, *now.value) : tr("not known");
        marks.push_back({u"●"_s, tr("staged, now %1").arg(value),
                         tr("%1 is staged and not applied yet. It is %2 now.")
                             .arg(valueText(*edit->spec, edit->wanted), value)});
    }
    for (const Observation &unit : shown.units) {
        if (unit.kept) {
            const QString value = valueText(*unit.spec, *unit.kept);
            const bool holds = unit.value == unit.kept;
            marks.push_back(
                {u"⌂"_s, holds ? tr("every start") : tr("%1 at every start").arg(value),
                 unit.keptFor ? tr("%1 is set at every start, for %2.").arg(value, everyDiskOf(*unit.keptFor))
                              : tr("%1 is set at every start.").arg(value)});
        }
        if (unit.setBy) {
            marks.push_back(
                {u"▲"_s, toQString(*unit.setBy), tr("%1 sets this too.").arg(toQString(*unit.setBy))});
        }
        if (unit.spec->risk == Risk::DataLoss)
            marks.push_back({u"⚠"_s, tr("may lose data"), tr("A power cut or crash may lose data.")});
    }
    return marks;
}

Result<> SettingListModel::stage(int row, std::size_t unit, const Value &value)
{
    const Observation &observation = entry(row).units[unit];
    // What the disk takes now; with another scheduler it may take more.
    const auto *wanted = std::get_if<std::int64_t>(&value);
    const bool staysSo = m_staged.set().find(Address{Domain::Queue, m_target, "scheduler"}) == nullptr;
    const bool isOutside = wanted && ((observation.min && *wanted < *observation.min) ||
                                      (observation.max && *wanted > *observation.max));
    if (isOutside && staysSo && observation.min && observation.max) {
        return fail(Errc::OutOfRange, toText(value), "outside of what this disk takes now",
                    std::to_string(*observation.min) + " to " + std::to_string(*observation.max));
    }
    return m_staged.stage(observation.address(), observation.value, value);
}

void SettingListModel::unstage(int row)
{
    if (const StagedEdit *edit = stagedEdit(row))
        m_staged.unstage(Address(edit->address));
}

int SettingListModel::rowOf(const Address &address) const
{
    const auto found = std::ranges::find_if(m_entries, [&](const Entry &entry) {
        return std::ranges::any_of(entry.units, [&](const Observation &unit) {
            return unit.spec->domain == address.domain && unit.spec->key == address.key;
        });
    });
    return found != m_entries.end() ? static_cast<int>(found - m_entries.begin()) : -1;
}

QString SettingListModel::familyTitle(SettingFamily family) const
{
    switch (family) {
    case SettingFamily::Queue: return tr("Queue");
    case SettingFamily::Scheduler: {
        const BlockNode *disk = m_machine.node(m_target);
        return disk && disk->scheduler ? tr("Values of the scheduler %1").arg(toQString(*disk->scheduler))
                                       : tr("Values of the scheduler");
    }
    case SettingFamily::Cache: return tr("Limits of unwritten data");
    case SettingFamily::Writing: return tr("Writing");
    case SettingFamily::Memory: return tr("Memory");
    }
    return {};
}

int SettingListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant SettingListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const int row = index.row();
    const Observation &unit = shownUnit(row);
    const Observation &now = entry(row).now();
    switch (role) {
    case TitleRole: return settingTitle(*unit.spec);
    case SummaryRole: return settingSummary(*unit.spec);
    case KernelNameRole: return toQString(unit.spec->key);
    case ValueRole: {
        const auto value = shownValue(row);
        return value ? valueText(*unit.spec, *value) : QString();
    }
    case NowRole: return now.value ? valueText(*now.spec, *now.value) : QString();
    case DefaultRole:
        if (!now.defaultValue)
            return QString();
        return now.differsFromDefault() || stagedEdit(row)
                   ? tr("default %1").arg(valueText(*now.spec, *now.defaultValue))
                   : tr("default");
    case GroupRole: return static_cast<int>(entry(row).group);
    case StagedRole: return stagedEdit(row) != nullptr;
    case MarksRole: {
        QStringList words;
        for (const Mark &mark : marks(row))
            words << mark.sign + u' ' + mark.word;
        return words;
    }
    case ReasonRole: return whyNotText(now);
    case FamilyRole: return static_cast<int>(entry(row).family);
    case DiffersRole: return now.differsFromDefault();
    default: return {};
    }
}

QHash<int, QByteArray> SettingListModel::roleNames() const
{
    return {{TitleRole, "title"},   {SummaryRole, "summary"}, {KernelNameRole, "kernelName"},
            {ValueRole, "value"},   {NowRole, "now"},         {DefaultRole, "default"},
            {GroupRole, "group"},   {StagedRole, "staged"},   {MarksRole, "marks"},
            {ReasonRole, "reason"}, {FamilyRole, "family"},   {DiffersRole, "differs"}};
}

} // namespace diskwright::ui
